"""Standing orders of Bellum: what a seat lets be answered for it (see `core.play.orders`). What is committed in secret is never one."""

from typing import Any

from sutler.core.play.orders import Bound, Order, Until


def _year(box: Any, state: Any) -> int:
    """4.1: the year of this round."""
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
        Bound((1624, 1630, 1636, 1642), _year, "up_to"),
    ),
    "besiege_on": Order("14.4", "Go on besieging, without storm or ultimatum", {"force": "wait"}),
    "spare_allies": Order("14.10", "Leave your allies’ cities alone", {"siege": "spare"}),
    "no_pillage": Order("14.5", "Pillage nothing", {"pillage": "end_pillage"}),
}


def whose(state: Any, kind: str, number: int) -> int:
    """The seat that leads a power."""
    return int(state.seat_of[number])
