"""Standing orders: what a seat lets be done for it without being asked, until something happens or it takes the order back.

A game names them in its words, a row each: `ORDERS = {"decline": Order(...)}`; where an event speaks of something that a seat leads
("power"), `whose(state, kind, number)` says which seat that is. An order is no part of the game: whoever keeps the table remembers
which were given, and asks here what follows. It takes nothing but the one legal action of the block that its row names for the very
decision that is asked, so a decision that no row names is always the seat's own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.events import Told
    from sutler.core.position import Position

NEVER = "until you take it back"


@dataclass(frozen=True)
class Until:
    """What ends an order: an event of this kind; `part` names the part of it that must be the seat that gave the order."""

    event: str
    part: str = ""


@dataclass(frozen=True)
class Order:
    """A row: the paragraph, what is done ("Decline every offer"), which block answers which phase, and what ends it.

    `ends` says the last in words for people ("until the turn ends").
    """

    rule: str
    text: str
    answers: Mapping[str, str]
    until: tuple[Until, ...] = ()
    ends: str = NEVER


def answering(pos: Position) -> dict[str, Action]:
    """The orders that name the present decision, each with the action that it would take; none where that is not legal now."""
    if pos.over:
        return {}
    d = pos.game.definition
    phase = list(d.phases.phases)[int(pos.state.phase)]
    found = {}
    for name, order in d.orders.items():
        if phase in order.answers:
            ids = d.actions.ids(order.answers[phase])
            legal = [action for action in pos.legal_ids() if action in ids]
            if len(legal) == 1:
                found[name] = pos.game.action_names[legal[0]]
    return found


def answer(pos: Position, given: Collection[str]) -> tuple[str, Action] | None:
    """By which of the orders that the seat to act has given it is answered now, and how; None where it decides itself."""
    if not given:
        return None
    return next(((name, action) for name, action in answering(pos).items() if name in given), None)


def ended(pos: Position, seat: int, given: Iterable[str], told: Collection[Told]) -> list[str]:
    """Those of a seat's orders that end with what was just told; what the seat may not know of ends none."""
    heard = [one for one in told if one.is_for(seat)]
    rows = pos.game.definition.orders
    return [name for name in given if any(_ends(pos, seat, until, one) for until in rows[name].until for one in heard)]


def _ends(pos: Position, seat: int, until: Until, told: Told) -> bool:
    if told.kind != until.event:
        return False
    if not until.part:
        return True
    kind, number = dict(told.event.parts)[until.part], told.part(until.part)
    return (number if kind == "seat" else int(pos.game.definition.whose(pos.state, kind, number))) == seat
