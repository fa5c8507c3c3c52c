"""Intervals that hold at every look: one may watch a running mean, stop when one likes, and still be right.

A usual 95 % interval is right in 95 of 100 looks, but whoever looks again and again, to stop when it excludes zero, will sooner
or later see it do so. A confidence sequence is a run of intervals which *all* hold with the stated probability. We use the
normal mixture in its asymptotic form,

    mean ± sd · sqrt(2 (n r² + 1) / (n² r²) · log(sqrt(n r² + 1) / alpha)),

of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence
sequences", Annals of Statistics 52 (2024), after Robbins, "Statistical methods related to the law of the iterated logarithm",
Annals of Mathematical Statistics 41 (1970). It asks only for a finite variance, so it does for scores and lengths of games,
which no rulebook bounds; being asymptotic, it is used from FIRST_LOOK on. r says for which n it is narrowest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

FIRST_LOOK = 200
GROWTH = 1.25  # from one look to the next
NARROWEST = 2000  # games at which the intervals are narrowest, for their size
SEEN_OFTEN = 30  # a mean of fewer numbers other than zero is no matter for a limit theorem


def half_width(n: int, sd: float, alpha: float, narrowest: int = NARROWEST) -> float:
    """Half the width of the interval after n numbers of that standard deviation."""
    r2 = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / narrowest
    return sd * math.sqrt(2 * (n * r2 + 1) / (n * n * r2) * math.log(math.sqrt(n * r2 + 1) / alpha))


def at_most(n: int, alpha: float) -> float:
    """A share never seen in n games is at most this, at every n at once: if it is more, the first n at which this
    would be claimed wrongly is reached with a probability below alpha, and later ones only after it."""
    return 1.0 - float(alpha ** (1.0 / n))


def looks(most: int, step: int = 1) -> Iterator[int]:
    """After how many games to look: multiples of `step`, ever further apart, the last one at most `most`."""
    n = -(-FIRST_LOOK // step) * step
    last = most // step * step
    while n < last:
        yield n
        n = math.ceil(n * GROWTH / step) * step
    yield last
