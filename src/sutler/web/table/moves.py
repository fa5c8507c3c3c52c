"""A move at a table: who may answer the question that is asked, and who takes the word to answer it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.web.errors import Refused, Stale
from sutler.web.table import clocks, out_of_turn

if TYPE_CHECKING:
    from sutler.web.table.room import Room


def act(room: Room, seats: tuple[int, ...], decision: int, action: str) -> None:
    """One of these seats answers the question numbered `decision` with this action."""
    with room.lock:
        room.whole()
        clocks.look(room)
        if room.pos.over:
            raise Stale("The game is over; nothing more can be done.")
        if room.chairs.waiting:
            raise Refused("The game begins when everybody sits. You can also begin it now.")
        if seats and all(seat in room.chairs.stood_in for seat in seats):
            raise Refused("A bot plays for you. Take your seat back first.")
        if decision != room.decision and not out_of_turn.only_others_since(room, decision, seats):
            raise Stale("That was already decided. Here is the table as it stands now.")
        seat = room.pos.seat
        if seat is None or seat not in seats:
            seat = _step_in(room, seats, action)
        room.play(seat, action)


def _step_in(room: Room, seats: tuple[int, ...], action: str) -> int:
    """One of these seats takes the word to do this, where the game lets it; the seat."""
    entry, after = out_of_turn.way_in(room.pos, seats) or (None, None)
    if entry is None or after is None or after.seat is None:
        raise Refused("It is {name}’s turn to decide, not yours.", name=room.seats[room.pos.seat or 0].name)
    if refusal := after.why_not(action):
        raise Refused(refusal.text, refusal.rule)
    room.play(after.seat, entry.name)
    return after.seat
