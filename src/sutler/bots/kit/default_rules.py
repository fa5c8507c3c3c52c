"""Default rules for the bots' templates, used where a game has none of its own."""

from __future__ import annotations

from typing import Any

from sutler.core.rule import rule


@rule
def prune_nothing(box: Any, state: Any, out: Any) -> Any:
    """The default `prune` and `narrow`: all legal actions stay."""
    return


@rule
def is_always_quiet(state: Any) -> Any:
    """The default `is_quiet`: a search may cut a game in any position."""
    return True


@rule
def report_no_progress(state: Any) -> Any:
    """The default `time_of`, for games without `chances.toml`; its value is never used."""
    return 0.0


@rule
def want_no_action(box: Any, state: Any, plan: Any, legal: Any, out: Any) -> None:
    """The default `wants`, for games without personas: no plan wants any action."""
    return


@rule
def correct_values(box: Any, state: Any, scratch: Any, bot: Any) -> Any:
    """The default of a search that goes by the values of `evaluate`: they stay. Returns the temperature of the priors made from them."""
    return bot.warmth


@rule
def correct_payoffs(box: Any, state: Any, scratch: Any, bot: Any) -> None:
    """The default of a search that is paid by the values of `evaluate`: its payoffs stay."""
    return
