"""The queue of bots' decisions in a database that several processes share: any of them may take one (SELECT … FOR UPDATE SKIP LOCKED).

A decision is one transaction. Its row is locked, and skipped by all other processes, while one of them computes it; the move, the
deletion of the row and the row of the next bot are committed together or not at all. If a process is killed meanwhile, its lock goes
with its connection, and another process takes the decision. (A queue outside of the database could disagree with the stored events
about which decisions were made.)
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection, DateTime, Engine, and_, delete, exists, func, select, tuple_, update
from sqlalchemy.sql.elements import ColumnElement

from sutler.web.jobs.job_queue import IDLE_LANE, IDLE_WAIT_S, LANES, Lane
from sutler.web.storage.schema import DUE


@dataclass(frozen=True)
class Claim:
    """A bot's decision that this thread has claimed, after event `seq` of a table; no one else can while the connection is open."""

    table: str
    seq: int
    connection: Connection


def database_time_expression(seconds_later: float = 0.0) -> ColumnElement[object]:
    """An SQL expression for the time by the database's clock, plus `seconds_later` seconds; the clocks of processes may differ."""
    now: ColumnElement[object] = func.clock_timestamp(type_=DateTime(timezone=True))
    return now + timedelta(seconds=seconds_later) if seconds_later else now


class SharedJobs:
    """The queue of bots' decisions in one database (the table "due")."""

    def __init__(self, engine: Engine, reading: Engine) -> None:
        """`reading`: the same engine for single queries, without transactions."""
        self.engine, self.reading = engine, reading
        self._own = threading.local()

    def add_decision(self, connection: Connection, table: str, seq: int, lane: Lane, pause: float) -> None:
        """Queue a bot's decision at this table after event `seq`, due after `pause` seconds.

        In an idle lane (nobody waits for it) it goes IDLE_WAIT_S later than others that are due.
        """
        turn = pause + lane.patience + (IDLE_WAIT_S if lane is IDLE_LANE else 0.0)
        row = DUE.insert().values(
            table_id=table,
            seq=seq,
            lane=lane.name,
            at=database_time_expression(pause),
            turn=database_time_expression(turn),
        )
        connection.execute(row)

    def add_decision_if_missing(self, table: str, seq: int, lane: Lane, pause: float = 0.0) -> None:
        """Queue a bot's decision for a table that has none queued. Arguments as for `add_decision`."""
        with self.engine.begin() as connection:
            if not connection.scalar(select(exists().where(DUE.c.table_id == table))):
                self.add_decision(connection, table, seq, lane, pause)

    @contextlib.contextmanager
    def claim_decision(self, lanes: Sequence[Lane]) -> Iterator[Claim | None]:
        """Claim a decision of these lanes that is due; yields None when there is none.

        When the block raises, the decision stays in the queue.
        """
        newer = DUE.alias()
        later = exists().where(and_(newer.c.table_id == DUE.c.table_id, newer.c.seq > DUE.c.seq))
        query = select(DUE.c.table_id, DUE.c.seq).where(
            self._build_lane_condition(lanes), DUE.c.at <= database_time_expression(), ~later
        )
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

    def get_claim_of_thread(self, table: str) -> Claim | None:
        """The decision that this thread has claimed at a table; None where it has none."""
        claim: Claim | None = getattr(self._own, "claim", None)
        return claim if claim is not None and claim.table == table else None

    def is_newest(self, claim: Claim) -> bool:
        """Is this the latest decision queued for its table?

        If it is not, the process that takes the later one deletes this row too.
        """
        query = select(exists().where(DUE.c.table_id == claim.table, DUE.c.seq > claim.seq))
        return not claim.connection.scalar(query)

    def finish_claim(self, claim: Claim) -> None:
        """Delete the row of a decision that was made or is void, and older rows of its table; commit the claim's transaction."""
        rows = select(DUE.c.table_id, DUE.c.seq).where(DUE.c.table_id == claim.table, DUE.c.seq <= claim.seq)
        found = rows.with_for_update(skip_locked=True)
        claim.connection.execute(delete(DUE).where(tuple_(DUE.c.table_id, DUE.c.seq).in_(found)))
        claim.connection.commit()
        self._own.claim = None

    def postpone_claim(self, claim: Claim, seconds: float) -> None:
        """Give up a claimed decision; it is due again after this many seconds."""
        claim.connection.rollback()
        row = and_(DUE.c.table_id == claim.table, DUE.c.seq == claim.seq)
        claim.connection.execute(
            update(DUE).where(row).values(at=database_time_expression(seconds), turn=database_time_expression(seconds))
        )
        claim.connection.commit()
        self._own.claim = None

    def count_waiting_by_lane(self, *lanes: Lane) -> dict[str, int]:
        """The number of decisions that are due, by the name of the lane."""
        query = (
            select(DUE.c.lane, func.count())
            .where(self._build_lane_condition(lanes), DUE.c.at <= database_time_expression())
            .group_by(DUE.c.lane)
        )
        with self.reading.connect() as connection:
            found = {str(lane): int(number) for lane, number in connection.execute(query)}
        return {lane.name: found.get(lane.name, 0) for lane in lanes}

    @staticmethod
    def _build_lane_condition(lanes: Sequence[Lane]) -> ColumnElement[bool]:
        """The condition that a row is in one of these lanes (in any, if none is named)."""
        return DUE.c.lane.in_([lane.name for lane in lanes or LANES])
