"""`copy_into(target, source)`: copy one record over another of the same kind. Compiled: a block move (`core.machine.words`)."""

from __future__ import annotations

from typing import Any


def copy_into(target: Any, source: Any) -> None:
    """Copy every field of the source record into the target; they share no memory afterwards."""
    for name in target.dtype.names:
        target[name] = source[name]
