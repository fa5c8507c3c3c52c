"""Measure how many missions of a first year of Six Winters are passed by whoever does what the coach says.

    python studies/first_missions.py [--games 400] [--seed 950001]

The games are those that the Learn page opens after the lesson (the coach's `first_game`: one year, easy), once alone and once beside the
bot that sits there. Prints the share of the two missions that is passed, with its 95 % interval, and the games with none, one and both.
"""

from __future__ import annotations

import argparse

import numpy as np

import sutler
from sutler.core.text.coaching import read_coaching
from sutler.games.sixwinters.state import PASSED
from sutler.lab.play.simulate import play_games, seat_bots
from sutler.lab.stats.estimates import compute_wilson_interval

COACH, PARTNER = "hard", "normal"
"""The levels of the bot that advises and of the one that sits beside a beginner."""
MISSIONS = 2
"""The number of missions in a year."""


def main() -> None:
    """Play, and print a row for one seat and one for two."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", type=int, default=400)
    asked.add_argument("--seed", type=int, default=950_001)
    told = asked.parse_args()
    game = sutler.load("sixwinters")
    game = sutler.load("sixwinters", **read_coaching(game.definition.folder).first_game.options)
    for bots in ([COACH], [COACH, PARTNER]):
        _results, finals = play_games(game, seat_bots(bots, game, len(bots)), told.seed, told.games)
        passed = (finals["mission"] == PASSED).sum(axis=1)
        low, high = compute_wilson_interval(float(passed.sum()), MISSIONS * told.games)
        share = f"{passed.mean() / MISSIONS:.1%} ({100 * low:.1f}–{100 * high:.1f})"
        counts = np.bincount(passed, minlength=MISSIONS + 1).tolist()
        print(f"{' + '.join(bots):15} {share} of missions passed; games with none, one, both: {counts}")


if __name__ == "__main__":
    main()
