"""Solve a Manor of four lands by counterfactual regret minimisation: python cfr.py --deals 12 --rounds 64

OpenSpiel's solver (CFR+) walks the whole game, and OpenSpiel's best responses say, exactly for these deals, how much a seat could gain
by playing its best against what was found; a win is 1, a loss -1. The curve goes to four-lands.csv.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

import sutler.interop.openspiel  # noqa: F401 (makes our games known)

HERE = Path(__file__).parent


def small(deals: int, box: Path = HERE / "four-lands.toml") -> Any:
    """The small game, of so many deals: each is a seed, and all are equally likely."""
    return pyspiel.load_game("sutler_manor", {"players": 2, "box": str(box), "deals": deals})


def solved(game: Any, rounds: int) -> Iterator[tuple[int, Any]]:
    """The average policy after each round that doubles the number of rounds."""
    solver, look = cfr.CFRPlusSolver(game), 1
    for done in range(1, rounds + 1):
        solver.evaluate_and_update_policy()
        if done == look or done == rounds:
            yield done, solver.average_policy()
            look *= 2


def gain(game: Any, policy: Any) -> float:
    """What a seat could gain by playing its best against a policy, on the average of both: exact, and 0 for a solution."""
    return float(exploitability.nash_conv(game, policy)) / 2


def main() -> None:
    """Solve, and write the curve."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=12, help="how many deals the game has (12)")
    parser.add_argument("--rounds", type=int, default=64, help="how often the game is walked through (64)")
    parser.add_argument("--out", type=Path, default=HERE / "four-lands.csv", help="the curve")
    given = parser.parse_args()
    game, began, worked = small(given.deals), time.monotonic(), time.process_time()
    with given.out.open("w", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(["rounds", "exploitability", "first"])
        for done, policy in solved(game, given.rounds):
            gained = gain(game, policy)
            first = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0]
            curve.writerow([done, round(gained, 5), round(first, 5)])
            file.flush()
            spent = f"{time.monotonic() - began:.0f} s, {time.process_time() - worked:.0f} of a processor"
            print(f"round {done}: exploitability {gained:.4f}; the first seat earns {first:+.3f} ({spent})", flush=True)


if __name__ == "__main__":
    main()
