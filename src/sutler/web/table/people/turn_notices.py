"""Notices of turns: a push message to a person's browsers when their turn has begun and they are not looking at the table.

The message names only the game; a click on it opens the person's own page, which lists the tables that wait for them. The subscription of
a browser that its push service no longer knows is deleted.
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
from sutler.web.jobs.job_queue import IDLE_LANE, JobQueue
from sutler.web.storage.schema import PRESENT, PUSHES
from sutler.web.storage.store import Store
from sutler.web.table import standing_orders
from sutler.web.table.people import subscribers
from sutler.web.table.room import Room

LOG = logging.getLogger("sutler.web")
NOTICE_DELAY_S = 10.0
"""Seconds between the beginning of a turn and its notice: a person who comes to the table meanwhile gets none."""
MAX_WAITING = 2000
"""The most notices that wait to be sent; further ones are dropped."""
MAX_BROWSERS_EACH = 8
"""The most browsers of one person that are notified."""
CONTACT = "push"
"""The name under which the database keeps the contact address for push services."""
GONE_STATUSES = (404, 410)
"""HTTP statuses by which a push service says that it no longer knows a browser."""


@dataclass(frozen=True)
class Notifier:
    """The sender of push notices: its signature, and origins that are used without checks (in tests)."""

    signature: web_push.Signature
    trusted: tuple[str, ...] = ()

    @property
    def public(self) -> str:
        """The public key with which a browser subscribes to messages."""
        return web_push.encode_base64url(self.signature.public)


class NotifyingHouse(Protocol):
    """The parts of the House that notices need: notifier, store, key, outgoing queue, and rooms by the table's id."""

    store: Store
    key: bytes
    notifier: Notifier | None
    outgoing: JobQueue

    def get_room(self, table: str) -> Room:
        """The room of a table. Raises Lost when there is none."""
        ...


def create_notifier(store: Store, contact: str, trusted: tuple[str, ...] = ()) -> Notifier | None:
    """The notifier of a server with a contact address for push services; None where it is "". `trusted`: origins used without checks."""
    if not contact:
        return None
    return Notifier(web_push.Signature(store.get_server_key(), contact), trusted)


# --- Subscriptions -----------------------------------------------------------------------------------------


def store_subscription(store: Store, browser: str, subscription: web_push.Subscription) -> None:
    """Store a push subscription of a person's browser. Raises TooMany where the person has too many. `browser`: the hash of its cookie."""
    mine = (
        select(func.count())
        .select_from(PUSHES)
        .where(PUSHES.c.browser == browser, PUSHES.c.id != _hash_endpoint(subscription.endpoint))
    )
    with store.engine.connect() as connection:
        if int(connection.scalar(mine) or 0) >= MAX_BROWSERS_EACH:
            raise TooMany("{n} browsers are told of your turns already; leave one out first.", n=MAX_BROWSERS_EACH)
    row = {
        "id": _hash_endpoint(subscription.endpoint),
        "browser": browser,
        "endpoint": subscription.endpoint,
        "public": subscription.public,
        "auth": subscription.auth,
    }
    gone = delete(PUSHES).where(PUSHES.c.id == row["id"])

    def write(connection: object) -> None:
        """Replace the subscription within one transaction."""
        connection.execute(gone)  # type: ignore[attr-defined]
        connection.execute(PUSHES.insert(), [{**row, "made": store.now()}])  # type: ignore[attr-defined]

    store.run_in_transaction(write)


def delete_subscription(store: Store, browser: str, endpoint: str) -> None:
    """Delete the push subscription with this endpoint. `browser`: the hash of its browser's cookie."""
    gone = delete(PUSHES).where(PUSHES.c.id == _hash_endpoint(endpoint), PUSHES.c.browser == browser)
    store.run_in_transaction(lambda connection: connection.execute(gone))


def load_subscriptions_of_seats(store: Store, table: str, seats: tuple[int, ...]) -> list[web_push.Subscription]:
    """The push subscriptions of people who have sat at one of these seats of a table."""
    here = select(PRESENT.c.browser).where(PRESENT.c.table_id == table, PRESENT.c.seat.in_(seats))
    query = select(PUSHES.c.endpoint, PUSHES.c.public, PUSHES.c.auth).where(PUSHES.c.browser.in_(here))
    with store.engine.connect() as connection:
        return [
            web_push.Subscription(endpoint, bytes(key), bytes(auth))
            for endpoint, key, auth in connection.execute(query)
        ]


def _hash_endpoint(endpoint: str) -> str:
    """The hash of a push service's address under which a subscription is stored."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


# --- Sending ----------------------------------------------------------------------------------------------


def on_events(house: NotifyingHouse, room: Room, events: Sequence[Event]) -> None:
    """Queue a notice to the person whose turn begins with these events, if another person's move began it."""
    first, seat = events[0], room.pos.seat
    if house.notifier is None or seat is None or not room.chairs.is_person(seat):
        return
    if not isinstance(first, Acted | Begun) or first.seat in room.list_seats_of_same_link(seat):
        return
    job = functools.partial(notify_seat, house, room.id, seat, room.decision)
    if len(house.outgoing.line) < MAX_WAITING:
        house.outgoing.add_job(job, IDLE_LANE, after=NOTICE_DELAY_S)


def notify_seat(house: NotifyingHouse, table: str, seat: int, decision: int) -> None:
    """Notify a seat's person that their turn has begun, if nobody has decided since and they are not looking at the table.

    `decision`: the number of decisions made when their turn began.
    """
    try:
        room = house.get_room(table)
    except Lost:
        return
    with room.lock:
        group = room.list_seats_of_same_link(seat)
        is_theirs = room.decision == decision and room.pos.seat == seat and room.chairs.is_person(seat)
        if (
            not is_theirs
            or subscribers.list_present_seats(room) & set(group)
            or standing_orders.find_order_answer(room) is not None
        ):
            return
        title = room.game.title
    tag = hmac.new(house.key, f"push/{table}".encode(), hashlib.sha256).hexdigest()[:32]
    message = json.dumps({"game": title, "tag": tag}).encode()
    for to in load_subscriptions_of_seats(house.store, table, group):
        send_notice(house, to, message, tag)


def send_notice(house: NotifyingHouse, subscription: web_push.Subscription, message: bytes, topic: str) -> None:
    """Send a message to one browser. Its subscription is deleted if the push service no longer knows it; other errors are logged.

    `topic`: a later message replaces an earlier one of the same topic.
    """
    notifier = house.notifier
    assert notifier is not None
    try:
        status = web_push.post_message(
            subscription, message, notifier.signature, topic, house.store.now().timestamp(), notifier.trusted
        )
    except OSError as error:
        LOG.info("a browser could not be told of its turn: %s", error)
        return
    if status in GONE_STATUSES:
        gone = delete(PUSHES).where(PUSHES.c.id == _hash_endpoint(subscription.endpoint))
        house.store.run_in_transaction(lambda connection: connection.execute(gone))
    elif status >= 300:
        LOG.info("a push service answered %d", status)
