"""Copy all data of a server (house) from one database to another: SQLite to PostgreSQL, or back. It is copied as a whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, func, select

from sutler.web.storage.databases import (
    DatabaseError,
    hold_sqlite_file_lock,
    parse_database_url,
    translate_database_errors,
)
from sutler.web.storage.schema import META
from sutler.web.storage.store import MIGRATION_LOCK_ID, Store, ensure_utc

ROWS_AT_ONCE = 500
"""Rows that are held in memory between reading and writing."""
DIGEST_MODULUS = 2**256


@dataclass(frozen=True)
class TableContents:
    """The contents of one database table: the number of rows, and a digest independent of their order and of the kind of database."""

    name: str
    rows: int
    digest: str


def copy_database(source: str, target: str) -> list[TableContents]:
    """Copy every database table of a server to an empty database; return what the target then holds, table by table.

    Rows and digests of the target are read back and compared with the source's before anything is committed. No server may have either
    database open. Raises DatabaseError where one has, where the source holds no server's data, and where the target is not empty.
    """
    with translate_database_errors(source), translate_database_errors(target):
        if parse_database_url(source) == parse_database_url(target):
            raise DatabaseError(f"{_hide_password(source)}: from and to are the same database")
    with hold_sqlite_file_lock(source), hold_sqlite_file_lock(target):
        _require_existing_file(source)
        with (
            _open_store(source) as here,
            _open_store(target) as there,
            translate_database_errors(source),
            _begin_exclusive_transaction(here) as old,
            translate_database_errors(target),
            _begin_exclusive_transaction(there) as new,
        ):
            return _copy_and_compare(old, new, target)


def copy_running_server(source: str, target: str) -> list[TableContents]:
    """Copy all data of a server on PostgreSQL to an empty database, as they stand at one moment; the server may be running."""
    with (
        _open_store(source) as here,
        _open_store(target) as there,
        translate_database_errors(source),
        translate_database_errors(target),
    ):
        engine = here.engine.execution_options(isolation_level="REPEATABLE READ")
        with engine.begin() as old, there.engine.begin() as new:
            return _copy_and_compare(old, new, target)


def _copy_and_compare(old: Connection, new: Connection, target: str) -> list[TableContents]:
    """Copy all tables within these transactions and compare the copies; return what the target holds.

    Raises DatabaseError where they differ.
    """
    _require_empty(new, target)
    for table in META.sorted_tables:
        _copy_rows(old, new, table)
    _advance_sequences(new)
    contents = [_digest_table(new, table) for table in META.sorted_tables]
    for table, one in zip(META.sorted_tables, contents, strict=True):
        if one != (there := _digest_table(old, table)):
            raise DatabaseError(
                f"{_hide_password(target)}: the table {one.name} arrived differently ({one.rows} rows of {there.rows}); "
                "nothing was copied"
            )
    return contents


def _hide_password(url: str) -> str:
    """A database's address without its password."""
    return parse_database_url(url).render_as_string(hide_password=True)


def _require_existing_file(url: str) -> None:
    """Raise DatabaseError where a SQLite file to copy from does not exist; opening it would create an empty database."""
    parts = parse_database_url(url)
    if parts.get_backend_name() == "sqlite" and not Path(str(parts.database or "")).is_file():
        raise DatabaseError(f"{_hide_password(url)}: there is no such database")


@contextlib.contextmanager
def _open_store(url: str) -> Iterator[Store]:
    """A server's database, migrated to the newest revision; closed after the block."""
    store = Store(url)
    try:
        yield store
    finally:
        store.close()


@contextlib.contextmanager
def _begin_exclusive_transaction(store: Store) -> Iterator[Connection]:
    """One transaction on a database that no server has open; a server that starts on a shared one meanwhile waits for its end.

    Raises DatabaseError where one has it open.
    """
    store.engine.dispose()  # else our own connections from opening it would be counted below
    engine = store.engine.execution_options(isolation_level="REPEATABLE READ") if store.shared else store.engine
    with engine.begin() as connection:
        if store.shared:
            if not connection.scalar(select(func.pg_try_advisory_xact_lock(MIGRATION_LOCK_ID))):
                raise DatabaseError(f"{store.url}: a house is just starting on this database; close it first")
            others = connection.exec_driver_sql(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
                "AND backend_type = 'client backend'"
            ).scalar_one()
            if others:
                raise DatabaseError(
                    f"{store.url}: {others} other connection{'s are' if others > 1 else ' is'} open to this database; "
                    "close every house and worker first"
                )
        yield connection


def _require_empty(connection: Connection, url: str) -> None:
    """Raise DatabaseError where the target holds any rows."""
    full = [table.name for table in META.sorted_tables if connection.execute(select(table).limit(1)).first()]
    if full:
        raise DatabaseError(
            f"{_hide_password(url)}: a house is there already ({', '.join(full)}); name an empty database"
        )


def _copy_rows(source: Connection, target: Connection, table: Table) -> None:
    """Copy all rows of one table."""
    found = source.execute(select(table).order_by(*table.primary_key.columns))
    for rows in found.mappings().partitions(ROWS_AT_ONCE):
        target.execute(table.insert(), [{name: _add_time_zone(value) for name, value in row.items()} for row in rows])


def _add_time_zone(value: Any) -> Any:
    """The value; a time gets the time zone UTC, which SQLite does not store."""
    return ensure_utc(value) if isinstance(value, datetime) else value


def _advance_sequences(connection: Connection) -> None:
    """Make PostgreSQL number new rows after the copied ones, which brought their numbers along; SQLite does so by itself."""
    if connection.dialect.name != "postgresql":
        return
    for table in META.sorted_tables:
        column = table.autoincrement_column
        if column is not None and (newest := connection.scalar(select(func.max(column)))) is not None:
            sequence = func.pg_get_serial_sequence(table.name, column.name)
            connection.execute(select(func.setval(sequence, newest)))


def _digest_table(connection: Connection, table: Table) -> TableContents:
    """The number of rows in a table, and their digest."""
    rows, total = 0, 0
    for row in connection.execute(select(table)).yield_per(ROWS_AT_ONCE):
        rows += 1
        text = repr([_normalise_value(value) for value in row])
        total = (total + int.from_bytes(hashlib.sha256(text.encode()).digest())) % DIGEST_MODULUS
    return TableContents(table.name, rows, f"{total:064x}")


def _normalise_value(value: Any) -> Any:
    """The value in a form that is the same for SQLite and PostgreSQL."""
    if isinstance(value, datetime):
        return ensure_utc(value).timestamp()
    return bytes(value) if isinstance(value, (bytes, memoryview)) else value
