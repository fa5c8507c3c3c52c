"""Standing orders: a seat's answers in advance to a kind of decision, until something happens or it withdraws the order.

A game declares its orders by name: `ORDERS = {"decline": Order(...)}`. Where an event names something that a seat leads (a "power"),
the game's `whose(state, kind, number)` says which seat. Orders are no part of the game's state: the table remembers which were given,
and asks `standing_order_answers` which of them answer a decision or have ended. An order answers only the phases that it names, and
only where one action of the block named for that phase is legal; every other decision is the seat's own.

Some orders have a number ("Pass once influence has reached 4"): an `Order` with a `Bound` is declared once and offered once for each
of its numbers, under names such as "pass_from 4". A seat has at most one of these at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

NO_END = "until you take it back"


@dataclass(frozen=True)
class Until:
    """An event that ends an order. `event`: its kind. `part`: the event's part that must name the ordering seat; "" if any event does."""

    event: str
    part: str = ""


@dataclass(frozen=True)
class Bound:
    """The number in an order: its possible values (`numbers`), and `measure(box, state)`, the quantity that it is compared with.

    `holds`: with "from" the order answers only once the quantity has reached the number; with "up_to" it ends then.
    """

    numbers: tuple[int, ...]
    measure: Callable[[Any, Any], int]
    holds: Literal["from", "up_to"] = "from"


@dataclass(frozen=True)
class Order:
    """One standing order that a game offers.

    `rule`: its paragraph. `text`: what is done ("Decline every offer"), with a place `{n}` for the number where there is a `bound`.
    `answers`: {phase: the block whose one legal action is taken}, in the order in which the phases come. `until`: the events that end it,
    and `ends` the same in words ("until the turn ends"). `if_forced`: it answers only where no other action is legal; such a decision is
    open only for games that ask it lest others learn that nothing else was possible. `number`: this order's number where there is a
    `bound`.
    """

    rule: str
    text: str
    answers: Mapping[str, str]
    until: tuple[Until, ...] = ()
    ends: str = NO_END
    bound: Bound | None = None
    if_forced: bool = False
    number: int = 0

    def to_words(self, translate: Callable[[str], str] = str) -> str:
        """The order in words ("Decline every offer"), its number filled in; `translate` puts the English text into another language."""
        return translate(self.text).replace("{n}", str(self.number))


def expand_bounded_orders(written: Mapping[str, Order]) -> dict[str, Order]:
    """The orders that can be given, by name: as declared, but an order with a bound once for each of its numbers ("pass_from 4")."""
    rows: dict[str, Order] = {}
    for name, order in written.items():
        if order.bound is None:
            rows[name] = order
        else:
            rows |= {f"{name} {n}": replace(order, number=n) for n in order.bound.numbers}
    return rows


def update_order_names(given: Iterable[str], name: str, stands: bool) -> list[str]:
    """The names of a seat's orders after it gave the order `name` (`stands`) or withdrew it (not `stands`).

    `given`: the names before. Of orders that differ only by their number the seat keeps the one given last.
    """
    row = name.partition(" ")[0]
    return [*(one for one in given if one.partition(" ")[0] != row), *([name] if stands else [])]
