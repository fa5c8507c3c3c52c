"""Default rules for the bots' templates, used where a game has none of its own."""

from __future__ import annotations

from typing import Any

from sutler.core.rule import rule


@rule
def prune_nothing(box: Any, state: Any, out: Any) -> Any:
    """The default of `prune` and `narrow` for games without them: all legal actions stay."""
    return


@rule
def is_always_quiet(state: Any) -> Any:
    """The default of `is_quiet` for games without it: a search may cut a game in any position."""
    return True


@rule
def report_no_progress(state: Any) -> Any:
    """The default of `time_of` for games without `chances.toml`; its value is never used."""
    return 0.0


@rule
def want_no_action(box: Any, state: Any, plan: Any, legal: Any, out: Any) -> None:
    """The default of `wants` for games without personas: no plan wants any action."""
    return


@rule
def correct_values(box: Any, state: Any, scratch: Any, bot: Any) -> Any:
    """The default of `correct_values` for a search without a network: values stay as they are.

    Returns the temperature of the priors made from them.
    """
    return bot.warmth


@rule
def correct_payoffs(box: Any, state: Any, scratch: Any, bot: Any) -> None:
    """The default of `correct_payoffs` for a search without a network: payoffs stay as they are."""
    return
