"""Measure how campaigns of Six Winters go between bots of one kind: won, score, missions passed, sessions played.

    python studies/sixwinters_campaigns.py                              # greedy bots, 1 to 4 players, all difficulties
    python studies/sixwinters_campaigns.py --bots judge --players 2 --difficulty normal --games 120 --against greedy

Prints rows of the table in docs/bots.md with 95 % intervals; the last cell is campaigns for each second of processor time of all threads,
which other work on the machine hardly changes. With `--against` another bot plays the same seeds, and the difference is printed, paired by
campaign. `--set rules.shared_action_dice=10` changes a number of the box.
"""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

import sutler
from sutler.cli.errors import parse_settings
from sutler.core.play.game import Game
from sutler.games.sixwinters.state import OUTCOME, PASSED
from sutler.lab.play.simulate import play_games, seat_bots
from sutler.lab.stats.estimates import wilson

BATCH_CAMPAIGNS = 16
"""Campaigns that a thread plays at a time."""
Numbers = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Campaigns:
    """Results by campaign, shape (n,): won, score, missions passed, sessions. rate: campaigns for each second of processor time."""

    won: Numbers
    score: Numbers
    passed: Numbers
    sessions: Numbers
    rate: float

    @property
    def cells(self) -> str:
        """The cells of a row: won, score, missions passed, sessions, rate."""
        low, high = wilson(float(self.won.sum()), len(self.won))
        won = f"{self.won.mean():.1%} ({100 * low:.1f}–{100 * high:.1f})".replace("%", " %")
        return (
            f"{won} | {self.score.mean():.1f} ± {half_interval(self.score):.1f} | {self.passed.mean():.2f} "
            f"| {self.sessions.mean():.1f} | {self.rate:.0f}"
        )


def half_interval(values: Numbers) -> float:
    """Half the width of the 95 % interval of a mean."""
    return float(1.96 * values.std(ddof=1) / np.sqrt(len(values)))


def play(game: Game, bot: str, players: int, games: int, seed: int, threads: int) -> Campaigns:
    """Play campaigns between bots of one kind, on consecutive seeds."""
    bots = seat_bots([bot], game, players)
    play_games(game, bots, seed, 1, most=1)  # compiles and loads what is needed before the time runs
    batches = [(first, min(BATCH_CAMPAIGNS, games - first)) for first in range(0, games, BATCH_CAMPAIGNS)]
    start = time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(lambda batch: play_games(game, bots, seed + batch[0], batch[1]), batches))
    rate = games / (time.process_time() - start)
    results, finals = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
    return Campaigns(
        won=finals["outcome"] == OUTCOME.won,
        score=results["points"][:, 0],
        passed=(finals["mission"] == PASSED).sum(axis=1),
        sessions=(finals["journal"]["result"][:, :, 0] > 0).sum(axis=1),
        rate=rate,
    )


def main() -> None:
    """Play and print a row for each number of players and difficulty."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", default="greedy", help="the bot that leads all characters")
    parser.add_argument("--against", help="another bot that plays the same seeds")
    parser.add_argument("--players", default="1,2,3,4")
    parser.add_argument("--difficulty", default="easy,normal,difficult")
    parser.add_argument("--set", action="append", default=[], help="KEY=VALUE of the box: rules.shared_action_dice=10")
    parser.add_argument("--games", type=int, default=1000, help="campaigns for each row")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    for difficulty in options.difficulty.split(","):
        game = sutler.load("sixwinters", settings={**parse_settings(options.set), "difficulty": difficulty})
        for players in map(int, options.players.split(",")):
            size = (players, options.games, options.seed, options.threads)
            found = play(game, options.bots, *size)
            print(f"| {options.bots} | {players} | {difficulty} | {found.cells} |", flush=True)
            if options.against:
                other = play(game, options.against, *size)
                print(f"| {options.against} | {players} | {difficulty} | {other.cells} |", flush=True)
                score, won = found.score - other.score, 100.0 * (found.won.astype(float) - other.won)
                print(
                    f"    score {score.mean():+.2f} ± {half_interval(score):.2f}, won {won.mean():+.1f} ± "
                    f"{half_interval(won):.1f} points, on the same seeds",
                    flush=True,
                )


if __name__ == "__main__":
    main()
