"""The policy: the greedy bot with its values corrected by a network that learned from play (`sutler train GAME --policy`, docs/train.md).

An untrained policy decides as the greedy bot does. The network is evaluated once for each decision, on the seat's observation, and gives
a correction to the value of each action; so a decision takes little longer than the greedy bot's. With `rounds` or `budget` it searches,
with the network's probabilities as priors and its win probabilities as what a position is worth (`kit._policy_network`).
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.bots.greedy import NODES_IN_PLAIN, rank_by_value
from sutler.bots.kit import Compiled, Kit, Settings, get_kit, replace_illegal_action
from sutler.bots.kit.policy_network import (
    PolicyWeights,
    build_policy_record,
    find_shipped_policy_file,
    read_cached_policy,
)
from sutler.bots.kit.records import OWN, Numbers
from sutler.bots.search import SearchBot, search_view
from sutler.core.actions import Action
from sutler.core.bits import first_from
from sutler.core.play.game import Game
from sutler.core.play.position import SeatView
from sutler.core.record import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import best_of, greedy_values
    from sutler.bots._search import search_choice
    from sutler.bots._search import search_choice as policy_search
    from sutler.bots.kit._policy_network import add_corrections, write_inputs_and_hidden_layer


NETWORK_SHARE = 0.5  # of what the network foresees in a payoff; the rest is what `evaluate` says
BY_NETWORK: dict[str, Any] = {"candidates": 8, "trust": 0.02, "warmth": 1.0, "chances": 1, "calm": 1.0}
"""The settings of a policy's search that are not the game's; its priors are the policy's own probabilities."""


@dataclass(frozen=True)
class Policy(Compiled):
    """The greedy bot with values corrected by a learned network, or a search by its probabilities.

    weights: the file of the network; without one, the file that comes with the game. any_box: 1 allows a network learned with another
    box. redeals, nodes: as the greedy bot's. rounds: rounds of a search; budget: seconds of one, where `rounds` is 0. Where both are 0
    nothing is searched. threads: as the search's. At a table of a number of seats that the network did not learn at this is the greedy
    bot, and with `rounds` or `budget` the search.
    """

    name = "policy"
    kind = OWN

    weights: str = ""
    redeals: int = 1
    nodes: int = 200
    any_box: int = 0
    rounds: int = 0
    budget: float = 0.0
    threads: int = 1

    def __post_init__(self) -> None:
        if min(self.rounds, self.budget, self.threads) < 0:
            raise ValueError("policy: rounds, budget and threads are 0 or more")

    @property
    def searches(self) -> bool:
        """Does this policy search?"""
        return self.rounds > 0 or self.budget > 0

    def learned(self, game: Game) -> PolicyWeights:
        """The network's weights for a game: from this bot's file, or those that come with the game. ValueError where there are none."""
        path = Path(self.weights) if self.weights else find_shipped_policy_file(game.definition)
        if not path.exists():
            missing = "there is no such file" if self.weights else f"no policy comes with {game.title}"
            raise ValueError(f"{path.name}: {missing}; `sutler train {game.name} --policy` makes one")
        return read_cached_policy(path, game, bool(self.any_box))

    def has_learned(self, game: Game) -> bool:
        """Has the network learned this game as it is played here: its box, with the options of the printed game?"""
        if game.changed_options():
            return False
        with contextlib.suppress(ValueError):
            return bool(self.learned(game).seats)
        return False

    def packed(self, game: Game) -> Any:
        """The record of this bot's settings with its network, for compiled code."""
        return pack_policy_row(self, self.learned(game), game)

    def fitted(self, game: Game) -> Any:
        """The record of settings for one decision at a table.

        While rules run as plain Python people wait: nothing is searched then, and fewer positions are looked at.
        """
        few = replace(self, redeals=1, nodes=min(self.nodes, NODES_IN_PLAIN), rounds=0, budget=0.0)
        return (few if game.definition.home.interpreted else self).packed(game)

    def get_template(self, kit: Kit) -> Any:
        """The search that goes by a network, compiled for the game of a kit."""
        return kit.policy_search

    def choose(self, view: SeatView) -> Action:
        """The action of the highest value, or the best one of the search."""
        if not self._is_to_search(view):
            return super().choose(view)
        return view.game.action_names[replace_illegal_action(view, self.explain(view)[0][0].id)]

    def explain(self, view: SeatView) -> list[tuple[Action, float, int]]:
        """The actions, the best first: (action, value with the network's correction, 0), or as `SearchBot.explain` gives them."""
        if self._is_to_search(view):
            if int(view.world.n_seats) not in self.learned(view.game).seats:
                return self._build_plain_search().explain(view)
            return search_view(self, view)
        kit, row = get_kit(view.game), self.fitted(view.game)
        scratch = kit.scratch_for_view(view)
        kit.compile_own_template(self.file()).decide(view.game.box, scratch, row, view.luck)
        return rank_by_value(view, scratch, kit.scale)

    def _is_to_search(self, view: SeatView) -> bool:
        """Is this decision one for a search? With one legal action it is none, nor while rules run as plain Python, since people wait."""
        return self.searches and len(view.legal) > 1 and not view.game.definition.home.interpreted

    def _build_plain_search(self, **settings: Any) -> SearchBot:
        """The search of as many rounds, or as much time, with its own settings or these."""
        return SearchBot(self.rounds, self.budget or 1.0, self.threads, **settings)


def predict_win_probabilities(view: SeatView, row: Any) -> Numbers:
    """Each seat's win probability, 0 to 1, by seat: the estimate of the network in `row` (see `policy_row`) from the view's seat."""
    seats, made, net = int(view.world.n_seats), get_kit(view.game).policy_network, row.net
    made.write_inputs_and_hidden_layer(view.game.box, view.world, view.seat, net)
    made.write_win_probabilities(net, max(2, seats))
    if view.game.definition.COOPERATIVE:
        return np.full(seats, float(net.chance[0]))
    return np.roll(np.array(net.chance[:seats], float), view.seat)


def pack_policy_row(policy: Policy, weights: PolicyWeights, game: Game) -> Any:
    """The record of a policy's settings with these weights in it, for compiled code."""
    row, plain = build_policy_record(game).new(), Settings.packed(policy, game)
    if policy.searches:
        plain = policy._build_plain_search(**BY_NETWORK).packed(game)
        plain.kind = policy.kind
        plain.warmth = BY_NETWORK["warmth"]  # in units of the policy's own temperature, not of SCALE
        plain.own[1] = NETWORK_SHARE
        row.elsewhere = policy._build_plain_search().packed(game)
    for name in plain.dtype.names:
        row[name] = plain[name]
    weights.write_into(game, row.net)
    return row


@rule
def has_learned_table(net: Any, n_seats: Any) -> Any:
    """Did the network `net` learn at tables of `n_seats` seats?"""
    return int(net.tables) >> int(n_seats) & 1 == 1


@rule(shared=True)
def decide(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """The action with the highest value, the greedy bot's and the network's correction together; or the one that a search takes."""
    if bot.rounds > 0:
        if has_learned_table(bot.net, scratch.world.n_seats):
            return policy_search(box, scratch, bot, luck)
        return search_choice(box, scratch, bot.elsewhere, luck)
    copy_into(scratch.greedy.notes, scratch.greedy.no_notes)  # who decided before may judge by other numbers
    if greedy_values(box, scratch, bot, luck) == 1:
        return first_from(scratch.greedy.options.ids, 0)
    if has_learned_table(bot.net, scratch.world.n_seats):
        write_inputs_and_hidden_layer(box, scratch.world, int(scratch.world.to_act), bot.net)
        add_corrections(scratch, bot.net, int(scratch.world.phase))
    return best_of(scratch.greedy.value, scratch.greedy.options, luck, 0.0)
