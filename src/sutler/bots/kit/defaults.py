"""The rules that templates of the bots get where a game has none of its own."""

from __future__ import annotations

from typing import Any

from sutler.core.rule import rule


@rule
def prune_nothing(box: Any, state: Any, out: Any) -> Any:
    """The `prune` of games without one: every legal action is considered."""
    return


@rule
def always_quiet(state: Any) -> Any:
    """The `is_quiet` of games without one: a search may evaluate any position."""
    return True


@rule
def no_time(state: Any) -> Any:
    """How far a game has come that has no curve from leads to chances: nobody asks."""
    return 0.0


@rule
def want_nothing(box: Any, state: Any, plan: Any, legal: Any, out: Any) -> None:
    """The `wants` of games without personas: no plan wants anything."""
    return
