"""The job queue of one process: bots' decisions, hints and rows of the lobby, done by a few threads in a fair order.

A bot's job is one decision, never a whole run of them. Jobs that a person waits for go first; the others ("idle", such as games between
bots) are done when nothing else waits. An idle job that has waited longer than IDLE_WAIT_S gets every fourth turn, so that it goes on
however many people play. Slow jobs always leave one thread free, so that a bot which answers at once need not wait for one that
searches.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Generic, TypeVar

LOG = logging.getLogger("sutler.web")
T = TypeVar("T")
N_WORKERS = 2
IDLE_SHARE = 4
"""One job in this many is an idle one, if one has waited longer than IDLE_WAIT_S."""
IDLE_WAIT_S = 3.0
"""Seconds after which a job that nobody waits for gets its share of turns (IDLE_SHARE)."""


@dataclass(frozen=True)
class Lane:
    """A class of jobs that share a priority.

    `patience`: seconds by which later jobs of other lanes may overtake; `spares`: must such jobs leave one thread free? `waited_for`:
    does a person wait for the result?
    """

    name: str
    patience: float = 0.0
    spares: bool = True
    waited_for: bool = True


QUICK_LANE = Lane("quick", spares=False)
"""Jobs of bots that decide at once, while a person waits."""
SLOW_LANE = Lane("slow")
"""Jobs of bots that search, while a person waits."""
HINT_LANE = Lane("hint", patience=0.5)
"""Jobs that compute a hint, while a person waits."""
IDLE_LANE = Lane("idle", waited_for=False)
"""Jobs that nobody waits for."""
LANES = (QUICK_LANE, SLOW_LANE, HINT_LANE, IDLE_LANE)

Job = Callable[[], object]
Entry = tuple[float, int, Job, Lane]


class Schedule:
    """Jobs in the order in which they are to be done. It has no threads and no clock: the caller passes the time in seconds."""

    def __init__(self) -> None:
        self._later: list[Entry] = []
        self._ready: dict[Lane, list[Entry]] = {lane: [] for lane in LANES}
        self._number = itertools.count()
        self._in_a_row = 0
        """The number of jobs taken that people waited for, since the last one taken that nobody waited for."""

    def __len__(self) -> int:
        return len(self._later) + sum(map(len, self._ready.values()))

    def add_job(self, job: Job, lane: Lane, at: float) -> None:
        """Add a job that may begin at time `at`, in seconds of the caller's clock."""
        heapq.heappush(self._later, (at, next(self._number), job, lane))

    def take_due_job(self, now: float, has_spare_thread: bool = True) -> tuple[Job, Lane] | None:
        """Take the next job, and return it with its lane; None when none is due.

        `now`: the time in seconds; `has_spare_thread`: may it be a job of a lane that must leave a thread free (`Lane.spares`)?
        """
        while self._later and self._later[0][0] <= now:
            at, number, job, lane = heapq.heappop(self._later)
            heapq.heappush(self._ready[lane], (at + lane.patience, number, job, lane))
        heads = [
            entries[0] for lane, entries in self._ready.items() if entries and (has_spare_thread or not lane.spares)
        ]
        if not heads:
            return None
        _, _, job, lane = min(heads, key=lambda entry: (self._rank_entry(entry, now), *entry[:2]))
        heapq.heappop(self._ready[lane])
        self._in_a_row = self._in_a_row + 1 if lane.waited_for else 0
        return job, lane

    def _rank_entry(self, entry: Entry, now: float) -> int:
        """The rank of a waiting job, lower first.

        0: an idle job that has waited long; 1: a job that a person waits for; 2: any other idle job.
        """
        if entry[3].waited_for:
            return 1
        return 0 if self._in_a_row >= IDLE_SHARE - 1 and now - entry[0] > IDLE_WAIT_S else 2

    def seconds_to_next(self, now: float) -> float | None:
        """Seconds from `now` until the next job that is not due yet becomes due; None when there is none."""
        return max(0.0, self._later[0][0] - now) if self._later else None

    def count_waiting(self, *lanes: Lane) -> int:
        """The number of jobs in these lanes that are due and not begun."""
        return sum(len(self._ready[lane]) for lane in lanes)


class JobQueue:
    """A job queue (`Schedule`) with the threads that do its jobs."""

    def __init__(self, workers: int = N_WORKERS, clock: Callable[[], float] = time.monotonic) -> None:
        self.line = Schedule()
        self.clock = clock
        self.workers = workers
        self._change = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._sparing = 0
        self._closed = False

    def add_job(self, job: Job, lane: Lane, after: float = 0.0) -> None:
        """Queue a job, due after this many seconds. A closed queue ignores the job."""
        with self._change:
            if self._closed:
                return
            self.line.add_job(job, lane, self.clock() + after)
            if len(self._threads) < self.workers:
                name = f"errand-{len(self._threads)}"
                self._threads.append(threading.Thread(target=self._run_jobs, name=name, daemon=True))
                self._threads[-1].start()
            self._change.notify()

    def submit_job(self, job: Callable[[], T], lane: Lane) -> Future[T]:
        """Queue a job and return a future of its result."""
        asked = _JobWithResult(job)
        self.add_job(asked, lane)
        return asked.future

    def count_waiting_searches(self) -> int:
        """The number of searches and hints for people that are due and not begun.

        Bots think for a shorter time when there are many.
        """
        with self._change:
            return self.line.count_waiting(SLOW_LANE, HINT_LANE)

    def count_waiting_by_lane(self, *lanes: Lane) -> dict[str, int]:
        """The number of jobs of each lane that are due and not begun, by the lane's name."""
        with self._change:
            return {lane.name: self.line.count_waiting(lane) for lane in lanes}

    def close(self, timeout: float | None = None) -> None:
        """Finish the jobs that were begun, begin no others, and wait for the threads.

        `timeout`: the most seconds to wait for each thread; None: no limit.
        """
        with self._change:
            self._closed = True
            self._change.notify_all()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(timeout)

    def _run_jobs(self) -> None:
        """Do jobs, one after another, until the queue is closed (the loop of each thread)."""
        while (taken := self._wait_for_next_job()) is not None:
            job, lane = taken
            try:
                job()
            except Exception:
                LOG.exception("an errand came to nothing")
            finally:
                if lane.spares:
                    with self._change:
                        self._sparing -= 1
                        self._change.notify()

    def _wait_for_next_job(self) -> tuple[Job, Lane] | None:
        """Wait for the next job, and return it with its lane; None when the queue is closed."""
        with self._change:
            while not self._closed:
                now = self.clock()
                taken = self.line.take_due_job(now, has_spare_thread=self._sparing < max(1, self.workers - 1))
                if taken is not None:
                    self._sparing += taken[1].spares
                    if self.line.count_waiting(*LANES):
                        self._change.notify()
                    return taken
                self._change.wait(self.line.seconds_to_next(now))
            return None


class _JobWithResult(Generic[T]):
    """A job with a future for its result."""

    def __init__(self, job: Callable[[], T]) -> None:
        self.job = job
        self.future: Future[T] = Future()

    def __call__(self) -> None:
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            self.future.set_result(self.job())
        except BaseException as error:
            self.future.set_exception(error)
