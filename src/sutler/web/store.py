"""What is kept: events, appended and never changed. A room is rebuilt from its events; everything else is derived."""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    DateTime,
    Engine,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    event,
    func,
    inspect,
    select,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError
from sqlalchemy.pool import StaticPool

from sutler.web.protocol import Event, Standing
from sutler.web.together import Together

META = MetaData()

EVENTS = Table(
    "events",
    META,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", String(16), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("body", Text, nullable=False),
    UniqueConstraint("table_id", "seq", name="one_event_per_number"),
)
"""The truth: what happened at each table, in order."""

PRESENT = Table(
    "present",
    META,
    Column("browser", String(64), primary_key=True),
    Column("table_id", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
)
"""Which browser (a hash of its cookie) has sat where: "my tables" in the lobby."""

STANDINGS = Table(
    "standings",
    META,
    Column("table_id", String(16), primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False, index=True),
    Column("over", Boolean, nullable=False),
    Column("open_to_watch", Boolean, nullable=False),
    Column("body", Text, nullable=False),
)
"""One line per table for the lobby; can be thrown away and derived again."""

HOUSE = Table("house", META, Column("name", String(32), primary_key=True), Column("value", Text, nullable=False))
"""What the house itself remembers: the key its seat links are made with."""

BOXES = Table(
    "boxes",
    META,
    Column("fingerprint", String(32), primary_key=True),
    Column("body", Text, nullable=False),
)
"""Whole boxes, each once: a game goes on with the one it began with."""

SNAPSHOTS = Table(
    "snapshots",
    META,
    Column("table_id", String(16), primary_key=True),
    Column("decision", Integer, primary_key=True),
    Column("state", LargeBinary, nullable=False),
)
"""States in the course of a game: they show where changed rules lead elsewhere, and one can go on from them."""

MIGRATIONS = Path(__file__).parent / "migrations"
HEAD = "0002"
"""The newest migration; a database that says so needs no Alembic to start."""

_EVENT: TypeAdapter[Event] = TypeAdapter(Event)


@dataclass(frozen=True)
class Kept:
    """An event as it was kept."""

    seq: int
    at: datetime
    event: Event


class Trouble(OSError):
    """The database cannot be used: says why, and what to do."""


@contextlib.contextmanager
def in_words(url: str) -> Iterator[None]:
    """Whatever is wrong with a database is said in words, with what to do."""
    try:
        where = make_url(url).render_as_string(hide_password=True)
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
    ("disk I/O", "the disk does not answer as it should; look after it, and bring back a copy with `sutler restore`"),
)


def _advice(told: str) -> str:
    """What to do about what a database says."""
    return next((advice for sign, advice in ADVICE if sign in told), "it cannot be used")


def _keep_private(file: str | None) -> None:
    """Nobody else on this machine may read who sits where, or what is in whose hand."""
    if file and file != ":memory:":
        path = Path(file)
        if not path.exists() and path.parent.is_dir():
            path.touch(mode=0o600)
        for part in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
            if part.exists():
                with contextlib.suppress(OSError):  # somebody else's file: they know best
                    part.chmod(0o600)


class Conflict(Exception):
    """Somebody else wrote to this table first."""


class Store:
    """The events of all tables, in SQLite (WAL) or in whatever `url` names."""

    def __init__(self, url: str) -> None:
        self.url = url
        memory = url in ("sqlite://", "sqlite:///:memory:")
        options: dict[str, Any] = {"poolclass": StaticPool} if memory else {"pool_pre_ping": True}
        if url.startswith("sqlite"):
            options["connect_args"] = {"check_same_thread": False, "timeout": 15}
        with in_words(url):
            self.engine: Engine = create_engine(url, **options)
            if url.startswith("sqlite"):
                event.listen(self.engine, "connect", _careful_sqlite)
                _keep_private(self.engine.url.database)
            self._migrate()
        self.together = Together(self.engine)

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
    ) -> None:
        """Add events to a table, numbered from `seq`. Conflict when these are taken; nothing is written then.

        `snapshot`: the state after so many decisions, kept with them; `drop_from`: those kept from there on are void.
        """
        now = datetime.now(UTC)
        rows = [
            {"table_id": table, "seq": seq + i, "at": now, "kind": one.kind, "body": one.model_dump_json()}
            for i, one in enumerate(events)
        ]

        def write(connection: Connection) -> None:
            connection.execute(EVENTS.insert(), rows)
            if drop_from is not None:
                mine = SNAPSHOTS.c.table_id == table
                connection.execute(SNAPSHOTS.delete().where(mine, SNAPSHOTS.c.decision >= drop_from))
            if snapshot is not None:
                row = {"table_id": table, "decision": snapshot[0], "state": snapshot[1]}
                connection.execute(SNAPSHOTS.insert(), [row])

        try:
            self.together.write(write)
        except IntegrityError as error:
            raise Conflict(table) from error

    def events(self, table: str) -> list[Kept]:
        """Everything that happened at a table, in order; empty when there is no such table."""
        query = (
            select(EVENTS.c.seq, EVENTS.c.at, EVENTS.c.body).where(EVENTS.c.table_id == table).order_by(EVENTS.c.seq)
        )
        with self.engine.connect() as connection:
            return [Kept(seq, _aware(at), _EVENT.validate_json(body)) for seq, at, body in connection.execute(query)]

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
        query = select(EVENTS.c.table_id).where(EVENTS.c.seq == 0).order_by(EVENTS.c.id)
        with self.engine.connect() as connection:
            return list(connection.scalars(query))

    # --- Boxes --------------------------------------------------------------------------------------

    def keep_box(self, fingerprint: str, data: Mapping[str, Any]) -> None:
        """Keep a whole box, if it is not kept yet."""
        if self.box(fingerprint) is not None:
            return
        row = {"fingerprint": fingerprint, "body": json.dumps(data, ensure_ascii=False)}
        with contextlib.suppress(IntegrityError):  # another was quicker
            self.together.write(lambda connection: connection.execute(BOXES.insert(), [row]))

    def box(self, fingerprint: str) -> dict[str, Any] | None:
        """A box that was kept; None when there is none such."""
        with self.engine.connect() as connection:
            body = connection.scalar(select(BOXES.c.body).where(BOXES.c.fingerprint == fingerprint))
        return None if body is None else dict(json.loads(body))

    # --- The lobby --------------------------------------------------------------------------------

    def seated(self, browser: str, table: str, seats: Sequence[int]) -> None:
        """This browser sits at these seats."""

        def write(connection: Connection) -> None:
            query = select(PRESENT.c.seat).where(PRESENT.c.browser == browser, PRESENT.c.table_id == table)
            known = set(connection.scalars(query))
            new = [{"browser": browser, "table_id": table, "seat": seat} for seat in seats if seat not in known]
            if new:
                connection.execute(PRESENT.insert(), new)

        self.together.write(write)

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
                "over": standing.over,
                "open_to_watch": standing.open_to_watch,
                "body": standing.model_dump_json(),
            }
            for standing in standings
        ]

        def write(connection: Connection) -> None:
            connection.execute(STANDINGS.delete().where(STANDINGS.c.table_id.in_([row["table_id"] for row in rows])))
            connection.execute(STANDINGS.insert(), rows)

        self.together.write(write)

    def standings(
        self, tables: Sequence[str] | None = None, over: bool | None = None, limit: int = 50
    ) -> list[tuple[datetime, Standing]]:
        """Lines for the lobby, newest first: of these tables, or of all that are open to watch."""
        query = select(STANDINGS.c.at, STANDINGS.c.body).order_by(STANDINGS.c.at.desc()).limit(limit)
        query = query.where(STANDINGS.c.table_id.in_(tables) if tables is not None else STANDINGS.c.open_to_watch)
        if over is not None:
            query = query.where(STANDINGS.c.over == over)
        with self.engine.connect() as connection:
            return [(_aware(at), Standing.model_validate_json(body)) for at, body in connection.execute(query)]

    # --- The house --------------------------------------------------------------------------------

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


def _careful_sqlite(connection: Any, _record: Any) -> None:
    """Readers never wait for the writer, and a move that was acknowledged is on the disk, whatever happens then."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA busy_timeout=15000")
    cursor.close()


def _aware(at: datetime) -> datetime:
    """SQLite forgets that times are UTC."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)
