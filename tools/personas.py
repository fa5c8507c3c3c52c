"""How a game's personas fare, each alone among bots of one kind: the share of games it wins, beside its even share.

    python tools/personas.py manor bellum threeyears warfarm         # 1,000 games each against greedy (normal), the table of docs/bots.md
    python tools/personas.py threeyears --seats 4 --games 300 --against search:rounds=40
    python tools/personas.py warfarm --only monk,raider

Prints lines of a table for docs/bots.md. A plan that wins more than its even share has found something that the others overlook.
"""

from __future__ import annotations

import argparse
import time

import sutler
from sutler.bots import bot_from, personas
from sutler.core.game import Game
from sutler.lab.stats.measures import win_rates


def main() -> None:
    """Play each persona's games and print its line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="+")
    parser.add_argument("--seats", type=int, help="as many as the box calls best, unless told")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", default="greedy")
    parser.add_argument("--only", default="", help="these personas, separated by commas")
    asked = parser.parse_args()
    for name in asked.game:
        play(sutler.load(name), asked)


def play(game: Game, asked: argparse.Namespace) -> None:
    """A game's lines."""
    seats = asked.seats or game.best_seats
    for name in asked.only.split(",") if asked.only else personas(game.name):
        start = time.perf_counter()
        bots = [bot_from(name), *[bot_from(asked.against)] * (seats - 1)]
        table = sutler.simulate(game, bots, games=asked.games, seed=asked.seed)
        (row,) = (row for row in win_rates(table).to_dicts() if row["bot"] == name)
        print(
            f"| {game.name} | {seats} | {name} | {asked.against} | {asked.games:,} | {row['share']:.1%} "
            f"| {row['low']:.1%}–{row['high']:.1%} | {1 / seats:.1%} |",
            f"{'more than even' if row['low'] > 1 / seats else ''} ({time.perf_counter() - start:.0f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
