"""A parameter over a range: every headline figure at each value, from the same seeds.

The intervals are 95 % ones, each by itself: among many, some miss. To be sure of one step, `compare` it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from sutler.core.box import BoxError, value_of
from sutler.core.game import Game
from sutler.lab.parameters import unknown_parameter
from sutler.lab.play.figures import Figure, figures_of_games, interval, require_figures, select_figures
from sutler.lab.play.provenance import descriptions_of_bots, provenance, write_findings
from sutler.lab.play.query import Query
from sutler.lab.play.simulate import simulate

MAX_VALUES = 200
GAMES_A_VALUE = 1000  # a value


@dataclass(frozen=True)
class Point:
    """One value of the parameter: its games, (mean, low, high) per figure, and the hash of its box."""

    value: int | bool | str
    games: int
    figures: dict[Figure, tuple[float, float, float]]
    box: str


@dataclass(frozen=True)
class Sweep:
    """The curve so far: its points in order."""

    key: str
    points: tuple[Point, ...]
    about: dict[str, Any]

    @property
    def figures(self) -> list[Figure]:
        """The figures that every point has."""
        return [one for one in self.points[0].figures if all(one in point.figures for point in self.points)]

    def table(self) -> pl.DataFrame:
        """One row a value and figure."""
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


def parse_range(over: str) -> tuple[str, list[int | bool | str]]:
    """`rules.buy_price=1..8`, `victory=5..40:5` (every fifth) or `offers=0,1,3`: the parameter and its values."""
    key, equals, text = over.partition("=")
    if not equals or not key.strip() or not text.strip():
        raise ValueError(f"--over {over}: write it as KEY=1..8, KEY=5..40:5 or KEY=1,2,4")
    if ".." not in text:
        return key.strip(), [value_of(one.strip()) for one in text.split(",") if one.strip()]
    ends, _, step = text.partition(":")
    low, _, high = ends.partition("..")
    try:
        first, last, by = int(low), int(high), int(step or 1)
    except ValueError:
        raise ValueError(
            f"--over {over}: a range goes from one whole number to another, such as 1..8 or 5..40:5"
        ) from None
    if first > last or by < 1 or (last - first) // by >= MAX_VALUES:
        raise ValueError(f"--over {over}: from {first} to {last} by {by} is no range of up to {MAX_VALUES} values")
    return key.strip(), list(range(first, last + 1, by))


def versions_of(query: Query, key: str, values: Sequence[int | bool | str]) -> list[Game]:
    """The game at every value; BoxError or ValueError where one is none."""
    game = query.version
    found = []
    for value in values:
        try:
            found.append(query.edited({key: value}))
        except BoxError as error:
            raise unknown_parameter(game.name, key, f"{key}={value}: {error}") from None
    return found


def running_answers(
    query: Query, key: str, values: Sequence[int | bool | str], figures: Sequence[str] = ()
) -> Iterator[Sweep]:
    """The curve after each value. Every value is tried on the box before the first game, so a wrong one is told at once."""
    versions = versions_of(query, key, values)
    games = query.games_or(GAMES_A_VALUE)
    require_figures(versions[0], query.bots, query.seats, figures)
    points: list[Point] = []
    for i, (value, game) in enumerate(zip(values, versions, strict=True)):

        def told(done: int, _: int, before: int = i * games) -> None:
            query.tell(before + done, len(values) * games)

        table = simulate(game, query.bots, games, query.seed, threads=query.threads, progress=told, seats=query.seats)
        found = select_figures(figures_of_games(game.definition, table), list(figures))
        points.append(Point(value, games, {f: interval(f, v) for f, v in found.items()}, game.box_hash))
        yield Sweep(key, tuple(points), _about(versions[0], key, query, table, games))


def sweep(query: str | Game | Query, over: str, **question: Any) -> Sweep:
    """The whole curve; `over` as for `parse_range`, the rest as for `running_answers`."""
    *_, last = running_answers(Query.of(query), *parse_range(over), **question)
    return last


def _about(game: Game, key: str, query: Query, table: pl.DataFrame, games: int) -> dict[str, Any]:
    """The metadata of a sweep: everything that is equal at every value."""
    same = provenance(game)
    same["settings"] = {name: value for name, value in same["settings"].items() if name != key}
    same["options"] = {name: value for name, value in same["options"].items() if name != key}
    del same["box"]
    who = descriptions_of_bots(query.bots, game)
    seats = sum(name.startswith("place_") for name in table.columns)
    return same | {"title": game.title, "over": key, "bots": who, "seats": seats, "seed": query.seed, "games": games}
