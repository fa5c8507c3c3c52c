"""How the reconstructed cards behave in games between bots; the guide's figures come from many more of them."""

import re

import polars as pl
import pytest

import sutler
from sutler.bots import bot_from
from sutler.lab.stats.estimates import build_win_rate_table

from .table import bidding

GAME = sutler.load("threeyears")


@pytest.mark.compiled
def test_figures():
    """12.3: a few games at four seats stay near the row of the guide: points, Despair, Hope, the deck shuffled again."""
    text = GAME.guide.find_paragraph("12.3").text
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
    blind = bot_from("claim-blind")
    pos = bidding(["sp1, sp2, su2", "sp1, su2", "sp1"], total=1)
    assert blind.choose(pos.for_seat(0)).name == "play Spring without doubles"
    pos.play("pass")
    assert blind.choose(pos.for_seat(1)).name == "pass"


@pytest.mark.compiled
@pytest.mark.parametrize("seats", [3, 4])
def test_the_claim_blind_bidder_gains_nothing(seats):
    """12.3: beside bots that weigh the claims it wins no more than its even share (its true share is well below)."""
    table = sutler.simulate(GAME, ["claim-blind", *["greedy"] * (seats - 1)], games=400, seed=1)
    (blind,) = (row for row in build_win_rate_table(table).to_dicts() if row["bot"] == "claim-blind")
    assert blind["share"] < 1 / seats


@pytest.mark.compiled
def test_normal_bots_beat_easy_ones():
    """One among three easy bots wins far more than a quarter."""
    table = sutler.simulate(GAME, ["normal", *["easy"] * 3], games=200, seed=1)
    (normal,) = (row for row in build_win_rate_table(table).to_dicts() if row["bot"] == "greedy-1")
    assert normal["share"] > 0.33
