"""Sets of numbers as bits."""

import numpy as np
import pytest

from sutler.core.bits import mark_set, mark_word, mask_of


@pytest.mark.parametrize("numbers", [[], [0], [63], [64], [0, 1, 62, 63, 64, 65, 111], list(range(112))])
def test_a_set_is_marked_member_by_member(numbers: list[int]) -> None:
    """A 1 for each number of the set, nothing else touched."""
    out = np.full(120, 7, np.float32)
    mark_set(out, 4, mask_of(numbers, 112))
    assert [i - 4 for i in np.flatnonzero(out == 1)] == numbers
    assert (out == 7).sum() == len(out) - len(numbers)


def test_a_word_is_marked_bit_by_bit() -> None:
    """The same for a single word, its highest bit too."""
    out = np.zeros(70, np.int8)
    mark_word(out, 2, np.uint64(1 << 63 | 5))
    assert list(np.flatnonzero(out)) == [2, 4, 65]
