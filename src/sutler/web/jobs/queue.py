"""What is thought about behind the scenes: bots' decisions, hints, the lobby's lines. In a fair order, and nobody sleeps.

An errand is one decision, never a whole run of them. Whoever keeps a person waiting goes first; what nobody waits for
(tables of bots alone) is done when there is nothing else, and when it has waited for long it has every fourth turn, so
that it goes on however many people play. Slow errands never take the last worker: a bot that answers at once need not
wait for one that searches.
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
WORKERS = 2
SHARE = 4
"""Of so many errands, one is for what nobody waits for, if it has waited for long."""
LONG = 3.0
"""Seconds."""


@dataclass(frozen=True)
class Lane:
    """A kind of errand: by how many seconds others may overtake it, and whether it leaves one worker free.

    `waited_for`: does a person wait?
    """

    name: str
    patience: float = 0.0
    spares: bool = True
    waited_for: bool = True


QUICK = Lane("quick", spares=False)
"""A person waits for a bot that decides at once."""
SLOW = Lane("slow")
"""A person waits for a bot that searches."""
HINT = Lane("hint", patience=0.5)
IDLE = Lane("idle", waited_for=False)
"""Nobody waits."""
LANES = (QUICK, SLOW, HINT, IDLE)

Job = Callable[[], object]
Entry = tuple[float, int, Job, Lane]


class Line:
    """Errands in the order in which they are to be done; it knows no clock and no thread."""

    def __init__(self) -> None:
        self._later: list[Entry] = []
        self._ready: dict[Lane, list[Entry]] = {lane: [] for lane in LANES}
        self._number = itertools.count()
        self._in_a_row = 0
        """Errands for people since the last one for nobody."""

    def __len__(self) -> int:
        return len(self._later) + sum(map(len, self._ready.values()))

    def add(self, job: Job, lane: Lane, at: float) -> None:
        """An errand that may be begun at this time."""
        heapq.heappush(self._later, (at, next(self._number), job, lane))

    def take(self, now: float, spare: bool = True) -> tuple[Job, Lane] | None:
        """The next errand; None when none is due. `spare`: those that must leave a worker free may go too."""
        while self._later and self._later[0][0] <= now:
            at, number, job, lane = heapq.heappop(self._later)
            heapq.heappush(self._ready[lane], (at + lane.patience, number, job, lane))
        heads = [entries[0] for lane, entries in self._ready.items() if entries and (spare or not lane.spares)]
        if not heads:
            return None
        _, _, job, lane = min(heads, key=lambda entry: (self._yields(entry, now), *entry[:2]))
        heapq.heappop(self._ready[lane])
        self._in_a_row = self._in_a_row + 1 if lane.waited_for else 0
        return job, lane

    def _yields(self, entry: Entry, now: float) -> int:
        """0: it goes first, its share is due; 1: somebody waits for it; 2: it has time."""
        if entry[3].waited_for:
            return 1
        return 0 if self._in_a_row >= SHARE - 1 and now - entry[0] > LONG else 2

    def pause(self, now: float) -> float | None:
        """Seconds until another errand is due; None when none is to come."""
        return max(0.0, self._later[0][0] - now) if self._later else None

    def waiting(self, *lanes: Lane) -> int:
        """How many errands of these lanes are due and not begun."""
        return sum(len(self._ready[lane]) for lane in lanes)


class Errands:
    """A line of errands and the threads that do them."""

    def __init__(self, workers: int = WORKERS, clock: Callable[[], float] = time.monotonic) -> None:
        self.line = Line()
        self.clock = clock
        self.workers = workers
        self._change = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._sparing = 0
        self._closed = False

    def add(self, job: Job, lane: Lane, after: float = 0.0) -> None:
        """Do this, `after` so many seconds at the earliest. Once the house closes nothing is begun any more."""
        with self._change:
            if self._closed:
                return
            self.line.add(job, lane, self.clock() + after)
            if len(self._threads) < self.workers:
                name = f"errand-{len(self._threads)}"
                self._threads.append(threading.Thread(target=self._work, name=name, daemon=True))
                self._threads[-1].start()
            self._change.notify()

    def ask(self, job: Callable[[], T], lane: Lane) -> Future[T]:
        """Do this and tell what came of it."""
        errand = _Asked(job)
        self.add(errand, lane)
        return errand.future

    def load(self) -> int:
        """How many people's searches and hints wait: what is thought about is thought about shorter then."""
        with self._change:
            return self.line.waiting(SLOW, HINT)

    def waiting(self, *lanes: Lane) -> dict[str, int]:
        """How many errands of each lane are due and not begun."""
        with self._change:
            return {lane.name: self.line.waiting(lane) for lane in lanes}

    def close(self) -> None:
        """Finish what was begun, begin nothing."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()

    def _work(self) -> None:
        while (taken := self._next()) is not None:
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

    def _next(self) -> tuple[Job, Lane] | None:
        """Wait for an errand; None when the house closes."""
        with self._change:
            while not self._closed:
                now = self.clock()
                taken = self.line.take(now, spare=self._sparing < max(1, self.workers - 1))
                if taken is not None:
                    self._sparing += taken[1].spares
                    if self.line.waiting(*LANES):
                        self._change.notify()
                    return taken
                self._change.wait(self.line.pause(now))
            return None


class _Asked(Generic[T]):
    """An errand that somebody wants to hear of."""

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
