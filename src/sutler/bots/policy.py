"""The policy: the greedy bot with its values corrected by a network that learned from play (`sutler train GAME --policy`, docs/train.md).

An untrained policy decides as the greedy bot does. The network is evaluated once for each decision, on the seat's observation, and gives
a correction to the value of each action; so a decision takes little longer than the greedy bot's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.bots.greedy import NODES_IN_PLAIN, rank_by_value
from sutler.bots.kit import Compiled, Settings, get_kit
from sutler.bots.kit.policy_network import (
    PolicyWeights,
    build_policy_record,
    find_shipped_policy_file,
    read_cached_policy,
)
from sutler.bots.kit.records import Numbers
from sutler.core.actions import Action
from sutler.core.bits import first_from
from sutler.core.play.game import Game
from sutler.core.play.position import SeatView
from sutler.core.record import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import best_of, greedy_values
    from sutler.core.protocol import observe

COPY, SCALE, RANK, SPREAD, SPLIT = range(5)  # how a number is encoded (`core.learners.encoding`)


@dataclass(frozen=True)
class Policy(Compiled):
    """The greedy bot with values corrected by a learned network.

    weights: the file of the network; without one, the file that comes with the game. any_box: 1 allows a network learned with another
    box. redeals, nodes: as the greedy bot's.
    """

    name = "policy"

    weights: str = ""
    redeals: int = 1
    nodes: int = 200
    any_box: int = 0

    def learned(self, game: Game) -> PolicyWeights:
        """The network's weights for a game: from this bot's file, or those that come with the game. ValueError where there are none."""
        path = Path(self.weights) if self.weights else find_shipped_policy_file(game.definition)
        if not path.exists():
            missing = "there is no such file" if self.weights else f"no policy comes with {game.title}"
            raise ValueError(f"{path.name}: {missing}; `sutler train {game.name} --policy` makes one")
        return read_cached_policy(path, game, bool(self.any_box))

    def packed(self, game: Game) -> Any:
        """The record of this bot's settings with its network, for compiled code."""
        return pack_policy_row(self, self.learned(game), game)

    def fitted(self, game: Game) -> Any:
        """The record of settings for one decision at a table; with fewer positions while rules run as plain Python, since people wait."""
        few = replace(self, redeals=1, nodes=min(self.nodes, NODES_IN_PLAIN))
        return (few if game.definition.home.interpreted else self).packed(game)

    def explain(self, view: SeatView) -> list[tuple[Action, float, int]]:
        """(action, value, 0) for each action, the best first, as `GreedyBot.explain` gives them, with the network's corrections."""
        kit, row = get_kit(view.game), self.fitted(view.game)
        scratch = kit.scratch_for_view(view)
        kit.compile_own_template(self.file()).decide(view.game.box, scratch, row, view.luck)
        return rank_by_value(view, scratch, kit.scale)


def predict_win_probabilities(view: SeatView, row: Any) -> Numbers:
    """Each seat's win probability, 0 to 1, by seat: the estimate of the network in `row` (see `policy_row`) from the view's seat."""
    kit, seats = get_kit(view.game), int(view.world.n_seats)
    made, net = kit.compile_own_template(Policy.file()), row.net
    made.write_inputs_and_hidden_layer(view.game.box, view.world, view.seat, net)
    made.write_win_probabilities(net, max(2, seats))
    if view.game.definition.COOPERATIVE:
        return np.full(seats, float(net.chance[0]))
    return np.roll(np.array(net.chance[:seats], float), view.seat)


def pack_policy_row(policy: Policy, weights: PolicyWeights, game: Game) -> Any:
    """The record of a policy's settings with these weights in it, for compiled code."""
    row, plain = build_policy_record(game).new(), Settings.packed(policy, game)
    for name in plain.dtype.names:
        row[name] = plain[name]
    weights.write_into(game, row.net)
    return row


@rule
def add_input(net: Any, index: Any, value: Any) -> None:
    """Add an input of value `value` at index `index` to the list of inputs that are not 0, and its share to the hidden layer."""
    net.at[net.n] = index
    net.much[net.n] = value
    net.n += 1
    for h in range(len(net.hidden)):
        net.hidden[h] += value * net.first[index, h]


@rule
def write_inputs_and_hidden_layer(box: Any, state: Any, seat: Any, net: Any) -> None:
    """Write into `net` the inputs that are not 0 and the hidden layer, for what a seat knows of a state."""
    for i in range(len(net.raw)):
        net.raw[i] = 0
    for h in range(len(net.hidden)):
        net.hidden[h] = net.bias[h]
    net.n = 0
    observe(box, state, seat, net.raw)
    for k in range(len(net.plan)):
        one = net.plan[k]
        x = net.raw[one.source]
        if one.how == SPREAD:
            if x >= 0 and x < one.width:
                add_input(net, int(one.target) + int(x), np.float32(1))
        elif x != 0:
            if one.how == COPY:
                add_input(net, int(one.target), x)
            elif one.how == SCALE:
                add_input(net, int(one.target), min(np.float32(1), max(np.float32(-1), x * one.factor)))
            elif one.how == SPLIT and x > 0:
                for b in range(one.width):
                    if int(x) >> b & 1:
                        add_input(net, int(one.target) + b, np.float32(1))
    for h in range(len(net.hidden)):
        net.hidden[h] = max(np.float32(0), net.hidden[h])


@rule
def write_win_probabilities(net: Any, seats: Any) -> None:
    """Write into `net.chance` the win probabilities of `seats` seats, counted from the seat that `perceive` was called for."""
    best = np.float32(-1e30)
    for k in range(seats):
        x = net.seat[k]
        for h in range(len(net.hidden)):
            x += net.hidden[h] * net.win[k, h]
        net.chance[k] = x
        best = max(best, x)
    total = 0.0
    for k in range(seats):
        net.chance[k] = math.exp(max(-30.0, net.chance[k] - best))
        total += net.chance[k]
    for k in range(seats):
        net.chance[k] /= total


@rule
def add_corrections(scratch: Any, net: Any, phase: Any) -> None:
    """Add the network's correction to the value of each option, and write into `net.worth` the logarithm of its likelihood.

    The likelihoods are not yet divided by their sum. `phase` picks how much the greedy bot's values count (`net.sure`).
    """
    work = scratch.greedy
    best = np.float32(-1e30)
    action = first_from(work.options.ids, 0)
    while action >= 0:
        best = max(best, np.float32(work.value[action]))
        action = first_from(work.options.ids, action + 1)
    sure = max(np.float32(1e-3), net.sure[phase]) / net.scale
    action = first_from(work.options.ids, 0)
    while action >= 0:
        x = net.lean[action]
        for h in range(len(net.hidden)):
            x += net.hidden[h] * net.action[action, h]
        net.worth[action] = sure * np.float32(work.value[action] - best) + x
        work.value[action] += x / sure
        action = first_from(work.options.ids, action + 1)


@rule(shared=True)
def decide(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """The action with the highest value: the greedy bot's value and the network's correction together."""
    copy_into(scratch.greedy.notes, scratch.greedy.no_notes)  # who decided before may judge by other numbers
    if greedy_values(box, scratch, bot, luck) == 1:
        return first_from(scratch.greedy.options.ids, 0)
    if bot.net.seats == scratch.world.n_seats:
        write_inputs_and_hidden_layer(box, scratch.world, int(scratch.world.to_act), bot.net)
        add_corrections(scratch, bot.net, int(scratch.world.phase))
    return best_of(scratch.greedy.value, scratch.greedy.options, luck, 0.0)
