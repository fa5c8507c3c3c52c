"""Figures for a bot's reasons, such as "crops 5 instead of 3". A game lists its own as `FIGURES` in its `bot/reasons.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

Count = Callable[[Any, Any, int], float]
"""A function (box, state, seat) that counts something in a position for a seat; it is called as plain Python, not compiled."""


class Figure(NamedTuple):
    """A number of a position that a seat may know, and the part of the evaluation (an index of `REASONS`) that it explains."""

    part: int
    what: str
    """The figure's name in English, as it stands before the number: "crops"."""
    of: Count
    is_welcome: bool = True
    """Is a larger number better for the seat?"""


def largest_of_others(number: Count) -> Count:
    """A function (box, state, seat) that gives the largest value of `number` among the other seats."""
    return lambda box, state, seat: max(
        (number(box, state, other) for other in range(int(state.n_seats)) if other != seat), default=0
    )
