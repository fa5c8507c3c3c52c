"""Chat at a table: adding lines, and hiding them."""

from __future__ import annotations

import contextlib

from sutler.web.errors import Refused
from sutler.web.events import Hidden, Said
from sutler.web.storage.store import Conflict, Store
from sutler.web.table.room import Room

MAX_MESSAGES = 2000
"""The most lines of chat at one table."""
MAX_ATTEMPTS = 5
"""Attempts to hide a line while players write events to the table."""


def add_chat_line(room: Room, said: Said) -> None:
    """Store a line of chat. Raises Refused where there are too many lines already."""
    with room.lock:
        if len(room.talk) >= MAX_MESSAGES:
            raise Refused("So much was said at this table that no more is kept.")
        room.commit_events(said)


def hide_chat_line(room: Room, line: int) -> None:
    """Hide a line of chat (its number, from 0) from everybody at the table; does nothing where it is hidden already."""
    with room.lock:
        if line < len(room.talk) and room.talk[line].text:
            room.commit_events(Hidden(line=line))


def hide_chat_line_in_store(store: Store, table: str, line: int) -> None:
    """Hide a line of chat from a command-line process; a running server that has the table loaded learns of it from the moderation log.

    Raises Refused where players write to the table all the time.
    """
    for _ in range(MAX_ATTEMPTS):
        with contextlib.suppress(Conflict):  # a player moved at the same moment
            store.append_events(table, store.load_events(table)[-1].seq + 1, [Hidden(line=line)])
            return
    raise Refused("Somebody writes to this table without end; try again.")
