"""Template: a policy's network in compiled code, and a search that goes by it (see `core.per_game_modules`).

All memory that the network is computed in lies in its record (`kit.policy_network`), so nothing is allocated.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.core.bits import first_from
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.core.protocol import observe

COPY, SCALE, RANK, SPREAD, SPLIT = range(5)  # how a number is encoded (`core.learners.encoding`)


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
    """Write into `net.chance` the win probabilities of `seats` seats, counted from the seat whose hidden layer is in `net`."""
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


@rule
def correct_values(box: Any, state: Any, scratch: Any, bot: Any) -> Any:
    """Add the network's corrections to the values of the options of the seat to act.

    Returns the temperature at which the values make priors: `bot.warmth` times the policy's own, of which come its probabilities.
    """
    write_inputs_and_hidden_layer(box, state, int(state.to_act), bot.net)
    add_corrections(scratch, bot.net, int(state.phase))
    return bot.warmth * bot.net.scale / max(np.float32(1e-3), bot.net.sure[int(state.phase)])


@rule
def correct_payoffs(box: Any, state: Any, scratch: Any, bot: Any) -> None:
    """Mix the win probabilities that the network foresees, from the seat to act, into the payoffs of a game that was cut short.

    `bot.own[1]` is their share in the mean. Where seats win together or one plays alone the payoffs stay (`_search.write_cut_payoffs`).
    """
    n = int(state.n_seats)
    if scratch.cooperative or n == 1:
        return
    work = scratch.search
    first = int(state.to_act)
    write_inputs_and_hidden_layer(box, state, first, bot.net)
    write_win_probabilities(bot.net, n)
    for k in range(n):
        seat = (first + k) % n
        work.payoff[seat] += bot.own[1] * (bot.net.chance[k] - work.payoff[seat])
