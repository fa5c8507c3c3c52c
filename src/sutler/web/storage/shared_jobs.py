"""Decisions that wait, in a database that several processes share: any of them may take one.

A decision is one transaction. Its row is locked, and passed over by all others, while somebody thinks about it; the move, the
end of the row and the next bot's row are kept together or not at all. Whoever is killed meanwhile lets go of the lock with
the connection, and another takes it up. (A queue beside the events would need its own say on what was done; here there is one.)
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection, DateTime, Engine, and_, delete, exists, func, select, tuple_, update
from sqlalchemy.sql.elements import ColumnElement

from sutler.web.jobs.queue import IDLE, LANES, LONG, Lane
from sutler.web.storage.schema import DUE


@dataclass(frozen=True)
class Claim:
    """A decision that this thread has taken: nobody else will as long as the connection holds."""

    table: str
    seq: int
    connection: Connection


def database_time(later: float = 0.0) -> ColumnElement[object]:
    """By the database's clock: the processes' own may differ."""
    now: ColumnElement[object] = func.clock_timestamp(type_=DateTime(timezone=True))
    return now + timedelta(seconds=later) if later else now


class Due:
    """The decisions of one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._own = threading.local()

    def add(self, connection: Connection, table: str, seq: int, lane: Lane, pause: float) -> None:
        """After so many events at this table a bot is to decide, after a pause. What nobody waits for has time."""
        turn = pause + lane.patience + (LONG if lane is IDLE else 0.0)
        row = DUE.insert().values(
            table_id=table, seq=seq, lane=lane.name, at=database_time(pause), turn=database_time(turn)
        )
        connection.execute(row)

    def see_to(self, table: str, seq: int, lane: Lane, pause: float = 0.0) -> None:
        """Should a table's decision wait for nobody, it waits from now on."""
        with self.engine.begin() as connection:
            if not connection.scalar(select(exists().where(DUE.c.table_id == table))):
                self.add(connection, table, seq, lane, pause)

    @contextlib.contextmanager
    def claim(self, lanes: Sequence[Lane]) -> Iterator[Claim | None]:
        """Take a decision that is due; None when there is none. Left with an exception it waits for somebody else."""
        newer = DUE.alias()
        later = exists().where(and_(newer.c.table_id == DUE.c.table_id, newer.c.seq > DUE.c.seq))
        query = select(DUE.c.table_id, DUE.c.seq).where(self._of(lanes), DUE.c.at <= database_time(), ~later)
        query = query.order_by(DUE.c.turn).limit(1).with_for_update(skip_locked=True, of=DUE)
        with self.engine.connect() as connection:
            found = connection.execute(query).first()
            if found is None:
                yield None
                return
            self._own.claim = claim = Claim(found[0], found[1], connection)
            try:
                yield claim
            finally:
                self._own.claim = None

    def own(self, table: str) -> Claim | None:
        """What this thread has taken at a table."""
        claim: Claim | None = getattr(self._own, "claim", None)
        return claim if claim is not None and claim.table == table else None

    def is_newest(self, claim: Claim) -> bool:
        """Has nothing happened since that makes a bot decide? Whoever takes that will see to this as well."""
        query = select(exists().where(DUE.c.table_id == claim.table, DUE.c.seq > claim.seq))
        return not claim.connection.scalar(query)

    def finish(self, claim: Claim) -> None:
        """It was decided, or there is nothing to decide: the row goes, with those it was newer than."""
        rows = select(DUE.c.table_id, DUE.c.seq).where(DUE.c.table_id == claim.table, DUE.c.seq <= claim.seq)
        found = rows.with_for_update(skip_locked=True)
        claim.connection.execute(delete(DUE).where(tuple_(DUE.c.table_id, DUE.c.seq).in_(found)))
        claim.connection.commit()
        self._own.claim = None

    def put_off(self, claim: Claim, seconds: float) -> None:
        """Nothing came of it: it is tried again later."""
        claim.connection.rollback()
        row = and_(DUE.c.table_id == claim.table, DUE.c.seq == claim.seq)
        claim.connection.execute(update(DUE).where(row).values(at=database_time(seconds), turn=database_time(seconds)))
        claim.connection.commit()
        self._own.claim = None

    def pause(self, lanes: Sequence[Lane]) -> float | None:
        """Seconds until the next will be due; None when none is to come."""
        query = select(func.min(DUE.c.at) - database_time()).where(self._of(lanes), DUE.c.at > database_time())
        with self.engine.connect() as connection:
            wait = connection.scalar(query)
        return None if wait is None else max(0.0, wait.total_seconds())

    def waiting(self, *lanes: Lane) -> dict[str, int]:
        """How many of each lane are due."""
        query = (
            select(DUE.c.lane, func.count()).where(self._of(lanes), DUE.c.at <= database_time()).group_by(DUE.c.lane)
        )
        with self.engine.connect() as connection:
            found = {str(lane): int(number) for lane, number in connection.execute(query)}
        return {lane.name: found.get(lane.name, 0) for lane in lanes}

    @staticmethod
    def _of(lanes: Sequence[Lane]) -> ColumnElement[bool]:
        return DUE.c.lane.in_([lane.name for lane in lanes or LANES])
