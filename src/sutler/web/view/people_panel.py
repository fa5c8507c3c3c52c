"""The people at a table: their clocks, absent players, seats where a bot stands in, and the styles of bots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sutler.bots import find_plan
from sutler.core.text.language import _
from sutler.web import sentence_html
from sutler.web.table import clocks
from sutler.web.table.people import subscribers

if TYPE_CHECKING:
    from sutler.web.table.room import Room
    from sutler.web.table.table_as_seen import Look


@dataclass(frozen=True)
class ClockFace:
    """A seat's clock as the page shows it. `left`: seconds, negative when the time is over; `runs`: is the time running now?"""

    left: float
    text: str
    runs: bool
    late: bool
    """Is a tenth of the time left, or less?"""


@dataclass(frozen=True)
class AbsentPlayer:
    """A person who is waited for, and which of the others have `agreed` to let a bot play for them.

    `asks_me`: is the viewer's vote missing?
    """

    seat: int
    name: str
    wait: float
    """Seconds until a bot may play for them."""
    agreed: tuple[str, ...]
    missing: tuple[str, ...]
    asks_me: bool


def build_people_context(room: Room, seats: tuple[int, ...], seen: Look) -> dict[str, Any]:
    """The variables for the template of the people at a table: who is waited for or away, clocks, absent players, who may come back.

    `seats`: the viewer's seats; `seen`: the table at the moment that the viewer looks at. Clocks and absent players are left out for an
    earlier moment and for a finished game. The caller holds the lock.
    """
    live = seen.moment is None and not seen.over
    away = [seat for seat in seats if seat in room.chairs.stood_in]
    return {
        "waiting": _list_attendance(room, seats) if live and room.chairs.waiting else None,
        "clocks": [_build_clock_face(room, seat) if live else None for seat in range(len(room.seats))],
        "then": room.chairs.clock.then if room.chairs.clock else "",
        "absent": _find_absent_player(room, seats) if live else None,
        "away": bool(away) and live,
        "may_come_back": all(map(room.chairs.may_take_back_seat, away)),
    }


def _build_clock_face(room: Room, seat: int) -> ClockFace | None:
    """A seat's clock; None where it has none."""
    if room.chairs.clock is None or room.seats[seat].kind == "bot":
        return None
    left = room.chairs.compute_remaining(seat, room.pos.seat, room.store_time)
    runs = seat == room.pos.seat and room.chairs.since is not None and room.chairs.is_person(seat)
    return ClockFace(round(left, 1), clocks.format_duration(left), runs, left <= room.chairs.clock.seconds / 10)


def _list_attendance(room: Room, seats: tuple[int, ...]) -> list[tuple[str, str]]:
    """For each seat, its state ("here", "away", "missing") and a few words about it. `seats`: the viewer's."""
    return [_describe_attendance(room, seat, seats) for seat in range(len(room.seats))]


def _describe_attendance(room: Room, seat: int, seats: tuple[int, ...]) -> tuple[str, str]:
    """The state of one seat ("here", "away", "missing") and a few words about it. `seats`: the viewer's."""
    if room.seats[seat].kind == "bot":
        return "here", _("a bot, ready")
    if seat in seats:
        return "here", _("you") if len(seats) == 1 else _("this screen")
    if not room.persons_have_come[seat]:
        return "missing", _("free: anybody may sit down") if room.seats[seat].open else _("has not come yet")
    if not subscribers.shows_attendance(room):
        return "here", _("has taken the seat")
    return (
        ("here", _("here"))
        if seat in subscribers.list_present_seats(room)
        else ("away", _("has taken the seat, looks elsewhere just now"))
    )


def _find_absent_player(room: Room, seats: tuple[int, ...]) -> AbsentPlayer | None:
    """The person whom the table waits for, if the viewer may vote that a bot plays for them; else None. `seats`: the viewer's."""
    seat, end = room.pos.seat, room.chairs.compute_patience_end(room.pos.seat)
    if seat is None or end is None or not seats or seat in room.list_seats_of_same_link(seats[0]):
        return None
    asked = clocks.list_required_consents(room, seat)
    agreed = [one for one in asked if one in room.chairs.agreed]
    return AbsentPlayer(
        seat,
        room.seats[seat].name,
        max(0.0, round((end - room.store_time).total_seconds(), 1)),
        tuple(room.seats[one].name for one in agreed),
        tuple(room.seats[one].name for one in asked if one not in agreed and one not in seats),
        any(one in seats and one not in agreed for one in asked),
    )


# --- Styles of bots ---------------------------------------------------------------------------------


def list_bot_styles_in_words(room: Room) -> list[str]:
    """The style of each seat's bot in words ("prayer"); "" for seats without a bot that has a style."""
    plans = [find_plan(one.level) if one.kind == "bot" else "" for one in room.seats]
    return [room.game.definition.get_persona_style(plan) if plan else "" for plan in plans]


def render_bot_styles(room: Room) -> Markup:
    """The first line of the log as HTML: "Agnes leans to prayer. Wulf leans to farming."; empty where no bot has a style."""
    told = [
        _("{name} leans to {what}.", name=room.seats[seat].name, what=what)
        for seat, what in enumerate(list_bot_styles_in_words(room))
        if what
    ]
    return Markup(f'<li class="styles" id="l-styles">{sentence_html.escape_html(" ".join(told))}</li>' if told else "")
