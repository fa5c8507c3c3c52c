"""Prompts and choices; still to come (see UNFINISHED.md)."""

from __future__ import annotations

from typing import Any

from sutler.core.actions import Action
from sutler.core.speech import Choice, Prompt, Speaker


def prompt(box: Any, state: Any, speaker: Speaker, seat: int | None) -> Prompt:
    """What is asked."""
    return Prompt(("Choose.",))


def choice(box: Any, state: Any, speaker: Speaker, action: Action) -> Choice:
    """How the table shows an action."""
    return Choice(action.id, action.name, (action.name,))
