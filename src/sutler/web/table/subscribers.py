"""The pages that listen to a table: each waits for an event that is set whenever something on it may have changed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Sequence

from sutler.web.errors import TooMany
from sutler.web.events import Event
from sutler.web.table.room import Room

MAX_SUBSCRIBERS = 300
"""Pages that may listen to one table."""


def shows_attendance(room: Room) -> bool:
    """Does the page show who is looking at the table? Only before the game begins, and where one process knows all pages."""
    return room.chairs.waiting and not room.services.store.shared


def version(room: Room, seats: tuple[int, ...]) -> str:
    """The version of these seats' page: it changes whenever anything on it may have changed, and not with other seats' private events."""
    unheard = sum(1 for seat in room.private_events if seat not in seats)
    told = f"{room.services.boot}.{room.changes - unheard}"
    return f"{told}.{room.came}" if shows_attendance(room) else told


def present(room: Room) -> set[int]:
    """The seats whose people look at the table now."""
    return {seat for seats in tuple(room.subscribers.values()) for seat in seats}


def notify(room: Room) -> None:
    """Set the event of every page that listens."""
    for loop, changed in tuple(room.subscribers):
        with contextlib.suppress(RuntimeError):  # a loop that is just closing
            loop.call_soon_threadsafe(changed.set)


def on_events(room: Room, events: Sequence[Event]) -> None:
    """Have all pages of the table drawn again: something happened there."""
    room.redraw()


def require_free_place(room: Room) -> None:
    """TooMany where no further page can listen."""
    if len(room.subscribers) >= MAX_SUBSCRIBERS:
        raise TooMany("{n} pages listen to this table already; no more can.", n=MAX_SUBSCRIBERS)


@contextlib.contextmanager
def listening(room: Room, seats: tuple[int, ...] = ()) -> Iterator[asyncio.Event]:
    """An asyncio event that is set whenever the room changes. `seats`: those of the page that listens."""
    subscriber = (asyncio.get_running_loop(), asyncio.Event())
    room.subscribers[subscriber] = seats
    _on_attendance(room)
    try:
        yield subscriber[1]
    finally:
        room.subscribers.pop(subscriber, None)
        _on_attendance(room)


def _on_attendance(room: Room) -> None:
    """Redraw the pages of those who wait, as somebody has come or gone."""
    if shows_attendance(room):
        room.came += 1
        notify(room)
