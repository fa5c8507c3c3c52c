"""Verdicts on claims about games: does a result between some bots hold between others?

A claim is a figure, a count, a proportion, or the effect of a change on a figure. For each bot's games it has a value with an interval,
and the values of the other bots are compared with the first one's. The claim

- *holds* where all bots agree on its size: shares within five percentage points and within a quarter in log odds, means within a tenth of
  the first one's mean, both with extreme games capped and without;
- is on the *same side, size depends on the bot* where all lie on the same side of an even share or, for the effect of a change, of zero,
  but differ in size by more than that; where games are too few to tell the sizes apart, only the side is claimed;
- *depends on the bot* where some difference excludes zero and is larger than that, or two bots lie on opposite sides;
- has *too few games* otherwise.

Before odds are compared, ODDS_FLOOR is added to a share and to its complement, so that 99.3 % counts as good as always. All intervals of
one answer hold together (Bonferroni): of every claim with every bot, and of every difference. A mean has no bounds of its own: a game far
beyond nearly all others counts as the bound (`anytime_intervals.compute_bounds_from_pilot`), the share of such games and the plain mean are
compared as well, and where such games move the mean, that is reported.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from sutler.lab.play.headline_figures import Figure, Numbers
from sutler.lab.stats.anytime_intervals import compute_bounds_from_pilot, compute_max_unseen_share
from sutler.lab.stats.estimates import (
    compute_bonferroni_z,
    compute_share_difference_interval,
    compute_student_t,
    compute_wilson_interval,
    format_count_with_noun,
)
from sutler.lab.stats.three_valued_verdict import Verdict, combine_any, find_side_of_point, judge_differs, judge_within

SHARE_NEAR, MEAN_NEAR = 0.05, 0.10
LOG_ODDS_NEAR = 0.25
"""The largest difference in log odds (for counts, in logarithms) with which a share holds between bots."""
ODDS_FLOOR = 0.03
"""Added to a share and to its complement before odds are taken: so 0.2 and 3.5 % differ, while 0.0 and 0.7 % do not."""
MIN_SHARE_MOVED = 0.01
"""The part by which games beyond the bounds must change a mean to be remarked on."""
HOLDS_VERDICT, SIDE_VERDICT, SIDE_ONLY_VERDICT, DEPENDS_VERDICT, TOO_FEW_VERDICT = (
    "holds",
    "same side, size depends on the bot",
    "same side, too few games for its size",
    "depends on the bot",
    "too few games",
)
ONE_BOT_VERDICT = "asked of one bot only"
CLAIM_VERDICTS = (DEPENDS_VERDICT, TOO_FEW_VERDICT, SIDE_ONLY_VERDICT, SIDE_VERDICT, HOLDS_VERDICT)
"""The verdicts on claims across bots, the least certain first."""

Estimate = tuple[float, float, float]
"""(estimate, low end, high end of its interval)."""
Bounds = tuple[float, float]
NO_BOUNDS: Bounds = (-math.inf, math.inf)


class Evidence(Protocol):
    """The evidence for a claim from the games of one bot."""

    @property
    def unbounded_values(self) -> tuple[Numbers, ...]:
        """One array of unbounded numbers for each side of the evidence; an empty tuple for shares, which are bounded."""

    def compute_base_value(self, within: Bounds) -> float:
        """The value that differences are judged in proportion to: a difference within a tenth of it counts as small."""

    def compute_estimate(self, z: float, within: Bounds) -> Estimate:
        """The estimate with its interval, `z` normal standard errors wide. `within`: bounds that cap the numbers."""

    def compute_log_size(self, z: float, floor: float) -> Estimate | None:
        """The size as log odds (of a share) or logarithm (of a count plus `floor`), with its interval; None if it has no such size."""


@dataclass(frozen=True)
class Level:
    """The evidence for the mean of a figure: one number for each game."""

    values: Numbers
    share: bool = False

    @property
    def unbounded_values(self) -> tuple[Numbers, ...]:
        """The numbers of all games, as a tuple of one array; an empty tuple for shares, which are bounded."""
        return () if self.share else (self.values,)

    def compute_base_value(self, within: Bounds) -> float:
        """The mean of the numbers, capped at the bounds `within`."""
        return float(np.clip(self.values, *within).mean())

    def compute_estimate(self, z: float, within: Bounds) -> Estimate:
        """The mean with Wilson's interval for a share, Student's for other figures."""
        n = len(self.values)
        if self.share:
            return float(self.values.mean()), *compute_wilson_interval(float(self.values.sum()), n, z)
        values = np.clip(self.values, *within)
        mean, half = float(values.mean()), _compute_half_width(values, z, 1.0)
        return mean, mean - half, mean + half

    def compute_log_size(self, z: float, floor: float) -> Estimate | None:
        """The log odds of a share, or the logarithm of a count plus `floor`; None for other means (`floor` 0)."""
        if self.share:
            return _transform_estimate(self.compute_estimate(z, NO_BOUNDS), compute_log_odds)
        return (
            _transform_estimate(self.compute_estimate(z, NO_BOUNDS), lambda mean: math.log(max(0.0, mean) + floor))
            if floor
            else None
        )


@dataclass(frozen=True)
class Shift:
    """The evidence for the effect of a change on a figure: one number for each game without and with it, from the same seeds."""

    before: Numbers
    after: Numbers
    share: bool = False

    @property
    def unbounded_values(self) -> tuple[Numbers, ...]:
        """The numbers of all games without and with the change, as two arrays; an empty tuple for shares, which are bounded."""
        return () if self.share else (self.before, self.after)

    def compute_base_value(self, within: Bounds) -> float:
        """The mean without the change, of numbers capped at the bounds `within`."""
        return float(np.clip(self.before, *within).mean())

    def compute_estimate(self, z: float, within: Bounds) -> Estimate:
        """The difference of the means with Newcombe's interval for shares, or Student's from the pairs for other figures.

        Where no pair differs, the interval allows for pairs not yet seen that do.
        """
        before, after = (np.clip(side, *within) for side in (self.before, self.after))
        n, gap = len(before), float(after.mean() - before.mean())
        if self.share and np.any(before != after):
            return gap, *compute_share_difference_interval((float(after.sum()), n), (float(before.sum()), n), z)
        width = 1.0 if self.share else _compute_bounds_width(within, before)
        half = _compute_half_width(after - before, z, width)
        return gap, gap - half, gap + half

    def compute_log_size(self, z: float, floor: float) -> Estimate | None:
        """The change of a share's log odds, with its interval; None for means."""
        if not self.share:
            return None
        sides = (Level(side, True).compute_estimate(z, NO_BOUNDS) for side in (self.before, self.after))
        return _subtract_estimates(*(_transform_estimate(side, compute_log_odds) for side in sides))


@dataclass(frozen=True)
class Proportion:
    """The evidence for a share of things: in each game, `hits` out of `of`. Things of one game are not independent."""

    hits: Numbers
    of: Numbers

    @property
    def unbounded_values(self) -> tuple[Numbers, ...]:
        """An empty tuple: a proportion has bounds of its own."""
        return ()

    def compute_base_value(self, within: Bounds) -> float:
        """The share of all things that count, over all games."""
        return float(self.hits.sum()) / max(1.0, float(self.of.sum()))

    def compute_estimate(self, z: float, within: Bounds) -> Estimate:
        """The share with its interval, games taken as clusters; never narrower than Wilson's for independent things."""
        n, every, share = len(self.of), float(self.of.sum()), self.compute_base_value(within)
        low, high = compute_wilson_interval(float(self.hits.sum()), every, z)
        if n < 2 or every == 0:
            return share, 0.0, 1.0
        rest = self.hits - share * self.of
        half = compute_student_t(n, z) * float(rest.std(ddof=1)) / math.sqrt(n) / float(self.of.mean())
        return share, max(0.0, min(low, share - half)), min(1.0, max(high, share + half))

    def compute_log_size(self, z: float, floor: float) -> Estimate | None:
        """The log odds of the share, with their interval."""
        return _transform_estimate(self.compute_estimate(z, NO_BOUNDS), compute_log_odds)


def compute_log_odds(share: float) -> float:
    """The logarithm of a share's odds, with ODDS_FLOOR added to the share and to its complement."""
    return math.log((share + ODDS_FLOOR) / (1.0 - share + ODDS_FLOOR))


def _transform_estimate(value: Estimate, transform: Callable[[float], float]) -> Estimate:
    """An estimate with its interval on another scale. `transform`: an increasing function to that scale."""
    middle, low, high = value
    if not all(map(math.isfinite, value)):
        return transform(middle), -math.inf, math.inf
    return transform(middle), transform(low), transform(high)


def _compute_half_width(values: Numbers, z: float, unit: float) -> float:
    """Half the interval of a mean, by Student; where all numbers are equal, as if unseen games could differ by one `unit`."""
    n = len(values)
    if n < 2:
        return math.inf
    if np.all(values == values[0]):
        return unit * compute_max_unseen_share(n, math.erfc(z / math.sqrt(2)))
    return compute_student_t(n, z) * float(values.std(ddof=1)) / math.sqrt(n)


def _compute_bounds_width(bounds: Bounds, values: Numbers) -> float:
    """The distance between the bounds, or, without bounds, a unit of the size of the first value."""
    low, high = bounds
    return high - low if math.isfinite(high - low) else max(1.0, abs(float(values[0])))


@dataclass(frozen=True)
class Claim:
    """A claim about a figure: the evidence from each bot's games, and the value that would be even with each bot (`evens`).

    `evens`: None for a figure without an even share; `least`: differences up to this size count as near, however small the mean is.
    """

    figure: Figure
    seen: Sequence[Evidence]
    evens: tuple[float, ...] | None = None
    least: float = 0.0

    def __post_init__(self) -> None:
        """Raise ValueError where a share's evidence is not of shares: its odds would not be compared, and tenfold differences hold."""
        if self.figure.share and any(one.unbounded_values for one in self.seen):
            raise ValueError(f"{self.figure.name}: a share, whose games must be told as shares")


@dataclass(frozen=True)
class JudgedClaim:
    """A claim with its verdicts: with each bot the value, its interval, and the even value if there is one.

    `differ`: does its size differ between bots? `one_side`: do all bots see it on one side of even?
    """

    figure: Figure
    values: tuple[Estimate, ...]
    evens: tuple[float, ...] | None
    differ: Verdict = Verdict.NOT_ENOUGH
    one_side: Verdict = Verdict.NOT_ENOUGH
    beyond: str = ""
    """A remark on games beyond the bounds where they change the mean much; else empty."""

    @property
    def verdict(self) -> str:
        """The verdict in words: holds, same side, depends on the bot, or too few games."""
        if len(self.values) < 2:
            return ONE_BOT_VERDICT
        if self.one_side is Verdict.NO:
            return DEPENDS_VERDICT
        if self.differ is Verdict.NO:
            return HOLDS_VERDICT
        if self.one_side is Verdict.YES:
            return SIDE_VERDICT if self.differ is Verdict.YES else SIDE_ONLY_VERDICT
        return DEPENDS_VERDICT if self.differ is Verdict.YES else TOO_FEW_VERDICT

    @property
    def even(self) -> float | None:
        """The value with the first bot if all seats were equal; None where the figure has none."""
        return None if self.evens is None else self.evens[0]

    def find_side_of_even(self, bot: int) -> int:
        """The side of the even value on which the interval with bot number `bot` lies: -1 or 1; 0 if it contains the even value."""
        if self.evens is None:
            return 0
        _, low, high = self.values[bot]
        return find_side_of_point(low, high, self.evens[bot])


INTERVALS_A_GAP = 3
"""The most intervals for one difference between two bots: of the value, in log odds, and of games beyond the bounds."""


def judge_claims(claims: Sequence[Claim]) -> tuple[list[JudgedClaim], float]:
    """(every claim with its verdict, the width of the intervals in normal standard errors at which all of them hold simultaneously)."""
    z = compute_bonferroni_z(max(1, sum(len(one.seen) + INTERVALS_A_GAP * (len(one.seen) - 1) for one in claims)))
    return [_judge_claim(one, z) for one in claims], z


def _judge_claim(claim: Claim, z: float) -> JudgedClaim:
    """A claim with its verdict. `z`: the width of intervals in normal standard errors."""
    within = _find_common_bounds(claim)
    values = tuple(one.compute_estimate(z, within) for one in claim.seen)
    near = max(
        claim.least, SHARE_NEAR if claim.figure.share else MEAN_NEAR * abs(claim.seen[0].compute_base_value(within))
    )
    apart = [
        combine_any(
            judge_differs(*_to_low_high_value(_subtract_estimates(values[0], value)), near),
            *_judge_ratios(claim, k, z),
            *_judge_unclipped_means(claim, k, z, within, near),
        )
        for k, value in enumerate(values[1:], 1)
    ]
    line = JudgedClaim(claim.figure, values, claim.evens, combine_any(*apart) if apart else Verdict.NOT_ENOUGH)
    return replace(line, one_side=_judge_one_side(line), beyond=_format_extremes_remark(claim, within))


def judge_estimates(figure: Figure, values: Sequence[Estimate], evens: tuple[float, ...] | None) -> JudgedClaim:
    """The verdict on given values with intervals, one for each bot; shares are compared by their log odds too."""
    near = SHARE_NEAR if figure.share else MEAN_NEAR * abs(values[0][0])
    odds = figure.share and all(low >= 0.0 and high <= 1.0 for _, low, high in values)
    apart = [judge_differs(*_to_low_high_value(_subtract_estimates(values[0], value)), near) for value in values[1:]]
    if odds:
        one, *others = (_transform_estimate(value, compute_log_odds) for value in values)
        apart += [
            judge_differs(*_to_low_high_value(_subtract_estimates(one, other)), LOG_ODDS_NEAR) for other in others
        ]
    line = JudgedClaim(figure, tuple(values), evens, combine_any(*apart) if apart else Verdict.NOT_ENOUGH)
    return replace(line, one_side=_judge_one_side(line))


def _to_low_high_value(value: Estimate) -> tuple[float, float, float]:
    """(low, high, value) of an estimate."""
    middle, low, high = value
    return low, high, middle


def _judge_ratios(claim: Claim, bot: int, z: float) -> list[Verdict]:
    """Do the first bot and bot number `bot` differ in the log odds of a share, or the logarithm of a count? Empty for other means."""
    one, other = (seen.compute_log_size(z, claim.least) for seen in (claim.seen[0], claim.seen[bot]))
    return (
        []
        if one is None or other is None
        else [judge_differs(*_to_low_high_value(_subtract_estimates(one, other)), LOG_ODDS_NEAR)]
    )


def _judge_unclipped_means(claim: Claim, bot: int, z: float, within: Bounds, tolerance: float) -> list[Verdict]:
    """Do the means of the first bot and of bot number `bot` differ if games beyond the bounds count in full?

    No where the plain interval says so. Yes only where the shares of games beyond the bounds differ, since the plain interval of a
    heavy tail is too narrow for that. Empty where no game lies beyond the bounds.
    """
    seen = (claim.seen[0], claim.seen[bot])
    sides = [side for one in seen for side in one.unbounded_values]
    if not any(np.any((side < within[0]) | (side > within[1])) for side in sides):
        return []
    plain = _subtract_estimates(*(one.compute_estimate(z, NO_BOUNDS) for one in seen))
    if judge_within(*plain[1:], tolerance) is Verdict.YES:
        return [Verdict.NO]
    (k_one, n_one), (k_other, n_other) = (_count_games_beyond(one, within) for one in seen)
    low, high = compute_share_difference_interval((k_other, n_other), (k_one, n_one), z)
    return [Verdict.YES if find_side_of_point(low, high) and abs(plain[0]) > tolerance else Verdict.NOT_ENOUGH]


def _count_games_beyond(evidence: Evidence, within: Bounds) -> tuple[int, int]:
    """(number of games beyond the bounds, number of games) of one bot; where a change is compared, of the games with the change."""
    side = evidence.unbounded_values[-1]
    return int(((side < within[0]) | (side > within[1])).sum()), len(side)


def _judge_one_side(claim: JudgedClaim) -> Verdict:
    """Do the values of all bots lie on one side of the even value? No if two lie on opposite sides."""
    sides = {claim.find_side_of_even(k) for k in range(len(claim.values))}
    if {-1, 1} <= sides:
        return Verdict.NO
    return Verdict.YES if len(sides) == 1 and 0 not in sides else Verdict.NOT_ENOUGH


def _find_common_bounds(claim: Claim) -> Bounds:
    """The bounds at which all bots' numbers are capped: the widest ones that any bot's games give."""
    found = [NO_BOUNDS[::-1]]
    for one in claim.seen:
        for side in one.unbounded_values:
            some = side[side != 0]
            found.append(compute_bounds_from_pilot(some) if len(some) else (0.0, 0.0))
            found += [(0.0, 0.0)] if len(some) < len(side) else []
    low, high = min(one[0] for one in found), max(one[1] for one in found)
    return (low, high) if low <= high else NO_BOUNDS


def _format_extremes_remark(claim: Claim, within: Bounds) -> str:
    """A remark on the games beyond the bounds if they change the mean much; else empty."""
    low, high = within
    say = claim.figure.format_value
    for side in (side for one in claim.seen for side in one.unbounded_values):
        beyond = int(((side < low) | (side > high)).sum())
        plain, kept = float(side.mean()), float(np.clip(side, low, high).mean())
        if beyond and abs(plain - kept) > MIN_SHARE_MOVED * abs(kept):
            return (
                f"{claim.figure.label}: {format_count_with_noun(beyond, 'game')} outside {say(low)} to {say(high)} "
                f"{'was' if beyond == 1 else 'were'} capped there; the plain mean is {say(plain)}"
            )
    return ""


def _subtract_estimates(one: Estimate, other: Estimate) -> Estimate:
    """The difference between two bots' estimates with its interval, from the two intervals (Newcombe's method)."""
    (a, a_low, a_high), (b, b_low, b_high) = one, other
    return b - a, b - a - math.hypot(b - b_low, a_high - a), b - a + math.hypot(b_high - b, a - a_low)


def describe_shared_evaluation(bots: Sequence[str]) -> str:
    """A sentence where all these bots, named in words, judge positions by one evaluation; else empty.

    For example, greedy bots with more and less noise have one evaluation, and so the same blind spots.
    """
    kinds = {re.split(r"[ :(]", one, maxsplit=1)[0] for one in bots}
    if len(bots) < 2 or len(kinds) > 1:
        return ""
    return f"All of these bots are {kinds.pop()}: they share one judgement, so what it is blind to, none of them shows."
