"""One event stream for all tables that a browser shows: browsers allow six connections to a server, and each tab needs news."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse

from sutler.web.errors import RequestError, TooMany
from sutler.web.root_path import get_root_path
from sutler.web.routes.dependencies import TheGuest, TheHouse
from sutler.web.table.people import subscribers
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.tokens import hash_browser

at = APIRouter()
HEARTBEAT_SECONDS = 15.0
NEWS_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Headers of an event stream, so that no proxy delays it."""
MAX_TABLES = 48
"""The most tables of one event stream."""


class _Relayed(asyncio.Event):
    """An asyncio event for one table which, when it is set, also sets the event of the whole stream."""

    def __init__(self, any_changed: asyncio.Event) -> None:
        super().__init__()
        self._any_changed = any_changed

    def set(self) -> None:
        """Set this event and the event of the stream."""
        super().set()
        self._any_changed.set()


@dataclass
class _Listened:
    """A table whose news a stream sends, by the address of its page. `told`: the last version that was sent."""

    address: str
    room: Room
    seats: tuple[int, ...]
    told: str = field(default="")


@at.get("/events")
async def stream_events(
    request: Request, guest: TheGuest, house: TheHouse, at: Annotated[list[str], Query(max_length=MAX_TABLES)]
) -> Response:
    """Send the news of several tables as one stream. `at`: the addresses of their pages, such as /seat/TOKEN or /watch/TABLE.

    Only pages whose scripts run ask for it, so now it is recorded that this browser sits there. Raises TooMany where no table admits more
    pages.
    """
    tables: list[_Listened] = []
    full: TooMany | None = None
    for address in dict.fromkeys(at):
        try:
            room, seats = await asyncio.to_thread(_find_listened_room, house, address.removeprefix(get_root_path()))
        except TooMany:  # not gone: the page asks again
            raise
        except RequestError:
            continue
        try:
            subscribers.require_free_place(room, seats)
        except TooMany as error:
            full = error
            continue
        tables.append(_Listened(address, room, seats))
        if guest.browser and seats:
            await asyncio.to_thread(house.store.record_seats, hash_browser(guest.browser), room.id, seats)
    if full is not None and not tables:
        raise full
    gone = [address for address in dict.fromkeys(at) if address not in {one.address for one in tables}]
    return StreamingResponse(
        _generate_news(request, house, tables, gone), media_type="text/event-stream", headers=NEWS_HEADERS
    )


def _find_listened_room(house: House, address: str) -> tuple[Room, tuple[int, ...]]:
    """The room whose page has this address, and the viewer's seats. Raises RequestError where there is none."""
    _, kind, name, *_rest = (*address.split("/"), "", "", "")
    if kind == "seat":
        room, seat = house.find_seat(name)
        return room, room.list_seats_of_same_link(seat)
    return house.find_watchable_room(name if kind == "watch" else ""), ()


async def _generate_news(
    request: Request, house: House, tables: list[_Listened], gone: list[str]
) -> AsyncIterator[str]:
    """Yield the events of a stream: "table" with each new version, "gone" for tables that were removed or not found.

    `gone`: the addresses at which no table was found.
    """
    changed = asyncio.Event()
    with contextlib.ExitStack() as listening:
        for one in tables:
            listening.enter_context(subscribers.register_page(one.room, one.seats, _Relayed(changed)))
        yield "retry: 1000\n\n"
        for address in gone:
            yield _format_event("gone", address)
        while not house.closing.is_set() and not await request.is_disconnected():
            changed.clear()
            for one in [one for one in tables if one.room.gone]:
                tables.remove(one)
                yield _format_event("gone", one.address)
            for one in tables:
                if (version := subscribers.compute_page_version(one.room, one.seats)) != one.told:
                    one.told = version
                    yield _format_event("table", f"{one.address} {version}")
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await changed.wait()
            except TimeoutError:
                yield ": still here\n\n"


def _format_event(kind: str, text: str) -> str:
    """One event of a stream. Line breaks in text from a client are removed, since they would begin another event."""
    return f"event: {kind}\ndata: {' '.join(text.split())}\n\n"
