"""The same people, the same game, another deal."""

from __future__ import annotations

from sutler.web import lobby
from sutler.web.protocol import Created, Joined, Rematch
from sutler.web.rooms import Room


def rematch(room: Room, seats: tuple[int, ...]) -> Room:
    """Open the next table, or find the one somebody has opened already."""
    house = room.house
    with room.lock:
        if room.next_table:
            return house.room(room.next_table)
        created = room.created.model_copy(
            update={"seed": lobby.new_seed(), "seats": tuple(room.seats), "after": room.id, "nonce": "", "seal": ""}
        )
        following = house.open(Created.model_validate(created.model_dump()))
        for seat, plan in enumerate(room.seats):
            if plan.kind == "link" and room.taken[seat]:
                following.commit(Joined(seat=seat, name=plan.name))
        room.commit(Rematch(table=following.id, name=room.seats[seats[0]].name))
        return following
