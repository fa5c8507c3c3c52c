"""Numbers of a judgement that hold against a league: other numbers of it, and personas; the candidate moves, the league does not.

    python tools/league.py warfarm --foes normal,gunner,soldier,old.json --steps 100 --keep now.json
    python tools/league.py warfarm --foes normal,gunner,soldier,old.json --keep now.json --steps 0 --test 1000

A foe is the name of a bot or a file of numbers (`--save` writes one; `tools/exploit.py` keeps such). At each table sits one candidate whose
numbers are moved a little, as in `tools/exploit.py`; the other seats hold the candidate as it stands or a foe, by lot, and a foe that wins
more comes more often, so that what is climbed is the worst case. The test seats each foe alone among candidates, and the candidate alone
among foes of one kind.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from exploit import MOVED, PAIRS, SPAN, Numbers, Way, moved_most
from judges import Judge, judge_of, names, spread, told

import sutler
from sutler.bots.kit import own_files, packed
from sutler.bots.kit.repeatable import players_of
from sutler.core.game import Game
from sutler.lab.play.files import write_atomically
from sutler.lab.play.simulate import MOST_DECISIONS, Run
from sutler.lab.stats.measures import wilson

LEARNS = 0.05  # how fast a foe that wins comes more often
SPREADS = 0.15  # of the places go to all foes alike


@dataclass
class League:
    """A game, its judgement, and the foes: rows of numbers, or None for a bot that is played by its own name."""

    game: Game
    judge: Judge
    foes: list[str]
    rows: list[Numbers | None]
    seats: int
    threads: int
    most: int = MOST_DECISIONS
    """Decisions, then a game is cut."""
    self_play: float = 0.4
    """Of the seats beside the candidate so many hold the candidate as it stands."""

    def play(self, by: Numbers, bots: Numbers, seeds: Numbers) -> Any:
        """Who won, (n, seats). by: numbers told, (n, seats, numbers). bots: who sits where, (n, seats): a row of `by`, or a foe."""
        others = [foe if row is None else "normal" for foe, row in zip(self.foes, self.rows, strict=True)]
        players = players_of([*["normal"] * self.seats, *others], self.game)
        run = Run(self.game, players[: self.seats], len(bots), int(seeds[0]), rotate=False)
        run.results["seed"], run.results["most"] = seeds, self.most
        run.results["bots"][:, : self.seats] = bots
        by = told(self.judge, by.reshape(-1, by.shape[-1])).reshape(by.shape[:2])
        kinds = packed(players, self.game)
        finals = np.zeros(len(bots), self.game.definition.state.dtype)
        finals["n_seats"] = self.seats

        def work(first: int) -> None:
            span, desk = slice(first, first + SPAN), run.kit.desk(run.labels, tells=False)
            self.judge.play(by[span], self.game.box, run.results[span], finals[span], kinds, desk)

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(work, range(0, len(bots), SPAN)))
        first = run.results["places"][:, : self.seats] == 1
        return first / np.maximum(1, first.sum(axis=1, keepdims=True))

    def table(self, numbers: list[Numbers], foes: list[int], turn: int) -> tuple[Numbers, list[int]]:
        """Rows of numbers and who sits where. foes: -1 for a seat with numbers of its own (`numbers`), else which foe."""
        by, bots = np.zeros((self.seats, len(numbers[0]))), []
        for k, foe in enumerate(foes):
            row = numbers[k] if foe < 0 else self.rows[foe]
            by[k] = numbers[0] if row is None else row
            bots.append(k if row is not None else self.seats + foe)
        return by, [bots[(k - turn) % self.seats] for k in range(self.seats)]

    def share(self, mine: Numbers, foes: list[int], games: int, seed: int) -> tuple[float, float, float]:
        """What whoever is first of `foes` wins (-1: the candidate, of numbers `mine`), with its interval."""
        tables = [self.table([mine] * self.seats, foes, turn % self.seats) for turn in range(games)]
        won = self.play(np.array([t[0] for t in tables]), np.array([t[1] for t in tables]), seed + np.arange(games))
        mine_at = [turn % self.seats for turn in range(games)]
        total = float(won[np.arange(games), mine_at].sum())
        return total / games, *wilson(total, games)


def picked(league: League, rng: np.random.Generator, odds: Numbers) -> Numbers:
    """Who sits beside the candidate at each of a step's tables: a foe, or -1 for the candidate as it stands."""
    foes = rng.choice(len(odds), (PAIRS, league.seats - 1), p=odds)
    return np.where(rng.random(foes.shape) < league.self_play, -1, foes)


def gained(beside: Numbers, won: Numbers, odds: Numbers, even: float) -> Numbers:
    """By how much more than their even share each foe has won, as if all came as often. `beside`, `won`: shape (games, others)."""
    each = [float((won[beside == foe] - even).sum()) / max(odds[foe], 0.02) for foe in range(len(odds))]
    return np.array(each) / len(won)


def climb(league: League, way: Way, steps: int, say: Callable[[Numbers], None]) -> None:
    """So many steps of the candidate."""
    base, weights = spread(league.judge), np.full(len(league.foes), 1 / len(league.foes))
    turns, games = np.tile(np.arange(PAIRS) % league.seats, 2), np.arange(2 * PAIRS)
    for _ in range(steps):
        rng = np.random.default_rng(way.seed)
        aside = rng.standard_normal((PAIRS, len(way.at)))
        odds = SPREADS / len(weights) + (1 - SPREADS) * weights
        beside = np.tile(picked(league, rng, odds), (2, 1))
        moved = base * np.exp(np.concatenate([way.at + MOVED * aside, way.at - MOVED * aside]))
        still = [base * np.exp(way.at)] * (league.seats - 1)
        tables = [league.table([moved[i], *still], [-1, *map(int, beside[i])], turns[i]) for i in games]
        seeds = np.tile(way.seed + np.arange(PAIRS), 2)
        won = league.play(np.array([by for by, _ in tables]), np.array([bots for _, bots in tables]), seeds)
        around = won[games[:, None], (turns[:, None] + np.arange(league.seats)) % league.seats]  # the candidate first
        mine, theirs = around[:, 0], around[:, 1:]
        way.go((mine[:PAIRS] - mine[PAIRS:]) @ aside / PAIRS)
        weights = weights * np.exp(LEARNS * gained(beside, theirs, odds, 1 / league.seats))
        weights = weights / weights.sum()
        way.seed += PAIRS
        way.shares.append(round(float(mine.mean()), 4))
        say(weights)


def test(league: League, mine: Numbers, games: int, seed: int) -> None:
    """Each foe alone among candidates; the candidate alone among foes."""
    for k, foe in enumerate(league.foes):
        one = league.share(mine, [k] + [-1] * (league.seats - 1), games, seed)
        two = league.share(mine, [-1] + [k] * (league.seats - 1), games, seed)
        print(
            f"| {foe} | {one[0]:.1%} ({one[1]:.1%}-{one[2]:.1%}) | {two[0]:.1%} ({two[1]:.1%}-{two[2]:.1%}) |",
            flush=True,
        )


def row_of(path: Path, judge: Judge) -> Numbers:
    """A file's numbers by name: those it does not name are the game's own. `exploit.py` and this tool keep factors beside them."""
    said = json.loads(path.read_text(encoding="utf-8"))
    known = dict(zip(names(judge), spread(judge), strict=True))
    if "numbers" not in said:
        said["numbers"] = {n: known[n] * float(np.exp(a)) for n, a in zip(said["names"], said["at"], strict=True)}
    return np.array([said["numbers"].get(name, value) for name, value in known.items()])


def main() -> None:
    """Climb, then test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--foes", required=True)
    parser.add_argument("--steps", type=int, default=0, help="more of them")
    parser.add_argument("--test", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1_000_001)
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--save", type=Path)
    parser.add_argument(
        "--self-play", type=float, default=0.4, help="part of the other seats; 0 is a best response to the foes"
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    game = sutler.load(asked.game)
    foes = asked.foes.split(",")
    files = own_files(players_of([f for f in foes if not f.endswith(".json")] or ["normal"], game))
    judge = judge_of(game, files[0] if files else None)
    rows = [row_of(Path(f), judge) if f.endswith(".json") else None for f in foes]
    league = League(game, judge, foes, rows, game.best_seats, asked.threads, self_play=asked.self_play)
    way = Way.kept(asked.keep, names(judge)) if asked.keep.exists() else Way.begun(names(judge))

    def say(weights: Numbers) -> None:
        write_atomically(asked.keep, way.text())
        if way.steps % 10 == 0:
            often = " ".join(f"{Path(foe).stem} {weight:.2f}" for foe, weight in zip(foes, weights, strict=True))
            print(f"step {way.steps}: {np.mean(way.shares[-10:]):.1%}; {often}", flush=True)

    climb(league, way, asked.steps, say)
    mine = spread(judge) * np.exp(way.at)
    if asked.save:
        write_atomically(
            asked.save, json.dumps({"numbers": dict(zip(names(judge), mine.tolist(), strict=True))}) + "\n"
        )
    if asked.test:
        test(league, mine, asked.test, asked.seed)
    print(*moved_most(way, judge, 60), sep="\n")


if __name__ == "__main__":
    main()
