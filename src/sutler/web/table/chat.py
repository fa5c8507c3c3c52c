"""Words at the table."""

from __future__ import annotations

from sutler.web.errors import Refused
from sutler.web.events import Said
from sutler.web.table.room import Room

MAX_MESSAGES = 2000
"""Messages that one table keeps."""


def say(room: Room, said: Said) -> None:
    """Keep what somebody says at the table. Refused where there are too many messages already."""
    with room.lock:
        if len(room.talk) >= MAX_MESSAGES:
            raise Refused("So much was said at this table that no more is kept.")
        room.commit(said)
