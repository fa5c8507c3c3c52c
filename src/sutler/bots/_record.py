"""Template: whole games between bots, with a book kept of each: what was told, chosen, led and owned (see `lab.recording`).

Games run as in `_match`, decision by decision the same; only the pen is added. Everything is written into records of
fixed size: nothing is allocated here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.bits import clear, count, first_from, has
from sutler.core.chance import seed_luck
from sutler.core.copying import copy_into
from sutler.core.record import NOBODY
from sutler.core.rule import rule

if TYPE_CHECKING:
    GAME_STREAM: int
    MOMENTS: int
    apply: Any
    decide: Any
    is_over: Any
    legal: Any
    rank: Any
    score: Any
    setup: Any
    start: Any

OFFERED, TAKEN, UNASKED = range(3)


@rule
def seat_of(row: Any, label: Any, n_seats: Any) -> Any:
    """The seat an event is about; the column after the last seat when it names none."""
    if label.seat < 0:
        return n_seats
    seat = row.parts[label.seat]
    if seat < 0 or seat > n_seats:
        return n_seats
    return int(seat)


@rule
def enter_told(events: Any, labels: Any, one: Any, book: Any, uses: Any) -> Any:
    """Enter what was told since the last decision, by kind and seat and by every named thing in it; empty the buffer."""
    columns = book.counts.shape[1]
    for i in range(min(int(events.n_told), len(events.rows))):
        row = events.rows[i]
        label = labels[row.kind]
        seat = seat_of(row, label, columns - 1)
        amount = 0
        if label.amount >= 0:
            amount = int(row.parts[label.amount])
        one.endings |= label.ending
        book.counts[row.kind, seat] += 1
        book.amounts[row.kind, seat] += amount
        for part in range(len(label.first)):
            named = row.parts[part]
            if label.first[part] >= 0 and 0 <= named < label.names[part]:
                slot = label.first[part] + named * columns + seat
                uses[slot, 0] += 1
                uses[slot, 1] += amount
    events.n_told = 0


@rule
def settle_noting(box: Any, state: Any, events: Any, out: Any, asked: Any, choices: Any) -> Any:
    """As the engine's `settle`: take forced choices until a real one, and enter them as taken unasked."""
    while not is_over(state):
        clear(out.ids)
        legal(box, state, out)
        n = count(out.ids)
        if n != 1:
            return n
        action = first_from(out.ids, 0)
        if has(asked.ids, action):
            return n
        choices[action, int(state.to_act), UNASKED] += 1
        apply(box, state, events, action)
    clear(out.ids)
    return 0


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
def open_book(
    box: Any, state: Any, one: Any, book: Any, uses: Any, choices: Any, labels: Any, events: Any, out: Any, asked: Any
) -> Any:
    """Set the table, go to the first decision and enter how it stands. Returns how many actions there are."""
    book.stride = 1
    book.leader = NOBODY
    seed_luck(state, int(one.seed), GAME_STREAM)
    setup(box, state)
    start(box, state, events)
    n = settle_noting(box, state, events, out, asked, choices)
    enter_told(events, labels, one, book, uses)
    follow_lead(box, state, book, 0)
    keep_moment(state, book, 0)
    return n


@rule
def take(
    box: Any,
    state: Any,
    one: Any,
    book: Any,
    uses: Any,
    choices: Any,
    labels: Any,
    events: Any,
    out: Any,
    asked: Any,
    action: Any,
) -> Any:
    """Take an action, go to the next decision and enter what came of it."""
    note_choice(state, out, choices, action)
    apply(box, state, events, action)
    n = settle_noting(box, state, events, out, asked, choices)
    one.decisions += 1
    enter_told(events, labels, one, book, uses)
    follow_lead(box, state, book, one.decisions)
    keep_moment(state, book, one.decisions)
    return n


@rule
def record_games(
    box: Any,
    results: Any,
    finals: Any,
    books: Any,
    uses: Any,
    choices: Any,
    labels: Any,
    bots: Any,
    tree: Any,
    work: Any,
    greedy: Any,
    events: Any,
    silent: Any,
    asked: Any,
    reluctance: Any,
    most: Any,
    scale: Any,
    cooperative: Any,
) -> Any:
    """Play each game of a chunk, as `_match.play_games` does, and keep its book."""
    out = work.played
    for i in range(len(results)):
        one = results[i]
        state = finals[i]
        book = books[i]
        for seat in range(state.n_seats):
            seed_luck(work.lucks[seat], int(one.seed), 1000 + seat)
        n = open_book(box, state, one, book, uses[i], choices, labels, events, out, asked)
        while n > 0 and one.decisions < most:
            seat = int(state.to_act)
            action = decide(
                box,
                state,
                out,
                tree,
                work,
                greedy,
                silent,
                asked,
                reluctance,
                bots[one.bots[seat]],
                work.lucks[seat],
                scale,
                cooperative,
            )
            n = take(box, state, one, book, uses[i], choices, labels, events, out, asked, action)
        one.finished = n == 0
        score(box, state, one.points)
        rank(box, state, one.places)
