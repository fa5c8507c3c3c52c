"""How the reconstructed cards behave in games between bots; the guide's figures come from many more of them."""

import re
from pathlib import Path

import polars as pl
import pytest

import sutler
from sutler.bots import bot_from

from .table import bidding

GAME = sutler.load("threeyears")
BLIND = Path(__file__).parents[3] / "tools" / "claim_blind.py"


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


def test_the_claim_blind_bidder():
    """5.9: the standing opponent plays its smallest set until one seat has passed, then passes, whatever the claims are."""
    blind = bot_from(f"{BLIND}:after=1")
    pos = bidding(["sp1, sp2, su2", "sp1, su2", "sp1"], total=1)
    assert blind.choose(pos.for_seat(0)).name == "play Spring without doubles"
    pos.play("pass")
    assert blind.choose(pos.for_seat(1)).name == "pass"
