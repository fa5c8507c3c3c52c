"""A database by its address: how it is opened so that nothing is lost, and what is wrong with it, in words."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

DEAD_AFTER = {"tcp_keepalives_idle": 10, "tcp_keepalives_interval": 5, "tcp_keepalives_count": 3}
"""Seconds, and how often it is asked: what a machine had taken that is gone without a word goes to others."""


class Trouble(OSError):
    """The database cannot be used: says why, and what to do."""


def parts_of(url: str) -> URL:
    """A database's address in its parts. ArgumentError where it is none."""
    parts = make_url(url)
    return parts.set(drivername="postgresql+psycopg") if parts.drivername in ("postgresql", "postgres") else parts


@contextlib.contextmanager
def in_words(url: str) -> Iterator[None]:
    """Whatever is wrong with a database is said in words, with what to do."""
    try:
        where = parts_of(url).render_as_string(hide_password=True)
    except ArgumentError:
        raise Trouble(
            f"{url!r} names no database; write sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME"
        ) from None
    try:
        yield
    except ImportError as error:
        raise Trouble(
            f"{where}: its driver is not installed ({error.name}); pip install 'sutler[postgres]', or keep the games in a file"
        ) from error
    except NoSuchModuleError as error:
        raise Trouble(
            f"{where}: there is no such kind of database here; sqlite:/// and postgresql+psycopg:// are known"
        ) from error
    except DBAPIError as error:
        told = str(error.orig)
        raise Trouble(f"{where}: {_advice(told)} ({told})") from error


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


def _advice(told: str) -> str:
    """What to do about what a database says."""
    return next((advice for sign, advice in ADVICE if sign in told), "it cannot be used")


def keep_private(file: str | None) -> None:
    """Nobody else on this machine may read who sits where, or what is in whose hand."""
    if file and file != ":memory:":
        path = Path(file)
        if not path.exists() and path.parent.is_dir():
            path.touch(mode=0o600)
        for part in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
            if part.exists():
                with contextlib.suppress(OSError):  # somebody else's file: they know best
                    part.chmod(0o600)


def careful_sqlite(connection: Any, _record: Any) -> None:
    """Readers never wait for the writer, and a move that was acknowledged is on the disk, whatever happens then."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA busy_timeout=15000")
    cursor.close()


def careful_postgres(connection: Any, _record: Any) -> None:
    """A process on a machine that is gone does not hold on to what it had taken."""
    with connection.cursor() as cursor:
        for name, value in DEAD_AFTER.items():
            cursor.execute(f"SET {name} = {value}")
    connection.commit()
