"""Chat at a table."""

from __future__ import annotations

from sutler.web.errors import Refused
from sutler.web.events import Hidden, Said
from sutler.web.table.room import Room

MAX_MESSAGES = 2000
"""The most messages of one table."""


def say(room: Room, said: Said) -> None:
    """Store a line of chat. Refused where there are too many messages already."""
    with room.lock:
        if len(room.talk) >= MAX_MESSAGES:
            raise Refused("So much was said at this table that no more is kept.")
        room.commit(said)


def hide(room: Room, line: int) -> None:
    """Hide a line of chat (its number, from 0) from everybody at the table. Where it is hidden already, nothing happens."""
    with room.lock:
        if line < len(room.talk) and room.talk[line].text:
            room.commit(Hidden(line=line))
