"""Asking for decisions: `ask` stops the rules for one, `go_on` lets them go on. Both are rules, compiled or plain.

A game whose rules go on by themselves between decisions has a row `moving` among its PHASES, and a state with `phase` and `to_act`.
"""

from __future__ import annotations

from typing import Any

from sutler.core.rule import rule
from sutler.core.tables import MOVING


@rule
def ask(state: Any, phase: int, seat: int) -> None:
    """Stop for a decision: this seat decides next, in this phase."""
    state.phase = phase
    state.to_act = seat


@rule
def go_on(state: Any) -> None:
    """Note that no decision is open, so that the rules play on by themselves."""
    state.phase = MOVING
