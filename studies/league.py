"""Search parameters of a game's evaluation that hold against a league of fixed opponents: personas, and other parameters.

    python studies/league.py warfarm --opponents normal,gunner,soldier,old.json --steps 100 --keep now.json
    python studies/league.py warfarm --opponents normal,gunner,soldier,old.json --keep now.json --steps 0 --test 1000

An opponent is the name of a bot or a JSON file of parameters (`--save` writes one; the file of a search is one too). The candidate moves
as in `best_response.py`. The other seats hold the candidate without noise or an opponent, at random; opponents that win more are drawn more
often, so that the search improves the worst case. The test seats each opponent alone among candidates, and the candidate alone among
opponents of one kind.
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
from best_response import BATCH_GAMES, PAIRS_PER_STEP, Floats, SearchState, antithetic, moved_most
from tunable_evaluation import TunableEvaluation, as_records, own_parameters, parameter_names, tunable

import sutler
from sutler.bots.kit import copy_packed_bots, pack_bots
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.core.play.game import Game
from sutler.lab.play.atomic_files import write_atomically
from sutler.lab.play.simulate import MOST_DECISIONS, Run
from sutler.lab.stats.estimates import compute_wilson_interval

CANDIDATE = -1
"""The number that stands for the candidate among the indexes of opponents."""
WEIGHT_RATE = 0.05
"""The learning rate of the opponents' weights: how fast they follow what each opponent wins."""
UNIFORM_SHARE = 0.15
"""Share of draws in which all opponents are equally likely."""
MIN_ODDS = 0.02


@dataclass
class League:
    """A game, its tunable evaluation and the opponents. rows: an opponent's parameters, or None for a bot played by its name."""

    game: Game
    evaluation: TunableEvaluation
    opponents: list[str]
    rows: list[Floats | None]
    seats: int
    threads: int
    max_decisions: int = MOST_DECISIONS
    """A game is cut off after so many decisions."""
    self_play: float = 0.4
    """Share of the other seats that hold the candidate."""

    def play(self, by: Floats, bots: Floats, seeds: Floats) -> Any:
        """Play n games; each seat's share of the win, shape (n, seats).

        by: parameters, shape (n, seats, parameters). bots: who sits where, shape (n, seats): the index of a row of `by`, or seats + the
        index of an opponent. seeds: shape (n,).
        """
        others = [name if row is None else "normal" for name, row in zip(self.opponents, self.rows, strict=True)]
        players = build_repeatable_bots([*["normal"] * self.seats, *others], self.game)
        run = Run(self.game, players[: self.seats], len(bots), int(seeds[0]), rotate=False)
        run.results["seed"], run.results["most"] = seeds, self.max_decisions
        run.results["bots"][:, : self.seats] = bots
        by = as_records(self.evaluation, by.reshape(-1, by.shape[-1])).reshape(by.shape[:2])
        kinds = pack_bots(players, self.game)
        finals = np.zeros(len(bots), self.game.definition.state.dtype)
        finals["n_seats"] = self.seats

        def work(first: int) -> None:
            batch, scratch = slice(first, first + BATCH_GAMES), run.kit.create_scratch(run.labels, tells=False)
            self.evaluation.play(
                by[batch], self.game.box, run.results[batch], finals[batch], copy_packed_bots(kinds), scratch
            )

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(work, range(0, len(bots), BATCH_GAMES)))
        first = run.results["places"][:, : self.seats] == 1
        return first / np.maximum(1, first.sum(axis=1, keepdims=True))

    def seating(self, candidates: list[Floats], players: list[int], turn: int) -> tuple[Floats, list[int]]:
        """One table's rows of `by` and of `bots` for `play`.

        players: CANDIDATE (with the parameters `candidates[k]`) or the index of an opponent. The first one sits `turn` seats further.
        """
        by, bots = np.zeros((self.seats, len(candidates[0]))), []
        for k, player in enumerate(players):
            row = candidates[k] if player == CANDIDATE else self.rows[player]
            by[k] = candidates[0] if row is None else row
            bots.append(k if row is not None else self.seats + player)
        return by, [bots[(k - turn) % self.seats] for k in range(self.seats)]

    def first_players_share(
        self, candidate: Floats, players: list[int], games: int, seed: int
    ) -> tuple[float, float, float]:
        """The share of games won by the first of `players`, with its 95 % interval; seats rotate."""
        turns = np.arange(games) % self.seats
        tables = [self.seating([candidate] * self.seats, players, turn) for turn in turns]
        won = self.play(
            np.array([by for by, _ in tables]), np.array([bots for _, bots in tables]), seed + np.arange(games)
        )
        total = float(won[np.arange(games), turns].sum())
        return total / games, *compute_wilson_interval(total, games)


def draw_others(league: League, rng: np.random.Generator, odds: Floats) -> Floats:
    """Draw who sits beside the candidate: shape (PAIRS_PER_STEP, seats - 1), CANDIDATE or the index of an opponent."""
    drawn = rng.choice(len(odds), (PAIRS_PER_STEP, league.seats - 1), p=odds)
    return np.where(rng.random(drawn.shape) < league.self_play, CANDIDATE, drawn)


def opponents_gain(others: Floats, won: Floats, odds: Floats, even: float) -> Floats:
    """For each opponent, its mean win beyond the even share, weighted as if all were equally likely. others, won: shape (games, n)."""
    gains = [float((won[others == k] - even).sum()) / max(odds[k], MIN_ODDS) for k in range(len(odds))]
    return np.array(gains) / len(won)


def search(league: League, state: SearchState, steps: int, report: Callable[[Floats], None]) -> None:
    """Take `steps` more steps of the search. report: a callback, called after each step with the opponents' weights."""
    base, weights = own_parameters(league.evaluation), np.full(len(league.opponents), 1 / len(league.opponents))
    turns, games = np.tile(np.arange(PAIRS_PER_STEP) % league.seats, 2), np.arange(2 * PAIRS_PER_STEP)
    for _ in range(steps):
        rng = np.random.default_rng(state.seed)
        noise = rng.standard_normal((PAIRS_PER_STEP, len(state.log_factors)))
        odds = UNIFORM_SHARE / len(weights) + (1 - UNIFORM_SHARE) * weights
        others = np.tile(draw_others(league, rng, odds), (2, 1))
        moved = base * np.exp(antithetic(state, noise))
        unmoved = [base * np.exp(state.log_factors)] * (league.seats - 1)
        tables = [league.seating([moved[i], *unmoved], [CANDIDATE, *map(int, others[i])], turns[i]) for i in games]
        seeds = np.tile(state.seed + np.arange(PAIRS_PER_STEP), 2)
        won = league.play(np.array([by for by, _ in tables]), np.array([bots for _, bots in tables]), seeds)
        candidate_first = won[games[:, None], (turns[:, None] + np.arange(league.seats)) % league.seats]
        mine, theirs = candidate_first[:, 0], candidate_first[:, 1:]
        state.step((mine[:PAIRS_PER_STEP] - mine[PAIRS_PER_STEP:]) @ noise / PAIRS_PER_STEP)
        weights = weights * np.exp(WEIGHT_RATE * opponents_gain(others, theirs, odds, 1 / league.seats))
        weights = weights / weights.sum()
        state.seed += PAIRS_PER_STEP
        state.shares.append(round(float(mine.mean()), 4))
        report(weights)


def test(league: League, candidate: Floats, games: int, seed: int) -> None:
    """Print for each opponent what it wins alone among candidates, and what the candidate wins alone among such opponents."""
    for k, name in enumerate(league.opponents):
        others = league.seats - 1
        theirs = league.first_players_share(candidate, [k] + [CANDIDATE] * others, games, seed)
        mine = league.first_players_share(candidate, [CANDIDATE] + [k] * others, games, seed)
        cells = (f"{share:.1%} ({low:.1%}-{high:.1%})" for share, low, high in (theirs, mine))
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def load_parameters(path: Path, evaluation: TunableEvaluation) -> Floats:
    """Read parameters by name, or the factors of a saved search; parameters that are not named are the game's own."""
    saved = json.loads(path.read_text(encoding="utf-8"))
    own = dict(zip(parameter_names(evaluation), own_parameters(evaluation), strict=True))
    if "numbers" not in saved:
        factors = zip(saved["names"], saved["log_factors"], strict=True)
        saved["numbers"] = {name: own[name] * float(np.exp(factor)) for name, factor in factors}
    return np.array([saved["numbers"].get(name, value) for name, value in own.items()])


def main() -> None:
    """Search, then test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--opponents", required=True, help="names of bots and files of parameters, separated by commas")
    parser.add_argument("--steps", type=int, default=0, help="further steps")
    parser.add_argument("--test", type=int, default=300, help="games for each figure of the test")
    parser.add_argument("--seed", type=int, default=1_000_001, help="the first seed of the test")
    parser.add_argument("--keep", type=Path, required=True, help="file with the state of the search")
    parser.add_argument("--save", type=Path, help="write the parameters found into this file")
    parser.add_argument("--self-play", type=float, default=0.4, help="share of the other seats that hold the candidate")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    game, opponents = sutler.load(options.game), options.opponents.split(",")
    evaluation = tunable(game)
    rows = [load_parameters(Path(one), evaluation) if one.endswith(".json") else None for one in opponents]
    league = League(game, evaluation, opponents, rows, game.best_seats, options.threads, self_play=options.self_play)
    names = parameter_names(evaluation)
    state = SearchState.load(options.keep, names) if options.keep.exists() else SearchState.new(names)

    def report(weights: Floats) -> None:
        write_atomically(options.keep, state.to_json())
        if state.steps % 10 == 0:
            listed = " ".join(f"{Path(one).stem} {weight:.2f}" for one, weight in zip(opponents, weights, strict=True))
            print(f"step {state.steps}: {np.mean(state.shares[-10:]):.1%}; {listed}", flush=True)

    search(league, state, options.steps, report)
    candidate = own_parameters(evaluation) * np.exp(state.log_factors)
    if options.save:
        write_atomically(
            options.save, json.dumps({"numbers": dict(zip(names, candidate.tolist(), strict=True))}) + "\n"
        )
    if options.test:
        test(league, candidate, options.test, options.seed)
    print(*moved_most(state, evaluation, 60), sep="\n")


if __name__ == "__main__":
    main()
