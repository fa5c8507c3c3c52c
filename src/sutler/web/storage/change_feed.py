"""What other processes did at the tables of this house: heard from the database they share, and read after."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from sutler.web.storage.store import CHANNEL

if TYPE_CHECKING:
    from sutler.web.table.registry import House

LOG = logging.getLogger("sutler.web")
LISTENS = 0.5
"""Seconds; then it is looked whether the house closes."""
AGAIN = 1.0
"""Seconds until a line that was lost is taken up again."""


class News(threading.Thread):
    """Listens on a line of its own. Whatever it may have missed while there was none is read when there is one again."""

    def __init__(self, house: House) -> None:
        super().__init__(name="news", daemon=True)
        self.house = house
        self.ready = threading.Event()
        """Is there a line? Nothing that happens from then on is missed."""

    def run(self) -> None:
        """Until the house closes."""
        import psycopg

        while not self.house.closing.is_set():
            try:
                self._listen()
            except (psycopg.Error, DBAPIError, OSError) as error:
                self.ready.clear()
                LOG.warning("no news from other processes just now: %s", error)
                self.house.closing.wait(AGAIN)

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
                for note in line.notifies(timeout=LISTENS):
                    self._hear(note.payload)
        finally:
            line.close()

    def _hear(self, told: str) -> None:
        """What is told, in words as `Store` writes them.

        A table has come so far ("at TABLE EVENTS"), was changed ("again TABLE") or taken away ("gone TABLE"), or somebody is
        to think ("due").
        """
        match told.split():
            case ["at", table, seq]:
                self.house.heard(table, int(seq))
            case ["gone", table]:
                self.house.gone(table)
            case ["again", table]:
                self.house.read_again(table)
            case ["due"]:
                self.house.ring()
            case _:
                LOG.info("news that are not understood: perhaps another process is newer than this one")
