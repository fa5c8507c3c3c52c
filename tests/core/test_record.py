"""Records: one layout of bytes, read as plain Python and by compiled rules alike."""

from __future__ import annotations

import numpy as np
import pytest
from numba import typeof

from sutler.core.record import record

SEAT = record("Seat", ("coins", "i2"), ("purse", "i8", 2))
STATE = record("State", ("phase", "i1"), ("seats", SEAT, 3), ("first", SEAT))


def test_rows_lie_as_numpys_own_records_do() -> None:
    """Machine code and kept games know the layout: it is NumPy's aligned one, with records in records."""
    own = np.dtype((np.record, STATE.struct))
    assert STATE.dtype.itemsize == own.itemsize == STATE.struct.itemsize
    assert [STATE.dtype.fields[name][1] for name in STATE.dtype.names] == [own.fields[n][1] for n in own.names]
    assert typeof(STATE.new()) == typeof(np.zeros(1, own)[0])


def test_a_record_in_a_record_is_the_same_memory() -> None:
    state = STATE.new()
    state.seats[2].coins = 7
    state.first.purse[1] = 9
    seat = state.seats[2]
    seat.coins += 1
    again = STATE.from_bytes(state.tobytes())
    assert int(again.seats[2].coins) == 8
    assert int(again.first.purse[1]) == 9
    assert int(state["seats"][2]["coins"]) == 8


def test_what_a_record_has_not_is_an_attribute_error() -> None:
    state = STATE.new()
    assert not hasattr(state, "copper")
    with pytest.raises(AttributeError, match="no field 'copper'"):
        state.copper = 3
    with pytest.raises(OverflowError):
        state.phase = 300


@pytest.mark.parametrize("name", ["round", "take", "choose", "item", "size", "_own", "class"])
def test_names_that_numpy_or_python_uses_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="choose another"):
        record("Bad", (name, "i1"))


def test_an_empty_record_is_one() -> None:
    assert record("None").dtype.itemsize == 0
