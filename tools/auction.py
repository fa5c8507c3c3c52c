"""The auction of Three Years of War in figures: what each claim marker is worth, what is paid for it, where cards come from.

    python tools/auction.py --seats 4 --games 1000
    python tools/auction.py --seats 4 --games 1000 --box my-list.toml --bots search:rounds=40

Prints lines of a table. The worth of a marker is in points at the end, beside the last marker, as a season with it goes
(least squares over seats and games; the interval is that of a plain fit). docs/games/threeyears.md and guide 12.3 show runs.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

import numpy as np

import sutler
from sutler.bots import Bot, bot_from
from sutler.core.events import Told
from sutler.core.game import Game

SOURCES = {"taxed": "taxes", "passed": "marker", "last_in": "marker", "resolving": "claim", "interlude": "interlude"}


@dataclass
class Tally:
    """What happened in one game, seat by seat."""

    markers: np.ndarray  # how often each seat held each marker
    played: np.ndarray  # influence cards played, by seat and the marker the season ended with
    points: np.ndarray
    places: np.ndarray
    draws: Counter[str] = field(default_factory=Counter)
    sets: int = 0
    free: int = 0  # seasons whose first pick cost no card


def play(game: Game, bots: Sequence[Bot], seed: int) -> Tally:
    """One game, counted from what is told."""
    n = len(bots)
    pos = game.new(seats=n, seed=seed)
    count = Tally(np.zeros((n, n)), np.zeros((n, n)), np.zeros(n), np.zeros(n))
    reader = _Reader(n, count)
    reader.read(pos.opening)
    while (seat := pos.seat) is not None:
        reader.read(pos.play(bots[seat].choose(pos.for_seat(seat, seed))))
    count.points, count.places = np.array(pos.scores()), np.array(pos.places())
    return count


class _Reader:
    """Reads the events of a game into a tally."""

    def __init__(self, seats: int, tally: Tally) -> None:
        self.tally, self.spent, self.source = tally, np.zeros(seats), ""

    def read(self, told: Sequence[Told]) -> None:
        for one in told:
            kind, args = one.kind, one.args
            self.source = SOURCES.get(kind, self.source)
            if kind in ("taxed", "drew"):
                self.tally.draws[self.source] += args[1]
            elif kind == "played":
                self.spent[args[0]] += 1
            elif kind in ("matched", "raised"):
                self.tally.sets += 1
            elif kind in ("passed", "last_in"):
                self._pass(*args[:2])

    def _pass(self, seat: int, marker: int) -> None:
        self.tally.markers[seat, marker - 1] += 1
        self.tally.played[seat, marker - 1] += self.spent[seat]
        if marker == 1:
            self.tally.free += int(self.spent[seat] == 0)
        self.spent[seat] = 0


def games(box: str | None, seats: int, spec: str, seeds: range) -> list[Tally]:
    """So many games of one kind of bot."""
    game = sutler.load("threeyears", box=box)
    bots: list[Bot] = [bot_from(spec)] * seats
    return [play(game, bots, seed) for seed in seeds]


def fit(tallies: list[Tally], seats: int, with_cards: bool) -> tuple[np.ndarray, np.ndarray]:
    """Points a season with each marker brings beside the last one, and the intervals; with cards: for equal cards played."""
    rows = np.concatenate([one.markers[:, : seats - 1] for one in tallies])
    if with_cards:
        rows = np.column_stack([rows, np.concatenate([one.played.sum(1) for one in tallies])])
    target = np.concatenate([one.points - one.points.mean() for one in tallies])
    rows = rows - rows.mean(0)
    found, *_ = np.linalg.lstsq(rows, target, rcond=None)
    left = target - rows @ found
    spread = np.sqrt(np.diag(np.linalg.inv(rows.T @ rows)) * left.var())
    return found, 1.96 * spread


def report(tallies: list[Tally], seats: int) -> None:
    """The lines of the table."""
    n = len(tallies)
    seasons = sum(one.markers.sum() for one in tallies) / seats
    for with_cards, what in ((False, "as it comes"), (True, "for equal cards played")):
        worth, wide = fit(tallies, seats, with_cards)
        told = ", ".join(f"{k + 1}: {worth[k]:+.2f} ±{wide[k]:.2f}" for k in range(seats - 1))
        print(f"| {seats} | worth of a marker beside the last, {what} | {told} |")
    held = sum(one.markers.sum(0) for one in tallies)
    cards = sum(one.played.sum(0) for one in tallies) / held
    print(f"| {seats} | cards paid, by marker | {', '.join(f'{k + 1}: {c:.2f}' for k, c in enumerate(cards))} |")
    print(f"| {seats} | sets a season | {sum(one.sets for one in tallies) / seasons:.2f} |")
    print(f"| {seats} | seasons whose first pick was free | {sum(one.free for one in tallies) / seasons:.1%} |")
    draws: Counter[str] = sum((one.draws for one in tallies), Counter())
    print(f"| {seats} | cards drawn a game | {', '.join(f'{k} {v / n:.1f}' for k, v in sorted(draws.items()))} |")
    print(f"| {seats} | points a seat | {np.mean([one.points.mean() for one in tallies]):.1f} |")


def main() -> None:
    """Play, count, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=30_001)
    parser.add_argument("--bots", default="greedy")
    parser.add_argument("--box", help="a list of your own instead of the printed one")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    start = time.perf_counter()
    parts = [range(asked.seed + k, asked.seed + asked.games, asked.processes) for k in range(asked.processes)]
    with ProcessPoolExecutor(asked.processes) as pool:
        jobs = [pool.submit(games, asked.box, asked.seats, asked.bots, part) for part in parts]
        tallies = [one for job in jobs for one in job.result()]
    report(tallies, asked.seats)
    print(f"{len(tallies):,} games, {time.perf_counter() - start:,.0f} s")


if __name__ == "__main__":
    main()
