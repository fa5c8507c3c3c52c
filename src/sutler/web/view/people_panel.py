"""The people at a table as the page tells of them: their clocks, who is waited for, who is stood in for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.core.language import _
from sutler.web.table import clocks, subscribers

if TYPE_CHECKING:
    from sutler.web.table.room import Room
    from sutler.web.table.snapshot import Look


@dataclass(frozen=True)
class ClockFace:
    """A seat's clock. Seconds, negative when the time is over."""

    left: float
    text: str
    runs: bool
    late: bool
    """Is a tenth of the time left, or less?"""


@dataclass(frozen=True)
class Absent:
    """Somebody does not come: a bot may play for them when those who stay agree."""

    seat: int
    name: str
    wait: float
    """Seconds until they may."""
    agreed: tuple[str, ...]
    missing: tuple[str, ...]
    asks_me: bool


def company(room: Room, seats: tuple[int, ...], seen: Look) -> dict[str, Any]:
    """What a page says of the people at the table. The caller holds the lock."""
    live = seen.moment is None and not seen.over
    away = [seat for seat in seats if seat in room.chairs.stood_in]
    return {
        "waiting": _waiting(room, seats) if live and room.chairs.waiting else None,
        "clocks": [_face(room, seat) if live else None for seat in range(len(room.seats))],
        "then": room.chairs.clock.then if room.chairs.clock else "",
        "absent": _absent(room, seats) if live else None,
        "away": bool(away) and live,
        "may_come_back": all(map(room.chairs.may_come_back, away)),
    }


def _face(room: Room, seat: int) -> ClockFace | None:
    if room.chairs.clock is None or room.seats[seat].kind == "bot":
        return None
    left = room.chairs.remaining(seat, room.pos.seat, room.now)
    runs = seat == room.pos.seat and room.chairs.since is not None and room.chairs.is_person(seat)
    return ClockFace(round(left, 1), clocks.told(left), runs, left <= room.chairs.clock.seconds / 10)


def _waiting(room: Room, seats: tuple[int, ...]) -> list[tuple[str, str]]:
    """Each seat's state and what is said of it."""
    return [_state(room, seat, seats) for seat in range(len(room.seats))]


def _state(room: Room, seat: int, seats: tuple[int, ...]) -> tuple[str, str]:
    if room.seats[seat].kind == "bot":
        return "here", _("a bot, ready")
    if seat in seats:
        return "here", _("you") if len(seats) == 1 else _("this screen")
    if not room.taken[seat]:
        return "missing", _("has not come yet")
    if not subscribers.is_shown(room):
        return "here", _("has taken the seat")
    return (
        ("here", _("here"))
        if seat in subscribers.present(room)
        else ("away", _("has taken the seat, looks elsewhere just now"))
    )


def _absent(room: Room, seats: tuple[int, ...]) -> Absent | None:
    """Whoever is waited for, as those see it who may let a bot play."""
    seat, end = room.pos.seat, room.chairs.patience_ends(room.pos.seat)
    if seat is None or end is None or not seats or seat in room.group(seats[0]):
        return None
    asked = clocks.who_must_agree(room, seat)
    agreed = [one for one in asked if one in room.chairs.agreed]
    return Absent(
        seat,
        room.seats[seat].name,
        max(0.0, round((end - room.now).total_seconds(), 1)),
        tuple(room.seats[one].name for one in agreed),
        tuple(room.seats[one].name for one in asked if one not in agreed and one not in seats),
        any(one in seats and one not in agreed for one in asked),
    )
