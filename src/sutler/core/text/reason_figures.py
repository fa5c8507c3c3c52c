"""Numbers of a position that a reason is told in: "crops 5 instead of 3". A game lists its own as `FIGURES` of its `bot/reasons.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

Count = Callable[[Any, Any, int], float]
"""A number of a position for a seat, from (box, state, seat); it is called as plain Python."""


class Figure(NamedTuple):
    """A number that a seat may know, and the part of the judgement (an index of `REASONS`) that it speaks for."""

    part: int
    what: str
    """Its name in English, as it stands before the number: "crops"."""
    of: Count
    is_welcome: bool = True
    """Is more of it better for the seat?"""


def largest_of_others(number: Count) -> Count:
    """The largest such number of the other seats."""
    return lambda box, state, seat: max(
        (number(box, state, other) for other in range(int(state.n_seats)) if other != seat), default=0
    )
