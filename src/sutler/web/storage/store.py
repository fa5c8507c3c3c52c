"""The store: events of tables, appended and never changed, and what is derived from them for quick reading."""

from __future__ import annotations

import contextlib
import functools
import json
import secrets
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, Engine, Select, Table, create_engine, delete, event, func, inspect, or_, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError

from sutler.web.events import ANY_EVENT, Event
from sutler.web.jobs.gil_priority import GIL_LOCK
from sutler.web.jobs.job_queue import Lane
from sutler.web.storage.databases import (
    ADVICE,
    ConnectionCheck,
    DatabaseError,
    parse_database_url,
    restrict_to_owner,
    set_up_postgres,
    set_up_sqlite,
    set_up_temporary_sqlite,
    translate_database_errors,
)
from sutler.web.storage.group_commit import GroupCommit, Job
from sutler.web.storage.listing_row import Standing
from sutler.web.storage.schema import BOXES, EVENTS, EXPIRING, HOUSE, META, PRESENT, SNAPSHOTS, STANDINGS
from sutler.web.storage.shared_jobs import SharedJobs

MIGRATIONS = Path(__file__).parent.parent / "migrations"
NEWEST_MIGRATION = "0011"
"""The newest revision of the database; one at this revision is opened without Alembic."""

WIPE_ATTEMPTS, WIPE_PAUSE_S = 20, 0.1
CHANNEL = "sutler"
"""The PostgreSQL channel of notifications by which processes that share a database learn of changes."""
MIGRATION_LOCK_ID = 0x5A71E4
"""The id of the PostgreSQL advisory lock that a process holds while it migrates the database."""
INSERT_EVENTS = EVENTS.insert()
"""The statement that inserts events, built once, because building it takes longer than running it."""


@dataclass(frozen=True)
class StoredEvent:
    """An event with its number at its table (from 0) and its time."""

    seq: int
    at: datetime
    event: Event


class Conflict(Exception):
    """An error: another process has stored events of this table under the same numbers first."""


class Store:
    """The events of all tables, in SQLite (WAL) for one process, or in PostgreSQL, which many may share.

    `sqlite://` names no file: such a database is deleted when its store is. `now`: the clock.
    """

    def __init__(self, url: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.now = now
        # error messages of the database must not repeat values, since they are written to the log
        options: dict[str, Any] = {"hide_parameters": True}
        if url.startswith("sqlite"):
            options["connect_args"] = {"check_same_thread": False, "timeout": 15}
        with translate_database_errors(url):
            parts = parse_database_url(url)
            self.url = parts.render_as_string(hide_password=True)
            self.shared = parts.get_backend_name() == "postgresql"
            kept = self.shared or parts.database not in (None, "", ":memory:")
            if not kept:  # in memory all threads would share a connection: a read that ends would roll back another thread's write
                folder = tempfile.mkdtemp(prefix="sutler-house-")
                weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
                parts = parts.set(database=str(Path(folder) / "house.db"))
            if self.shared:
                options |= {"pool_size": 10, "max_overflow": 20}
            self.engine: Engine = create_engine(parts, **options)
            self.reading: Engine = self.engine
            """The engine for single queries: on PostgreSQL without a transaction around each, which would cost two more messages."""
            if self.shared:
                self.reading = self.engine.execution_options(isolation_level="AUTOCOMMIT")
            self.due = SharedJobs(self.engine, self.reading) if self.shared else None
            self.group_commit = GroupCommit(self.engine)
            if not self.shared:
                event.listen(self.engine, "connect", set_up_sqlite if kept else set_up_temporary_sqlite)
                restrict_to_owner(self.engine.url.database)
            else:
                event.listen(self.engine, "connect", set_up_postgres)
                self.connection_check = ConnectionCheck(self.engine)
            with self._migration_lock():
                self._migrate()

    @contextlib.contextmanager
    def _migration_lock(self) -> Iterator[None]:
        """Make other processes wait while this one migrates a shared database."""
        if not self.shared:
            yield
            return
        with self.engine.begin() as connection:
            connection.execute(select(func.pg_advisory_xact_lock(MIGRATION_LOCK_ID)))
            yield

    def _migrate(self) -> None:
        """Bring the database to the newest revision. Raises DatabaseError where a newer release or another program has written it."""
        revision = self._read_revision()
        if revision == NEWEST_MIGRATION:
            return
        if revision is not None and not any((MIGRATIONS / "versions").glob(f"{revision}_*.py")):
            raise DatabaseError(
                f"{self.url}: a newer Sutler wrote this database ({revision}); upgrade, or name another"
            )
        tables = inspect(self.engine).get_table_names()
        if tables and "alembic_version" not in tables:
            raise DatabaseError(
                f"{self.url}: this database is another program's ({', '.join(tables[:4])}); name another"
            )
        if not tables:
            with self.engine.begin() as connection:  # a new database needs no migrations
                META.create_all(connection)
                connection.exec_driver_sql(
                    "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"
                )
                connection.exec_driver_sql(f"INSERT INTO alembic_version VALUES ('{NEWEST_MIGRATION}')")
            return
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with self.engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def _read_revision(self) -> str | None:
        """The revision of the database; None for a new one."""
        try:
            with self.engine.connect() as connection:
                return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        except DBAPIError as error:
            if any(sign in str(error.orig) for sign, _ in ADVICE):
                raise
            return None

    def check_connection(self) -> None:
        """Query the database. Raises DBAPIError where it does not answer."""
        with GIL_LOCK.release_during_block(), self.engine.connect() as connection:
            connection.execute(select(HOUSE.c.name).limit(1)).all()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    # --- Events -----------------------------------------------------------------------------------

    def append_events(
        self,
        table: str,
        seq: int,
        events: Sequence[Event],
        snapshot: tuple[int, bytes] | None = None,
        drop_from: int | None = None,
        bot: tuple[Lane, float] | None = None,
    ) -> datetime:
        """Append events to a table, numbered from `seq`; return the time they are stored under.

        Raises Conflict where these numbers are taken.

        `snapshot`: (number of decisions, state), stored with them; `drop_from`: delete snapshots from this decision on; `bot`: (lane,
        pause in seconds) of a bot's decision that is queued for any process.
        """
        now = self.now()
        rows = [
            {"table_id": table, "seq": seq + i, "at": now, "kind": one.kind, "body": one.model_dump_json()}
            for i, one in enumerate(events)
        ]

        def write(connection: Connection) -> None:
            """Insert events, snapshot and queued decision within one transaction."""
            connection.execute(INSERT_EVENTS, rows)
            if drop_from is not None:
                mine = SNAPSHOTS.c.table_id == table
                connection.execute(SNAPSHOTS.delete().where(mine, SNAPSHOTS.c.decision >= drop_from))
            if snapshot is not None:
                row = {"table_id": table, "decision": snapshot[0], "state": snapshot[1]}
                connection.execute(SNAPSHOTS.insert(), [row])
            if self.due is not None:
                made = self.due.get_claim_of_thread(table) is not None
                news = f"{'decided' if made else 'at'} {table} {seq + len(rows)}"
                if bot is not None:
                    self.due.add_decision(connection, table, seq + len(rows), *bot)
                    news += f" {bot[0].name} {bot[1]:.3f}"
                self._notify(connection, news)

        try:
            self.run_in_transaction(write, table)
        except IntegrityError as error:
            raise Conflict(table) from error
        return now

    def run_in_transaction(self, job: Job, table: str = "") -> None:
        """Run a job in a transaction.

        If this thread has claimed a bot's decision at the table, the claim ends in the same transaction. PostgreSQL commits transactions
        of many threads at once; for SQLite, group commit is used.
        """
        with GIL_LOCK.release_during_block():
            self._write(job, table)

    def _write(self, job: Job, table: str) -> None:
        """Run a job in a transaction; see `run_in_transaction`."""
        claim = self.due.get_claim_of_thread(table) if self.due is not None else None
        if self.due is None:
            self.group_commit.write(job)
        elif claim is None:
            with self.engine.begin() as connection:
                job(connection)
        else:
            try:
                job(claim.connection)
            except IntegrityError:
                claim.connection.rollback()  # the claim is given up with it: whoever writes next takes or deletes its row
                raise
            self.due.finish_claim(claim)

    def purge_deleted_data(self) -> None:
        """Make sure that deleted data are in no file of the database any more; SQLite keeps the old pages in its journal.

        PostgreSQL does so by itself in time (VACUUM). Where the journal stays in use, it is emptied with the next deletion.
        """
        if self.shared:
            return
        for _ in range(WIPE_ATTEMPTS):
            with GIL_LOCK.release_during_block(), self.engine.connect() as connection:
                busy = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0]
            if not busy:
                return
            time.sleep(WIPE_PAUSE_S)

    def notify_processes(self, text: str) -> None:
        """Send a notification to the other processes on this database. `text`: see `ChangeFeed`."""
        if self.shared:
            with self.engine.begin() as connection:
                self._notify(connection, text)

    @staticmethod
    def _notify(connection: Connection, text: str) -> None:
        """Send a notification to other processes when, and only if, the transaction is committed."""
        connection.execute(select(func.pg_notify(CHANNEL, text)))

    def load_events(self, table: str, since: int = 0) -> list[StoredEvent]:
        """The events of a table from number `since` on, in order; empty where there is no such table."""
        query = select(EVENTS.c.seq, EVENTS.c.at, EVENTS.c.body).order_by(EVENTS.c.seq)
        query = query.where(EVENTS.c.table_id == table, EVENTS.c.seq >= since)
        with GIL_LOCK.release_during_block(), self.reading.connect() as connection:
            found = connection.execute(query).all()
        return [StoredEvent(seq, ensure_utc(at), ANY_EVENT.validate_json(body)) for seq, at, body in found]

    def load_snapshots(self, table: str) -> dict[int, bytes]:
        """The stored states of a game, by the number of decisions before them."""
        query = select(SNAPSHOTS.c.decision, SNAPSHOTS.c.state).where(SNAPSHOTS.c.table_id == table)
        with self.reading.connect() as connection:
            return {decision: bytes(state) for decision, state in connection.execute(query)}

    def count_tables(self) -> int:
        """The number of tables, counted by their rows for the lobby."""
        with self.reading.connect() as connection:
            return int(connection.scalar(select(func.count()).select_from(STANDINGS)) or 0)

    def list_tables(self) -> list[str]:
        """The ids of all tables that were not removed, oldest first."""
        query = select(EVENTS.c.table_id).where(EVENTS.c.seq == 0, EVENTS.c.kind != "removed").order_by(EVENTS.c.id)
        with self.reading.connect() as connection:
            return list(connection.scalars(query))

    # --- Boxes --------------------------------------------------------------------------------------

    def store_box(self, fingerprint: str, data: Mapping[str, Any]) -> None:
        """Store a whole box under its fingerprint, unless it is stored already."""
        if self.load_box(fingerprint) is not None:
            return
        row = {"fingerprint": fingerprint, "body": json.dumps(data, ensure_ascii=False)}
        with contextlib.suppress(IntegrityError):  # another thread or process has stored it meanwhile
            self.run_in_transaction(lambda connection: connection.execute(BOXES.insert(), [row]))

    def load_box(self, fingerprint: str) -> dict[str, Any] | None:
        """A stored box; None where there is none with this fingerprint."""
        with self.reading.connect() as connection:
            body = connection.scalar(select(BOXES.c.body).where(BOXES.c.fingerprint == fingerprint))
        return None if body is None else dict(json.loads(body))

    # --- The lobby --------------------------------------------------------------------------------

    def record_seats(self, browser: str, table: str, seats: Sequence[int]) -> None:
        """Record that this browser (the hash of its cookie) sits at these seats; nothing is written where that is recorded already."""
        here = select(PRESENT.c.seat).where(PRESENT.c.browser == browser, PRESENT.c.table_id == table)
        with GIL_LOCK.release_during_block(), self.reading.connect() as connection:
            known = set(connection.scalars(here))
        rows = [{"browser": browser, "table_id": table, "seat": seat} for seat in seats if seat not in known]
        if rows:
            self.run_in_transaction(
                lambda connection: connection.execute(self._insert_statement(PRESENT).on_conflict_do_nothing(), rows)
            )

    def load_seats_of_browser(self, browser: str) -> dict[str, list[int]]:
        """The tables at which this browser (the hash of its cookie) has sat, and its seats there."""
        out: dict[str, list[int]] = {}
        query = select(PRESENT.c.table_id, PRESENT.c.seat).where(PRESENT.c.browser == browser).order_by(PRESENT.c.seat)
        with self.reading.connect() as connection:
            for table, seat in connection.execute(query):
                out.setdefault(table, []).append(seat)
        return out

    def load_browsers_at_table(self, table: str) -> dict[str, list[int]]:
        """The browsers (the hashes of their cookies) that have sat at this table, and the seats of each."""
        out: dict[str, list[int]] = {}
        query = select(PRESENT.c.browser, PRESENT.c.seat).where(PRESENT.c.table_id == table).order_by(PRESENT.c.seat)
        with self.engine.connect() as connection:
            for browser, seat in connection.execute(query):
                out.setdefault(browser, []).append(seat)
        return out

    def write_standings(self, standings: Sequence[Standing]) -> None:
        """Store these rows of the lobby. A row derived from fewer events does not replace a newer one."""
        now = self.now()
        rows = [
            {
                "table_id": standing.table,
                "at": now,
                "seq": standing.seq,
                "over": standing.over,
                "open_to_watch": standing.open_to_watch,
                "body": standing.model_dump_json(),
            }
            # in one order, so that processes cannot block each other
            for standing in sorted(standings, key=lambda one: one.table)
        ]
        put = _build_row_upsert(self.shared)
        self.run_in_transaction(lambda connection: connection.execute(put, rows))

    def load_standings(
        self, tables: Sequence[str] | None = None, over: bool | None = None, limit: int = 50
    ) -> list[tuple[datetime, Standing]]:
        """Rows of the lobby with their times, newest first: of these tables, or (None) of all that are open to watch.

        `over`: of finished games only, of running ones only, or of both (None); `limit`: the most rows.
        """
        query = select(STANDINGS.c.at, STANDINGS.c.body).order_by(STANDINGS.c.at.desc()).limit(limit)
        query = query.where(STANDINGS.c.table_id.in_(tables) if tables is not None else STANDINGS.c.open_to_watch)
        if over is not None:
            query = query.where(STANDINGS.c.over == over)
        return self._load_queried_standings(query)

    def load_standings_with_offers(self, since: datetime) -> list[tuple[datetime, Standing]]:
        """Rows of tables with seats that anybody may take, written after `since`, with their times, newest first."""
        query = select(STANDINGS.c.at, STANDINGS.c.body).order_by(STANDINGS.c.at.desc())
        query = query.where(~STANDINGS.c.over, STANDINGS.c.at > since, STANDINGS.c.body.contains('"offer":{"free":['))
        return self._load_queried_standings(query)

    def load_rated_standings(self, since: datetime) -> list[tuple[datetime, Standing]]:
        """Rows of finished games that count for ratings, written from `since` on, with their times, oldest first."""
        query = select(STANDINGS.c.at, STANDINGS.c.body).order_by(STANDINGS.c.at, STANDINGS.c.table_id)
        query = query.where(STANDINGS.c.over, STANDINGS.c.at >= since, STANDINGS.c.body.contains('"rated":true'))
        return self._load_queried_standings(query)

    def _load_queried_standings(self, query: Select[datetime, str]) -> list[tuple[datetime, Standing]]:
        """The rows that a query for times and bodies finds; rows of another release that cannot be read are left out."""
        with GIL_LOCK.release_during_block(), self.reading.connect() as connection:
            found = connection.execute(query).all()
        return [(ensure_utc(at), line) for at, body in found if (line := _parse_row(body)) is not None]

    def list_unreadable_standings(self) -> list[str]:
        """The ids of tables whose rows cannot be read, because another release has written them."""
        with self.reading.connect() as connection:
            kept = connection.execute(select(STANDINGS.c.table_id, STANDINGS.c.body))
            return [table for table, body in kept if _parse_row(body) is None]

    def list_tables_with_deadlines(self, before: datetime | None = None) -> list[str]:
        """The ids of tables where a bot takes over when the clock runs out; with a time, only those where it has run out by then."""
        query = select(STANDINGS.c.body).where(~STANDINGS.c.over, STANDINGS.c.body.contains('"deadline":"'))
        with self.reading.connect() as connection:
            found = [line for line in map(_parse_row, connection.scalars(query)) if line is not None]
        return [one.table for one in found if before is None or (one.deadline is not None and one.deadline <= before)]

    def _insert_statement(self, table: Table) -> postgresql.Insert | sqlite.Insert:
        """An insert statement that can say what happens to rows that exist (`on_conflict`)."""
        return _build_insert(table, self.shared)

    # --- The house --------------------------------------------------------------------------------

    def get_value(self, name: str) -> str | None:
        """The server's value stored under a name; None where there is none."""
        with self.reading.connect() as connection:
            return connection.scalar(select(HOUSE.c.value).where(HOUSE.c.name == name))

    def set_value(self, name: str, value: str) -> None:
        """Store a value of the server under a name, replacing an earlier one."""
        row = self._insert_statement(HOUSE).values(name=name, value=value)
        put = row.on_conflict_do_update(index_elements=["name"], set_={"value": value})
        self.run_in_transaction(lambda connection: connection.execute(put))

    def pop_value(self, name: str) -> str | None:
        """The value stored under a name, deleted by this call, so that only one of several callers gets it. None where there is none."""
        found: list[str] = []
        gone = delete(HOUSE).where(HOUSE.c.name == name).returning(HOUSE.c.value)
        self.run_in_transaction(lambda connection: found.extend(connection.scalars(gone)))
        return found[0] if found else None

    def drop_expired(self) -> None:
        """Delete values whose time has passed (those whose names begin with one of EXPIRING)."""
        passing = or_(*(HOUSE.c.name.startswith(one) for one in EXPIRING))
        old = delete(HOUSE).where(passing, HOUSE.c.value < self.now().isoformat())
        self.run_in_transaction(lambda connection: connection.execute(old))

    def get_server_key(self) -> bytes:
        """The server's key, from which seat links are made: created once, kept for good."""
        query = select(HOUSE.c.value).where(HOUSE.c.name == "key")
        with self.engine.begin() as connection:
            value = connection.scalar(query)
        if value is None:
            try:
                with self.engine.begin() as connection:
                    connection.execute(HOUSE.insert(), [{"name": "key", "value": json.dumps(secrets.token_hex(32))}])
            except IntegrityError:
                pass  # another process was quicker; its key is the one
            with self.engine.begin() as connection:
                value = connection.scalar(query)
        return bytes.fromhex(json.loads(str(value)))


def _build_insert(table: Table, is_postgres: bool) -> postgresql.Insert | sqlite.Insert:
    """An insert statement for the kind of database. `is_postgres`: PostgreSQL."""
    return postgresql.insert(table) if is_postgres else sqlite.insert(table)


@functools.cache
def _build_row_upsert(is_postgres: bool) -> postgresql.Insert | sqlite.Insert:
    """The statement that stores rows of the lobby, built once. `is_postgres`: for PostgreSQL."""
    line = _build_insert(STANDINGS, is_postgres)
    told = {name: line.excluded[name] for name in ("at", "seq", "over", "open_to_watch", "body")}
    newer = STANDINGS.c.seq <= line.excluded.seq
    return line.on_conflict_do_update(index_elements=["table_id"], set_=told, where=newer)


def _parse_row(body: str) -> Standing | None:
    """A stored row of the lobby; None where another release has written it in a form that cannot be read."""
    try:
        return Standing.model_validate_json(body)
    except ValidationError:
        return None


def ensure_utc(time: datetime) -> datetime:
    """The time with the time zone UTC if it has none; SQLite returns times without one."""
    return time if time.tzinfo else time.replace(tzinfo=UTC)
