"""Estimates from tables of games: shares, means and differences with their intervals, and corrections for many of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl

Z_95 = 1.959964
"""The two-sided 95 % quantile of the standard normal distribution."""


def compute_wilson_interval(hits: float, trials: float, z: float = Z_95) -> tuple[float, float]:
    """Wilson's interval (low, high) for a share seen `hits` times in `trials`.

    `z`: its half width in standard errors, by default for 95 %.
    """
    if trials == 0:
        return 0.0, 1.0
    p = hits / trials
    middle = (p + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials))
    return max(0.0, middle - half), min(1.0, middle + half)


def compute_bonferroni_z(n_intervals: int, alpha: float = 0.05) -> float:
    """The half width, in standard errors, of n intervals that hold simultaneously with an error of `alpha` (Bonferroni)."""
    return NormalDist().inv_cdf(1 - alpha / (2 * n_intervals))


def compute_student_t(n: int, z: float = Z_95) -> float:
    """The half width, in standard errors, of Student's interval of the mean of n numbers; z: the normal quantile for the same error.

    By Hill's algorithm 396 (Communications of the ACM 13, 1970), exact to a hundred-thousandth; n = 2 and n = 3 have a closed form.
    """
    if n < 2:
        return math.inf
    p, nu = math.erfc(z / math.sqrt(2)), n - 1
    if nu == 1:
        return 1 / math.tan(p * math.pi / 2)
    if nu == 2:
        return math.sqrt(2 / (p * (2 - p)) - 2)
    a = 1 / (nu - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * math.sqrt(a * math.pi / 2) * nu
    y = (d * p) ** (2 / nu)
    if y > a + 0.05:
        c += 0.3 * (nu - 4.5) * (0.6 - z) if nu < 5 else 0
        c = (((-0.05 * d * z - 5) * -z - 7) * -z - 2) * -z + b + c
        y = (((((0.4 * z**2 + 6.3) * z**2 + 36) * z**2 + 94.5) / c - z**2 - 3) / b + 1) * z
        y = math.expm1(a * y**2)
    else:
        y = ((1 / (((nu + 6) / (nu * y) - 0.089 * d - 0.822) * (nu + 2) * 3) + 0.5 / (nu + 4)) * y - 1) * (nu + 1) / (
            nu + 2
        ) + 1 / y
    return math.sqrt(nu * y)


def compute_two_sided_p(n: int, t: float) -> float:
    """The two-sided p-value, by Student, of a mean of n numbers that lies `t` standard errors from zero.

    It is the inverse of `compute_student_t`.
    """
    low, high = 0.0, 8.0  # in normal standard errors
    if compute_student_t(n, high) <= t:
        return math.erfc(high / math.sqrt(2))
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if compute_student_t(n, middle) < t else (low, middle)
    return math.erfc(low / math.sqrt(2))


def control_false_discoveries(p_values: Sequence[float], rate: float = 0.05) -> list[bool]:
    """A flag for each p-value: does the finding stand, at a false discovery rate of `rate` (Benjamini and Hochberg)?"""
    ordered = sorted(range(len(p_values)), key=lambda i: p_values[i])
    last = max((k for k, i in enumerate(ordered, 1) if p_values[i] <= rate * k / len(p_values)), default=0)
    kept = set(ordered[:last])
    return [i in kept for i in range(len(p_values))]


def shrink_to_mean(values: Sequence[float], errors: Sequence[float]) -> list[float]:
    """Shrinkage estimates: values moved towards their mean, further the larger their standard errors (James and Stein)."""
    x, v = np.asarray(values, np.float64), np.asarray(errors, np.float64) ** 2
    if len(x) < 3:
        return [float(one) for one in x]
    centre = float(np.average(x, weights=1 / np.maximum(v, 1e-12)))
    spread = max(0.0, float(((x - centre) ** 2).sum()) / (len(x) - 1) - float(v.mean()))
    return [float(one) for one in centre + (x - centre) * spread / np.maximum(spread + v, 1e-300)]


def compute_share_difference_interval(
    one: tuple[float, float], other: tuple[float, float], z: float = Z_95
) -> tuple[float, float]:
    """Newcombe's interval (low, high) of the difference between two shares, each given as (times seen, out of how many)."""
    (k, n), (j, m) = one, other
    if n == 0 or m == 0:
        return -1.0, 1.0
    p, q = k / n, j / m
    (low_p, high_p), (low_q, high_q) = compute_wilson_interval(k, n, z), compute_wilson_interval(j, m, z)
    return p - q - math.hypot(p - low_p, high_q - q), p - q + math.hypot(high_p - p, q - low_q)


def build_win_rate_table(table: pl.DataFrame, z: float = Z_95) -> pl.DataFrame:
    """A table with a row for each bot: seats taken, wins (a shared first place counts in parts), share, interval, mean score and place."""
    n = sum(name.startswith("bot_") for name in table.columns)
    places = [pl.col(f"place_{seat}") for seat in range(n)]
    firsts = pl.sum_horizontal([(place == 1).cast(pl.Int32) for place in places])
    rows = pl.concat(
        [
            table.select(
                bot=pl.col(f"bot_{seat}"),
                won=pl.when(places[seat] == 1).then(1.0 / firsts).otherwise(0.0),
                score=pl.col(f"score_{seat}"),
                place=places[seat].cast(pl.Float64),
            )
            for seat in range(n)
        ]
    )
    found = rows.group_by("bot").agg(
        games=pl.len(),
        wins=pl.col("won").sum(),
        share=pl.col("won").mean(),
        score=pl.col("score").mean(),
        place=pl.col("place").mean(),
    )
    low, high = [], []
    for k, games in zip(found["wins"], found["games"], strict=True):
        a, b = compute_wilson_interval(k, games, z)
        low.append(a)
        high.append(b)
    return found.with_columns(low=pl.Series(low), high=pl.Series(high)).sort("share", descending=True)


def count_games_won_together(table: pl.DataFrame) -> tuple[int, int]:
    """(number of games won, number of games) in a table of a cooperative game."""
    places = [pl.col(name) for name in table.columns if name.startswith("place_")]
    return int(table.select(pl.any_horizontal([place == 1 for place in places]).sum()).item()), len(table)


def compute_mean_interval(values: np.ndarray[Any, Any], z: float = Z_95) -> tuple[float, float, float]:
    """The (mean, low, high) of values of games by Student, 95 % by default; for a single game the interval is infinite."""
    n = len(values)
    middle = float(np.mean(values)) if n else 0.0
    half = compute_student_t(n, z) * float(np.std(values, ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return middle, middle - half, middle + half


def compute_clustered_share(hits: np.ndarray[Any, Any], totals: np.ndarray[Any, Any]) -> tuple[float, float, float]:
    """The (share, low, high) at 95 % of things that come in clusters by game, such as decisions.

    `hits` and `totals`: for each game, the number of things that count and of all things.
    """
    n, share = len(totals), float(hits.sum()) / max(1.0, float(totals.sum()))
    rest = hits - share * totals
    half = (
        compute_student_t(n) * float(rest.std(ddof=1)) / math.sqrt(n) / max(1e-9, float(totals.mean()))
        if n > 1
        else 1.0
    )
    return share, max(0.0, share - half), min(1.0, share + half)


def round_up_games(games: float) -> int:
    """An estimated number of games, rounded up to the next of 100, 150, 200, 300, 500, 700, 1,000 and so on.

    Such a number is a forecast, good to a half of it at best, so every answer of the lab rounds it.
    """
    ten = 10 ** max(0, math.floor(math.log10(max(games, 1))) - 1)
    return next(int(step * ten) for step in (10, 15, 20, 30, 50, 70, 100) if step * ten >= games)


def capitalize_first(text: str) -> str:
    """The text with its first letter in upper case and all others unchanged: "Won by Austria"."""
    return text[:1].upper() + text[1:]


def format_count_with_noun(n: int, noun: str) -> str:
    """A number and its noun: "1 game", "2 games"."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
