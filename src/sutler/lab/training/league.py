"""Training of a judge in rounds: a league plays games, a search labels some of their decisions, and the network is fitted to them.

The fitted network plays in the next league. The result of a round depends on the game, the seed and the rounds before it only: not on the
number of threads, nor on whether the training was interrupted between two rounds. Its folder keeps what is needed to continue.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from sutler.bots.judge import Judge, pack_judge_row
from sutler.bots.kit import get_kit
from sutler.bots.kit.judge_network import JUDGE, Weights, build_network_inputs
from sutler.bots.kit.records import GREEDY, OWN, build_event_labels, find_scale
from sutler.bots.search import USUAL_SETTINGS
from sutler.core.files.box import hash_data
from sutler.core.play.game import Game
from sutler.core.record import Record, record
from sutler.core.record import field as column
from sutler.lab.play.atomic_files import atomic_file, write_atomically
from sutler.lab.training.network_fit import (
    HELD_OUT_EVERY,
    Numbers,
    Score,
    TrainingSet,
    draw_initial_weights,
    fit_network,
)

SPAN_GAMES = 8  # games that a thread plays in one call
MAX_ROWS_A_GAME = 512  # the most rows recorded of a game
MOST_DECISIONS = 20_000  # a longer game is stopped there
ROUNDS_LEARNED_FROM = 20  # the fit uses so many of the last rounds
PERTURBED_JUDGES, LEAGUE_PERSONAS = 3, 2  # judges with changed factors, and personas, in each league
FACTOR_NOISE = 0.4  # standard deviation of the logarithm by which a factor is changed in them
JUDGE_SEAT_SHARE = 0.5  # the share of seats with the current judge
CARELESS_NOISE = 0.12  # noise of the judge that errs, in parts of the scale
RANDOM_OPENING_SHARE, MAX_OPENING_DECISIONS = (
    0.5,
    40,
)  # the share of games that start with random decisions, and the most such decisions
FIRST_SEED = 4_000_001  # first seed of the games it learns from; the tests use lower ones
FIRST_TEST_SEED = 1 << 50  # first seed of the test matches that decide whether a round is kept
PRIOR_ROUNDS = 10.0  # weight of the decision's mean, in search rounds, in the estimate of an action
ADVANTAGE_LOGITS = 50.0  # added to the logarithm of an action's target share for each win more than the mean
WIN_POINTS = 1000.0  # for a win in a cooperative game: more than any score
FORECAST_WEIGHT = 0.5  # weight of the search's forecast in the target for the winner, beside the game's end


def build_row_record(n_inputs: int) -> Record:
    """The record of one row of a labelled decision (`kit._training_games`). `n_inputs`: the number of the network's inputs."""
    places = (("seed", "i8"), ("decision", "i4"), ("seat", "i1"), ("phase", "i2"), ("action", "i4"), ("visits", "i4"))
    return record("Row", *places, ("total", "f8"), ("prior", "f8"), ("toll", "f8"), column("inputs", "f4", n_inputs))


def has_begun_training(folder: Path, identity: Mapping[str, Any]) -> bool:
    """Does the folder hold a training with this `identity`? Begins one where there is none; ValueError where it holds another."""
    if not (folder / "about.json").exists():
        folder.mkdir(parents=True, exist_ok=True)
        return False
    kept = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    if kept != identity:
        other = ", ".join(key for key in identity if kept.get(key) != identity[key])
        raise ValueError(f"{folder}: another training lies there ({other} differs); name another folder")
    return True


@dataclass(frozen=True)
class TrainingSettings:
    """The settings of a training.

    `games`, `epochs`: in each round; `asked`: the share of decisions labelled by search; `noted`: the share of which only the position
    is kept; `rounds_of_search`: for each labelled decision; `gate`: games that a new judge plays against the last kept one (0: it is
    always kept).
    """

    seed: int = 1
    games: int = 200
    asked: float = 0.015
    noted: float = 0.02
    rounds_of_search: int = 100
    epochs: int = 6
    gate: int = 800
    seats: int = 0
    """0 for the game's best number."""
    threads: int = 0
    """0 for as many as the machine has; the number does not change the result."""


@dataclass
class Training:
    """A training in a folder.

    `done`: the number of finished rounds; `won`: the share of the last test match won by the new weights; `start`: a hash of the weights it
    started from; `weights`: the current ones; `earlier`: those after each round.
    """

    game: Game
    course: TrainingSettings
    folder: Path
    done: int = 0
    won: float = 0.0
    start: str = ""
    weights: dict[str, Numbers] = field(default_factory=dict)
    earlier: list[dict[str, Numbers]] = field(default_factory=list)

    @classmethod
    def at(cls, game: Game, course: TrainingSettings, folder: Path, start: Weights | None = None) -> Training:
        """The training in a folder, continued or started there. ValueError where the folder has another training.

        `start`: weights to start from; None for new ones.
        """
        made = cls(game, course, folder, start=hash_data(start.to_json_text(game)) if start else "")
        about = made.about()
        if has_begun_training(folder, about):
            made.done = len(list(folder.glob("weights-*.npz"))) - 1
            made.earlier = [_load_arrays(folder / f"weights-{k}.npz") for k in range(made.done + 1)]
        else:
            made.earlier = [(start or Weights.untrained(game)).arrays]
            _save_arrays(folder / "weights-0.npz", made.earlier[0])
            write_atomically(folder / "about.json", json.dumps(about) + "\n")
        made.weights = made.earlier[-1]
        return made

    def about(self) -> dict[str, Any]:
        """The identity of the training: game, box, options, rules, starting weights and settings."""
        course = {key: value for key, value in vars(self.course).items() if key != "threads"}
        options = dict(self.game.changed_options())
        rules = self.game.definition.home.rules_fingerprint
        return {
            "game": self.game.name,
            "box": self.game.box_hash,
            "options": options,
            "rules": rules,
            "start": self.start,
            **course,
        }

    @property
    def seats(self) -> int:
        """The number of seats at the tables of this training."""
        return self.course.seats or self.game.best_seats

    def judge(self) -> Weights:
        """The current weights, with their history."""
        arrays = {name: self.weights[name] for name in Weights.untrained(self.game).arrays}
        made = {key: value for key, value in self.about().items() if key not in ("game", "box")}
        return Weights(arrays, {**made, "rounds": self.done, "kept": self.kept, "seats": self.seats})

    def run_round(self, progress: Callable[[int, int], None] | None = None) -> Score:
        """Play, fit and store one round; returns the score on the held-out questions. `progress(done, games)` is called meanwhile."""
        rng = np.random.default_rng([self.course.seed, self.done])
        rows = _play_round(self, rng, progress)
        if not len(rows):
            raise ValueError("no decision of these games was searched: play more of them, or ask at more decisions")
        np.save(self.folder / f"rows-{self.done}.npy", rows)
        first = max(0, self.done + 1 - ROUNDS_LEARNED_FROM)
        lesson = build_training_set(
            [np.load(self.folder / f"rows-{k}.npy") for k in range(first, self.done + 1)], self.game
        )
        start = self.weights if self.weights["per"].any() else draw_initial_weights(lesson, self.weights, rng)
        fitted, score = fit_network(lesson, start, find_scale(self.game.definition), self.course.epochs, rng)
        self.won = self.play_test_match(fitted)
        if self.won >= compute_passing_share(self.course.gate):
            self.weights = fitted
        self.earlier.append(self.weights)
        self.done += 1
        _save_arrays(self.folder / f"weights-{self.done}.npz", self.weights)
        return score

    def play_test_match(self, fitted: dict[str, Numbers]) -> float:
        """The share of a test match that these weights win against the last kept ones; 1 without test matches."""
        if not self.course.gate:
            return 1.0
        game, course = self.game, self.course
        seed = FIRST_TEST_SEED + 1_000_003 * course.seed + course.gate * self.done
        return play_duel(
            game,
            pack_judge(game, fitted),
            pack_judge(game, self.weights),
            self.seats,
            course.gate,
            seed,
            course.threads,
        )

    @property
    def kept(self) -> int:
        """The number of rounds whose weights were kept."""
        pairs = zip(self.earlier, self.earlier[1:], strict=False)
        return sum(any((one[name] != two[name]).any() for name in two) for one, two in pairs)


def _save_arrays(path: Path, arrays: dict[str, Numbers]) -> None:
    """Write arrays to a file, whole or not at all."""
    with atomic_file(path) as aside, aside.open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]


def _load_arrays(path: Path) -> dict[str, Numbers]:
    """The arrays in a file."""
    with np.load(path) as kept:
        return {name: kept[name] for name in kept.files}


# --- A round's games ----------------------------------------------------------


def pack_judge(game: Game, arrays: dict[str, Numbers], plan: int | None = None, **settings: Any) -> Any:
    """A judge with these weights and settings, packed for compiled code; with `plan`, the persona with that number instead."""
    made = pack_judge_row(Judge(**settings), Weights({**Weights.untrained(game).arrays, **arrays}, {}), game)
    made.kind = GREEDY if plan is None else OWN
    if plan is not None:
        made.own[0] = plan
    return made


def draw_league(training: Training, rng: np.random.Generator) -> Numbers:
    """The bots of a round, packed: the current judge, its opponents, and last the search that labels decisions and plays nowhere.

    Opponents are the game's own judgement, an earlier judge, judges with changed factors, one that errs, and personas. `rng`: a source of
    random numbers.
    """
    game, now, blank = training.game, training.weights, Weights.untrained(training.game).arrays
    earlier = training.earlier[int(rng.integers(len(training.earlier)))]
    members = [pack_judge(game, now), pack_judge(game, blank), pack_judge(game, earlier)]
    for _ in range(PERTURBED_JUDGES):
        factor = now["factor"] * np.exp(FACTOR_NOISE * rng.standard_normal(len(now["factor"])))
        members.append(pack_judge(game, {**now, "factor": factor}))
    members.append(pack_judge(game, now, noise=CARELESS_NOISE, blunders=0.1))
    plans = game.definition.plans
    for plan in rng.choice(len(plans), min(LEAGUE_PERSONAS, len(plans)), replace=False) if plans else ():
        members.append(pack_judge(game, blank, plan=int(plan)))
    members.append(pack_judge(game, now, rounds=training.course.rounds_of_search))
    return np.array(members, JUDGE.dtype)


@dataclass(frozen=True)
class GameBatch:
    """Games to be played: result rows with seeds and bots, and for each game the number of random decisions at its start.

    `often`: the share of decisions that are labelled, and the share whose position is kept.
    """

    game: Game
    results: Numbers
    seats: int
    openings: Numbers
    often: tuple[float, float] = (0.0, 0.0)
    threads: int = 0

    @classmethod
    def of(cls, game: Game, bots: Numbers, seed: int, threads: int = 0) -> GameBatch:
        """Games with consecutive seeds. `bots`: shape (games, seats), indexes of bots in the league."""
        results = np.zeros(len(bots), get_kit(game).result.dtype)
        results["seed"], results["most"] = seed + np.arange(len(bots)), MOST_DECISIONS
        results["bots"][:, : bots.shape[1]] = bots
        return cls(game, results, bots.shape[1], np.zeros(len(bots), np.int64), threads=threads)

    def play(self, league: Numbers, progress: Callable[[int, int], None] | None = None) -> Numbers:
        """Play the games and fill the result rows; returns the rows of the labelled decisions.

        `league`: the bots, packed; `progress(done, games)` is called as games are done.
        """
        game, kit, total = self.game, get_kit(self.game), len(self.results)
        labels, kind = (
            build_event_labels(game.definition.events),
            build_row_record(len(build_network_inputs(game.definition).names)),
        )
        done, often = [0], np.array(self.often)

        def play_chunk(first: int) -> Numbers:
            span = slice(first, first + SPAN_GAMES)
            n = len(self.results[span])
            states = np.zeros(n, game.definition.state.dtype)
            states["n_seats"] = self.seats
            rows, filled = np.zeros(n * MAX_ROWS_A_GAME, kind.dtype), np.zeros(1, np.int64)
            scratch, mine = kit.create_scratch(labels, tells=False), league.copy()
            play = kit.training_games.play
            play(game.box, self.results[span], states, mine, scratch, self.openings[span], often, rows, filled)
            done[0] += n
            if progress:
                progress(done[0], total)
            return rows[: int(filled[0])].copy()

        with ThreadPoolExecutor(self.threads or os.cpu_count() or 1) as pool:
            return np.concatenate(list(pool.map(play_chunk, range(0, total, SPAN_GAMES))))

    def won(self) -> Numbers:
        """Each seat's share of the win, shape (games, seats)."""
        first = self.results["places"][:, : self.seats] == 1
        return np.asarray(first / np.maximum(1, first.sum(axis=1, keepdims=True)))


def play_match(game: Game, bot: Any, opponents: Any, seats: int, games: int, seed: int, threads: int = 0) -> float:
    """The share of these games that one bot wins against others; it sits in every seat equally often. `bot`, `opponents`: packed bots."""
    bots = np.ones((games, seats), np.int64)
    bots[np.arange(games), np.arange(games) % seats] = 0
    table = GameBatch.of(game, bots, seed, threads)
    table.play(np.array([bot, opponents, opponents], JUDGE.dtype))
    return float(table.won()[bots == 0].mean())


def play_duel(game: Game, bot: Any, opponent: Any, seats: int, games: int, seed: int, threads: int = 0) -> float:
    """The share of the wins that goes to the first of two packed bots, each of which has half of the seats.

    Each deal is played twice, with the seats exchanged. In a cooperative game each bot has a table of its own, and the result is the
    share of deals in which the first bot does better, ties counting half.
    """
    deals = (max(1, games // 2), 1)
    if game.definition.COOPERATIVE:
        halves = np.zeros((deals[0], seats), np.int64)
    else:
        halves = np.random.default_rng(seed).permuted(np.tile(np.arange(seats) % 2, deals), axis=1)
    bots = np.stack([halves, 1 - halves], axis=1).reshape(-1, seats)
    table = GameBatch.of(game, bots, seed, threads)
    table.results["seed"] = seed + np.arange(len(bots)) // 2
    table.play(np.array([bot, opponent, opponent], JUDGE.dtype))
    if not game.definition.COOPERATIVE:
        return float((table.won() * (bots == 0)).sum() / len(bots))
    reached = table.results["points"][:, 0] + WIN_POINTS * (table.results["places"][:, 0] == 1)
    return float(np.sign(reached[0::2] - reached[1::2]).mean() + 1) / 2


def compile_training_code(game: Game) -> None:
    """Compile the code of games from which a judge learns, or load it from the cache. ValueError where the game has no judge."""
    row = pack_judge(game, Weights.untrained(game).arrays)
    play_match(game, row, row, game.min_seats, games=1, seed=1, threads=1)


def compute_passing_share(games: int) -> float:
    """The share of a test match of this many games that must be won: half, and one standard deviation more."""
    return 0.5 + 0.5 / math.sqrt(max(1, games))


def _play_round(training: Training, rng: np.random.Generator, progress: Callable[[int, int], None] | None) -> Numbers:
    """The rows of a round's games; in rows of positions, `total` is the seat's share of the win."""
    course, bots = training.course, draw_league(training, rng)
    others = rng.integers(len(bots) - 1, size=(course.games, training.seats))
    seed = FIRST_SEED + 1_000_003 * course.seed + course.games * training.done
    table = GameBatch.of(
        training.game, np.where(rng.random(others.shape) < JUDGE_SEAT_SHARE, 0, others), seed, course.threads
    )
    openings = np.where(
        rng.random(course.games) < RANDOM_OPENING_SHARE, rng.integers(1, MAX_OPENING_DECISIONS, course.games), 0
    )
    table = replace(table, openings=openings, often=(course.asked, course.noted))
    rows = table.play(bots, progress)
    game, positions = rows["seed"] - seed, rows["action"] < 0
    if training.game.definition.COOPERATIVE:  # all seats win together, so there is no question about the winner
        return np.asarray(rows[~positions].view(np.ndarray))
    rows["total"][positions] = table.won()[game[positions], rows["seat"][positions]]
    return np.asarray(rows[~positions | (table.results["finished"][game] == 1)].view(np.ndarray))


def build_training_set(rounds: list[Numbers], game: Game) -> TrainingSet:
    """The training set from some rounds' rows: which action the search preferred, and which seat won."""
    rows = np.concatenate(rounds)
    of_winning = rows["action"] < 0
    same = of_winning[1:] == of_winning[:-1]
    for name in ("seed", "decision"):
        same &= rows[name][1:] == rows[name][:-1]
    starts = np.append(np.flatnonzero(np.concatenate([[True], ~same])), len(rows))
    target = compute_target_shares(rows, starts)
    whole_group = (np.add.reduceat(target, starts[:-1]) > 0) & (np.diff(starts) > 1)
    held = (rows["seed"][starts[:-1]] % HELD_OUT_EVERY == 0).astype(np.int64)
    toll = rows["toll"] / find_scale(game.definition)
    kinds = of_winning[starts[:-1]].astype(np.int64)
    return TrainingSet(rows["inputs"], rows["phase"], toll, target, starts, kinds, held).select(
        np.flatnonzero(whole_group)
    )


def compute_target_shares(rows: Numbers, starts: Numbers) -> Numbers:
    """The target shares of all rows, which add up to 1 in each group; `starts`: the first row of each group, and the end.

    For actions it is the prior, raised by as much as search found the action better than the decision's mean; actions that were rarely
    tried are changed little. For seats it is the end of the game, blended with search's forecast for the deciding seat.
    """
    sizes = np.diff(starts)

    def sum_over_group(one: Numbers) -> Numbers:
        """The sum of each group's values, repeated for each row of the group."""
        return np.repeat(np.add.reduceat(one, starts[:-1]), sizes)

    acts, visits = rows["action"] >= 0, rows["visits"].astype(np.float64)
    worth = sum_over_group(rows["total"]) / np.maximum(1, sum_over_group(visits))
    found = (rows["total"] + PRIOR_ROUNDS * worth) / (visits + PRIOR_ROUNDS) - worth
    open_mind = USUAL_SETTINGS["open_mind"]
    thought = np.maximum(1e-4, (rows["prior"] - open_mind / np.repeat(sizes, sizes)) / (1 - open_mind))
    shares = np.where(acts & (sum_over_group(visits) > 0), thought * np.exp(ADVANTAGE_LOGITS * found), 0.0)
    won = np.where(acts, 0.0, rows["total"])
    firsts = starts[:-1][1:]  # first rows of all groups but the first
    told = ~acts[firsts] & acts[firsts - 1]
    for name in ("seed", "decision"):
        told &= rows[name][firsts] == rows[name][firsts - 1]
    for start, size, before in zip(firsts[told], sizes[1:][told], firsts[told] - 1, strict=True):
        group = slice(start, start + size)
        won[group] = blend_with_forecast(won[group], rows["seat"][group] == rows["seat"][before], worth[before])
    shares = np.where(acts, shares, won)
    total = sum_over_group(shares)
    return np.asarray(shares / np.where(total > 0, total, 1))


def blend_with_forecast(win_shares: Numbers, is_deciding_seat: Numbers, forecast: float) -> Numbers:
    """The seats' shares of the win, blended with the forecast `forecast` for the seat `is_deciding_seat`; the others divide the rest.

    They divide it in proportion to their shares, or evenly where these are 0. `is_deciding_seat`: a flag for each row.
    """
    if not is_deciding_seat.any() or len(win_shares) < 2 or win_shares.sum() == 0:
        return win_shares
    own = (1 - FORECAST_WEIGHT) * float(win_shares[is_deciding_seat][0]) + FORECAST_WEIGHT * forecast
    rest = win_shares[~is_deciding_seat] if win_shares[~is_deciding_seat].sum() > 0 else np.ones(len(win_shares) - 1)
    out = np.empty(len(win_shares))
    out[is_deciding_seat], out[~is_deciding_seat] = own, (1 - own) * rest / rest.sum()
    return out
