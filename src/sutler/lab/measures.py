"""Questions to a table of games."""

from __future__ import annotations

import math

import polars as pl


def wilson(k: float, n: int, z: float = 1.96) -> tuple[float, float]:
    """The interval in which a share lies that was seen k times in n (Wilson; 95 % unless told)."""
    if n == 0:
        return 0.0, 1.0
    p = k / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def difference(one: tuple[float, int], other: tuple[float, int], z: float = 1.96) -> tuple[float, float]:
    """The interval of the difference between two shares, each (seen, of so many): Newcombe's, from two of Wilson's."""
    (k, n), (j, m) = one, other
    if n == 0 or m == 0:
        return -1.0, 1.0
    p, q = k / n, j / m
    (low_p, high_p), (low_q, high_q) = wilson(k, n, z), wilson(j, m, z)
    return p - q - math.hypot(p - low_p, high_q - q), p - q + math.hypot(high_p - p, q - low_q)


def wins(table: pl.DataFrame) -> pl.DataFrame:
    """Per bot: games (seats taken), wins (a shared first place counts in parts), share, its interval, mean score and place."""
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
        a, b = wilson(k, games)
        low.append(a)
        high.append(b)
    return found.with_columns(low=pl.Series(low), high=pl.Series(high)).sort("share", descending=True)
