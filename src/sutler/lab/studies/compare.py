"""Comparing two versions of a game: equal seeds and seats on both sides, and an answer as soon as it is clear.

Every game is played twice, once on each side, from the same seed with the same bots in the same seats. Where an edit does not change the
course of a game, both sides are equal to the last decision and the noise cancels; where it does, the two courses soon part. Pairing can
only narrow the intervals; their validity does not depend on it.

Results are inspected at fixed numbers of games (`anytime_intervals.iter_inspection_sizes`), so equal seeds give equal answers on every
machine. The intervals hold for all figures, at all inspections, together: alpha is split evenly among the figures (Bonferroni), and each
part pays for a confidence sequence (`anytime_intervals.compute_anytime_interval`), which holds for any numbers between bounds. Shares
have bounds. Scores and lengths have none, and one game in a thousand may be three hundred times as long as the others: they get bounds
from the first pairs (`anytime_intervals.compute_bounds_from_pilot`), which are not counted afterwards, and a game beyond counts as the
bound. So the mean that is judged cannot depend on a few games; the number of games beyond is reported, and the share of too long games is
a figure of its own. A figure is settled when

- its interval excludes zero: it is more, or less;
- its interval lies within what is too small to matter (`near`: two percentage points of a share of games; a tenth of a middle half; for
  other figures `smallest` standard deviations of one game of the first side) around zero;
- no game has differed, and at most a hundredth of all games can: it is unchanged.

The comparison stops when all figures are settled, or the games are used up. Its sentences are made from these verdicts only
(`stats.three_valued_verdict`), in this order: what moved and by how much; what surely did not; what is open, and how many
games it would take.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from sutler.core.play.game import Game
from sutler.lab.play.headline_figures import (
    Figure,
    Numbers,
    compute_game_figures,
    describe_constant_shares,
    require_known_figures,
    select_figures,
)
from sutler.lab.play.provenance import collect_provenance, describe_bots_for_claim, list_bot_descriptions
from sutler.lab.play.query import Query
from sutler.lab.play.simulate import simulate
from sutler.lab.stats.anytime_intervals import (
    FIRST_LOOK_GAMES,
    PILOT_PAIRS,
    compute_anytime_interval,
    compute_bounds_from_pilot,
    compute_max_unseen_share,
    iter_inspection_sizes,
)
from sutler.lab.stats.estimates import round_up_games
from sutler.lab.stats.three_valued_verdict import SHARE_MATTERS, Verdict, find_side_of_point, judge_moved

ALPHA, SMALLEST_EFFECT_SD, MAX_GAMES_A_SIDE = 0.05, 0.1, 20_000
SAME_MAX_SHARE = 0.01  # a figure that differs in no game is unchanged once at most this share of games can differ
FEW_GAMES = 5  # how many games are few, where their part of a mean is computed
MAX_FIGURES_NAMED = 4  # in a sentence; the table has all figures
MAX_GAMES_ADVISED = 1_000_000  # on each side; more are never advised
HEAVY_TAIL_SHARE = 0.1  # if FEW_GAMES games make up a larger part of a mean, that is reported
SPREAD_FIGURES = ("score", "turns", "decisions")
"""Figures whose spread between games is also a figure; decisions only where turns are not counted."""
MIDDLE_HALF = "_middle_half"  # the end of the name of a spread
MIDDLE_OF = 8  # games in a group, of which the middle half is four
VERDICT_WORDS = {
    "more": "more",
    "less": "less",
    "alike": "too small to matter",
    "same": "the same",
    "open": "undecided",
}


@dataclass(frozen=True)
class Tail:
    """The bounds of a figure, the number of games beyond them, and how much the means without bounds depend on a few games."""

    low: float
    high: float
    beyond: int  # games beyond the bounds, on both sides together
    games: int  # all games, on both sides together
    means: tuple[float, float]  # of all games on each side, without bounds
    few: float  # the largest share of a side's total that FEW_GAMES games make up

    @property
    def is_heavy(self) -> bool:
        """Do a few games make up a part of the mean without bounds so large that it should not be trusted?"""
        return self.few > HEAVY_TAIL_SHARE


@dataclass(frozen=True)
class Effect:
    """The effect of a change on one figure: the means on sides a and b, their difference with its interval, and the verdict."""

    figure: Figure
    a: float
    b: float
    effect: float
    low: float
    high: float
    sd: float  # standard deviation over games of side a
    units: int  # pairs of games, or of whole rotations of the seats where bots differ
    differ: int  # number of units that differ between the sides
    near: float  # the largest effect too small to matter, in the figure's own unit
    moved: Verdict
    tail: Tail | None = None  # None for shares

    @property
    def verdict(self) -> str:
        """The verdict as a key of VERDICT_WORDS.

        More, less, alike (surely too small to matter), same (no game differs), open.
        """
        if self.moved is Verdict.YES:
            return "more" if find_side_of_point(self.low, self.high) > 0 else "less"
        if self.moved is Verdict.NOT_ENOUGH:
            return "open"
        return "alike" if self.differ else "same"

    @property
    def is_settled(self) -> bool:
        """Is the verdict on this figure known?"""
        return self.moved is not Verdict.NOT_ENOUGH

    @property
    def label(self) -> str:
        """The figure's label; for a figure without bounds that of its capped mean ("usual score")."""
        return self.figure.label if self.tail is None else self.figure.capped_label

    @property
    def plain_effect(self) -> float | None:
        """The difference of the means without bounds; None for shares, which are always bounded."""
        return None if self.tail is None else self.tail.means[1] - self.tail.means[0]

    @property
    def is_contradicted(self) -> bool:
        """Does the difference of the means without bounds lie outside the interval, because of games beyond the bounds?"""
        if self.tail is None or self.plain_effect is None or not self.tail.beyond:
            return False
        return find_side_of_point(self.low, self.high, self.plain_effect) != 0

    @property
    def share_of_pairs_that_differ(self) -> float:
        """The share of all pairs of games that differ in this figure; pairs of the pilot are included."""
        return self.differ / (self.units + (0 if self.tail is None else PILOT_PAIRS))


@dataclass(frozen=True)
class Comparison:
    """The answer so far: an effect on every figure, after `games` games on each side."""

    games: int
    most: int
    alpha: float
    smallest: float
    effects: tuple[Effect, ...]
    tables: tuple[pl.DataFrame, pl.DataFrame]
    seconds: float
    about: dict[str, Any]

    @property
    def who(self) -> str:
        """The bots of the comparison, in the words that each claim uses."""
        one, other = (describe_bots_for_claim(side["bots"], side["seats"]) for side in self.about["sides"].values())
        return one if one == other else f"(a {one}, b {other})"

    def estimate_games_needed(self, effect: Effect) -> int | None:
        """The total number of games on each side that an open figure needs; None for a settled figure, or where no number is enough.

        If the effect stays as seen, so many games make its interval exclude zero, or lie within what is too small to matter, whichever
        is sooner. Intervals narrow about as one over the root of the number of games.
        """
        if effect.is_settled:
            return None
        if not effect.differ:
            return max(
                self.games + 1, math.ceil(math.log(self.alpha / len(self.effects)) / math.log(1 - SAME_MAX_SHARE))
            )
        seen, below, above = effect.effect, effect.effect - effect.low, effect.high - effect.effect
        to_zero = (below if seen > 0 else above) / abs(seen) if seen else math.inf
        room = effect.near - abs(seen)
        to_near = max(below / (effect.near + seen), above / (effect.near - seen)) if room > 0 else math.inf
        ratio = min(to_zero, to_near)
        return max(self.games + 1, math.ceil(self.games * ratio**2)) if math.isfinite(ratio) else None

    @property
    def is_hopeless(self) -> bool:
        """Are all open figures expected to need more games than allowed? Always False before a tenth of the games is played."""
        needed = [self.estimate_games_needed(one) for one in self.effects if not one.is_settled]
        return self.games * 10 >= self.most and all(n is not None and n > self.most for n in needed)

    def list_games_that_would_settle(self) -> list[str]:
        """Texts, by ascending number of games: the figures that this many games would settle, and the option to ask for them."""
        found: dict[int, list[str]] = {}
        for one in self.effects:
            if (needed := self.estimate_games_needed(one)) is not None:
                found.setdefault(min(round_up_games(needed), MAX_GAMES_ADVISED + 1), []).append(one.label)
        return [
            f"more than {MAX_GAMES_ADVISED:,} games: {', '.join(labels)}"
            if games > MAX_GAMES_ADVISED
            else f"--games {games} for {', '.join(labels)}"
            for games, labels in sorted(found.items())
        ]

    def _format_advice(self, open_effects: Sequence[Effect]) -> str:
        """A phrase that says how many games to play to settle all of these figures."""
        needed = [n for one in open_effects if (n := self.estimate_games_needed(one)) is not None]
        within = [n for n in needed if n <= MAX_GAMES_ADVISED]
        if not within:
            return f"more than {MAX_GAMES_ADVISED:,} games a side would be needed"
        more = len(needed) - len(within)
        rest = f" ({more} of them {'needs' if more == 1 else 'need'} more than {MAX_GAMES_ADVISED:,})"
        return f"try --games {round_up_games(max(within))}" + (rest if len(within) < len(needed) else "")

    @property
    def is_settled(self) -> bool:
        """Is every figure settled?"""
        return all(one.is_settled for one in self.effects)

    def answer(self) -> str:
        """The answer in sentences: what moved and by how much, what surely did not, what is open and how many games that would take."""
        moved = [one for one in self.effects if one.moved is Verdict.YES]
        still = sorted(
            (one for one in self.effects if one.moved is Verdict.NO), key=lambda one: is_derived_figure(one.figure)
        )
        open_ = [one for one in self.effects if one.moved is Verdict.NOT_ENOUGH]
        on = f"{self.games:,} games a side {self.who}"
        said = []
        if moved:
            moved = sorted(moved, key=lambda one: -abs(one.effect) / max(one.near, 1e-12))
            said.append(f"It makes a difference {self.who}: {'; '.join(_describe_effect(one) for one in moved)}.")
        if still and not moved and not open_:
            said.append(f"Nothing that matters moves, in {on}: all {len(still)} figures are surely too near to zero.")
        elif still:
            told = ", ".join(one.label for one in still[:MAX_FIGURES_NAMED])
            told += f" and {len(still) - MAX_FIGURES_NAMED} more" if len(still) > MAX_FIGURES_NAMED else ""
            said.append(f"Surely not by anything that matters: {told} ({len(still)} of {len(self.effects)} figures).")
        if open_:
            first = "Still open" if moved or still else f"Nothing is decided by {on}"
            told = "; ".join(_describe_open_effect(one) for one in open_[:MAX_FIGURES_NAMED])
            told += f"; and {len(open_) - MAX_FIGURES_NAMED} more" if len(open_) > MAX_FIGURES_NAMED else ""
            said.append(f"{first}: {told}. For an answer {self._format_advice(open_)}.")
        said += [self._describe_contradiction(one) for one in self.effects if one.is_contradicted]
        said += describe_constant_shares(
            {one.figure: [one.a, one.b] for one in self.effects}, bool(self.about.get("together"))
        )
        return " ".join(said)

    def _describe_contradiction(self, effect: Effect) -> str:
        """A warning where the unbounded means contradict the capped figure."""
        assert effect.tail is not None
        assert effect.plain_effect is not None
        say, plain = effect.figure.format_value, effect.plain_effect
        share = effect.tail.beyond / max(1, effect.tail.games)
        return (
            f"Careful: the plain mean of {effect.figure.plain_label} changes by {say(plain, signed=True)}, not "
            f"{say(effect.effect, signed=True)}: "
            f"{share:.1%} of games lie outside {say(effect.tail.low)} to {say(effect.tail.high)} and are capped in the usual figure."
        )

    def describe_differences_too_small(self) -> str:
        """A sentence that says, for each figure in its unit, up to which size a difference does not matter."""
        shares = f"{100 * SHARE_MATTERS:g} points of a hundred for a share of games"
        others = [
            f"{one.figure.format_value(one.near)} of {one.figure.plain_label}"
            for one in self.effects
            if not one.figure.share
        ]
        return f"“{VERDICT_WORDS['alike'].capitalize()}”: surely less than {', '.join([shares, *others])}."

    def describe_games_beyond_bounds(self) -> list[str]:
        """Remarks on figures with games beyond their bounds: how many, and whether the plain mean can be trusted."""
        strays = [one for one in self.effects if one.tail is not None and one.tail.beyond]
        light = [
            _describe_capped_games(one, one.tail) for one in strays if one.tail is not None and not one.tail.is_heavy
        ]
        said = [f"Capped in the usual figures: {'; '.join(light)}."] if light else []
        return said + [
            _describe_heavy_tail(one, one.tail) for one in strays if one.tail is not None and one.tail.is_heavy
        ]

    def list_effect_rows(self) -> list[dict[str, Any]]:
        """The effects as plain data, one mapping for each figure."""
        return [
            {
                "figure": one.figure.name,
                "label": one.figure.label,
                "a": one.a,
                "b": one.b,
                "effect": one.effect,
                "low": one.low,
                "high": one.high,
                "sd": one.sd,
                "differ": one.share_of_pairs_that_differ,
                "near": one.near,
                "tail": None if one.tail is None else vars(one.tail) | {"heavy": one.tail.is_heavy},
                "verdict": one.verdict,
            }
            for one in self.effects
        ]

    def data(self) -> dict[str, Any]:
        """All results except the games, as data for JSON."""
        return self.about | {
            "games": self.games,
            "most": self.most,
            "alpha": self.alpha,
            "smallest": self.smallest,
            "settled": self.is_settled,
            "answer": self.answer(),
            "effects": self.list_effect_rows(),
        }

    def join_games_of_both_sides(self) -> pl.DataFrame:
        """The games of both sides as one table; its column `side` is "a" or "b"."""
        a, b = (table.with_columns(side=pl.lit(side)) for table, side in zip(self.tables, "ab", strict=True))
        return pl.concat([a, b])


def is_derived_figure(figure: Figure) -> bool:
    """Is the figure derived from another one, such as the share of games beyond its bounds?"""
    return figure.name == "long" or figure.name.endswith(("_beyond", MIDDLE_HALF))


def _describe_effect(effect: Effect) -> str:
    """An effect with its interval, in words."""
    return f"{effect.label} {effect.figure.format_value(effect.effect, signed=True)} ({format_effect_interval(effect)})"


def _describe_open_effect(effect: Effect) -> str:
    """An open effect, in words."""
    return (
        f"{effect.label} between {format_effect_interval(effect, ' and ')}"
        if effect.differ
        else f"{effect.label} (no game differs yet)"
    )


def _describe_capped_games(effect: Effect, tail: Tail) -> str:
    """A phrase on how many games lie beyond a figure's bounds."""
    say = effect.figure.format_value
    games = "game" if tail.games == 1 else "games"
    return f"{effect.figure.plain_label}, {tail.beyond:,} of {tail.games:,} {games} outside {say(tail.low)} to {say(tail.high)}"


def _describe_heavy_tail(effect: Effect, tail: Tail) -> str:
    """A warning that a few games make up much of a figure's means without bounds."""
    first, second = (effect.figure.format_value(mean) for mean in tail.means)
    return (
        f"{_describe_capped_games(effect, tail)}: {FEW_GAMES} games make up {tail.few:.0%} of the plain means, {first} and {second}; "
        "go by the share of strays."
    )


def format_effect_interval(effect: Effect, separator: str = " to ") -> str:
    """The interval of an effect as text, with `separator` between its ends."""
    return (
        effect.figure.format_value(effect.low, signed=True)
        + separator
        + effect.figure.format_value(effect.high, signed=True)
    )


def judge_figure(
    figure: Figure,
    values_a: Numbers,
    values_b: Numbers,
    alpha: float,
    smallest: float,
    rotation: int = 1,
    equal_games: int = 1,
) -> Effect:
    """The effect of a change on one figure, from the figure's values in pairs of games, one on each side.

    `smallest`: the smallest effect that matters, in standard deviations. `rotation`: so many games in a row, in which each bot has sat
    in each seat, count as one (see `compute_rotation_means`). `equal_games`: how many games each number stands for, where none of them
    differs.
    """
    sd = float(values_a.std())
    near = compute_smallest_effect(figure, values_a, smallest)
    values_a, values_b = compute_rotation_means(values_a, rotation), compute_rotation_means(values_b, rotation)
    differ = int(np.count_nonzero(values_b - values_a))
    tail = None if figure.share else count_games_outside_bounds(values_a, values_b)
    low, high = (0.0, 1.0) if tail is None else (tail.low, tail.high)
    if tail is not None:
        if len(values_a) <= PILOT_PAIRS:  # all pairs belong to the pilot
            mean_a, mean_b = (float(np.clip(side, low, high).mean()) for side in (values_a, values_b))
            wide, open_ = high - low, Verdict.NOT_ENOUGH
            return Effect(figure, mean_a, mean_b, mean_b - mean_a, -wide, wide, sd, 0, differ, near, open_, tail)
        values_a, values_b = (np.clip(side[PILOT_PAIRS:], low, high) for side in (values_a, values_b))
    gaps, width = values_b - values_a, high - low
    n = len(gaps)
    effect, least, most = float(gaps.mean()), 0.0, 0.0
    if differ == 0:
        moved = Verdict.NO if compute_max_unseen_share(n * equal_games, alpha) <= SAME_MAX_SHARE else Verdict.NOT_ENOUGH
    else:
        least, most = compute_anytime_interval(gaps, -width, width, alpha)
        moved = judge_moved(least, most, near)
    return Effect(
        figure, float(values_a.mean()), float(values_b.mean()), effect, least, most, sd, n, differ, near, moved, tail
    )


def compute_smallest_effect(figure: Figure, values: Numbers, smallest: float) -> float:
    """The smallest change of a figure that matters: 2 points for a share, else `smallest` standard deviations of its values.

    For the spread of a figure it is `smallest` times its mean.
    """
    if figure.share:
        return SHARE_MATTERS
    return smallest * float(values.mean() if figure.name.endswith(MIDDLE_HALF) else values.std())


def count_games_outside_bounds(values_a: Numbers, values_b: Numbers) -> Tail:
    """The bounds that the pilot gives a figure, and the games beyond them."""
    low, high = compute_bounds_from_pilot(np.concatenate((values_a[:PILOT_PAIRS], values_b[:PILOT_PAIRS])))
    beyond = sum(int(_are_beyond_bounds(side, low, high).sum()) for side in (values_a, values_b))
    few = max(
        float(np.sort(np.abs(side))[-FEW_GAMES:].sum() / max(np.abs(side).sum(), 1e-300))
        for side in (values_a, values_b)
    )
    return Tail(low, high, beyond, len(values_a) + len(values_b), (float(values_a.mean()), float(values_b.mean())), few)


def _are_beyond_bounds(values: Numbers, low: float, high: float) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """For each value: does it lie beyond the bounds?"""
    return (values < low) | (values > high)


def _format_short_name(figure: Figure) -> str:
    """The figure's name with spaces."""
    return figure.name.replace("_", " ")


def derive_share_beyond(
    figure: Figure, values_a: Numbers, values_b: Numbers, rotation: int = 1
) -> tuple[Figure, Numbers, Numbers]:
    """The figure "share of games beyond the bounds" of a figure, as (figure, values of a, values of b).

    For decisions only longer games count.
    """
    tail = count_games_outside_bounds(values_a, values_b)
    skipped = min(-(-PILOT_PAIRS // rotation), len(values_a) // rotation - 1) * rotation
    if figure.name == "decisions":
        low, name, label = -math.inf, "long", f"over {tail.high:,.0f} decisions"
    else:
        low, name = tail.low, f"{figure.name}_beyond"
        label = f"strays ({_format_short_name(figure)})"
    beyond = Figure(
        name, label, "Share of games outside of what nearly all others are; there the usual figure is capped.", True
    )
    one, other = (
        _are_beyond_bounds(side[skipped:], low, tail.high).astype(np.float64) for side in (values_a, values_b)
    )
    return beyond, one, other


def derive_middle_half(
    figure: Figure, values_a: Numbers, values_b: Numbers, rotation: int = 1
) -> tuple[Figure, Numbers, Numbers]:
    """The figure "spread between games" of a figure, as (figure, values of a, values of b), one value for each group of MIDDLE_OF games.

    The number is the width of the middle half of the group: two of eight games may lie as far away on each side as they like without
    changing it. Where bots differ, a group has games of MIDDLE_OF rotations (`rotation` games each).
    """
    name = Figure(
        figure.name + MIDDLE_HALF,
        f"middle half of games ({_format_short_name(figure)})",
        f"How far apart games are: from the lower to the upper end of the middle half of {MIDDLE_OF} games, on average.",
    )
    one, other = (compute_middle_halves(_split_into_whole_groups(side, rotation)) for side in (values_a, values_b))
    return name, one, other


def _split_into_whole_groups(values: Numbers, rotation: int) -> Numbers:
    """The values, in order, in groups with one game from each of MIDDLE_OF rotations: shape (groups x rotation, MIDDLE_OF)."""
    whole = values[: len(values) // (MIDDLE_OF * rotation) * MIDDLE_OF * rotation]
    return whole.reshape(-1, MIDDLE_OF, rotation).transpose(0, 2, 1).reshape(-1, MIDDLE_OF)


def compute_middle_halves(groups: Numbers) -> Numbers:
    """The widths of the middle halves of groups of values, shape (groups, MIDDLE_OF)."""
    ordered, out = np.sort(groups, axis=1), MIDDLE_OF // 4
    found: Numbers = ordered[:, MIDDLE_OF - 1 - out] - ordered[:, out]
    return found


def compute_rotation_means(values: Numbers, rotation: int) -> Numbers:
    """The means over whole rotations of the seats.

    Where bots differ, such means have equal distributions, which single games have not.
    """
    return values if rotation == 1 else values[: len(values) // rotation * rotation].reshape(-1, rotation).mean(axis=1)


def judge_figures(
    a: Mapping[Figure, Numbers],
    b: Mapping[Figure, Numbers],
    alpha: float = ALPHA,
    smallest: float = SMALLEST_EFFECT_SD,
    rotation: int = 1,
) -> tuple[Effect, ...]:
    """The effects on all figures and on figures derived from them; alpha is the error of all of them together.

    From a figure without bounds are derived the share of games beyond its bounds and, for scores and lengths, the spread between games.
    """
    figures: list[tuple[Figure, Numbers, Numbers]] = []
    spread = [name for name in SPREAD_FIGURES if name != "decisions" or all(one.name != "turns" for one in a)]
    for figure in a:
        figures.append((figure, a[figure], b[figure]))
        if not figure.share:
            figures.append(derive_share_beyond(*figures[-1], rotation))
            figures += [derive_middle_half(figure, a[figure], b[figure], rotation)] if figure.name in spread else []
    equal = {figure.name + MIDDLE_HALF for figure in a if np.array_equal(a[figure], b[figure])}
    return tuple(
        judge_figure(*one, alpha / len(figures), smallest, rotation, MIDDLE_OF if one[0].name in equal else 1)
        for one in figures
    )


@dataclass(frozen=True)
class Certainty:
    """The certainty that an answer must have.

    `alpha`: the probability of an error, over all figures and inspections together; `smallest`: the smallest effect that matters, in
    standard deviations of one game (for shares of games always two points); `give_up`: stop as soon as no open figure can be expected to
    be settled.
    """

    alpha: float = ALPHA
    smallest: float = SMALLEST_EFFECT_SD
    give_up: bool = False


DEFAULT_CERTAINTY = Certainty()


def require_comparable(a: Game, b: Game, games: int, certainty: Certainty) -> None:
    """Raise ValueError for versions of two different games, too few games, or an impossible certainty."""
    if a.name != b.name:
        raise ValueError(f"{a.title} and {b.title} are two games; compare two versions of one")
    if games < FIRST_LOOK_GAMES:
        raise ValueError(f"a comparison wants at least {FIRST_LOOK_GAMES} games, not {games}")
    if not 0 < certainty.alpha < 1 or certainty.smallest <= 0:
        raise ValueError("alpha lies between 0 and 1, the smallest effect is more than 0")


def iter_comparisons(
    query: str | Game | Query,
    other: str | Game | Query,
    figures: Sequence[str] = (),
    certainty: Certainty = DEFAULT_CERTAINTY,
) -> Iterator[Comparison]:
    """Yield the answer after every inspection, the last when all figures are settled or the query's games are played.

    `query`: the first side. `other`: the version that the second side plays, with equal bots and seats; or a query of its own, where
    bots or seats differ too, whose games, seed and threads do not count. `figures`: names of those to compare, all if empty; only
    figures that both sides have are compared. An answer stays valid where the caller stops earlier. ValueError where the question cannot
    be asked.
    """
    query = Query.from_game(query)
    other = other if isinstance(other, Query) else replace(query, game=other)
    a, b = query.version, other.version
    games, seed = query.get_games_or(MAX_GAMES_A_SIDE), query.seed
    alpha, smallest = certainty.alpha, certainty.smallest
    require_comparable(a, b, games, certainty)
    start = time.perf_counter()
    sides = (query, other)
    for side in sides:
        require_known_figures(side.version, side.bots, side.n_seats, figures)
    rotation = math.lcm(*(side.games_per_rotation for side in sides))
    about = _build_metadata(query, other)
    played: tuple[list[pl.DataFrame], list[pl.DataFrame]] = ([], [])
    done = 0
    for until in iter_inspection_sizes(games, rotation):
        for k, (side, tables) in enumerate(zip(sides, played, strict=True)):

            def report_games_done(now: int, _: int, before: int = done, half: int = k * (until - done)) -> None:
                query.report_progress(before + (half + now) // 2, games)

            more = until - done
            tables.append(
                simulate(
                    side.version,
                    side.bots,
                    more,
                    seed + done,
                    threads=query.threads,
                    seats=side.n_seats,
                    progress=report_games_done,
                )
            )
        done = until
        query.report_progress(done, games)
        first, second = (pl.concat(tables) for tables in played)
        before, after = (
            select_figures(compute_game_figures(a.definition, table), list(figures)) for table in (first, second)
        )
        both = [figure for figure in before if figure in after]  # a role may be missing in the games of one side
        before, after = ({figure: side[figure] for figure in both} for side in (before, after))
        effects = judge_figures(before, after, alpha, smallest, rotation)
        found = Comparison(done, games, alpha, smallest, effects, (first, second), time.perf_counter() - start, about)
        yield found
        if found.is_settled or (certainty.give_up and found.is_hopeless):
            return


def compare(query: str | Game | Query, other: str | Game | Query, **question: Any) -> Comparison:
    """The last answer of `iter_comparisons`, with the same arguments."""
    *_, last = iter_comparisons(query, other, **question)
    return last


def _build_metadata(query: Query, other: Query) -> dict[str, Any]:
    """The metadata of a comparison: both boxes, bots, seed, versions, command."""
    a = query.version
    sides = {
        side: {"box": game.box_hash, "edit": game.edit, "settings": game.settings, "options": game.changed_options()}
        | {"bots": list_bot_descriptions(at.bots, game), "seats": at.n_seats}
        for side, game, at in (("a", a, query), ("b", other.version, other))
    }
    shared = {key: value for key, value in collect_provenance(a).items() if key not in ("box", "options", "settings")}
    who = {key: sides["a"][key] for key in ("bots", "seats")}
    return (
        shared
        | {"title": a.title, "together": bool(a.definition.COOPERATIVE), "sides": sides, "seed": query.seed}
        | who
    )


def is_same_box(a: Game, b: Game) -> bool:
    """Do both sides have equal boxes and options?"""
    return bool(a.box.tobytes() == b.box.tobytes())
