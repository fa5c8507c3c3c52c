"""Sensitivity to numbers: every number of a box a step down and a step up, one at a time, from the same seeds.

A step is a fifth of the number, at least one, within its bounds. The effect of a step on a figure is the mean
difference of pairs of games from one seed; all intervals of one figure hold together (Bonferroni). This is a screening:
before acting on a number, `compare` it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.core.box import BoxError
from sutler.core.game import Game, load
from sutler.lab.inventory import Part, parts_of
from sutler.lab.play.figures import Figure, Numbers, figures_of_games, require_figures, select_figures
from sutler.lab.play.provenance import descriptions_of_bots, provenance
from sutler.lab.play.series import USUAL, Series
from sutler.lab.play.simulate import simulate
from sutler.lab.stats.anytime_intervals import bounds_from_pilot
from sutler.lab.stats.measures import bonferroni_z

STEP_SHARE = 0.2  # of the number
MAX_NUMBERS = 200  # in one screening
GAMES_A_VERSION = 300  # by default


@dataclass(frozen=True)
class Variation:
    """One number at another value, and its effect on every figure: (difference, half its interval)."""

    part: Part
    value: int
    effects: Mapping[Figure, tuple[float, float]]

    @property
    def label(self) -> str:
        """The change in words: `rules.buy_price 3 → 4`."""
        return f"{self.part.name} {self.part.value} → {self.value}"

    def is_beyond_chance(self, figure: Figure) -> bool:
        """Does the interval of this figure exclude zero?"""
        effect, half = self.effects[figure]
        return abs(effect) > half


@dataclass(frozen=True)
class Sensitivity:
    """The variations so far, the printed game's figures, and the metadata."""

    variations: tuple[Variation, ...]
    printed: Mapping[Figure, Numbers]
    about: dict[str, Any]

    @property
    def figures(self) -> list[Figure]:
        """The figures that every version has."""
        return [one for one in self.printed if all(one in variation.effects for variation in self.variations)]

    def tornado(self, figure: Figure) -> list[tuple[Part, list[Variation]]]:
        """The numbers with their variations, the one that moves the figure furthest first."""
        by_part: dict[str, list[Variation]] = {}
        for variation in self.variations:
            by_part.setdefault(variation.part.name, []).append(variation)
        reach = {name: max(abs(one.effects[figure][0]) for one in variations) for name, variations in by_part.items()}
        return [(by_part[name][0].part, by_part[name]) for name in sorted(reach, key=lambda name: -reach[name])]

    def answer(self, figure: Figure) -> str:
        """The numbers that move a figure, in a sentence."""
        sure = [
            (part, variations)
            for part, variations in self.tornado(figure)
            if any(one.is_beyond_chance(figure) for one in variations)
        ]
        still = len({one.part.name for one in self.variations}) - len(sure)
        if not sure:
            return f"No number is seen to move {figure.label} in {self.about['games']:,} games a version."
        names = ", ".join(part.name for part, _ in sure[:5]) + (f" and {len(sure) - 5} more" if len(sure) > 5 else "")
        moving = "1 number moves" if len(sure) == 1 else f"{len(sure)} numbers move"
        others = "1 is" if still == 1 else f"{still} are"
        return f"{moving} {figure.label}, most of all {names}; {others} not seen to."

    def table(self) -> pl.DataFrame:
        """One row a variation and figure."""
        rows = [
            (one.part.name, one.part.value, one.value, one.part.rule, figure.name, *one.effects[figure])
            for one in self.variations
            for figure in self.figures
        ]
        names = ["number", "printed", "value", "paragraph", "figure", "effect", "half"]
        return pl.DataFrame(rows, schema=names, orient="row")

    def write(self, path: Path) -> None:
        """Write the table as .parquet or .csv."""
        self.table().write_csv(path) if path.suffix == ".csv" else self.table().write_parquet(path)


def numbers_to_vary(game: Game, only: Sequence[str] = ()) -> list[Part]:
    """The numbers to vary: by default options and tables, without those on single cards; else those whose names begin
    with `only`.
    """
    listed = {key for key, value in game.data.items() if isinstance(value, list)}
    found = []
    for one in parts_of(game):
        if not is_number(one):
            continue
        named = any(one.name.casefold().startswith(word.casefold()) for word in only)
        if named or (not only and one.name.partition(".")[0] not in listed):
            found.append(one)
    if not found:
        raise ValueError(
            f"{game.name} has no number called {' or '.join(only)}; sutler box show {game.name} lists them"
        )
    if len(found) > MAX_NUMBERS:
        raise ValueError(f"{len(found)} numbers are too many in one go; name some of them, such as {found[0].name}")
    return found


def is_number(part: Part) -> bool:
    """Can it be varied in steps? A choice among several values cannot."""
    return isinstance(part.value, int) and not isinstance(part.value, bool) and not part.choices


def sweep_range(part: Part) -> str:
    """A range to begin from, as a sweep takes it: the printed value between a step down and a step up."""
    return f"{part.name}={','.join(map(str, sorted({*neighbouring_values(part), int(part.value)})))}"


def neighbouring_values(part: Part, by: float = STEP_SHARE) -> list[int]:
    """The values a step below and a step above the printed one, within bounds."""
    now = int(part.value)
    step = max(1, round(abs(now) * by))
    low, high = (math.inf * sign if end is None else end for sign, end in ((-1, part.low), (1, part.high)))
    return [value for value in (now - step, now + step) if low <= value <= high]


def count_versions(game: Game, only: Sequence[str] = (), by: float = STEP_SHARE) -> int:
    """How many versions are played, the printed one included; fewer where the box refuses some."""
    return 1 + sum(len(neighbouring_values(part, by)) for part in numbers_to_vary(game, only))


def watch(
    name: str,
    series: Series = USUAL,
    settings: Mapping[str, Any] | None = None,
    only: Sequence[str] = (),
    figures: Sequence[str] = (),
    by: float = STEP_SHARE,
) -> Iterator[Sensitivity]:
    """Yield the answer after each number. Values that the box refuses are skipped and listed in `about`."""
    printed = load(name, None, settings)
    require_figures(printed, series.bots, series.seats, figures)
    turned: list[tuple[Part, int, Game]] = []
    refused = []
    for part in numbers_to_vary(printed, only):
        for value in neighbouring_values(part, by):
            try:
                turned.append((part, value, load(name, None, {**(settings or {}), part.name: value})))
            except (BoxError, ValueError) as error:
                refused.append(f"{part.name}={value}: {str(error).splitlines()[0]}")
    bots, games = series.bots, GAMES_A_VERSION if series.games is None else series.games
    n = len(bots) if len(bots) > 1 else printed.best_seats if series.seats is None else series.seats
    about = provenance(printed) | {
        "title": printed.title,
        "bots": descriptions_of_bots(bots, printed),
        "seats": n,
        "seed": series.seed,
        "games": games,
    }
    about |= {"refused": refused}

    def play(game: Game) -> dict[Figure, Numbers]:
        table = simulate(game, bots, games, series.seed, threads=series.threads, seats=n if len(bots) == 1 else None)
        return select_figures(figures_of_games(game.definition, table), list(figures))

    base = play(printed)
    z = bonferroni_z(max(1, len(turned)))
    variations: list[Variation] = []
    for k, (part, value, game) in enumerate(turned, 1):
        found = play(game)
        variations.append(
            Variation(part, value, {f: paired_effect(f, base[f], found[f], z) for f in base if f in found})
        )
        series.tell(k * games, len(turned) * games)
        yield Sensitivity(tuple(variations), base, about)


def clip_to_bounds(figure: Figure, *sides: Numbers) -> list[Numbers]:
    """The games of a figure, with outliers counted as the bound, as in `compare`.

    Otherwise one game in three hundred, as long as all others together, would put any number on top. Shares have bounds
    and are returned unchanged.
    """
    if figure.share:
        return list(sides)
    low, high = bounds_from_pilot(np.concatenate(sides))
    return [np.clip(side, low, high) for side in sides]


def paired_effect(figure: Figure, a: Numbers, b: Numbers, z: float) -> tuple[float, float]:
    """The mean difference of pairs, and half its interval."""
    a, b = clip_to_bounds(figure, a, b)
    gaps = b - a
    return float(gaps.mean()), z * float(gaps.std(ddof=1)) / math.sqrt(len(gaps))
