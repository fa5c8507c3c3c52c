"""Fitting of a judge's network: cross-entropy with what the search preferred and with who won, by Adam, in NumPy alone.

One hidden layer of `HIDDEN` over at most `MAX_INPUTS` inputs is a few thousand numbers: an epoch over a hundred thousand positions takes
a second of one processor, and a library of automatic differentiation would be fifty times the size of what it would save here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sutler.bots.kit.network import MAX_SPREADS

Numbers = np.ndarray[Any, np.dtype[Any]]
Arrays = dict[str, Numbers]

BATCH_GROUPS = 256  # groups a step
LEARNING_RATE = 6e-3  # how far a step goes
WEIGHT_DECAY = 2e-2  # of the network's weights, a step
ADAM_BETA1, ADAM_BETA2 = 0.9, 0.999  # Adam's two memories
WINNING_LOSS_WEIGHT = 0.2  # what a question of who won counts beside one of what to do
HELD_OUT_EVERY = 10  # of so many games one is not learned from, but tells when to stop
TRAINED_ARRAYS = ("factor", "first", "phase", "bias", "second", "temper")


@dataclass(frozen=True)
class TrainingSet:
    """Questions, each a group of rows of which one is to be preferred: the actions of a decision, or the seats of a table.

    inputs (rows, inputs); phase (rows,), -1 where the game was over; toll (rows,), in parts of the scale; target
    (rows,), shares that add up to 1 in each group; starts (groups + 1,): first row of each; of_winning, held (groups,):
    is it about who won, and is it held out?
    """

    inputs: Numbers
    phase: Numbers
    toll: Numbers
    target: Numbers
    starts: Numbers
    of_winning: Numbers
    held: Numbers

    def part(self, groups: Numbers) -> TrainingSet:
        """The training set of these groups only."""
        sizes = np.diff(self.starts)[groups]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        rows = np.repeat(self.starts[groups] - starts[:-1], sizes) + np.arange(starts[-1])
        inputs, phase, toll, target = (one[rows] for one in (self.inputs, self.phase, self.toll, self.target))
        return TrainingSet(inputs, phase, toll, target, starts, self.of_winning[groups], self.held[groups])


@dataclass(frozen=True)
class Score:
    """Cross-entropy of the two kinds of questions, and how often the first choices of network and teacher agree."""

    doing: float
    winning: float
    agrees: float

    @property
    def loss(self) -> float:
        """The loss that training minimises."""
        return self.doing + WINNING_LOSS_WEIGHT * self.winning


def initial_weights(lesson: TrainingSet, weights: Arrays, rng: np.random.Generator) -> Arrays:
    """Weights to begin from: inputs brought to one measure, the network drawn at random but silent yet."""
    spread = lesson.inputs.std(axis=0)
    n, hidden = weights["first"].shape
    first = rng.standard_normal((n, hidden)) / np.sqrt(n)
    per = np.where(spread > 1e-6, 1 / np.maximum(spread, 1e-6), 0.0)
    return {**weights, "middle": lesson.inputs.mean(axis=0).astype(np.float64), "per": per, "first": first}


def fit(
    lesson: TrainingSet, weights: Arrays, scale: float, epochs: int, rng: np.random.Generator
) -> tuple[Arrays, Score]:
    """Fit the network; returns the weights with the best held-out score, and that score. `weights["temper"]`: log temperatures."""
    taught, held = (lesson.part(np.flatnonzero(lesson.held == kind)) for kind in (0, 1))
    slope, wild = ({name: np.zeros_like(weights[name]) for name in TRAINED_ARRAYS} for _ in range(2))
    best, score, step = weights, evaluate(held, weights, scale), 0
    for epoch in range(epochs):
        pace = LEARNING_RATE * (1 - epoch / epochs)
        for batch in _batches(taught, rng):
            step += 1
            for name, now in gradients(batch, weights, scale).items():
                slope[name] = ADAM_BETA1 * slope[name] + (1 - ADAM_BETA1) * now
                wild[name] = ADAM_BETA2 * wild[name] + (1 - ADAM_BETA2) * now**2
                usual = np.sqrt(wild[name] / (1 - ADAM_BETA2**step)) + 1e-8
                weights = {**weights, name: weights[name] - pace * slope[name] / (1 - ADAM_BETA1**step) / usual}
        now_scored = evaluate(held, weights, scale)
        if now_scored.loss <= score.loss:
            best, score = weights, now_scored
    return best, score


def _batches(lesson: TrainingSet, rng: np.random.Generator) -> Iterator[TrainingSet]:
    order = rng.permutation(len(lesson.of_winning))
    for first in range(0, len(order), BATCH_GROUPS):
        yield lesson.part(order[first : first + BATCH_GROUPS])


@dataclass(frozen=True)
class _ForwardPass:
    """The intermediate values of one evaluation of the network."""

    inputs: Numbers
    hidden: Numbers
    logits: Numbers
    shares: Numbers


def _forward(lesson: TrainingSet, weights: Arrays, scale: float) -> _ForwardPass:
    inputs = np.clip((lesson.inputs - weights["middle"]) * weights["per"], -MAX_SPREADS, MAX_SPREADS)
    hidden = np.maximum(0.0, inputs @ weights["first"] + weights["phase"][lesson.phase] + weights["bias"])
    hidden[lesson.phase < 0] = 0.0
    parts = lesson.inputs[:, : len(weights["factor"])] / scale
    value = parts @ weights["factor"] + hidden @ weights["second"] - lesson.toll
    sizes = np.diff(lesson.starts)
    logits = value / np.exp(weights["temper"][np.repeat(lesson.of_winning, sizes)])
    highest = np.repeat(np.maximum.reduceat(logits, lesson.starts[:-1]), sizes)
    shares = np.exp(logits - highest)
    shares /= np.repeat(np.add.reduceat(shares, lesson.starts[:-1]), sizes)
    return _ForwardPass(inputs, hidden, logits, shares)


def gradients(lesson: TrainingSet, weights: Arrays, scale: float) -> Arrays:
    """The gradient of the loss of a batch, by weight."""
    thought, sizes = _forward(lesson, weights, scale), np.diff(lesson.starts)
    kind = np.repeat(lesson.of_winning, sizes)
    counts = np.where(kind == 1, WINNING_LOSS_WEIGHT, 1.0) / max(1, len(sizes))
    wrong = (thought.shares - lesson.target) * counts
    by_value = wrong / np.exp(weights["temper"][kind])
    back = np.where(thought.hidden > 0, by_value[:, None] * weights["second"], 0.0)
    phase = np.zeros_like(weights["phase"])
    np.add.at(phase, lesson.phase, back)
    parts = lesson.inputs[:, : len(weights["factor"])] / scale
    return {
        "factor": by_value @ parts,
        "first": thought.inputs.T @ back + WEIGHT_DECAY * weights["first"],
        "phase": phase + WEIGHT_DECAY * weights["phase"],
        "bias": back.sum(axis=0),
        "second": by_value @ thought.hidden + WEIGHT_DECAY * weights["second"],
        "temper": -np.bincount(kind, wrong * thought.logits, 2),
    }


def evaluate(lesson: TrainingSet, weights: Arrays, scale: float) -> Score:
    """The score of these weights on a set of questions."""
    if not len(lesson.of_winning):
        return Score(np.inf, 0.0, 0.0)
    shares = _forward(lesson, weights, scale).shares
    missed = np.add.reduceat(-lesson.target * np.log(np.maximum(shares, 1e-12)), lesson.starts[:-1])
    won = lesson.of_winning == 1
    same = [
        shares[a:b].argmax() == lesson.target[a:b].argmax()
        for a, b in zip(lesson.starts[:-1][~won], lesson.starts[1:][~won], strict=True)
    ]
    doing, winning = (float(missed[kind].mean()) if kind.any() else 0.0 for kind in (~won, won))
    return Score(doing, winning, float(np.mean(same)) if same else 0.0)
