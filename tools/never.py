"""What bots never do, by name: python tools/never.py manor bellum --games 1000 [--bots greedy] [--seats 4]

    python tools/never.py warfarm --styles 0.5 --games 1000
    python tools/never.py sixwinters --seats 1,2,3,4 --option difficulty=easy,normal,difficult --games 50 --keep played

Plays so many games of each, writes them down as `sutler simulate --out` does, and prints what `sutler report` lists of them as never
done: endings not reached, events not told, actions not taken, things never seen or never used, and paragraphs that never came
to pass. Where nearly all things of a kind that has many (positions, tokens by number) are missing, only how many is told.

Of several numbers of seats or settings so many games of each are played, and what none of them showed is told. With `--keep FOLDER`
what is played stays: stopped and started again, or asked for more, only what is missing is played.

With `--styles LEAN` every bot of a table has the style of another persona, whose plan it holds so much dearer than it is (docs/bots.md);
every choice of personas that fills the table plays equally many games, at least so many altogether.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl

import sutler
from sutler.bots import bots_from, personas
from sutler.lab.play.experiment import Plan, run
from sutler.lab.play.sample import read
from sutler.lab.play.simulate import seat_bots
from sutler.lab.report import answers

MOST = 40  # names of one kind


def tables(asked: argparse.Namespace, game: str) -> Iterator[tuple[dict[str, Any], int | None, str, int]]:
    """Every setting with every number of seats that is asked for, by whom it is played, and how many games."""
    name, _, values = (asked.option or "").partition("=")
    seats = [int(one) for one in asked.seats.split(",")] if asked.seats else [None]
    for value in values.split(","):
        options = {name: value} if name else {}
        for n in seats:
            if asked.styles:
                styles = [f"{plan}:lean={asked.styles}" for plan in personas(game)]
                fills = list(combinations(styles, n or sutler.load(game, **options).best_seats))
                for bots in fills:
                    yield options, None, ",".join(bots), -(-asked.games // len(fills))
            else:
                yield options, n, asked.bots, asked.games


def lines(name: str, asked: argparse.Namespace, folder: Path) -> list[str]:
    """A game's lines."""
    told, found, rules, played = dict[str, None](), pl.DataFrame(), pl.DataFrame(), 0
    for options, seats, named, games in tables(asked, name):
        game = sutler.load(name, **options)
        bots = seat_bots(bots_from(named), game, seats)
        out = folder / "-".join([name, *options.values(), str(len(bots)), named.replace(":", "_"), f"{games}.parquet"])
        if not out.exists():
            seed = asked.seed + (played if asked.styles else 0)  # other deals for other tables
            run(Plan(game, bots, games, seed, len(bots)), out, progress=progress, circles=False)
        sample = read(out)
        undone, never = answers.never_done(sample), answers.coverage(sample).filter(pl.col("state") == "never")
        found = undone if played == 0 else found.join(undone, on=["what", "rule", "name"], how="semi")
        rules = never if played == 0 else rules.join(never, on="number", how="semi")
        told[" ".join([f"{len(bots)} seat{'s' * (len(bots) > 1)}", *options.values()])] = None
        played += games
    by = f"bots with styles ({asked.styles:g})" if asked.styles else asked.bots
    said = [f"{game.title}, {', '.join(told)}: {played:,} games of {by}"]
    for what, rule, names in found.group_by("what", "rule", maintain_order=True).agg(pl.col("name")).iter_rows():
        some = ", ".join(names) if len(names) <= MOST else f"{len(names)} of them"
        said.append(f"- {what}{f' ({rule})' if rule else ''}: {some}")
    said.append("- paragraphs: " + ", ".join(f"{row['number']} {row['title']}" for row in rules.to_dicts()))
    return said


def progress(done: int, of: int) -> None:
    """How far it is."""
    print(f"\r{done:,} of {of:,} games", end="\n" if done == of else "", file=sys.stderr, flush=True)


def main() -> None:
    """Print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="+")
    parser.add_argument("--bots", default="greedy")
    parser.add_argument("--seats", help="numbers of seats, with commas between")
    parser.add_argument(
        "--option", metavar="NAME=VALUE", help="an option of the game; several values with commas between"
    )
    parser.add_argument("--styles", type=float, metavar="LEAN", help="bots with the styles of the game's personas")
    parser.add_argument("--keep", type=Path, help="a folder for what is played")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        folder = asked.keep or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        for name in asked.game:
            print(*lines(name, asked, folder), sep="\n", flush=True)


if __name__ == "__main__":
    main()
