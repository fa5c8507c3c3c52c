"""The return of each seat at the end of a game, as learners and datasets get it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from sutler.core.definition import Definition

USUAL_SCALE = 5.0


def returns_from(definition: Definition, points: Any, places: Any) -> Any:
    """The returns of games: shape (games, seats), float64, between -1 and 1, from their scores and places in that shape.

    The winner has 1 and the others -1 / (seats - 1), a shared first place is shared, and the sum is zero. Where all play together,
    or one sits alone, everyone has the same: the score, squashed by the game's own scale.
    """
    seats = points.shape[1]
    if definition.COOPERATIVE or seats == 1:
        return np.tanh(points / float(definition.SCALE or USUAL_SCALE) / 2)
    return (seats * win_shares(places, together=False) - 1) / (seats - 1)


def win_shares(places: Any, together: bool) -> Any:
    """The share of the win that each seat has: shape (games, seats), float64, from places in that shape.

    A shared first place is shared in parts; where all win or lose `together`, it is 1 for all or 0 for all.
    """
    first = places == 1
    return first.astype(np.float64) if together else first / np.maximum(1, first.sum(axis=1, keepdims=True))
