"""Template: the pen of the game loop (see `core.template`): what was told, chosen, led and owned, as far as somebody wants it.

What is counted over all games lies on the desk (`desk.pen`), what is written of each in its book. Everything goes into records of
fixed size: nothing is allocated here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.bits import first_from, has
from sutler.core.copying import copy_into
from sutler.core.record import NOBODY
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots.kit.records import MOMENTS
    from sutler.core.engine import MOST_FORCED, STUCK, offer
    from sutler.core.protocol import apply, score

OFFERED, TAKEN, UNASKED = range(3)


@rule
def seat_of(row: Any, label: Any, none: Any) -> Any:
    """The seat an event is about; `none`, the column after the last seat, when it names none."""
    if label.seat < 0:
        return none
    seat = row.parts[label.seat]
    if seat < 0 or seat > none:
        return none
    return int(seat)


@rule
def enter_in_book(row: Any, label: Any, seat: Any, book: Any, uses: Any) -> Any:
    """Enter one event by kind and seat, and every named thing in it."""
    amount = 0
    if label.amount >= 0:
        amount = int(row.parts[label.amount])
    book.counts[row.kind, seat] += 1
    book.amounts[row.kind, seat] += amount
    columns = book.counts.shape[1]
    for part in range(len(label.first)):
        named = row.parts[part]
        if label.first[part] >= 0 and 0 <= named < label.names[part]:
            slot = label.first[part] + named * columns + seat
            uses[slot, 0] += 1
            uses[slot, 1] += amount


@rule
def count_told(desk: Any, one: Any) -> Any:
    """Count what was told since the last decision, and empty the buffer."""
    for k in range(min(int(desk.told.n_told), len(desk.told.rows))):
        row = desk.told.rows[k]
        label = desk.pen.labels[row.kind]
        one.endings |= label.ending
        desk.pen.counts[row.kind, seat_of(row, label, desk.pen.counts.shape[1] - 1)] += 1
    desk.told.n_told = 0


@rule
def settle_noting(box: Any, state: Any, desk: Any) -> Any:
    """Take forced choices until a real one, as the engine's `settle` does, and record them as taken unasked."""
    for _ in range(MOST_FORCED):
        n = offer(box, state, desk.out)
        if n != 1:
            return n
        action = first_from(desk.out.ids, 0)
        if has(desk.asked.ids, action):
            return n
        if desk.pen.notes_choices:
            desk.pen.choices[action, int(state.to_act), UNASKED] += 1
        apply(box, state, desk.told, action)
    return STUCK


@rule
def note_choice(state: Any, out: Any, choices: Any, action: Any) -> Any:
    """Enter what a seat could do, and what it does."""
    seat = int(state.to_act)
    could = first_from(out.ids, 0)
    while could >= 0:
        choices[could, seat, OFFERED] += 1
        could = first_from(out.ids, could + 1)
    choices[action, seat, TAKEN] += 1


@rule
def follow_lead(box: Any, state: Any, book: Any, decisions: Any) -> Any:
    """Who is ahead now, alone? When was each seat last not ahead, and how far was it behind at worst?"""
    score(box, state, book.points)
    best = book.points[0]
    leader = 0
    for seat in range(1, state.n_seats):
        if book.points[seat] > best:
            best = book.points[seat]
            leader = seat
        elif book.points[seat] == best:
            leader = NOBODY
    if leader != NOBODY:
        if book.leader != NOBODY and book.leader != leader:
            book.lead_changes += 1
        book.leader = leader
    for seat in range(state.n_seats):
        if seat != leader:
            book.not_ahead[seat] = decisions
        if best - book.points[seat] > book.behind[seat]:
            book.behind[seat] = best - book.points[seat]


@rule
def keep_moment(state: Any, book: Any, decisions: Any) -> Any:
    """Keep the state every `stride` decisions; when the book is full, every second one goes and the stride doubles."""
    if decisions % book.stride != 0:
        return
    if book.n_moments == MOMENTS:
        for k in range(MOMENTS // 2):
            copy_into(book.moments[k], book.moments[2 * k])
            for seat in range(state.n_seats):
                book.scores[k, seat] = book.scores[2 * k, seat]
        book.n_moments = MOMENTS // 2
        book.stride *= 2
    copy_into(book.moments[book.n_moments], state)
    for seat in range(state.n_seats):
        book.scores[book.n_moments, seat] = book.points[seat]
    book.n_moments += 1


@rule
def take(box: Any, state: Any, one: Any, desk: Any, action: Any) -> Any:
    """Take an action and go to the next decision. Returns how many actions there are; what was told is still to be written."""
    if desk.pen.notes_choices:
        note_choice(state, desk.out, desk.pen.choices, action)
    apply(box, state, desk.told, action)
    one.decisions += 1
    return settle_noting(box, state, desk)


@rule
def write_book(box: Any, state: Any, one: Any, desk: Any, book: Any, uses: Any) -> Any:
    """Write down what came of the last decision, or how it stands before the first."""
    if one.decisions == 0:
        book.stride = 1
        book.leader = NOBODY
    for k in range(min(int(desk.told.n_told), len(desk.told.rows))):
        row = desk.told.rows[k]
        label = desk.pen.labels[row.kind]
        enter_in_book(row, label, seat_of(row, label, desk.pen.counts.shape[1] - 1), book, uses)
    follow_lead(box, state, book, one.decisions)
    keep_moment(state, book, one.decisions)
