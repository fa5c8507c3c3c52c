"""Sweeps: a parameter takes each value of a range, and every headline figure is measured at each value, on equal seeds.

The intervals at each value are 95 % ones (`headline_figures.compute_interval`). Sentences about the range compare each value with the first
one on equal seeds, and those intervals hold together, for all figures and values (Bonferroni). A figure moves, surely does not move by
anything that matters, or is open. To be certain about one step, `compare` it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from sutler.core.files.box import BoxError, parse_value
from sutler.core.play.game import Game
from sutler.lab.parameters import unknown_parameter_error
from sutler.lab.play.headline_figures import (
    Figure,
    Numbers,
    compute_game_figures,
    compute_joint_intervals,
    describe_constant_shares,
    require_known_figures,
    select_figures,
)
from sutler.lab.play.provenance import collect_provenance, list_bot_descriptions, write_findings
from sutler.lab.play.query import Query
from sutler.lab.play.simulate import simulate
from sutler.lab.stats.estimates import compute_bonferroni_z
from sutler.lab.stats.three_valued_verdict import SHARE_MATTERS, Verdict, combine_any, find_side_of_point, judge_moved
from sutler.lab.studies.compare import SMALLEST_EFFECT_SD
from sutler.lab.studies.sensitivity import compute_paired_effect

MAX_VALUES = 200
GAMES_A_VALUE = 1000  # unless the query says how many


@dataclass(frozen=True)
class Point:
    """One value of the parameter: its number of games, (mean, low, high) of each figure, and the hash of its box.

    `effects`: (difference, low, high) of each figure from the first value, on equal seeds; `near`: the largest difference too small to
    matter.
    """

    value: int | bool | str
    games: int
    figures: dict[Figure, tuple[float, float, float]]
    box: str
    effects: Mapping[Figure, tuple[float, float, float]] = field(default_factory=dict)
    near: Mapping[Figure, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Sweep:
    """The results so far: the parameter's name, its points in order, and the metadata."""

    key: str
    points: tuple[Point, ...]
    about: dict[str, Any]

    @property
    def figures(self) -> list[Figure]:
        """The figures that every point has."""
        return [one for one in self.points[0].figures if all(one in point.figures for point in self.points)]

    def judge_moved(self, figure: Figure) -> Verdict:
        """Does the figure differ from its first value anywhere in the range? No if all differences are surely too small to matter."""
        later = [point for point in self.points[1:] if figure in point.effects]
        verdicts = [judge_moved(*point.effects[figure][1:], point.near[figure]) for point in later]
        return combine_any(*verdicts) if verdicts else Verdict.NOT_ENOUGH

    def find_furthest_point(self, figure: Figure) -> Point | None:
        """The point at which a figure differs most from the first point, if that difference is significant; None if no point's is."""
        told = [
            point
            for point in self.points[1:]
            if figure in point.effects and find_side_of_point(*point.effects[figure][1:])
        ]
        return max(told, key=lambda point: abs(point.effects[figure][0]), default=None)

    def answer(self) -> str:
        """Sentences on what moves over the range and by how much, what surely does not, and what is open."""
        first = self.points[0].value
        moved = [(one, self.find_furthest_point(one)) for one in self.figures if self.judge_moved(one) is Verdict.YES]
        moved.sort(key=lambda pair: -self._compute_relative_size(*pair))
        told = [
            f"{one.label} {one.format_value(point.effects[one][0], signed=True)} at {point.value}"
            f" ({one.format_interval(*point.effects[one][1:], signed=True)})"
            for one, point in moved
            if point is not None
        ]
        still = [one.label for one in self.figures if self.judge_moved(one) is Verdict.NO]
        open_ = [one.label for one in self.figures if self.judge_moved(one) is Verdict.NOT_ENOUGH]
        said = [f"Moved by {self.key}, against {first}: {'; '.join(told)}."] if told else []
        said += [f"Surely not by anything that matters: {', '.join(still)}."] if still else []
        said += (
            [f"Open with {self.points[0].games:,} games a value: {', '.join(open_)}."]
            if open_ and len(self.points) > 1
            else []
        )
        return " ".join([*said, *self.describe_shares_at_limits()])

    def _compute_relative_size(self, figure: Figure, point: Point | None) -> float:
        """The size of a figure's difference at a point, in units of the largest difference too small to matter."""
        return 0.0 if point is None else abs(point.effects[figure][0]) / max(point.near[figure], 1e-12)

    def describe_shares_at_limits(self) -> list[str]:
        """Sentences on shares of games that are 0 or 1 at every value."""
        means = {one: [point.figures[one][0] for point in self.points] for one in self.figures}
        return describe_constant_shares(means, bool(self.about.get("together")))

    def table(self) -> pl.DataFrame:
        """A table with a row for each value and figure."""
        rows = [
            (str(point.value), figure.name, figure.label, point.games, *point.figures[figure], point.box)
            for point in self.points
            for figure in self.figures
        ]
        names = ["value", "figure", "label", "games", "mean", "low", "high", "box"]
        return pl.DataFrame(rows, schema=names, orient="row")

    def write(self, path: Path) -> None:
        """Write the table as .parquet (with versions and command inside) or .csv."""
        write_findings(self.table(), path, self.about)


def parse_range(range_text: str) -> tuple[str, list[int | bool | str]]:
    """The parameter and its values in a text: `rules.buy_price=1..8`, `victory=5..40:5` (every fifth) or `offers=0,1,3`.

    ValueError for any other text.
    """
    key, equals, text = range_text.partition("=")
    if not equals or not key.strip() or not text.strip():
        raise ValueError(f"--over {range_text}: write it as KEY=1..8, KEY=5..40:5 or KEY=1,2,4")
    if ".." not in text:
        return key.strip(), [parse_value(one.strip()) for one in text.split(",") if one.strip()]
    ends, _, step = text.partition(":")
    low, _, high = ends.partition("..")
    try:
        first, last, by = int(low), int(high), int(step or 1)
    except ValueError:
        raise ValueError(
            f"--over {range_text}: a range goes from one whole number to another, such as 1..8 or 5..40:5"
        ) from None
    if first > last:
        raise ValueError(f"--over {range_text}: this range runs backwards; write it as {key.strip()}={last}..{first}")
    if by < 1 or (last - first) // by >= MAX_VALUES:
        raise ValueError(
            f"--over {range_text}: from {first} to {last} by {by} is no range of up to {MAX_VALUES} values"
        )
    return key.strip(), list(range(first, last + 1, by))


def build_versions(query: Query, key: str, values: Sequence[int | bool | str]) -> list[Game]:
    """The game at every value; BoxError or ValueError where the game has no such parameter or refuses a value."""
    game = query.version
    found = []
    for value in values:
        try:
            found.append(query.load_edited_game({key: value}))
        except BoxError as error:
            raise unknown_parameter_error(game.name, key, f"{key}={value}: {error}") from None
    return found


def iter_sweep(
    query: Query, key: str, values: Sequence[int | bool | str], figures: Sequence[str] = ()
) -> Iterator[Sweep]:
    """Yield the results after each value. All values are checked against the box before any game is played.

    `figures`: names of those to measure, all if empty.
    """
    versions = build_versions(query, key, values)
    games = query.get_games_or(GAMES_A_VALUE)
    require_known_figures(versions[0], query.bots, query.seats, figures)
    points: list[Point] = []
    base: dict[Figure, Numbers] = {}
    for i, (value, game) in enumerate(zip(values, versions, strict=True)):

        def report_games_done(done: int, _: int, before: int = i * games) -> None:
            query.report_progress(before + done, len(values) * games)

        table = simulate(
            game, query.bots, games, query.seed, threads=query.threads, progress=report_games_done, seats=query.seats
        )
        found = select_figures(compute_game_figures(game.definition, table), list(figures))
        base = base or found
        effects, near = compute_effects_from_base(base, found, len(values) - 1) if i else ({}, {})
        points.append(Point(value, games, compute_joint_intervals(found), game.box_hash, effects, near))
        yield Sweep(key, tuple(points), _build_metadata(versions[0], key, query, table, games))


def compute_effects_from_base(
    base: Mapping[Figure, Numbers], found: Mapping[Figure, Numbers], others: int
) -> tuple[dict[Figure, tuple[float, float, float]], dict[Figure, float]]:
    """For each figure, its difference in `found` from the values `base` of the first point, with interval; and the largest negligible one.

    `others`: the number of values that are compared with the first one; all their intervals hold simultaneously.
    """
    shared = [one for one in base if one in found]
    z = compute_bonferroni_z(max(1, others * len(shared)))
    effects = {}
    for one in shared:
        effect, half = compute_paired_effect(one, base[one], found[one], z)
        effects[one] = (effect, effect - half, effect + half)
    return effects, {one: SHARE_MATTERS if one.share else SMALLEST_EFFECT_SD * float(base[one].std()) for one in shared}


def run_sweep(query: str | Game | Query, range_text: str, **question: Any) -> Sweep:
    """The whole sweep. `range_text`: as for `parse_range`; further arguments as for `iter_sweep`."""
    *_, last = iter_sweep(Query.from_game(query), *parse_range(range_text), **question)
    return last


def _build_metadata(game: Game, key: str, query: Query, table: pl.DataFrame, games: int) -> dict[str, Any]:
    """The metadata of a sweep: everything that is equal at every value."""
    same = collect_provenance(game)
    same["settings"] = {name: value for name, value in same["settings"].items() if name != key}
    same["options"] = {name: value for name, value in same["options"].items() if name != key}
    del same["box"]
    who = list_bot_descriptions(query.bots, game)
    seats = sum(name.startswith("place_") for name in table.columns)
    together = bool(game.definition.COOPERATIVE)
    return same | {
        "title": game.title,
        "together": together,
        "over": key,
        "bots": who,
        "seats": seats,
        "seed": query.seed,
        "games": games,
    }
