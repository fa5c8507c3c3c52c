"""The table as plain data; still to come (see UNFINISHED.md)."""

from __future__ import annotations

from typing import Any

from sutler.core.speech import Line, Speaker


def view(box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    """What a seat may know."""
    return {}


def breakdown(box: Any, state: Any, speaker: Speaker, seat: int) -> list[Line]:
    """What the score is made of."""
    return []
