"""Template: many games stepped in compiled code, a stretch of them in each call (see `core.template`, `interop.vector`)."""

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
def deal(box: Any, row: Any, blank: Any, scratch: Any, bots: Any) -> Any:
    """Set up a new game and let the bots play to the learner's first decision; start another one if the game ends before."""
    n = 0
    while n <= 0:
        seats = int(row.state.n_seats)
        copy_into(row.state, blank)
        row.state.n_seats = seats
        seed_luck(row.state, int(row.seed), GAME_STREAM)
        for seat in range(seats):
            seed_seat(row.lucks[seat], int(row.seed), seat)
        row.seed += row.stride
        n = bots_play(box, row, scratch, bots, begin(box, row.state, scratch.silent, row.out, scratch.asked))


@rule
def bots_play(box: Any, row: Any, scratch: Any, bots: Any, n: Any) -> Any:
    """Play the bots' decisions until a learner's next one or the end. Returns the number of legal actions."""
    while n > 0 and bots[int(row.state.to_act)].kind != LEARNER:
        seat = int(row.state.to_act)
        assign(scratch.out.ids, row.out.ids)
        action = decide(box, row.state, scratch, bots[seat], row.lucks[seat])
        n = advance(box, row.state, scratch.silent, row.out, scratch.asked, action)
    return n


@rule
def step(
    box: Any, rows: Any, blank: Any, scratch: Any, bots: Any, shown: Any, fresh: Any, actions: Any, stretch: Any
) -> Any:
    """Take an action in each game of a stretch and deal a new game where one is over; `fresh`: deal a new one in every row.

    Both are one rule, since two would compile the bots twice. Returns the first row whose action is illegal, before any action of it is
    taken, or NONE.
    """
    seen, masks = shown
    for i in range(stretch[0], stretch[1]):
        row = rows[i]
        if not fresh:
            action = actions[i]
            if action < 0 or action >= len(row.out.ids) * 64 or not has(row.out.ids, action):
                return i
            n = advance(box, row.state, scratch.silent, row.out, scratch.asked, action)
            n = bots_play(box, row, scratch, bots, n)
            row.over = n <= 0
            row.steps += 1
            if n <= 0:
                score(box, row.state, row.points)
                rank(box, row.state, row.places)
        if fresh or row.over:
            deal(box, row, blank, scratch, bots)
        show(box, row, seen[i], masks[i])
    return NONE


@rule
def show(box: Any, row: Any, seen: Any, mask: Any) -> Any:
    """Write the observation of the seat to act, if there is room for it, and a 1 for each legal action."""
    if len(seen) > 0:
        seen[:] = 0
        observe(box, row.state, int(row.state.to_act), seen)
    mask[:] = 0
    mark_set(mask, 0, row.out.ids)


@rule
def draw(rows: Any, actions: Any, first: Any, end: Any) -> Any:
    """Draw a legal action for each game of a stretch, by the generator of the seat to act, like the random bot."""
    for i in range(first, end):
        row = rows[i]
        ids = row.out.ids
        actions[i] = nth(ids, below(row.lucks[int(row.state.to_act)], count(ids)))
