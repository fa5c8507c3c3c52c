"""Fast access to records: machine code gets their memory as it lies, plain Python reads them field by field.

Machine code asks a record for `data`, its bytes; NumPy would first describe them in a string, up to 60 µs a call, which nobody
reads. Views read thousands of fields for one picture, and `Row.__getattr__` runs only after the usual lookup has failed. Kept apart
from `record`, which machine code is made from.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sutler.core.record import Record, Row

_BYTE = np.dtype("u1")


def _bytes_of(row: Any) -> Any:
    """The memory of a record."""
    return np.frombuffer(row, _BYTE)


class _Read:
    """Reads the field of this name from any record that has it, so that different records may use the same name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, row: Any, kind: type) -> Any:
        try:
            return row[self.name]
        except (TypeError, KeyError, ValueError):
            raise AttributeError(f"this record has no field {self.name!r}") from None


def speed_up_access(*records: Record) -> None:
    """Speed up access to these records, and to all records in them, from now on."""
    Row.data = property(_bytes_of)  # type: ignore[assignment]
    for one in records:
        for field in one.fields:
            if field.name not in vars(Row):
                setattr(Row, field.name, _Read(field.name))
            if isinstance(field.type, Record):
                speed_up_access(field.type)
