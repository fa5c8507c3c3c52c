"""The judge: decides like the greedy bot or the search, by an evaluation learned from play (`sutler train`, docs/train.md)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.bots.greedy import NODES_IN_PLAIN, by_value
from sutler.bots.kit import Compiled, Settings, kit_of, legal_choice
from sutler.bots.kit.network import JUDGE, Weights, cached_weights, shipped_weights_file
from sutler.bots.kit.records import Numbers, scale_of
from sutler.bots.search import SearchBot, ranked
from sutler.core.actions import Action
from sutler.core.play.game import Game
from sutler.core.play.seat import SeatView
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import greedy_choice as judged_choice
    from sutler.bots._search import search_choice as judged_search

BY_VISITS: dict[str, Any] = {"candidates": 0, "chances": 0, "curiosity": 1.0}
"""How a judge's search shares out its rounds: a game's `chances.toml` speaks of its own `evaluate`, not of a judge's values."""


@dataclass(frozen=True)
class Judge(Compiled):
    """The bot that looks one move ahead with a learned evaluation; with `rounds`, it searches that many rounds with it.

    weights: their file; without one, those that come with the game. any_box: 1, they may be of another box.
    redeals, nodes, noise, blunders: as the greedy bot's.
    """

    name = "judge"

    weights: str = ""
    redeals: int = 1
    nodes: int = 200
    noise: float = 0.0
    blunders: float = 0.0
    rounds: int = 0
    any_box: int = 0

    def learned(self, game: Game) -> Weights:
        """The weights of this bot. ValueError where there are none for this game."""
        path = Path(self.weights) if self.weights else shipped_weights_file(game.definition)
        if not path.exists():
            missing = "there is no such file" if self.weights else f"no judge comes with {game.title}"
            raise ValueError(f"{path.name}: {missing}; `sutler train {game.name}` makes one")
        return cached_weights(path, game, bool(self.any_box))

    def packed(self, game: Game) -> Any:
        """The row of its settings, with the network."""
        return row_of(self, self.learned(game), game)

    def fitted(self, game: Game) -> Any:
        """The row for one decision; while rules run as plain Python, one move ahead with fewer positions: somebody waits."""
        if game.definition.home.interpreted:
            return replace(self, rounds=0, redeals=1, nodes=min(self.nodes, NODES_IN_PLAIN)).packed(game)
        return self.packed(game)

    def explain(self, view: SeatView) -> list[tuple[Action, float, int]]:
        """For each action, the best first: as the greedy bot's; with `rounds` as the search's."""
        kit, row = kit_of(view.game), replace(self, blunders=0.0, noise=0.0).fitted(view.game)
        scratch = kit.scratch_for(view)
        decided = kit.own_template(self.file()).decide(view.game.box, scratch, row, view.luck)
        if row.rounds and scratch.search.n_nodes:
            return ranked(view, [scratch], row)
        if row.rounds:  # only one action is sensible: nothing was searched
            return [(view.game.action_names[legal_choice(view, int(decided))], 0.0, 0)]
        return by_value(view, scratch, kit.scale)

    def weighed(self, game: Game) -> Numbers:
        """The factor of each part of the game's evaluation in this judge's (`_reasons`)."""
        return self.learned(game).arrays["factor"]


def row_of(judge: Judge, weights: Weights, game: Game) -> Any:
    """The row of a judge with these weights, which also set how warm a search's priors and how sure its chances are."""
    row, plain = JUDGE.new(), Settings.packed(judge, game)
    if judge.rounds:
        warmth, certain = np.exp(weights.arrays["temper"])
        plain = SearchBot(rounds=judge.rounds, warmth=float(warmth), **BY_VISITS).packed(game)
        plain.kind, plain.redeals = judge.kind, judge.redeals
        plain.own[0] = certain * scale_of(game.definition)  # how sure the chances are that leads are made into
    for name in plain.dtype.names:
        row[name] = plain[name]
    weights.write_into(game, row.net)
    return row


@rule(shared=True)
def decide(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """The decision of the greedy bot, or of the search, with the judge's values. Their `box` is here a pair of box and network."""
    pair = (box, bot.net)
    if bot.rounds == 0:
        return judged_choice(pair, scratch, bot, luck)
    return judged_search(pair, scratch, bot, luck)
