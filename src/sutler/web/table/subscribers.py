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


def is_shown(room: Room) -> bool:
    """Is it shown who looks at the table? Only before the game begins, and where one process knows all who look."""
    return room.chairs.waiting and not room.services.store.shared


def version(room: Room, seats: tuple[int, ...]) -> str:
    """The version of the page of these seats: it changes whenever anything on it may have, and not with what only others hear of."""
    unheard = sum(1 for seat in room.private_events if seat not in seats)
    told = f"{room.services.boot}.{room.changes - unheard}"
    return f"{told}.{room.came}" if is_shown(room) else told


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


def room_for_one_more(room: Room) -> None:
    """TooMany where no further page can listen."""
    if len(room.subscribers) >= MAX_SUBSCRIBERS:
        raise TooMany("{n} pages listen to this table already; no more can.", n=MAX_SUBSCRIBERS)


@contextlib.contextmanager
def listening(room: Room, seats: tuple[int, ...] = ()) -> Iterator[asyncio.Event]:
    """An asyncio event that is set whenever the room changes. `seats`: whose page it is that listens."""
    subscriber = (asyncio.get_running_loop(), asyncio.Event())
    room.subscribers[subscriber] = seats
    _on_attendance(room)
    try:
        yield subscriber[1]
    finally:
        room.subscribers.pop(subscriber, None)
        _on_attendance(room)


def _on_attendance(room: Room) -> None:
    """Show those who wait that somebody has come or gone."""
    if is_shown(room):
        room.came += 1
        notify(room)
