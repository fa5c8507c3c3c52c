"""Are the error rates of `sutler compare` what it says? Pools of games, printed and edited, and comparisons drawn from them.

    python tools/error_rates.py                      every game, into docs/error-rates.md
    python tools/error_rates.py warfarm --unlike     one of them, with bots that differ; other lines of the page stay
    python tools/error_rates.py warfarm --print      on the screen only
    python tools/error_rates.py warfarm --like --line "nothing, drawn"      one line (or: --line rules.farm_win.farmland=13)
    python tools/error_rates.py --minutes 4          stop then; the same command goes on from there
    python tools/error_rates.py --quick --print      a short run, as the tests make

For every game: nothing changed (both sides drawn from the printed pool; blocks of it, no game used twice), a small edit, a large
edit, and both with bots that differ. *Wrong*: the interval of some figure left out the truth at some look.

Pools are kept in --keep, a finished part at a time: stopped, by Ctrl-C or --minutes, the same command goes on, and lines that share a pool
play it once. Rules or bots that changed since are noticed, and such a pool is played anew. A line is in the page as soon as it is found.
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
from sutler.core.box import settings_of
from sutler.lab.play.experiment import LIST_COLUMNS, Interrupted, Plan, run
from sutler.lab.play.figures import figures_of_games
from sutler.lab.stats.anytime_intervals import FIRST_LOOK_GAMES
from sutler.lab.stats.measures import wilson
from sutler.lab.studies.calibrate import Pool, Trial, blocks, summarise_trials, trials

KEPT = Path(tempfile.gettempdir()) / "sutler-error-rates"
PAGE = Path(__file__).resolve().parent.parent / "docs" / "error-rates.md"
EDITS = {  # a small edit and a large one; WARFARM's large one gives games of tens of thousands of decisions
    "manor": ("card.Tournament.gain.victory=4", "victory=30"),
    "bellum": ("rules.token_value=3", "rules.steps=2"),
    "threeyears": ("rules.tax_spring=2", "rules.track_start=3"),
    "warfarm": ("rules.farm_win.farmland=13", "rules.farm_win.farmland=14,rules.farm_win.farmer=14"),
    "sixwinters": ("rules.progress_cost=1", "difficulty=easy"),
}
NOTHING = BLOCKS, DRAWN = "nothing, blocks", "nothing, drawn"
HEAD = (
    "| game | bots | comparisons of | pool | how many | wrong | interval | usual interval wrong | seen | games a side, median | played |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True)
class Size:
    """How much is played and drawn."""

    pool: int
    games: int  # a side of a comparison, at most
    repetitions: int


@dataclass(frozen=True)
class Keeping:
    """Where pools are kept, and until when games are played (seconds of time.monotonic)."""

    folder: Path
    until: float = float("inf")

    def tell(self, what: str, done: int, most: int) -> None:
        """A line that grows; KeyboardInterrupt when time is up."""
        print(f"\r  {what}: {done:,} of {most:,}", end="" if done < most else "\n", file=sys.stderr, flush=True)
        if done < most and time.monotonic() > self.until:
            raise KeyboardInterrupt


FULL, QUICK = Size(30_000, 5_000, 600), Size(1_500, 1_000, 40)


def pool(game: str, bots: list[str], edit: str, size: Size, keeping: Keeping) -> Pool:
    """The headline figures of so many games, played or found. Interrupted where they are not all there yet."""
    rules = load(game, None, settings_of(edit.split(",")) if edit else {})
    seats = rules.max_seats if len(bots) == 1 else len(bots)
    plan = Plan(rules, bots, size.pool, seed=1, seats=seats)
    told = sorted(f"{key}={value}" for key, value in plan.told().items())
    digest = hashlib.sha256("\n".join(told).encode()).hexdigest()[:12]
    out = keeping.folder / f"{game}-{size.pool}-{digest}.parquet"
    if not out.exists():
        keeping.folder.mkdir(parents=True, exist_ok=True)
        who = f"{game}, {','.join(bots)}, {edit or 'printed'}"
        run(plan, out, progress=lambda done, most: keeping.tell(who, done, most), circles=False)
    table = pl.scan_parquet(out).drop(LIST_COLUMNS).collect()
    return figures_of_games(rules.definition, table)


def line(game: str, bots: list[str], what: str, size: Size, found: Iterator[Trial]) -> str:
    """One line: how many of the comparisons were wrong, with its interval, and how many saw something."""
    told = summarise_trials(list(found))
    n, wrong = told["repetitions"], told["wrong"]
    low, high = wilson(wrong, n)
    return (
        f"| {game} | {', '.join(bots)} | {what} | {size.pool:,} | {n:,} | {wrong / n:.1%} | {low:.1%}–{high:.1%} | "
        f"{told['careless'] / n:.0%} | {told['saw'] / n:.0%} | {told['median_games']:,} |"
    )


def comparisons(game: str) -> list[str]:
    """Nothing changed in two ways, then each edit: what a line may be of."""
    return [*NOTHING, *EDITS[game]]


def lines(game: str, bots: list[str], size: Size, keeping: Keeping, only: Sequence[str] = ()) -> Iterator[str]:
    """A line of the table for each comparison, or for these only."""
    printed = pool(game, bots, "", size, keeping)
    for what in only or comparisons(game):
        if what == BLOCKS:
            found = blocks(printed, max(FIRST_LOOK_GAMES, min(size.games // 3, size.pool // 16)))
        elif what == DRAWN:
            found = trials(printed, printed, size.repetitions, size.games, 1, paired=False)
        else:
            edited = pool(game, bots, what, size, keeping)
            found = trials(printed, edited, size.repetitions, size.games, 2, paired=True)
        yield line(game, bots, what, size, counted(found, what, size.repetitions))


def counted(found: Iterator[Trial], what: str, most: int) -> Iterator[Trial]:
    """The same, with a line that says how far it is."""
    for done, one in enumerate(found, 1):
        print(f"\r  {what}: {done:,} of {most:,} comparisons", end="", file=sys.stderr, flush=True)
        yield one
    print(file=sys.stderr)


def mixed(game: str) -> list[str]:
    """Bots that differ: one at random among greedy ones, at the table's fullest."""
    return ["random"] + ["greedy"] * (load(game).max_seats - 1)


def asked_for() -> argparse.Namespace:
    """What stands on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", help="which games; all if left out")
    parser.add_argument("--like", action="store_true", help="only where all bots are alike")
    parser.add_argument("--unlike", action="store_true", help="only where they differ")
    parser.add_argument("--line", action="append", default=[], metavar="WHAT", help="only this line (again for more)")
    parser.add_argument("--pool", type=int, default=FULL.pool, help="games a pool")
    parser.add_argument("--games", type=int, default=FULL.games, help="a side of a comparison, at most")
    parser.add_argument("--comparisons", type=int, default=FULL.repetitions, help="drawn for a line")
    parser.add_argument("--minutes", type=float, help="play no longer than this; the same command goes on")
    parser.add_argument("--keep", type=Path, default=KEPT, metavar="FOLDER", help=f"where pools are kept ({KEPT})")
    parser.add_argument("--quick", action="store_true", help="small pools, few comparisons")
    parser.add_argument("--print", action="store_true", help="on the screen only")
    asked = parser.parse_args()
    if asked.pool < 2 * FIRST_LOOK_GAMES:
        parser.error(f"--pool {asked.pool}: two blocks of {FIRST_LOOK_GAMES} games are the least")
    asked.game = asked.game or [name for name in games() if name in EDITS]
    for game in asked.game:
        if game not in EDITS:
            parser.error(f"there is no game {game!r} here; there are {', '.join(EDITS)}")
        for what in asked.line:
            if what not in comparisons(game):
                parser.error(f"{game} has no line {what!r}; it has {'; '.join(comparisons(game))}")
    return asked


def main() -> None:
    """Play, draw, write."""
    asked = asked_for()
    size = QUICK if asked.quick else Size(asked.pool, asked.games, asked.comparisons)
    until = float("inf") if asked.minutes is None else time.monotonic() + 60 * asked.minutes
    for game in asked.game:
        kinds = [["greedy"]] if not asked.unlike else []
        kinds += [mixed(game)] if not asked.like and load(game).max_seats > 1 else []
        for bots in kinds:
            start = time.perf_counter()
            try:
                for one in lines(game, bots, size, Keeping(asked.keep, until), asked.line):
                    print(f"{one}\n{time.perf_counter() - start:,.0f} s", flush=True)
                    if not asked.print:
                        keep("|".join(one.split("|")[:4]) + "|", one)
            except (Interrupted, KeyboardInterrupt) as stopped:
                said = str(stopped) or f"pools are kept in {asked.keep}; the same command goes on"
                print(f"\nStopped: {said}", file=sys.stderr)
                raise SystemExit(130) from None


def placed(one: str) -> tuple[str, str, int]:
    """Where a line stands: by game, by bots, nothing changed before the edits, in their order; then what is edited no longer so."""
    game, bots, what = (cell.strip() for cell in one.split("|")[1:4])
    there = comparisons(game) if game in EDITS else []
    return game, bots, there.index(what) if what in there else len(there)


def keep(which: str, found: str) -> None:
    """Put a line into the page, in the place of the one of the same game, bots and comparison."""
    old = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
    table_of = which.rpartition("| ")[0]  # the same game and bots: lines of edits that are no longer made there go too
    there = [f"{table_of}| {what} |" for what in comparisons(which.split("|")[1].strip())]
    kept = [one for one in old if one.startswith("| ") and not one.startswith((which, "| game |"))]
    kept = [one for one in kept if not one.startswith(table_of) or one.startswith(tuple(there))]
    opening = (__doc__ or "").partition("\n\n    python")[0]
    table = "\n".join([HEAD, *sorted([*kept, f"{found} {date.today()} |"], key=placed)])
    PAGE.write_text(
        f"# Error rates\n\n*Made by `python tools/error_rates.py`.* {opening}\n\nThe promise is at most 5 % wrong. Pool: games played "
        f"of either version, at the game's most seats. The last but one is the median of games a side: where it is 1,500 (800 in pools "
        "of 1,600, all of a pool of fewer), comparisons used up all they might; "
        "blocks of one pool are shorter. Few blocks say little: their interval tells. "
        f"Seen: something was said to be more or less. Played: on which day, between the bots of that day.\n\n{table}\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
