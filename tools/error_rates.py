"""Are the error rates of `sutler compare` what it says? Two pools of games, printed and edited, and comparisons drawn from them.

    python tools/error_rates.py manor --plant card.Tournament.gain.victory=4 --set offers=0

Prints, as lines of a table: nothing changed (both sides drawn from the printed pool), nothing changed (blocks of a pool of
random games, none used twice), the planted edit (pairs of games from both pools). docs/lab-compare.md shows a run.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

from sutler.core.game import Game
from sutler.lab.calibrate import Pool, Trial, blocks, summed, trials
from sutler.lab.figures import per_game
from sutler.lab.measures import wilson
from sutler.lab.simulate import simulate
from sutler.lab.versions import version
from sutler.terminal.errors import settings_from


def pool(game: Game, bots: str, seats: int, games: int, threads: int) -> Pool:
    """The headline figures of so many games."""
    return per_game(simulate(game, [bots], games=games, seats=seats, seed=1, threads=threads))


def line(what: str, found: Iterator[Trial], share: str) -> dict[str, object]:
    """One line: how many of the comparisons did what `share` counts, with its interval."""
    told = summed(list(found))
    n, k = told["repetitions"], told[share]
    low, high = wilson(k, n)
    careless = f"{told['careless'] / n:.0%}"
    print(
        f"| {what} | {n:,} | {k / n:.1%} | {low:.1%}–{high:.1%} | {careless} | {told['median_games']:,} |", flush=True
    )
    return told


def main() -> None:
    """Make the pools, draw, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--plant", required=True, help="the edit, KEY=VALUE")
    parser.add_argument("--set", action="append", default=[], help="KEY=VALUE on both sides")
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--pool", type=int, default=20_000, help="games of greedy bots in either pool")
    parser.add_argument("--random", type=int, default=400_000, help="games of random bots")
    parser.add_argument("--block", type=int, default=1_000, help="games of a block of these")
    parser.add_argument("--games", type=int, default=5_000, help="games a side of a comparison at most")
    parser.add_argument("--repetitions", type=int, default=2_000)
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args()
    start = time.perf_counter()
    settings = settings_from(asked.set)
    printed = version(asked.game, None, settings)
    planted = version(asked.game, None, settings | settings_from([asked.plant]))
    print(
        "| comparisons of | how many | share | interval | usual interval | games a side, median |\n|---|---|---|---|---|---|"
    )
    chance = pool(printed, "random", asked.seats, asked.random, asked.threads)
    line("nothing, random bots, blocks: wrong", blocks(chance, asked.block), "wrong")
    a = pool(printed, "greedy", asked.seats, asked.pool, asked.threads)
    drawn = {"repetitions": asked.repetitions, "games": asked.games}
    line("nothing, greedy bots: wrong", trials(a, a, seed=1, paired=False, **drawn), "wrong")
    b = pool(planted, "greedy", asked.seats, asked.pool, asked.threads)
    line(f"{asked.plant}: wrong", trials(a, b, seed=2, paired=True, **drawn), "wrong")
    told = line(f"{asked.plant}: seen", trials(a, b, seed=2, paired=True, **drawn), "saw")
    print("\n| figure | true effect | in standard deviations | seen by |\n|---|---|---|---|")
    for figure in a:
        effect, sd = float(b[figure].mean() - a[figure].mean()), float(a[figure].std())
        seen = told["by_figure"].get(figure.name, 0) / told["repetitions"]  # type: ignore[attr-defined]
        part = f"{effect / sd:+.3f}" if sd else ""
        print(f"| {figure.label} | {figure.say(effect, sign=True)} | {part} | {seen:.1%} |")
    print(f"\n{time.perf_counter() - start:,.0f} s")


if __name__ == "__main__":
    main()
