"""A record is handed to machine code as the memory it lies in, and nothing of it is copied."""

from __future__ import annotations

import numpy as np

import sutler.core.definition  # it sees to how records are handed over
from sutler.core.record import record

PART = record("Part", ("coins", "i2"), ("crew", "i1", 3))
WHOLE = record("Whole", ("turn", "i4"), ("parts", PART, 4), ("held", "u8", 2))


def test_a_record_and_its_parts_are_handed_over_as_they_lie() -> None:
    assert sutler.core.definition.ENGINE.exists()
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
