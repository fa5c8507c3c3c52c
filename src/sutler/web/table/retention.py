"""How long tables are kept: lessons for some weeks, games for good unless the administrator deletes old ones."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement, Connection, delete, func, select

from sutler.web.accounts.moderation import log_action
from sutler.web.events import Removed
from sutler.web.storage.schema import DUE, EVENTS, PRESENT, SNAPSHOTS, STANDINGS
from sutler.web.storage.store import Store

UNTOUCHED_LESSON_DAYS = 1
"""Days after which a lesson is deleted that has not come to its second step."""
LESSON_DAYS = 30
"""Days after which any other lesson is deleted that nobody has continued."""
BATCH_TABLES = 200
"""Tables that are deleted in one transaction, since players' moves wait for it."""
_REMOVED = {"kind": Removed().kind, "body": Removed().model_dump_json()}
_IS_LESSON = STANDINGS.c.body.contains('"lesson":"') & ~STANDINGS.c.body.contains('"lesson":""')
_IS_UNTOUCHED = STANDINGS.c.body.contains('"step":0,') | STANDINGS.c.body.contains('"step":1,')


def delete_abandoned_lessons(store: Store) -> list[str]:
    """Delete lessons that nobody continues; return the ids of their tables."""
    untouched = _older_than_condition(store, UNTOUCHED_LESSON_DAYS) & _IS_LESSON & _IS_UNTOUCHED & ~STANDINGS.c.over
    return _delete_tables(
        store, _query_tables(store, untouched | (_older_than_condition(store, LESSON_DAYS) & _IS_LESSON))
    )


def list_old_tables(store: Store, days: float, unfinished: bool = False) -> list[str]:
    """The ids of tables without an event for this many days, oldest first; with `unfinished`, only of games that are not over."""
    old = _older_than_condition(store, days)
    return _query_tables(store, old & ~STANDINGS.c.over if unfinished else old)


def prune_tables(store: Store, tables: Sequence[str]) -> int:
    """Delete these tables for good, and note it in the moderation log; return their number."""
    dropped = _delete_tables(store, tables)
    if dropped:
        store.run_in_transaction(lambda connection: log_action(connection, "pruned", f"{len(dropped)} tables"))
    return len(dropped)


def _older_than_condition(store: Store, days: float) -> ColumnElement[bool]:
    """The condition that a table's row was written more than this many days ago."""
    return STANDINGS.c.at < store.now() - timedelta(days=days)


def _query_tables(store: Store, condition: ColumnElement[bool]) -> list[str]:
    """The ids of tables whose rows fulfil a condition, oldest first."""
    with store.engine.connect() as connection:
        return list(connection.scalars(select(STANDINGS.c.table_id).where(condition).order_by(STANDINGS.c.at)))


def _delete_tables(store: Store, tables: Sequence[str]) -> list[str]:
    """Delete these tables in batches, notify other processes, and return the ids."""
    for first in range(0, len(tables), BATCH_TABLES):
        batch = tables[first : first + BATCH_TABLES]
        store.run_in_transaction(lambda connection, batch=batch: _delete_batch(connection, store, batch))  # type: ignore[misc]
        for table in batch:
            store.notify_processes(f"gone {table}")
    if tables:
        store.purge_deleted_data()
    return list(tables)


def _delete_batch(connection: Connection, store: Store, tables: Sequence[str]) -> None:
    """Delete all data of these tables.

    One event stays, under the number that comes next, so that a process which still has the table loaded cannot append to it.
    """
    here = EVENTS.c.table_id.in_(tables)
    last = dict(
        connection.execute(
            select(EVENTS.c.table_id, func.max(EVENTS.c.seq)).where(here).group_by(EVENTS.c.table_id)
        ).all()
    )
    connection.execute(delete(EVENTS).where(here))
    gone = {"at": store.now(), **_REMOVED}
    if last:
        connection.execute(EVENTS.insert(), [{"table_id": one, "seq": seq + 1, **gone} for one, seq in last.items()])
    for kept in (PRESENT, STANDINGS, SNAPSHOTS, DUE):
        connection.execute(delete(kept).where(kept.c.table_id.in_(tables)))
