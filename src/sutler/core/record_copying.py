"""`copy_into(target, source)` copies one record over another of the same type; in compiled code it is one memory copy."""

from __future__ import annotations

from typing import Any


def copy_into(target: Any, source: Any) -> None:
    """Copy every field of the record `source` into the record `target`."""
    for name in target.dtype.names:
        target[name] = source[name]
