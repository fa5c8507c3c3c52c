"""Sensitivity analysis: every number of a box is moved one step down and one step up, one at a time, on equal seeds.

A step is a fifth of the number, at least 1, within its bounds. The effect of a step on a figure is the mean difference of pairs of games
from one seed, with Student's interval; all intervals of an answer, of every number and every figure, hold together (Bonferroni). This is a
screening: before acting on a number, `compare` it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.core.files.box import BoxError
from sutler.core.names import did_you_mean
from sutler.core.play.game import Game
from sutler.lab.box_numbers import Part, list_parts
from sutler.lab.play.headline_figures import (
    Figure,
    Numbers,
    compute_game_figures,
    require_known_figures,
    select_figures,
)
from sutler.lab.play.provenance import collect_provenance, list_bot_descriptions
from sutler.lab.play.query import Query
from sutler.lab.play.simulate import simulate
from sutler.lab.stats.anytime_intervals import compute_bounds_from_pilot, compute_max_unseen_share
from sutler.lab.stats.estimates import compute_bonferroni_z, compute_student_t
from sutler.lab.stats.three_valued_verdict import find_side_of_point

STEP_SHARE = 0.2
MAX_NUMBERS = 200  # the most numbers in one study
GAMES_A_VERSION = 300  # unless the query says how many


@dataclass(frozen=True)
class Variation:
    """A number of the box at another value. `effects`: for each figure the difference from the printed game, and half its interval."""

    part: Part
    value: int
    effects: Mapping[Figure, tuple[float, float]]

    @property
    def label(self) -> str:
        """The change in words: `rules.buy_price 3 → 4`."""
        return f"{self.part.name} {self.part.value} → {self.value}"

    def is_beyond_chance(self, figure: Figure) -> bool:
        """Does the interval of this figure's change exclude zero?"""
        effect, half = self.effects[figure]
        return find_side_of_point(effect - half, effect + half) != 0


@dataclass(frozen=True)
class Sensitivity:
    """The variations so far, the values of the printed game's figures, and the metadata."""

    variations: tuple[Variation, ...]
    printed: Mapping[Figure, Numbers]
    about: dict[str, Any]

    @property
    def figures(self) -> list[Figure]:
        """The quantities (turns, points, shares of wins) that were measured in every version."""
        return [one for one in self.printed if all(one in turn.effects for turn in self.variations)]

    def rank_numbers_by_effect(self, figure: Figure) -> list[tuple[Part, list[Variation]]]:
        """The numbers of the box with their variations, the one that moves the figure most first."""
        by_part: dict[str, list[Variation]] = {}
        for turn in self.variations:
            by_part.setdefault(turn.part.name, []).append(turn)
        reach = {name: max(abs(one.effects[figure][0]) for one in turns) for name, turns in by_part.items()}
        return [(by_part[name][0].part, by_part[name]) for name in sorted(reach, key=lambda name: -reach[name])]

    def answer(self, figure: Figure) -> str:
        """A sentence on which numbers move the figure."""
        sure = [
            (part, turns)
            for part, turns in self.rank_numbers_by_effect(figure)
            if any(one.is_beyond_chance(figure) for one in turns)
        ]
        still = len({one.part.name for one in self.variations}) - len(sure)
        if not sure:
            more = f"try --games {4 * self.about['games']}"
            return f"No number is seen to move {figure.label} in {self.about['games']:,} games a version; {more}."
        names = ", ".join(part.name for part, _ in sure[:5]) + (f" and {len(sure) - 5} more" if len(sure) > 5 else "")
        moving = "1 number moves" if len(sure) == 1 else f"{len(sure)} numbers move"
        others = "1 is" if still == 1 else f"{still} are"
        return f"{moving} {figure.label}, most of all {names}; {others} not seen to."

    def table(self) -> pl.DataFrame:
        """A table with a row for each variation and figure."""
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


def find_numbers_to_vary(game: Game, only: Sequence[str] = ()) -> list[Part]:
    """The numbers to vary: those whose names begin with a text in `only`; without any, all but those on single cards.

    ValueError where a text is the beginning of none, where there are none, or too many.
    """
    listed = {key for key, value in game.data.items() if isinstance(value, list)}
    numbers = [one for one in list_parts(game) if is_number(one)]
    names = {beginning for one in numbers for beginning in (one.name, one.name.rpartition(".")[0]) if beginning}
    for word in only:
        if not any(one.name.casefold().startswith(word.casefold()) for one in numbers):
            meant = did_you_mean(word, sorted(names))
            raise ValueError(f"{game.name} has no number called {word} (sutler box show {game.name} lists them){meant}")
    found = []
    for one in numbers:
        named = any(one.name.casefold().startswith(word.casefold()) for word in only)
        if named or (not only and one.name.partition(".")[0] not in listed):
            found.append(one)
    if not found:
        raise ValueError(f"{game.name} has no numbers but those on single cards: name some of them")
    if len(found) > MAX_NUMBERS:
        raise ValueError(f"{len(found)} numbers are too many in one go; name some of them, such as {found[0].name}")
    return found


def is_number(part: Part) -> bool:
    """Is this part of the box a number that can be varied in steps?"""
    return isinstance(part.value, int) and not isinstance(part.value, bool) and not part.choices


def format_sweep_range(part: Part) -> str:
    """A range for a sweep of this number, as `--over` takes it: one step down, the printed value, one step up."""
    return f"{part.name}={','.join(map(str, sorted({*list_neighbouring_values(part), int(part.value)})))}"


def list_neighbouring_values(part: Part, step_share: float = STEP_SHARE) -> list[int]:
    """The values one step below and one step above the printed one, if the bounds allow them."""
    now = int(part.value)
    step = max(1, round(abs(now) * step_share))
    low, high = (math.inf * sign if end is None else end for sign, end in ((-1, part.low), (1, part.high)))
    return [value for value in (now - step, now + step) if low <= value <= high]


def count_versions(game: Game, only: Sequence[str] = (), by: float = STEP_SHARE) -> int:
    """The number of versions that a study plays, the printed one included; fewer are played where the box refuses some."""
    return 1 + sum(len(list_neighbouring_values(part, by)) for part in find_numbers_to_vary(game, only))


def iter_sensitivity(
    query: str | Game | Query,
    only: Sequence[str] = (),
    figures: Sequence[str] = (),
    step_share: float = STEP_SHARE,
) -> Iterator[Sensitivity]:
    """Yield the answer after each version. Values that the box refuses are left out and named in the metadata.

    `only`: beginnings of the names of the numbers; `figures`: names of those to compare, all if empty; `step_share`: a step, as a part of
    the
    number.
    """
    query = Query.from_game(query)
    printed = query.version
    require_known_figures(printed, query.bots, query.seats, figures)
    turned: list[tuple[Part, int, Game]] = []
    refused = []
    for part in find_numbers_to_vary(printed, only):
        for value in list_neighbouring_values(part, step_share):
            try:
                turned.append((part, value, query.load_edited_game({part.name: value})))
            except (BoxError, ValueError) as error:
                refused.append(f"{part.name}={value}: {str(error).splitlines()[0]}")
    bots, games, n = query.bots, query.get_games_or(GAMES_A_VERSION), query.n_seats
    about = collect_provenance(printed) | {
        "title": printed.title,
        "bots": list_bot_descriptions(bots, printed),
        "seats": n,
        "seed": query.seed,
        "games": games,
    }
    about |= {"refused": refused}

    def play(game: Game) -> dict[Figure, Numbers]:
        table = simulate(game, bots, games, query.seed, threads=query.threads, seats=n if len(bots) == 1 else None)
        return select_figures(compute_game_figures(game.definition, table), list(figures))

    base = play(printed)
    z = compute_bonferroni_z(max(1, len(turned) * len(base)))
    variations: list[Variation] = []
    for k, (part, value, game) in enumerate(turned, 1):
        found = play(game)
        variations.append(
            Variation(part, value, {f: compute_paired_effect(f, base[f], found[f], z) for f in base if f in found})
        )
        query.report_progress(k * games, len(turned) * games)
        yield Sensitivity(tuple(variations), base, about)


def clip_to_bounds(figure: Figure, *sides: Numbers) -> list[Numbers]:
    """The values of a figure in several tables, capped at bounds that all share (`compute_bounds_from_pilot`); shares are unchanged.

    Otherwise a single game as long as hundreds of others would decide which number moves the figure most.
    """
    if figure.share:
        return list(sides)
    low, high = compute_bounds_from_pilot(np.concatenate(sides))
    return [np.clip(side, low, high) for side in sides]


def compute_paired_effect(figure: Figure, before: Numbers, after: Numbers, z: float) -> tuple[float, float]:
    """The mean of the differences `after` less `before` of pairs of games, and half its interval (`z` normal standard errors wide)."""
    before, after = clip_to_bounds(figure, before, after)
    gaps = after - before
    n = len(gaps)
    if n < 2:
        return float(gaps.mean()), math.inf
    if not gaps.any():  # no pair differs, but pairs not yet seen may
        unit = 1.0 if figure.share else max(1.0, abs(float(before[0])))
        return 0.0, unit * compute_max_unseen_share(n, math.erfc(z / math.sqrt(2)))
    return float(gaps.mean()), compute_student_t(n, z) * float(gaps.std(ddof=1)) / math.sqrt(n)
