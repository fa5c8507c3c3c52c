"""Search a best response to a frozen bot: parameters of the game's evaluation that win more games against it than the game's own.

    python studies/best_response.py manor --minutes 10                 # continues from the file --keep
    python studies/best_response.py sixwinters --steps 60 --seats 2 --set difficulty=normal --gate 3
    python studies/best_response.py manor --steps 19                   # reproducible on every machine
    python studies/best_response.py manor --minutes 0 --test 4000      # only the test, on seeds that the search never used
    python studies/best_response.py warfarm --minutes 10 --against farmer

One seat evaluates by varied parameters, the others are frozen bots. In a cooperative game all seats evaluate by them, and what counts is
the share of games that all win. The method is an evolution strategy with antithetic pairs: each step plays pairs of games on one seed
and seat, one with all parameters moved a little at random and one with them moved the opposite way, and goes towards those that won more.
Parameters are multiplied by factors, so they keep their sign. The state of the search, with the seeds it used, is saved in a file and
continued by the next run. The result is tested on other seeds: printed are its share of games won, the share that the game's own
parameters win on the same seeds, the expected share if all were equal, and the parameters that moved most. `--gate 3` ends with an error
if the parameters found gain more than 3 points for certain (95 %): then figures from these bots say more of the bots than of the game.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from tunable_evaluation import TunableEvaluation, as_records, own_parameters, parameter_names, tunable

import sutler
from sutler.bots.kit import copy_packed_bots, pack_bots
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.cli.errors import parse_settings
from sutler.core.play.game import Game
from sutler.lab.play.atomic_files import write_atomically
from sutler.lab.play.simulate import MOST_DECISIONS, Run
from sutler.lab.stats.estimates import compute_wilson_interval

PAIRS_PER_STEP = 256
NOISE_SCALE = 0.25
"""Standard deviation of the random moves, in logarithms of a parameter's factor."""
STEP_SIZE = 0.08
"""Largest move of a parameter in one step, in logarithms of its factor."""
MOMENTUM = 0.8
"""Weight of earlier steps in the averaged gradient."""
VARIANCE_DECAY = 0.97
BATCH_GAMES = 32
"""The number of games that a thread plays at a time."""
FIRST_SEARCH_SEED = 2_000_001
"""The first seed of searches; the seeds of tests are smaller."""
Floats = np.ndarray[Any, np.dtype[Any]]


@dataclass
class SearchState:
    """The state of a search. log_factors: for each parameter the logarithm of its factor; gradient, variance: running averages."""

    names: list[str]
    log_factors: Floats
    gradient: Floats
    variance: Floats
    seed: int = FIRST_SEARCH_SEED
    steps: int = 0
    shares: list[float] = field(default_factory=list)

    @classmethod
    def new(cls, names: list[str]) -> SearchState:
        """The state of a search that begins at the game's own parameters."""
        return cls(names, *(np.zeros(len(names)) for _ in range(3)))

    @classmethod
    def load(cls, path: Path, names: list[str]) -> SearchState:
        """Read a saved search. ValueError if the evaluation has other parameters now."""
        saved = json.loads(path.read_text(encoding="utf-8"))
        if saved["names"] != names:
            raise ValueError(f"{path}: the evaluation has other parameters now; choose another file (--keep)")
        arrays = ("log_factors", "gradient", "variance")
        return cls(**{key: np.array(value) if key in arrays else value for key, value in saved.items()})

    def to_json(self) -> str:
        """The state as the JSON text that `load` reads."""
        rows = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in vars(self).items()}
        return json.dumps(rows) + "\n"

    def step(self, gradient: Floats) -> None:
        """Move the parameters one step along the averaged gradient, further where it is steady (Adam with a clipped ratio)."""
        self.gradient = MOMENTUM * self.gradient + (1 - MOMENTUM) * gradient
        self.variance = VARIANCE_DECAY * self.variance + (1 - VARIANCE_DECAY) * gradient**2
        self.steps += 1
        deviation = np.sqrt(self.variance / (1 - VARIANCE_DECAY**self.steps)) + 1e-12
        mean = self.gradient / (1 - MOMENTUM**self.steps)
        self.log_factors = self.log_factors + STEP_SIZE * np.clip(mean / deviation, -1, 1)


@dataclass(frozen=True)
class Match:
    """Games of one tunable seat against frozen bots; of tunable seats alone in a cooperative game."""

    game: Game
    evaluation: TunableEvaluation
    seats: int
    against: str
    threads: int
    max_decisions: int = MOST_DECISIONS
    """A game is cut off after so many decisions."""

    def play(self, log_factors: Floats, seeds: Floats, turns: Floats) -> tuple[Any, Any]:
        """Play n games in which bot 0 is tunable. Returns results and final states.

        log_factors: shape (n, parameters). seeds, turns: shape (n,); bot 0 sits `turns` seats further round the table,
        in a cooperative game on every seat.
        """
        players = build_repeatable_bots(["normal", *[self.against] * (self.seats - 1)], self.game)
        run = Run(self.game, players, len(log_factors), int(seeds[0]), rotate=False)
        run.results["seed"], run.results["most"] = seeds, self.max_decisions
        if self.game.definition.COOPERATIVE:
            run.results["bots"][:, : self.seats] = 0
        else:
            run.results["bots"][:, : self.seats] = (np.arange(self.seats)[None, :] + turns[:, None]) % self.seats
        by = as_records(self.evaluation, own_parameters(self.evaluation) * np.exp(log_factors))
        bots = pack_bots(run.players, self.game)
        finals = np.zeros(len(log_factors), self.game.definition.state.dtype)
        finals["n_seats"] = self.seats

        def work(first: int) -> None:
            batch, scratch = slice(first, first + BATCH_GAMES), run.kit.create_scratch(run.labels, tells=False)
            self.evaluation.play(
                by[batch, None], self.game.box, run.results[batch], finals[batch], copy_packed_bots(bots), scratch
            )

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(work, range(0, len(log_factors), BATCH_GAMES)))
        return run.results, finals

    def win_shares(self, log_factors: Floats, seeds: Floats, turns: Floats) -> Floats:
        """Bot 0's share of the win in each game: shape (n,). Arguments as for `play`. In a cooperative game 1 if all won."""
        results, _ = self.play(log_factors, seeds, turns)
        if self.game.definition.COOPERATIVE:  # one player alone is first in any case, so places do not tell
            won = 1 << self.game.definition.events.endings.index("won")
            return np.asarray(results["endings"] & won != 0, float)
        first = results["places"][:, : self.seats] == 1
        mine = results["bots"][:, : self.seats] == 0
        return np.asarray((first & mine).sum(axis=1) / np.maximum(1, first.sum(axis=1)))

    def test(self, log_factors: Floats, games: int, seed: int) -> Floats:
        """Bot 0's share of the win in each of `games` games with these factors, on consecutive seeds: shape (games,)."""
        turns = np.arange(games)
        return self.win_shares(np.repeat(log_factors[None, :], games, 0), seed + turns, turns)


def search(
    matches: Sequence[Match], state: SearchState, minutes: float, steps: int | None, report: Callable[[], None]
) -> None:
    """Take steps until the time is up, or until there are `steps` in all, each in the next of the matches. report: called after each."""
    end = time.monotonic() + 60 * minutes
    while state.steps < steps if steps is not None else time.monotonic() < end:
        noise = np.random.default_rng(state.seed).standard_normal((PAIRS_PER_STEP, len(state.log_factors)))
        seeds, match = state.seed + np.arange(PAIRS_PER_STEP), matches[state.steps % len(matches)]
        won = match.win_shares(antithetic(state, noise), np.tile(seeds, 2), np.tile(seeds, 2))
        state.step((won[:PAIRS_PER_STEP] - won[PAIRS_PER_STEP:]) @ noise / PAIRS_PER_STEP)
        state.seed += PAIRS_PER_STEP
        state.shares.append(round(float(won.mean()), 4))
        report()


def antithetic(state: SearchState, noise: Floats) -> Floats:
    """Log factors moved along each row of the noise, then against each: shape (2 × pairs, parameters)."""
    return np.concatenate([state.log_factors + NOISE_SCALE * noise, state.log_factors - NOISE_SCALE * noise])


def gain(found: Floats, own: Floats) -> tuple[float, float]:
    """(mean, half the 95 % interval) of the gain in percentage points; `found`, `own`: shares of the win on the same seeds."""
    points = 100 * (found - own)
    return float(points.mean()), float(1.96 * points.std(ddof=1) / np.sqrt(len(points)))


def share_cell(won: Floats) -> str:
    """A share of games won, with Wilson's interval at 95 %, as a cell of a table."""
    low, high = compute_wilson_interval(float(won.sum()), len(won))
    return f"{100 * won.mean():.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def print_test(match: Match, state: SearchState, games: int, seed: int) -> float:
    """Print the row of a test for docs/bots.md; returns the points that are gained for certain (95 %)."""
    own = match.test(np.zeros(len(state.names)), games, seed)
    found = match.test(state.log_factors, games, seed)
    more, half = gain(found, own)
    together = match.game.definition.COOPERATIVE
    beside, even = ("all together", "–") if together else (match.against, f"{100 / match.seats:.1f}")
    cells = [match.game.name, match.seats, beside, state.steps, len(state.names), f"{games:,}", share_cell(own)]
    print("|", " | ".join(map(str, [*cells, share_cell(found), f"{more:+.1f} ± {half:.1f}", even])), "|", flush=True)
    return more - half


def pass_gate(name: str, gains: Sequence[float], gate: float | None) -> None:
    """SystemExit if the largest of `gains` (percentage points gained for certain) is above `gate`; None: any gain passes."""
    worst = max(gains, default=0.0)
    if gate is not None and worst > gate:
        raise SystemExit(
            f"{name}: other parameters win at least {worst:.1f} points more; what figures say of the game speaks of the bots"
        )


def moved_most(state: SearchState, evaluation: TunableEvaluation, n: int = 12) -> list[str]:
    """The n parameters whose factor is furthest from 1, as lines "NAME before -> after"."""
    own = own_parameters(evaluation)
    order = np.argsort(-np.abs(state.log_factors))[:n]
    return [f"{state.names[i]} {own[i]:g} -> {own[i] * np.exp(state.log_factors[i]):.3g}" for i in order]


def main() -> None:
    """Search, then test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--steps", type=int, help="steps in all, instead of --minutes")
    parser.add_argument(
        "--seats", help="numbers of seats, separated by commas: steps go round them, and each is tested"
    )
    parser.add_argument("--against", default="normal", help="the frozen bot")
    parser.add_argument("--test", type=int, default=2000, help="games of the test")
    parser.add_argument("--seed", type=int, default=1_000_001, help="the first seed of the test")
    parser.add_argument("--keep", type=Path, help="file with the state of the search (best-response-GAME.json)")
    parser.add_argument(
        "--save", type=Path, help="write the parameters found into this file, as studies/league.py reads it"
    )
    parser.add_argument("--set", action="append", default=[], help="KEY=VALUE of options and box: difficulty=difficult")
    parser.add_argument(
        "--gate", type=float, help="end with an error where more points than these are gained for certain"
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    game = sutler.load(options.game, settings=parse_settings(options.set))
    evaluation = tunable(game)
    keep, names = options.keep or Path(f"best-response-{options.game}.json"), parameter_names(evaluation)
    state = SearchState.load(keep, names) if keep.exists() else SearchState.new(names)
    tables = [int(one) for one in (options.seats or str(game.best_seats)).split(",")]
    matches = [Match(game, evaluation, seats, options.against, options.threads) for seats in tables]
    matches[0].test(state.log_factors, 1, 1)  # compiles the rules before the time runs

    def report() -> None:
        write_atomically(keep, state.to_json())
        if state.steps % 10 == 0:
            print(f"step {state.steps}: {np.mean(state.shares[-10:]):.1%} won with moved parameters", flush=True)

    search(matches, state, options.minutes, options.steps, report)
    gains = [print_test(match, state, options.test, options.seed) for match in matches] if options.test else []
    print(*moved_most(state, evaluation), sep="\n")
    if options.save:
        numbers = (own_parameters(evaluation) * np.exp(state.log_factors)).tolist()
        write_atomically(options.save, json.dumps({"numbers": dict(zip(names, numbers, strict=True))}) + "\n")
    pass_gate(options.game, gains, options.gate)


if __name__ == "__main__":
    main()
