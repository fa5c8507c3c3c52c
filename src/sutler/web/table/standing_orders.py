"""Standing orders at a table: decisions that a player has answered in advance (`core.play.orders`).

They are events of the room, so they hold after a reload, a restart and in every process. Nobody else hears of them: no page but the
seat's own is sent one, and no other page's version changes when one is given or ends. What is done by an order is done after a while
that nobody can foresee, as long as people and bots take, so that its quickness tells little.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sutler.core.play import orders, standing_orders
from sutler.web.errors import Refused
from sutler.web.events import Event, Ordered
from sutler.web.table.room import Room

if TYPE_CHECKING:
    from sutler.core.actions import Action

PACE = (2.0, 8.0)
"""The range of the delay before an order is carried out, in multiples of the bots' pause."""


# --- What follows from them -----------------------------------------------------------------------------


def answer(room: Room, events: Sequence[Event] = ()) -> tuple[str, Action] | None:
    """(order, action) that answers the present decision; None where no order does. The caller holds the lock.

    `events`: they are about to take effect, a move among them is on the position already.
    """
    seat = room.pos.seat
    if seat is None or room.created.lesson or not room.chairs.is_person(seat):
        return None
    given = list(room.orders.get(seat, ()))
    for one in events:
        if isinstance(one, Ordered) and one.seat == seat:
            given = orders.with_order(given, one.order, one.stands)
    return standing_orders.answer(room.pos, given)


def answer_delay(room: Room) -> float:
    """A random delay, in seconds, before an order is carried out."""
    least, most = PACE
    return room.services.bot_pause * (least + (most - least) * secrets.randbelow(1000) / 1000)


# --- Giving them -------------------------------------------------------------------------------------------


def set_order(room: Room, seats: tuple[int, ...], seat: int, order: str, stands: bool) -> None:
    """Give a standing order for one of these seats, or withdraw it. One that answers the present decision is carried out."""
    with room.lock:
        room.require_sound()
        if seat not in seats or room.created.lesson:
            raise Refused("Only who plays a seat gives orders for it.")
        if order not in room.game.definition.orders:
            raise Refused("There is no such automatic answer in this game.")
        if room.pos.over:
            raise Refused("The game is over; nothing is left to order.")
        if stands != (order in room.orders.get(seat, ())):
            room.commit(Ordered(seat=seat, order=order, stands=stands))
