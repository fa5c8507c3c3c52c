"""What templates of the bots are given where a game says nothing of its own."""

from __future__ import annotations

from typing import Any

from sutler.core.rule import rule


@rule
def prune_nothing(box: Any, state: Any, out: Any) -> Any:
    """For games without a `prune` of their own: every legal action is worth a thought."""
    return


@rule
def always_quiet(state: Any) -> Any:
    """For games without an `is_quiet` of their own: a search may judge any position."""
    return True


@rule
def want_nothing(box: Any, state: Any, plan: Any, legal: Any, out: Any) -> None:
    """For games without personas: no plan wants anything."""
    return
