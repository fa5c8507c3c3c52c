"""Words at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.web.errors import Refused
from sutler.web.events import Said

if TYPE_CHECKING:
    from sutler.web.table.room import Room

MOST_WORDS = 2000
"""So many things may be said at one table."""


def say(room: Room, said: Said) -> None:
    """Words at the table; Refused where too many were said."""
    with room.lock:
        if len(room.talk) >= MOST_WORDS:
            raise Refused("So much was said at this table that no more is kept.")
        room.commit(said)
