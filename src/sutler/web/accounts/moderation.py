"""Moderation: ban a person or an address, mute a person, remove a table. Each action is written to a log in the database.

The admin page and the command `sutler admin` call the same functions. A running server reads the log every few seconds and follows.
"""

from __future__ import annotations

import ipaddress
import logging
import re
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from sutler.web.errors import Lost, Refused
from sutler.web.events import Removed
from sutler.web.rate_limits import to_client_key
from sutler.web.storage.schema import BANS, DEEDS, DUE, EVENTS, PRESENT, REPORTS, SNAPSHOTS, STANDINGS
from sutler.web.storage.store import Store, ensure_utc

LOG = logging.getLogger("sutler.web")
POLL_SECONDS = 3.0
"""Seconds after which a running server reads the log again."""
MAX_ATTEMPTS = 5
"""Attempts to remove a table while players write events to it."""
MAX_BAN_HOURS = 100 * 366 * 24.0
"""The longest ban that can be given in hours: a hundred years."""
_PERSON = re.compile("[0-9a-f]{8,64}")
_OF_REPORT = re.compile(r"report \d+ at table ([a-z2-7]+)")
FOR_GOOD = datetime.max.replace(tzinfo=UTC)
MUTED = "muted"
"""The beginning of a mute's key ("muted HASH"); mutes are stored beside the bans."""
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True)
class LogEntry:
    """One line of the moderation log: when, what was done, and to which person, address or table."""

    at: datetime
    what: str
    about: str


def resolve_ban_key(store: Store, who: str) -> str:
    """The key under which a ban is stored: "address NETWORK" or "person HASH".

    `who`: an address, a network of addresses (an IPv6 address stands for its whole /64), or at least the first eight characters of the
    hash by which a person is known. Raises Refused where it names nobody or more than one person.
    """
    said = who.strip().lower()
    try:
        return f"address {ipaddress.ip_network(to_client_key(said), strict=False)}"
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


def compute_end_time(hours: float | None) -> datetime | None:
    """The end of a ban or mute that begins now; None (no end) for None. Raises Refused where `hours` is not a possible number of hours."""
    if hours is None:
        return None
    if not 0 < hours <= MAX_BAN_HOURS:
        raise Refused("Give the hours as a number above 0, or leave them empty: for good.")
    return datetime.now(UTC) + timedelta(hours=hours)


def ban(store: Store, who: str, hours: float | None = None) -> str:
    """Ban somebody for a number of hours, or without end (None); return the key of the ban. Raises Refused where `who` names nobody."""
    until = compute_end_time(hours)
    name = resolve_ban_key(store, who)

    def write(connection: Connection) -> None:
        """Store and log the ban within one transaction."""
        write_ban(connection, name, until)
        log_action(connection, "banned", f"{name}, {'for good' if until is None else f'until {format_time(until)}'}")

    store.run_in_transaction(write)
    return name


def resolve_mute_key(store: Store, who: str) -> str:
    """The key under which a person's mute is stored; `who` as for `resolve_ban_key`.

    Raises Refused for an address, since only people can be muted.
    """
    kind, _space, name = resolve_ban_key(store, who).partition(" ")
    if kind != "person":
        raise Refused("Addresses cannot be muted; name a person’s number.")
    return f"{MUTED} {name}"


def mute(store: Store, who: str, hours: float | None = None) -> str:
    """Mute a person for a number of hours, or without end (None); return the key of the mute. `who` as for `resolve_ban_key`."""
    until, name = compute_end_time(hours), resolve_mute_key(store, who)

    def write(connection: Connection) -> None:
        """Store and log the mute within one transaction."""
        write_ban(connection, name, until)
        log_action(
            connection,
            MUTED,
            f"{name.partition(' ')[2]}, {'for good' if until is None else f'until {format_time(until)}'}",
        )

    store.run_in_transaction(write)
    return name


def write_ban(connection: Connection, key: str, until: datetime | None) -> None:
    """Store a ban or mute under its key, replacing an earlier one. `until`: its end, None for no end."""
    connection.execute(delete(BANS).where(BANS.c.who == key))
    connection.execute(BANS.insert(), [{"who": key, "until": until}])


def lift_ban(store: Store, who: str) -> str:
    """Lift a ban, or with "muted HASH" a mute; return the key under which it was stored. Raises Lost where there is none."""
    name = who if who.startswith(f"{MUTED} ") else resolve_ban_key(store, who)
    if name not in load_bans(store):
        raise Lost(f"{name[:80]} is neither banned nor muted.")

    def write(connection: Connection) -> None:
        """Delete the ban and log it within one transaction."""
        connection.execute(delete(BANS).where(BANS.c.who == name))
        is_mute = name.startswith(f"{MUTED} ")
        log_action(connection, "mute lifted" if is_mute else "ban lifted", name.removeprefix(f"{MUTED} "))

    store.run_in_transaction(write)
    return name


def remove_table(store: Store, table: str) -> None:
    """Remove a table and all that happened there, except the numbers of its events. Raises Lost when there is no such table.

    The numbers of its events stay taken, so that a process which has not heard of it yet cannot append another event.
    """
    for _ in range(MAX_ATTEMPTS):
        try:
            store.run_in_transaction(lambda connection: _remove_table_rows(connection, table))
        except IntegrityError:  # a player moved at the same moment
            continue
        store.purge_deleted_data()
        store.notify_processes(f"gone {table}")
        return
    raise Refused("Somebody writes to this table without end; try again.")


def _remove_table_rows(connection: Connection, table: str) -> None:
    """Remove a table within this transaction. Raises Lost when there is no such table."""
    here = EVENTS.c.table_id == table
    last = connection.scalar(select(func.max(EVENTS.c.seq)).where(here, EVENTS.c.kind != "removed"))
    if last is None:
        raise Lost("There is no such table.")
    gone = {"kind": "removed", "body": Removed().model_dump_json()}
    connection.execute(update(EVENTS).where(here).values(**gone))
    connection.execute(EVENTS.insert(), [{"table_id": table, "seq": last + 1, "at": datetime.now(UTC), **gone}])
    for kept in (PRESENT, STANDINGS, SNAPSHOTS, DUE, REPORTS):
        connection.execute(delete(kept).where(kept.c.table_id == table))
    log_action(connection, "removed", table)


def log_action(connection: Connection, action: str, subject: str) -> None:
    """Append a line to the moderation log, in the transaction of the action itself."""
    connection.execute(DEEDS.insert(), [{"at": datetime.now(UTC), "what": action, "about": subject}])
    LOG.info("whoever keeps the house: %s %s", action, subject)


def load_bans(store: Store) -> dict[str, datetime | None]:
    """The bans and mutes in force: key to the time at which it ends, None for no end."""
    with store.engine.connect() as connection:
        found = {
            who: until and ensure_utc(until) for who, until in connection.execute(select(BANS.c.who, BANS.c.until))
        }
    now = datetime.now(UTC)
    return {who: until for who, until in found.items() if until is None or until > now}


def find_mute_end(store: Store, browsers: Collection[str]) -> datetime | None:
    """The time until which somebody is muted, FOR_GOOD for no end; None where they are not. `browsers`: the hashes of their cookies."""
    query = select(BANS.c.until).where(BANS.c.who.in_([f"{MUTED} {browser}" for browser in browsers]))
    with store.engine.connect() as connection:
        ends = [until and ensure_utc(until) for until in connection.scalars(query)]
    ends = [until for until in ends if until is None or until > datetime.now(UTC)]
    if not ends:
        return None
    return max(until or FOR_GOOD for until in ends)


def load_newest_entries(store: Store, limit: int = 50) -> list[LogEntry]:
    """The newest lines of the moderation log, newest first."""
    query = select(DEEDS.c.at, DEEDS.c.what, DEEDS.c.about).order_by(DEEDS.c.id.desc()).limit(limit)
    with store.engine.connect() as connection:
        return [LogEntry(ensure_utc(at), what, about) for at, what, about in connection.execute(query)]


def format_time(time: datetime) -> str:
    """A time as text in UTC, to the minute."""
    return time.strftime("%Y-%m-%d %H:%M UTC")


class BanList:
    """The bans in force, held in memory by a running server and refreshed from the moderation log.

    `gone`: called with the id of each table that was removed by another process; `changed`: called with the id of each table at which a
    report was decided, since a chat line may have been hidden.
    """

    def __init__(
        self,
        store: Store,
        gone: Callable[[str], None],
        changed: Callable[[str], None] = lambda table: None,
    ) -> None:
        self.store = store
        self.gone = gone
        self.changed = changed
        self._lock = threading.Lock()
        self._refreshed = time.monotonic()
        self._last_id = self._read_newest_log_id()
        self._nets: list[tuple[Network, datetime | None]] = []
        self._people: dict[str, datetime | None] = {}
        self._load_bans()

    @property
    def is_refresh_due(self) -> bool:
        """Is it time to read the moderation log again?"""
        return time.monotonic() - self._refreshed >= POLL_SECONDS

    def refresh(self) -> None:
        """Read the log; where it has new lines, load the bans again, and call `gone` and `changed`."""
        with self._lock:
            self._refreshed = time.monotonic()
            newest = self._read_newest_log_id()
            if newest == self._last_id:
                return
            query = select(DEEDS.c.what, DEEDS.c.about).where(DEEDS.c.id > self._last_id).order_by(DEEDS.c.id)
            with self.store.engine.connect() as connection:
                deeds = connection.execute(query).all()
            self._last_id = newest
            self._load_bans()
        for what, about in deeds:
            if what == "removed":
                self.gone(about)
            elif found := _OF_REPORT.fullmatch(about):
                self.changed(found[1])

    def find_ban_reason(self, address: str, browser: str) -> str:
        """The reason why this client is banned, as a sentence; "" where it is not. `browser`: the hash of its cookie."""
        now = datetime.now(UTC)
        held = [self._people[browser]] if browser in self._people else []
        if self._nets:
            try:
                here = ipaddress.ip_address(address.removeprefix("::ffff:"))
                held += [until for net, until in self._nets if here in net]
            except ValueError:  # a client without an address
                pass
        held = [until for until in held if until is None or until > now]
        if not held:
            return ""
        when = "" if None in held else f" until {format_time(max(until for until in held if until))}"
        return f"The administrator of this server has banned you{when}."

    def _read_newest_log_id(self) -> int:
        """The id of the newest line of the moderation log; 0 for none."""
        with self.store.engine.connect() as connection:
            return int(connection.scalar(select(func.max(DEEDS.c.id))) or 0)

    def _load_bans(self) -> None:
        """Load the bans in force from the database."""
        nets: list[tuple[Network, datetime | None]] = []
        people: dict[str, datetime | None] = {}
        for who, until in load_bans(self.store).items():
            kind, _, name = who.partition(" ")
            if kind == "person":
                people[name] = until
            elif kind != MUTED:
                nets.append((ipaddress.ip_network(name), until))
        self._nets, self._people = nets, people
