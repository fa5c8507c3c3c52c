"""The panel of a seat's standing orders: which may be given, which are given, and which is being carried out."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from sutler.core.play import standing_order_answers
from sutler.core.play.standing_orders import Order
from sutler.web.table import standing_orders
from sutler.web.table.room import Room
from sutler.web.table.table_as_seen import Look


@dataclass(frozen=True)
class Row:
    """A standing order in the panel of its seat."""

    name: str
    text: str
    ends: str
    rule: str
    stands: bool
    asked: bool
    """Would it answer the present decision of the seat?"""
    number: int | None = None
    """The order's number, where several orders differ only by a number; else None."""
    if_forced: bool = False
    """Does it answer only where nothing else is possible?"""
    head: str = ""
    """The words that such orders share, without the number."""


@dataclass(frozen=True)
class OrdersPanel:
    """The standing orders of one seat, as its panel shows them."""

    seat: int
    rows: tuple[Row, ...]
    answers: str = ""
    """The order that is being carried out for the seat now; "" for none."""
    is_forced: bool = False
    """Has the seat only one choice now?"""

    @property
    def standing(self) -> list[Row]:
        """The orders that are given."""
        return [row for row in self.rows if row.stands]

    @property
    def offered(self) -> list[Row]:
        """The orders that are not given and would answer the present decision; those with a number are left out.

        Where there is only one choice they are those for such decisions: to order it for this once would be to take it.
        """
        fitting = [row for row in self.rows if row.asked and row.if_forced == self.is_forced]
        return [row for row in fitting if not row.stands and row.number is None]

    @property
    def grouped(self) -> list[list[Row]]:
        """All orders in groups; those that differ only by a number are one group."""
        return [list(some) for _, some in itertools.groupby(self.rows, key=lambda row: row.name.partition(" ")[0])]


def build_orders_panel(room: Room, seats: tuple[int, ...], seen: Look) -> OrdersPanel | None:
    """The standing orders of the seat whose view `seen` is; None where there are none to give. The caller holds the lock.

    `seats`: those of the viewer.
    """
    seat, rows = seen.eyes, room.game.definition.orders
    if (
        seat not in seats
        or seat is None
        or not rows
        or room.created.lesson
        or seen.over
        or not seen.begun
        or room.broken is not None
    ):
        return None
    given, told = room.orders.get(seat, []), room.game.tongue
    here = standing_order_answers.find_possible_answers(room.pos) if seen.choices and room.pos.seat == seat else {}
    phase = "" if room.pos.over else list(room.game.definition.phases.phases)[int(room.pos.state.phase)]
    here = {name: action for name, action in here.items() if _answers_a_later_question(rows[name], phase)}
    done = standing_orders.find_order_answer(room) if seen.moment is None and room.pos.seat == seat else None
    return OrdersPanel(
        seat,
        tuple(_build_row(name, row, told, name in given, name in here) for name, row in rows.items()),
        rows[done[0]].to_words(told) if done else "",
        len(seen.choices) == 1,
    )


def _answers_a_later_question(order: Order, phase: str) -> bool:
    """Does an order for several questions, given when `phase` is asked, answer one that comes later? True for any other order."""
    return len(order.answers) == 1 or phase != list(order.answers)[-1]


def _build_row(name: str, order: Order, translate: Callable[[str], str], stands: bool, answers_now: bool) -> Row:
    """A standing order in the panel. `translate`: translates the game's texts; `answers_now`: would it answer the present decision?"""
    number = None if order.bound is None else order.number
    head = translate(order.text).replace("{n}", "…")
    words, ends = order.to_words(translate), translate(order.ends)
    return Row(name, words, ends, order.rule, stands, answers_now, number, order.if_forced, head)
