"""Notices of turns: a push message to a person's browsers when their turn has begun and they do not look at the table.

The message names the game and nothing else; a click on it leads to one's own page, where what waits stands. A browser that a push
service no longer knows is forgotten.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import delete, func, select

from sutler.web.accounts import web_push
from sutler.web.errors import Lost, TooMany
from sutler.web.events import Acted, Begun, Event
from sutler.web.jobs.queue import IDLE, JobQueue
from sutler.web.storage.schema import PRESENT, PUSHES
from sutler.web.storage.store import Store
from sutler.web.table import standing_orders
from sutler.web.table.people import subscribers
from sutler.web.table.room import Room

LOG = logging.getLogger("sutler.web")
NOTICE_DELAY_S = 10.0
"""Seconds after the beginning of a turn: somebody on the way to the table need not be notified."""
MAX_WAITING = 2000
"""Notices that wait to be sent; beyond that none is added until services answer again."""
MAX_BROWSERS_EACH = 8
"""The most browsers of one person that are notified."""
CONTACT = "push"
"""The name under which the database keeps the contact address for push services."""
GONE_STATUSES = (404, 410)
"""HTTP statuses by which a push service says that it does not know a browser any more."""


@dataclass(frozen=True)
class Notifier:
    """The sender of notices: the house's signature, and origins that are used unchecked (in tests)."""

    signature: web_push.Signature
    trusted: tuple[str, ...] = ()

    @property
    def public(self) -> str:
        """The public key with which a browser asks for messages."""
        return web_push.base64url(self.signature.public)


class NotifyingHouse(Protocol):
    """The parts of a house that are needed to notify people: its notifier, store, key, outgoing queue, and its rooms by name."""

    store: Store
    key: bytes
    notifier: Notifier | None
    outgoing: JobQueue

    def room(self, table: str) -> Room:
        """The room of a table. Lost when there is none."""
        ...


def notifier(store: Store, contact: str, trusted: tuple[str, ...] = ()) -> Notifier | None:
    """The notifier of a house that has a contact address for push services; None where it has none."""
    if not contact:
        return None
    return Notifier(web_push.Signature(store.key(), contact), trusted)


# --- Who wants to be told ----------------------------------------------------------------------------------


def subscribe(store: Store, browser: str, to: web_push.Subscription) -> None:
    """Subscribe a person's browser to notices. TooMany where they have many already."""
    mine = (
        select(func.count()).select_from(PUSHES).where(PUSHES.c.browser == browser, PUSHES.c.id != _name(to.endpoint))
    )
    with store.engine.connect() as connection:
        if int(connection.scalar(mine) or 0) >= MAX_BROWSERS_EACH:
            raise TooMany("{n} browsers are told of your turns already; leave one out first.", n=MAX_BROWSERS_EACH)
    row = {"id": _name(to.endpoint), "browser": browser, "endpoint": to.endpoint, "public": to.public, "auth": to.auth}
    gone = delete(PUSHES).where(PUSHES.c.id == row["id"])

    def write(connection: object) -> None:
        connection.execute(gone)  # type: ignore[attr-defined]
        connection.execute(PUSHES.insert(), [{**row, "made": store.now()}])  # type: ignore[attr-defined]

    store.write(write)


def unsubscribe(store: Store, browser: str, endpoint: str) -> None:
    """Unsubscribe a person's browser."""
    gone = delete(PUSHES).where(PUSHES.c.id == _name(endpoint), PUSHES.c.browser == browser)
    store.write(lambda connection: connection.execute(gone))


def subscriptions_of_seats(store: Store, table: str, seats: tuple[int, ...]) -> list[web_push.Subscription]:
    """The subscriptions of people who have sat at one of these seats of a table."""
    here = select(PRESENT.c.browser).where(PRESENT.c.table_id == table, PRESENT.c.seat.in_(seats))
    query = select(PUSHES.c.endpoint, PUSHES.c.public, PUSHES.c.auth).where(PUSHES.c.browser.in_(here))
    with store.engine.connect() as connection:
        return [
            web_push.Subscription(endpoint, bytes(key), bytes(auth))
            for endpoint, key, auth in connection.execute(query)
        ]


def _name(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode()).hexdigest()


# --- Ringing ----------------------------------------------------------------------------------------------


def on_events(house: NotifyingHouse, room: Room, events: Sequence[Event]) -> None:
    """Queue a notice to the person whose turn begins with these events, where somebody else's move began it."""
    first, seat = events[0], room.pos.seat
    if house.notifier is None or seat is None or not room.chairs.is_person(seat):
        return
    if not isinstance(first, Acted | Begun) or first.seat in room.group(seat):
        return
    job = functools.partial(notify_seat, house, room.id, seat, room.decision)
    if len(house.outgoing.line) < MAX_WAITING:
        house.outgoing.add(job, IDLE, after=NOTICE_DELAY_S)


def notify_seat(house: NotifyingHouse, table: str, seat: int, decision: int) -> None:
    """Notify a seat's person that their turn has begun, if it is still theirs and they do not look at the table."""
    try:
        room = house.room(table)
    except Lost:
        return
    with room.lock:
        group = room.group(seat)
        is_theirs = room.decision == decision and room.pos.seat == seat and room.chairs.is_person(seat)
        if not is_theirs or subscribers.present(room) & set(group) or standing_orders.answer(room) is not None:
            return
        title = room.game.title
    tag = hmac.new(house.key, f"push/{table}".encode(), hashlib.sha256).hexdigest()[:32]
    message = json.dumps({"game": title, "tag": tag}).encode()
    for to in subscriptions_of_seats(house.store, table, group):
        send(house, to, message, tag)


def send(house: NotifyingHouse, to: web_push.Subscription, message: bytes, topic: str) -> None:
    """Send one message to one browser. A browser that is gone is forgotten; one that does not answer is passed over."""
    notifier = house.notifier
    assert notifier is not None
    try:
        status = web_push.post(to, message, notifier.signature, topic, house.store.now().timestamp(), notifier.trusted)
    except OSError as error:
        LOG.info("a browser could not be told of its turn: %s", error)
        return
    if status in GONE_STATUSES:
        gone = delete(PUSHES).where(PUSHES.c.id == _name(to.endpoint))
        house.store.write(lambda connection: connection.execute(gone))
    elif status >= 300:
        LOG.info("a push service answered %d", status)
