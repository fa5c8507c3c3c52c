"""Threads that take bots' decisions from a shared database, in a process that serves pages or in a worker."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

from sqlalchemy.exc import DBAPIError

from sutler.web.jobs.job_queue import LANES, QUICK_LANE, Lane
from sutler.web.table import bot_turns
from sutler.web.table.room import Room
from sutler.web.table.services import Services

LOG = logging.getLogger("sutler.web")
POLL_SECONDS = 1.0
"""The longest time in seconds between two looks for jobs: if a worker is killed, no notification tells of its job."""


class BotWorkers:
    """Threads that take bots' decisions from the shared database; of two or more, the first takes only those of bots that do not search."""

    def __init__(self, services: Services, room_of: Callable[[str], Room], threads: int) -> None:
        self.services, self.room_of = services, room_of
        self._bell = threading.Condition()
        self._rung = 0
        lanes: list[Sequence[Lane]] = [(QUICK_LANE,), *[LANES] * (threads - 1)] if threads > 1 else [LANES] * threads
        self._threads = [
            threading.Thread(target=self._run_decisions, args=(some,), name=f"bot-worker-{i}", daemon=True)
            for i, some in enumerate(lanes)
        ]
        for thread in self._threads:
            thread.start()

    def wake_bot_workers(self) -> None:
        """Wake the threads, since a decision may be waiting."""
        with self._bell:
            self._rung += 1
            self._bell.notify_all()

    def close(self) -> None:
        """Finish the decisions that were begun, and begin no others. `Services.closing` must be set before."""
        self.wake_bot_workers()
        for thread in self._threads:
            thread.join()

    def _run_decisions(self, lanes: Sequence[Lane]) -> None:
        """Take and make decisions of these lanes until the server closes (the loop of one thread)."""
        closing = self.services.closing
        while not closing.is_set():
            heard = self._rung
            try:
                pause = self._make_due_decision(lanes)
            except DBAPIError as error:
                LOG.warning("the database cannot be asked for what is to be decided: %s", error.orig)
                pause = bot_turns.RETRY_SECONDS
            with self._bell:
                if heard == self._rung and not closing.is_set():
                    self._bell.wait(pause)

    def _make_due_decision(self, lanes: Sequence[Lane]) -> float:
        """Make a decision, if one is due; return the seconds to wait before looking again."""
        due = self.services.store.due
        assert due is not None
        with due.claim_decision(lanes) as claim:
            if claim is not None:
                bot_turns.decide_claimed(self.room_of, self.services.closing, due, claim)
                return 0.0
        pause = due.seconds_to_next(lanes)
        return POLL_SECONDS if pause is None else min(POLL_SECONDS, pause)
