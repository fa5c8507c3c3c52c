"""Training of a policy in rounds, without search: it plays games with itself and with other bots, and is fitted to their results.

It starts with the choices of the greedy bot. In the first rounds only the prediction of the winner is learned, since a policy is changed by
how much better than predicted a game went. The result of a round depends on the game, the settings and the rounds before it only.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from sutler.bots import Bot, bot_from
from sutler.bots.greedy import GreedyBot
from sutler.bots.kit import copy_packed_bots, get_kit, pack_bots
from sutler.bots.kit.policy_network import JUDGEMENT_WEIGHT, PolicyWeights, build_encoding, pack_seats
from sutler.bots.kit.records import build_event_labels, find_scale
from sutler.bots.policy import Policy, pack_policy_row
from sutler.core.files.box import hash_data
from sutler.core.play.game import Game
from sutler.core.record import Record, record
from sutler.lab.play.atomic_files import atomic_file, write_atomically
from sutler.lab.training.league import has_begun_training
from sutler.lab.training.policy_fit import (
    Adam,
    Arrays,
    Decisions,
    FitSettings,
    Fitted,
    Numbers,
    build_sparse_matrix,
    compute_hidden_layer,
    fit_policy_arrays,
    join_decisions,
    predict_win_chances,
)

SPAN_GAMES = 16  # games that a thread plays in one call
ROWS_A_GAME, INPUTS_A_ROW, OPTIONS_A_ROW = (
    512,
    320,
    24,
)  # room in the arrays of a span, on average; what exceeds it is not learned from
MOST_DECISIONS = 20_000  # a longer game is stopped there
FIRST_SEED, EXAM_SEED = (
    4_000_001,
    1 << 50,
)  # first seeds of the games it learns from, and of exams; the tests use lower ones
TEST_SEED = 700_001  # first seed of games by which no weights were chosen
LEARNER = 0
INPUT = record("Input", ("at", "u2"), ("much", "f4"))
OPTION = record("Option", ("action", "i4"), ("value", "f4"))


def build_policy_row_record() -> Record:
    """The record of one recorded decision of the policy."""
    places = (("game", "i4"), ("seat", "i1"), ("phase", "i2"), ("n_inputs", "i4"), ("n_options", "i4"))
    return record("Row", *places, ("chosen", "i4"), ("likely", "f4"))


@dataclass(frozen=True)
class PolicySettings:
    """The settings of a training.

    `games`: in each round; `sure`: the weight of the game's own judgement at the start; `watching`: first rounds in which only the
    prediction of the winner is learned; `among`: the other bots, with commas; `fading`: the factor by which each later decision counts
    less for an earlier one; `exam`: games among the same bots, every `exam_every` rounds; `fit`: the settings of each fit.
    """

    seed: int = 1
    games: int = 500
    seats: tuple[int, ...] = ()
    """The numbers of seats of the tables, which share the games of a round; none: those of the weights it starts from, else the game's best
    number."""
    sure: float = JUDGEMENT_WEIGHT
    watching: int = 3
    among: str = "greedy"
    fading: float = 0.97
    lead: float = 0.0
    """The lead in points that counts as e times as likely a win in what is learned from; 0: only who won counts."""
    exam: int = 1000
    exam_every: int = 10
    slower: float = 100.0
    """After so many rounds the learning rate is a half, after twice as many a third."""
    fit: FitSettings = field(default_factory=FitSettings)
    threads: int = 1
    """The number of threads, which does not change the result."""

    def about(self) -> dict[str, Any]:
        """The settings that change the result, as plain data."""
        left_out = {"threads", "fit"} if self.lead else {"threads", "fit", "lead"}  # so that older folders go on
        told = {key: value for key, value in vars(self).items() if key not in left_out}
        told["seats"] = pack_seats(self.seats) if self.seats else 0  # as in folders and files of older trainings
        return told | {f"fit_{key}": value for key, value in vars(self.fit).items()}


@dataclass(frozen=True)
class Played:
    """The games of a round: result rows, and the policy's decisions with the inputs and the options of each, one after another."""

    results: Numbers
    rows: Numbers
    inputs: Numbers
    options: Numbers


def play_policy_games(
    game: Game, learner: Any, opponents: Sequence[Bot], bots: Numbers, seed: int, threads: int = 1
) -> Played:
    """Play games with consecutive seeds. `bots`: shape (games, seats), LEARNER for the policy, or k for `opponents[k - 1]`.

    `learner`: the packed policy.
    """
    kit, seats = get_kit(game), bots.shape[1]
    results = np.zeros(len(bots), kit.result.dtype)
    results["seed"], results["most"] = seed + np.arange(len(bots)), MOST_DECISIONS
    results["bots"][:, :seats] = bots
    sitting = pack_bots([GreedyBot(), *opponents], game)
    labels, kind = build_event_labels(game.definition.events), build_policy_row_record()

    def play_chunk(first: int) -> list[Numbers]:
        """Play the span of games that begins with number `first`; returns arrays of decisions, inputs and options."""
        span = results[first : first + SPAN_GAMES]
        states = np.zeros(len(span), game.definition.state.dtype)
        states["n_seats"] = seats
        room = len(span) * ROWS_A_GAME if (span["bots"][:, :seats] == LEARNER).any() else 1
        sizes = room, room * INPUTS_A_ROW, room * OPTIONS_A_ROW
        lists = tuple(np.zeros(n, of.dtype) for n, of in zip(sizes, (kind, INPUT, OPTION), strict=True))
        filled, scratch = np.zeros(3, np.int64), kit.create_scratch(labels, tells=False)
        kit.policy_games.play(game.box, span, states, copy_packed_bots(sitting), learner.copy(), scratch, lists, filled)
        rows, *rest = (one[:n].copy() for one, n in zip(lists, filled, strict=True))
        rows["game"] += first
        return [rows, *rest]

    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(play_chunk, range(0, len(results), SPAN_GAMES)))
    return Played(results, *(np.concatenate(one) for one in zip(*found, strict=True)))


def compute_training_win_shares(game: Game, results: Numbers, seats: int) -> Numbers:
    """Each seat's share of the win, shape (games, seats); in a cooperative game, 1 for all or 0 for all."""
    if game.definition.COOPERATIVE:
        return np.asarray(results["places"][:, :seats] == 1, float)
    first = results["places"][:, :seats] == 1
    return np.asarray(first / np.maximum(1, first.sum(axis=1, keepdims=True)))


def compute_goal_shares(game: Game, results: Numbers, seats: int, lead: float) -> Numbers:
    """The target of learning for each seat, shape (games, seats): its share of the win, or one that its points make likely.

    `lead`: the lead in points that counts as e times as likely a win; 0: only who won counts, as it always does in a cooperative game.
    """
    if not lead or game.definition.COOPERATIVE:
        return compute_training_win_shares(game, results, seats)
    points = np.asarray(results["points"][:, :seats], float)
    likely = np.exp((points - points.max(axis=1, keepdims=True)) / lead)
    return np.asarray(likely / likely.sum(axis=1, keepdims=True))


def compute_advantages(rows: Numbers, foreseen: Numbers, won: Numbers, decay: float) -> Numbers:
    """The advantage of each decision, shape (decisions,): the game's result for the deciding seat less the predicted one.

    `foreseen`: shape (decisions,), the chance to win that the policy gave the deciding seat. `won`: shape (games, seats). It is the
    generalised advantage estimate: differences between successive predictions, each later one weighted by a further factor `decay`.
    """
    out = np.zeros(len(rows))
    order = np.lexsort((np.arange(len(rows)), rows["seat"], rows["game"]))
    last: tuple[int, int] | None = None
    ahead = after = 0.0
    for k in order[::-1]:
        whose = int(rows["game"][k]), int(rows["seat"][k])
        if whose != last:
            last, ahead, after = whose, 0.0, float(won[whose])
        ahead = after - foreseen[k] + decay * ahead
        after = float(foreseen[k])
        out[k] = ahead
    return out


def compute_foreseen_part(chance: Numbers, won: Numbers) -> float:
    """The mean squared error of the predictions `chance`, shape (n,), of the shares `won`, divided by that of their mean share.

    1 where all ended alike.
    """
    spread = float(((won - won.mean()) ** 2).mean())
    return float(((chance - won) ** 2).mean()) / spread if spread else 1.0


def build_decisions(
    game: Game, played: Played, arrays: Arrays, seats: int, decay: float, lead: float = 0.0
) -> tuple[Decisions, Numbers]:
    """The decisions of a round's games in the form that the fit takes, and the chance that the policy gave the deciding seat in each.

    `arrays`: the weights with which the games were played. `decay`: see `compute_advantages`; `lead`: see `compute_goal_shares`.
    """
    rows, won = played.rows, compute_goal_shares(game, played.results, seats, lead)
    starts = np.concatenate([[0], np.cumsum(rows["n_inputs"])])
    shape = len(rows), build_encoding(game).n
    much, at = played.inputs["much"].copy(), played.inputs["at"].astype(np.int32)
    inputs = build_sparse_matrix((much, at, starts), shape)
    if game.definition.COOPERATIVE:  # the network predicts whether all win or all lose
        mine = won[rows["game"], rows["seat"]]
        ends = np.pad(np.stack([mine, 1 - mine], axis=1), ((0, 0), (0, max(0, seats - 2))))
    else:
        ends = won[rows["game"][:, None], (rows["seat"][:, None] + np.arange(seats)) % seats]
    foreseen = predict_win_chances(compute_hidden_layer(inputs, arrays), arrays, ends.shape[1])[:, 0]
    gain = compute_advantages(rows, foreseen, won, decay)
    option_starts = np.concatenate([[0], np.cumsum(rows["n_options"])[:-1]])
    decisions = Decisions(
        inputs,
        rows["phase"].astype(np.int64),
        option_starts + rows["chosen"],
        rows["likely"].copy(),
        (gain - gain.mean()) / (gain.std() + 1e-8),
        ends,
        np.full(len(rows), ends.shape[1]),
        np.repeat(np.arange(len(rows)), rows["n_options"]),
        played.options["action"].astype(np.int64),
        played.options["value"] / np.float32(find_scale(game.definition)),
    )
    return decisions, foreseen


@dataclass
class PolicyTraining:
    """A training in a folder.

    `memory`: the state of Adam; `done`: the number of finished rounds; `exams`: (round, share won) of each; `decisions`: how many were
    learned from.
    """

    game: Game
    course: PolicySettings
    folder: Path
    weights: PolicyWeights
    memory: Adam
    done: int = 0
    exams: list[tuple[int, float]] = field(default_factory=list)
    decisions: int = 0
    start: str = ""
    """A digest of the weights it started from; "" where it started from new ones."""
    part: float = 1.0
    """The share won in the last round against others, divided by the even share; in a cooperative game, the share of games won."""
    foreseen: float = 1.0
    """How well who wins was foreseen while the last round was played: the squared error of the deciding seat's chance, divided by that of
    saying the mean share every time. At 1 and above the predictions tell nothing, and only add noise to what is learned from."""

    @classmethod
    def at(cls, game: Game, course: PolicySettings, folder: Path, start: PolicyWeights | None = None) -> PolicyTraining:
        """The training in a folder, continued or started there. ValueError where the folder has another training.

        `start`: weights to start from; None for new ones.
        """
        seats = course.seats or (start.seats if start else (game.best_seats,))
        if start:
            weights = replace(start, seats=seats)
        else:
            weights = PolicyWeights.untrained(game, seats, np.random.default_rng(course.seed), course.sure)
        made = cls(game, course, folder, weights, Adam(weights.arrays))
        made.start = hash_data(start.file(game).hex()) if start else ""
        about = made.about()
        if has_begun_training(folder, about):
            made._restore()
        else:
            write_atomically(folder / "about.json", json.dumps(about) + "\n")
        return made

    def about(self) -> dict[str, Any]:
        """The identity of the training: game, box, options, rules, starting weights and settings."""
        game = self.game
        told = {"game": game.name, "box": game.box_hash, "options": dict(game.changed_options())}
        return told | {"rules": game.definition.home.rules_fingerprint, "start": self.start} | self.course.about()

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of seats at the tables of this training."""
        return self.weights.seats

    @property
    def even(self) -> float:
        """The share of games that `exam` gives a policy as strong as those it plays among."""
        return len(self.seats) / sum(self.seats)

    def run_round(self) -> Fitted:
        """Play, fit and store one round; returns means over the fit."""
        course = self.course
        rng = np.random.default_rng([course.seed, self.done])
        seed = FIRST_SEED + 1_000_003 * course.seed + course.games * self.done
        tables = [
            self._play_tables(seats, games, seed, rng)
            for seats, games in zip(self.seats, split_evenly(course.games, len(self.seats)), strict=True)
        ]
        asked = join_decisions([one for one, _, _ in tables])
        self.decisions += len(asked.phase)
        self.part = float(np.mean([part for _, _, part in tables]))
        self.foreseen = compute_foreseen_part(np.concatenate([seen for _, seen, _ in tables]), asked.won[:, 0])
        how = replace(course.fit, pace=course.fit.pace / (1 + self.done / course.slower))
        told = fit_policy_arrays(
            asked, self.weights.arrays, self.memory, how, rng, fit_policy=self.done >= course.watching
        )
        self.done += 1
        self._store()
        return told

    def _play_tables(
        self, seats: int, games: int, seed: int, rng: np.random.Generator
    ) -> tuple[Decisions, Numbers, float]:
        """Play games at tables of `seats` seats; returns (decisions, chances foreseen, share won in parts of the even share)."""
        course = self.course
        others: list[Bot] = [bot_from(one) for one in course.among.split(",")]
        bots = rng.integers(1, 1 + len(others), (games, seats))
        least = seats if self.game.definition.COOPERATIVE else 1
        mine = rng.integers(least, seats + 1, games)
        bots[rng.permuted(np.tile(np.arange(seats), (games, 1)), axis=1) < mine[:, None]] = LEARNER
        played = play_policy_games(self.game, self._pack_policy(), others, bots, seed, course.threads)
        if not len(played.rows):
            raise ValueError("the policy had nothing to decide in these games: play more of them")
        won = compute_training_win_shares(self.game, played.results, seats) * (bots == LEARNER)
        mixed = mine < seats + (least == seats)
        part = float(won[mixed].sum() * (seats / least) / max(1, mine[mixed].sum()))
        asked, foreseen = build_decisions(self.game, played, self.weights.arrays, seats, course.fading, course.lead)
        return asked, foreseen, part

    def _pack_policy(self) -> Any:
        """The policy packed for compiled code, with the current weights."""
        return pack_policy_row(Policy(), self.weights, self.game)

    def learned(self) -> PolicyWeights:
        """The current weights with their history; weights of inputs that never occurred are set to 0.

        Where the training started from given weights, all are kept.
        """
        first = self.weights.arrays["first"]
        if not self.start:
            first = np.where(self.memory.wild["first"].any(axis=1, keepdims=True), first, np.float32(0))
        arrays = {**self.weights.arrays, "first": first}
        made = self.course.about() | {"trained": self.done, "decisions": self.decisions}
        return PolicyWeights(arrays, self.seats, made)

    def play_exam(self, games: int = 0, seed: int = EXAM_SEED) -> float:
        """The share of games that the policy, taking its likeliest action, wins among the bots it learns among.

        Tables of several numbers of seats share the games; each counts by its seats, so that `even` is what equals win. Without `games`
        it is an exam of the current weights, which are stored as the best if none won more; with `games`, the best weights play that many.
        """
        game, path = self.game, self.folder / f"{'best' if games else 'now'}.npz"
        if not games:
            _write_bytes_atomically(path, self.learned().file(game))
        shares = [
            play_match(game, Policy(str(path)), self.course.among, seats, n, seed)
            for seats, n in zip(self.seats, split_evenly(games or self.course.exam, len(self.seats)), strict=True)
        ]
        share = float(np.average(shares, weights=self.seats))
        if not games:
            self.exams.append((self.done, share))
            if share >= max(one for _, one in self.exams):
                _write_bytes_atomically(self.folder / "best.npz", path.read_bytes())
            self._store()
        return share

    def _store(self) -> None:
        """Write the state of the training into its folder."""
        arrays: Arrays = dict(self.weights.arrays)
        for name in self.weights.arrays:
            arrays |= {f"slope_{name}": self.memory.slope[name], f"wild_{name}": self.memory.wild[name]}
        counts = np.array([self.done, self.memory.steps, self.decisions])
        with atomic_file(self.folder / "state.npz") as aside, aside.open("wb") as file:
            np.savez(file, counts=counts, exams=np.array(self.exams).reshape(-1, 2), **arrays)  # type: ignore[arg-type]

    def _restore(self) -> None:
        """Read the state of the training from its folder, if it has one."""
        if not (self.folder / "state.npz").exists():
            return
        with np.load(self.folder / "state.npz") as kept:
            self.done, self.memory.steps, self.decisions = map(int, kept["counts"])
            self.exams = [(int(k), float(share)) for k, share in kept["exams"]]
            for name in self.weights.arrays:
                self.weights.arrays[name] = kept[name]
                self.memory.slope[name], self.memory.wild[name] = kept[f"slope_{name}"], kept[f"wild_{name}"]


def _write_bytes_atomically(path: Path, data: bytes) -> None:
    """Write bytes to a file, whole or not at all."""
    with atomic_file(path) as aside:
        aside.write_bytes(data)


def split_evenly(n: int, parts: int) -> list[int]:
    """`n` in this many parts that differ by 1 at most, the larger ones first."""
    return [n // parts + (k < n % parts) for k in range(parts)]


def play_match(game: Game, bot: Bot, among: str, seats: int, games: int, seed: int) -> float:
    """The share of these games that bot `bot` wins, in every seat equally often, among the bots `among` (names with commas) by turns.

    In a cooperative game the bot has all seats.
    """
    others = [bot_from(one) for one in among.split(",")]
    at = np.arange(games)
    bots = 2 + (np.arange(seats) + at[:, None]) % len(others)
    bots[at, at % seats] = 1
    if game.definition.COOPERATIVE:
        bots[:] = 1
    blank = pack_policy_row(Policy(), PolicyWeights.untrained(game, seats, np.random.default_rng(0)), game)
    played = play_policy_games(game, blank, [bot, *others], bots, seed)
    return float(compute_training_win_shares(game, played.results, seats)[bots == 1].mean())
