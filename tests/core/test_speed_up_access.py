"""A record is handed to machine code as the memory it lies in, and its fields are read the short way."""

from __future__ import annotations

import numpy as np
import pytest

from sutler.core.fast_record_reading import speed_up_access
from sutler.core.record import record

PART = record("Part", ("coins", "i2"), ("crew", "i1", 3))
WHOLE = record("Whole", ("turn", "i4"), ("parts", PART, 4), ("held", "u8", 2))
speed_up_access(WHOLE)


def test_a_record_and_its_parts_are_handed_over_as_they_lie() -> None:
    whole = WHOLE.new()
    whole.turn, whole.parts[2].coins = 7, 300
    start = whole.data.__array_interface__["data"][0]
    assert whole.data.tobytes() == whole.tobytes()
    part = whole.parts[2]
    offset = WHOLE.dtype.fields["parts"][1] + 2 * PART.dtype.itemsize
    assert part.data.__array_interface__["data"][0] == start + offset
    assert part.data.tobytes() == part.tobytes()


def test_what_changes_in_a_record_changes_in_what_was_handed_over() -> None:
    whole = WHOLE.new()
    handed = whole.data
    whole.parts[1].crew[2] = 5
    assert np.frombuffer(handed.tobytes(), WHOLE.dtype)[0].parts[1].crew[2] == 5
    assert not handed.flags.owndata


def test_fields_are_read_as_before() -> None:
    whole = WHOLE.new()
    whole.turn = 4
    assert (whole.turn, whole["turn"], type(whole.turn)) == (4, 4, np.int32)
    with pytest.raises(AttributeError, match="no field 'coins'"):
        _ = whole.coins
    assert not hasattr(whole, "crew")
    with pytest.raises(AttributeError, match="no field 'coins'"):
        whole.coins = 1


def test_the_name_of_a_field_may_be_used_by_other_records() -> None:
    other = record("Other", ("held", "i1"), ("turn", "i1", 2)).new()
    other.held = 3
    assert other.held == 3
    assert other.turn.tolist() == [0, 0]
