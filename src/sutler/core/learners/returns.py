"""The return (reward) of each seat at the end of a game, for learning programs and data sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from sutler.core.definition import Definition

USUAL_SCALE = 5.0


def compute_returns(definition: Definition, points: Any, places: Any) -> Any:
    """The returns of games between -1 and 1, float64 of shape (games, seats); `points` and `places` have that shape.

    The winner has 1, the others -1 / (seats - 1); several winners share, so that the sum is zero. In games that all play together, or
    one plays alone, the return is tanh(points / scale / 2) with the game's `SCALE`.
    """
    seats = points.shape[1]
    if definition.COOPERATIVE or seats == 1:
        return np.tanh(points / float(definition.SCALE or USUAL_SCALE) / 2)
    return (seats * compute_win_shares(places, together=False) - 1) / (seats - 1)


def compute_win_shares(places: Any, together: bool) -> Any:
    """Each seat's share of the win, 0 to 1, float64 of shape (games, seats); `places`, from 1, has that shape.

    k seats in first place have 1 / k each; where all win or lose `together`, each seat in first place has 1.
    """
    first = places == 1
    return first.astype(np.float64) if together else first / np.maximum(1, first.sum(axis=1, keepdims=True))
