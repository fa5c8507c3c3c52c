"""Template of `evaluate_noting` for games that have none of their own (see `core.per_game_modules`).

A game may keep notes of what it computed for one position, and reuse for the next what has not changed (its record NOTES and its rule
`evaluate_noting`); the value is the same as that of its `evaluate`, to the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.core.protocol import evaluate


@rule
def evaluate_noting(box: Any, state: Any, seat: Any, notes: Any) -> Any:
    """The game's `evaluate`, ignoring `notes`."""
    return evaluate(box, state, seat)
