"""Joining a table: invitations, free seats, taking a seat, and its name."""

from __future__ import annotations

from sutler.web.errors import Used
from sutler.web.events import Joined, Renamed
from sutler.web.table.room import Room
from sutler.web.tokens import make_invitation_token
from sutler.web.typed_text import make_unique_name


def create_invitation_token(room: Room, seat: int) -> str:
    """The token of the invitation to a seat kept for a friend; "" when the seat is taken."""
    return "" if room.persons_have_come[seat] else make_invitation_token(room.services.key, room.id, seat)


def list_free_seats(room: Room) -> list[int]:
    """The seats that anybody may take now; none once the game has begun."""
    if not room.chairs.waiting or room.gone:
        return []
    return [seat for seat, plan in enumerate(room.seats) if plan.open and not room.persons_have_come[seat]]


def take_seat(room: Room, seat: int, name: str) -> None:
    """Take a seat under this name. Raises Used when somebody has taken it."""
    with room.lock:
        if room.persons_have_come[seat]:
            raise Used("This invitation was used. Whoever took the seat has a link of their own to it.")
        room.commit_events(Joined(seat=seat, name=_make_unique_name(room, seat, name), asked=seat == room.pos.seat))


def rename_seat(room: Room, seat: int, name: str) -> None:
    """Give a seat another name, with a number appended if another seat has it."""
    with room.lock:
        room.commit_events(Renamed(seat=seat, name=_make_unique_name(room, seat, name)))


def _make_unique_name(room: Room, seat: int, name: str) -> str:
    """The name, with a number appended if another seat has it."""
    return make_unique_name(name, (one.name for i, one in enumerate(room.seats) if i != seat))


def compute_rematch_seat(room: Room, seat: int) -> int:
    """The seat, at the rematch, of the person who sits at this seat."""
    return (seat - room.turned) % len(room.seats)
