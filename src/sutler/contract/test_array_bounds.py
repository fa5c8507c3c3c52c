"""No rule reads or writes beyond an array: games played with every index checked, by plain Python or by NUMBA_BOUNDSCHECK=1."""

import os

import pytest

from sutler.contract.cases import EVERY_CASE, Case
from sutler.contract.helpers import walk
from sutler.core.rule import PLAIN_ONLY

STEPS = 60
CHECK_INTERVAL = 5  # the position is evaluated and observed after each so many decisions


@pytest.mark.skipif(
    not (PLAIN_ONLY or os.environ.get("NUMBA_BOUNDSCHECK")),
    reason="machine code checks no index: plain Python does (SUTLER_PLAIN=1), or machine code made with NUMBA_BOUNDSCHECK=1",
)
@pytest.mark.parametrize("case", EVERY_CASE, ids=str)
def test_no_index_is_out_of_bounds(case: Case) -> None:
    """In a random game, checks, observations, evaluations, and `why_not` of every action at the end use no index out of bounds."""
    pos = case.new_position(seed=5)
    d = pos.game.definition
    for n, here in enumerate(walk(pos, seed=9, most=STEPS)):
        if n % CHECK_INTERVAL == 0:
            d.check(here.game.box, here.state)
            for seat in range(case.seats):
                here.for_seat(seat).observation()
                d.evaluate(here.game.box, here.state, seat)
    for action in range(len(pos.game.action_names)):
        pos.why_not(action)
