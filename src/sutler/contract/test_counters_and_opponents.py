"""Contract tests of states in random games: no counter overflows its field, and no field names a seat as its own opponent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from sutler.contract.cases import SMALLEST_TABLES, Case
from sutler.contract.helpers import walk

GAMES_PLAYED = 3
STEPS = 80


def iterate_counters(case: Case, state: Any) -> Iterator[tuple[str, int, int]]:
    """Yield (path, value, largest value of its type) for each signed number of a state that is a count and not an index."""
    for path, one, value in case.load().definition.STATE.iter_values(state):
        if not one.is_set and one.of is None and np.dtype(one.type).kind == "i":
            yield path, int(value), int(np.iinfo(one.type).max)


def has_overflowed(before: int, after: int, greatest: int) -> bool:
    """Has a number overflowed: has it changed by more than the `greatest` value of its type?"""
    return abs(after - before) > greatest


@pytest.mark.parametrize(
    ("before", "after", "wrapped"), [(126, -127, True), (-128, 127, True), (0, 127, False), (5, 2, False)]
)
def test_a_wrapped_byte_is_seen(before: int, after: int, wrapped: bool) -> None:
    """A change from 126 to -127 in a byte counts as an overflow; a change from 0 to 127 does not."""
    assert has_overflowed(before, after, int(np.iinfo("i1").max)) is wrapped


@pytest.mark.parametrize("case", SMALLEST_TABLES, ids=str)
def test_no_counter_wraps(case: Case) -> None:
    """No count of a state overflows its type between two decisions of random games."""
    for seed in range(GAMES_PLAYED):
        before: dict[str, int] = {}
        for pos in walk(case.new_position(seed), seed, STEPS):
            now = {}
            for path, value, greatest in iterate_counters(case, pos.state):
                assert not has_overflowed(before.get(path, value), value, greatest), (
                    f"{path} went from {before[path]} to {value}"
                )
                now[path] = value
            before = now


@pytest.mark.parametrize("case", SMALLEST_TABLES, ids=str)
def test_no_seat_is_its_own_opponent(case: Case) -> None:
    """A field that names another seat for each seat (whom it accuses, asks or aims at) never names the seat itself."""
    named = [one.name for one in case.load().definition.STATE.fields if one.of == "seat" and one.by == "seat"]
    if not named:
        pytest.skip("no field names a seat for each seat")
    for seed in range(GAMES_PLAYED):
        for pos in walk(case.new_position(seed), seed, STEPS):
            for name in named:
                values = np.asarray(pos.state[name])
                assert all(int(values[seat]) != seat for seat in range(case.seats)), name
