"""No rule reads or writes beyond an array: games played in machine code that checks every index."""

import os
import subprocess
import sys

import pytest

from sutler.contract.cases import GAMES
from sutler.core.rule import PLAIN_ONLY

PLAY = """
from sutler.contract.cases import EVERY
from sutler.contract.helpers import walk
for case in EVERY:
    if case.game == {game!r}:
        pos = case.new(seed=5)
        d = pos.game.definition
        for here in walk(pos, seed=9, most=60):
            d.check(here.game.box, here.state)
            for seat in range(case.seats):
                here.for_seat(seat).observation()
                d.evaluate(here.game.box, here.state, seat)
        for action in range(len(pos.game.action_names)):
            pos.why_not(action)
print("sound")
"""


@pytest.mark.timeout(1800)  # it compiles the game
@pytest.mark.skipif(PLAIN_ONLY, reason="plain Python checks its indexes anyway")
@pytest.mark.parametrize("game", GAMES)
def test_no_index_is_out_of_bounds(game: str) -> None:
    """Numba checks no index unless told to; this run tells it to."""
    told = subprocess.run(
        [sys.executable, "-W", "error", "-c", PLAY.format(game=game)],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
    )
    assert told.stdout.strip() == "sound", told.stderr[-2000:]
