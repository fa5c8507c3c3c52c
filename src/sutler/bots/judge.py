"""The judge: the greedy bot, or the search, with an evaluation that was learned from played games (`sutler train`, docs/train.md)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.bots.greedy import NODES_IN_PLAIN, rank_by_value
from sutler.bots.kit import Compiled, Settings, get_kit, replace_illegal_action
from sutler.bots.kit.judge_network import JUDGE, Weights, find_shipped_weights_file, read_cached_weights
from sutler.bots.kit.records import Numbers, find_scale
from sutler.bots.search import SearchBot, rank_actions
from sutler.core.actions import Action
from sutler.core.play.game import Game
from sutler.core.play.position import SeatView
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import greedy_choice as judged_choice
    from sutler.bots._search import search_choice as judged_search

BY_VISITS: dict[str, Any] = {"candidates": 0, "chances": 0, "curiosity": 1.0}
"""The settings of a judge's search: by visit counts, without `chances.toml`, which was fitted to `evaluate` and not to a judge's values."""


@dataclass(frozen=True)
class Judge(Compiled):
    """The bot that looks one move ahead, or searches `rounds` rounds (0: no search), with a learned evaluation.

    weights: path of the file with the weights; "" for those that come with the game. any_box: 1 accepts weights that were learned
    with another box. redeals, nodes, noise, blunders: see `GreedyBot`.
    """

    name = "judge"

    weights: str = ""
    redeals: int = 1
    nodes: int = 200
    noise: float = 0.0
    blunders: float = 0.0
    rounds: int = 0
    any_box: int = 0

    @property
    def searches(self) -> bool:
        """Does this judge search?"""
        return self.rounds > 0

    def learned(self, game: Game) -> Weights:
        """The weights of this bot for a game. ValueError where there are none."""
        path = Path(self.weights) if self.weights else find_shipped_weights_file(game.definition)
        if not path.exists():
            missing = "there is no such file" if self.weights else f"no judge comes with {game.title}"
            raise ValueError(f"{path.name}: {missing}; `sutler train {game.name}` makes one")
        return read_cached_weights(path, game, bool(self.any_box))

    def packed(self, game: Game) -> Any:
        """The settings of this bot and the network's weights for a game, as one JUDGE record."""
        return pack_judge_row(self, self.learned(game), game)

    def fitted(self, game: Game) -> Any:
        """The record for one decision at a table: without search, and with fewer positions, as long as the rules are not compiled."""
        if game.definition.home.interpreted:
            return replace(self, rounds=0, redeals=1, nodes=min(self.nodes, NODES_IN_PLAIN)).packed(game)
        return self.packed(game)

    def explain(self, view: SeatView) -> list[tuple[Action, float, int]]:
        """The actions with their values, the best first, as `GreedyBot.explain` gives them, or `SearchBot.explain` where it searches."""
        kit, row = get_kit(view.game), replace(self, blunders=0.0, noise=0.0).fitted(view.game)
        scratch = kit.scratch_for_view(view)
        decided = kit.compile_own_template(self.file()).decide(view.game.box, scratch, row, view.luck)
        if row.rounds and scratch.search.n_nodes:
            return rank_actions(view, [scratch], row)
        if row.rounds:  # only one action is sensible: nothing was searched
            return [(view.game.action_names[replace_illegal_action(view, int(decided))], 0.0, 0)]
        return rank_by_value(view, scratch, kit.scale)

    def get_part_factors(self, game: Game) -> Numbers:
        """The factor by which this judge multiplies each part of the game's `evaluate`, in the order of the game's REASONS."""
        return self.learned(game).arrays["factor"]


def pack_judge_row(judge: Judge, weights: Weights, game: Game) -> Any:
    """The JUDGE record of a bot with these weights.

    Their two temperatures become those of the search: of its priors, and of the win chances made from leads.
    """
    row, plain = JUDGE.new(), Settings.packed(judge, game)
    if judge.rounds:
        warmth, certain = np.exp(weights.arrays["temper"])
        plain = SearchBot(rounds=judge.rounds, warmth=float(warmth), **BY_VISITS).packed(game)
        plain.kind, plain.redeals = judge.kind, judge.redeals
        plain.own[0] = certain * find_scale(game.definition)  # how sure the chances are that leads are made into
    for name in plain.dtype.names:
        row[name] = plain[name]
    weights.write_into(game, row.net)
    return row


@rule(shared=True)
def decide(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """The action that the greedy bot takes with the judge's values; the search's action where `bot.rounds` is not 0.

    What these two call the box is here a pair of the box and the network.
    """
    pair = (box, bot.net)
    if bot.rounds == 0:
        return judged_choice(pair, scratch, bot, luck)
    return judged_search(pair, scratch, bot, luck)
