"""A priority lock around all work in Python: one thread at a time, and threads that answer a click come first.

Python runs one thread at a time (the GIL), and waiting threads compete for it in no order: each that returns from the disk waits a
few milliseconds for every thread that draws a page or computes a bot's move. So only the thread that holds this lock works at tables;
waiting for the lock costs no processor time. Its holder releases it while waiting for the disk or for another lock, so there are no
deadlocks. If it is held for longer than MAX_ALONE_S, the next thread in line starts beside the holder, so that one large page does not
stop the server.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import threading
import time
from collections.abc import Iterator
from types import TracebackType

CLICK_PATIENCE_S = 0.0
BOT_PATIENCE_S = 0.1
VIEW_PATIENCE_S = 0.15
LOBBY_PATIENCE_S = 2.0
"""Seconds by which threads that ask for the lock later may overtake one of this kind: a click is never overtaken, a lobby row often."""
MAX_ALONE_S = 0.05
"""Seconds for which one thread holds the lock alone."""


class PriorityLock:
    """A lock for one thread at a time; of the waiting threads the one with the earliest deadline (request time plus patience) is next."""

    def __init__(self, long: float = MAX_ALONE_S) -> None:
        self.long = long
        self._guard = threading.Lock()
        self._holders = 0
        self._since = 0.0
        """The time at which the latest holder began (`time.monotonic`)."""
        self._waiting: list[tuple[float, int, threading.Lock]] = []
        self._number = itertools.count()
        self._mine = threading.local()
        """For the thread that holds the lock: `due`, its place in the order (the time at which it began to wait plus its patience)."""

    @contextlib.contextmanager
    def hold(self, patience_s: float) -> Iterator[None]:
        """Hold the lock during the block. A thread that already holds it keeps it.

        `patience_s`: seconds by which threads that ask later may overtake this one.
        """
        if self.is_mine:
            yield
            return
        self._acquire(time.monotonic() + patience_s)
        try:
            yield
        finally:
            self._release()

    @contextlib.contextmanager
    def release_during_block(self) -> Iterator[None]:
        """Release the lock during the block, which waits for something or computes without the GIL.

        Afterwards the thread takes it again, at its earlier place in the order.
        """
        if not self.is_mine:
            yield
            return
        due = self._release()
        try:
            yield
        finally:
            self._acquire(due)

    @property
    def is_mine(self) -> bool:
        """Does the calling thread hold the lock?"""
        return getattr(self._mine, "due", None) is not None

    def _acquire(self, due: float) -> None:
        """Wait until the lock is free for this thread.

        `due`: its place in the order (`time.monotonic` plus patience), the earliest first.
        """
        turn = threading.Lock()
        turn.acquire()
        mine = (due, next(self._number), turn)
        with self._guard:
            heapq.heappush(self._waiting, mine)
            if not self._holders:
                self._admit_next()
        while not turn.acquire(timeout=self.long):
            with self._guard:
                if self._waiting and time.monotonic() - self._since >= self.long:
                    self._admit_next()
        self._mine.due = due

    def _admit_next(self) -> None:
        """Give the lock to the first waiting thread."""
        self._holders += 1
        self._since = time.monotonic()
        heapq.heappop(self._waiting)[2].release()

    def _release(self) -> float:
        """Release the lock; return the thread's place in the order, to take it again with."""
        due: float = self._mine.due
        self._mine.due = None
        with self._guard:
            self._holders -= 1
            if self._waiting and not self._holders:
                self._admit_next()
        return due


GIL_LOCK = PriorityLock()
"""The priority lock of this process (each process has its own GIL)."""


class YieldingRLock:
    """A reentrant lock that releases the priority lock while it waits."""

    def __init__(self, priority: PriorityLock = GIL_LOCK) -> None:
        self._lock = threading.RLock()
        self._priority = priority

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            with self._priority.release_during_block():
                self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()
