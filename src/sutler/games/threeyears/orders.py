"""Standing orders of Three Years of War: what a seat lets be answered for it (see `core.orders`)."""

from sutler.core.orders import Order, Until

ORDERS = {
    "pass": Order(
        "5.9",
        "Pass when it is your turn to bid",
        {"bid": "give_up"},
        (Until("passed", "seat"), Until("season")),
        "once, in this season",
    ),
    "keep_writs": Order(
        "8.7", "Keep your Writs when asked between claims", {"window": "keep"}, (Until("year"),), "until the year ends"
    ),
    "no_market": Order("9.2", "Buy nothing at the Marketplace", {"market": "done"}),
}
