"""Limits on requests: how many of each kind one client may send, and how large a request may be. People who play never reach them.

The library `limits` is not used: only its token bucket would be needed, 12 lines in `Limits.wait`, and it does not bound the number of
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
"""The size of the largest ordinary request."""
MAX_FORM_BYTES = 450_000
"""The size of the largest form for a new table, which may hold a box and a position."""
MAX_FILE_FORM_BYTES = 2_200_000
"""The size of the largest form with a game file in it."""
BODY_TIMEOUT_S = 20.0
"""Seconds within which the whole body of a request must arrive; a large body has longer, see `compute_max_body_seconds`."""
MIN_BYTES_PER_SECOND = 32 * 1024
"""The slowest pace allowed for a large body: each such number of bytes that has arrived allows one second more."""
MAX_BUCKETS = 20_000
"""The number of token buckets held in memory; the one used longest ago is dropped first."""


@dataclass(frozen=True)
class Rate:
    """A token bucket: `most` requests at once, and then one every `seconds`."""

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
    "report": Rate(10, 600.0),
    "own data": Rate(3, 120.0),
    "opening": Rate(200, 0.5),
}
"""The rate of each kind of request: clicks ("order"), pages ("look"), new tables, files, questions to the lab, hints and reviews, chat
lines ("word"), codes for another device and open seats, links by mail, reports,
downloads of everything that is kept of somebody ("own data"), tables that must be replayed because they are not in memory ("opening")."""


def classify_request(method: str, path: str) -> str:
    """The kind of a request, a key of RATES; "" for one that costs next to nothing and is not limited."""
    last = path.rstrip("/").rpartition("/")[2]
    if path.startswith(("/static/", "/sprite/", "/games/", "/healthz", "/readyz")):
        return ""
    if path.startswith("/print/") or last == "sheets.html":
        return "file"
    if method in ("GET", "HEAD", "OPTIONS"):
        if path == "/me/data":
            return "own data"
        return "hint" if last in ("hint", "review") else "look"
    if path == "/files":
        return "file"
    if path == "/find" or path.startswith("/open/"):
        return "code"
    if path == "/lab":
        return "question"
    if path.startswith("/me/"):
        return "mail" if path == "/me/mail" else "code"
    return {"say": "word", "tell": "word", "report": "report"}.get(last, "order")


def get_max_request_bytes(path: str) -> int:
    """The largest size in bytes of a request to this address."""
    return {"/files": MAX_FILE_FORM_BYTES, "/tables": MAX_FORM_BYTES}.get(path, MAX_BODY_BYTES)


IPV6_HOME_BITS = 64
"""Leading bits of an IPv6 address that name the network of one home or one rented server. Each such network counts as one client."""
IPV6_SITE_BITS = 48
"""Leading bits of an IPv6 address that name the largest network of one customer; all networks in it together count as SITE_FACTOR
clients."""
SITE_FACTOR = 16


def to_client_key(address: str) -> str:
    """The client that an address counts as: an IPv4 address is one client, an IPv6 address belongs to its network (2001:db8::/64)."""
    try:
        one = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:  # a client without an address
        return address
    if isinstance(one, ipaddress.IPv4Address):
        return str(one)
    if one.ipv4_mapped is not None:
        return str(one.ipv4_mapped)
    return address if one.is_loopback else str(ipaddress.ip_network((one, IPV6_HOME_BITS), strict=False))


def to_site_network(client: str) -> str:
    """The larger network that an IPv6 client (a `to_client_key`) belongs to, such as 2001:db8::/48; "" for any other client."""
    if not client.endswith(f"/{IPV6_HOME_BITS}"):
        return ""
    return str(ipaddress.ip_network(client).supernet(new_prefix=IPV6_SITE_BITS))


MAX_STREAMS = 48
"""Event streams that one client may have open at the same time; a whole school may share one address."""


@dataclass
class Limits:
    """The token buckets of all clients, one for each client and kind of request, and the number of each client's event streams."""

    rates: dict[str, Rate] = field(default_factory=lambda: dict(RATES))
    clock: Callable[[], float] = time.monotonic
    streams: int | None = MAX_STREAMS
    _open: Counter[str] = field(default_factory=Counter)
    """The number of event streams each client has open."""
    _buckets: OrderedDict[tuple[str, str], tuple[float, float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count_request(self, client: str, kind: str) -> float:
        """Count a request of this kind; return 0 when it is allowed, else the seconds until the next one will be."""
        rate = self.rates.get(kind)
        if rate is None:
            return 0.0
        site = to_site_network(client)
        if site and (wait := self._take_token(site, kind, Rate(rate.most * SITE_FACTOR, rate.seconds / SITE_FACTOR))):
            return wait
        return self._take_token(client, kind, rate)

    def _take_token(self, client: str, kind: str, rate: Rate) -> float:
        """Take a token from the bucket of this client and kind; return 0, or the seconds until there is one."""
        now = self.clock()
        with self._lock:
            left, at = self._buckets.pop((client, kind), (float(rate.most), now))
            left = min(float(rate.most), left + (now - at) / rate.seconds)
            may = left >= 1.0
            self._buckets[client, kind] = (left - 1.0 if may else left, now)
            while len(self._buckets) > MAX_BUCKETS:
                self._buckets.popitem(last=False)
        return 0.0 if may else (1.0 - left) * rate.seconds

    def count_new_table(self, client: str) -> float:
        """Count a new table, in the short-term and the daily limit; return 0 when it is allowed, else the seconds until one will be."""
        return self.count_request(client, "table") or self.count_request(client, "tables of a day")

    @contextlib.contextmanager
    def count_stream(self, client: str) -> Iterator[bool]:
        """Count an event stream of a client for the length of the block. Yields whether the client may have it."""
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
"""For a server that only its owner uses, and for measuring."""


_ASKER: ContextVar[tuple[Limits, str] | None] = ContextVar("asker", default=None)


@contextlib.contextmanager
def remember_client(limits: Limits, client: str) -> Iterator[None]:
    """Remember during the block which client sent the request.

    `count_new_table_of_request` and `count_opening_of_request` then count what the request does.
    """
    token = _ASKER.set((limits, client))
    try:
        yield
    finally:
        _ASKER.reset(token)


def count_new_table_of_request() -> None:
    """Count a new table for the client whose request opens it. Raises TooMany where the client has opened too many.

    Tables that are opened outside of a request are not counted.
    """
    if (asker := _ASKER.get()) is None:
        return
    limits, client = asker
    if wait := limits.count_new_table(client):
        raise build_too_soon_error(wait)


def count_opening_of_request() -> None:
    """Count a table that is replayed for the client whose request needs it. Raises TooMany where the client needed too many.

    Tables that the server itself needs are not counted.
    """
    if (asker := _ASKER.get()) is None:
        return
    limits, client = asker
    if wait := limits.count_request(client, "opening"):
        raise build_too_soon_error(wait)


def build_too_soon_error(wait: float) -> TooMany:
    """The error for a request that comes this many seconds too early."""
    again = str(math.ceil(wait))
    error = TooMany("That was a lot in a short time. Nothing is lost; try again in {n} s.", n=again)
    error.headers = {"Retry-After": again}
    return error


class TooMuch(HTTPException):
    """An error for a request body that is too large or arrives too slowly."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(status, text)


def compute_max_body_seconds(received: int, timeout: float | None = None) -> float:
    """Seconds that a body of which `received` bytes have arrived may take in all. Pauses do not extend them.

    `timeout`: seconds for a small body; None: BODY_TIMEOUT_S.
    """
    return (BODY_TIMEOUT_S if timeout is None else timeout) + received / MIN_BYTES_PER_SECOND


def limit_body(receive: Receive, max_bytes: int, timeout: float | None = None) -> Receive:
    """An ASGI `receive` that raises TooMuch for a body of more than `max_bytes` bytes, or one that arrives too slowly.

    How long it may take: `compute_max_body_seconds`. What follows the body is passed on. `timeout`: seconds for a small body; None:
    BODY_TIMEOUT_S.
    """
    heard, done, begun = 0, False, 0.0

    async def receive_limited() -> Message:
        """The next message of the request; raises TooMuch where the body is over its limit of size or time."""
        nonlocal heard, done, begun
        if done:
            return await receive()
        now = asyncio.get_running_loop().time()
        begun = begun or now
        try:
            message = await asyncio.wait_for(receive(), begun + compute_max_body_seconds(heard, timeout) - now)
        except TimeoutError:
            raise TooMuch(_("The rest of this request did not come; nothing was done."), 408) from None
        heard += len(message.get("body", b""))
        done = not message.get("more_body", False)
        if heard > max_bytes:
            raise TooMuch(_("This is too large; nothing was done."), 413)
        return message

    return receive_limited
