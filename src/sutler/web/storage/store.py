"""What is kept: events, appended and never changed. A room is rebuilt from its events; everything else is derived."""

from __future__ import annotations

import contextlib
import functools
import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, Engine, Table, create_engine, delete, event, func, inspect, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.pool import StaticPool

from sutler.web.events import ANY_EVENT, Event
from sutler.web.jobs.gil_priority import FLOOR
from sutler.web.jobs.queue import Lane
from sutler.web.storage.databases import (
    ADVICE,
    Trouble,
    careful_postgres,
    careful_sqlite,
    in_words,
    keep_private,
    parts_of,
)
from sutler.web.storage.group_commit import Job, Together
from sutler.web.storage.listing_row import Standing
from sutler.web.storage.schema import BOXES, EVENTS, HOUSE, META, PRESENT, SNAPSHOTS, STANDINGS
from sutler.web.storage.shared_jobs import Due

MIGRATIONS = Path(__file__).parent.parent / "migrations"
HEAD = "0008"
"""The newest migration; a database that says so needs no Alembic to start."""

CHANNEL = "sutler"
"""Where processes that share a database tell each other what happened."""
STARTING = 0x5A71E4
"""The number of the lock that a process holds while it sees to the database's form."""
ADD_EVENTS = EVENTS.insert()
"""Put together once: that takes longer than to keep a move with it."""


@dataclass(frozen=True)
class Kept:
    """An event as it was kept."""

    seq: int
    at: datetime
    event: Event


class Conflict(Exception):
    """Somebody else wrote to this table first."""


class Store:
    """The events of all tables, in SQLite (WAL), which is one process's alone, or in PostgreSQL, which many may share."""

    def __init__(self, url: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.now = now
        memory = url in ("sqlite://", "sqlite:///:memory:")
        options: dict[str, Any] = (
            {"poolclass": StaticPool} if memory else {"pool_pre_ping": not url.startswith("sqlite")}
        )
        if url.startswith("sqlite"):
            options["connect_args"] = {"check_same_thread": False, "timeout": 15}
        with in_words(url):
            parts = parts_of(url)
            self.url = parts.render_as_string(hide_password=True)
            self.shared = parts.get_backend_name() == "postgresql"
            if self.shared:
                options |= {"pool_size": 10, "max_overflow": 20}
            self.engine: Engine = create_engine(parts, **options)
            self.due = Due(self.engine) if self.shared else None
            self.together = Together(self.engine)
            if not self.shared:
                event.listen(self.engine, "connect", careful_sqlite)
                keep_private(self.engine.url.database)
            else:
                event.listen(self.engine, "connect", careful_postgres)
            with self._alone():
                self._migrate()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """While one process sees to the form of a database that is shared, others that start wait."""
        if not self.shared:
            yield
            return
        with self.engine.begin() as connection:
            connection.execute(select(func.pg_advisory_xact_lock(STARTING)))
            yield

    def _migrate(self) -> None:
        """Bring the database to the newest form; one that is up to date is left alone."""
        revision = self._revision()
        if revision == HEAD:
            return
        if revision is not None and not any((MIGRATIONS / "versions").glob(f"{revision}_*.py")):
            raise Trouble(f"{self.url}: a newer Sutler wrote this database ({revision}); upgrade, or name another")
        tables = inspect(self.engine).get_table_names()
        if tables and "alembic_version" not in tables:
            raise Trouble(f"{self.url}: this database is another program's ({', '.join(tables[:4])}); name another")
        if not tables:
            with self.engine.begin() as connection:  # a fresh one needs no history
                META.create_all(connection)
                connection.exec_driver_sql(
                    "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"
                )
                connection.exec_driver_sql(f"INSERT INTO alembic_version VALUES ('{HEAD}')")
            return
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with self.engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def _revision(self) -> str | None:
        try:
            with self.engine.connect() as connection:
                return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        except DBAPIError as error:
            if any(sign in str(error.orig) for sign, _ in ADVICE):
                raise
            return None

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    # --- Events -----------------------------------------------------------------------------------

    def append(
        self,
        table: str,
        seq: int,
        events: Sequence[Event],
        snapshot: tuple[int, bytes] | None = None,
        drop_from: int | None = None,
        bot: tuple[Lane, float] | None = None,
    ) -> datetime:
        """Add events to a table, numbered from `seq`; the time they are kept under. Conflict when these are taken.

        `snapshot`: the state after so many decisions, kept with them; `drop_from`: those kept from there on are void;
        `bot`: one is to decide after a pause, and whoever shares this database may see to it.
        """
        now = self.now()
        rows = [
            {"table_id": table, "seq": seq + i, "at": now, "kind": one.kind, "body": one.model_dump_json()}
            for i, one in enumerate(events)
        ]

        def write(connection: Connection) -> None:
            connection.execute(ADD_EVENTS, rows)
            if drop_from is not None:
                mine = SNAPSHOTS.c.table_id == table
                connection.execute(SNAPSHOTS.delete().where(mine, SNAPSHOTS.c.decision >= drop_from))
            if snapshot is not None:
                row = {"table_id": table, "decision": snapshot[0], "state": snapshot[1]}
                connection.execute(SNAPSHOTS.insert(), [row])
            if self.due is not None:
                self._tell(connection, f"at {table} {seq + len(rows)}")
                if bot is not None:
                    self.due.add(connection, table, seq + len(rows), *bot)
                    self._tell(connection, "due")

        try:
            self.write(write, table)
        except IntegrityError as error:
            raise Conflict(table) from error
        return now

    def write(self, job: Job, table: str = "") -> None:
        """All or nothing. What was decided for a bot is kept with the end of its waiting, in one transaction.

        PostgreSQL itself lets many wait for the disk together; SQLite has to be helped.
        """
        with FLOOR.aside():
            self._write(job, table)

    def _write(self, job: Job, table: str) -> None:
        claim = self.due.own(table) if self.due is not None else None
        if self.due is None:
            self.together.write(job)
        elif claim is None:
            with self.engine.begin() as connection:
                job(connection)
        else:
            with claim.connection.begin_nested():
                job(claim.connection)
            self.due.finish(claim)

    def tell(self, text: str) -> None:
        """Something that other processes of this house must hear."""
        if self.shared:
            with self.engine.begin() as connection:
                self._tell(connection, text)

    @staticmethod
    def _tell(connection: Connection, text: str) -> None:
        """Other processes hear it when, and only if, the rest is kept."""
        connection.execute(select(func.pg_notify(CHANNEL, text)))

    def events(self, table: str, since: int = 0) -> list[Kept]:
        """Everything that happened at a table from an event on, in order; empty when there is no such table."""
        query = select(EVENTS.c.seq, EVENTS.c.at, EVENTS.c.body).order_by(EVENTS.c.seq)
        query = query.where(EVENTS.c.table_id == table, EVENTS.c.seq >= since)
        with FLOOR.aside(), self.engine.connect() as connection:
            found = connection.execute(query).all()
        return [Kept(seq, aware(at), ANY_EVENT.validate_json(body)) for seq, at, body in found]

    def snapshots(self, table: str) -> dict[int, bytes]:
        """The states kept in the course of a game, by how many decisions were made."""
        query = select(SNAPSHOTS.c.decision, SNAPSHOTS.c.state).where(SNAPSHOTS.c.table_id == table)
        with self.engine.connect() as connection:
            return {decision: bytes(state) for decision, state in connection.execute(query)}

    def count(self) -> int:
        """How many tables there are: each has one line for the lobby."""
        with self.engine.connect() as connection:
            return int(connection.scalar(select(func.count()).select_from(STANDINGS)) or 0)

    def tables(self) -> list[str]:
        """Every table there ever was, the oldest first."""
        query = select(EVENTS.c.table_id).where(EVENTS.c.seq == 0, EVENTS.c.kind != "removed").order_by(EVENTS.c.id)
        with self.engine.connect() as connection:
            return list(connection.scalars(query))

    # --- Boxes --------------------------------------------------------------------------------------

    def keep_box(self, fingerprint: str, data: Mapping[str, Any]) -> None:
        """Keep a whole box, if it is not kept yet."""
        if self.box(fingerprint) is not None:
            return
        row = {"fingerprint": fingerprint, "body": json.dumps(data, ensure_ascii=False)}
        with contextlib.suppress(IntegrityError):  # another was quicker
            self.write(lambda connection: connection.execute(BOXES.insert(), [row]))

    def box(self, fingerprint: str) -> dict[str, Any] | None:
        """A box that was kept; None when there is none such."""
        with self.engine.connect() as connection:
            body = connection.scalar(select(BOXES.c.body).where(BOXES.c.fingerprint == fingerprint))
        return None if body is None else dict(json.loads(body))

    # --- The lobby --------------------------------------------------------------------------------

    def seated(self, browser: str, table: str, seats: Sequence[int]) -> None:
        """This browser sits at these seats."""
        rows = [{"browser": browser, "table_id": table, "seat": seat} for seat in seats]
        if rows:
            self.write(lambda connection: connection.execute(self._insert(PRESENT).on_conflict_do_nothing(), rows))

    def seats_of(self, browser: str) -> dict[str, list[int]]:
        """The tables this browser has sat at, and where."""
        out: dict[str, list[int]] = {}
        query = select(PRESENT.c.table_id, PRESENT.c.seat).where(PRESENT.c.browser == browser).order_by(PRESENT.c.seat)
        with self.engine.connect() as connection:
            for table, seat in connection.execute(query):
                out.setdefault(table, []).append(seat)
        return out

    def stand(self, standings: Sequence[Standing]) -> None:
        """Keep these tables' lines for the lobby."""
        now = datetime.now(UTC)
        rows = [
            {
                "table_id": standing.table,
                "at": now,
                "seq": standing.seq,
                "over": standing.over,
                "open_to_watch": standing.open_to_watch,
                "body": standing.model_dump_json(),
            }
            for standing in sorted(standings, key=lambda one: one.table)  # two processes never lock them crosswise
        ]
        put = _put_lines(self.shared)
        self.write(lambda connection: connection.execute(put, rows))

    def standings(
        self, tables: Sequence[str] | None = None, over: bool | None = None, limit: int = 50
    ) -> list[tuple[datetime, Standing]]:
        """Lines for the lobby, newest first: of these tables, or of all that are open to watch."""
        query = select(STANDINGS.c.at, STANDINGS.c.body).order_by(STANDINGS.c.at.desc()).limit(limit)
        query = query.where(STANDINGS.c.table_id.in_(tables) if tables is not None else STANDINGS.c.open_to_watch)
        if over is not None:
            query = query.where(STANDINGS.c.over == over)
        with self.engine.connect() as connection:
            kept = [(aware(at), _line(body)) for at, body in connection.execute(query)]
        return [(at, line) for at, line in kept if line is not None]

    def unread(self) -> list[str]:
        """The tables whose lines nobody here can read, since another release has written them."""
        with self.engine.connect() as connection:
            kept = connection.execute(select(STANDINGS.c.table_id, STANDINGS.c.body))
            return [table for table, body in kept if _line(body) is None]

    def deadlines(self, before: datetime | None = None) -> list[str]:
        """The tables at which a clock runs that has consequences; with a time, those at which it has run out by then."""
        query = select(STANDINGS.c.body).where(~STANDINGS.c.over, STANDINGS.c.body.contains('"deadline":"'))
        with self.engine.connect() as connection:
            found = [line for line in map(_line, connection.scalars(query)) if line is not None]
        return [one.table for one in found if before is None or (one.deadline is not None and one.deadline <= before)]

    def _insert(self, table: Table) -> postgresql.Insert | sqlite.Insert:
        """Rows of which some may be there."""
        return _insert(table, self.shared)

    # --- The house --------------------------------------------------------------------------------

    def remembered(self, name: str) -> str | None:
        """What the house remembers under a name."""
        with self.engine.connect() as connection:
            return connection.scalar(select(HOUSE.c.value).where(HOUSE.c.name == name))

    def remember(self, name: str, value: str) -> None:
        """Remember this from now on, whatever it was before."""
        row = self._insert(HOUSE).values(name=name, value=value)
        put = row.on_conflict_do_update(index_elements=["name"], set_={"value": value})
        self.write(lambda connection: connection.execute(put))

    def taken_out(self, name: str) -> str | None:
        """What the house remembered under a name, and from now on no more; only one of several who ask gets it."""
        found: list[str] = []
        gone = delete(HOUSE).where(HOUSE.c.name == name).returning(HOUSE.c.value)
        self.write(lambda connection: found.extend(connection.scalars(gone)))
        return found[0] if found else None

    def drop_older(self, begins: str, value: str) -> None:
        """Forget what stands under names that begin so, where what is remembered comes before this in the alphabet."""
        old = delete(HOUSE).where(HOUSE.c.name.startswith(begins), HOUSE.c.value < value)
        self.write(lambda connection: connection.execute(old))

    def key(self) -> bytes:
        """The key seat links are made with: made once, kept for good."""
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


def _insert(table: Table, shared: bool) -> postgresql.Insert | sqlite.Insert:
    return postgresql.insert(table) if shared else sqlite.insert(table)


@functools.cache
def _put_lines(shared: bool) -> postgresql.Insert | sqlite.Insert:
    """The statement that keeps lines for the lobby; it is not put together anew each time."""
    line = _insert(STANDINGS, shared)
    told = {name: line.excluded[name] for name in ("at", "seq", "over", "open_to_watch", "body")}
    newer = STANDINGS.c.seq <= line.excluded.seq
    return line.on_conflict_do_update(index_elements=["table_id"], set_=told, where=newer)


def _line(body: str) -> Standing | None:
    """A line as it is kept; None if another release has written it so that it does not fit."""
    try:
        return Standing.model_validate_json(body)
    except ValidationError:
        return None


def aware(at: datetime) -> datetime:
    """SQLite forgets that times are UTC."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)
