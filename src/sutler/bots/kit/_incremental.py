"""Template: `evaluate` for bots that look at many positions in turn (see `core.template`).

A game may keep notes of what it computed for one position and use for the next what has not changed (`NOTES`, `evaluate_noting`);
the value is that of its `evaluate` to the last bit. All other games, and evaluations without notes, have this.
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
