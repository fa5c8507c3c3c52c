"""Standing orders (`core.play.standing_orders`) applied to a position: which orders answer its open decision, and by which action."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from sutler.core.play.standing_orders import has_reached_number

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.play.position import Position


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
    """(name, action) of the first of the orders `given_orders` by the seat to act that answers the open decision; None if none does."""
    if not given_orders:
        return None
    return next(((name, action) for name, action in find_possible_answers(pos).items() if name in given_orders), None)
