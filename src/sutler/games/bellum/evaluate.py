"""What a position is worth to a seat, for bots that look one move ahead; documented in the game's README."""

from __future__ import annotations

from sutler.core.rule import rule
from sutler.games.bellum.scoring import seat_score


@rule
def evaluate(box, state, seat):
    """How far a seat is ahead."""
    return 1.0 * seat_score(box, state, seat)
