"""Threads that take bots' decisions from a shared database, in a process that serves pages or in a worker."""

from __future__ import annotations

import heapq
import itertools
import logging
import math
import random
import secrets
import threading
import time
from collections.abc import Callable, Sequence

from sqlalchemy.exc import DBAPIError

from sutler.web.jobs.job_queue import LANES, QUICK_LANE, Lane
from sutler.web.table import bot_turns
from sutler.web.table.room import Room
from sutler.web.table.services import Services

LOG = logging.getLogger("sutler.web")
POLL_SECONDS = 1.0
"""Seconds between two looks for jobs that nothing was heard of: if a worker is killed, no notification tells of its job."""

SPREAD_SECONDS = 0.06
"""The longest time that a process waits, after a decision is due, for another process to make it; most are made in less."""


class BotWorkers:
    """Threads that take bots' decisions from the shared database; of two or more, the first takes only those of bots that do not search.

    The database is asked for a decision when one that was heard of is due, and every POLL_SECONDS. Each notification reaches all
    processes; so that not every one of them asks, each waits a part of SPREAD_SECONDS longer, another part for each decision, and does
    not ask if it hears meanwhile that the decision was made.
    """

    def __init__(self, services: Services, room_of: Callable[[str], Room], threads: int) -> None:
        self.services, self.room_of = services, room_of
        self._bell = threading.Condition()
        self._expected: dict[str, list[tuple[float, int, str]]] = {lane.name: [] for lane in LANES}
        """For each lane by name, a heap of the decisions that were heard of: (when to ask, of time.monotonic; number; table)."""
        self._newest: dict[str, int] = {}
        """For each table the number of the decision expected there; others in the heaps are void. Guarded by the bell, as the heaps."""
        self._numbers = itertools.count()
        self._luck = random.Random(secrets.token_bytes(8))
        self._look_at_once = 0
        """The number of times that the threads were told to look for decisions they may not have heard of."""
        lanes: list[Sequence[Lane]] = [(QUICK_LANE,), *[LANES] * (threads - 1)] if threads > 1 else [LANES] * threads
        self._threads = [
            threading.Thread(target=self._run_decisions, args=(some,), name=f"bot-worker-{i}", daemon=True)
            for i, some in enumerate(lanes)
        ]
        for thread in self._threads:
            thread.start()

    def expect_decision(self, table: str, lane: str, seconds: float) -> None:
        """Schedule a look for the bot's decision at this table, of this lane (its name), in this many seconds."""
        with self._bell:
            if lane in self._expected:
                number = self._newest[table] = next(self._numbers)
                when = time.monotonic() + seconds + self._luck.uniform(0.0, SPREAD_SECONDS)
                heapq.heappush(self._expected[lane], (when, number, table))
                self._bell.notify_all()

    def expect_no_decision(self, table: str) -> None:
        """Forget the decision that was expected at this table, since it has been made."""
        with self._bell:
            self._newest.pop(table, None)

    def wake_bot_workers(self) -> None:
        """Wake the threads, since a decision may be waiting that no notification announced."""
        with self._bell:
            self._look_at_once += 1
            self._bell.notify_all()

    def close(self) -> None:
        """Finish the decisions that were begun, and begin no others. `Services.closing` must be set before."""
        self.wake_bot_workers()
        for thread in self._threads:
            thread.join()

    def _run_decisions(self, lanes: Sequence[Lane]) -> None:
        """Take and make decisions of these lanes until the server closes (the loop of one thread)."""
        closing = self.services.closing
        looked, next_look = -1, 0.0
        while not closing.is_set():
            with self._bell:
                now = time.monotonic()
                is_expected = self._take_due_time(lanes, now)
                if not is_expected and looked == self._look_at_once and now < next_look:
                    if not closing.is_set():
                        self._bell.wait(min(next_look, self._get_next_time(lanes)) - now)
                    continue
                if not is_expected:
                    looked, next_look = self._look_at_once, now + POLL_SECONDS
            try:
                if self._make_due_decision(lanes) and not is_expected:
                    next_look = 0.0  # more may be waiting
            except DBAPIError as error:
                LOG.warning("the database cannot be asked for what is to be decided: %s", error.orig)
                next_look = time.monotonic() + bot_turns.RETRY_SECONDS

    def _get_next_time(self, lanes: Sequence[Lane]) -> float:
        """The time (of `time.monotonic`) at which the next known decision of these lanes is due; infinity if none is known."""
        return min((heap[0][0] for lane in lanes if (heap := self._drop_void_decisions(lane))), default=math.inf)

    def _take_due_time(self, lanes: Sequence[Lane], now: float) -> bool:
        """Take the time of the earliest expected decision of these lanes off its heap, if it has come; return whether it was taken."""
        due = min(
            (heap for lane in lanes if (heap := self._drop_void_decisions(lane))),
            key=lambda heap: heap[0],
            default=None,
        )
        if due is None or due[0][0] > now:
            return False
        self._newest.pop(heapq.heappop(due)[2])
        return True

    def _drop_void_decisions(self, lane: Lane) -> list[tuple[float, int, str]]:
        """The heap of a lane, once decisions that were made or replaced by newer ones are taken off its top."""
        heap = self._expected[lane.name]
        while heap and self._newest.get(heap[0][2]) != heap[0][1]:
            heapq.heappop(heap)
        return heap

    def _make_due_decision(self, lanes: Sequence[Lane]) -> bool:
        """Make a decision of these lanes, if one is due; return whether one was."""
        due = self.services.store.due
        assert due is not None
        with due.claim_decision(lanes) as claim:
            if claim is not None:
                bot_turns.decide_claimed(self.room_of, self.services.closing, due, claim)
        return claim is not None
