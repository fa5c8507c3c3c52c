"""Verdicts on claims about games: does a result between some bots hold between others?

The lab measures what bots do. A claim is a figure, a count, a proportion, or the effect of a change on a figure. For
each bot's games it has a value with an interval, and those of the other bots are compared with the first one's. The
claim

- *holds* where all bots agree: each difference lies within what is near (shares: five percentage points;
  others: a tenth of the first one's mean); or where all lie on the same side of an even share or, for the effect of a change, of zero;
- *depends on the bot* where some difference excludes zero and is more than near;
- has *too few games* otherwise.

All intervals of one answer hold together (Bonferroni): of every claim with every bot, and of every difference. A mean
has no bounds of its own: a game far beyond nearly all others counts as the bound
(`anytime_intervals.bounds_from_pilot`), and where that moves the mean, it is reported.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sutler.lab.play.figures import Figure, Numbers
from sutler.lab.stats.anytime_intervals import bounds_from_pilot, max_unseen_share
from sutler.lab.stats.estimates import bonferroni_z, count_of, difference_of_shares, student_t, wilson

SHARE_NEAR, MEAN_NEAR = 0.05, 0.10
MIN_SHARE_MOVED = 0.01
"""The least part of a plain mean that games beyond the bounds make up to be remarked on."""
HOLDS_VERDICT, DEPENDS_VERDICT, TOO_FEW_VERDICT = "holds", "depends on the bot", "too few games"

Estimate = tuple[float, float, float]
"""An estimate and the ends of its interval."""
Bounds = tuple[float, float]
NO_BOUNDS: Bounds = (-math.inf, math.inf)


class Evidence(Protocol):
    """The evidence for a claim from one bot's games."""

    @property
    def unbounded_values(self) -> tuple[Numbers, ...]:
        """The numbers without bounds that it is a mean of; none where it is a share."""

    def level(self, within: Bounds) -> float:
        """The base value: a tenth of it counts as near."""

    def estimate(self, z: float, within: Bounds) -> Estimate:
        """The mean with its interval, `z` normal standard errors wide."""


@dataclass(frozen=True)
class Level:
    """A figure as it is: a number a game."""

    values: Numbers
    share: bool = False

    @property
    def unbounded_values(self) -> tuple[Numbers, ...]:
        """The numbers, unless they are a share."""
        return () if self.share else (self.values,)

    def level(self, within: Bounds) -> float:
        """The mean."""
        return float(np.clip(self.values, *within).mean())

    def estimate(self, z: float, within: Bounds) -> Estimate:
        """Wilson's interval for shares, Student's for the rest."""
        n = len(self.values)
        if self.share:
            return float(self.values.mean()), *wilson(float(self.values.sum()), n, z)
        values = np.clip(self.values, *within)
        mean, half = float(values.mean()), _half_width(values, z, 1.0)
        return mean, mean - half, mean + half


@dataclass(frozen=True)
class Shift:
    """The effect of a change on a figure: the same seeds without it and with it."""

    before: Numbers
    after: Numbers
    share: bool = False

    @property
    def unbounded_values(self) -> tuple[Numbers, ...]:
        """The numbers of both sides, unless they are a share."""
        return () if self.share else (self.before, self.after)

    def level(self, within: Bounds) -> float:
        """The mean without the change."""
        return float(np.clip(self.before, *within).mean())

    def estimate(self, z: float, within: Bounds) -> Estimate:
        """Shares by Newcombe, means by the pairs of one seed. Where no pair differs, few games can: the interval is as wide as that."""
        before, after = (np.clip(side, *within) for side in (self.before, self.after))
        n, gap = len(before), float(after.mean() - before.mean())
        if self.share and np.any(before != after):
            return gap, *difference_of_shares((float(after.sum()), n), (float(before.sum()), n), z)
        width = 1.0 if self.share else _width(within, before)
        half = _half_width(after - before, z, width)
        return gap, gap - half, gap + half


@dataclass(frozen=True)
class Proportion:
    """A share of things: `hits` of `of` in each game. Things of one game are not independent."""

    hits: Numbers
    of: Numbers

    @property
    def unbounded_values(self) -> tuple[Numbers, ...]:
        """Nothing: a proportion has bounds of its own."""
        return ()

    def level(self, within: Bounds) -> float:
        """The share."""
        return float(self.hits.sum()) / max(1.0, float(self.of.sum()))

    def estimate(self, z: float, within: Bounds) -> Estimate:
        """A ratio of two means over games; where things hang together less than chance would have it, as if each were alone."""
        n, every, share = len(self.of), float(self.of.sum()), self.level(within)
        low, high = wilson(float(self.hits.sum()), every, z)
        if n < 2 or every == 0:
            return share, 0.0, 1.0
        rest = self.hits - share * self.of
        half = student_t(n, z) * float(rest.std(ddof=1)) / math.sqrt(n) / float(self.of.mean())
        return share, max(0.0, min(low, share - half)), min(1.0, max(high, share + half))


def _half_width(values: Numbers, z: float, unit: float) -> float:
    """Half the interval of a mean. Numbers that are all alike may still differ by one `unit` in games not yet seen."""
    n = len(values)
    if n < 2:
        return math.inf
    if np.all(values == values[0]):
        return unit * max_unseen_share(n, math.erfc(z / math.sqrt(2)))
    return student_t(n, z) * float(values.std(ddof=1)) / math.sqrt(n)


def _width(within: Bounds, values: Numbers) -> float:
    low, high = within
    return high - low if math.isfinite(high - low) else max(1.0, abs(float(values[0])))


@dataclass(frozen=True)
class Claim:
    """A claim: its name, the evidence of each bot's games, the first bot's first, and what is even with each, if anything is.

    `least`: what is near at the least, however small the mean.
    """

    figure: Figure
    seen: Sequence[Evidence]
    evens: tuple[float, ...] | None = None
    least: float = 0.0


@dataclass(frozen=True)
class JudgedClaim:
    """A claim between every bot: value and interval a bot; what is even with each, if anything is; the verdict."""

    figure: Figure
    values: tuple[Estimate, ...]
    evens: tuple[float, ...] | None
    verdict: str
    beyond: str = ""
    """A remark on games beyond the bounds, where they make up much of a plain mean."""

    @property
    def even(self) -> float | None:
        """The even value with the first bot."""
        return None if self.evens is None else self.evens[0]

    def side(self, k: int) -> int:
        """The side of even on which the kth bot's interval lies (-1 or 1); 0 where it contains even."""
        if self.evens is None:
            return 0
        _, low, high = self.values[k]
        return (low > self.evens[k]) - (high < self.evens[k])


def judge_claims(claims: Sequence[Claim]) -> tuple[list[JudgedClaim], float]:
    """Every claim with its verdict, and how many normal standard errors wide its intervals are, so that all of them hold together."""
    z = bonferroni_z(max(1, sum(2 * len(one.seen) - 1 for one in claims)))
    return [_judge_claim(one, z) for one in claims], z


def _judge_claim(claim: Claim, z: float) -> JudgedClaim:
    within = _common_bounds(claim)
    values = tuple(one.estimate(z, within) for one in claim.seen)
    share = claim.figure.share
    near = max(claim.least, SHARE_NEAR if share else MEAN_NEAR * abs(claim.seen[0].level(within)))
    line = JudgedClaim(claim.figure, values, claim.evens, "", _beyond(claim, within))
    gaps = [_gap(values[0], other) for other in values[1:]]
    return JudgedClaim(claim.figure, values, claim.evens, _verdict(line, gaps, near), line.beyond)


def _common_bounds(claim: Claim) -> Bounds:
    """The bounds within which a mean is counted: the widest that any bot's games give."""
    found = [NO_BOUNDS[::-1]]
    for one in claim.seen:
        for side in one.unbounded_values:
            some = side[side != 0]
            found.append(bounds_from_pilot(some) if len(some) else (0.0, 0.0))
            found += [(0.0, 0.0)] if len(some) < len(side) else []
    low, high = min(one[0] for one in found), max(one[1] for one in found)
    return (low, high) if low <= high else NO_BOUNDS


def _beyond(claim: Claim, within: Bounds) -> str:
    """A remark on how many games lie beyond the bounds, where they make up much of a plain mean; else empty."""
    low, high = within
    say = claim.figure.say
    for side in (side for one in claim.seen for side in one.unbounded_values):
        beyond = int(((side < low) | (side > high)).sum())
        plain, kept = float(side.mean()), float(np.clip(side, low, high).mean())
        if beyond and abs(plain - kept) > MIN_SHARE_MOVED * abs(kept):
            lie = f"{count_of(beyond, 'game')} {'lies' if beyond == 1 else 'lie'}"
            return f"{claim.figure.label}: {lie} beyond {say(low)} to {say(high)}, counted as the bound; the plain mean is {say(plain)}"
    return ""


def _gap(one: Estimate, other: Estimate) -> Estimate:
    """The difference between two bots' estimates with its interval: Newcombe's for shares, the usual one for means."""
    (a, a_low, a_high), (b, b_low, b_high) = one, other
    return b - a, b - a - math.hypot(b - b_low, a_high - a), b - a + math.hypot(b_high - b, a - a_low)


def _verdict(line: JudgedClaim, gaps: Sequence[Estimate], near: float) -> str:
    sides = {line.side(k) for k in range(len(line.values))}
    if len(sides) == 1 and sides != {0}:
        return HOLDS_VERDICT  # on the same side between every bot
    if any((low > 0 or high < 0) and abs(gap) > near for gap, low, high in gaps):
        return DEPENDS_VERDICT
    if gaps and all(-near <= low and high <= near for _, low, high in gaps):
        return HOLDS_VERDICT
    return TOO_FEW_VERDICT
