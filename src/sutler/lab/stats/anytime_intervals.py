"""Anytime-valid intervals: a running mean may be inspected again and again, and stopped at will, without losing
coverage.

A usual 95 % interval covers the mean in 95 of 100 single looks. Looking repeatedly, to stop as soon as it excludes
zero, makes it exclude zero sooner or later by chance alone. A confidence sequence is a run of intervals which *all*
hold with the stated probability.

This is the hedged betting sequence of Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
betting", Journal of the Royal Statistical Society B 86 (2024), theorem 3. Against each candidate for the mean two
gamblers bet, number by number, one that it is more, one that it is less. If the candidate is true neither can expect to
gain, so the chance that one of them is ever 2 / alpha times as rich as at the beginning is at most alpha (Ville's
inequality); a candidate that made one so rich is rejected. For numbers between bounds this holds at every n, whatever
their distribution, without a limit theorem. A figure without bounds is given some first (`bounds_from_pilot`): a mean
that five games in ten thousand make up cannot be known from a thousand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

Numbers = np.ndarray[Any, np.dtype[np.float64]]

FIRST_LOOK_GAMES = 200
LOOK_GROWTH_FACTOR = 1.25  # games at one look over games at the look before
NARROWEST_AT_GAMES = 2000  # number of games for which the bets are tuned: there the intervals are narrowest
MAX_STAKE_SHARE = 0.5  # largest part of a fortune staked on one number
BISECTION_TOLERANCE = 2e-5  # as a share of the range: how exactly an interval's ends are found
PILOT_PAIRS = 50  # pairs of games from which bounds are taken; they are not counted afterwards
PILOT_TRIM_SHARE = 0.03  # share of the pilot left out of its core at either end
BOUNDS_MARGIN_SHARE = 0.5  # margin on either side of the core, as a share of the core's width


def confidence_sequence(values: Numbers, low: float, high: float, alpha: float) -> tuple[float, float]:
    """Interval (low, high) for the mean of numbers that lie between `low` and `high`, valid at this and every other
    look.

    With probability 1 - alpha all intervals of the sequence hold together.
    """
    scaled = (values - low) / (high - low)
    stakes = _bet_sizes(scaled, alpha)
    least = _lower_limit(scaled, stakes, alpha)
    most = 1.0 - _lower_limit(1.0 - scaled, stakes, alpha)
    return low + (high - low) * least, low + (high - low) * most


def _bet_sizes(values: Numbers, alpha: float) -> Numbers:
    """The bet on each number: larger where the numbers before it vary little. It depends on earlier numbers only."""
    n = len(values)
    count = np.arange(1, n + 1)
    mean = (0.5 + np.cumsum(values)) / (count + 1)  # starts from one half, with the variance of a fair coin
    spread = (0.25 + np.cumsum((values - mean) ** 2)) / (count + 1)
    before = np.concatenate(([0.25], spread[:-1]))
    patience = NARROWEST_AT_GAMES + count * np.log1p(count / NARROWEST_AT_GAMES)
    stakes: Numbers = np.sqrt(2 * math.log(2 / alpha) / (before * patience))
    return stakes


def _lower_limit(values: Numbers, stakes: Numbers, alpha: float) -> float:
    """The largest mean that is rejected: the gambler who bets that the mean is more has become too rich against it.

    The gambler's fortune falls as the candidate rises, so the limit is found by bisection.
    """
    rich = math.log(2 / alpha)
    low, high = 0.0, float(values.mean())
    while high - low > BISECTION_TOLERANCE:
        candidate = (low + high) / 2
        staked = np.minimum(
            stakes, MAX_STAKE_SHARE / candidate
        )  # so that no number costs more than half of the fortune
        if float(np.log1p(staked * (values - candidate)).sum()) > rich:
            low = candidate
        else:
            high = candidate
    return low


def bounds_from_pilot(values: Numbers) -> tuple[float, float]:
    """Bounds (low, high) for a figure that has none: the core of a pilot's values, and half its width on either side.

    Of a light tail hardly anything lies beyond; what lies beyond is counted as the bound.
    """
    low, high = (float(one) for one in np.quantile(values, (PILOT_TRIM_SHARE, 1 - PILOT_TRIM_SHARE)))
    room = max((high - low) * BOUNDS_MARGIN_SHARE, 1.0 if high == low else 0.0)
    return low - room, high + room


def max_unseen_share(n: int, alpha: float) -> float:
    """Upper limit, valid at every n at once, of the share of games that show what has not been seen in n games.

    If the true share is larger, the first n at which this claim would be wrong is reached with a probability below
    alpha.
    """
    return 1.0 - float(alpha ** (1.0 / n))


def look_schedule(most: int, step: int = 1) -> Iterator[int]:
    """Yield the numbers of games at which to look: multiples of `step`, ever further apart, the last one at most
    `most`.
    """
    n = -(-FIRST_LOOK_GAMES // step) * step
    last = most // step * step
    while n < last:
        yield n
        n = math.ceil(n * LOOK_GROWTH_FACTOR / step) * step
    yield last
