"""Standing orders of Bellum: what a seat lets be answered for it (see `core.orders`). What is committed in secret is never one."""

from typing import Any

from sutler.core.orders import Order, Until

ORDERS = {
    "no_battle": Order(
        "8.3", "Attack nobody", {"attack": "hold"}, (Until("attack", "enemy"),), "until somebody attacks you"
    ),
    "besiege_on": Order("14.4", "Go on besieging, without storm or ultimatum", {"force": "wait"}),
    "spare_allies": Order("14.10", "Leave your allies’ cities alone", {"siege": "spare"}),
    "no_pillage": Order("14.5", "Pillage nothing", {"pillage": "end_pillage"}),
}


def whose(state: Any, kind: str, number: int) -> int:
    """The seat that leads a power."""
    return int(state.seat_of[number])
