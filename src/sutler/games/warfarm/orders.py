"""Standing orders of WARFARM: what a seat lets be answered for it, mostly until somebody strikes it (see `core.play.orders`)."""

from typing import Any

from sutler.core.play.orders import Bound, Order, Until
from sutler.games.warfarm.box import FARMLAND


def _largest(box: Any, state: Any) -> int:
    """14.1: the Farmland of the seat that has most."""
    return max(int(me.goods[FARMLAND]) for me in state.seats)


STRIKING = (
    "raided",
    "led_away",
    "destroyed",
    "killed",
    "destroyed_card",
    "destroyed_trap",
    "taken",
    "seized",
    "hurled",
)
STRUCK_EVENTS = tuple(Until(event, "victim") for event in STRIKING)
"""Something of the seat is taken or destroyed, or on fire."""
UNTIL_STRUCK = "until somebody takes or destroys something of yours"
ORDERS = {
    "no_attack": Order("7.1", "Attack nobody", {"attack": "end_attack"}, STRUCK_EVENTS, UNTIL_STRUCK),
    "no_attack_until": Order(
        "7.1",
        "Attack nobody until somebody has {n} Farmland",
        {"attack": "end_attack"},
        STRUCK_EVENTS,
        "or somebody takes or destroys something of yours",
        Bound((8, 9, 10, 11), _largest, "up_to"),
    ),
    "hold_traps": Order("10.3", "Hold every Trap back", {"trap": "keep"}, STRUCK_EVENTS, UNTIL_STRUCK),
    "stay_on_post": Order("6.1", "Leave everybody on post", {"recall": "end_recall"}, STRUCK_EVENTS, UNTIL_STRUCK),
    "no_fire": Order("12.8", "Take no Fire", {"torch": "leave"}),
}
