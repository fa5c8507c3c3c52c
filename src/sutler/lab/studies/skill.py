"""Skill depth: how much better play improves results, and how much of a seat's result is due to the player, the seat and the deal.

A ladder of bots goes from random over greedy to searches with more and more rounds. Two neighbours on the ladder meet in the same deals
again and again: once with the better one alone at each seat, once with the other one alone there, so that both bots hold each seat of each
deal. These games give two results.

*The step*: how often a seat of the better bot ends ahead of a seat of the other (ties count half), as Elo: 400 times the decimal
logarithm of the odds. Its interval is Wilson's, with a deal as one observation, and all steps of a ladder hold together.

*The parts of the variance* of a seat's result, which is the share of the other seats that it ends ahead of:

- who played: the variance of the two bots' means;
- the seat: the variance of the seats' means;
- the deal: the covariance of a seat's results with one bot in it and with the other, in games from one seed. Such games begin alike, and
  chance differs once a decision differs, so this is the luck of the deal for whoever holds that seat;
- the rest: later chance, and how the players' decisions interact.

Their intervals are jackknifed over deals. In a cooperative game nobody ends ahead: tables of one bot each play the same deals, and the
result is whether the table wins. All results are about these bots only: between better players the same game may be more, or less, a
matter of luck.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import bot_from
from sutler.lab.play.headline_figures import Numbers
from sutler.lab.play.provenance import collect_provenance, write_findings
from sutler.lab.play.query import Query
from sutler.lab.play.simulate import simulate
from sutler.lab.stats.estimates import compute_bonferroni_z, compute_student_t, compute_wilson_interval
from sutler.lab.stats.three_valued_verdict import find_side_of_point

LADDER = ("random", "greedy", "search:rounds=5", "search:rounds=20")
DEALS = 200  # of each step, unless the query says how many
SEARCHED_SHARE = 4  # a step with a bot that searches has so many times fewer deals by default
PARTS = ("who played", "seat", "deal", "rest")

Seating = tuple[int, ...]
"""The bot, 0 or 1, at each seat."""


@dataclass(frozen=True)
class Part:
    """The part of the variance that one source has, with its interval at 95 %."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.0%} ({self.low:.0%}–{self.high:.0%})"


@dataclass(frozen=True)
class Step:
    """Two neighbouring bots on the ladder: how often the better one ends ahead, and the parts of the variance, in `deals` deals."""

    lower: str
    upper: str
    ahead: float
    low: float
    high: float
    parts: tuple[Part, ...]
    deals: int
    games: int

    @property
    def label(self) -> str:
        """The step in words: `search 20 over greedy`."""
        return f"{format_short_name(self.upper)} over {format_short_name(self.lower)}"

    @property
    def elo(self) -> tuple[float, float, float]:
        """The step in Elo with the ends of its interval; infinite where one of the two bots never ends ahead."""
        value, low, high = (_compute_elo(one) for one in (self.ahead, self.low, self.high))
        return value, low, high

    @property
    def elo_in_words(self) -> str:
        """The step in Elo with its interval, in words."""
        value, low, high = self.elo
        if math.isinf(value) and value > 0:
            return f"more than {low:+.0f}".replace("-", "−")
        return f"{value:+.0f} ({low:+.0f} to {high:+.0f})".replace("-", "−")


@dataclass(frozen=True)
class Skill:
    """The steps so far, from the lowest bot up."""

    steps: tuple[Step, ...]
    about: dict[str, Any]

    @property
    def depth(self) -> tuple[float, float, float]:
        """The length of the whole ladder in Elo with the ends of its interval: the sum of the steps."""
        values, lows, highs = zip(*(one.elo for one in self.steps), strict=True)
        value = sum(values)
        if math.isinf(value) and value > 0:
            return value, sum(lows), value
        below = math.hypot(*(one - low for one, low in zip(values, lows, strict=True)))
        above = math.hypot(*(high - one for one, high in zip(values, highs, strict=True)))
        return value, value - below, value + above

    def answer(self) -> str:
        """Sentences on the depth, on which steps are seen, and on how much of the last one is due to the player and to luck."""
        if not self.steps:
            return "No step has been played yet."
        first, last = format_short_name(self.steps[0].lower), format_short_name(self.steps[-1].upper)
        ends = "Elo between tables that win together" if self.about.get("together") else "Elo"
        said = [f"From {first} to {last}: {describe_depth(self.steps)} {ends}."]
        told = [f"{one.label} {one.elo_in_words}{self._describe_doubt(one)}" for one in self.steps]
        said.append(f"{'; '.join(told)}.")
        top = self.steps[-1]
        who, seat, deal, rest = top.parts
        what = "whether a table wins" if self.about.get("together") else "where a seat ends"
        others = [f"the deal {deal}", f"the rest {rest}, chance on the way and how decisions meet"]
        others = others if self.about.get("together") else [f"the seat {seat}", *others]
        said.append(
            f"Between {format_short_name(top.upper)} and {format_short_name(top.lower)}, who played is {who} of {what}; "
            f"{'; '.join(others)}."
        )
        return " ".join(said)

    def _describe_doubt(self, one: Step) -> str:
        """A phrase for a step that is not significant or goes the wrong way; empty for others."""
        side = find_side_of_point(one.low, one.high, 0.5)
        return ", not told from level" if side == 0 else ", the wrong way round" if side < 0 else ""

    def table(self) -> pl.DataFrame:
        """A table with a row for each step."""
        rows = [
            {"lower": one.lower, "upper": one.upper, "deals": one.deals, "games": one.games}
            | {"ahead": one.ahead, "low": one.low, "high": one.high}
            | {
                f"{name.replace(' ', '_')}{end}": value
                for name, part in zip(PARTS, one.parts, strict=True)
                for end, value in (("", part.value), ("_low", part.low), ("_high", part.high))
            }
            for one in self.steps
        ]
        return pl.DataFrame(rows)

    def data(self, beside: Mapping[str, Sequence[Step]], seconds: float) -> dict[str, Any]:
        """All results as data for JSON. `beside`: the steps of known games, by title; `seconds`: of the processor."""
        ladders = {self.about["title"]: self.steps, **beside}
        return self.about | {
            "processor_seconds": round(seconds),
            "answer": self.answer(),
            "ladders": {title: [asdict(one) for one in steps] for title, steps in ladders.items()},
        }

    def write(self, path: Path) -> None:
        """Write the table as .parquet (with versions and command inside) or .csv."""
        write_findings(self.table(), path, self.about)


def parse_ladders(data: Mapping[str, Any]) -> dict[str, list[Step]]:
    """The steps of each game, by title, from the data that `Skill.data` made."""
    return {
        title: [Step(**{**one, "parts": tuple(Part(**part) for part in one["parts"])}) for one in steps]
        for title, steps in data["ladders"].items()
    }


def format_short_name(bot: str) -> str:
    """A bot of the ladder in words: `search 20`."""
    return bot.replace("search:rounds=", "search ")


def _compute_elo(share: float) -> float:
    """The Elo difference for a share of pairs in which one side ends ahead; infinite for 0 and 1."""
    if share <= 0.0 or share >= 1.0:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))


def list_two_bot_seatings(seats: int) -> list[Seating]:
    """The seatings of two bots (0 and 1): each seat in turn with bot 1 and all others with bot 0; then the reverse; no repeats."""
    alone = [tuple(int(k == seat) for k in range(seats)) for seat in range(seats)]
    return list(dict.fromkeys([*alone, *(tuple(1 - bot for bot in one) for one in alone)]))


def compute_shares_ahead(places: Numbers) -> Numbers:
    """For each seat, the share of the other seats that it ends ahead of, ties counting half. `places`: seats are the last axis."""
    mine, theirs = places[..., :, None], places[..., None, :]
    ahead = (mine < theirs) + 0.5 * (mine == theirs)
    n = places.shape[-1]
    found: Numbers = (ahead.sum(axis=-1) - 0.5) / (n - 1)
    return found


def compute_ahead_by_deal(places: Numbers, seatings: Sequence[Seating]) -> Numbers:
    """For each deal, the share of pairs of seats in which bot 1's seat ends ahead of bot 0's, ties counting half.

    `places`: shape (deals, seatings, seats); `seatings`: the seatings.
    """
    each = []
    for k, seating in enumerate(seatings):
        upper, lower = (places[:, k, [s for s, bot in enumerate(seating) if bot == who]] for who in (1, 0))
        pairs = (upper[:, :, None] < lower[:, None, :]) + 0.5 * (upper[:, :, None] == lower[:, None, :])
        each.append(pairs.mean(axis=(1, 2)))
    found: Numbers = np.mean(each, axis=0)
    return found


def estimate_variance_parts(results: Numbers, seatings: Sequence[Seating]) -> tuple[Part, ...]:
    """The parts of the variance in the order of PARTS, corrected for the noise of the means.

    `results`: the seats' results, shape (deals, seatings, seats); `seatings`: the seatings.
    """
    bots = np.array(seatings)
    rest = results - results.mean()
    by_bot = np.stack([rest[:, bots == who].mean(axis=1) for who in (0, 1)], axis=1)
    by_seat = np.stack(
        [np.mean([rest[:, bots[:, s] == who, s].mean(axis=1) for who in (0, 1)], axis=0) for s in range(bots.shape[1])],
        axis=1,
    )
    left = rest - by_bot.mean(axis=0)[bots] - by_seat.mean(axis=0)[None, None, :]
    seen = [[left[:, bots[:, s] == who, s].mean(axis=1) for who in (0, 1)] for s in range(bots.shape[1])]
    deal = np.mean([one * other for one, other in seen], axis=0)
    total = (rest**2).mean(axis=(1, 2))
    columns = np.column_stack([by_bot, by_seat, by_bot**2, by_seat**2, deal, total])
    shape = (2, bots.shape[1])
    n = len(results)
    value = _estimate_variance_shares(columns.mean(axis=0)[None, :], n, shape)[0]
    without = _estimate_variance_shares((columns.sum(axis=0)[None, :] - columns) / (n - 1), n - 1, shape)
    half = compute_student_t(n) * np.sqrt((n - 1) / n * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
    return tuple(
        Part(*(min(1.0, max(0.0, float(one))) for one in (v, v - h, v + h))) for v, h in zip(value, half, strict=True)
    )


def _estimate_variance_shares(means: Numbers, n: int, shape: tuple[int, int]) -> Numbers:
    """Player, seat, deal and rest as shares of the variance, from rows of means over `n` deals; estimates may be below 0.

    `shape`: (number of bots, number of seats).
    """
    bots, seats = shape
    ends = np.cumsum([bots, seats, bots, seats])
    by_bot, by_seat, bot_squares, seat_squares = np.split(means[:, : ends[-1]], ends[:-1], axis=1)
    deal, total = means[:, -2], np.maximum(means[:, -1], 1e-12)
    who, seat = (
        (one**2 - (squares - one**2) / max(1, n - 1)).mean(axis=1)
        for one, squares in ((by_bot, bot_squares), (by_seat, seat_squares))
    )
    found = np.stack([who, seat, deal], axis=1) / total[:, None]
    both: Numbers = np.concatenate([found, 1 - found.sum(axis=1, keepdims=True)], axis=1)
    return both


def build_step(lower: str, upper: str, places: Numbers, seatings: Sequence[Seating], n_steps: int = 1) -> Step:
    """The step between two neighbours on the ladder, from places of shape (deals, seatings, seats).

    `seatings`: the seatings; `n_steps`: the number of steps whose intervals hold simultaneously.
    """
    ahead = compute_ahead_by_deal(places, seatings)
    low, high = compute_wilson_interval(float(ahead.sum()), len(ahead), compute_bonferroni_z(n_steps))
    parts = estimate_variance_parts(compute_shares_ahead(places), seatings)
    return Step(lower, upper, float(ahead.mean()), low, high, parts, len(places), places.shape[0] * places.shape[1])


def build_cooperative_step(lower: str, upper: str, won: Numbers, n_steps: int = 1) -> Step:
    """The step between two bots in a cooperative game, from tables of one bot each. `won`: 0 or 1, shape (deals, 2)."""
    n, z = len(won), compute_bonferroni_z(2 * n_steps)
    (p, q) = (float(won[:, who].mean()) for who in (1, 0))
    (p_low, p_high), (q_low, q_high) = (compute_wilson_interval(float(won[:, who].sum()), n, z) for who in (1, 0))
    odds = [_compute_win_rate_from_odds(one, other) for one, other in ((p, q), (p_low, q_high), (p_high, q_low))]
    parts = estimate_variance_parts(won[:, :, None], [(0,), (1,)])
    return Step(lower, upper, odds[0], odds[1], odds[2], parts, n, 2 * n)


def _compute_win_rate_from_odds(p: float, q: float) -> float:
    """The win rate of a bot with the win rate p against a bot with the win rate q, from their odds."""
    a, b = p * (1 - q), q * (1 - p)
    return 0.5 if a + b == 0 else a / (a + b)


def is_searching(spec: str) -> bool:
    """Does this bot search, so that its games take about a hundred times as long as greedy's?"""
    return spec.startswith("search")


def count_deals_of_step(lower: str, upper: str, deals: int, searched: int | None) -> int:
    """The number of deals of a step: `searched`, or by default a part of `deals`, where one of its bots searches."""
    if not (is_searching(lower) or is_searching(upper)):
        return deals
    return max(2, deals // SEARCHED_SHARE) if searched is None else searched


def require_valid_ladder(query: Query) -> list[str]:
    """The bots of the ladder by name, LADDER if the query names none; ValueError where there are fewer than two, or one twice."""
    named = [one if isinstance(one, str) else one.name for one in query.bots] or list(LADDER)
    for one in named:
        bot_from(one)
    if len(named) < 2 or len(set(named)) < len(named):
        raise ValueError(
            "a ladder wants two bots or more, each once, the weakest first, such as random,greedy,search:rounds=5"
        )
    return named


def iter_skill(query: Query, searched: int | None = None) -> Iterator[Skill]:
    """Yield the answer after each step. The query's bots are the ladder, from the weakest up.

    `query.games`: the deals of a step; `searched`: those of a step with a bot that searches (None: a part of the others).
    """
    game, rungs = query.version, require_valid_ladder(query)
    n = game.best_seats if query.seats is None else query.seats
    together = bool(game.definition.COOPERATIVE)
    if n < 2 and not together:
        raise ValueError("a ladder wants two seats or more")
    pairs = list(itertools.pairwise(rungs))
    counts = [count_deals_of_step(*pair, query.get_games_or(DEALS), searched) for pair in pairs]
    sat: list[Seating] = [(0,) * n, (1,) * n] if together else list_two_bot_seatings(n)
    planned, done, first = sum(counts) * len(sat), 0, query.seed
    about = collect_provenance(game) | {
        "title": game.title,
        "together": together,
        "ladder": rungs,
        "seats": n,
        "seed": query.seed,
    }
    steps: list[Step] = []
    for (lower, upper), deals in zip(pairs, counts, strict=True):
        bots = [bot_from(lower), bot_from(upper)]
        places = np.zeros((deals, len(sat), n))
        for k, seating in enumerate(sat):

            def report_games_done(now: int, _: int, before: int = done) -> None:
                query.report_progress(before + now, planned)

            at = [bots[who] for who in seating]
            table = simulate(game, at, deals, first, rotate=False, threads=query.threads, progress=report_games_done)
            places[:, k] = table.select([f"place_{seat}" for seat in range(n)]).to_numpy()
            done += deals
        if together:
            steps.append(build_cooperative_step(lower, upper, (places == 1).any(axis=2).astype(np.float64), len(pairs)))
        else:
            steps.append(build_step(lower, upper, places, sat, len(pairs)))
        first += deals
        yield Skill(tuple(steps), about)


Match = Callable[[Seating, int], Sequence[float]]
"""A function (seating, seed) that plays a game between bots 0 and 1 and returns each seat's result; more is better."""


def play_step_by_matches(
    lower: str, upper: str, match: Match, seats: int, deals: int, seed: int = 1, n_steps: int = 1
) -> Step:
    """The step between two bots in any game, from a function that plays matches (used for OpenSpiel's games)."""
    sat = list_two_bot_seatings(seats)
    results = np.array([[match(seating, seed + deal) for seating in sat] for deal in range(deals)], np.float64)
    return build_step(lower, upper, -results, sat, n_steps)


def describe_depth(steps: Sequence[Step]) -> str:
    """The sum of the steps in Elo, in words: `at least 900`, `412 (300 to 520)`."""
    value, low, high = Skill(tuple(steps), {}).depth
    said = f"at least {low:,.0f}" if math.isinf(value) and value > 0 else f"{value:,.0f} ({low:,.0f} to {high:,.0f})"
    return said.replace("-", "−")
