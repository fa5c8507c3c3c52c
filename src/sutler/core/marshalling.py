"""How records are handed on quickly: to machine code as they lie, and to plain Python field by field.

Machine code asks a record for `data`, its bytes, which NumPy would first describe in letters: up to 60 µs a call, and nobody reads
them. Views read thousands of fields for one picture, and each would first be looked for in vain among what every record has. Stands
apart from `record`, which machine code is made from: nothing of this is in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sutler.core.record import Record, Row

_BYTE = np.dtype("u1")


def _bytes_of(row: Any) -> Any:
    """The memory of a record, as it lies there."""
    return np.frombuffer(row, _BYTE)


class _Read:
    """Reads a field of that name from whichever record has it; of rows as such there is none, so `record` may use the name again."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, row: Any, kind: type) -> Any:
        try:
            return row[self.name]
        except (TypeError, KeyError, ValueError):
            raise AttributeError(f"this record has no field {self.name!r}") from None


def quickly(*records: Record) -> None:
    """From here on these records, and those in them, are handed on quickly."""
    Row.data = property(_bytes_of)  # type: ignore[assignment]
    for one in records:
        for field in one.fields:
            if field.name not in vars(Row):
                setattr(Row, field.name, _Read(field.name))
            if isinstance(field.type, Record):
                quickly(field.type)
