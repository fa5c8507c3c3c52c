"""The panel of a seat's standing orders: what may be ordered, what stands, and what is being done by one of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from sutler.core.play import orders
from sutler.core.play import standing_orders as core_orders
from sutler.web.table import standing_orders
from sutler.web.table.room import Room
from sutler.web.table.snapshot import Look


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
    """Its number, where several orders differ by nothing else."""
    head: str = ""
    """The words that the group's orders share, without the number."""


@dataclass(frozen=True)
class Shown:
    """The orders of one seat."""

    seat: int
    rows: tuple[Row, ...]
    answers: str = ""
    """The order that is answering for the seat just now; "" if none is."""

    @property
    def standing(self) -> list[Row]:
        """The orders that stand."""
        return [row for row in self.rows if row.stands]

    @property
    def offered(self) -> list[Row]:
        """The orders that would answer the present decision."""
        return [row for row in self.rows if row.asked and not row.stands and row.number is None]

    @property
    def grouped(self) -> list[list[Row]]:
        """All orders in groups; those that differ only by a number are in one group."""
        return [list(some) for _, some in itertools.groupby(self.rows, key=lambda row: row.name.partition(" ")[0])]


def shown(room: Room, seats: tuple[int, ...], seen: Look) -> Shown | None:
    """The orders of the seat through whose eyes these look; None where there are none to give. The caller holds the lock."""
    seat, rows = seen.eyes, room.game.definition.orders
    if seat not in seats or seat is None or not rows or room.created.lesson or seen.over or room.broken is not None:
        return None
    given, told = room.orders.get(seat, []), room.game.tongue
    here = core_orders.possible_answers(room.pos) if seen.choices and room.pos.seat == seat else {}
    done = standing_orders.answer(room) if seen.moment is None and room.pos.seat == seat else None
    return Shown(
        seat,
        tuple(_row(name, row, told, name in given, name in here) for name, row in rows.items()),
        rows[done[0]].said(told) if done else "",
    )


def _row(name: str, order: orders.Order, told: Callable[[str], str], stands: bool, asked: bool) -> Row:
    number = None if order.bound is None else order.number
    head = told(order.text).replace("{n}", "…")
    return Row(name, order.said(told), told(order.ends), order.rule, stands, asked, number, head)
