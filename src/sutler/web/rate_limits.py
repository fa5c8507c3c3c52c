"""Rate limits: how much one client may ask for, by kind of request, and how large a request may be. People who play never notice.

Not the library `limits`: of it only the token bucket would be used, 12 lines in `Limits.wait`, and it does not bound the number of
clients in memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import math
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

from sutler.core.text.language import _
from sutler.web.errors import TooMany

MAX_BODY_BYTES = 128 * 1024
"""The largest ordinary request."""
MAX_FORM_BYTES = 450_000
"""The largest form for a new table, which may hold a box and a position."""
MAX_FILE_FORM_BYTES = 2_200_000
"""The largest form with a game file in it."""
BODY_TIMEOUT_S = 20.0
"""Seconds within which the whole body of a request must arrive; a large one has longer, see `body_seconds`."""
MIN_BYTES_PER_SECOND = 32 * 1024
"""Each second's worth of a body at this pace that has come allows one second more."""
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
"""The rate of each kind of request: moves and other orders, pages, new tables, files, questions to the lab, hints and reviews, chat lines,
codes to go on from another device and open seats, links by mail."""


def kind_of(method: str, path: str) -> str:
    """The kind of a request, a key of RATES; "" for what costs next to nothing and is not limited."""
    last = path.rstrip("/").rpartition("/")[2]
    if path.startswith(("/static/", "/sprite/", "/games/", "/healthz", "/readyz")):
        return ""
    if path.startswith("/print/") or last == "sheets.html":
        return "file"
    if method in ("GET", "HEAD", "OPTIONS"):
        return "hint" if last in ("hint", "review") else "look"
    if path == "/files":
        return "file"
    if path == "/find" or path.startswith("/open/"):
        return "code"
    if path == "/lab":
        return "question"
    if path.startswith("/me/"):
        return "mail" if path == "/me/mail" else "code"
    return {"say": "word", "tell": "word"}.get(last, "order")


def max_bytes(path: str) -> int:
    """The largest size in bytes of a request to this address."""
    return {"/files": MAX_FILE_FORM_BYTES, "/tables": MAX_FORM_BYTES}.get(path, MAX_BODY_BYTES)


IPV6_HOME_BITS = 64
"""Leading bits of an IPv6 address: the network that one home or one rented server has to itself. It counts as one client."""
IPV6_SITE_BITS = 48
"""Leading bits of an IPv6 address: the network that one customer has at most; all its networks together count as SITE_FACTOR clients."""
SITE_FACTOR = 16


def client_key(address: str) -> str:
    """The client that an address counts as: an IPv4 address itself, an IPv6 address by its network (2001:db8::/64)."""
    try:
        one = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:  # a client without an address
        return address
    if isinstance(one, ipaddress.IPv4Address):
        return str(one)
    if one.ipv4_mapped is not None:
        return str(one.ipv4_mapped)
    return address if one.is_loopback else str(ipaddress.ip_network((one, IPV6_HOME_BITS), strict=False))


def site_of(client: str) -> str:
    """The site that an IPv6 network (a `client_key`) belongs to, such as 2001:db8::/48; "" for any other client."""
    if not client.endswith(f"/{IPV6_HOME_BITS}"):
        return ""
    return str(ipaddress.ip_network(client).supernet(new_prefix=IPV6_SITE_BITS))


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
        site = site_of(client)
        if site and (wait := self._take(site, kind, Rate(rate.most * SITE_FACTOR, rate.seconds / SITE_FACTOR))):
            return wait
        return self._take(client, kind, rate)

    def _take(self, client: str, kind: str, rate: Rate) -> float:
        now = self.clock()
        with self._lock:
            left, at = self._buckets.pop((client, kind), (float(rate.most), now))
            left = min(float(rate.most), left + (now - at) / rate.seconds)
            may = left >= 1.0
            self._buckets[client, kind] = (left - 1.0 if may else left, now)
            while len(self._buckets) > MAX_BUCKETS:
                self._buckets.popitem(last=False)
        return 0.0 if may else (1.0 - left) * rate.seconds

    def new_table(self, client: str) -> float:
        """Count a new table, for the moment and for the day; 0 when it is allowed, else the seconds until one will be."""
        return self.wait(client, "table") or self.wait(client, "tables of a day")

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


_ASKER: ContextVar[tuple[Limits, str] | None] = ContextVar("asker", default=None)


@contextlib.contextmanager
def asked_by(limits: Limits, client: str) -> Iterator[None]:
    """Remember for the length of a request by whom it was sent, so that what it does can be counted where it is done."""
    token = _ASKER.set((limits, client))
    try:
        yield
    finally:
        _ASKER.reset(token)


def require_new_table() -> None:
    """Count a new table for the client whose request opens it. TooMany where they have opened many; what no request opens is free."""
    if (asker := _ASKER.get()) is None:
        return
    limits, client = asker
    if wait := limits.new_table(client):
        raise too_soon(wait)


def too_soon(wait: float) -> TooMany:
    """The error for a request that comes so many seconds too early."""
    again = str(math.ceil(wait))
    error = TooMany("That was a lot in a short time. Nothing is lost; try again in {n} s.", n=again)
    error.headers = {"Retry-After": again}
    return error


class TooMuch(HTTPException):
    """A request body that is too large or arrives too slowly."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(status, text)


def body_seconds(heard: int, timeout: float | None = None) -> float:
    """Seconds that a body of which `heard` bytes have come may take in all. Pauses between its parts earn none."""
    return (BODY_TIMEOUT_S if timeout is None else timeout) + heard / MIN_BYTES_PER_SECOND


def bounded(receive: Receive, most: int, timeout: float | None = None) -> Receive:
    """Wrap an ASGI `receive`: no more than `most` bytes of a body, the whole of it within `body_seconds`.

    After the body it passes everything on. `timeout`: seconds for a small body, BODY_TIMEOUT_S if left out.
    """
    heard, done, begun = 0, False, 0.0

    async def receive_bounded() -> Message:
        nonlocal heard, done, begun
        if done:
            return await receive()
        now = asyncio.get_running_loop().time()
        begun = begun or now
        try:
            message = await asyncio.wait_for(receive(), begun + body_seconds(heard, timeout) - now)
        except TimeoutError:
            raise TooMuch(_("The rest of this request did not come; nothing was done."), 408) from None
        heard += len(message.get("body", b""))
        done = not message.get("more_body", False)
        if heard > most:
            raise TooMuch(_("This is too large; nothing was done."), 413)
        return message

    return receive_bounded
