"""What compiled rules do where Numba by itself would do otherwise (`core/compilation/compiler_passes.py`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sutler.core.record import copy_into, field, record

pytestmark = pytest.mark.compiled

NOTES = record("Notes", ("kept", "i4"))
ROW = record("Row", ("game", "i4"), field("chance", "f4", 3))


def note(lists: Any, notes: Any, at: Any) -> Any:
    """Write a row of a list that came in a tuple, in a rule into which another one is copied."""
    rows, other = lists
    copy_into(notes, other[0])
    row = rows[int(at)]
    row.game = 5
    for k in range(3):
        row.chance[k] = (k + 1) / 2
    return 0


def test_every_write_into_a_row_of_a_tuple_is_kept() -> None:
    """Numba takes the write into a part of the row for one that nobody reads."""
    from sutler.core.compilation.compiler import compile_entry

    rows, notes, other = np.zeros(2, ROW.dtype), np.zeros(1, NOTES.dtype), np.zeros(1, NOTES.dtype)
    other["kept"] = 7
    compile_entry(note)((rows, other), notes[0], 1)
    assert rows["game"].tolist() == [0, 5]
    assert rows["chance"].tolist() == [[0, 0, 0], [0.5, 1, 1.5]]
    assert notes["kept"] == 7


def test_a_call_that_fits_nothing_is_still_told_in_words() -> None:
    """The search for a fitting version keeps what fitted; what does not fit ends in Numba's own message, without colours."""
    from numba.core.errors import TypingError

    from sutler.core.compilation.compiler import compile_entry

    def odd(row: Any) -> Any:
        return row.game + "a word"

    for _ in range(2):  # a refusal is not kept as an answer
        with pytest.raises(TypingError, match="No implementation of function") as told:
            compile_entry(odd)(np.zeros(1, ROW.dtype)[0])
        assert "\x1b" not in str(told.value)
