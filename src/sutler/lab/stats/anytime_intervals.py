"""Anytime-valid intervals: a running mean may be inspected again and again, and its interval still holds.

A usual 95 % interval contains the mean in 95 of 100 cases when it is inspected once. Whoever inspects it repeatedly, to stop as soon as it
excludes zero, will see it exclude zero sooner or later by chance alone. A confidence sequence is a sequence of intervals that *all* hold
with the stated probability.

The method is the hedged betting sequence of Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", Journal
of the Royal Statistical Society B 86 (2024), theorem 3. Two gamblers bet against each candidate for the mean, number by number: one
that the mean is larger, one that it is smaller. If the candidate is true neither can expect to gain, so the probability that one of them
is ever 2 / alpha times as rich as at the beginning is at most alpha (Ville); a candidate that made one so rich is excluded. For numbers
between bounds this is a guarantee at every n, whatever their distribution, and not a limit theorem. Numbers without bounds must be given
some first (`compute_bounds_from_pilot`): a mean that rests on five games in ten thousand cannot be known from a thousand games.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

Numbers = np.ndarray[Any, np.dtype[np.float64]]

FIRST_LOOK_GAMES = 200
LOOK_GROWTH_FACTOR = 1.25  # of the number of games from one inspection to the next
NARROWEST_AT_GAMES = 2000  # the stakes are tuned so that intervals are narrowest after so many games
MAX_STAKE_SHARE = 0.5  # the largest part of a gambler's fortune staked on one number
BISECTION_TOLERANCE = 2e-5  # precision of an interval's ends, as a part of the range
PILOT_PAIRS = 50  # first pairs of games, which give the bounds and are not counted afterwards
PILOT_TRIM_SHARE = 0.03  # part of the pilot's values left out at each end
BOUNDS_MARGIN_SHARE = 0.5  # margin on each side of the remaining values, as a part of their width


def compute_anytime_interval(values: Numbers, low: float, high: float, alpha: float) -> tuple[float, float]:
    """The interval (low, high) of a mean, valid at every inspection, with an error of `alpha` over all inspections together.

    `values`: numbers between the bounds `low` and `high`, in the order in which they came.
    """
    scaled = (values - low) / (high - low)
    stakes = _compute_bet_sizes(scaled, alpha)
    least = _find_lower_limit(scaled, stakes, alpha)
    most = 1.0 - _find_lower_limit(1.0 - scaled, stakes, alpha)
    return low + (high - low) * least, low + (high - low) * most


def _compute_bet_sizes(values: Numbers, alpha: float) -> Numbers:
    """The stake of a bet on each number, shape (n,).

    It is larger where the numbers before it vary little; later numbers may not be used.
    """
    n = len(values)
    count = np.arange(1, n + 1)
    mean = (0.5 + np.cumsum(values)) / (count + 1)  # starts from one half, with the variance of a fair coin
    spread = (0.25 + np.cumsum((values - mean) ** 2)) / (count + 1)
    before = np.concatenate(([0.25], spread[:-1]))
    patience = NARROWEST_AT_GAMES + count * np.log1p(count / NARROWEST_AT_GAMES)
    stakes: Numbers = np.sqrt(2 * math.log(2 / alpha) / (before * patience))
    return stakes


def _find_lower_limit(values: Numbers, stakes: Numbers, alpha: float) -> float:
    """The lower end of the interval, found by bisection.

    For a candidate mean below it, a gambler who had bet on a larger mean would have become too rich; the gambler's fortune falls as the
    candidate rises. `values`: between 0 and 1.
    """
    rich = math.log(2 / alpha)
    low, high = 0.0, float(values.mean())
    while high - low > BISECTION_TOLERANCE:
        candidate = (low + high) / 2
        staked = np.minimum(
            stakes, MAX_STAKE_SHARE / candidate
        )  # so that no number costs the gambler more than half of the fortune
        if float(np.log1p(staked * (values - candidate)).sum()) > rich:
            low = candidate
        else:
            high = candidate
    return low


def compute_bounds_from_pilot(values: Numbers) -> tuple[float, float]:
    """Bounds (low, high) for a figure that has none of its own: the middle of a pilot's values, and half its width on each side.

    Values beyond the bounds are later counted as the bound; in a distribution with light tails there are hardly any.
    """
    low, high = (float(one) for one in np.quantile(values, (PILOT_TRIM_SHARE, 1 - PILOT_TRIM_SHARE)))
    room = max((high - low) * BOUNDS_MARGIN_SHARE, 1.0 if high == low else 0.0)
    return low - room, high + room


def compute_max_unseen_share(n: int, alpha: float) -> float:
    """The largest share of games that is plausible if none of them was seen in n games, for all n at once, with an error of `alpha`.

    If the true share is larger, the probability is below alpha that this is ever claimed wrongly.
    """
    return 1.0 - float(alpha ** (1.0 / n))


def iter_inspection_sizes(max_games: int, step: int = 1) -> Iterator[int]:
    """Yield the numbers of games after which to inspect: multiples of `step`, more and more apart, at most `max_games`."""
    n = -(-FIRST_LOOK_GAMES // step) * step
    last = max_games // step * step
    while n < last:
        yield n
        n = math.ceil(n * LOOK_GROWTH_FACTOR / step) * step
    yield last
