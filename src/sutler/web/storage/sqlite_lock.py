"""A file is one house's alone: a second process on it would hear nothing of what the first one does."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from sutler.web.storage.databases import Trouble, in_words, parts_of


@contextlib.contextmanager
def alone(url: str) -> Iterator[None]:
    """Hold a house's file as long as it is open; Trouble where another process does. Many may share PostgreSQL.

    The lock is one of SQLite's own, on a file beside it, so that it holds on every system and goes with the process.
    """
    with in_words(url):
        parts = parts_of(url)
    if parts.get_backend_name() != "sqlite" or parts.database in (None, "", ":memory:"):
        yield
        return
    file = Path(str(parts.database))
    door = file.with_name(file.name + ".open")
    with contextlib.suppress(OSError):
        door.touch(mode=0o600)
    with contextlib.closing(sqlite3.connect(door, timeout=0, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):  # the folder cannot be written to: what opens the file says so better
                yield
                return
            raise Trouble(
                f"{file}: another process has this house open, and a file is one process's alone; close that one, or "
                "keep the games in PostgreSQL, which many share (--database postgresql://…)"
            ) from None
        yield
