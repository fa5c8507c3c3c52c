"""Opening a database: its address, settings that make commits durable, file permissions, and errors as advice for people."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError, NoSuchModuleError

KEEPALIVES = {"tcp_keepalives_idle": 10, "tcp_keepalives_interval": 5, "tcp_keepalives_count": 3}
"""TCP keepalive of PostgreSQL connections (seconds, seconds, count), so that the locks of a machine that vanished are soon released."""


PING_AFTER_S = 5.0
"""Seconds without use after which a pooled PostgreSQL connection is tried before it is used; trying each time cost a tenth of a click."""


class DatabaseError(OSError):
    """An error: the database cannot be used. The message says why, and what to do."""


def parse_database_url(url: str) -> URL:
    """The parts of a database's address. Raises ArgumentError where it is not an address."""
    parts = make_url(url)
    return parts.set(drivername="postgresql+psycopg") if parts.drivername in ("postgresql", "postgres") else parts


@contextlib.contextmanager
def translate_database_errors(url: str) -> Iterator[None]:
    """Turn errors of the database inside this block into DatabaseError, which says what to do. `url`: the database's address."""
    try:
        where = parse_database_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        raise DatabaseError(
            f"{url!r} names no database; write sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME"
        ) from None
    try:
        yield
    except ImportError as error:
        raise DatabaseError(
            f"{where}: its driver is not installed ({error.name}); pip install 'sutler[postgres]', or keep the games in a file"
        ) from error
    except NoSuchModuleError as error:
        raise DatabaseError(
            f"{where}: there is no such kind of database here; sqlite:/// and postgresql+psycopg:// are known"
        ) from error
    except DBAPIError as error:
        told = str(error.orig)
        raise DatabaseError(f"{where}: {_advise_on_error(told)} ({told})") from error


ADVICE = (
    (
        "not a database",
        "this file is no database, or a damaged one; put it aside and bring back a copy with `sutler restore`",
    ),
    ("malformed", "the database is damaged; put it aside and bring back a copy with `sutler restore`"),
    ("disk is full", "the disk is full; nothing was lost, but nothing more can be kept until there is room"),
    ("unable to open", "it cannot be opened; is there such a folder, and may one write in it?"),
    ("readonly", "it may not be written to; whose file is it?"),
    ("locked", "another program has it locked; is a second house open on it?"),
    ("onnection refused", "nobody answers there; does the database run, and at this address?"),
    ("password", "it does not know this name with this password"),
    ('FATAL:  database "', "there is no such database; make one with createdb"),
    ("disk I/O", "the disk does not answer as it should; look after it, and bring back a copy with `sutler restore`"),
)


def _advise_on_error(message: str) -> str:
    """Advice for the user on this error message of a database."""
    return next((advice for sign, advice in ADVICE if sign in message), "it cannot be used")


def restrict_to_owner(file: str | None) -> None:
    """Let only its owner read a SQLite file and its journal files: they hold everybody's cards and seats. None: no file."""
    if file and file != ":memory:":
        path = Path(file)
        if not path.exists() and path.parent.is_dir():
            path.touch(mode=0o600)
        for part in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
            if part.exists():
                with contextlib.suppress(OSError):  # the file is another user's, who is left to choose its permissions
                    part.chmod(0o600)


def set_up_sqlite(connection: Any, _record: Any) -> None:
    """Configure a new SQLite connection so that readers never wait for the writer, and a committed move is on the disk."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA busy_timeout=15000")
    cursor.execute("PRAGMA secure_delete=ON")  # what is deleted or changed leaves the file, not only its index
    cursor.close()


def set_up_temporary_sqlite(connection: Any, record: Any) -> None:
    """Configure a new connection to a temporary SQLite database like `set_up_sqlite`, but without waiting for the disk."""
    set_up_sqlite(connection, record)
    connection.execute("PRAGMA synchronous=OFF")


def set_up_postgres(connection: Any, _record: Any) -> None:
    """Configure a new PostgreSQL connection so that locks held by a machine that vanished are soon released."""
    with connection.cursor() as cursor:
        for name, value in KEEPALIVES.items():
            cursor.execute(f"SET {name} = {value}")
    connection.commit()


class ConnectionCheck:
    """Tests pooled connections that were unused for PING_AFTER_S before they are used again; broken ones are replaced."""

    def __init__(self, engine: Engine) -> None:
        self._error = engine.dialect.loaded_dbapi.Error
        self._trusted_from = 0.0
        event.listen(engine, "checkin", self._note_use)
        event.listen(engine, "checkout", self._test_connection)

    def distrust_connections(self) -> None:
        """Have every connection tested before its next use, because another connection to the same database was lost."""
        self._trusted_from = time.monotonic()

    def _note_use(self, _connection: Any, record: Any) -> None:
        """Store the time at which a connection went back to the pool."""
        record.info["used"] = time.monotonic()

    def _test_connection(self, connection: Any, record: Any, _proxy: Any) -> None:
        """Test a connection that may be broken. Raises DisconnectionError if it is, so that the pool opens another."""
        used = record.info.get("used")
        if used is None or used > max(self._trusted_from, time.monotonic() - PING_AFTER_S):
            return
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            connection.rollback()
        except self._error as error:
            raise DisconnectionError from error


# --- The lock of a SQLite file ----------------------------------------------------------------------


@contextlib.contextmanager
def hold_sqlite_file_lock(url: str) -> Iterator[None]:
    """Hold the lock of a SQLite file during the block. Raises DatabaseError where another process holds it; PostgreSQL needs none.

    A second server on the same file would not learn of changes by the first. The lock is one of SQLite's own, on a file beside the
    database, so that it works on every system and ends with the process.
    """
    with translate_database_errors(url):
        parts = parse_database_url(url)
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
            # the folder cannot be written to: opening the file gives a better error message
            if "locked" not in str(error):
                yield
                return
            raise DatabaseError(
                f"{file}: another process has this house open, and a file is one process's alone; close that one, or "
                "keep the games in PostgreSQL, which many share (--database postgresql://…)"
            ) from None
        yield


def get_data_folder() -> Path:
    """The folder of this server's data, inside the user's data folder (XDG_DATA_HOME); created if missing."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folder = Path(base) / "sutler"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def get_default_database_url() -> str:
    """The address (URL) of the SQLite database that is used unless another is named."""
    return f"sqlite:///{get_data_folder() / 'tables.sqlite'}"
