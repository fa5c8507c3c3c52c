"""Template of the statistics of games (`core.per_game_modules`): it counts events, choices and leads, as far as a study wants them.

Sums over all games lie in `scratch.recorder`, the statistics of one game in its `GameStats` record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.bits import first_from, has
from sutler.core.record import NOBODY, copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots.kit.records import MOMENTS
    from sutler.core.engine import MAX_FORCED, STUCK, offer
    from sutler.core.protocol import apply, score

OFFERED, TAKEN, UNASKED = range(3)


@rule
def find_event_seat(row: Any, label: Any, no_seat: Any) -> Any:
    """The seat that an event names; `no_seat` (the column after the last seat) where it names none. label: how its kind is counted."""
    if label.seat < 0:
        return no_seat
    seat = row.parts[label.seat]
    if seat < 0 or seat > no_seat:
        return no_seat
    return int(seat)


@rule
def count_event(row: Any, label: Any, seat: Any, stats: Any, uses: Any) -> Any:
    """Count one event in the statistics of its game, by kind and seat, and each thing that the event names in `uses`."""
    amount = 0
    if label.amount >= 0:
        amount = int(row.parts[label.amount])
    stats.counts[row.kind, seat] += 1
    stats.amounts[row.kind, seat] += amount
    columns = stats.counts.shape[1]
    for part in range(len(label.first)):
        named = row.parts[part]
        if label.first[part] >= 0 and 0 <= named < label.names[part]:
            slot = label.first[part] + named * columns + seat
            uses[slot, 0] += 1
            uses[slot, 1] += amount


@rule
def count_events(scratch: Any, result: Any) -> Any:
    """Count the events in the buffer `scratch.told` over all games, mark endings in the game's row `result`, and empty the buffer."""
    for k in range(min(int(scratch.told.n_told), len(scratch.told.rows))):
        row = scratch.told.rows[k]
        label = scratch.recorder.labels[row.kind]
        result.endings |= label.ending
        scratch.recorder.counts[row.kind, find_event_seat(row, label, scratch.recorder.counts.shape[1] - 1)] += 1
    scratch.told.n_told = 0


@rule
def take_forced_actions(box: Any, state: Any, scratch: Any) -> Any:
    """Take forced actions until there is a real choice, counting them as UNASKED; otherwise the engine's `settle`.

    Returns the number of legal actions; 0 if the game is over, STUCK if forced actions never end.
    """
    for _ in range(MAX_FORCED):
        n = offer(box, state, scratch.out)
        if n != 1:
            return n
        action = first_from(scratch.out.ids, 0)
        if has(scratch.asked.ids, action):
            return n
        if scratch.recorder.notes_choices:
            scratch.recorder.choices[action, int(state.to_act), UNASKED] += 1
        apply(box, state, scratch.told, action)
    return STUCK


@rule
def count_choice(state: Any, out: Any, choices: Any, action: Any) -> Any:
    """Count each legal action of the seat to act as OFFERED and the chosen one as TAKEN. choices: shape (actions, seats, 3)."""
    seat = int(state.to_act)
    could = first_from(out.ids, 0)
    while could >= 0:
        choices[could, seat, OFFERED] += 1
        could = first_from(out.ids, could + 1)
    choices[action, seat, TAKEN] += 1


@rule
def record_lead(box: Any, state: Any, stats: Any, decisions: Any) -> Any:
    """Update who leads alone, the last decision at which each seat did not lead alone, and its largest distance to the best seat."""
    score(box, state, stats.points)
    best = stats.points[0]
    leader = 0
    for seat in range(1, state.n_seats):
        if stats.points[seat] > best:
            best = stats.points[seat]
            leader = seat
        elif stats.points[seat] == best:
            leader = NOBODY
    if leader != NOBODY:
        if stats.leader != NOBODY and stats.leader != leader:
            stats.lead_changes += 1
        stats.leader = leader
    for seat in range(state.n_seats):
        if seat != leader:
            stats.not_ahead[seat] = decisions
        if best - stats.points[seat] > stats.behind[seat]:
            stats.behind[seat] = best - stats.points[seat]


@rule
def keep_state(state: Any, stats: Any, decisions: Any) -> Any:
    """Keep the state every `stride` decisions; when there is no room left, drop every second one kept and double the stride."""
    if decisions % stats.stride != 0:
        return
    if stats.n_moments == MOMENTS:
        for k in range(MOMENTS // 2):
            copy_into(stats.moments[k], stats.moments[2 * k])
            for seat in range(state.n_seats):
                stats.scores[k, seat] = stats.scores[2 * k, seat]
        stats.n_moments = MOMENTS // 2
        stats.stride *= 2
    copy_into(stats.moments[stats.n_moments], state)
    for seat in range(state.n_seats):
        stats.scores[stats.n_moments, seat] = stats.points[seat]
    stats.n_moments += 1


@rule
def take(box: Any, state: Any, one: Any, scratch: Any, action: Any) -> Any:
    """Take an action and go to the next decision. Returns the number of actions there; the caller counts the events."""
    if scratch.recorder.notes_choices:
        count_choice(state, scratch.out, scratch.recorder.choices, action)
    apply(box, state, scratch.told, action)
    one.decisions += 1
    return take_forced_actions(box, state, scratch)


@rule
def update_stats(box: Any, state: Any, result: Any, scratch: Any, stats: Any, uses: Any) -> Any:
    """Update the game's statistics after a decision: the events since the last one, the lead, and a kept state if one is due."""
    if result.decisions == 0:
        stats.stride = 1
        stats.leader = NOBODY
    for k in range(min(int(scratch.told.n_told), len(scratch.told.rows))):
        row = scratch.told.rows[k]
        label = scratch.recorder.labels[row.kind]
        count_event(row, label, find_event_seat(row, label, scratch.recorder.counts.shape[1] - 1), stats, uses)
    record_lead(box, state, stats, result.decisions)
    keep_state(state, stats, result.decisions)
