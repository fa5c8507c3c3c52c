"""How the reconstructed cards behave in games between bots; the guide's figures come from many more of them."""

import re

import polars as pl
import pytest

import sutler

GAME = sutler.load("threeyears")


@pytest.mark.compiled
def test_figures():
    """12.3: a few games at four seats stay near the row of the guide: points, Despair, Hope, the deck shuffled again."""
    text = GAME.guide.find("12.3").text
    row = next(re.findall(r"-?[\d.]+", line) for line in text.splitlines() if line.startswith("| 4 |"))
    points, despair, hope, shuffled = (float(row[i]) for i in (1, 4, 5, 7))
    games, seats = 60, 4
    table, told = sutler.simulate(GAME, bots=["greedy"], seats=seats, games=games, seed=1, events=True)
    of_kind = dict(told.group_by("event").agg(pl.col("count").sum()).iter_rows())
    assert abs(sum(table[f"score_{i}"].mean() for i in range(seats)) / seats - points) < 1.5
    assert abs(of_kind["despair"] / games / seats - despair) < 1.5
    assert abs(of_kind["reshuffled"] / games - shuffled) < 0.5
    assert hope < 3
