"""Records read plainly: the same numbers as the record's own, looked up once, with rules as plain Python beside them."""

from typing import Any

import numpy as np
import pytest

import sutler
from sutler.core import fast_record_reading, rule
from sutler.core.bits import mask_of, members
from sutler.core.fast_record_reading import Plain, with_plain_records
from sutler.games.sixwinters.rules.actions import dice_price
from sutler.games.sixwinters.rules.common import level


def same(plain: Any, row: Any) -> None:
    """Every field of a record, and of the records in it, reads as the record's own does."""
    for name in row.dtype.names:
        mine, theirs = getattr(plain, name), row[name]
        if isinstance(theirs, np.void):
            same(mine, theirs)
        elif isinstance(theirs, np.ndarray) and theirs.dtype.names:
            for at in np.ndindex(theirs.shape):
                same(mine[at] if len(at) > 1 else mine[at[0]], theirs[at])
        elif isinstance(theirs, np.ndarray):
            assert mine == theirs.tolist()
            assert all(mine[at] == theirs[at] for at in np.ndindex(theirs.shape) if len(at) > 1)
        else:
            assert (type(mine), mine) == (int, int(theirs))


@pytest.mark.parametrize("name", ["manor", "sixwinters"])
def test_every_field_reads_as_the_record_s_own(name: str) -> None:
    game = sutler.load(name)
    same(Plain(game.new(game.best_seats, 1).state), game.new(game.best_seats, 1).state)
    with pytest.raises(AttributeError, match="no field 'hats'"):
        Plain(game.box).hats  # noqa: B018


def test_rules_run_plainly_within_and_as_before_afterwards() -> None:
    game = sutler.load("sixwinters")
    pos = game.new(2, 1)
    before = rule._here.plain

    @with_plain_records
    def look(box: Any, state: Any) -> list[int]:
        assert rule._here.plain
        return [*(level(box, state, r) for r in range(6)), *(dice_price(box, state, 0, to, 0) for to in range(9))]

    box, state = game.box, pos.state
    asked = [*(level(box, state, r) for r in range(6)), *(dice_price(box, state, 0, to, 0) for to in range(9))]
    assert look(box, state) == asked
    assert rule._here.plain == before
    with pytest.raises(AttributeError):
        with_plain_records(lambda box, state: state.hats)(box, state)
    assert rule._here.plain == before


def test_a_box_is_read_once_and_again_when_it_has_changed() -> None:
    game = sutler.load("sixwinters", settings={"rules.port_cost": 2})
    first = fast_record_reading.read_box_plainly(game.box)
    assert first.rules.port_cost == 2
    assert fast_record_reading.read_box_plainly(game.box) is first
    game.box.rules.port_cost = 3
    assert fast_record_reading.read_box_plainly(game.box).rules.port_cost == 3
    game.box.rules.port_cost = 2


def test_what_is_written_is_lost() -> None:
    pos = sutler.load("sixwinters").new(2, 1)
    before = pos.to_bytes()

    @with_plain_records
    def scribble(box: Any, state: Any) -> None:
        state.year = 6
        state.pools[0][0] = 9
        state.people[0].xp = 99

    scribble(pos.game.box, pos.state)
    assert pos.to_bytes() == before


@pytest.mark.parametrize("size", [1, 64, 65, 130])
def test_the_members_of_a_set_are_found_as_rules_find_them(size: int) -> None:
    luck = np.random.default_rng(size)
    for density in (0.0, 0.1, 0.9, 1.0):
        found = np.flatnonzero(luck.random(size) < density)
        for words in (mask := mask_of(found, size)), mask.tolist(), tuple(mask.tolist()):
            assert list(fast_record_reading.list_set_members(words)) == members(mask) == found.tolist()
