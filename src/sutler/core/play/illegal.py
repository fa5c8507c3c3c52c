"""The error for an action that the rules do not allow now, or that does not exist."""

from __future__ import annotations

import operator
from typing import Any


class IllegalAction(ValueError):
    """An action that cannot be taken now: `reason` says why, `rule` is the number of the guide's paragraph that forbids it, or ""."""

    def __init__(self, reason: str, rule: str = "") -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.reason = reason
        self.rule = rule


def to_action_id(action: Any) -> int:
    """The id of an action as an int, from any type of whole number; IllegalAction for anything else, such as 2.7."""
    try:
        return operator.index(action)
    except TypeError:
        raise IllegalAction(f"an action's id is one whole number, not {action!r}") from None
