"""Fitting of a policy's network by proximal policy optimisation (Schulman and others, 2017) and by the winners of its games.

It needs NumPy and SciPy (extra `train`) only. Nearly all inputs are 0, so the first layer is a product with a sparse matrix, and a step
takes milliseconds of one processor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sutler.core.optional_imports import import_optional

Numbers = np.ndarray[Any, np.dtype[Any]]
Arrays = dict[str, Numbers]

ADAM_BETA1, ADAM_BETA2 = 0.9, 0.999  # decay rates of Adam's two moments
SURE_PACE = 20.0  # factor of the step size for the weights `sure`, whose values are larger than the others


@dataclass(frozen=True)
class FitSettings:
    """The settings of a fit.

    `batch`: decisions in each step; `pace`: the learning rate; `clip`: by which part an action's probability may change; `entropy`,
    `value`: the weights in the loss of the policy's entropy and of the prediction of the winner. `most_moved`: the fit ends after the
    batch in which the policy has changed by more than this (`Fitted.moved`); 0 for no limit.
    """

    batch: int = 1024
    epochs: int = 3
    pace: float = 4e-3
    clip: float = 0.2
    entropy: float = 0.005
    value: float = 0.5
    most_moved: float = 0.0


@dataclass(frozen=True)
class Decisions:
    """Training data: n decisions of a policy with their legal options, the action taken and the result of the game.

    `inputs`: sparse, (n, inputs). (n,): `phase`; `chosen`, the index of the action taken among all options; `likely`, the logarithm of
    its probability then; `gain`, how much better than predicted the game went; `sitting`, the number of seats at its table (in a
    cooperative game, of columns of `won`). `won`: (n, seats), each seat's share of the win, from the deciding seat on, 0 beyond
    `sitting`. For each option of all decisions: `option_row`, its decision; `action`; `value`, the game's own judgement in parts
    of its scale.
    """

    inputs: Any
    phase: Numbers
    chosen: Numbers
    likely: Numbers
    gain: Numbers
    won: Numbers
    sitting: Numbers
    option_row: Numbers
    action: Numbers
    value: Numbers

    def select(self, which: Numbers) -> Decisions:
        """The decisions with these numbers only, which must be in ascending order."""
        place = np.full(len(self.phase), -1)
        place[which] = np.arange(len(which))
        kept = np.flatnonzero(place[self.option_row] >= 0)
        moved = np.full(len(self.option_row), -1)
        moved[kept] = np.arange(len(kept))
        rows = (getattr(self, name)[which] for name in ("phase", "likely", "gain", "won", "sitting"))
        phase, likely, gain, won, sitting = rows
        return Decisions(
            self.inputs[which], phase, moved[self.chosen[which]], likely, gain, won, sitting,
            place[self.option_row[kept]], self.action[kept], self.value[kept],
        )  # fmt: skip


def join_decisions(parts: Sequence[Decisions]) -> Decisions:
    """The decisions of several tables, one after another; `won` is as wide as the largest table. One part is returned as it is."""
    if len(parts) == 1:
        return parts[0]
    width = max(one.won.shape[1] for one in parts)
    options = np.cumsum([0, *(len(one.action) for one in parts)])
    rows = np.cumsum([0, *(len(one.phase) for one in parts)])
    plain = {
        name: np.concatenate([getattr(one, name) for one in parts])
        for name in ("phase", "likely", "gain", "sitting", "action", "value")
    }
    return Decisions(
        inputs=import_optional("scipy.sparse", "train").vstack([one.inputs for one in parts], format="csr"),
        chosen=np.concatenate([one.chosen + first for one, first in zip(parts, options, strict=False)]),
        won=np.concatenate([np.pad(one.won, ((0, 0), (0, width - one.won.shape[1]))) for one in parts]),
        option_row=np.concatenate([one.option_row + first for one, first in zip(parts, rows, strict=False)]),
        **plain,
    )


@dataclass(frozen=True)
class Fitted:
    """Means over a fit: cross-entropy of the winner, squared error of the seat's own chance, entropy, and change of the policy.

    The change is an estimate of the Kullback-Leibler divergence of the policy that played from the fitted one, in nats a decision.
    """

    winning: float
    brier: float
    entropy: float
    moved: float


class Adam:
    """The state of the Adam optimiser (Kingma and Ba, 2015): two moments for each array, kept between fits."""

    def __init__(self, arrays: Arrays) -> None:
        self.steps = 0
        self.slope, self.wild = ({k: np.zeros_like(x) for k, x in arrays.items()} for _ in range(2))

    def step(self, arrays: Arrays, slopes: Arrays, pace: float) -> None:
        """Change the arrays in place by one step along their gradients (`slopes`). `pace`: the learning rate."""
        self.steps += 1
        ahead, wide = 1 - ADAM_BETA1**self.steps, 1 - ADAM_BETA2**self.steps
        for name, now in slopes.items():
            slope, wild = self.slope[name], self.wild[name]
            slope *= ADAM_BETA1
            slope += (1 - ADAM_BETA1) * now
            wild *= ADAM_BETA2
            wild += (1 - ADAM_BETA2) * now**2
            by = pace * (SURE_PACE if name == "sure" else 1.0)
            arrays[name] -= (by / ahead) * slope / (np.sqrt(wild / wide) + 1e-8)


def fit_policy_arrays(
    decisions: Decisions,
    arrays: Arrays,
    memory: Adam,
    settings: FitSettings,
    rng: np.random.Generator,
    fit_policy: bool,
) -> Fitted:
    """Fit the arrays in place; returns means over the fit. Without `fit_policy` only the prediction of the winner is learned.

    `settings`: the settings; `rng`: a source of random numbers.
    """
    sums, n = np.zeros(4), 0
    for _ in range(settings.epochs):
        for batch in _iter_decision_batches(decisions, settings.batch, rng):
            slopes, told = compute_policy_gradients(batch, arrays, settings, fit_policy)
            memory.step(arrays, slopes, settings.pace)
            sums += len(batch.phase) * told
            n += len(batch.phase)
            if 0 < settings.most_moved < told[3]:
                return Fitted(*(float(x) for x in sums / n))
    return Fitted(*(float(x) for x in sums / max(1, n)))


def _iter_decision_batches(decisions: Decisions, size: int, rng: np.random.Generator) -> Iterator[Decisions]:
    """Yield the decisions in random order, `size` at a time."""
    order = rng.permutation(len(decisions.phase))
    for first in range(0, len(order), size):
        yield decisions.select(np.sort(order[first : first + size]))


def build_sparse_matrix(arguments: Any, shape: tuple[int, int]) -> Any:
    """A sparse matrix (SciPy's `csr_matrix`) of this shape from its arguments `arguments`. Missing where SciPy is not installed."""
    return import_optional("scipy.sparse", "train").csr_matrix(arguments, shape, dtype=np.float32)


def compute_hidden_layer(inputs: Any, arrays: Arrays) -> Numbers:
    """The activations of the hidden layer, shape (n, HIDDEN)."""
    return np.asarray(np.maximum(0, inputs @ arrays["first"] + arrays["bias"]))


def predict_win_chances(hidden: Numbers, arrays: Arrays, seats: int, sitting: Numbers | None = None) -> Numbers:
    """The predicted chance of each seat to win, shape (n, seats), from the deciding seat on.

    `sitting`: shape (n,), how many seats each table has; those beyond have no chance. None: all have `seats`.
    """
    raw = hidden @ arrays["win"][:seats].T + arrays["seat"][:seats]
    if sitting is not None:
        raw = np.where(np.arange(seats) < sitting[:, None], raw, -np.inf)
    raw = np.exp(raw - raw.max(axis=1, keepdims=True))
    return np.asarray(raw / raw.sum(axis=1, keepdims=True))


def compute_log_probabilities(batch: Decisions, hidden: Numbers, arrays: Arrays) -> Numbers:
    """The logarithm of the policy's probability of each option, shape (options,)."""
    row, action = batch.option_row, batch.action
    sure = np.maximum(1e-3, arrays["sure"][batch.phase])[row]
    raw = sure * batch.value + arrays["lean"][action] + np.einsum("oh,oh->o", hidden[row], arrays["action"][action])
    starts = np.searchsorted(row, np.arange(len(batch.phase)))
    raw -= np.maximum.reduceat(raw, starts)[row]
    return np.asarray(raw - np.log(np.add.reduceat(np.exp(raw), starts))[row])


def compute_policy_gradients(
    batch: Decisions, arrays: Arrays, settings: FitSettings, fit_policy: bool
) -> tuple[Arrays, Numbers]:
    """The gradient of the loss of a batch by the name of the array, and the means that `Fitted` has."""
    n, seats = batch.won.shape
    hidden = compute_hidden_layer(batch.inputs, arrays)
    chance = predict_win_chances(hidden, arrays, seats, batch.sitting)
    wrong = settings.value * (chance - batch.won).astype(np.float32) / n
    slopes = {"win": np.zeros_like(arrays["win"]), "seat": np.zeros_like(arrays["seat"])}
    slopes["win"][:seats], slopes["seat"][:seats] = wrong.T @ hidden, wrong.sum(axis=0)
    back = wrong @ arrays["win"][:seats]
    told = np.zeros(4)
    told[0] = -(batch.won * np.log(np.maximum(chance, 1e-9))).sum(axis=1).mean()
    told[1] = ((chance[:, 0] - batch.won[:, 0]) ** 2).mean()
    if fit_policy:
        logs = compute_log_probabilities(batch, hidden, arrays)
        by, told[2:] = _compute_logit_gradients(batch, logs, settings)
        back += add_action_gradients(batch, hidden, by, arrays, slopes)
    back[hidden <= 0] = 0
    slopes["first"], slopes["bias"] = np.asarray(batch.inputs.T @ back), back.sum(axis=0)
    return slopes, told


def add_action_gradients(batch: Decisions, hidden: Numbers, by: Numbers, arrays: Arrays, slopes: Arrays) -> Numbers:
    """Add to `slopes` the gradients of the weights that correct actions, and return that of the hidden layer, shape (n, HIDDEN).

    `by`: the gradient of the loss with respect to each option's logit, shape (options,); `hidden`: the activations of the hidden layer.
    """
    n, actions = len(batch.phase), len(arrays["lean"])
    table = build_sparse_matrix((by, (batch.option_row, batch.action)), (n, actions))
    slopes["action"] = np.asarray(table.T @ hidden)
    slopes["lean"] = np.bincount(batch.action, by, actions).astype(np.float32)
    by_row = np.bincount(batch.option_row, by * batch.value, n)
    slopes["sure"] = np.bincount(batch.phase, by_row, len(arrays["sure"])).astype(np.float32)
    return np.asarray(table @ arrays["action"])


def _compute_logit_gradients(batch: Decisions, logs: Numbers, settings: FitSettings) -> tuple[Numbers, Numbers]:
    """The gradient of the policy's loss with respect to each option's logit; and its mean entropy and change."""
    n, row = len(batch.phase), batch.option_row
    share, now = np.exp(logs), logs[batch.chosen]
    ratio = np.exp(np.clip(now - batch.likely, -20, 20))
    clipped = ((batch.gain > 0) & (ratio > 1 + settings.clip)) | ((batch.gain < 0) & (ratio < 1 - settings.clip))
    push = np.where(clipped, 0.0, ratio * batch.gain)
    by = share * push[row]
    by[batch.chosen] -= push
    spread = -np.bincount(row, share * logs, n)
    by += settings.entropy * share * (logs + spread[row])
    moved = (ratio - 1 - (now - batch.likely)).mean()
    return (by / n).astype(np.float32), np.array([spread.mean(), moved])
