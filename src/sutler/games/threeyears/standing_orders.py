"""Standing orders of Three Years of War: answers that the server gives for a seat until something happens (`core.play.standing_orders`)."""

from typing import Any

from sutler.core.play.standing_orders import Bound, Order, Until


def _influence_total(box: Any, state: Any) -> int:
    """The influence total of the bidding, reached by the set that was played last (5.3)."""
    return int(state.total)


PASS_ENDS = (Until("passed", "seat"), Until("season"))
ORDERS = {
    "pass": Order(
        "5.9",
        "Pass at my next turn to bid",
        {"bid": "give_up"},
        PASS_ENDS,
        "in this season",
    ),
    "pass_from": Order(
        "5.9",
        "Pass once influence has reached {n}",
        {"bid": "give_up"},
        PASS_ENDS,
        "in this season",
        Bound((2, 3, 4, 5, 6, 7, 8), _influence_total),
    ),
    "pass_forced": Order("5.9", "Pass by itself when I have no bid", {"bid": "give_up"}, if_forced=True),
    "keep_writs": Order(
        "8.7", "Keep your Writs when asked between claims", {"window": "keep"}, (Until("year"),), "until the year ends"
    ),
    "no_market": Order("9.2", "Buy nothing at the Marketplace", {"market": "done"}),
}
