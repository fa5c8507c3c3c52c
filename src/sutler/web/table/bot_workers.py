"""Who takes the bots' decisions of a shared database: threads of a process that serves pages, or of a worker's."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from sutler.web.jobs.queue import LANES, QUICK, Lane
from sutler.web.table import bot_turns

if TYPE_CHECKING:
    from sutler.web.table.registry import House

LOG = logging.getLogger("sutler.web")
LOOKS = 1.0
"""Seconds after which it is looked again in any case: what somebody had taken who was killed rings no bell."""


class Thinkers:
    """Of several threads one is kept for bots that decide at once, so that they wait for no search."""

    def __init__(self, house: House, threads: int) -> None:
        self.house = house
        self._bell = threading.Condition()
        self._rung = 0
        lanes: list[Sequence[Lane]] = [(QUICK,), *[LANES] * (threads - 1)] if threads > 1 else [LANES] * threads
        self._threads = [
            threading.Thread(target=self._work, args=(some,), name=f"thinker-{i}", daemon=True)
            for i, some in enumerate(lanes)
        ]
        for thread in self._threads:
            thread.start()

    def ring(self) -> None:
        """There is something to do."""
        with self._bell:
            self._rung += 1
            self._bell.notify_all()

    def close(self) -> None:
        """Finish what was begun, begin nothing. The house says that it closes first."""
        self.ring()
        for thread in self._threads:
            thread.join()

    def _work(self, lanes: Sequence[Lane]) -> None:
        closing = self.house.closing
        while not closing.is_set():
            heard = self._rung
            try:
                pause = self._one(lanes)
            except DBAPIError as error:
                LOG.warning("the database cannot be asked for what is to be decided: %s", error.orig)
                pause = bot_turns.AGAIN
            with self._bell:
                if heard == self._rung and not closing.is_set():
                    self._bell.wait(pause)

    def _one(self, lanes: Sequence[Lane]) -> float:
        """Take a decision, if one is due; seconds to wait then."""
        due = self.house.store.due
        assert due is not None
        with due.claim(lanes) as claim:
            if claim is not None:
                bot_turns.see_to(self.house, due, claim)
                return 0.0
        pause = due.pause(lanes)
        return LOOKS if pause is None else min(LOOKS, pause)
