"""Chat at a table."""

from __future__ import annotations

from sutler.web.errors import Refused
from sutler.web.events import Said
from sutler.web.table.room import Room

MAX_MESSAGES = 2000
"""The most messages of one table."""


def say(room: Room, said: Said) -> None:
    """Store a line of chat. Refused where there are too many messages already."""
    with room.lock:
        if len(room.talk) >= MAX_MESSAGES:
            raise Refused("So much was said at this table that no more is kept.")
        room.commit(said)
