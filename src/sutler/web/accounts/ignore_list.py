"""Ignore lists: a person does not read what another one says, at any table, until they want to again. Nobody else learns of it.

People are known by the hashes of their cookies, as everywhere. A list is deleted with either person, and moves with its owner to another
device.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, delete, func, or_, select, update

from sutler.web.errors import Lost, Refused, TooMany
from sutler.web.storage.schema import IGNORED, PRESENT
from sutler.web.storage.store import Store

MAX_IGNORED = 500
"""The most browsers on one person's list."""


def ignore_seat(store: Store, browser: str, table: str, seat: int) -> None:
    """Put every browser that has sat at a seat of a table on a person's list.

    `browser`: the hash of the person's cookie. Raises Lost where nobody else has sat there, TooMany where the list is full.
    """
    people = _find_others_at_seat(store, browser, table, seat)
    now = datetime.now(UTC)

    def write(connection: Connection) -> None:
        """Replace the rows of these browsers."""
        connection.execute(delete(IGNORED).where(IGNORED.c.browser == browser, IGNORED.c.ignored.in_(people)))
        known = connection.scalar(select(func.count()).where(IGNORED.c.browser == browser)) or 0
        if known + len(people) > MAX_IGNORED:
            raise TooMany("You have muted {n} people already; hear one of them again first.", n=MAX_IGNORED)
        connection.execute(IGNORED.insert(), [{"browser": browser, "ignored": one, "since": now} for one in people])

    store.run_in_transaction(write)


def stop_ignoring_seat(store: Store, browser: str, table: str, seat: int) -> None:
    """Remove every browser that has sat at a seat of a table from a person's list. Arguments and errors as for `ignore_seat`."""
    people = _find_others_at_seat(store, browser, table, seat)
    mine = (IGNORED.c.browser == browser, IGNORED.c.ignored.in_(people))
    store.run_in_transaction(lambda connection: connection.execute(delete(IGNORED).where(*mine)))


def _find_others_at_seat(store: Store, browser: str, table: str, seat: int) -> list[str]:
    """The browsers, except this one, that have sat at a seat. Refused where this browser has, Lost where nobody has."""
    held = store.load_browsers_at_table(table)
    if seat in held.get(browser, ()):
        raise Refused("This is your own seat.")
    people = [one for one, seats in held.items() if seat in seats]
    if not people:
        raise Lost("Nobody sits there.")
    return people


def find_ignored_seats(store: Store, browser: str, table: str) -> frozenset[int]:
    """The seats of a table at which somebody on this person's list has sat. `browser`: the hash of the person's cookie."""
    on_list = select(IGNORED.c.ignored).where(IGNORED.c.browser == browser)
    query = select(PRESENT.c.seat).where(PRESENT.c.table_id == table, PRESENT.c.browser.in_(on_list))
    with store.reading.connect() as connection:
        return frozenset(connection.scalars(query))


def count_ignored(store: Store, browser: str) -> int:
    """The number of browsers on a person's list. `browser`: the hash of the person's cookie."""
    with store.engine.connect() as connection:
        return int(connection.scalar(select(func.count()).where(IGNORED.c.browser == browser)) or 0)


def clear_list(store: Store, browser: str) -> None:
    """Remove everybody from a person's list. `browser`: the hash of the person's cookie."""
    store.run_in_transaction(lambda connection: connection.execute(delete(IGNORED).where(IGNORED.c.browser == browser)))


def move_list(connection: Connection, old: str, new: str) -> None:
    """Move a person's list, and their place on others' lists, from one hash of a cookie to another, within this transaction."""
    columns = ((IGNORED.c.browser, IGNORED.c.ignored), (IGNORED.c.ignored, IGNORED.c.browser))
    for mine, theirs in columns:
        there = select(theirs).where(mine == new).scalar_subquery()
        connection.execute(delete(IGNORED).where(mine == old, or_(theirs.in_(there), theirs == new)))
        connection.execute(update(IGNORED).where(mine == old).values({mine.name: new}))
