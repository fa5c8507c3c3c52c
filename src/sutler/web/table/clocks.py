"""Clocks: a bot takes over a seat whose time is over, or whose person does not come, where the table agreed to that.

`people.seating` keeps the times; this module carries out the consequences.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from sutler.web.errors import Lost, Refused, Stale
from sutler.web.events import Agreed, Begun, CameBack, Event, StoodIn
from sutler.web.jobs.job_queue import QUICK_LANE
from sutler.web.table.room import Room
from sutler.web.table.services import Services

STAND_IN = "normal"
"""The level of a bot that plays for a person."""
TIMER_SLACK_S = 0.05
"""Seconds by which a timer is set later than the deadline, since timers and the clock may differ by milliseconds."""


# --- The clock -------------------------------------------------------------------------------------------


def on_events(room: Room, events: Sequence[Event]) -> None:
    """Set the timer for the seat that is to decide after these events."""
    set_timer(room)


def set_timer(room: Room) -> None:
    """Set the timer that calls `enforce_time_limit` when the time of the seat that is to decide is over. Takes the lock."""
    with room.lock:
        end = None if room.pos.over or room.broken is not None else room.chairs.compute_deadline(room.pos.seat)
        if end is None or (room.next_clock_check is not None and room.next_clock_check <= end):
            return
        room.next_clock_check = end
        after = max(TIMER_SLACK_S, (end - room.store_time).total_seconds() + TIMER_SLACK_S)
        services, table = room.services, room.id
    services.jobs.add_job(lambda: _on_timer(services, table), QUICK_LANE, after=after)


def _on_timer(services: Services, table: str) -> None:
    """Enforce the time limit at a table when its timer fires."""
    try:
        room: Room = services.room_of(table)
    except Lost:
        return
    with room.lock:
        room.next_clock_check = None
    with contextlib.suppress(Stale, Lost):  # another process did it, or somebody decided at the same moment
        enforce_time_limit(room)
    set_timer(room)


def enforce_time_limit(room: Room) -> None:
    """Let a bot take over the seat that is to decide, if its time is over and the table agreed to that."""
    with room.lock:
        end = room.chairs.compute_deadline(room.pos.seat)
        if end is None or end > room.store_time or room.pos.over or room.broken is not None or room.pos.seat is None:
            return
        room.commit_events(StoodIn(seat=room.pos.seat, level=STAND_IN, why="time", asked=True))


# --- Empty chairs -------------------------------------------------------------------------------------------


def begin_game(room: Room, seats: tuple[int, ...], with_bots: bool) -> None:
    """Begin the game before all seats are taken. `with_bots`: do bots take the empty seats until their people come?

    `seats`: those of the person who asks. Raises Refused where they have not opened the table, Stale where the game has begun.
    """
    with room.lock:
        if not room.chairs.waiting:
            raise Stale("The game has begun already.")
        if not any(room.seats[seat].kind == "me" for seat in seats):
            raise Refused("Whoever set the table begins the game.")
        empty = [seat for seat, here in enumerate(room.persons_have_come) if not here] if with_bots else []
        stand_ins = [StoodIn(seat=seat, level=STAND_IN, why="empty") for seat in empty]
        room.commit_events(Begun(seat=seats[0]), *stand_ins)


def list_required_consents(room: Room, absent: int) -> list[int]:
    """The seats whose agreement is needed before a bot replaces the person of seat `absent`: one for each other person."""
    found: dict[tuple[int, ...], int] = {}
    for seat in range(len(room.seats)):
        group = room.list_seats_of_same_link(seat)
        if room.chairs.is_person(seat) and absent not in group:
            found.setdefault(group, seat)
    return list(found.values())


def agree_to_bot(room: Room, seats: tuple[int, ...], absent: int) -> None:
    """Record that the person of these seats agrees to a bot in an absent person's seat; when all agree, the bot plays.

    Raises Stale where nobody waits for that seat, Refused where there is still time or the person may not agree.
    """
    with room.lock:
        room.require_sound()
        end = room.chairs.compute_patience_end(room.pos.seat)
        if room.pos.over or absent != room.pos.seat or end is None:
            raise Stale("Nobody waits for this seat just now.")
        if absent in seats or not seats:
            raise Refused("Only the others at the table can say that a bot plays on.")
        if end > room.store_time:
            raise Refused(
                "There is still time: {time} as was agreed.",
                time=format_duration((end - room.store_time).total_seconds()),
            )
        asked = list_required_consents(room, absent)
        mine = next((seat for seat in asked if seat in seats), None)
        if mine is None:
            raise Refused("A bot plays for you yourself; take your seat back first.")
        if mine not in room.chairs.agreed:
            room.commit_events(Agreed(seat=mine, for_seat=absent))
        if room.chairs.agreed >= set(asked):
            room.commit_events(StoodIn(seat=absent, level=STAND_IN, why="agreed", asked=True))


def take_back_seats(room: Room, seats: tuple[int, ...]) -> None:
    """Give a person their seats back from the bots that stood in.

    Raises Refused where their time is over, Stale where no bot plays for them.
    """
    with room.lock:
        away = [seat for seat in seats if seat in room.chairs.stood_in]
        if not away:
            raise Stale("The seat is yours already.")
        if not all(map(room.chairs.may_take_back_seat, away)):
            raise Refused("Your time for this game is out; the bot plays it to the end, as was agreed.")
        if any(room.chairs.stood_in[seat].why == "time" and _is_out_of_time(room, seat) for seat in away):
            raise Refused("Your time for this decision is out: the bot makes it, then the seat is yours again.")
        room.commit_events(*[CameBack(seat=seat, asked=seat == room.pos.seat) for seat in away])


def _is_out_of_time(room: Room, seat: int) -> bool:
    """Is this seat to decide, with no time left for it?"""
    clock = room.chairs.clock
    return clock is not None and seat == room.pos.seat and room.chairs.used >= clock.seconds


# --- In words --------------------------------------------------------------------------------------------------


def format_duration(seconds: float) -> str:
    """A duration in few characters: 0:45, 12:03, 3 h 20, 2 d 4 h; negative durations with a minus."""
    sign, whole = ("−", int(-seconds)) if seconds < 0 else ("", int(seconds))
    days, hours, minutes, rest = whole // 86400, whole % 86400 // 3600, whole % 3600 // 60, whole % 60
    if days:
        return f"{sign}{days} d {hours} h"
    if hours:
        return f"{sign}{hours} h {minutes:02}"
    return f"{sign}{minutes}:{rest:02}"
