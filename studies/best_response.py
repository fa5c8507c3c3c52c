"""A best response to the frozen normal bot, found by playing: which other numbers of the judgement beat it?

    python studies/best_response.py manor --minutes 10                 # goes on where --keep left off
    python studies/best_response.py manor --steps 19                   # the same numbers whatever the machine
    python studies/best_response.py manor --minutes 0 --test 4000      # only the honest test, on seeds that the way there never saw
    python studies/best_response.py warfarm --minutes 10 --against farmer

One seat judges by numbers of its own, the others are normal bots. Each step plays pairs of games of one seed and seat, one with
the numbers moved a little in every direction, one with them moved as much the other way, and goes towards those that won more. Numbers
keep their sign and move by parts of themselves. What is reached is kept in a file (`--keep`) with the seeds that were used up, so that
the search can go on, and is tested on others. Prints the share of games won beside the even share, and the numbers that moved most.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from tunable_evaluation import Judge, judge_of, names, spread, told

import sutler
from sutler.bots.kit import own_files, packed
from sutler.bots.kit.players import players_of
from sutler.core.game import Game
from sutler.lab.files import put
from sutler.lab.measures import wilson
from sutler.lab.simulate import MOST_DECISIONS, Run

PAIRS = 256  # of games, a step
MOVED = 0.25  # by how much of itself each number is moved to see what that does
STEP = 0.08  # by how much of itself a number moves a step at most, or nearly
MEMORY = 0.8  # of earlier steps
SPAN = 32  # games that a thread plays at a time
FIRST = 2_000_001  # seeds of the way there; those of tests lie below
Numbers = np.ndarray[Any, np.dtype[Any]]


@dataclass
class Way:
    """How far it has come: for each number what it is multiplied with (its logarithm), where steps tend, how wildly, and the next seed."""

    names: list[str]
    at: Numbers
    tends: Numbers
    wild: Numbers
    seed: int = FIRST
    steps: int = 0
    shares: list[float] = field(default_factory=list)

    @classmethod
    def begun(cls, names: list[str]) -> Way:
        """At the game's own numbers."""
        return cls(names, *(np.zeros(len(names)) for _ in range(3)))

    @classmethod
    def kept(cls, path: Path, names: list[str]) -> Way:
        """What a file says. ValueError when the judgement has other numbers by now."""
        told = json.loads(path.read_text(encoding="utf-8"))
        if told["names"] != names:
            raise ValueError(f"{path}: the judgement has other numbers by now; begin anew in another file (--keep)")
        rows = {key: np.array(value) if key in ("at", "tends", "wild") else value for key, value in told.items()}
        return cls(**rows)

    def text(self) -> str:
        """As `kept` reads it."""
        rows = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in vars(self).items()}
        return json.dumps(rows) + "\n"

    def go(self, slope: Numbers) -> None:
        """A step along the slope, smoothed: as long in every direction as it is steady there."""
        self.tends = MEMORY * self.tends + (1 - MEMORY) * slope
        self.wild = 0.97 * self.wild + 0.03 * slope**2
        self.steps += 1
        usual = np.sqrt(self.wild / (1 - 0.97**self.steps)) + 1e-12
        self.at = self.at + STEP * np.clip(self.tends / (1 - MEMORY**self.steps) / usual, -1, 1)


@dataclass(frozen=True)
class Field:
    """A game, its judgement with numbers told, and who is played against."""

    game: Game
    judge: Judge
    seats: int
    against: str
    threads: int
    most: int = MOST_DECISIONS
    """Decisions, then a game is cut."""

    def play(self, rows: Numbers, seeds: Numbers, turns: Numbers) -> tuple[Any, Any]:
        """Games in which bot 0 has numbers of its own: a row of factors, a seed and a turn of seats for each. Results, last states."""
        players = players_of(["normal", *[self.against] * (self.seats - 1)], self.game)
        run = Run(self.game, players, len(rows), int(seeds[0]), rotate=False)
        run.results["seed"], run.results["most"] = seeds, self.most
        run.results["bots"][:, : self.seats] = (np.arange(self.seats)[None, :] + turns[:, None]) % self.seats
        by, bots = told(self.judge, spread(self.judge) * np.exp(rows)), packed(run.players, self.game)

        finals = np.zeros(len(rows), self.game.definition.state.dtype)
        finals["n_seats"] = self.seats

        def work(first: int) -> None:
            span, desk = slice(first, first + SPAN), run.kit.desk(run.labels, tells=False)
            self.judge.play(by[span, None], self.game.box, run.results[span], finals[span], bots, desk)

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(work, range(0, len(rows), SPAN)))
        return run.results, finals

    def shares(self, rows: Numbers, seeds: Numbers, turns: Numbers) -> Numbers:
        """The part of each of these games that bot 0 has won."""
        results, _ = self.play(rows, seeds, turns)
        first = results["places"][:, : self.seats] == 1
        mine = results["bots"][:, : self.seats] == 0
        return np.asarray((first & mine).sum(axis=1) / np.maximum(1, first.sum(axis=1)))

    def tested(self, at: Numbers, games: int, seed: int) -> tuple[float, float, float]:
        """The share that these factors win, with its interval."""
        turns = np.arange(games)
        won = self.shares(np.repeat(at[None, :], games, 0), seed + turns, turns).sum()
        return float(won) / games, *wilson(float(won), games)


def climb(field: Field, way: Way, minutes: float, steps: int | None, say: Callable[[], None]) -> None:
    """Steps until there are so many, or the time is up."""
    end = time.monotonic() + 60 * minutes
    while way.steps < steps if steps is not None else time.monotonic() < end:
        rng = np.random.default_rng(way.seed)
        aside = rng.standard_normal((PAIRS, len(way.at)))
        seeds = way.seed + np.arange(PAIRS)
        both = np.concatenate([way.at + MOVED * aside, way.at - MOVED * aside])
        won = field.shares(both, np.tile(seeds, 2), np.tile(seeds, 2))
        way.go((won[:PAIRS] - won[PAIRS:]) @ aside / PAIRS)
        way.seed += PAIRS
        way.shares.append(round(float(won.mean()), 4))
        say()


def moved_most(way: Way, judge: Judge, most: int = 12) -> list[str]:
    """The numbers furthest from the game's own."""
    now = spread(judge)
    order = np.argsort(-np.abs(way.at))[:most]
    return [f"{way.names[i]} {now[i]:g} -> {now[i] * np.exp(way.at[i]):.3g}" for i in order]


def main() -> None:
    """Search, then test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--steps", type=int, help="so many, all told, in place of minutes")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--against", default="normal")
    parser.add_argument("--test", type=int, default=2000, help="games of the test")
    parser.add_argument("--seed", type=int, default=1_000_001, help="the first seed of the test")
    parser.add_argument("--keep", type=Path, help="exploit-GAME.json here, unless told")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    game = sutler.load(asked.game)
    if game.definition.COOPERATIVE:
        parser.error(f"in {game.title} nobody plays against anybody")
    files = own_files(players_of([asked.against], game))
    judge, keep = judge_of(game, files[0] if files else None), asked.keep or Path(f"exploit-{asked.game}.json")
    way = Way.kept(keep, names(judge)) if keep.exists() else Way.begun(names(judge))
    field = Field(game, judge, asked.seats or game.best_seats, asked.against, asked.threads)
    field.tested(way.at, 1, 1)  # what has to be compiled is, before the clock runs

    def say() -> None:
        put(keep, way.text())
        if way.steps % 10 == 0:
            print(f"step {way.steps}: {np.mean(way.shares[-10:]):.1%} with numbers moved about", flush=True)

    climb(field, way, asked.minutes, asked.steps, say)
    share, low, high = field.tested(way.at, asked.test, asked.seed)
    before, *_ = field.tested(np.zeros(len(way.at)), asked.test, asked.seed)
    print(f"| {asked.game} | {field.seats} | {asked.against} | {way.steps} | {len(way.at)} | {asked.test:,} | {before:.1%} "
          f"| {share:.1%} | {low:.1%}–{high:.1%} | {1 / field.seats:.1%} |")  # fmt: skip
    print(*moved_most(way, judge), sep="\n")


if __name__ == "__main__":
    main()
