"""Who has the floor: of all that is done at the tables in Python, one thing at a time, and whoever keeps a click waiting first.

Python lets one thread work at a time, and threads that want to go on push for that blindly: each that was at the disk has to wait, a few
thousandths of a second, for each of those that draw or think. So work at the tables is done by whoever has the floor, and who
waits for it costs nothing. It is let go of while one waits for the disk or for a table; so whoever has it waits for nobody, and
nobody waits for ever. Beside somebody who has had it for long the next one goes on too: one large picture does not stop the house.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import threading
import time
from collections.abc import Iterator
from types import TracebackType

CLICK = 0.0
BOT = 0.1
LOOK = 0.15
LINE = 2.0
"""By how many seconds others, who come later, may be given the floor before: a click goes first, a line of the lobby has time."""
LONG = 0.05
"""Seconds after which it is no longer for one alone."""


class Floor:
    """Held by one thread at a time; it goes to whoever has waited longest, by what they want it for."""

    def __init__(self, long: float = LONG) -> None:
        self.long = long
        self._door = threading.Lock()
        self._inside = 0
        self._since = 0.0
        """When the last one began."""
        self._waiting: list[tuple[float, int, threading.Lock]] = []
        self._number = itertools.count()
        self._own = threading.local()
        """Of the thread that has it: since when, by its patience, it is due."""

    @contextlib.contextmanager
    def held(self, patience: float) -> Iterator[None]:
        """With the floor; whoever has it has it."""
        if self.is_mine:
            yield
            return
        self._take(time.monotonic() + patience)
        try:
            yield
        finally:
            self._leave()

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """Without it, for as long as something is waited for, or reckoned without Python's help; then it is as before."""
        if not self.is_mine:
            yield
            return
        due = self._leave()
        try:
            yield
        finally:
            self._take(due)

    @property
    def is_mine(self) -> bool:
        """Has this thread the floor?"""
        return getattr(self._own, "due", None) is not None

    def _take(self, due: float) -> None:
        turn = threading.Lock()
        turn.acquire()
        mine = (due, next(self._number), turn)
        with self._door:
            heapq.heappush(self._waiting, mine)
            if not self._inside:
                self._let_in()
        while not turn.acquire(timeout=self.long):
            with self._door:
                if self._waiting and time.monotonic() - self._since >= self.long:
                    self._let_in()
        self._own.due = due

    def _let_in(self) -> None:
        self._inside += 1
        self._since = time.monotonic()
        heapq.heappop(self._waiting)[2].release()

    def _leave(self) -> float:
        due: float = self._own.due
        self._own.due = None
        with self._door:
            self._inside -= 1
            if self._waiting and not self._inside:
                self._let_in()
        return due


FLOOR = Floor()
"""This process's: it is for Python's sake, of which a process has one."""


class Turn:
    """A lock that one thread may take several times, and that nobody waits for with the floor."""

    def __init__(self, floor: Floor = FLOOR) -> None:
        self._lock = threading.RLock()
        self._floor = floor

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            with self._floor.aside():
                self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()
