"""The same people, the same game, another deal; everybody moves up one chair, so that somebody else begins."""

from __future__ import annotations

from sutler.web.events import Created, Joined, Rematch
from sutler.web.lobby import new_table
from sutler.web.table.late_start import dealt_anew
from sutler.web.table.room import Room


def seat_there(room: Room, seat: int) -> int:
    """Where whoever sits here sits at the next table."""
    return (seat - room.turned) % len(room.seats)


def rematch(room: Room, seats: tuple[int, ...]) -> Room:
    """Open the next table, or find the one somebody has opened already. Who began this game is the last in the next."""
    house = room.house
    with room.lock:
        if room.next_table:
            return house.room(room.next_table)
        turned = [*range(1, len(room.seats)), 0]
        update = {"seed": new_table.new_seed(), "after": room.id, "nonce": "", "seal": "", "waits": False}
        update["seats"] = tuple(room.seats[seat] for seat in turned)
        created = dealt_anew(house, room.created.model_copy(update=update))
        following = house.open(Created.model_validate(created.model_dump()))
        for there, seat in enumerate(turned):
            if room.seats[seat].kind == "link" and room.taken[seat]:
                following.commit(Joined(seat=there, name=room.seats[seat].name))
        room.commit(Rematch(table=following.id, name=room.seats[seats[0]].name, turned=1))
        return following
