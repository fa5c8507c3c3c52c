"""How machine code is handed a record: it asks for `data`, the bytes, which NumPy would first describe field by field.

That description takes up to 60 µs a call, and nobody reads it. Stands apart from `record`, which machine code is made from: nothing of
this is in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sutler.core.record import Row

_BYTE = np.dtype("u1")


def _bytes_of(row: Any) -> Any:
    """The memory of a record, as it lies there."""
    return np.frombuffer(row, _BYTE)


def quickly() -> None:
    """From here on records are handed over without being described."""
    Row.data = property(_bytes_of)  # type: ignore[assignment]
