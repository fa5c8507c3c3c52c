"""Standing orders: a seat's answers in advance to a kind of decision, until something happens or it withdraws the order.

A game declares them, one row each: `ORDERS = {"decline": Order(...)}`; where an event names something that a seat leads ("power"),
`whose(state, kind, number)` says which seat. An order is no part of the game: the table remembers which were given, and asks here
what follows. An order only takes the one legal action of the block that its row names for the decision being asked, so a decision
that no row names is always the seat's own.

Some orders have a number that everybody can see ("Pass once influence has reached 4"): a row with a `Bound` is one order for each of
its numbers, named "pass_from 4", and a seat has one of them at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from sutler.core.events import Told
    from sutler.core.play.position import Position

NO_END = "until you take it back"


@dataclass(frozen=True)
class Until:
    """The end of an order: an event of this kind; `part` names the part of it that must be the seat that gave the order."""

    event: str
    part: str = ""


@dataclass(frozen=True)
class Bound:
    """The number in an order: its possible values, and how `measure(box, state)` counts what it is compared with.

    `holds` "from": the order answers only once that many are reached; "up_to": it ends when they are.
    """

    numbers: tuple[int, ...]
    measure: Callable[[Any, Any], int]
    holds: Literal["from", "up_to"] = "from"


@dataclass(frozen=True)
class Order:
    """A row: the paragraph, what is done ("Decline every offer"), which block answers which phase, and what ends it.

    `ends` says the last in words for people ("until the turn ends"). With a `bound` the text has a place for its number, `{n}`;
    `number` is this order's own.
    """

    rule: str
    text: str
    answers: Mapping[str, str]
    until: tuple[Until, ...] = ()
    ends: str = NO_END
    bound: Bound | None = None
    number: int = 0

    def said(self, told: Callable[[str], str] = str) -> str:
        """The action taken, in words; `told` translates the row's text."""
        return told(self.text).replace("{n}", str(self.number))


def rows_of(written: Mapping[str, Order]) -> dict[str, Order]:
    """The orders that can be given, by name: a row with a bound is one for each number."""
    rows: dict[str, Order] = {}
    for name, order in written.items():
        if order.bound is None:
            rows[name] = order
        else:
            rows |= {f"{name} {n}": replace(order, number=n) for n in order.bound.numbers}
    return rows


def with_order(given: Iterable[str], name: str, stands: bool) -> list[str]:
    """The seat's orders after it gave this one or withdrew it; of orders that differ only by their number it keeps one."""
    row = name.partition(" ")[0]
    return [*(one for one in given if one.partition(" ")[0] != row), *([name] if stands else [])]


def ended(pos: Position, seat: int, given: Iterable[str], told: Collection[Told]) -> list[str]:
    """The seat's orders that end with these events, or have reached their number; events hidden from the seat end none."""
    heard = [one for one in told if one.is_for(seat)]
    rows = pos.game.definition.orders
    return [
        name
        for name in given
        if any(_ends(pos, seat, until, one) for until in rows[name].until for one in heard) or _is_done(pos, rows[name])
    ]


def reached(pos: Position, order: Order) -> bool:
    """Has the quantity that the order is measured by reached the order's number?"""
    return order.bound is not None and order.bound.measure(pos.game.box, pos.state) >= order.number


def _is_done(pos: Position, order: Order) -> bool:
    return order.bound is not None and order.bound.holds == "up_to" and reached(pos, order)


def _ends(pos: Position, seat: int, until: Until, told: Told) -> bool:
    if told.kind != until.event:
        return False
    if not until.part:
        return True
    kind, number = dict(told.event.parts)[until.part], told.part(until.part)
    return (number if kind == "seat" else int(pos.game.definition.whose(pos.state, kind, number))) == seat
