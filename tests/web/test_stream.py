"""The stream of news: whatever a client says it heard last, and wherever the line is cut, it hears how the table stands."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import hypothesis
from hypothesis import strategies as st

from sutler.web.app import create_app
from sutler.web.events import Created, SeatPlan
from sutler.web.table.people import joining, subscribers
from sutler.web.table.room import Room
from web.conftest import run_apart

APP = create_app("sqlite://", bot_pause=0.0, warm=False)
EXAMPLES = int(os.environ.get("SUTLER_EXAMPLES", "60"))
PATIENCE = 30.0
EVENT = re.compile(r"event: table\ndata: (?P<address>\S+) (?P<version>[0-9a-f]+\.[0-9.]+)\n\n")
values = st.binary(max_size=300) | st.text(max_size=60).map(str.encode)
names = st.sampled_from(
    [b"accept", b"cache-control", b"sutler-log", b"cookie", b"range", b"x-forwarded-for", b"hx-request"]
)


class Line:
    """One client's line to the table, by hand: what is heard, and when it is cut."""

    def __init__(self, address: str, headers: Sequence[tuple[bytes, bytes]]) -> None:
        self.heard: list[str] = []
        self.status = 0
        self.kind = b""
        self._change = asyncio.Event()
        self._left = asyncio.Event()
        scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http"}
        scope |= {
            "path": "/events",
            "raw_path": b"/events",
            "query_string": urlencode({"at": address}).encode(),
            "root_path": "",
        }
        scope |= {"headers": [(b"host", b"table"), *headers], "client": ("127.0.0.1", 1), "server": ("table", 80)}
        self._first = True
        self.task = asyncio.create_task(APP(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        if self._first:
            self._first = False
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.kind = dict(message["headers"])[b"content-type"]
        elif message.get("body"):
            self.heard.append(message["body"].decode())
            self._change.set()

    async def hears(self, n: int) -> str:
        """The n-th thing that is heard."""
        while len(self.heard) <= n:
            self._change.clear()
            await asyncio.wait_for(self._change.wait(), PATIENCE)
        return self.heard[n]

    async def cut(self) -> None:
        """The client is gone."""
        self._left.set()
        await asyncio.wait_for(self.task, PATIENCE)


def rooms() -> Room:
    """A table that is really there, once."""
    for room in APP.state.house.list_loaded_rooms():
        return room  # type: ignore[no-any-return]
    seats = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="link", name="Perrin"))
    return APP.state.house.open_table(Created(game="manor", seed=1, seats=seats, open_to_watch=True))


async def followed(
    room: Room, address: str, last: bytes | None, others: list[tuple[bytes, bytes]], news: int, cut: int
) -> None:
    before = subscribers.compute_page_version(room, ())
    line = Line(address, [*others, *([(b"last-event-id", last)] if last is not None else [])])
    number = 0
    if cut > 0:
        assert await line.hears(0) == "retry: 1000\n\n"
        assert (line.status, line.kind) == (200, b"text/event-stream; charset=utf-8")
        number = 1
    if cut > 1:
        found = EVENT.fullmatch(await line.hears(number))
        assert found
        assert found["address"] == address
        assert found["version"] == before, "whoever missed something hears it at once"
        number += 1
    for one in range(news if cut > 2 else 0):
        while len(room.subscribers) == 0:
            await asyncio.sleep(0)
        joining.rename_seat(room, 0, f"Agnes {one}")
        found = EVENT.fullmatch(await line.hears(number))
        assert found
        assert found["version"] == subscribers.compute_page_version(room, ()) != before
        number += 1
    await line.cut()
    assert len(line.heard) <= max(number, 2), "nothing is told twice"
    assert len(room.subscribers) == 0, "who is gone is forgotten"


@hypothesis.given(
    last=st.none() | values,
    others=st.lists(st.tuples(names, values), max_size=4),
    news=st.integers(0, 3),
    cut=st.integers(0, 4),
    seat=st.booleans(),
)
@hypothesis.settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
def test_whatever_is_said_and_wherever_it_is_cut(
    last: bytes | None, others: list[tuple[bytes, bytes]], news: int, cut: int, seat: bool
) -> None:
    room = rooms()
    address = f"/seat/{room.make_seat_token(0)}" if seat else f"/watch/{room.id}"
    run_apart(followed(room, address, last, others, news, cut))


@hypothesis.given(token=st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=1, max_size=60), last=values)
@hypothesis.settings(max_examples=EXAMPLES // 2, deadline=None, derandomize=True)
def test_a_guess_hears_nothing(token: str, last: bytes) -> None:
    async def guessed(address: str) -> list[str]:
        line = Line(address, [(b"last-event-id", last)])
        await line.hears(1)
        await line.cut()
        return line.heard

    for address in (f"/seat/{token}", f"/watch/{token}"):
        assert run_apart(guessed(address)) == ["retry: 1000\n\n", f"event: gone\ndata: {address}\n\n"]
