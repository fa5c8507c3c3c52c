"""Group commit for SQLite: writes that come while another transaction is being written share the next one, and one wait for the disk.

SQLite lets one connection write at a time; others would sleep for growing intervals until they find the lock free. Here writers queue
instead, and the next to write does so for all that wait.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine

Job = Callable[[Connection], object]


@dataclass(eq=False)
class _Write:
    """A queued write, and its outcome."""

    job: Job
    done: bool = False
    error: BaseException | None = None


class GroupCommit:
    """Writes of many threads in shared transactions. Each write succeeds or fails by itself, and returns when it is on the disk."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._line = threading.Lock()
        self._writing = threading.Lock()
        self._waiting: list[_Write] = []

    def write(self, job: Job) -> None:
        """Run `job` in a transaction, and return when it is on the disk. Errors of the job are raised here."""
        one = _Write(job)
        with self._line:
            self._waiting.append(one)
        with self._writing:
            if not one.done:
                with self._line:
                    taken, self._waiting = self._waiting, []
                self._commit_together(taken)
        if one.error is not None:
            raise one.error

    def _commit_together(self, writes: Sequence[_Write]) -> None:
        """Run all jobs in one transaction; where that fails, run each in its own, so that no job fails for another's error."""
        try:
            with self.engine.begin() as connection:
                for one in writes:
                    one.job(connection)
        except BaseException as error:
            if len(writes) > 1:
                for one in writes:
                    self._commit_together([one])
                return
            writes[0].error = error
        for one in writes:
            one.done = True
