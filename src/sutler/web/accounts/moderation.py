"""What whoever keeps the house may do: shut somebody out for a time, take a table away. Each is written into a book.

The page and the command do the same; a house that is open looks into the book every few seconds and follows.
"""

from __future__ import annotations

import ipaddress
import logging
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from sutler.web.errors import Lost, Refused
from sutler.web.events import Removed
from sutler.web.storage.schema import BANS, DEEDS, DUE, EVENTS, PRESENT, SNAPSHOTS, STANDINGS
from sutler.web.storage.store import Store, aware

LOG = logging.getLogger("sutler.web")
LOOKS = 3.0
"""Seconds after which an open house looks into the book again."""
TRIES = 5
LONGEST = 100 * 366 * 24.0
"""Hours."""
_PERSON = re.compile("[0-9a-f]{8,64}")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True)
class Deed:
    """A line of the book."""

    at: datetime
    what: str
    about: str


def named(store: Store, who: str) -> str:
    """Whom this means: a person by their number or its first letters, an address, or a net of them. Refused, in words, if nobody."""
    said = who.strip().lower()
    try:
        return f"address {ipaddress.ip_network(said, strict=False)}"
    except ValueError:
        pass
    if not _PERSON.fullmatch(said):
        raise Refused(
            f"{who[:60]!r} is no address (192.0.2.7, 192.0.2.0/24) and no person’s number (eight letters at least)."
        )
    if len(said) == 64:
        return f"person {said}"
    query = select(PRESENT.c.browser).where(PRESENT.c.browser.startswith(said)).distinct().limit(2)
    with store.engine.connect() as connection:
        found = list(connection.scalars(query))
    if len(found) != 1:
        raise Refused(f"{who[:60]!r} is {'nobody who sat here' if not found else 'more than one person'}.")
    return f"person {found[0]}"


def ban(store: Store, who: str, hours: float | None = None) -> str:
    """Shut somebody out for so many hours, or for good; whom, as it is kept. Refused, in words, where it is nobody."""
    if hours is not None and not 0 < hours <= LONGEST:
        raise Refused("For how many hours? More than none; for good where nothing is said.")
    name = named(store, who)
    until = None if hours is None else datetime.now(UTC) + timedelta(hours=hours)

    def write(connection: Connection) -> None:
        connection.execute(delete(BANS).where(BANS.c.who == name))
        connection.execute(BANS.insert(), [{"who": name, "until": until}])
        note(connection, "shut out", f"{name}, {'for good' if until is None else f'until {said_time(until)}'}")

    store.write(write)
    return name


def lift(store: Store, who: str) -> str:
    """Let somebody in again. Lost where they are not shut out."""
    name = named(store, who)
    if name not in bans(store):
        raise Lost(f"{name} is not shut out.")

    def write(connection: Connection) -> None:
        connection.execute(delete(BANS).where(BANS.c.who == name))
        note(connection, "let in", name)

    store.write(write)
    return name


def remove(store: Store, table: str) -> None:
    """Take a table away: of what happened there nothing stays but how much it was. Lost when there is none.

    The numbers of its events stay taken, so that nobody who has not heard of it yet can write on.
    """
    for _ in range(TRIES):
        try:
            store.write(lambda connection: _remove(connection, table))
        except IntegrityError:  # somebody moved at that very moment
            continue
        store.tell(f"gone {table}")
        return
    raise Refused("Somebody writes to this table without end; try again.")


def _remove(connection: Connection, table: str) -> None:
    here = EVENTS.c.table_id == table
    last = connection.scalar(select(func.max(EVENTS.c.seq)).where(here, EVENTS.c.kind != "removed"))
    if last is None:
        raise Lost("There is no such table.")
    gone = {"kind": "removed", "body": Removed().model_dump_json()}
    connection.execute(update(EVENTS).where(here).values(**gone))
    connection.execute(EVENTS.insert(), [{"table_id": table, "seq": last + 1, "at": datetime.now(UTC), **gone}])
    for kept in (PRESENT, STANDINGS, SNAPSHOTS, DUE):
        connection.execute(delete(kept).where(kept.c.table_id == table))
    note(connection, "removed", table)


def note(connection: Connection, what: str, about: str) -> None:
    """Write a line into the book, along with what was done."""
    connection.execute(DEEDS.insert(), [{"at": datetime.now(UTC), "what": what, "about": about}])
    LOG.info("whoever keeps the house: %s %s", what, about)


def bans(store: Store) -> dict[str, datetime | None]:
    """Who is shut out, and until when."""
    with store.engine.connect() as connection:
        found = {who: until and aware(until) for who, until in connection.execute(select(BANS.c.who, BANS.c.until))}
    now = datetime.now(UTC)
    return {who: until for who, until in found.items() if until is None or until > now}


def book(store: Store, limit: int = 50) -> list[Deed]:
    """The newest lines of the book."""
    query = select(DEEDS.c.at, DEEDS.c.what, DEEDS.c.about).order_by(DEEDS.c.id.desc()).limit(limit)
    with store.engine.connect() as connection:
        return [Deed(aware(at), what, about) for at, what, about in connection.execute(query)]


def said_time(at: datetime) -> str:
    """A time in words."""
    return at.strftime("%Y-%m-%d %H:%M UTC")


class Doorkeeper:
    """Knows who is shut out, for an open house, and hears what was done meanwhile. `gone` is told of tables taken away."""

    def __init__(self, store: Store, gone: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self.store = store
        self.gone = gone
        self.clock = clock
        self._lock = threading.Lock()
        self._looked = clock()
        self._read = self._newest()
        self._nets: list[tuple[Network, datetime | None]] = []
        self._people: dict[str, datetime | None] = {}
        self._remember()

    @property
    def is_due(self) -> bool:
        """Is it time to look into the book?"""
        return self.clock() - self._looked >= LOOKS

    def look(self) -> None:
        """Look into the book, and follow what is new in it."""
        with self._lock:
            self._looked = self.clock()
            newest = self._newest()
            if newest == self._read:
                return
            query = select(DEEDS.c.about).where(DEEDS.c.id > self._read, DEEDS.c.what == "removed")
            with self.store.engine.connect() as connection:
                tables = list(connection.scalars(query))
            self._read = newest
            self._remember()
        for table in tables:
            self.gone(table)

    def refusal(self, address: str, browser: str) -> str:
        """Why a client does not come in, by its address and the hash of its cookie; "" if it may."""
        now = datetime.now(UTC)
        held = [self._people[browser]] if browser in self._people else []
        if self._nets:
            try:
                here = ipaddress.ip_address(address)
                held += [until for net, until in self._nets if here in net]
            except ValueError:  # a client without an address
                pass
        held = [until for until in held if until is None or until > now]
        if not held:
            return ""
        when = "" if None in held else f" until {said_time(max(until for until in held if until))}"
        return f"Whoever keeps this house has shut you out{when}."

    def _newest(self) -> int:
        with self.store.engine.connect() as connection:
            return int(connection.scalar(select(func.max(DEEDS.c.id))) or 0)

    def _remember(self) -> None:
        nets: list[tuple[Network, datetime | None]] = []
        people: dict[str, datetime | None] = {}
        for who, until in bans(self.store).items():
            kind, _, name = who.partition(" ")
            if kind == "person":
                people[name] = until
            else:
                nets.append((ipaddress.ip_network(name), until))
        self._nets, self._people = nets, people
