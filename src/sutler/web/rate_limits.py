"""Rate limits: how much one client may ask for, by kind of request, and how large a request may be. People who play never notice.

Not the library `limits`: of it only the token bucket would be used, 12 lines in `Limits.wait`, and it does not bound the number of
clients in memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

from sutler.core.language import _

MAX_BODY_BYTES = 128 * 1024
"""The largest ordinary request."""
MAX_FORM_BYTES = 450_000
"""The largest form for a new table, which may hold a box and a position."""
MAX_FILE_FORM_BYTES = 2_200_000
"""The largest form with a game file in it."""
BODY_TIMEOUT_S = 20.0
"""Seconds within which each part of a request must arrive."""
MAX_BUCKETS = 20_000
"""Buckets held in memory; the one used longest ago is dropped first."""


@dataclass(frozen=True)
class Rate:
    """A token bucket: `most` requests at once, then one every `seconds`."""

    most: int
    seconds: float


RATES = {
    "order": Rate(120, 0.25),
    "look": Rate(600, 0.05),
    "table": Rate(20, 15.0),
    "tables of a day": Rate(300, 288.0),
    "file": Rate(10, 20.0),
    "question": Rate(10, 60.0),
    "hint": Rate(20, 3.0),
    "word": Rate(8, 3.0),
    "code": Rate(10, 20.0),
    "mail": Rate(5, 120.0),
}
"""The rate of each kind of request: moves and other orders, pages, new tables, files, questions to the lab, hints, chat lines,
codes to go on from another device, links by mail."""


def kind_of(method: str, path: str) -> str:
    """The kind of a request, a key of RATES; "" for what costs next to nothing and is not limited."""
    last = path.rstrip("/").rpartition("/")[2]
    if path.startswith(("/static/", "/sprite/", "/games/", "/healthz")):
        return ""
    if path.startswith("/print/") or last == "sheets.html":
        return "file"
    if method in ("GET", "HEAD", "OPTIONS"):
        return "hint" if last == "hint" else "look"
    if path in ("/tables", "/files"):
        return path[1:-1]
    if path == "/lab":
        return "question"
    if path.startswith("/me/"):
        return "mail" if path == "/me/mail" else "code"
    return {"say": "word", "tell": "word", "rematch": "table"}.get(last, "order")


def max_bytes(path: str) -> int:
    """The largest size in bytes of a request to this address."""
    return {"/files": MAX_FILE_FORM_BYTES, "/tables": MAX_FORM_BYTES}.get(path, MAX_BODY_BYTES)


MAX_STREAMS = 48
"""Pages of one client that may listen at the same time; a whole school may sit behind one address."""


@dataclass
class Limits:
    """Token buckets of each client, one for each kind of request."""

    rates: dict[str, Rate] = field(default_factory=lambda: dict(RATES))
    clock: Callable[[], float] = time.monotonic
    streams: int | None = MAX_STREAMS
    _open: Counter[str] = field(default_factory=Counter)
    """The number of event streams each client has open."""
    _buckets: OrderedDict[tuple[str, str], tuple[float, float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait(self, client: str, kind: str) -> float:
        """Count a request; 0 when it is allowed, else the seconds until one will be."""
        rate = self.rates.get(kind)
        if rate is None:
            return 0.0
        now = self.clock()
        with self._lock:
            left, at = self._buckets.pop((client, kind), (float(rate.most), now))
            left = min(float(rate.most), left + (now - at) / rate.seconds)
            may = left >= 1.0
            self._buckets[client, kind] = (left - 1.0 if may else left, now)
            while len(self._buckets) > MAX_BUCKETS:
                self._buckets.popitem(last=False)
        return 0.0 if may else (1.0 - left) * rate.seconds

    def refusal(self, client: str, kind: str) -> float:
        """Count a request; 0 when it is allowed, else the seconds until one will be. New tables count for the moment and for the day."""
        return self.wait(client, kind) or (self.wait(client, "tables of a day") if kind == "table" else 0.0)

    @contextlib.contextmanager
    def stream(self, client: str) -> Iterator[bool]:
        """Count an open event stream for the length of the block; yields whether the client may have it."""
        with self._lock:
            may = self.streams is None or self._open[client] < self.streams
            self._open[client] += may
        try:
            yield may
        finally:
            with self._lock:
                self._open[client] -= may
                if not self._open[client]:
                    del self._open[client]


NO_LIMITS = Limits(rates={}, streams=None)
"""For a server that only its owner uses, or for measuring."""


class TooMuch(HTTPException):
    """A request body that is too large or arrives too slowly."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(status, text)


def bounded(receive: Receive, most: int, timeout: float = BODY_TIMEOUT_S) -> Receive:
    """Wrap an ASGI `receive`: no more than `most` bytes of a body, each part within `timeout` seconds.

    After the body it passes everything on.
    """
    heard, done = 0, False

    async def receive_bounded() -> Message:
        nonlocal heard, done
        if done:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), timeout)
        except TimeoutError:
            raise TooMuch(_("The rest of this request did not come; nothing was done."), 408) from None
        heard += len(message.get("body", b""))
        done = not message.get("more_body", False)
        if heard > most:
            raise TooMuch(_("This is too large; nothing was done."), 413)
        return message

    return receive_bounded
