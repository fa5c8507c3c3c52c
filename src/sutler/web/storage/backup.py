"""Backup: copy a database while it is in use, and restore it from a copy. A copy is always a SQLite file, even of PostgreSQL."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sutler.web.storage.copy_database import copy_open_house
from sutler.web.storage.databases import DatabaseError, in_words, parts_of, sqlite_file_lock
from sutler.web.storage.store import NEWEST_MIGRATION

COPY_NAME = re.compile(r"sutler-(\d{8}-\d{6})\.sqlite")
"""Names of the copies in a folder, with the time (UTC) at which each was made; files of other names are never deleted."""
TIME_FORMAT = "%Y%m%d-%H%M%S"


@dataclass(frozen=True)
class Rotation:
    """How many copies a folder keeps: the newest ones, and the newest one of each of the last days, weeks and months that have a copy."""

    newest: int = 1
    daily: int = 0
    weekly: int = 0
    monthly: int = 0

    def kept(self, times: Sequence[datetime]) -> set[datetime]:
        """The times of the copies to keep, among the times of all copies."""
        falling = sorted(times, reverse=True)
        periods: tuple[tuple[int, Callable[[datetime], object]], ...] = (
            (self.newest, lambda at: at),
            (self.daily, lambda at: at.date()),
            (self.weekly, lambda at: at.isocalendar()[:2]),
            (self.monthly, lambda at: (at.year, at.month)),
        )
        kept: set[datetime] = set()
        for number, period_of in periods:
            newest_of: dict[object, datetime] = {}
            for at in falling:
                newest_of.setdefault(period_of(at), at)
            kept.update(list(newest_of.values())[:number])
        return kept


def sqlite_file_of(url: str) -> Path:
    """The file of a SQLite database. Raises DatabaseError, which names the command to use, for another kind of database."""
    with in_words(url):
        parts = parts_of(url)
    if parts.get_backend_name() != "sqlite" or not parts.database:
        raise DatabaseError(
            f"{parts.render_as_string(hide_password=True)}: into an empty database of this kind a copy goes by "
            "sutler copy-database sqlite:///COPY URL"
        )
    return Path(parts.database)


def backup(url: str, to: Path) -> int:
    """Copy a database that may be in use to the new file `to`; return the number of events in the copy.

    Raises DatabaseError where there is no such database, or the file exists.
    """
    with in_words(url):
        is_file = parts_of(url).get_backend_name() == "sqlite"
    if is_file and not sqlite_file_of(url).exists():
        raise DatabaseError(f"{sqlite_file_of(url)}: there is no such database")
    if to.exists():
        raise DatabaseError(f"{to} exists; name another file")
    half = to.with_name(to.name + ".part")
    half.unlink(missing_ok=True)
    os.close(os.open(half, os.O_CREAT | os.O_WRONLY, 0o600))
    if is_file:
        with _opened(sqlite_file_of(url)) as here, _opened(half) as there:
            here.backup(there)
    else:
        copy_open_house(url, f"sqlite:///{half}")
    events = events_in_copy(half)
    half.replace(to)
    return events


def backup_and_rotate(
    url: str, folder: Path, rotation: Rotation, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> tuple[Path, int, list[Path]]:
    """Copy a database into a folder under the current time, then delete the copies there that the rotation does not keep.

    Return the copy, the number of its events, and the deleted files. Where the copy cannot be made, nothing is deleted.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    copy = folder / f"sutler-{now():{TIME_FORMAT}}.sqlite"
    events = backup(url, copy)
    _synced(copy)
    _synced(folder)
    found = {
        datetime.strptime(name[1], TIME_FORMAT).replace(tzinfo=UTC): path
        for path in folder.iterdir()
        if path.is_file() and (name := COPY_NAME.fullmatch(path.name))
    }
    kept = rotation.kept(list(found))
    gone = [path for at, path in sorted(found.items()) if at not in kept and path != copy]
    for path in gone:
        path.unlink()
    return copy, events, gone


def restore(url: str, copy: Path) -> int:
    """Put a copy in the database's place; return the number of its events. Raises DatabaseError where a server has the database open.

    The replaced database is kept beside it, with the time of the restore in its name. The copy is written, checked and synced beside the
    target before anything is renamed, so that a power cut leaves either the old database or the new one.
    """
    events_in_copy(copy)
    target = sqlite_file_of(url)
    target.parent.mkdir(parents=True, exist_ok=True)
    with sqlite_file_lock(url):
        half = target.with_name(target.name + ".restoring")
        half.unlink(missing_ok=True)
        os.close(os.open(half, os.O_CREAT | os.O_WRONLY, 0o600))
        with _opened(copy) as here, _opened(half) as there:
            here.backup(there)
        events = events_in_copy(half)
        _synced(half)
        _set_aside(target)
        half.replace(target)
        _synced(target.parent)
    return events


def _set_aside(target: Path) -> None:
    """Rename a database and its journal files, adding the current time to their names."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    aside, n = f"{target.name}.before-{stamp}", 1
    while target.with_name(aside).exists():
        aside, n = f"{target.name}.before-{stamp}-{n}", n + 1
    for rest in ("", "-wal", "-shm"):
        if (part := target.with_name(target.name + rest)).exists():
            part.replace(target.with_name(aside + rest))


def _synced(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk."""
    with contextlib.suppress(OSError):  # Windows syncs no folders
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def events_in_copy(file: Path) -> int:
    """The number of events in a copy that is sound. Raises DatabaseError, which says what is wrong, for one that is not."""
    if not file.exists():
        raise DatabaseError(f"{file}: there is no such file")
    try:
        with _opened(file) as one:
            told = one.execute("PRAGMA integrity_check").fetchone()[0]
            revision = one.execute("SELECT version_num FROM alembic_version").fetchone()
            events = int(one.execute("SELECT count(*) FROM events").fetchone()[0])
    except sqlite3.DatabaseError as error:
        raise DatabaseError(f"{file}: this is no sound copy of a house ({error})") from error
    if told != "ok":
        raise DatabaseError(f"{file}: this copy is damaged ({told})")
    if revision is None or revision[0] > NEWEST_MIGRATION:
        raise DatabaseError(f"{file}: a newer Sutler wrote this copy; upgrade first")
    return events


def _opened(file: Path) -> contextlib.closing[sqlite3.Connection]:
    """A connection to a SQLite file, closed after the block."""
    return contextlib.closing(sqlite3.connect(file))
