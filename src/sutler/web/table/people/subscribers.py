"""The pages that wait for news of a table: each has an event that is set whenever something on it may have changed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Sequence

from sutler.web.errors import TooMany
from sutler.web.events import Event
from sutler.web.table.room import Room

MAX_SUBSCRIBERS = 300
"""The most watchers' pages that may wait for news of one table."""
MAX_SUBSCRIBERS_OF_SEATS = 48
"""The most pages of one player that may wait for news of one table; counted apart, so that watchers never shut players out."""


def shows_attendance(room: Room) -> bool:
    """Do pages show who is looking at the table? Only before the game begins, and where one process serves all pages."""
    return room.chairs.waiting and not room.services.store.shared


def compute_page_version(room: Room, seats: tuple[int, ...]) -> str:
    """The version of these seats' page. It changes whenever the page may have changed, and not with other seats' private events."""
    unheard = sum(1 for seat in room.private_events if seat not in seats)
    told = f"{room.services.boot}.{room.changes - unheard}"
    return f"{told}.{room.came}" if shows_attendance(room) else told


def list_present_seats(room: Room) -> set[int]:
    """The seats whose people look at the table now."""
    return {seat for seats in tuple(room.subscribers.values()) for seat in seats}


def notify_pages(room: Room) -> None:
    """Set the event of every page that waits for news of the table."""
    for loop, changed in tuple(room.subscribers):
        with contextlib.suppress(RuntimeError):  # the loop is closing
            loop.call_soon_threadsafe(changed.set)


def on_events(room: Room, events: Sequence[Event]) -> None:
    """Have all pages of the table drawn again after these events."""
    room.redraw_all_pages()


def require_free_place(room: Room, seats: tuple[int, ...] = ()) -> None:
    """Raise TooMany where the limit of pages of these seats (or of watchers) that wait for news is reached."""
    most = MAX_SUBSCRIBERS_OF_SEATS if seats else MAX_SUBSCRIBERS
    if sum(held == seats for held in tuple(room.subscribers.values())) >= most:
        raise TooMany("{n} pages listen to this table already; no more can.", n=most)


@contextlib.contextmanager
def register_page(
    room: Room, seats: tuple[int, ...] = (), changed: asyncio.Event | None = None
) -> Iterator[asyncio.Event]:
    """Register a page for the length of the block; yields an asyncio event that is set whenever the table changes.

    `seats`: those of the page; `changed`: the event to use, a new one if None.
    """
    subscriber = (asyncio.get_running_loop(), changed or asyncio.Event())
    room.subscribers[subscriber] = seats
    _on_attendance(room)
    try:
        yield subscriber[1]
    finally:
        room.subscribers.pop(subscriber, None)
        _on_attendance(room)


def _on_attendance(room: Room) -> None:
    """Have pages drawn again that show who is looking at the table, since a page was opened or closed."""
    if shows_attendance(room):
        room.came += 1
        notify_pages(room)
