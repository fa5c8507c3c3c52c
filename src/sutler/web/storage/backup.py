"""A copy of everything the house keeps, while it is open; and the way back."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from sutler.web.storage.databases import Trouble, in_words, parts_of
from sutler.web.storage.store import HEAD


def file_of(url: str) -> Path:
    """The file of a SQLite database; Trouble says what to use for another."""
    with in_words(url):
        parts = parts_of(url)
    if parts.get_backend_name() != "sqlite" or not parts.database:
        raise Trouble(
            f"{parts.render_as_string(hide_password=True)}: use the database's own tools (pg_dump, pg_restore)"
        )
    return Path(parts.database)


def backup(url: str, to: Path) -> int:
    """Copy a database that may be in use; how many events the copy holds. Nothing is overwritten."""
    source = file_of(url)
    if not source.exists():
        raise Trouble(f"{source}: there is no such database")
    if to.exists():
        raise Trouble(f"{to} exists; name another file")
    half = to.with_name(to.name + ".part")
    half.unlink(missing_ok=True)
    os.close(os.open(half, os.O_CREAT | os.O_WRONLY, 0o600))
    with _opened(source) as here, _opened(half) as there:
        here.backup(there)
    events = checked(half)
    half.replace(to)
    return events


def restore(url: str, copy: Path) -> int:
    """Put a copy in the database's place; what stood there is kept beside it. How many events it holds."""
    events, target = checked(copy), file_of(url)
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        aside = target.with_name(target.name + ".before-restore")
        if aside.exists():
            raise Trouble(f"{aside} exists from an earlier restore; move it away first")
        target.replace(aside)
    for rest in ("-wal", "-shm"):  # what was not yet in the file goes with it
        if (part := target.with_name(target.name + rest)).exists():
            part.replace(target.with_name(target.name + ".before-restore" + rest))
    os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o600))
    with _opened(copy) as here, _opened(target) as there:
        here.backup(there)
    return events


def checked(file: Path) -> int:
    """The number of events in a sound copy; Trouble says what is wrong with one that is not."""
    if not file.exists():
        raise Trouble(f"{file}: there is no such file")
    try:
        with _opened(file) as one:
            told = one.execute("PRAGMA integrity_check").fetchone()[0]
            revision = one.execute("SELECT version_num FROM alembic_version").fetchone()
            events = int(one.execute("SELECT count(*) FROM events").fetchone()[0])
    except sqlite3.DatabaseError as error:
        raise Trouble(f"{file}: this is no sound copy of a house ({error})") from error
    if told != "ok":
        raise Trouble(f"{file}: this copy is damaged ({told})")
    if revision is None or revision[0] > HEAD:
        raise Trouble(f"{file}: a newer Sutler wrote this copy; upgrade first")
    return events


def _opened(file: Path) -> contextlib.closing[sqlite3.Connection]:
    return contextlib.closing(sqlite3.connect(file))
