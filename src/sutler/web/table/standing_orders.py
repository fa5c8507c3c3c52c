"""Standing orders at a table: what somebody lets be done for their seat without being asked (`core.orders`).

They are events of the room, so they hold after a reload, a restart and in every process. Nobody else hears of them: no page but the
seat's own is sent one, and no other page's version changes when one is given or ends. What is done by an order is done after a while
that nobody can foresee, as long as people and bots take, so that its quickness tells little.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sutler.core import orders, standing_orders
from sutler.web.errors import Refused
from sutler.web.events import Event, Ordered

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.events import Told
    from sutler.web.table.room import Room
    from sutler.web.table.snapshot import Look

PACE = (2.0, 8.0)
"""Between so many of the house's pauses for bots an order takes, at random."""


@dataclass(frozen=True)
class Row:
    """An order as its seat's page shows it."""

    name: str
    text: str
    ends: str
    rule: str
    stands: bool
    asked: bool
    """Would it answer what the seat is asked now?"""
    number: int | None = None
    """What it goes by, where it is one of several that differ by nothing else."""
    head: str = ""
    """The words of all of these, without the number."""


@dataclass(frozen=True)
class Shown:
    """The orders of one seat."""

    seat: int
    rows: tuple[Row, ...]
    answers: str = ""
    """What is being done by one of them just now."""

    @property
    def standing(self) -> list[Row]:
        """Those that stand."""
        return [row for row in self.rows if row.stands]

    @property
    def offered(self) -> list[Row]:
        """Those that would answer what is asked; a number is named in the side."""
        return [row for row in self.rows if row.asked and not row.stands and row.number is None]

    @property
    def grouped(self) -> list[list[Row]]:
        """All of them; what differs only by a number stands together."""
        return [list(some) for _, some in itertools.groupby(self.rows, key=lambda row: row.name.partition(" ")[0])]


# --- What follows from them -----------------------------------------------------------------------------


def answer(room: Room, events: Sequence[Event] = ()) -> tuple[str, Action] | None:
    """The order that answers the present decision, and how; None where it is somebody's to decide. The caller holds the lock.

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


def lifted(room: Room, told: Collection[Told]) -> list[Event]:
    """The orders that end with what a move has told."""
    return [
        Ordered(seat=seat, order=name, stands=False)
        for seat, given in sorted(room.orders.items())
        for name in orders.ended(room.pos, seat, given, told)
    ]


def pause(room: Room) -> float:
    """Seconds until an order is carried out."""
    least, most = PACE
    return room.house.bot_pause * (least + (most - least) * secrets.randbelow(1000) / 1000)


# --- Giving them -------------------------------------------------------------------------------------------


def say(room: Room, seats: tuple[int, ...], seat: int, order: str, stands: bool) -> None:
    """One of these seats gives an order, or takes it back. If it answers what is being asked, that is done too."""
    with room.lock:
        room.whole()
        if seat not in seats or room.created.lesson:
            raise Refused("Only who plays a seat gives orders for it.")
        if order not in room.game.definition.orders:
            raise Refused("There is no such standing order in this game.")
        if room.pos.over:
            raise Refused("The game is over; nothing is left to order.")
        if stands != (order in room.orders.get(seat, ())):
            room.commit(Ordered(seat=seat, order=order, stands=stands))


def shown(room: Room, seats: tuple[int, ...], seen: Look) -> Shown | None:
    """The orders of the seat through whose eyes these look; None where there are none to give. The caller holds the lock."""
    seat, rows = seen.eyes, room.game.definition.orders
    if seat not in seats or seat is None or not rows or room.created.lesson or seen.over or room.broken is not None:
        return None
    given, told = room.orders.get(seat, []), room.game.tongue
    here = standing_orders.answering(room.pos) if seen.choices and room.pos.seat == seat else {}
    done = answer(room) if seen.moment is None and room.pos.seat == seat else None
    return Shown(
        seat,
        tuple(_row(name, row, told, name in given, name in here) for name, row in rows.items()),
        rows[done[0]].said(told) if done else "",
    )


def _row(name: str, order: orders.Order, told: Callable[[str], str], stands: bool, asked: bool) -> Row:
    number = None if order.bound is None else order.number
    head = told(order.text).replace("{n}", "…")
    return Row(name, order.said(told), told(order.ends), order.rule, stands, asked, number, head)
