"""Standing orders of Medieval Manor: answers that the server gives for a seat until something happens (see `core.play.standing_orders`)."""

from sutler.core.play.standing_orders import Order, Until

TURN = (Until("turn"),)
ORDERS = {
    "decline": Order("4.2", "Decline every offer", {"answer": "decline"}, TURN, "until the turn ends"),
    "no_offers": Order(
        "4.2",
        "Make no offers",
        {"offer": "done"},
        (*TURN, Until("offered", "other")),
        "until somebody makes you one, or the turn ends",
    ),
    "no_buying": Order("3.4", "Buy no cards", {"buy": "done"}),
    "to_work": Order(
        "1.6",
        "No to all: straight to work",
        {"buy": "done", "swap": "done", "offer": "done"},
        TURN,
        "until the turn ends",
    ),
}
