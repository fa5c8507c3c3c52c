"""Games whose rules have changed since they began: a player decides how they go on."""

from __future__ import annotations

import base64

from sutler.web.errors import Refused, Stale
from sutler.web.events import Event, Resumed, Undone
from sutler.web.table.room import Room


def go_on(room: Room, seats: tuple[int, ...], from_snapshot: bool) -> None:
    """Go on with a game that cannot be played again to where it stood: from a stored state, or from where all agrees."""
    with room.lock:
        if room.broken is None:
            raise Stale("The game goes on already.")
        if not seats:
            raise Refused("Only those who play can say how it goes on.")
        event: Event
        if not from_snapshot:
            event = Undone(seat=seats[0], to=room.broken.agreed, rules_changed=True)
        elif room.kept_state is not None:
            decision, state = room.kept_state
            event = Resumed(seat=seats[0], decision=decision, state=base64.b64encode(state).decode())
        else:
            raise Refused("No later state was kept that the rules of today can go on from.")
        room.broken = room.kept_state = None  # if the event cannot be stored, the room is read again, and both with it
        room.cache.forget()
        room.commit(event)
