"""Standing orders of Three Years of War: what a seat lets be answered for it (see `core.play.orders`)."""

from typing import Any

from sutler.core.play.orders import Bound, Order, Until


def _influence(box: Any, state: Any) -> int:
    """5.3: what the last set has brought the total to."""
    return int(state.total)


PASS_ENDS = (Until("passed", "seat"), Until("season"))
ORDERS = {
    "pass": Order(
        "5.9",
        "Pass when it is your turn to bid",
        {"bid": "give_up"},
        PASS_ENDS,
        "once, in this season",
    ),
    "pass_from": Order(
        "5.9",
        "Pass once influence has reached {n}",
        {"bid": "give_up"},
        PASS_ENDS,
        "once, in this season",
        Bound((2, 3, 4, 5, 6, 7, 8), _influence),
    ),
    "keep_writs": Order(
        "8.7", "Keep your Writs when asked between claims", {"window": "keep"}, (Until("year"),), "until the year ends"
    ),
    "no_market": Order("9.2", "Buy nothing at the Marketplace", {"market": "done"}),
}
