"""How much one client may ask for: rates by kind of order, sizes before anything is read. Whoever plays never notices."""

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

BODY = 128 * 1024
"""Bytes of a form."""
FORM = 450_000
"""Bytes of a form for a new table, with a box and a position in it."""
FILE = 2_200_000
"""Bytes of a form with a game file in it."""
BODY_TIME = 20.0
"""Seconds a client has to send what it began to send."""
CLIENTS = 20_000
"""So many clients are remembered; whoever was not heard of for longest is forgotten first."""


@dataclass(frozen=True)
class Rate:
    """So many at once, and then one every `seconds`."""

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
"""By kind: moves and other orders, looks at pages, new tables, files, questions to the lab, hints, words said, codes to go on elsewhere,
links by mail."""


def kind_of(method: str, path: str) -> str:
    """What kind of order a request is; "" for what costs next to nothing."""
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


def longest(path: str) -> int:
    """How large a request to this address may be."""
    return {"/files": FILE, "/tables": FORM}.get(path, BODY)


STREAMS = 48
"""So many pages of one client may listen at the same time; a whole school may sit behind one address."""


@dataclass
class Limits:
    """What each client has asked for lately: a bucket a kind, which fills again as time goes by."""

    rates: dict[str, Rate] = field(default_factory=lambda: dict(RATES))
    clock: Callable[[], float] = time.monotonic
    streams: int | None = STREAMS
    _open: Counter[str] = field(default_factory=Counter)
    """How many streams of events each client has open."""
    _buckets: OrderedDict[tuple[str, str], tuple[float, float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait(self, client: str, kind: str) -> float:
        """0 when this client may, and one is counted; else the seconds after which it may."""
        rate = self.rates.get(kind)
        if rate is None:
            return 0.0
        now = self.clock()
        with self._lock:
            left, at = self._buckets.pop((client, kind), (float(rate.most), now))
            left = min(float(rate.most), left + (now - at) / rate.seconds)
            may = left >= 1.0
            self._buckets[client, kind] = (left - 1.0 if may else left, now)
            while len(self._buckets) > CLIENTS:
                self._buckets.popitem(last=False)
        return 0.0 if may else (1.0 - left) * rate.seconds

    def refusal(self, client: str, kind: str) -> float:
        """The same for an order of a kind, where some count twice: for the moment and for the day."""
        return self.wait(client, kind) or (self.wait(client, "tables of a day") if kind == "table" else 0.0)

    @contextlib.contextmanager
    def stream(self, client: str) -> Iterator[bool]:
        """A stream of events: may this client have one more? It counts as long as it is open."""
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
"""For a house of one's own, or to measure one."""


class TooMuch(HTTPException):
    """A body that is too large, or too slow in coming."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(status, text)


def bounded(receive: Receive, most: int, timeout: float = BODY_TIME) -> Receive:
    """Hear no more than so many bytes, and wait for none of them for ever. Once all is said, listen as before."""
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
