"""Sweeps: ranges as one writes them, wrong values told before the first game, curves as they come."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sutler.core.play.game import load
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.play.headline_figures import Figure, compute_joint_intervals
from sutler.lab.play.provenance import collect_provenance
from sutler.lab.play.query import Query
from sutler.lab.report.study_charts import format_sparkline
from sutler.lab.report.study_pages import render_sweep_page
from sutler.lab.studies.sweep import Point, Sweep, compute_effects_from_base, iter_sweep, parse_range, run_sweep

QUICK = {"offers": 0, "victory": 5}


def test_ranges_and_lists() -> None:
    """Both ends belong to a range."""
    assert parse_range("rules.buy_price=1..4") == ("rules.buy_price", [1, 2, 3, 4])
    assert parse_range("victory=5..20:5") == ("victory", [5, 10, 15, 20])
    assert parse_range("victory=5..19:5") == ("victory", [5, 10, 15])
    assert parse_range("hand_limit = 3, 1,-2") == ("hand_limit", [3, 1, -2])
    assert parse_range("no_map=false,true") == ("no_map", [False, True])
    assert parse_range("map=printed") == ("map", ["printed"])


@pytest.mark.parametrize("over", ["victory", "=1..2", "victory=", "victory=a..b", "victory=9..5", "victory=1..2:0"])
def test_what_is_no_range(over: str) -> None:
    """Said with how to write it."""
    with pytest.raises(ValueError, match=r"--over .*(write it as|range)"):
        parse_range(over)


def test_a_range_that_runs_backwards_is_told_how_to_run() -> None:
    """`5..1` is a range, the wrong way round."""
    with pytest.raises(ValueError, match=r"runs backwards; write it as victory=1\.\.5"):
        parse_range("victory=5..1")


def test_a_sweep_says_what_moves_and_what_does_not() -> None:
    """Against the first value, on the same seeds; a floor is said to be one, and its intervals say the rest."""
    luck = np.random.default_rng(4)
    turns = Figure("turns", "length in turns", "")
    seat = Figure("seat_1", "won by seat 1", "", share=True)
    nobody = Figure("nobody", "won by nobody", "", share=True)
    base = {turns: luck.normal(20, 3, 20_000), seat: (luck.random(20_000) < 0.5).astype(float), nobody: np.ones(20_000)}
    later = {**base, turns: base[turns] + 2, seat: (luck.random(20_000) < 0.5).astype(float)}
    effects, near = compute_effects_from_base(base, later, 1)
    points = (
        Point(1, 20_000, compute_joint_intervals(base), ""),
        Point(9, 20_000, compute_joint_intervals(later), "", effects, near),
    )
    said = Sweep("victory", points, {}).answer()
    assert said.startswith("Moved by victory, against 1: length in turns +2.00 at 9 (")
    assert "Surely not by anything that matters: won by seat 1, won by nobody." in said
    assert said.endswith(
        "These bots never win it, so nothing here says what helps to win: ask stronger ones, such as --bots judge."
    )


def test_a_wrong_value_is_told_before_the_first_game() -> None:
    """The last of the values is out of range: nothing is played."""
    played: list[int] = []
    query = Query("manor", ["random"], 2, 2, progress=lambda done, _: played.append(done), settings=QUICK)
    with pytest.raises(ValueError, match="victory: 41 is outside 5 to 40"):
        next(iter_sweep(query, "victory", [5, 41]))
    assert not played


def test_a_curve_without_shared_first_places_speaks_of_none() -> None:
    """A co-operative game has no such figure, and its pictures' captions do not name one."""
    won = Figure("ends_won", "ending: won", "Share of games that end so.", share=True)
    points = tuple(Point(k, 9, {won: (0.5, 0.2, 0.8)}, "") for k in (1, 2))
    about = collect_provenance(load("manor")) | {"title": "Toy", "bots": ["greedy"], "seats": 2, "games": 9}
    page = render_sweep_page(Sweep("rules.steps", points, about))
    assert "How games end" in page
    assert "shared" not in page.partition("<body>")[2]


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="hundreds of games of manor want compiled rules")
def test_a_curve_and_its_page(tmp_path: Path) -> None:
    """More tokens to win, longer games; table, file and page say the same."""
    found = run_sweep(Query("manor", ["random"], 2, 100, threads=1, settings=QUICK), "victory=5..9:2")
    turns = next(figure for figure in found.figures if figure.name == "turns")
    means = [point.figures[turns][0] for point in found.points]
    assert means[0] < means[1] < means[2]
    rows = found.table().filter(pl.col("figure") == "turns")
    assert rows["mean"].to_list() == means
    assert (rows["low"] < rows["mean"]).all()
    found.write(tmp_path / "curve.parquet")
    assert pl.read_parquet(tmp_path / "curve.parquet").equals(found.table())
    about = json.loads(pl.read_parquet_metadata(tmp_path / "curve.parquet")["sutler"])
    assert (about["over"], about["options"]) == ("victory", {"offers": 0})
    page = render_sweep_page(found)
    assert "Nought at every value" in page
    assert page.count("<polyline") == page.count("<polygon") >= 8
    assert turns.format_value(means[2]) in page


def test_little_bars() -> None:
    """From the lowest to the highest; nothing moves, nothing rises."""
    assert format_sparkline([1, 2, 8]) == "▂▃█"
    assert format_sparkline([31.1, 33.2, 32.0]) == "██▇"[:1] * 3, "chance is no trend"
    assert format_sparkline([3, 3]) == "██"
    assert format_sparkline([0, 0]) == "▁▁"
