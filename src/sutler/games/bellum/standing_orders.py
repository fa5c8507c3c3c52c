"""Standing orders of Bellum: decisions that a player may have answered in advance (see `core.play.standing_orders`).

Commitments, which are made in secret, are never among them.
"""

from typing import Any

from sutler.core.play.standing_orders import Bound, Order, Until


def _current_year(box: Any, state: Any) -> int:
    """The year of the present round (4.1)."""
    return int(box.year[state.round_no].year)


ORDERS = {
    "no_battle": Order(
        "8.3", "Attack nobody", {"attack": "hold"}, (Until("attack", "enemy"),), "until somebody attacks you"
    ),
    "no_battle_until": Order(
        "8.3",
        "Attack nobody until {n}",
        {"attack": "hold"},
        (Until("attack", "enemy"),),
        "or until somebody attacks you",
        Bound((1624, 1630, 1636, 1642), _current_year, "up_to"),
    ),
    "besiege_on": Order("14.4", "Go on besieging, without storm or ultimatum", {"force": "wait"}),
    "spare_allies": Order("14.10", "Leave your allies’ cities alone", {"siege": "spare"}),
    "no_pillage": Order("14.5", "Pillage nothing", {"pillage": "end_pillage"}),
}


def whose(state: Any, kind: str, number: int) -> int:
    """The number of the seat that leads a power."""
    return int(state.seat_of[number])
