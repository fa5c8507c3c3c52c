"""Anytime-valid intervals: a running mean may be inspected again and again without losing coverage.

A usual 95 % interval covers the mean in 95 of 100 single looks. Looking repeatedly, to stop as soon as it excludes
zero, makes it exclude zero sooner or later by chance alone. A confidence sequence is a run of intervals which *all*
hold with the stated probability.

Ours is the hedged betting sequence of Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", Journal
of the Royal Statistical Society B 86 (2024), theorem 3. Against each candidate for the mean two gamblers bet, number by number, one
that it is more, one that it is less; if the candidate is true neither can expect to gain, so the chance that one of them is
ever 2 / alpha times as rich as at the beginning is at most alpha (Ville), and a candidate that made one so rich is given up. For numbers
between bounds that is a guarantee at every n, whatever their distribution, and no limit theorem: no tail can break it. What has no
bounds must be given some first (`bounds_from_pilot`): a mean that five games in ten thousand make up is not to be known from a thousand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

Numbers = np.ndarray[Any, np.dtype[np.float64]]

FIRST_LOOK_GAMES = 200
LOOK_GROWTH_FACTOR = 1.25  # from one look to the next
NARROWEST_AT_GAMES = 2000  # games at which the intervals are narrowest, for their size
MAX_STAKE_SHARE = 0.5  # of a fortune, staked on one number at most
BISECTION_TOLERANCE = 2e-5  # of the range: where an interval ends
PILOT_PAIRS = 50  # pairs of games from which bounds are taken; they are not counted afterwards
PILOT_TRIM_SHARE = 0.03  # of the pilot, at either end, is left out of the core
BOUNDS_MARGIN_SHARE = 0.5  # of the core's width, on either side of it


def confidence_sequence(values: Numbers, low: float, high: float, alpha: float) -> tuple[float, float]:
    """The interval of a mean of numbers between `low` and `high`, valid at this and every other look: (low end, high end)."""
    scaled = (values - low) / (high - low)
    stakes = _bet_sizes(scaled, alpha)
    least = _lower_limit(scaled, stakes, alpha)
    most = 1.0 - _lower_limit(1.0 - scaled, stakes, alpha)
    return low + (high - low) * least, low + (high - low) * most


def _bet_sizes(values: Numbers, alpha: float) -> Numbers:
    """The stake on each number, shape (n,): larger where the numbers before it vary little. Only those before it may be looked at."""
    n = len(values)
    count = np.arange(1, n + 1)
    mean = (0.5 + np.cumsum(values)) / (count + 1)  # starts from one half, with the variance of a fair coin
    spread = (0.25 + np.cumsum((values - mean) ** 2)) / (count + 1)
    before = np.concatenate(([0.25], spread[:-1]))
    patience = NARROWEST_AT_GAMES + count * np.log1p(count / NARROWEST_AT_GAMES)
    stakes: Numbers = np.sqrt(2 * math.log(2 / alpha) / (before * patience))
    return stakes


def _lower_limit(values: Numbers, stakes: Numbers, alpha: float) -> float:
    """The lower end of the interval: below it, whoever bet on a larger mean would have become too rich.

    The gambler's fortune falls as the candidate rises, so the limit is found by bisection.
    """
    rich = math.log(2 / alpha)
    low, high = 0.0, float(values.mean())
    while high - low > BISECTION_TOLERANCE:
        candidate = (low + high) / 2
        staked = np.minimum(
            stakes, MAX_STAKE_SHARE / candidate
        )  # so that no number costs him more than half of what he has
        if float(np.log1p(staked * (values - candidate)).sum()) > rich:
            low = candidate
        else:
            high = candidate
    return low


def bounds_from_pilot(values: Numbers) -> tuple[float, float]:
    """Bounds (low, high) for a figure that has none: the core of a pilot, and half as much on either side.

    Of a light tail hardly anything lies beyond; what lies beyond is counted as the bound.
    """
    low, high = (float(one) for one in np.quantile(values, (PILOT_TRIM_SHARE, 1 - PILOT_TRIM_SHARE)))
    room = max((high - low) * BOUNDS_MARGIN_SHARE, 1.0 if high == low else 0.0)
    return low - room, high + room


def max_unseen_share(n: int, alpha: float) -> float:
    """The largest share that is consistent with never having been seen in n games, at every n at once.

    If it is more, the first n at which this would be claimed wrongly is reached with a probability below alpha, and later ones only
    after it.
    """
    return 1.0 - float(alpha ** (1.0 / n))


def look_schedule(most: int, step: int = 1) -> Iterator[int]:
    """The numbers of games at which to look: multiples of `step`, ever further apart, the last one at most `most`."""
    n = -(-FIRST_LOOK_GAMES // step) * step
    last = most // step * step
    while n < last:
        yield n
        n = math.ceil(n * LOOK_GROWTH_FACTOR / step) * step
    yield last
