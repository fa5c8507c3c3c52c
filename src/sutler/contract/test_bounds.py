"""No rule reads or writes beyond an array: games played where every index is checked, in plain Python or in machine code made so."""

import os

import pytest

from sutler.contract.cases import EVERY_CASE, Case
from sutler.contract.helpers import walk
from sutler.core.rule import PLAIN_ONLY

STEPS = 60
CHECK_INTERVAL = 5  # the interval of decisions at which the position is evaluated and observed


@pytest.mark.skipif(
    not (PLAIN_ONLY or os.environ.get("NUMBA_BOUNDSCHECK")),
    reason="machine code checks no index: plain Python does (SUTLER_PLAIN=1), or machine code made with NUMBA_BOUNDSCHECK=1",
)
@pytest.mark.parametrize("case", EVERY_CASE, ids=str)
def test_no_index_is_out_of_bounds(case: Case) -> None:
    """Everything that is asked of a position, in a game played at random, and of every action where it stops."""
    pos = case.new(seed=5)
    d = pos.game.definition
    for n, here in enumerate(walk(pos, seed=9, most=STEPS)):
        if n % CHECK_INTERVAL == 0:
            d.check(here.game.box, here.state)
            for seat in range(case.seats):
                here.for_seat(seat).observation()
                d.evaluate(here.game.box, here.state, seat)
    for action in range(len(pos.game.action_names)):
        pos.why_not(action)
