"""The search of now against the first release's, at equal time.

    python tools/then_and_now.py manor                                  # one of now among those of then
    python tools/then_and_now.py bellum --rounds 40 --games 400 --threads 1
    python tools/then_and_now.py bellum --rounds 40 --then 57           # where the rounds are known

First each plays games of its own kind by turns, and what a decision takes of a processor says how many rounds of the old search last as
long as `--rounds` of the new; again with what was found, since a search stops early where nothing can change any more. Then one search
of now plays among old ones, seats rotated. Prints the line of the table in docs/bots.md, the interval at 95 %. Where all play
together (Six Winters) `tools/campaigns.py --bots search:rounds=40 --against classic-search:rounds=N` plays the same campaigns by each.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

import polars as pl

import sutler
from sutler.core.game import Game
from sutler.lab.stats.measures import win_rates

TIMES = 4  # that rounds are tried, at most
AGREES = 0.05  # how far apart the two times may lie in the end, as a part
FIRST = 600_001  # seeds of the games that are timed


def seconds(game: Game, seats: int, bot: str, seed: int) -> float:
    """Of a processor, for a decision of a game between bots of one kind."""
    start = time.process_time()
    table = sutler.simulate(game, [bot] * seats, games=1, seed=seed, threads=1)
    return (time.process_time() - start) / int(table["decisions"][0])


def ratio(game: Game, seats: int, one: str, other: str, games: int) -> float:
    """How much longer one takes than the other: the median of games that they play by turns."""
    seeds = range(FIRST, FIRST + games)
    return statistics.median(seconds(game, seats, one, seed) / seconds(game, seats, other, seed) for seed in seeds)


def as_long(game: Game, seats: int, rounds: int, games: int) -> tuple[int, float]:
    """Rounds of the old search that last as long as so many of the new; and how many times as long the new ones then last."""
    then, now = rounds, f"search:rounds={rounds}"
    for bot in (now, f"classic-search:rounds={then}"):
        seconds(game, seats, bot, FIRST)  # compiled before it is timed
    for _ in range(TIMES):
        longer = ratio(game, seats, now, f"classic-search:rounds={then}", games)
        if abs(longer - 1) < AGREES:
            return then, longer
        then = max(1, round(then * longer))
    return then, ratio(game, seats, now, f"classic-search:rounds={then}", games)


def main() -> None:
    """Time, play, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--then", type=int, default=0, help="rounds of the old search, instead of finding them")
    parser.add_argument("--timed", type=int, default=5, help="games of each kind that are timed")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=700_001)
    parser.add_argument("--seats", type=int, default=0)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    told = parser.parse_args()
    game = sutler.load(told.game)
    seats, then = told.seats or game.best_seats, told.then
    if not then:
        then, longer = as_long(game, seats, told.rounds, told.timed)
        print(f"{told.rounds} rounds of now take {longer:.2f} times as long as {then} of then", flush=True)
    bots = [f"search:rounds={told.rounds}", *[f"classic-search:rounds={then}"] * (seats - 1)]
    table = sutler.simulate(game, bots, games=told.games, seed=told.seed, threads=told.threads)
    ours = win_rates(table).filter(pl.col("bot").str.starts_with("search")).row(0, named=True)
    won = f"{ours['share']:.1%} | {ours['low']:.1%}–{ours['high']:.1%}"
    print(f"| {game.title} | {seats} | {told.rounds} | {then} | {told.games:,} | {won} | {ours['share'] * seats:.2f} |")


if __name__ == "__main__":
    main()
