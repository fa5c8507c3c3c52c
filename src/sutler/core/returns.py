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
    first = places == 1
    won = first / np.maximum(1, first.sum(axis=1, keepdims=True))
    return (seats * won - 1) / (seats - 1)
