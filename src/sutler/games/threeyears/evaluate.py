"""What a position is worth to a seat, for bots that look one move ahead; documented in the game's README."""

from __future__ import annotations

from sutler.core.rule import rule
from sutler.games.threeyears.scoring import total_of


@rule
def evaluate(box, state, seat):
    """Points as they stand."""
    return 1.0 * total_of(box, state, seat)
