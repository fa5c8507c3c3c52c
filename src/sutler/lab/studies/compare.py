"""Compare two versions of a game: the same seeds and seats on both sides, and an answer as soon as it is clear.

Every game is played twice, once a side, from the same seed with the same bots in the same seats. Where an edit leaves
the course of a game alone, both sides are alike to the last decision and the noise cancels; where it does not, the two
courses soon part. Pairing can only narrow the intervals; their validity does not depend on it.

Looks are taken at fixed numbers of games (`anytime_intervals.look_schedule`), so the same seed gives the same answer on
every machine. The intervals hold for all figures, at all looks, together: alpha is split evenly among the figures
(Bonferroni), and each share of it pays for a confidence sequence (`anytime_intervals.confidence_sequence`), which holds
for any numbers between bounds. Shares have bounds. Scores and lengths have none, and their tails may hold a game in a
thousand that is three hundred times as long: they get bounds from the first pairs
(`anytime_intervals.bounds_from_pilot`), which are not counted afterwards, and a game beyond counts as the bound. So the
mean that is judged cannot depend on a few games; the number of games beyond is reported, and the share of too long
games is a figure of its own. A figure is settled when

- its interval leaves out zero: it is more, or less;
- its interval lies within `smallest` standard deviations (of one game of the first side) around zero: it is alike;
- no game has differed, and a hundredth of all games at most do: it is the same.

When all are settled, or the games are used up, it stops.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from sutler.core.game import Game
from sutler.lab.play.figures import Figure, Numbers, figures_of_games, require_figures, select_figures
from sutler.lab.play.provenance import bots_in_words, descriptions_of_bots, provenance
from sutler.lab.play.query import Query
from sutler.lab.play.simulate import simulate
from sutler.lab.stats.anytime_intervals import (
    FIRST_LOOK_GAMES,
    PILOT_PAIRS,
    bounds_from_pilot,
    confidence_sequence,
    look_schedule,
    max_unseen_share,
)

ALPHA, SMALLEST_EFFECT_SD, MAX_GAMES_A_SIDE = 0.05, 0.1, 20_000
SAME_MAX_SHARE = (
    0.01  # a figure that no game has changed is the same once so small a share of games is left in which it could
)
FEW_GAMES = 5  # games
MAX_FIGURES_NAMED = 4  # of unclear figures so many are told with their intervals; the table has all
HEAVY_TAIL_SHARE = 0.1  # of a mean; when FEW games make up more than that of it, it is said that they do
LENGTH_FIGURES = ("turns", "decisions")  # figures of which the share of long games is one of its own
VERDICT_WORDS = {
    "more": "more",
    "less": "less",
    "alike": "no matter",
    "same": "the same",
    "open": "unclear",
}


@dataclass(frozen=True)
class Tail:
    """The games beyond the bounds of a figure, and how much the plain means depend on a few games."""

    low: float
    high: float
    beyond: int  # games of either side
    means: tuple[float, float]  # of all games on either side, without bounds
    few: float  # the largest share of a side's total that FEW_GAMES games make up

    @property
    def heavy(self) -> bool:
        """Do a few games make up so much of the plain mean that it should not be trusted?"""
        return self.few > HEAVY_TAIL_SHARE


@dataclass(frozen=True)
class Effect:
    """The effect of an edit on one figure: its mean on either side, the difference with its interval, and the verdict."""

    figure: Figure
    a: float
    b: float
    effect: float
    low: float
    high: float
    sd: float  # of one game of the first side
    units: int  # pairs of games, or of whole rotations of the seats where bots differ
    differ: int  # number of units that differ between the sides
    verdict: str
    tail: Tail | None = None  # None for shares

    @property
    def settled(self) -> bool:
        """Has this figure a verdict?"""
        return self.verdict != "open"

    @property
    def part(self) -> float:
        """The share of all pairs that differ, the pilot's among them."""
        return self.differ / (self.units + (0 if self.tail is None else PILOT_PAIRS))


@dataclass(frozen=True)
class Comparison:
    """The answer so far: an effect for every figure, after `games` games a side."""

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
        """The bots of the comparison, in words: they stand beside every claim."""
        one, other = (bots_in_words(side["bots"], side["seats"]) for side in self.about["sides"].values())
        return one if one == other else f"(a {one}, b {other})"

    def games_needed(self, effect: Effect) -> int | None:
        """The number of games a side that an open figure needs in all, if what is seen stays.

        Until its interval leaves out zero, or lies within what does not matter, whichever is sooner. None where neither can be
        told.

        If the effect stays as seen, that many games make its interval leave out zero, or lie within what does not
        matter, whichever is sooner. Intervals narrow about as one over the root of the games.
        """
        half = (effect.high - effect.low) / 2
        near, seen = self.smallest * effect.sd, abs(effect.effect)
        room = max(seen, near - seen)
        if effect.settled or room <= 0 or half <= 0:
            return None
        return max(self.games, math.ceil(self.games * (half / room) ** 2))

    @property
    def hopeless(self) -> bool:
        """Does every open figure seem to need more games than there may be? Not judged before a tenth of them is played."""
        needed = [self.games_needed(one) for one in self.effects if not one.settled]
        return self.games * 10 >= self.most and all(n is not None and n > self.most for n in needed)

    def outlook(self) -> list[str]:
        """The games a side that each open figure needs, in words."""
        told = [(one, self.games_needed(one)) for one in self.effects if not one.settled]
        return [
            f"{one.figure.label}: about {n:,} games a side for an answer, {n - self.games:,} more than were played"
            for one, n in told
            if n is not None
        ]

    @property
    def settled(self) -> bool:
        """Is every figure settled?"""
        return all(one.settled for one in self.effects)

    def answer(self) -> str:
        """The answer in a sentence or two."""
        moved = [one for one in self.effects if one.verdict in ("more", "less")]
        unclear = [one for one in self.effects if not one.settled]
        said = []
        if moved:
            said.append(f"It makes a difference {self.who}: " + "; ".join(_effect_in_words(one) for one in moved) + ".")
        elif not unclear:
            said.append(f"No difference worth the name {self.who} in {self.games:,} games a side.")
        if unclear:
            widest = [_interval_between(one) for one in unclear if one.differ]
            widest = widest[:MAX_FIGURES_NAMED] + (
                [f"and {len(widest) - MAX_FIGURES_NAMED} more"] if len(widest) > MAX_FIGURES_NAMED else []
            )
            never = ", ".join(one.figure.label for one in unclear if not one.differ)
            widest += [f"no game differs yet in {never}"] if never else []
            said.append(f"Not enough difference to see in {self.games:,} games {self.who}: {'; '.join(widest)}.")
        return " ".join(said)

    def beyond(self) -> list[str]:
        """Remarks on figures with games beyond their bounds: how many, and whether the plain mean can be trusted."""
        return [
            _beyond_in_words(one.figure, one.tail) for one in self.effects if one.tail is not None and one.tail.beyond
        ]

    def rows(self) -> list[dict[str, Any]]:
        """The effects as plain data."""
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
                "differ": one.part,
                "tail": None if one.tail is None else vars(one.tail) | {"heavy": one.tail.heavy},
                "verdict": one.verdict,
            }
            for one in self.effects
        ]

    def data(self) -> dict[str, Any]:
        """Everything but the games, fit for JSON."""
        return self.about | {
            "games": self.games,
            "most": self.most,
            "alpha": self.alpha,
            "smallest": self.smallest,
            "settled": self.settled,
            "answer": self.answer(),
            "effects": self.rows(),
        }

    def games_of_both_sides(self) -> pl.DataFrame:
        """The games of both sides as one table; `side` says which."""
        a, b = (table.with_columns(side=pl.lit(side)) for table, side in zip(self.tables, "ab", strict=True))
        return pl.concat([a, b])


def _effect_in_words(one: Effect) -> str:
    return f"{one.figure.label} {one.figure.say(one.effect, sign=True)} ({format_interval(one)})"


def _interval_between(one: Effect) -> str:
    return f"{one.figure.label} between {format_interval(one, ' and ')}"


def _beyond_in_words(figure: Figure, tail: Tail) -> str:
    games = "1 game lies" if tail.beyond == 1 else f"{tail.beyond:,} games lie"
    said = f"{figure.label}: {games} beyond {figure.say(tail.low)} to {figure.say(tail.high)}, counted as the bound"
    if not tail.heavy:
        return f"{said}."
    one, other = (figure.say(mean) for mean in tail.means)
    instead = "go by the share of long games" if figure.name in LENGTH_FIGURES else "they say little of a usual game"
    return f"{said}; of the plain means, {one} and {other}, {FEW_GAMES} games make up {tail.few:.0%}: {instead}."


def format_interval(one: Effect, between: str = " to ") -> str:
    """An effect's interval in words."""
    return one.figure.say(one.low, sign=True) + between + one.figure.say(one.high, sign=True)


def judge_figure(figure: Figure, a: Numbers, b: Numbers, alpha: float, smallest: float, rotation: int = 1) -> Effect:
    """The estimate of one figure's difference after these games, the k-th of either side being a pair.

    `rotation`: so many games in a row, in which each bot has sat in each seat, count as one (see `_rotation_means`).
    """
    sd = float(a.std())
    a, b = _rotation_means(a, rotation), _rotation_means(b, rotation)
    differ = int(np.count_nonzero(b - a))
    tail = None if figure.share else _tail(a, b)
    low, high = (0.0, 1.0) if tail is None else (tail.low, tail.high)
    if tail is not None:
        a, b = (np.clip(side[PILOT_PAIRS:], low, high) for side in (a, b))
    gaps, width = b - a, high - low
    n, effect = len(gaps), float(gaps.mean())
    if differ == 0:
        verdict = "same" if max_unseen_share(n, alpha) <= SAME_MAX_SHARE else "open"
        return Effect(figure, float(a.mean()), float(b.mean()), 0.0, 0.0, 0.0, sd, n, 0, verdict, tail)
    least, most = confidence_sequence(gaps, -width, width, alpha)
    if least > 0 or most < 0:
        verdict = "more" if least > 0 else "less"
    else:
        verdict = "alike" if max(-least, most) <= smallest * sd else "open"
    return Effect(figure, float(a.mean()), float(b.mean()), effect, least, most, sd, n, differ, verdict, tail)


def _tail(a: Numbers, b: Numbers) -> Tail:
    """The bounds that the pilot gives a figure, and what lies beyond them."""
    low, high = bounds_from_pilot(np.concatenate((a[:PILOT_PAIRS], b[:PILOT_PAIRS])))
    beyond = sum(int(((side < low) | (side > high)).sum()) for side in (a, b))
    few = max(float(np.sort(np.abs(side))[-FEW_GAMES:].sum() / max(np.abs(side).sum(), 1e-300)) for side in (a, b))
    return Tail(low, high, beyond, (float(a.mean()), float(b.mean())), few)


def long_games(a: Numbers, b: Numbers) -> tuple[Figure, Numbers, Numbers]:
    """The share of games that take more decisions than the pilot's bound, as a figure of its own.

    It shows a heavy tail.
    """
    bound = _tail(a, b).high
    figure = Figure(
        "long", f"over {bound:,.0f} decisions", "Share of games longer than nearly all others are.", share=True
    )
    one, other = ((side[PILOT_PAIRS:] > bound).astype(np.float64) for side in (a, b))
    return figure, one, other


def _rotation_means(values: Numbers, rotation: int) -> Numbers:
    """Means over whole rotations of the seats: these are alike in distribution, single games are not where bots differ."""
    return values if rotation == 1 else values[: len(values) // rotation * rotation].reshape(-1, rotation).mean(axis=1)


def judge_figures(
    a: Mapping[Figure, Numbers],
    b: Mapping[Figure, Numbers],
    alpha: float = ALPHA,
    smallest: float = SMALLEST_EFFECT_SD,
    rotation: int = 1,
) -> tuple[Effect, ...]:
    """The effects on all figures, with the share of long games among them; alpha is the error of all of them together."""
    figures: list[tuple[Figure, Numbers, Numbers]] = [(figure, a[figure], b[figure]) for figure in a]
    figures += [long_games(one, other) for figure, one, other in figures if figure.name == "decisions"]
    return tuple(judge_figure(*one, alpha / len(figures), smallest, rotation) for one in figures)


@dataclass(frozen=True)
class Certainty:
    """The certainty asked of an answer.

    `error`: how often it may err, over all figures and looks together; the smallest effect that matters is in standard deviations of
    one game. `give_up`: stop as soon as no open figure can be expected to be settled.
    """

    alpha: float = ALPHA
    smallest: float = SMALLEST_EFFECT_SD
    give_up: bool = False


DEFAULT_CERTAINTY = Certainty()


def require_askable(a: Game, b: Game, games: int, certainty: Certainty) -> None:
    """ValueError for two games, too few games, or a certainty that is none."""
    if a.name != b.name:
        raise ValueError(f"{a.title} and {b.title} are two games; compare two versions of one")
    if games < FIRST_LOOK_GAMES:
        raise ValueError(f"a comparison wants at least {FIRST_LOOK_GAMES} games, not {games}")
    if not 0 < certainty.alpha < 1 or certainty.smallest <= 0:
        raise ValueError("alpha lies between 0 and 1, the smallest effect is more than 0")


def running_answers(
    query: str | Game | Query,
    other: str | Game | Query,
    figures: Sequence[str] = (),
    certainty: Certainty = DEFAULT_CERTAINTY,
) -> Iterator[Comparison]:
    """The answer after every look, the last one when all is settled or the query's games are played on either side.

    `query`: who plays what on the first side. `other`: the version that the second side plays, with the same bots and
    seats; or a query of its own, where bots or seats differ too, of which games, seed and threads do not count. The
    figures are those that both sides have. Whoever stops listening earlier may believe what was said last. ValueError when
    the question cannot be asked.
    """
    query = Query.of(query)
    other = other if isinstance(other, Query) else replace(query, game=other)
    a, b = query.version, other.version
    games, seed = query.games_or(MAX_GAMES_A_SIDE), query.seed
    alpha, smallest = certainty.alpha, certainty.smallest
    require_askable(a, b, games, certainty)
    start = time.perf_counter()
    sides = (query, other)
    for side in sides:
        require_figures(side.version, side.bots, side.n_seats, figures)
    rotation = math.lcm(*(side.rotation for side in sides))
    about = _about(query, other)
    played: tuple[list[pl.DataFrame], list[pl.DataFrame]] = ([], [])
    done = 0
    for until in look_schedule(games, rotation):
        for side, tables in zip(sides, played, strict=True):
            more = simulate(
                side.version, side.bots, until - done, seed + done, threads=query.threads, seats=side.n_seats
            )
            tables.append(more)
        done = until
        query.tell(done, games)
        first, second = (pl.concat(tables) for tables in played)
        before, after = (
            select_figures(figures_of_games(a.definition, table), list(figures)) for table in (first, second)
        )
        both = [figure for figure in before if figure in after]  # a role may be out of play on one side
        before, after = ({figure: side[figure] for figure in both} for side in (before, after))
        effects = judge_figures(before, after, alpha, smallest, rotation)
        found = Comparison(done, games, alpha, smallest, effects, (first, second), time.perf_counter() - start, about)
        yield found
        if found.settled or (certainty.give_up and found.hopeless):
            return


def compare(query: str | Game | Query, other: str | Game | Query, **question: Any) -> Comparison:
    """The answer, when it is clear or the games are used up; arguments as for `running_answers`."""
    *_, last = running_answers(query, other, **question)
    return last


def _about(query: Query, other: Query) -> dict[str, Any]:
    """The metadata of a comparison: both boxes, who played, from which seed, versions, the command."""
    a = query.version
    sides = {
        side: {"box": game.box_hash, "edit": game.edit, "settings": game.settings, "options": game.changed_options()}
        | {"bots": descriptions_of_bots(at.bots, game), "seats": at.n_seats}
        for side, game, at in (("a", a, query), ("b", other.version, other))
    }
    shared = {key: value for key, value in provenance(a).items() if key not in ("box", "options", "settings")}
    who = {key: sides["a"][key] for key in ("bots", "seats")}
    return shared | {"title": a.title, "sides": sides, "seed": query.seed} | who


def is_same_box(a: Game, b: Game) -> bool:
    """Do both sides play by the same box and options?"""
    return bool(a.box.tobytes() == b.box.tobytes())
