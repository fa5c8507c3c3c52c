"""Standing orders of Medieval Manor: answers that a seat lets the server give for it until something happens (see `core.play.orders`)."""

from sutler.core.play.orders import Order, Until

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
