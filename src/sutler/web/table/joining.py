"""Taking a seat that was kept for a friend, and the name by which one sits there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.web.errors import Used
from sutler.web.events import Joined, Renamed
from sutler.web.names import apart
from sutler.web.tokens import invitation_token

if TYPE_CHECKING:
    from sutler.web.table.room import Room


def invitation(room: Room, seat: int) -> str:
    """The secret of the invitation to a seat kept for a friend; "" when somebody has come."""
    return "" if room.taken[seat] else invitation_token(room.house.key, room.id, seat)


def join(room: Room, seat: int, name: str) -> None:
    """Somebody takes the seat that was kept; Used when it is taken."""
    with room.lock:
        if room.taken[seat]:
            raise Used("This invitation was used. Whoever took the seat has a link of their own to it.")
        room.commit(Joined(seat=seat, name=_free_name(room, seat, name)))


def rename(room: Room, seat: int, name: str) -> None:
    """A seat goes by another name, which nobody else at the table has."""
    with room.lock:
        room.commit(Renamed(seat=seat, name=_free_name(room, seat, name)))


def _free_name(room: Room, seat: int, name: str) -> str:
    """This name, or the nearest that no other seat has."""
    return apart(name, (one.name for i, one in enumerate(room.seats) if i != seat))
