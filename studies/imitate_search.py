"""Teach a policy what a long search found: labels from searches, a fit to them, and an exam among greedy bots.

    python studies/imitate_search.py threeyears --rounds 400 --minutes 20      # continues the labels of the file --keep
    python studies/imitate_search.py threeyears --minutes 0 --exam 1000        # only the fit and the exam, from the labels there

Games are played by greedy bots; one in three leaves their path, by one random action in three. Of the decisions among several sensible
actions one in `--every` is put to a search. Kept are the inputs of the policy's network, the greedy values, and what the search found of
each action: the mean payoff and the number of tries. A policy (the greedy bot, corrected by a network) is then fitted: an action is to be
as likely as the greedy bot's values make it, and e times as likely for each `--point` of a win that the search found it to pay more than
the decision as a whole; an action tried n times is believed n parts of n + 10. One game in ten is held back. Printed for each epoch: the
cross-entropy of the decisions held back; how often the policy's best action is the search's; and how much more of a win the search found
the policy's action to pay than the greedy bot's, in points of a hundred a decision, unseen by the fit. The weights of the epoch where this
is most are examined: one policy among greedy bots.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import sutler
from sutler.bots.greedy import GreedyBot
from sutler.bots.kit import get_kit
from sutler.bots.kit.policy_network import PolicyWeights, build_encoding
from sutler.bots.kit.records import find_scale
from sutler.bots.policy import Policy, pack_policy_row
from sutler.bots.search import SearchBot
from sutler.core.bits import members
from sutler.core.play.game import Game
from sutler.core.play.position import Position, SeatView
from sutler.lab.play.atomic_files import atomic_file
from sutler.lab.stats.estimates import compute_wilson_interval
from sutler.lab.training.policy_fit import (
    Adam,
    Arrays,
    Decisions,
    Numbers,
    add_action_gradients,
    build_sparse_matrix,
    compute_hidden_layer,
    compute_log_probabilities,
)
from sutler.lab.training.policy_training import TEST_SEED, play_match

FIRST_SEED = 6_000_001
"""The first seed of the games that are labelled."""
BELIEVED = 10.0
HELD_BACK = 10
STRAYS = 3
"""One game in so many leaves the path, by one random action in so many."""


@dataclass(frozen=True)
class Labels:
    """Labelled decisions, one after another, and the inputs and options of each.

    rows: (n, 5) whole numbers: seed of the game, phase, number of inputs, number of options, index of the greedy bot's action among them.
    at, much: the index and value of each input that is not 0. action, value, payoff, tries: of each option its id, the greedy value less
    the best one, the mean payoff that the search found, and how often it tried it.
    """

    rows: Numbers
    at: Numbers
    much: Numbers
    action: Numbers
    value: Numbers
    payoff: Numbers
    tries: Numbers

    @classmethod
    def join(cls, parts: list[Labels]) -> Labels:
        """Several labels, one after another."""
        return cls(*(np.concatenate([getattr(one, name) for one in parts]) for name in cls.__dataclass_fields__))

    @classmethod
    def load(cls, path: Path) -> Labels:
        """Labels from a file that `save` wrote."""
        with np.load(path) as kept:
            return cls(**{name: kept[name] for name in cls.__dataclass_fields__})

    def save(self, path: Path) -> None:
        """Write the labels into a file, whole or not at all."""
        with atomic_file(path) as aside, aside.open("wb") as file:
            np.savez_compressed(file, **vars(self))


def iter_moments(game: Game, seats: int, seed: int, every: int) -> Iterator[SeatView]:
    """Play one game of greedy bots, and yield the view of one decision in `every` of those among several legal actions."""
    rng, bot, pos = np.random.default_rng([seed, 1]), GreedyBot(), game.new(seats, seed=seed)
    strays = seed % STRAYS == 0
    while not pos.over:
        view = see(pos)
        if len(view.legal) > 1 and rng.random() < 1 / every:
            yield view
        if strays and rng.random() < 1 / STRAYS:
            pos.play(game.action_names[int(rng.choice(view.legal))])
        else:
            pos.play(bot.choose(see(pos)))


def see(pos: Position) -> SeatView:
    """The view of the seat to move."""
    assert pos.seat is not None
    return pos.for_seat(pos.seat, seed=pos.seed)


def label(view: SeatView, blank: Any, search: SearchBot, seed: int) -> Labels | None:
    """What a search finds of a decision; None where the greedy bot considers one action only. blank: the record of an untrained policy."""
    game, kit = view.game, get_kit(view.game)
    scratch = kit.scratch_for_view(view, new=True)
    kit.compile_own_template(Policy.file()).decide(game.box, scratch, blank, view.luck)
    options = members(scratch.greedy.options.ids)
    if len(options) < 2:
        return None
    n, values = int(blank.net.n), np.array([scratch.greedy.value[i] for i in options])
    found = {action.id: (payoff, tries) for action, payoff, tries in search.explain(view)}
    payoffs, tries = zip(*(found.get(i, (0.0, 0)) for i in options), strict=True)
    row = [seed, int(view.world.phase), n, len(options), int(values.argmax())]
    return Labels(
        np.array([row]), np.array(blank.net.at[:n], np.uint16), np.array(blank.net.much[:n], np.float32),
        np.array(options, np.int32), (values - values.max()).astype(np.float32),
        np.array(payoffs, np.float32), np.array(tries, np.int32),
    )  # fmt: skip


def add_labels(game: Game, path: Path, rounds: int, minutes: float, every: int) -> Labels:
    """The labels in the file, with those of further games until the time is up."""
    parts = [Labels.load(path)] if path.exists() else []
    seats, seed = game.best_seats, 1 + int(parts[0].rows[:, 0].max()) if parts else FIRST_SEED
    blank = pack_policy_row(Policy(), PolicyWeights.untrained(game, seats, np.random.default_rng(0)), game)
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        found = (label(view, blank, SearchBot(rounds), seed) for view in iter_moments(game, seats, seed, every))
        parts += [one for one in found if one is not None]
        seed += 1
        if seed % 50 == 0:
            parts = [Labels.join(parts)]
            parts[0].save(path)
            print(f"{len(parts[0].rows)} decisions of {seed - FIRST_SEED} games", flush=True)
    labels = Labels.join(parts)
    labels.save(path)
    return labels


def build_decisions(game: Game, labels: Labels, scale: float) -> Decisions:
    """The labelled decisions in the form that the fit takes; no action is chosen, and nothing is said of who won."""
    rows = labels.rows
    starts = np.concatenate([[0], np.cumsum(rows[:, 2])])
    inputs = build_sparse_matrix((labels.much, labels.at.astype(np.int32), starts), (len(rows), build_encoding(game).n))
    first = np.concatenate([[0], np.cumsum(rows[:, 3])[:-1]])
    none = np.zeros(len(rows))
    return Decisions(
        inputs, rows[:, 1], first + rows[:, 4], none, none, np.zeros((len(rows), 2)), np.full(len(rows), 2),
        np.repeat(np.arange(len(rows)), rows[:, 3]), labels.action.astype(np.int64), labels.value / np.float32(scale),
    )  # fmt: skip


def compute_targets(labels: Labels, asked: Decisions, logs: Numbers, point: float) -> Numbers:
    """How likely each option is to be, shape (options,).

    logs: the logarithms of how likely it is now. point: the gain of a win that makes it e times as likely.
    """
    row, n = asked.option_row, len(labels.rows)
    tries = labels.tries.astype(float)
    mean = np.bincount(row, tries * labels.payoff, n) / np.maximum(1, np.bincount(row, tries, n))
    gain = np.where(tries > 0, (labels.payoff - mean[row]) * tries / (tries + BELIEVED), 0.0)
    wanted = logs + gain / point
    starts = np.searchsorted(row, np.arange(n))
    wanted = np.exp(wanted - np.maximum.reduceat(wanted, starts)[row])
    return np.asarray(wanted / np.bincount(row, wanted, n)[row])


@dataclass
class Imitation:
    """A fit of a policy to labels."""

    game: Game
    labels: Labels
    asked: Decisions
    wanted: Numbers
    weights: PolicyWeights

    def fit_epoch(self, which: Numbers, memory: Adam, pace: float, decay: float, rng: np.random.Generator) -> None:
        """Go once through the decisions of these numbers, in random order. decay: the share of a weight that a step takes away."""
        arrays = self.weights.arrays
        order = rng.permutation(which)
        for first in range(0, len(order), 256):
            some = np.sort(order[first : first + 256])
            batch = self.asked.select(some)
            wanted = self.wanted[np.isin(self.asked.option_row, some)]
            hidden = compute_hidden_layer(batch.inputs, arrays)
            logs = compute_log_probabilities(batch, hidden, arrays)
            slopes: Arrays = {}
            back = add_action_gradients(
                batch, hidden, ((np.exp(logs) - wanted) / len(some)).astype(np.float32), arrays, slopes
            )
            back[hidden <= 0] = 0
            slopes["first"], slopes["bias"] = np.asarray(batch.inputs.T @ back), back.sum(axis=0)
            memory.step(arrays, slopes, pace)
            for name in ("first", "action", "lean"):
                arrays[name] *= 1 - decay

    def judge(self, which: Numbers) -> tuple[float, float, float, float]:
        """Of these decisions: cross-entropy; share in which the best action is the search's; gain of a win over the greedy bot's action,
        and half its 95 % interval."""
        batch = self.asked.select(which)
        among = np.isin(self.asked.option_row, which)
        wanted, payoff, tries = self.wanted[among], self.labels.payoff[among], self.labels.tries[among]
        logs = compute_log_probabilities(
            batch, compute_hidden_layer(batch.inputs, self.weights.arrays), self.weights.arrays
        )
        starts = np.searchsorted(batch.option_row, np.arange(len(which)))
        agree, gains = [], []
        for k, (first, last) in enumerate(zip(starts, [*starts[1:], len(logs)], strict=True)):
            mine, greedy = first + int(logs[first:last].argmax()), int(batch.chosen[k])
            agree.append(logs[first:last].argmax() == wanted[first:last].argmax())
            both = tries[mine] > 0 and tries[greedy] > 0
            gains.append(payoff[mine] - payoff[greedy] if both else 0.0)
        half = 1.96 * np.std(gains) / np.sqrt(len(gains))
        return float(-(wanted * logs).sum() / len(which)), float(np.mean(agree)), float(np.mean(gains)), float(half)


def main() -> None:
    """Add labels, fit, examine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--rounds", type=int, default=400, help="rounds of a search")
    parser.add_argument("--minutes", type=float, default=20, help="time for labels")
    parser.add_argument("--every", type=int, default=8, help="one decision in so many is labelled")
    parser.add_argument("--keep", type=Path, help="the file of labels (imitate-GAME.npz)")
    parser.add_argument("--out", type=Path, help="the file of the policy (imitate-GAME-policy.npz)")
    parser.add_argument(
        "--sure", type=float, default=200, help="how much the policy goes by the greedy values at first"
    )
    parser.add_argument(
        "--point", type=float, default=0.02, help="the gain of a win that makes an action e times as likely"
    )
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--pace", type=float, default=0.001)
    parser.add_argument("--decay", type=float, default=1e-4, help="the share of a weight that each step takes away")
    parser.add_argument("--exam", type=int, default=1000, help="games of the exam")
    given = parser.parse_args()
    game = sutler.load(given.game)
    keep, out = given.keep or Path(f"imitate-{game.name}.npz"), given.out or Path(f"imitate-{game.name}-policy.npz")
    labels = add_labels(game, keep, given.rounds, given.minutes, given.every)
    rng, seats = np.random.default_rng(1), game.best_seats
    weights = PolicyWeights.untrained(game, seats, rng, given.sure)
    asked = build_decisions(game, labels, find_scale(game.definition))
    logs = compute_log_probabilities(asked, compute_hidden_layer(asked.inputs, weights.arrays), weights.arrays)
    made = Imitation(game, labels, asked, compute_targets(labels, asked, logs, given.point), weights)
    back = labels.rows[:, 0] % HELD_BACK == 0
    learned, held = np.flatnonzero(~back), np.flatnonzero(back)
    print(f"{len(labels.rows)} decisions of {len(np.unique(labels.rows[:, 0]))} games, {len(held)} held back")
    if not (len(learned) and len(held)):
        raise SystemExit(f"so few games leave nothing to learn from or to hold back: label at least {HELD_BACK}")
    memory, best = Adam(weights.arrays), -1.0
    for epoch in range(given.epochs + 1):
        if epoch:
            made.fit_epoch(learned, memory, given.pace, given.decay, rng)
        loss, agrees, gain, half = made.judge(held)
        *_, known, _ = made.judge(learned)
        print(
            f"epoch {epoch}: loss {loss:.4f}, as the search in {agrees:.1%}, gains {100 * gain:+.2f} ± {100 * half:.2f} points "
            f"(of those learned from {100 * known:+.2f})",
            flush=True,
        )
        if gain > best:
            best = gain
            out.write_bytes(weights.file(game))
    if given.exam:
        share = play_match(game, Policy(str(out)), "greedy", seats, given.exam, TEST_SEED)
        low, high = compute_wilson_interval(share * given.exam, given.exam)
        print(
            f"one policy among greedy bots: {share:.1%} ({low:.1%} to {high:.1%}) of {given.exam:,}; even is {1 / seats:.1%}"
        )


if __name__ == "__main__":
    main()
