"""Changes made by other processes: notifications of the shared PostgreSQL database (LISTEN), passed on to this process's tables."""

from __future__ import annotations

import logging
import threading
from typing import Protocol

from sqlalchemy.exc import DBAPIError

from sutler.web.storage.store import CHANNEL, Store

LOG = logging.getLogger("sutler.web")
LISTEN_TIMEOUT_S = 0.5
"""Seconds after which the thread checks whether the server closes."""
RECONNECT_SECONDS = 1.0
"""Seconds between attempts to connect, after the connection was lost."""


class Follower(Protocol):
    """The methods of the server (`House`) that the feed calls, one for each kind of change."""

    store: Store
    closing: threading.Event

    def catch_up(self) -> None:
        """Read the new events of all open tables, after the connection was lost."""

    def read_new_events(self, table: str, seq: int) -> None:
        """Read the new events of a table, which has `seq` events now."""

    def drop_table(self, table: str) -> None:
        """Close a table that was removed."""

    def reload_table(self, table: str) -> None:
        """Read all events of a table again, because stored ones were changed."""

    def expect_decision(self, table: str, lane: str, seconds: float) -> None:
        """Note that a bot's decision was queued in the database: at this table, of this lane (by name), due after this many seconds."""

    def expect_no_decision(self, table: str) -> None:
        """Note that the decision that was queued for this table was made."""


class ChangeFeed(threading.Thread):
    """A thread that listens, on a connection of its own, for notifications of other processes and passes them on.

    After a reconnection the server reads all events that it may have missed.
    """

    def __init__(self, house: Follower) -> None:
        super().__init__(name="news", daemon=True)
        self.house = house
        self.ready = threading.Event()
        """Set while the thread is connected: no change after that is missed."""

    def run(self) -> None:
        """Listen until the server closes."""
        import psycopg

        while not self.house.closing.is_set():
            try:
                self._listen()
            except (psycopg.Error, DBAPIError, OSError) as error:
                self.ready.clear()
                self.house.store.connection_check.distrust_connections()  # others may be lost with this one
                LOG.warning("no news from other processes just now: %s", error)
                self.house.closing.wait(RECONNECT_SECONDS)

    def _listen(self) -> None:
        """Connect to the database and pass notifications on, until the server closes or the connection is lost."""
        pooled = self.house.store.engine.raw_connection()
        line = pooled.driver_connection
        pooled.detach()
        assert line is not None
        try:
            line.autocommit = True
            line.execute(f"LISTEN {CHANNEL}")
            self.ready.set()
            self.house.catch_up()
            while not self.house.closing.is_set():
                for note in line.notifies(timeout=LISTEN_TIMEOUT_S):
                    self._dispatch(note.payload)
        finally:
            line.close()

    def _dispatch(self, text: str) -> None:
        """Pass a notification (written by `Store`) on to the server.

        "at TABLE EVENTS": a table now has this many events; "decided TABLE EVENTS": as well, by the bot's decision that was queued.
        Either with "LANE SECONDS" behind it: and a bot's decision is queued, due after so many seconds. "again TABLE": its stored events
        were changed; "gone TABLE": it was removed.
        """
        match text.split():
            case ["at" | "decided" as what, table, seq, *queued]:
                if what == "decided":
                    self.house.expect_no_decision(table)
                if queued:
                    self.house.expect_decision(table, queued[0], float(queued[1]))
                self.house.read_new_events(table, int(seq))
            case ["gone", table]:
                self.house.drop_table(table)
            case ["again", table]:
                self.house.reload_table(table)
            case _:
                LOG.info("news that are not understood: perhaps another process is newer than this one")
