"""A bell for whose turn it is: a message to browsers that asked for one, when their turn has begun and nobody looks at the table.

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
from sutler.web.jobs.queue import IDLE
from sutler.web.storage.schema import PRESENT, PUSHES
from sutler.web.storage.store import Store
from sutler.web.table import standing_orders, subscribers
from sutler.web.table.room import Room

LOG = logging.getLogger("sutler.web")
NOTICE_DELAY_S = 10.0
"""After the beginning of a turn: somebody on the way to the table need not be notified."""
MAX_BROWSERS_EACH = 8
"""Browsers of one person that may be notified."""
CONTACT = "push"
"""The name under which the house remembers whom push services may write to."""
GONE_STATUSES = (404, 410)
"""HTTP statuses by which a push service says that it does not know a browser any more."""


@dataclass(frozen=True)
class Tower:
    """The sender of notices: the house's signature, and origins that are asked as they stand (for tests)."""

    signature: web_push.Signature
    trusted: tuple[str, ...] = ()

    @property
    def public(self) -> str:
        """The public key with which a browser asks for messages."""
        return web_push.base64url(self.signature.public)


class Notifies(Protocol):
    """The parts of a house that are needed to notify people: its tower, its store, its secret, and its rooms by name."""

    store: Store
    key: bytes
    tower: Tower | None

    def room(self, table: str) -> Room:
        """The room of a table. Lost when there is none."""
        ...


def tower(store: Store, contact: str, trusted: tuple[str, ...] = ()) -> Tower | None:
    """The sender of a house that says whom push services may write to; None where it says nothing."""
    if not contact:
        return None
    return Tower(web_push.Signature(store.key(), contact), trusted)


# --- Who wants to be told ----------------------------------------------------------------------------------


def ask_for(store: Store, browser: str, to: web_push.Subscription) -> None:
    """Notify a person at this address too. TooMany where they have many already."""
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


def leave_out(store: Store, browser: str, endpoint: str) -> None:
    """Stop notifying a person at this address."""
    gone = delete(PUSHES).where(PUSHES.c.id == _name(endpoint), PUSHES.c.browser == browser)
    store.write(lambda connection: connection.execute(gone))


def subscriptions_of_seats(store: Store, table: str, seats: tuple[int, ...]) -> list[web_push.Subscription]:
    """The addresses of the people who have sat at one of these seats of a table."""
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


def on_events(house: Notifies, room: Room, events: Sequence[Event]) -> None:
    """Have a person notified soon whose turn begins with somebody else's move, or with the game."""
    first, seat = events[0], room.pos.seat
    if house.tower is None or seat is None or not room.chairs.is_person(seat):
        return
    if not isinstance(first, Acted | Begun) or first.seat in room.group(seat):
        return
    job = functools.partial(ring, house, room.id, seat, room.decision)
    room.services.jobs.add(job, IDLE, after=NOTICE_DELAY_S)


def ring(house: Notifies, table: str, seat: int, decision: int) -> None:
    """Notify a seat's person that their turn has begun, if it still is theirs and nobody looks."""
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


def send(house: Notifies, to: web_push.Subscription, message: bytes, topic: str) -> None:
    """Send one message to one browser. A browser that is gone is forgotten; one that does not answer is passed over."""
    tower = house.tower
    assert tower is not None
    try:
        status = web_push.post(to, message, tower.signature, topic, house.store.now().timestamp(), tower.trusted)
    except OSError as error:
        LOG.info("a browser could not be told of its turn: %s", error)
        return
    if status in GONE_STATUSES:
        gone = delete(PUSHES).where(PUSHES.c.id == _name(to.endpoint))
        house.store.write(lambda connection: connection.execute(gone))
    elif status >= 300:
        LOG.info("a push service answered %d", status)
