"""Changes made by other processes: notifications of the shared PostgreSQL database (LISTEN), passed on to the tables of this one."""

from __future__ import annotations

import logging
import threading
from typing import Protocol

from sqlalchemy.exc import DBAPIError

from sutler.web.storage.store import CHANNEL, Store

LOG = logging.getLogger("sutler.web")
LISTEN_TIMEOUT_S = 0.5
"""Seconds after which the thread looks whether the house closes."""
RECONNECT_SECONDS = 1.0
"""Seconds between attempts, after the connection was lost."""


class Follower(Protocol):
    """The house's methods that the feed calls: one for each kind of change."""

    store: Store
    closing: threading.Event

    def catch_up(self) -> None:
        """Read new events of all open tables, after the connection was lost."""

    def heard(self, table: str, seq: int) -> None:
        """A table has `seq` events now: read those that are new."""

    def gone(self, table: str) -> None:
        """A table was removed."""

    def read_again(self, table: str) -> None:
        """The stored events of a table were changed."""

    def wake_bot_workers(self) -> None:
        """A bot's decision may be waiting: wake the threads that take them."""


class ChangeFeed(threading.Thread):
    """A thread that listens on a connection of its own. After a reconnection the house reads whatever it may have missed."""

    def __init__(self, house: Follower) -> None:
        super().__init__(name="news", daemon=True)
        self.house = house
        self.ready = threading.Event()
        """Set while it is connected: nothing that happens from then on is missed."""

    def run(self) -> None:
        """Listen until the house closes."""
        import psycopg

        while not self.house.closing.is_set():
            try:
                self._listen()
            except (psycopg.Error, DBAPIError, OSError) as error:
                self.ready.clear()
                LOG.warning("no news from other processes just now: %s", error)
                self.house.closing.wait(RECONNECT_SECONDS)

    def _listen(self) -> None:
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
        """Pass a notification on to the house; `Store` writes them.

        "at TABLE EVENTS": a table now has so many events; "again TABLE": its events were changed; "gone TABLE": it was removed;
        "due": a bot's decision waits.
        """
        match text.split():
            case ["at", table, seq]:
                self.house.heard(table, int(seq))
            case ["gone", table]:
                self.house.gone(table)
            case ["again", table]:
                self.house.read_again(table)
            case ["due"]:
                self.house.wake_bot_workers()
            case _:
                LOG.info("news that are not understood: perhaps another process is newer than this one")
