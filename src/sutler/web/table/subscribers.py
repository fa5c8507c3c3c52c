"""Whose pages look at a table: each listens at an ear, which is set whenever something on it may have changed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sutler.web.errors import TooMany

if TYPE_CHECKING:
    from sutler.web.table.room import Room

MOST_EARS = 300
"""So many pages may listen to one table."""
Ear = tuple[asyncio.AbstractEventLoop, asyncio.Event]


def is_shown(room: Room) -> bool:
    """Is it shown who looks at the table? Only while all are waited for, and where one process knows them all."""
    return room.chairs.waiting and not room.house.store.shared


def version(room: Room, seats: tuple[int, ...]) -> str:
    """Changes whenever anything on the page of these seats may have; what only others hear of changes nothing."""
    unheard = sum(1 for seat in room.whispers if seat not in seats)
    told = f"{room.house.boot}.{room.changes - unheard}"
    return f"{told}.{room.came}" if is_shown(room) else told


def present(room: Room) -> set[int]:
    """The seats whose people look at the table now."""
    return {seat for seats in tuple(room.ears.values()) for seat in seats}


def wake(room: Room) -> None:
    """Every page that listens is told to look."""
    for loop, ear in tuple(room.ears):
        with contextlib.suppress(RuntimeError):  # a loop that is just closing
            loop.call_soon_threadsafe(ear.set)


def room_for_one_more(room: Room) -> None:
    """TooMany where no further page can listen."""
    if len(room.ears) >= MOST_EARS:
        raise TooMany("{n} pages listen to this table already; no more can.", n=MOST_EARS)


@contextlib.contextmanager
def listening(room: Room, seats: tuple[int, ...] = ()) -> Iterator[asyncio.Event]:
    """An asyncio event that is set whenever the room changes. `seats`: whose page it is that listens."""
    ear = (asyncio.get_running_loop(), asyncio.Event())
    room.ears[ear] = seats
    _noticed(room)
    try:
        yield ear[1]
    finally:
        room.ears.pop(ear, None)
        _noticed(room)


def _noticed(room: Room) -> None:
    """Somebody has come or gone; those who wait see it."""
    if is_shown(room):
        room.came += 1
        wake(room)
