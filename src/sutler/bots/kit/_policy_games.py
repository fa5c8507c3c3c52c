"""Template: games from which a policy learns (see `core.per_game_modules`), with the learner's inputs and choices recorded.

The learner's actions are drawn with the policy's probabilities; the other seats are bots. Each decision of the learner becomes a row; its
network inputs that are not 0, and its options, go into two more lists. All memory is allocated by the caller.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sutler.core.bits import first_from
from sutler.core.chance import draw32
from sutler.core.record import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import greedy_values, imagine
    from sutler.bots.kit._game_loop import decide, go_to_first_decision, write_game_result
    from sutler.bots.kit._game_statistics import take
    from sutler.bots.kit._policy_network import add_corrections, write_inputs_and_hidden_layer

UNIT32 = 1.0 / 4294967296.0
LEARNER = 0
ROWS, INPUTS, OPTIONS = range(3)


@rule
def draw_option(scratch: Any, net: Any, luck: Any, row: Any) -> Any:
    """Draw an option with the probabilities of the softmax of `net.worth`; its index and log probability go into the row."""
    ids = scratch.greedy.options.ids
    best = -1e30
    action = first_from(ids, 0)
    while action >= 0:
        best = max(best, net.worth[action])
        action = first_from(ids, action + 1)
    total = 0.0
    action = first_from(ids, 0)
    while action >= 0:
        total += math.exp(max(-60.0, net.worth[action] - best))
        action = first_from(ids, action + 1)
    left = draw32(luck.rng) * UNIT32 * total
    at = 0
    action = first_from(ids, 0)
    chosen = action
    while action >= 0:
        chance = math.exp(max(-60.0, net.worth[action] - best))
        chosen = action
        row.chosen = at
        row.likely = math.log(chance / total)
        left -= chance
        if left < 0.0:
            break
        at += 1
        action = first_from(ids, action + 1)
    return chosen


@rule
def append_inputs(net: Any, inputs: Any, lengths: Any, row: Any) -> None:
    """Append the network's inputs that are not 0 to the list `inputs`, and their number to the row. `lengths`: lengths of the lists."""
    first = int(lengths[INPUTS])
    for i in range(net.n):
        inputs[first + i].at = net.at[i]
        inputs[first + i].much = net.much[i]
    row.n_inputs = net.n
    lengths[INPUTS] = first + int(net.n)


@rule
def append_options(scratch: Any, options: Any, lengths: Any, row: Any, values: Any) -> None:
    """Append the options, each with its value less the best one, to the list `options`, and their number to the row."""
    ids = scratch.greedy.options.ids
    at = int(lengths[OPTIONS])
    best = -1e30
    action = first_from(ids, 0)
    while action >= 0:
        best = max(best, values[action])
        action = first_from(ids, action + 1)
    row.n_options = 0
    action = first_from(ids, 0)
    while action >= 0:
        options[at].action = action
        options[at].value = values[action] - best
        at += 1
        row.n_options += 1
        action = first_from(ids, action + 1)
    lengths[OPTIONS] = at


@rule
def choose_and_record(
    box: Any, state: Any, scratch: Any, bot: Any, luck: Any, lists: Any, filled: Any, game_index: Any
) -> Any:
    """The learner's action in a decision, which is recorded if the lists have room. `game_index`: the index of the game."""
    rows, inputs, options = lists
    seat = int(state.to_act)
    net = bot.net
    imagine(box, scratch.world, state, seat, luck)
    copy_into(scratch.greedy.notes, scratch.greedy.no_notes)
    n = greedy_values(box, scratch, bot, luck)
    if n == 1:
        return first_from(scratch.greedy.options.ids, 0)
    write_inputs_and_hidden_layer(box, scratch.world, seat, net)
    row = rows[int(filled[ROWS])]
    has_room = (
        filled[ROWS] + 1 < len(rows) and filled[INPUTS] + net.n <= len(inputs) and filled[OPTIONS] + n <= len(options)
    )
    if has_room:
        append_inputs(net, inputs, filled, row)
        append_options(scratch, options, filled, row, scratch.greedy.value)
        filled[ROWS] += 1
    add_corrections(scratch, net, int(state.phase))
    row.game = game_index
    row.seat = seat
    row.phase = state.phase
    return draw_option(scratch, net, luck, row)


@rule
def play(box: Any, results: Any, states: Any, bots: Any, learner: Any, scratch: Any, lists: Any, lengths: Any) -> None:
    """Play each game; seats whose entry in `results[i].bots` is LEARNER are the learner's, the others are played by `bots`.

    `lists`: memory for (rows, inputs, options); `lengths`: how many of each are written.
    """
    for i in range(len(results)):
        one = results[i]
        state = states[i]
        n = go_to_first_decision(box, state, one, scratch, True)
        while n > 0 and one.decisions < one.most:
            seat = int(state.to_act)
            luck = scratch.lucks[seat]
            if one.bots[seat] == LEARNER:
                action = choose_and_record(box, state, scratch, learner, luck, lists, lengths, i)
            else:
                action = decide(box, state, scratch, bots[one.bots[seat]], luck)
            n = take(box, state, one, scratch, action)
            scratch.told.n_told = 0
        write_game_result(box, state, one, n)
