"""Standing orders (`core.play.standing_orders`) applied to a position: which answer its open decision, and which have ended."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.events import Told
    from sutler.core.play.position import Position
    from sutler.core.play.standing_orders import Order, Until


def find_possible_answers(pos: Position) -> dict[str, Action]:
    """{order's name: the action it would take} for each order of the game that can answer the open decision.

    Left out is an order for which no action, or more than one, is legal, one whose number does not hold now, and one for forced
    decisions where there is a choice.
    """
    if pos.over:
        return {}
    d = pos.game.definition
    phase = list(d.phases.phases)[int(pos.state.phase)]
    found = {}
    for name, order in d.orders.items():
        if order.if_forced and len(pos.legal_ids()) > 1:
            continue
        if phase in order.answers and (
            order.bound is None or has_reached_number(pos, order) == (order.bound.holds == "from")
        ):
            ids = d.actions.ids(order.answers[phase])
            legal = [action for action in pos.legal_ids() if action in ids]
            if len(legal) == 1:
                found[name] = pos.game.action_names[legal[0]]
    return found


def find_first_answer(pos: Position, given_orders: Collection[str]) -> tuple[str, Action] | None:
    """(name, action) of the standing order that answers the open decision; None if none does.

    given_orders: the names of the orders that the seat to act has given. Where several answer, the one the game lists first.
    """
    if not given_orders:
        return None
    return next(((name, action) for name, action in find_possible_answers(pos).items() if name in given_orders), None)


def find_ended_orders(pos: Position, seat: int, given: Iterable[str], told: Collection[Told]) -> list[str]:
    """The names of the orders in `given` that end now: by one of the events `told`, or since their number is reached.

    Events that the seat may not see end no order.
    """
    heard = [one for one in told if one.is_for(seat)]
    rows = pos.game.definition.orders
    return [
        name
        for name in given
        if any(_is_ended_by(pos, seat, until, one) for until in rows[name].until for one in heard)
        or _is_number_reached(pos, rows[name])
    ]


def has_reached_number(pos: Position, order: Order) -> bool:
    """Has the quantity that the order's bound measures reached the order's number? False for an order without a bound."""
    return order.bound is not None and order.bound.measure(pos.game.box, pos.state) >= order.number


def _is_number_reached(pos: Position, order: Order) -> bool:
    """Has the quantity that this order watches reached the order's number, so that the order ends?"""
    return order.bound is not None and order.bound.holds == "up_to" and has_reached_number(pos, order)


def _is_ended_by(pos: Position, seat: int, until: Until, told: Told) -> bool:
    """Does the event `told` end an order of this seat that is given until `until`?"""
    if told.kind != until.event:
        return False
    if not until.part:
        return True
    kind, number = dict(told.event.parts)[until.part], told.get_part(until.part)
    return (number if kind == "seat" else int(pos.game.definition.whose(pos.state, kind, number))) == seat
