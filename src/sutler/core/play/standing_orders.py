"""Answering by standing orders (`core.play.orders`): which of them name the present decision, and which action they take."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from sutler.core.play.orders import reached

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.play.position import Position


def answering(pos: Position) -> dict[str, Action]:
    """The orders that name the present decision, each with the action it would take; empty where that is not legal now."""
    if pos.over:
        return {}
    d = pos.game.definition
    phase = list(d.phases.phases)[int(pos.state.phase)]
    found = {}
    for name, order in d.orders.items():
        if phase in order.answers and (order.bound is None or reached(pos, order) == (order.bound.holds == "from")):
            ids = d.actions.ids(order.answers[phase])
            legal = [action for action in pos.legal_ids() if action in ids]
            if len(legal) == 1:
                found[name] = pos.game.action_names[legal[0]]
    return found


def answer(pos: Position, given: Collection[str]) -> tuple[str, Action] | None:
    """(order, action) of the seat's given order that answers the present decision; None where the seat decides itself."""
    if not given:
        return None
    return next(((name, action) for name, action in answering(pos).items() if name in given), None)
