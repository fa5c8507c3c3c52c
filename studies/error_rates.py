"""Measure how often `sutler compare` is wrong: comparisons are drawn from pools of games whose true figures are known.

    python studies/error_rates.py                      every game, into docs/error-rates.md
    python studies/error_rates.py warfarm --unlike     one game, between bots of different kinds; other rows of the page stay
    python studies/error_rates.py warfarm --print      on the screen only
    python studies/error_rates.py warfarm --like --line "nothing, drawn"      one row (or: --line rules.farm_win.farmland=13)
    python studies/error_rates.py --minutes 4          stop then; the same command continues
    python studies/error_rates.py --quick --print      a short run, as in the tests

For each game: nothing changed (both sides drawn from the pool of the printed game; disjoint blocks of that pool; and the pool with one
game in 300 made 200 times as long, a heavy tail), a small edit and a large edit, each between bots of one
kind and between bots of different kinds. A comparison is *wrong* if the interval of some figure did not contain the true value at some
look.

Pools are stored in the folder --keep, part by part, so that an interrupted run (Ctrl-C, --minutes) continues, and rows that share a pool
play it once. A pool is played again if the rules or the bots have changed since. Each row is written to the page as soon as it is done.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import polars as pl

from sutler import games, load
from sutler.core.files.box import parse_setting_pairs
from sutler.lab.play.experiment import LIST_COLUMNS, Interrupted, Plan, run
from sutler.lab.play.headline_figures import compute_game_figures
from sutler.lab.stats.anytime_intervals import FIRST_LOOK_GAMES
from sutler.lab.stats.estimates import compute_wilson_interval
from sutler.lab.studies.comparison_calibration import (
    Pool,
    Trial,
    add_endless_games,
    iter_block_trials,
    iter_trials,
    summarise_trials,
)

POOLS_FOLDER = Path(tempfile.gettempdir()) / "sutler-error-rates"
PAGE = Path(__file__).resolve().parent.parent / "docs" / "error-rates.md"
EDITS = {  # a small edit and a large one of each game
    "manor": ("card.Tournament.gain.victory=4", "victory=30"),
    "bellum": ("rules.token_value=3", "rules.steps=2"),
    "threeyears": ("rules.tax_spring=2", "rules.track_start=3"),
    "warfarm": ("rules.recipes.soldier.steel=2", "rules.recipes.soldier.steel=3"),
    "sixwinters": ("rules.progress_cost=1", "difficulty=easy"),
}
UNCHANGED = BLOCKS, DRAWN, TAILED = "nothing, blocks", "nothing, drawn", "nothing, 1 game in 300 endless"
ENDLESS_SHARE = 1 / 300
"""The share of a pool's games that are made two hundred times as long, to give it a heavy tail."""
TABLE_HEAD = (
    "| game | bots | comparisons of | pool | how many | wrong | interval | usual interval wrong | seen | games a side, median | again | "
    "played |\n|---|---|---|---|---|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True)
class Size:
    """The size of a run. pool: games of each pool; games: the most games a side of a comparison; repetitions: comparisons for a row."""

    pool: int
    games: int
    repetitions: int


@dataclass(frozen=True)
class PoolStore:
    """The folder of pools, and the time (seconds of time.monotonic) after which no more games are played."""

    folder: Path
    until: float = float("inf")

    def report(self, pool: str, done: int, total: int) -> None:
        """Print the progress. KeyboardInterrupt when the time is up."""
        print(f"\r  {pool}: {done:,} of {total:,}", end="" if done < total else "\n", file=sys.stderr, flush=True)
        if done < total and time.monotonic() > self.until:
            raise KeyboardInterrupt


FULL, QUICK = Size(30_000, 5_000, 600), Size(1_500, 1_000, 40)


def pool(game: str, bots: list[str], edit: str, size: Size, store: PoolStore) -> Pool:
    """The headline figures of a pool, played first if it is missing. Interrupted (lab.play.experiment) if the time ran out."""
    rules = load(game, None, parse_setting_pairs(edit.split(",")) if edit else {})
    seats = rules.max_seats if len(bots) == 1 else len(bots)
    plan = Plan(rules, bots, size.pool, seed=1, seats=seats)
    settings = sorted(f"{key}={value}" for key, value in plan.to_dict().items())
    digest = hashlib.sha256("\n".join(settings).encode()).hexdigest()[:12]
    out = store.folder / f"{game}-{size.pool}-{digest}.parquet"
    if not out.exists():
        store.folder.mkdir(parents=True, exist_ok=True)
        who = f"{game}, {','.join(bots)}, {edit or 'printed'}"
        run(plan, out, progress=lambda done, total: store.report(who, done, total), search_cycles=False)
    table = pl.scan_parquet(out).drop(LIST_COLUMNS).collect()
    return compute_game_figures(rules.definition, table)


def table_row(game: str, bots: list[str], comparison: str, size: Size, found: Iterator[Trial]) -> str:
    """A row of the table: the share of comparisons that were wrong, with its interval, and of those that found a difference."""
    total = summarise_trials(list(found))
    kind = "--like" if len(bots) == 1 else "--unlike"
    flags = f'{kind} --line "{comparison}" --pool {size.pool} --games {size.games} --comparisons {size.repetitions}'
    n, wrong = total["repetitions"], total["wrong"]
    low, high = compute_wilson_interval(wrong, n)
    return (
        f"| {game} | {', '.join(bots)} | {comparison} | {size.pool:,} | {n:,} | {wrong / n:.1%} | {low:.1%}–{high:.1%} | "
        f"{total['careless'] / n:.0%} | {total['saw'] / n:.0%} | {total['median_games']:,} | `{game} {flags}` |"
    )


def comparisons(game: str) -> list[str]:
    """The names of a game's comparisons: nothing changed, in two ways, then each edit."""
    return [*UNCHANGED, *EDITS[game]]


def table_rows(game: str, bots: list[str], size: Size, store: PoolStore, only: Sequence[str] = ()) -> Iterator[str]:
    """A row of the table for each comparison, or only for those named."""
    printed = pool(game, bots, "", size, store)
    rotation = 1 if len(bots) == 1 else len(bots)
    for comparison in only or comparisons(game):
        if comparison == BLOCKS:
            found = iter_block_trials(
                printed, max(FIRST_LOOK_GAMES, min(size.games // 3, size.pool // 16)), rotation=rotation
            )
        elif comparison in (DRAWN, TAILED):
            drawn = add_endless_games(printed, ENDLESS_SHARE, 3) if comparison == TAILED else printed
            found = iter_trials(drawn, drawn, size.repetitions, size.games, 1, paired=False, rotation=rotation)
        else:
            edited = pool(game, bots, comparison, size, store)
            found = iter_trials(printed, edited, size.repetitions, size.games, 2, paired=True, rotation=rotation)
        yield table_row(game, bots, comparison, size, with_progress(found, comparison, size.repetitions))


def with_progress(found: Iterator[Trial], comparison: str, total: int) -> Iterator[Trial]:
    """Pass the trials on and print how many there were."""
    for done, one in enumerate(found, 1):
        print(f"\r  {comparison}: {done:,} of {total:,} comparisons", end="", file=sys.stderr, flush=True)
        yield one
    print(file=sys.stderr)


def mixed_bots(game: str) -> list[str]:
    """Bots of different kinds: a random one and greedy ones, at the game's most seats."""
    return ["random"] + ["greedy"] * (load(game).max_seats - 1)


def parsed_options() -> argparse.Namespace:
    """The options of the command line, checked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", help="names of games (all)")
    parser.add_argument("--like", action="store_true", help="only bots of one kind")
    parser.add_argument("--unlike", action="store_true", help="only bots of different kinds")
    parser.add_argument(
        "--line", action="append", default=[], metavar="COMPARISON", help="only this row; may be repeated"
    )
    parser.add_argument("--pool", type=int, default=FULL.pool, help="games of each pool")
    parser.add_argument("--games", type=int, default=FULL.games, help="most games a side of a comparison")
    parser.add_argument("--comparisons", type=int, default=FULL.repetitions, help="comparisons for each row")
    parser.add_argument("--minutes", type=float, help="stop after this time; the same command continues")
    parser.add_argument(
        "--keep", type=Path, default=POOLS_FOLDER, metavar="FOLDER", help=f"folder of pools ({POOLS_FOLDER})"
    )
    parser.add_argument("--quick", action="store_true", help="small pools, few comparisons")
    parser.add_argument("--print", action="store_true", help="on the screen only")
    options = parser.parse_args()
    if options.pool < 2 * FIRST_LOOK_GAMES:
        parser.error(f"--pool {options.pool}: a pool needs two blocks of {FIRST_LOOK_GAMES} games at least")
    options.game = options.game or [name for name in games() if name in EDITS]
    for game in options.game:
        if game not in EDITS:
            parser.error(f"there is no game {game!r} here; there are {', '.join(EDITS)}")
        for comparison in options.line:
            if comparison not in comparisons(game):
                parser.error(f"{game} has no comparison {comparison!r}; it has {'; '.join(comparisons(game))}")
    return options


def main() -> None:
    """Play the pools, draw the comparisons, write the page."""
    options = parsed_options()
    size = QUICK if options.quick else Size(options.pool, options.games, options.comparisons)
    until = float("inf") if options.minutes is None else time.monotonic() + 60 * options.minutes
    for game in options.game:
        kinds = [["greedy"]] if not options.unlike else []
        kinds += [mixed_bots(game)] if not options.like and load(game).max_seats > 1 else []
        for bots in kinds:
            start = time.perf_counter()
            try:
                for row in table_rows(game, bots, size, PoolStore(options.keep, until), options.line):
                    print(f"{row}\n{time.perf_counter() - start:,.0f} s", flush=True)
                    if not options.print:
                        update_page("|".join(row.split("|")[:4]) + "|", row)
            except (Interrupted, KeyboardInterrupt) as stopped:
                reason = str(stopped) or f"pools are stored in {options.keep}; the same command continues"
                print(f"\nStopped: {reason}", file=sys.stderr)
                raise SystemExit(130) from None


def sort_key(row: str) -> tuple[str, str, int]:
    """A key that sorts rows of the table by game, by bots, and in the order of `comparisons`."""
    game, bots, comparison = (cell.strip() for cell in row.split("|")[1:4])
    known = comparisons(game) if game in EDITS else []
    return game, bots, known.index(comparison) if comparison in known else len(known)


def update_page(start: str, row: str) -> None:
    """Write a row to the page instead of the one with the same start, "| game | bots | comparison |"."""
    old = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
    game_and_bots = start.rpartition("| ")[0]  # of these, rows of edits that are no longer made are dropped
    current = [f"{game_and_bots}| {one} |" for one in comparisons(start.split("|")[1].strip())]
    kept = [one for one in old if one.startswith("| ") and not one.startswith((start, "| game |"))]
    kept = [one for one in kept if not one.startswith(game_and_bots) or one.startswith(tuple(current))]
    opening = (__doc__ or "").partition("\n\n    python")[0]
    table = "\n".join([TABLE_HEAD, *sorted([*kept, f"{row} {date.today()} |"], key=sort_key)])
    PAGE.write_text(
        f"# Error rates\n\n*Made by `python studies/error_rates.py`.* {opening}\n\nThe promise is at most 5 % wrong. Pool: games played "
        "of either version, at the game's most seats. The last but one is the median of games a side: where it is all that the row's "
        "`--games` allows, comparisons used up all they might; blocks of one pool are shorter. Few blocks and few comparisons say little: "
        "their interval tells. "
        "Seen: something was said to be more or less. The usual interval is one for each figure by itself, looked at as often. Again: "
        "the row's words after `python studies/error_rates.py`. Played: on which day, between the bots of that day.\n\n"
        f"{table}\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
