"""What several want written at one moment is written at once: one wait for the disk serves them all.

SQLite lets one write at a time, and whoever comes meanwhile sleeps, each time longer, until it happens to find the door
open. So that tables do not wait for one another's disk, whoever comes while another writes stands in line, and the next
one writes for all who stand there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine

Job = Callable[[Connection], object]


@dataclass(eq=False)
class _Wish:
    job: Job
    done: bool = False
    error: BaseException | None = None


class Together:
    """Writes for many in one transaction. Each is kept or refused by itself, and hears of it when it is on the disk."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._line = threading.Lock()
        self._writing = threading.Lock()
        self._waiting: list[_Wish] = []

    def write(self, job: Job) -> None:
        """Let `job` write; it is on the disk when this comes back. What goes wrong with it is raised here."""
        wish = _Wish(job)
        with self._line:
            self._waiting.append(wish)
        with self._writing:
            if not wish.done:
                with self._line:
                    taken, self._waiting = self._waiting, []
                self._write(taken)
        if wish.error is not None:
            raise wish.error

    def _write(self, wishes: Sequence[_Wish]) -> None:
        """All of them at once; where that fails, each by itself, so that nobody bears another's fault."""
        try:
            with self.engine.begin() as connection:
                for wish in wishes:
                    wish.job(connection)
        except BaseException as error:
            if len(wishes) > 1:
                for wish in wishes:
                    self._write([wish])
                return
            wishes[0].error = error
        for wish in wishes:
            wish.done = True
