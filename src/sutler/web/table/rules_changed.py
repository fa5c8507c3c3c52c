"""Games whose rules have changed since they began: a player decides how the game goes on."""

from __future__ import annotations

import base64

from sutler.web.errors import Refused, Stale
from sutler.web.events import Event, Resumed, Undone
from sutler.web.table.room import Room


def continue_game(room: Room, seats: tuple[int, ...], from_snapshot: bool) -> None:
    """Go on with a game that cannot be replayed to its end under the changed rules.

    `seats`: those of the player who decides; `from_snapshot`: go on from a stored state, else from the last decision on which the replay
    agrees. Raises Stale where the game is not broken, Refused where there is no stored state.
    """
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
        # if the event cannot be stored, the room is read again, and both are set anew
        room.broken = room.kept_state = None
        room.cache.clear()
        room.commit_events(event)
