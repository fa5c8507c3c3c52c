"""Is the error of a comparison what it is said to be? Compare again and again where the truth is known, and count.

Two ways to know it. `trials` draws games with replacement from two pools: the truth is the difference of the pools' means.
`blocks` cuts one pool into pieces and compares each with the next: nothing has changed but the seeds, and no game is used twice.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sutler.lab.compare import ALPHA, SMALLEST, Effect, judge_all
from sutler.lab.figures import Figure, Numbers
from sutler.lab.sequence import SEEN_OFTEN, looks

Pool = Mapping[Figure, Numbers]


@dataclass(frozen=True)
class Trial:
    """One comparison of the experiment on error rates: how it ended, and what was wrong on the way."""

    games: int
    seen: frozenset[str]  # figures said to be more or less
    wrong: frozenset[str]  # figures whose interval left out the truth, at any look
    careless: bool  # would a usual 95 % interval have left out the truth for some figure, at any look?


def trials(
    a: Pool,
    b: Pool,
    repetitions: int,
    games: int,
    seed: int,
    paired: bool,
    alpha: float = ALPHA,
    smallest: float = SMALLEST,
) -> Iterator[Trial]:
    """Compare again and again, on games drawn with replacement from two pools of games.

    The truth is then known: it is the difference of the pools' means. With `paired`, the k-th games of both pools are drawn
    together; otherwise each side draws its own, which with a = b is a comparison in which nothing has changed.
    """
    luck = np.random.default_rng(seed)
    truth = {figure: float(b[figure].mean() - a[figure].mean()) for figure in a}
    n_a, n_b = (len(next(iter(pool.values()))) for pool in (a, b))
    for _ in range(repetitions):
        left = luck.integers(0, n_a, games)
        right = left if paired else luck.integers(0, n_b, games)
        drawn_a, drawn_b = {f: a[f][left] for f in a}, {f: b[f][right] for f in a}
        yield _trial(drawn_a, drawn_b, truth, looks(games), alpha, smallest)


def blocks(pool: Pool, games: int, alpha: float = ALPHA, smallest: float = SMALLEST) -> Iterator[Trial]:
    """Compare blocks of a pool with the next ones, no game used twice: nothing has changed but the seeds."""
    n = len(next(iter(pool.values())))
    for at in range(0, n - 2 * games + 1, 2 * games):
        a = {figure: values[at : at + games] for figure, values in pool.items()}
        b = {figure: values[at + games : at + 2 * games] for figure, values in pool.items()}
        yield _trial(a, b, dict.fromkeys(pool, 0.0), looks(games), alpha, smallest)


def _trial(
    a: Pool,
    b: Pool,
    truth: Mapping[Figure, float],
    when: Iterator[int],
    alpha: float,
    smallest: float,
) -> Trial:
    """One comparison, look by look, until it would stop; held against the truth."""
    wrong: set[str] = set()
    careless, n = False, 0
    effects: tuple[Effect, ...] = ()
    for n in when:
        part_a, part_b = {f: a[f][:n] for f in a}, {f: b[f][:n] for f in a}
        effects = judge_all(part_a, part_b, alpha, smallest)
        for one in effects:
            off = abs(one.effect - truth[one.figure])
            if one.differ and not one.low <= truth[one.figure] <= one.high:
                wrong.add(one.figure.name)
            usual = 1.96 * float((part_b[one.figure] - part_a[one.figure]).std()) / math.sqrt(n)
            careless = careless or (one.differ >= SEEN_OFTEN and off > usual)
        if all(one.settled for one in effects):
            break
    seen = frozenset(one.figure.name for one in effects if one.verdict in ("more", "less"))
    return Trial(n, seen, frozenset(wrong), careless)


def summed(found: Sequence[Trial]) -> dict[str, Any]:
    """Of many trials: how many were wrong somewhere, how many saw something, what they saw, after how many games."""
    names = sorted(set(itertools.chain.from_iterable(one.seen for one in found)))
    games = sorted(one.games for one in found)
    return {
        "repetitions": len(found),
        "wrong": sum(bool(one.wrong) for one in found),
        "saw": sum(bool(one.seen) for one in found),
        "careless": sum(one.careless for one in found),
        "by_figure": {name: sum(name in one.seen for one in found) for name in names},
        "median_games": games[len(games) // 2],
    }
