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
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select

from sutler.web.accounts import web_push
from sutler.web.errors import Lost, TooMany
from sutler.web.jobs.queue import IDLE
from sutler.web.storage.schema import PRESENT, PUSHES
from sutler.web.storage.store import Store
from sutler.web.table import standing_orders, subscribers

if TYPE_CHECKING:
    from sutler.web.table.registry import House
    from sutler.web.table.room import Room

LOG = logging.getLogger("sutler.web")
WAIT = 10.0
"""Seconds from the beginning of a turn: whoever is on the way to the table need not be called."""
MOST = 8
"""So many browsers of one person may be rung."""
CONTACT = "push"
"""The name under which the house remembers whom push services may write to."""
GONE = (404, 410)
"""What a push service answers where there is no such browser any more."""


@dataclass(frozen=True)
class Tower:
    """What rings: the house's signature, and origins that are asked as they stand (for tests)."""

    signature: web_push.Signature
    trusted: tuple[str, ...] = ()

    @property
    def public(self) -> str:
        """What a browser needs to ask for messages."""
        return web_push.letters(self.signature.public)


def tower(store: Store, contact: str, trusted: tuple[str, ...] = ()) -> Tower | None:
    """The tower of a house that says whom push services may write to; None where it says nothing, or cannot cover messages."""
    if not contact:
        return None
    if not web_push.is_there():
        LOG.warning("nobody is told of their turn: what covers messages is missing (pip install 'sutler[push]')")
        return None
    return Tower(web_push.Signature(store.key(), contact), trusted)


# --- Who wants to be told ----------------------------------------------------------------------------------


def ask_for(store: Store, browser: str, to: web_push.Address) -> None:
    """This person is rung at this address too. TooMany where they are at many already."""
    mine = (
        select(func.count()).select_from(PUSHES).where(PUSHES.c.browser == browser, PUSHES.c.id != _name(to.endpoint))
    )
    with store.engine.connect() as connection:
        if int(connection.scalar(mine) or 0) >= MOST:
            raise TooMany("{n} browsers are told of your turns already; leave one out first.", n=MOST)
    row = {"id": _name(to.endpoint), "browser": browser, "endpoint": to.endpoint, "public": to.public, "auth": to.auth}
    gone = delete(PUSHES).where(PUSHES.c.id == row["id"])

    def write(connection: object) -> None:
        connection.execute(gone)  # type: ignore[attr-defined]
        connection.execute(PUSHES.insert(), [{**row, "made": store.now()}])  # type: ignore[attr-defined]

    store.write(write)


def leave_out(store: Store, browser: str, endpoint: str) -> None:
    """This person is no longer rung there."""
    gone = delete(PUSHES).where(PUSHES.c.id == _name(endpoint), PUSHES.c.browser == browser)
    store.write(lambda connection: connection.execute(gone))


def wanted_at(store: Store, table: str, seats: tuple[int, ...]) -> list[web_push.Address]:
    """Where those are rung who have sat at one of these seats of a table."""
    here = select(PRESENT.c.browser).where(PRESENT.c.table_id == table, PRESENT.c.seat.in_(seats))
    query = select(PUSHES.c.endpoint, PUSHES.c.public, PUSHES.c.auth).where(PUSHES.c.browser.in_(here))
    with store.engine.connect() as connection:
        return [
            web_push.Address(endpoint, bytes(key), bytes(auth)) for endpoint, key, auth in connection.execute(query)
        ]


def _name(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode()).hexdigest()


# --- Ringing ----------------------------------------------------------------------------------------------


def turn_begins(room: Room, before: int | None) -> None:
    """Something was decided; `before`: whose decision it was. If another person's turn begins, they are rung soon."""
    seat = room.pos.seat
    if room.house.tower is None or seat is None or not room.chairs.is_person(seat):
        return
    if before is not None and before in room.group(seat):
        return
    job = functools.partial(ring, room.house, room.id, seat, room.decision)
    room.house.errands.add(job, IDLE, after=WAIT)


def ring(house: House, table: str, seat: int, decision: int) -> None:
    """Tell this seat's person that their turn has begun, if it still is theirs and nobody looks."""
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
    for to in wanted_at(house.store, table, group):
        send(house, to, message, tag)


def send(house: House, to: web_push.Address, message: bytes, topic: str) -> None:
    """One message to one browser. A browser there is no more is forgotten; whoever does not answer is passed over."""
    tower = house.tower
    assert tower is not None
    try:
        status = web_push.post(to, message, tower.signature, topic, house.store.now().timestamp(), tower.trusted)
    except OSError as error:
        LOG.info("a browser could not be told of its turn: %s", error)
        return
    if status in GONE:
        gone = delete(PUSHES).where(PUSHES.c.id == _name(to.endpoint))
        house.store.write(lambda connection: connection.execute(gone))
    elif status >= 300:
        LOG.info("a push service answered %d", status)
