"""Template: many games stepped in compiled code, a stretch of them a call (see `core.template`, `interop.vector`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.bits import assign, has
from sutler.core.chance import GAME_STREAM, seed_luck, seed_seat
from sutler.core.copying import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots.kit._play import decide
    from sutler.core.engine import advance, begin
    from sutler.core.protocol import observe, rank, score

LEARNER = -1
NONE = -1


@rule
def deal(box: Any, row: Any, blank: Any, desk: Any, bots: Any) -> Any:
    """Set the table for a new game, and let the bots play to the learner's first decision; again, until there is one."""
    n = 0
    while n <= 0:
        seats = int(row.state.n_seats)
        copy_into(row.state, blank)
        row.state.n_seats = seats
        seed_luck(row.state, int(row.seed), GAME_STREAM)
        for seat in range(seats):
            seed_seat(row.lucks[seat], int(row.seed), seat)
        row.seed += row.stride
        n = bots_play(box, row, desk, bots, begin(box, row.state, desk.silent, row.out, desk.asked))


@rule
def bots_play(box: Any, row: Any, desk: Any, bots: Any, n: Any) -> Any:
    """The bots' decisions until a learner's next one or the end. Returns how many actions there are."""
    while n > 0 and bots[int(row.state.to_act)].kind != LEARNER:
        seat = int(row.state.to_act)
        assign(desk.out.ids, row.out.ids)
        action = decide(box, row.state, desk, bots[seat], row.lucks[seat])
        n = advance(box, row.state, desk.silent, row.out, desk.asked, action)
    return n


@rule
def reset(box: Any, rows: Any, blank: Any, desk: Any, bots: Any, first: Any, end: Any) -> Any:
    """New games for a stretch of rows."""
    for i in range(first, end):
        deal(box, rows[i], blank, desk, bots)


@rule
def step(box: Any, rows: Any, blank: Any, desk: Any, bots: Any, actions: Any, first: Any, end: Any) -> Any:
    """Take an action in each game of a stretch; one that is over is dealt anew. Returns the first row whose action is
    illegal, before anything of it is done, or NONE."""
    for i in range(first, end):
        row = rows[i]
        action = actions[i]
        if action < 0 or action >= len(row.out.ids) * 64 or not has(row.out.ids, action):
            return i
        n = advance(box, row.state, desk.silent, row.out, desk.asked, action)
        n = bots_play(box, row, desk, bots, n)
        row.over = n <= 0
        row.steps += 1
        if n <= 0:
            score(box, row.state, row.points)
            rank(box, row.state, row.places)
            deal(box, row, blank, desk, bots)
    return NONE


@rule
def see(box: Any, rows: Any, observations: Any, first: Any, end: Any) -> Any:
    """What the seat to act may know, in each game of a stretch."""
    for i in range(first, end):
        seen = observations[i]
        seen[:] = 0
        observe(box, rows[i].state, int(rows[i].state.to_act), seen)


@rule
def mark(rows: Any, masks: Any, first: Any, end: Any) -> Any:
    """1 for each legal action, in each game of a stretch."""
    n = masks.shape[1]
    for i in range(first, end):
        ids = rows[i].out.ids
        mask = masks[i]
        for w in range(len(ids)):
            word = ids[w]
            low = w * 64
            high = min(n, low + 64)
            if word == 0:
                mask[low:high] = 0
            else:
                for action in range(low, high):
                    mask[action] = (word >> (action - low)) & 1
