"""Standing orders of WARFARM: answers that the server gives for a seat, mostly until it is attacked (`core.play.standing_orders`)."""

from typing import Any

from sutler.core.play.standing_orders import Bound, Order, Until
from sutler.games.warfarm.box import FARMLAND


def _largest_farmland(box: Any, state: Any) -> int:
    """The Farmland of the seat that has most of it (14.1)."""
    return max(int(me.goods[FARMLAND]) for me in state.seats)


STRIKING_EVENTS = (
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
STRUCK_EVENTS = tuple(Until(event, "victim") for event in STRIKING_EVENTS)
"""The events that end such an order: something of the seat is taken, destroyed or set on fire."""
UNTIL_STRUCK = "until somebody takes or destroys something of yours"
ORDERS = {
    "no_attack": Order("7.1", "Attack nobody", {"attack": "end_attack"}, STRUCK_EVENTS, UNTIL_STRUCK),
    "no_attack_until": Order(
        "7.1",
        "Attack nobody until somebody has {n} Farmland",
        {"attack": "end_attack"},
        STRUCK_EVENTS,
        "or somebody takes or destroys something of yours",
        Bound((8, 9, 10, 11), _largest_farmland, "up_to"),
    ),
    "hold_traps": Order("10.3", "Hold every Trap back", {"trap": "keep"}, STRUCK_EVENTS, UNTIL_STRUCK),
    "stay_on_post": Order("6.1", "Leave everybody on post", {"recall": "end_recall"}, STRUCK_EVENTS, UNTIL_STRUCK),
    "no_fire": Order("12.8", "Take no Fire", {"torch": "leave"}),
}
