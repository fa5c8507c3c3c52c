"""What bots never do, by name: python tools/never.py manor bellum --games 1000 [--bots greedy] [--seats 4]

Plays so many games of each, writes them down as `sutler simulate --out` does, and prints what `sutler report` lists of them as never
done: endings not reached, events not told, actions not taken, things never seen or never used, and paragraphs that never came
to pass. Where nearly all things of a kind that has many (positions, tokens by number) are missing, only how many is told.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import polars as pl

import sutler
from sutler.bots import bots_from
from sutler.lab import answers
from sutler.lab.experiment import Plan, run
from sutler.lab.sample import read
from sutler.lab.simulate import seating

MOST = 40  # names of one kind


def lines(name: str, asked: argparse.Namespace) -> list[str]:
    """A game's lines."""
    game = sutler.load(name)
    bots = seating(bots_from(asked.bots), game, asked.seats)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "games.parquet"
        run(Plan(game, bots, asked.games, asked.seed), out)
        sample = read(out)
        found = answers.undone(sample).group_by("what", "rule", maintain_order=True).agg(pl.col("name"))
        rules = answers.coverage(sample).filter(pl.col("state") == "never")
    told = [f"{game.title}, {len(bots)} seats, {asked.games:,} games of {asked.bots}"]
    for what, rule, names in found.iter_rows():
        some = ", ".join(names) if len(names) <= MOST else f"{len(names)} of them"
        told.append(f"- {what}{f' ({rule})' if rule else ''}: {some}")
    told.append("- paragraphs: " + ", ".join(f"{row['number']} {row['title']}" for row in rules.to_dicts()))
    return told


def main() -> None:
    """Print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="+")
    parser.add_argument("--bots", default="greedy")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for name in asked.game:
        print(*lines(name, asked), sep="\n", flush=True)


if __name__ == "__main__":
    main()
