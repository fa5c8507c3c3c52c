"""Standing orders of Six Winters: decisions that a player may have answered in advance (see `core.play.standing_orders`).

Decisions of the whole team are never among them.
"""

from sutler.core.play.standing_orders import Order, Until

TURN = (Until("turn"), Until("bonus_turn"))
ORDERS = {
    "stay_out": Order("7.2", "Join nobody in overcoming", {"join": "stay_out"}, TURN, "until the turn ends"),
    "watch_on": Order(
        "9.12",
        "Let the turns go on while nobody is on their feet",
        {"watch": "watch"},
        (Until("year"),),
        "until the year ends",
    ),
}
