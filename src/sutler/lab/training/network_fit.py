"""Fitting of a judge's network: cross-entropy with the search's preferences and with the winners, minimised by Adam, in NumPy.

A network with one hidden layer of `HIDDEN` units over at most `MAX_INPUTS` inputs has a few thousand weights. An epoch over a hundred
thousand positions takes a second of one processor, so no library of automatic differentiation is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sutler.bots.kit.judge_network import MAX_SPREADS

Numbers = np.ndarray[Any, np.dtype[Any]]
Arrays = dict[str, Numbers]

BATCH_GROUPS = 256  # groups of rows in each step
LEARNING_RATE = 6e-3  # in the first epoch; it falls linearly to 0
WEIGHT_DECAY = 2e-2  # factor of the weights in their gradient
ADAM_BETA1, ADAM_BETA2 = 0.9, 0.999  # decay rates of Adam's two moments
WINNING_LOSS_WEIGHT = 0.2  # weight in the loss of a question about the winner, beside one about an action
HELD_OUT_EVERY = 10  # one in so many games is held out, to choose the best epoch
TRAINED_ARRAYS = ("factor", "first", "phase", "bias", "second", "temper")


@dataclass(frozen=True)
class TrainingSet:
    """Questions for the network, each a group of rows of which one is preferred: a decision's actions, or a table's seats.

    `inputs`: (rows, inputs); `phase`: (rows,), -1 where the game was over; `toll`: (rows,), a fixed deduction in parts of the scale;
    `target`: (rows,), shares that add up to 1 in each group; `starts`: (groups + 1,), the first row of each group; `of_winning`, `held`:
    (groups,), is the question about the winner, and is it held out?
    """

    inputs: Numbers
    phase: Numbers
    toll: Numbers
    target: Numbers
    starts: Numbers
    of_winning: Numbers
    held: Numbers

    def select(self, groups: Numbers) -> TrainingSet:
        """The training set of the groups with these numbers only."""
        sizes = np.diff(self.starts)[groups]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        rows = np.repeat(self.starts[groups] - starts[:-1], sizes) + np.arange(starts[-1])
        inputs, phase, toll, target = (one[rows] for one in (self.inputs, self.phase, self.toll, self.target))
        return TrainingSet(inputs, phase, toll, target, starts, self.of_winning[groups], self.held[groups])


@dataclass(frozen=True)
class Score:
    """The mean cross-entropy of questions about actions and about winners, and how often network and search prefer the same action."""

    doing: float
    winning: float
    agrees: float

    @property
    def loss(self) -> float:
        """The loss that training minimises."""
        return self.doing + WINNING_LOSS_WEIGHT * self.winning


def draw_initial_weights(training_set: TrainingSet, weights: Arrays, rng: np.random.Generator) -> Arrays:
    """Weights to start from: inputs are scaled to unit spread, and the first layer is drawn at random.

    The second layer stays as given (zero in new weights), so that the network adds nothing yet. `rng`: a source of random numbers.
    """
    spread = training_set.inputs.std(axis=0)
    n, hidden = weights["first"].shape
    first = rng.standard_normal((n, hidden)) / np.sqrt(n)
    per = np.where(spread > 1e-6, 1 / np.maximum(spread, 1e-6), 0.0)
    return {**weights, "middle": training_set.inputs.mean(axis=0).astype(np.float64), "per": per, "first": first}


def fit_network(
    training_set: TrainingSet, weights: Arrays, scale: float, epochs: int, rng: np.random.Generator
) -> tuple[Arrays, Score]:
    """Fit the network; returns the weights of the epoch with the best held-out score, and that score.

    `scale`: the game's scale of its own judgement; `weights["temper"]`: logarithms of the temperatures of the two kinds of questions.
    """
    taught, held = (training_set.select(np.flatnonzero(training_set.held == kind)) for kind in (0, 1))
    slope, wild = ({name: np.zeros_like(weights[name]) for name in TRAINED_ARRAYS} for _ in range(2))
    best, score, step = weights, compute_score(held, weights, scale), 0
    for epoch in range(epochs):
        pace = LEARNING_RATE * (1 - epoch / epochs)
        for batch in _iter_batches(taught, rng):
            step += 1
            for name, now in compute_gradients(batch, weights, scale).items():
                slope[name] = ADAM_BETA1 * slope[name] + (1 - ADAM_BETA1) * now
                wild[name] = ADAM_BETA2 * wild[name] + (1 - ADAM_BETA2) * now**2
                usual = np.sqrt(wild[name] / (1 - ADAM_BETA2**step)) + 1e-8
                weights = {**weights, name: weights[name] - pace * slope[name] / (1 - ADAM_BETA1**step) / usual}
        now_scored = compute_score(held, weights, scale)
        if now_scored.loss <= score.loss:
            best, score = weights, now_scored
    return best, score


def _iter_batches(training_set: TrainingSet, rng: np.random.Generator) -> Iterator[TrainingSet]:
    """Yield the groups of a training set in random order, BATCH_GROUPS at a time."""
    order = rng.permutation(len(training_set.of_winning))
    for first in range(0, len(order), BATCH_GROUPS):
        yield training_set.select(order[first : first + BATCH_GROUPS])


@dataclass(frozen=True)
class _ForwardPass:
    """The intermediate values of one evaluation of the network, by row."""

    inputs: Numbers
    hidden: Numbers
    logits: Numbers
    shares: Numbers


def _run_forward(training_set: TrainingSet, weights: Arrays, scale: float) -> _ForwardPass:
    """Evaluate the network for all rows; `shares` are the softmax of the logits within each group."""
    inputs = np.clip((training_set.inputs - weights["middle"]) * weights["per"], -MAX_SPREADS, MAX_SPREADS)
    hidden = np.maximum(0.0, inputs @ weights["first"] + weights["phase"][training_set.phase] + weights["bias"])
    hidden[training_set.phase < 0] = 0.0
    parts = training_set.inputs[:, : len(weights["factor"])] / scale
    value = parts @ weights["factor"] + hidden @ weights["second"] - training_set.toll
    sizes = np.diff(training_set.starts)
    logits = value / np.exp(weights["temper"][np.repeat(training_set.of_winning, sizes)])
    highest = np.repeat(np.maximum.reduceat(logits, training_set.starts[:-1]), sizes)
    shares = np.exp(logits - highest)
    shares /= np.repeat(np.add.reduceat(shares, training_set.starts[:-1]), sizes)
    return _ForwardPass(inputs, hidden, logits, shares)


def compute_gradients(training_set: TrainingSet, weights: Arrays, scale: float) -> Arrays:
    """The gradient of a batch's loss, by the name of the weights."""
    thought, sizes = _run_forward(training_set, weights, scale), np.diff(training_set.starts)
    kind = np.repeat(training_set.of_winning, sizes)
    counts = np.where(kind == 1, WINNING_LOSS_WEIGHT, 1.0) / max(1, len(sizes))
    wrong = (thought.shares - training_set.target) * counts
    by_value = wrong / np.exp(weights["temper"][kind])
    back = np.where(thought.hidden > 0, by_value[:, None] * weights["second"], 0.0)
    phase = np.zeros_like(weights["phase"])
    np.add.at(phase, training_set.phase, back)
    parts = training_set.inputs[:, : len(weights["factor"])] / scale
    return {
        "factor": by_value @ parts,
        "first": thought.inputs.T @ back + WEIGHT_DECAY * weights["first"],
        "phase": phase + WEIGHT_DECAY * weights["phase"],
        "bias": back.sum(axis=0),
        "second": by_value @ thought.hidden + WEIGHT_DECAY * weights["second"],
        "temper": -np.bincount(kind, wrong * thought.logits, 2),
    }


def compute_score(training_set: TrainingSet, weights: Arrays, scale: float) -> Score:
    """The score of these weights on a set of questions; infinite loss where there are none."""
    if not len(training_set.of_winning):
        return Score(np.inf, 0.0, 0.0)
    shares = _run_forward(training_set, weights, scale).shares
    missed = np.add.reduceat(-training_set.target * np.log(np.maximum(shares, 1e-12)), training_set.starts[:-1])
    won = training_set.of_winning == 1
    same = [
        shares[a:b].argmax() == training_set.target[a:b].argmax()
        for a, b in zip(training_set.starts[:-1][~won], training_set.starts[1:][~won], strict=True)
    ]
    doing, winning = (float(missed[kind].mean()) if kind.any() else 0.0 for kind in (~won, won))
    return Score(doing, winning, float(np.mean(same)) if same else 0.0)
