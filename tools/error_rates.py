"""Are the error rates of `sutler compare` what it says? Pools of games, printed and edited, and comparisons drawn from them.

    python tools/error_rates.py                      every game, into docs/error-rates.md
    python tools/error_rates.py warfarm --unlike     one of them, with bots that differ; other lines of the page stay
    python tools/error_rates.py warfarm --print      on the screen only
    python tools/error_rates.py --quick --print      a short run, as the tests make

For every game: nothing changed (both sides drawn from the printed pool; blocks of it, no game used twice), a small edit, a large
edit, and both with bots that differ. *Wrong*: the interval of some figure left out the truth at some look.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sutler import games, load
from sutler.core.box import settings_of
from sutler.lab.calibrate import Pool, Trial, blocks, summed, trials
from sutler.lab.figures import per_game
from sutler.lab.measures import wilson
from sutler.lab.sequence import FIRST_LOOK
from sutler.lab.simulate import simulate

PAGE = Path(__file__).resolve().parent.parent / "docs" / "error-rates.md"
EDITS = {  # a small edit and a large one; WARFARM's large one gives games of tens of thousands of decisions
    "manor": ("card.Tournament.gain.victory=4", "victory=30"),
    "bellum": ("rules.token_value=3", "rules.steps=2"),
    "threeyears": ("rules.tax_spring=2", "rules.track_start=3"),
    "warfarm": ("rules.farm_win.farmland=13", "rules.farm_win.farmland=14,rules.farm_win.farmer=14"),
    "sixwinters": ("rules.progress_cost=1", "difficulty=difficult"),
}
HEAD = (
    "| game | bots | comparisons of | pool | how many | wrong | interval | usual interval wrong | seen | games a side, median |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True)
class Size:
    """How much is played and drawn."""

    pool: int
    games: int  # a side of a comparison, at most
    repetitions: int


FULL, QUICK = Size(30_000, 5_000, 600), Size(1_500, 1_000, 40)


def pool(game: str, bots: list[str], edit: str, size: Size) -> Pool:
    """The headline figures of so many games."""
    rules = load(game, None, settings_of(edit.split(",")) if edit else {})
    seats = rules.max_seats if len(bots) == 1 else len(bots)
    table = simulate(rules, bots, games=size.pool, seats=seats, seed=1)
    return per_game(table, rules.definition.events.endings)


def line(game: str, bots: list[str], what: str, size: Size, found: Iterator[Trial]) -> str:
    """One line: how many of the comparisons were wrong, with its interval, and how many saw something."""
    told = summed(list(found))
    n, wrong = told["repetitions"], told["wrong"]
    low, high = wilson(wrong, n)
    return (
        f"| {game} | {', '.join(bots)} | {what} | {size.pool:,} | {n:,} | {wrong / n:.1%} | {low:.1%}–{high:.1%} | "
        f"{told['careless'] / n:.0%} | {told['saw'] / n:.0%} | {told['median_games']:,} |"
    )


def lines(game: str, bots: list[str], size: Size) -> Iterator[str]:
    """Nothing changed in two ways, then each edit."""
    printed = pool(game, bots, "", size)
    yield line(
        game, bots, "nothing, blocks", size, blocks(printed, max(FIRST_LOOK, min(size.games // 3, size.pool // 16)))
    )
    yield line(
        game, bots, "nothing, drawn", size, trials(printed, printed, size.repetitions, size.games, 1, paired=False)
    )
    for edit in EDITS[game]:
        try:
            edited = pool(game, bots, edit, size)
        except ValueError as error:
            yield f"| {game} | {', '.join(bots)} | {edit}: {error} | | | | | | | |"
            continue
        yield line(game, bots, edit, size, trials(printed, edited, size.repetitions, size.games, 2, paired=True))


def mixed(game: str) -> list[str]:
    """Bots that differ: one at random among greedy ones, at the table's fullest."""
    return ["random"] + ["greedy"] * (load(game).max_seats - 1)


def main() -> None:
    """Play, draw, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", help="which games; all if left out")
    parser.add_argument("--like", action="store_true", help="only where all bots are alike")
    parser.add_argument("--unlike", action="store_true", help="only where they differ")
    parser.add_argument("--pool", type=int, default=FULL.pool, help="games a pool")
    parser.add_argument("--games", type=int, default=FULL.games, help="a side of a comparison, at most")
    parser.add_argument("--comparisons", type=int, default=FULL.repetitions, help="drawn for a line")
    parser.add_argument("--quick", action="store_true", help="small pools, few comparisons")
    parser.add_argument("--print", action="store_true", help="on the screen only")
    asked = parser.parse_args()
    if asked.pool < 2 * FIRST_LOOK:
        parser.error(f"--pool {asked.pool}: two blocks of {FIRST_LOOK} games are the least")
    size = QUICK if asked.quick else Size(asked.pool, asked.games, asked.comparisons)
    for game in asked.game or [name for name in games() if name in EDITS]:
        kinds = [["greedy"]] if not asked.unlike else []
        kinds += [mixed(game)] if not asked.like and load(game).max_seats > 1 else []
        for bots in kinds:
            start = time.perf_counter()
            found = list(lines(game, bots, size))
            print("\n".join(found), f"\n{time.perf_counter() - start:,.0f} s", flush=True)
            if not asked.print:
                keep(f"| {game} | {', '.join(bots)} |", found)


def keep(which: str, found: list[str]) -> None:
    """Put lines into the page, in the place of those of the same game and bots."""
    old = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
    kept = [one for one in old if one.startswith("| ") and not one.startswith((which, "| game |"))]
    opening = (__doc__ or "").partition("\n\n    python")[0]
    table = "\n".join([HEAD, *sorted([*kept, *found], key=lambda one: one.split("|")[1:3])])
    PAGE.write_text(
        f"# Error rates\n\n*Made by `python tools/error_rates.py`.* {opening}\n\nThe promise is at most 5 % wrong. Pool: games played "
        f"of either version, at the game's most seats. The last column is the median of games a side: where it is 1,500 (800 in pools "
        "of 1,600, all of a pool of fewer), comparisons used up all they might; "
        "blocks of one pool are shorter. Few blocks say little: their interval tells. "
        f"Seen: something was said to be more or less.\n\n{table}\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
