"""Weights of a bot as one record, so that one rule can run with several sets of numbers."""

from __future__ import annotations

from typing import Any

from sutler.core.record import Record


def build_weights(kind: Record, **told: Any) -> Any:
    """A row of a record of numbers with every field given by name; TypeError names those that are missing or unknown."""
    fields = {one.name for one in kind.fields}
    if wrong := sorted(fields ^ set(told)):
        raise TypeError(f"{kind.name}: each number is told once; missing or unknown: {', '.join(wrong)}")
    row = kind.new()
    for name, value in told.items():
        setattr(row, name, value)
    return row
