"""Calibration of comparisons: many comparisons whose truth is known, and how often they were wrong.

There are two ways to know the truth. `trials` draws games with replacement from two pools: the truth is the difference of the pools'
means. `blocks` cuts one pool into pieces and compares each with the next: nothing has changed but the seeds, and no game is used twice.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sutler.lab.play.headline_figures import Figure, Numbers
from sutler.lab.stats.anytime_intervals import iter_inspection_sizes
from sutler.lab.studies.compare import (
    ALPHA,
    MIDDLE_HALF,
    MIDDLE_OF,
    SMALLEST_EFFECT_SD,
    Effect,
    Tail,
    compute_middle_halves,
    compute_rotation_means,
    count_games_outside_bounds,
    judge_figures,
)

Pool = Mapping[Figure, Numbers]
TRUTH_GROUPS = 100_000
"""The number of groups of games drawn from a pool, from which the true width of its middle half is computed."""
MIN_DIFFERING_GAMES = 30  # with fewer games that differ, no usual interval is counted as wrong


@dataclass(frozen=True)
class Trial:
    """The record of one comparison whose truth is known: games played, findings, and what was wrong at any inspection."""

    games: int
    seen: frozenset[str]  # names of the figures with the verdict more or less
    wrong: frozenset[str]  # names of the figures whose interval excluded the truth at any inspection
    careless: bool  # would a usual 95 % interval have excluded the truth of any figure at any inspection?


def iter_trials(
    pool_a: Pool,
    pool_b: Pool,
    repetitions: int,
    games: int,
    seed: int,
    paired: bool,
    alpha: float = ALPHA,
    smallest: float = SMALLEST_EFFECT_SD,
    rotation: int = 1,
) -> Iterator[Trial]:
    """Yield `repetitions` comparisons of games that are drawn with replacement from two pools.

    The truth is the difference of the pools' means, between the bounds of each comparison. With `paired`, games with equal numbers are
    drawn together from both pools; otherwise each side draws its own, which with a = b is a comparison in which nothing has changed.
    `alpha`, `smallest`: as in `compare.Certainty`. `rotation`: where bots differ, so many games in a row are drawn together and judged
    as one.
    """
    luck = np.random.default_rng(seed)
    truth = Truth(pool_a, pool_b, rotation)
    n_a, n_b = (len(next(iter(pool.values()))) for pool in (pool_a, pool_b))
    for _ in range(repetitions):
        left = _draw_game_indexes(luck, n_a, games, rotation)
        right = left if paired else _draw_game_indexes(luck, n_b, games, rotation)
        drawn_a, drawn_b = {f: pool_a[f][left] for f in pool_a}, {f: pool_b[f][right] for f in pool_a}
        yield _run_trial(drawn_a, drawn_b, truth, alpha, smallest, rotation)


def _draw_game_indexes(
    rng: np.random.Generator, pool_games: int, games: int, rotation: int
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The indexes of games drawn with replacement from a pool of `pool_games`; `rotation` games in a row are drawn together."""
    first: np.ndarray[Any, np.dtype[np.int64]] = rng.integers(0, pool_games // rotation, games // rotation) * rotation
    return (first[:, None] + np.arange(rotation)).ravel()


def add_endless_games(pool: Pool, share: float, seed: int, factor: float = 200.0) -> Pool:
    """A copy of the pool in which the share `share` of the games has `factor` times the length and the points, as a heavy tail."""
    endless = np.random.default_rng(seed).random(len(next(iter(pool.values())))) < share
    return {
        figure: values if figure.share else np.where(endless, factor * values, values)
        for figure, values in pool.items()
    }


def iter_block_trials(
    pool: Pool, games: int, alpha: float = ALPHA, smallest: float = SMALLEST_EFFECT_SD, rotation: int = 1
) -> Iterator[Trial]:
    """Yield comparisons of blocks of a pool's games with the next blocks.

    Nothing differs between two blocks but the seeds, and no game is used twice. `games`: of each block; the other arguments as for
    `iter_trials`.
    """
    n, games = len(next(iter(pool.values()))), games // rotation * rotation
    for at in range(0, n - 2 * games + 1, 2 * games):
        a = {figure: values[at : at + games] for figure, values in pool.items()}
        b = {figure: values[at + games : at + 2 * games] for figure, values in pool.items()}
        yield _run_trial(a, b, Truth(pool, pool, rotation), alpha, smallest, rotation)


@dataclass(frozen=True)
class Truth:
    """The true differences between two pools of games."""

    a: Pool
    b: Pool
    rotation: int = 1
    """The number of games in a row that count as one, as in the comparison."""
    widths: dict[int, Numbers] = field(default_factory=dict, compare=False, repr=False)
    """The middle halves of groups of games, by the `id` of a figure's values: drawn once, since all comparisons of two pools share them."""

    def find_true_difference(self, effect: Effect, tails: Mapping[str, Tail]) -> float:
        """The true difference of the pools for the figure of an effect, within the bounds that this comparison has found.

        `tails`: by figure, the bounds that its pilot gives single games, beyond which its share of strays counts.
        """
        figure = effect.figure
        if figure in self.a:
            a, b = (compute_rotation_means(side[figure], self.rotation) for side in (self.a, self.b))
            if effect.tail is not None:
                a, b = (np.clip(side, effect.tail.low, effect.tail.high) for side in (a, b))
            return float(b.mean() - a.mean())
        if self.a is self.b:
            return 0.0
        of = "decisions" if figure.name == "long" else figure.name.removesuffix(MIDDLE_HALF).removesuffix("_beyond")
        sides = [_find_figure_values(pool, of) for pool in (self.a, self.b)]
        if figure.name.endswith(MIDDLE_HALF):
            assert effect.tail is not None
            before, after = (self._estimate_mean_middle_half(side, effect.tail) for side in sides)
            return after - before
        tail = tails[of]
        low = -math.inf if figure.name == "long" else tail.low
        a, b = (((side < low) | (side > tail.high)).astype(np.float64) for side in sides)
        return float(b.mean() - a.mean())

    def _estimate_mean_middle_half(self, values: Numbers, tail: Tail) -> float:
        """The mean interquartile range of a figure within a comparison's bounds, exact to about a thousandth."""
        if id(values) not in self.widths:
            self.widths[id(values)] = _draw_middle_halves(values, self.rotation)
        return float(np.clip(self.widths[id(values)], tail.low, tail.high).mean())

    def find_plain_difference(self, figure: Figure) -> float:
        """The difference of the two pools' means of a figure, without bounds."""
        return float(self.b[figure].mean() - self.a[figure].mean())


def _draw_middle_halves(values: Numbers, rotation: int) -> Numbers:
    """Interquartile ranges of TRUTH_GROUPS groups of games drawn at random, shape (TRUTH_GROUPS,).

    A group has games of one place in the rotation; of each rotation's places the mean counts, as in the comparison.
    """
    places = values[: len(values) // rotation * rotation].reshape(-1, rotation)
    drawn = np.random.default_rng(0).integers(0, len(places), (TRUTH_GROUPS, MIDDLE_OF))
    widths: Numbers = np.mean([compute_middle_halves(places[drawn, k]) for k in range(rotation)], axis=0)
    return widths


def _find_figure_values(pool: Pool, name: str) -> Numbers:
    """The values of the figure with this name."""
    return next(values for figure, values in pool.items() if figure.name == name)


def _run_trial(pool_a: Pool, pool_b: Pool, truth: Truth, alpha: float, smallest: float, rotation: int) -> Trial:
    """The trial of two pools: a comparison run until it would stop, checked against the truth at each inspection."""
    wrong: set[str] = set()
    true: dict[str, float] = {}
    tails: dict[str, Tail] = {}
    careless, n = False, 0
    effects: tuple[Effect, ...] = ()
    for n in iter_inspection_sizes(len(next(iter(pool_a.values()))), rotation):
        part_a, part_b = {f: pool_a[f][:n] for f in pool_a}, {f: pool_b[f][:n] for f in pool_a}
        effects = judge_figures(part_a, part_b, alpha, smallest, rotation)
        tails = tails or {f.name: count_games_outside_bounds(part_a[f], part_b[f]) for f in pool_a if not f.share}
        # bounds depend on the pilot only, so they stay
        true = true or {one.figure.name: truth.find_true_difference(one, tails) for one in effects}
        wrong |= {one.figure.name for one in effects if one.differ and not one.low <= true[one.figure.name] <= one.high}
        careless = careless or any(_does_normal_interval_miss(f, part_b[f] - part_a[f], truth) for f in pool_a)
        if all(one.is_settled for one in effects):
            break
    seen = frozenset(one.figure.name for one in effects if one.verdict in ("more", "less"))
    return Trial(n, seen, frozenset(wrong), careless)


def _does_normal_interval_miss(figure: Figure, gaps: Numbers, truth: Truth) -> bool:
    """Does a normal 95 % interval of the plain mean exclude the truth at this inspection?"""
    usual = 1.96 * float(gaps.std()) / math.sqrt(len(gaps))
    return (
        int(np.count_nonzero(gaps)) >= MIN_DIFFERING_GAMES
        and abs(float(gaps.mean()) - truth.find_plain_difference(figure)) > usual
    )


def summarise_trials(trials: Sequence[Trial]) -> dict[str, Any]:
    """A summary of trials: how many were wrong, how many found an effect and in which figures, and the median of games."""
    names = sorted(set(itertools.chain.from_iterable(one.seen for one in trials)))
    games = sorted(one.games for one in trials)
    return {
        "repetitions": len(trials),
        "wrong": sum(bool(one.wrong) for one in trials),
        "saw": sum(bool(one.seen) for one in trials),
        "careless": sum(one.careless for one in trials),
        "by_figure": {name: sum(name in one.seen for one in trials) for name in names},
        "median_games": games[len(games) // 2],
    }
