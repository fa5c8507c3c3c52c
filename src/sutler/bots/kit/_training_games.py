"""Template of games from which a judge learns (see `core.per_game_modules`).

A league plays the games, and a search (the teacher) labels some decisions.

A labelled decision gives one row for each sensible action, with the network's inputs of the position it leads to, its prior, visits and
payoffs; and one row for each seat with the inputs of the position itself. Of other decisions only the rows of the position may be kept.
How a game ended is in its Result row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.bits import add, clear, count, nth
from sutler.core.chance import below, draw32
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import imagine, lay_out, weigh
    from sutler.bots.judge import decide
    from sutler.bots.kit._game_loop import go_to_first_decision, write_game_result
    from sutler.bots.kit._game_statistics import take
    from sutler.bots.kit._network_value import judge
    from sutler.bots.persona import decide as persona_choice

    INPUTS, PERSONA = 0, 0

UNIT32 = 1.0 / 4294967296.0
NO_NODE = -1
POSITION = -1  # in a row's `action`: the row is of a seat's view of the position, not of an action


@rule
def write_row(rows: Any, index: Any, result: Any, net: Any) -> None:
    """Fill row `index` with the network's inputs for the position that the judge valued most since `net.best` was reset."""
    row = rows[index]
    row.seed = result.seed
    row.decision = result.decisions
    row.phase = net.best_phase
    for i in range(INPUTS):
        row.inputs[i] = net.best_inputs[i]


@rule
def write_action_rows(pair: Any, rows: Any, index: Any, result: Any, scratch: Any, bot: Any) -> Any:
    """Write a row for each action at the root of the search tree, as far as there is room. Returns the index of the next row."""
    net = pair[1]
    tree = scratch.search.tree
    work = scratch.greedy
    seat = int(scratch.world.to_act)
    node = int(tree[0].child)
    while node != NO_NODE and index < len(rows):
        action = int(tree[node].action)
        clear(work.options.ids)
        add(work.options.ids, action)
        work.value[action] = 0.0
        net.best = -1e30
        weigh(pair, scratch.world, scratch, seat, bot.nodes)
        write_row(rows, index, result, net)
        row = rows[index]
        row.seat = seat
        row.action = action
        row.visits = tree[node].visits
        row.total = tree[node].total
        row.prior = tree[node].prior
        row.toll = scratch.reluctance[action]
        index += 1
        node = int(tree[node].sibling)
    return index


@rule
def write_position_rows(pair: Any, rows: Any, index: Any, result: Any, scratch: Any) -> Any:
    """Write a row for each seat's view of the position, as far as there is room. Returns the index of the next row."""
    net = pair[1]
    net.notes = 1
    for seat in range(int(scratch.world.n_seats)):
        if index < len(rows):
            net.best = -1e30
            judge(pair, scratch.world, seat)
            write_row(rows, index, result, net)
            rows[index].seat = seat
            rows[index].action = POSITION
            index += 1
    net.notes = 0
    return index


@rule
def write_teacher_rows(box: Any, rows: Any, index: Any, result: Any, scratch: Any, teacher: Any, luck: Any) -> Any:
    """Let the teacher search the decision in `scratch` and write its rows. Returns the index of the next row."""
    pair = (box, teacher.net)
    if lay_out(pair, scratch.world, scratch.out, scratch.greedy) < 2:
        return index
    decide(box, scratch, teacher, luck)
    teacher.net.notes = 1
    index = write_action_rows(pair, rows, index, result, scratch, teacher)
    return write_position_rows(pair, rows, index, result, scratch)


@rule
def play(
    box: Any,
    results: Any,
    states: Any,
    bots: Any,
    scratch: Any,
    openings: Any,
    label_shares: Any,
    rows: Any,
    n_filled: Any,
) -> None:
    """Play each game of a chunk from its seed by its bots; the last of `bots` is the teacher.

    openings: for each game, the number of first decisions that are taken at random every other time. label_shares: the share (0 to 1) of
    decisions that the teacher labels, and the share of which only the position is kept. rows: where rows are written; `n_filled[0]` is
    their number at the end.
    """
    teacher = bots[len(bots) - 1]
    at = 0
    for i in range(len(results)):
        one = results[i]
        state = states[i]
        n = go_to_first_decision(box, state, one, scratch, True)
        while n > 0 and one.decisions < one.most:
            seat = int(state.to_act)
            bot = bots[one.bots[seat]]
            luck = scratch.lucks[seat]
            imagine((box, bot.net), scratch.world, state, seat, luck)
            if label_shares[0] + label_shares[1] > 0.0:
                drawn = draw32(luck.rng) * UNIT32
                if drawn < label_shares[0]:
                    at = write_teacher_rows(box, rows, at, one, scratch, teacher, luck)
                elif drawn < label_shares[0] + label_shares[1]:
                    at = write_position_rows((box, teacher.net), rows, at, one, scratch)
            if one.decisions < openings[i] and draw32(luck.rng) * UNIT32 < 0.5:
                action = nth(scratch.out.ids, below(luck, count(scratch.out.ids)))
            elif bot.kind == PERSONA:
                action = persona_choice((box, bot.net), scratch, bot, luck)
            else:
                action = decide(box, scratch, bot, luck)
            n = take(box, state, one, scratch, action)
            scratch.told.n_told = 0
        write_game_result(box, state, one, n)
    n_filled[0] = at
