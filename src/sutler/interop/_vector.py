"""Template: many games stepped in compiled code, a stretch of them a call (see `core.template`, `interop.vector`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.bits import assign, count, has, mark_set, nth
from sutler.core.chance import GAME_STREAM, below, seed_luck, seed_seat
from sutler.core.copying import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots.kit._game_loop import decide
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
def step(
    box: Any, rows: Any, blank: Any, desk: Any, bots: Any, shown: Any, fresh: Any, actions: Any, stretch: Any
) -> Any:
    """Take an action in each game of a stretch; one that is over is dealt anew, and all are where they are to be `fresh`: with a
    rule of its own for that the bots would be compiled twice. Returns the first row whose action is illegal, before anything of
    it is done, or NONE."""
    seen, masks = shown
    for i in range(stretch[0], stretch[1]):
        row = rows[i]
        if not fresh:
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
        if fresh or row.over:
            deal(box, row, blank, desk, bots)
        show(box, row, seen[i], masks[i])
    return NONE


@rule
def show(box: Any, row: Any, seen: Any, mask: Any) -> Any:
    """Write what the seat to act may know, if there is room for it, and a 1 for each legal action."""
    if len(seen) > 0:
        seen[:] = 0
        observe(box, row.state, int(row.state.to_act), seen)
    mask[:] = 0
    mark_set(mask, 0, row.out.ids)


@rule
def draw(rows: Any, actions: Any, first: Any, end: Any) -> Any:
    """A legal action for each game of a stretch, by the luck of the seat to act: as the random bot draws."""
    for i in range(first, end):
        row = rows[i]
        ids = row.out.ids
        actions[i] = nth(ids, below(row.lucks[int(row.state.to_act)], count(ids)))
