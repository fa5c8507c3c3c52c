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

from sutler.web.storage.copy_database import copy_running_server
from sutler.web.storage.databases import (
    DatabaseError,
    hold_sqlite_file_lock,
    parse_database_url,
    translate_database_errors,
)
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

    def select_kept(self, times: Sequence[datetime]) -> set[datetime]:
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


def parse_sqlite_file(url: str) -> Path:
    """The file of a SQLite database. Raises DatabaseError, which names the command to use, for another kind of database."""
    with translate_database_errors(url):
        parts = parse_database_url(url)
    if parts.get_backend_name() != "sqlite" or not parts.database:
        raise DatabaseError(
            f"{parts.render_as_string(hide_password=True)}: into an empty database of this kind a copy goes by "
            "sutler copy-database sqlite:///COPY URL"
        )
    return Path(parts.database)


def back_up_database(url: str, target: Path) -> int:
    """Copy a database that may be in use to the new SQLite file `target`; return the number of events in the copy.

    `url`: of an SQLite file or of a running database server. Raises DatabaseError where there is no such database, or the file exists.
    """
    with translate_database_errors(url):
        is_file = parse_database_url(url).get_backend_name() == "sqlite"
    if is_file and not parse_sqlite_file(url).exists():
        raise DatabaseError(f"{parse_sqlite_file(url)}: there is no such database")
    if target.exists():
        raise DatabaseError(f"{target} exists; name another file")
    half = target.with_name(target.name + ".part")
    half.unlink(missing_ok=True)
    os.close(os.open(half, os.O_CREAT | os.O_WRONLY, 0o600))
    if is_file:
        with _open_sqlite_file(parse_sqlite_file(url)) as here, _open_sqlite_file(half) as there:
            here.backup(there)
    else:
        copy_running_server(url, f"sqlite:///{half}")
    events = count_events_in_copy(half)
    half.replace(target)
    return events


def backup_and_rotate(
    url: str, folder: Path, rotation: Rotation, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> tuple[Path, int, list[Path]]:
    """Copy a database into a folder under the current time, then delete the copies there that the rotation does not keep.

    Return the copy, the number of its events, and the deleted files. Where the copy cannot be made, nothing is deleted.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    copy = folder / f"sutler-{now():{TIME_FORMAT}}.sqlite"
    events = back_up_database(url, copy)
    _sync_to_disk(copy)
    _sync_to_disk(folder)
    found = {
        datetime.strptime(name[1], TIME_FORMAT).replace(tzinfo=UTC): path
        for path in folder.iterdir()
        if path.is_file() and (name := COPY_NAME.fullmatch(path.name))
    }
    kept = rotation.select_kept(list(found))
    gone = [path for at, path in sorted(found.items()) if at not in kept and path != copy]
    for path in gone:
        path.unlink()
    return copy, events, gone


def restore_database(url: str, copy: Path) -> int:
    """Put a copy in the database's place; return the number of its events. Raises DatabaseError where a server has the database open.

    The replaced database is kept beside it, with the time of the restore in its name. The copy is written, checked and synced beside the
    target before anything is renamed, so that a power cut leaves either the old database or the new one.
    """
    count_events_in_copy(copy)
    target = parse_sqlite_file(url)
    target.parent.mkdir(parents=True, exist_ok=True)
    with hold_sqlite_file_lock(url):
        half = target.with_name(target.name + ".restoring")
        half.unlink(missing_ok=True)
        os.close(os.open(half, os.O_CREAT | os.O_WRONLY, 0o600))
        with _open_sqlite_file(copy) as here, _open_sqlite_file(half) as there:
            here.backup(there)
        events = count_events_in_copy(half)
        _sync_to_disk(half)
        _rename_aside(target)
        half.replace(target)
        _sync_to_disk(target.parent)
    return events


def _rename_aside(target: Path) -> None:
    """Rename a database and its journal files, adding the current time to their names."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    aside, n = f"{target.name}.before-{stamp}", 1
    while target.with_name(aside).exists():
        aside, n = f"{target.name}.before-{stamp}-{n}", n + 1
    for rest in ("", "-wal", "-shm"):
        if (part := target.with_name(target.name + rest)).exists():
            part.replace(target.with_name(aside + rest))


def _sync_to_disk(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk."""
    with contextlib.suppress(OSError):  # Windows syncs no folders
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def count_events_in_copy(file: Path) -> int:
    """The number of events in a copy that is sound. Raises DatabaseError, which says what is wrong, for one that is not."""
    if not file.exists():
        raise DatabaseError(f"{file}: there is no such file")
    try:
        with _open_sqlite_file(file) as one:
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


def _open_sqlite_file(file: Path) -> contextlib.closing[sqlite3.Connection]:
    """A connection to a SQLite file, closed after the block."""
    return contextlib.closing(sqlite3.connect(file))
