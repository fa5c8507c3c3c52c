"""Standing orders at a table: decisions that a player has answered in advance (`core.play.standing_orders`).

They are events of the table, so they are kept after a reload or a restart and hold in every process. They are secret: only the seat's
own page shows them, and no other page's version changes when one is given or ends. An order is carried out after a random delay that is
as long as people and bots take, so that its speed gives little away.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sutler.core.play import standing_order_answers, standing_orders
from sutler.web.errors import Refused
from sutler.web.events import Event, Ordered
from sutler.web.table.room import Room

if TYPE_CHECKING:
    from sutler.core.actions import Action

PACE = (2.0, 8.0)
"""The least and greatest delay before an order is carried out, in multiples of the bots' pause."""


# --- Carrying orders out --------------------------------------------------------------------------------


def find_order_answer(room: Room, events: Sequence[Event] = ()) -> tuple[str, Action] | None:
    """(order, action) by which a standing order answers the present decision; None where none does. The caller holds the lock.

    `events`: events about to be committed, whose orders count already; a move among them is on the position already.
    """
    seat = room.pos.seat
    if seat is None or room.created.lesson or not room.chairs.is_person(seat):
        return None
    given = list(room.orders.get(seat, ()))
    for one in events:
        if isinstance(one, Ordered) and one.seat == seat:
            given = standing_orders.update_order_names(given, one.order, one.stands)
    return standing_order_answers.find_first_answer(room.pos, given)


def draw_order_answer_delay(room: Room) -> float:
    """A random delay in seconds before an order is carried out."""
    least, most = PACE
    return room.services.bot_pause * (least + (most - least) * secrets.randbelow(1000) / 1000)


# --- Giving orders -----------------------------------------------------------------------------------------


def set_order(room: Room, seats: tuple[int, ...], seat: int, order: str, stands: bool) -> None:
    """Give (`stands`) or withdraw a standing order for a seat. An order that answers the present decision is then carried out.

    `seats`: those of the person who asks. Raises Refused where the seat is not theirs, or the game has no such order.
    """
    with room.lock:
        room.require_sound()
        if seat not in seats or room.created.lesson:
            raise Refused("Only who plays a seat gives orders for it.")
        if order not in room.game.definition.orders:
            raise Refused("There is no such automatic answer in this game.")
        if room.pos.over:
            raise Refused("The game is over; nothing is left to order.")
        if stands != (order in room.orders.get(seat, ())):
            room.commit_events(Ordered(seat=seat, order=order, stands=stands))
