"""A priority lock round all work at the tables in Python: one thread at a time, and first the one that keeps a click waiting.

Python runs one thread at a time (the GIL), and threads that want to go on compete for it blindly: each that comes back from the
disk waits, a few milliseconds, for each of those that draw or think. So work at the tables is done by the thread that holds this
lock; waiting for it costs no processor time. The lock is released while its holder waits for the disk or for a table, so there are
no deadlocks. If somebody has held it for longer than MAX_ALONE_S, the next in line goes on beside them: one large picture does not
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
"""Seconds by which later comers may overtake: a click goes first, a line of the lobby can wait."""
MAX_ALONE_S = 0.05
"""Seconds for which one thread holds the lock alone."""


class PriorityLock:
    """A lock held by one thread at a time; the next is the one that has waited longest, less the patience of its kind of work."""

    def __init__(self, long: float = MAX_ALONE_S) -> None:
        self.long = long
        self._guard = threading.Lock()
        self._holders = 0
        self._since = 0.0
        """When the latest holder began (`time.monotonic`)."""
        self._waiting: list[tuple[float, int, threading.Lock]] = []
        self._number = itertools.count()
        self._mine = threading.local()
        """For the thread that holds the lock: its place in the order, when it began to wait plus its patience."""

    @contextlib.contextmanager
    def hold(self, patience: float) -> Iterator[None]:
        """Hold the lock. A thread that holds it already keeps it. `patience`: seconds by which later comers may overtake."""
        if self.is_mine:
            yield
            return
        self._acquire(time.monotonic() + patience)
        try:
            yield
        finally:
            self._release()

    @contextlib.contextmanager
    def released(self) -> Iterator[None]:
        """Release the lock while waiting for something, or computing without the GIL.

        Afterwards take it again at the same place in the order.
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
        """Does this thread hold the lock?"""
        return getattr(self._mine, "due", None) is not None

    def _acquire(self, due: float) -> None:
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
        self._holders += 1
        self._since = time.monotonic()
        heapq.heappop(self._waiting)[2].release()

    def _release(self) -> float:
        due: float = self._mine.due
        self._mine.due = None
        with self._guard:
            self._holders -= 1
            if self._waiting and not self._holders:
                self._admit_next()
        return due


GIL_LOCK = PriorityLock()
"""The lock of this process: there is one GIL in each."""


class YieldingRLock:
    """A reentrant lock that releases the priority lock while it waits."""

    def __init__(self, priority: PriorityLock = GIL_LOCK) -> None:
        self._lock = threading.RLock()
        self._priority = priority

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            with self._priority.released():
                self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()
