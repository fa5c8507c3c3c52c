"""The policy: the greedy bot's values, corrected by a network that learned from play (`sutler train GAME --policy`, docs/train.md).

Where it knows nothing it is the greedy bot. The network looks once at each decision, at all that the seat may know, and says how much
better or worse each action is than it looks; so it costs little more than the greedy bot.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.bots.greedy import NODES_IN_PLAIN, by_value
from sutler.bots.kit import Compiled, Settings, kit_of
from sutler.bots.kit.policy_network import PolicyWeights, cached_policy, record_of, shipped_policy_file
from sutler.bots.kit.records import Numbers
from sutler.core.actions import Action
from sutler.core.bits import first_from
from sutler.core.copying import copy_into
from sutler.core.play.game import Game
from sutler.core.play.seat import SeatView
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import best_of, greedy_values
    from sutler.core.protocol import observe

COPY, SCALE, RANK, SPREAD, SPLIT = range(5)  # how a number is encoded (`core.learners.encoding`)


@dataclass(frozen=True)
class Policy(Compiled):
    """The greedy bot with a learned policy.

    weights: their file; without one, those that come with the game. any_box: 1, they may be of another box.
    redeals, nodes: as the greedy bot's.
    """

    name = "policy"

    weights: str = ""
    redeals: int = 1
    nodes: int = 200
    any_box: int = 0

    def learned(self, game: Game) -> PolicyWeights:
        """The weights of this bot. ValueError where there are none for this game."""
        path = Path(self.weights) if self.weights else shipped_policy_file(game.definition)
        if not path.exists():
            missing = "there is no such file" if self.weights else f"no policy comes with {game.title}"
            raise ValueError(f"{path.name}: {missing}; `sutler train {game.name} --policy` makes one")
        return cached_policy(path, game, bool(self.any_box))

    def packed(self, game: Game) -> Any:
        """The row of its settings, with the network."""
        return policy_row(self, self.learned(game), game)

    def fitted(self, game: Game) -> Any:
        """The row for one decision; while rules run as plain Python, with fewer positions: somebody waits."""
        few = replace(self, redeals=1, nodes=min(self.nodes, NODES_IN_PLAIN))
        return (few if game.definition.home.interpreted else self).packed(game)

    def explain(self, view: SeatView) -> list[tuple[Action, float, int]]:
        """For each action, the best first: as the greedy bot's, with what the network adds."""
        kit, row = kit_of(view.game), self.fitted(view.game)
        scratch = kit.scratch_for(view)
        kit.own_template(self.file()).decide(view.game.box, scratch, row, view.luck)
        return by_value(view, scratch, kit.scale)


def foreseen(view: SeatView, row: Any) -> Numbers:
    """Each seat's chance to win, as the network of a policy's row sees it from the seat that looks on."""
    kit, seats = kit_of(view.game), int(view.world.n_seats)
    made, net = kit.own_template(Policy.file()), row.net
    made.perceive(view.game.box, view.world, view.seat, net)
    made.foresee(net, max(2, seats))
    if view.game.definition.COOPERATIVE:
        return np.full(seats, float(net.chance[0]))
    return np.roll(np.array(net.chance[:seats], float), view.seat)


def policy_row(policy: Policy, weights: PolicyWeights, game: Game) -> Any:
    """The row of a policy with these weights."""
    row, plain = record_of(game).new(), Settings.packed(policy, game)
    for name in plain.dtype.names:
        row[name] = plain[name]
    weights.write_into(game, row.net)
    return row


@rule
def note_input(net: Any, at: Any, much: Any) -> None:
    """Add an input that is not 0 to the list, and what it adds to the hidden layer."""
    net.at[net.n] = at
    net.much[net.n] = much
    net.n += 1
    for h in range(len(net.hidden)):
        net.hidden[h] += much * net.first[at, h]


@rule
def perceive(box: Any, state: Any, seat: Any, net: Any) -> None:
    """Leave in `net` what a seat knows of a state: its inputs that are not 0, and the hidden layer."""
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
                note_input(net, int(one.target) + int(x), np.float32(1))
        elif x != 0:
            if one.how == COPY:
                note_input(net, int(one.target), x)
            elif one.how == SCALE:
                note_input(net, int(one.target), min(np.float32(1), max(np.float32(-1), x * one.factor)))
            elif one.how == SPLIT and x > 0:
                for b in range(one.width):
                    if int(x) >> b & 1:
                        note_input(net, int(one.target) + b, np.float32(1))
    for h in range(len(net.hidden)):
        net.hidden[h] = max(np.float32(0), net.hidden[h])


@rule
def foresee(net: Any, seats: Any) -> None:
    """Leave in `net.chance` how likely each of so many seats is to win, from the seat that looked on."""
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
def rate(scratch: Any, net: Any, phase: Any) -> None:
    """Add to the value of each option what the network thinks it is worth beyond it; `net.worth`: the logarithms of how likely each is."""
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
    """The action of the highest value, as the greedy bot and the network see it together."""
    copy_into(scratch.greedy.notes, scratch.greedy.no_notes)  # who decided before may judge by other numbers
    if greedy_values(box, scratch, bot, luck) == 1:
        return first_from(scratch.greedy.options.ids, 0)
    if bot.net.seats == scratch.world.n_seats:
        perceive(box, scratch.world, int(scratch.world.to_act), bot.net)
        rate(scratch, bot.net, int(scratch.world.phase))
    return best_of(scratch.greedy.value, scratch.greedy.options, luck, 0.0)
