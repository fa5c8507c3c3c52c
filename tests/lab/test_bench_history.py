"""What has changed since figures were kept: sutler.lab.bench.history."""

from __future__ import annotations

from pathlib import Path

import pytest

from sutler.lab.bench.history import MORE_IS_BETTER, Change, iter_figure_changes, read_bench_figures

KEPT = Path(__file__).parents[2] / "benchmarks" / "0.1.0.json"


def figure(unit: str, value: float, spread: float = 0.01) -> dict[str, float | str]:
    return {"unit": unit, "value": value, "lowest": value * (1 - spread), "highest": value * (1 + spread)}


def change(unit: str, before: float, now: float, spread: float = 0.01) -> Change:
    """What is told of one figure then and now."""
    then, later = ({"manor": {"figures": {"it": figure(unit, value, spread)}}} for value in (before, now))
    (told,) = iter_figure_changes(then, later)
    return told


@pytest.mark.parametrize("unit", ["s", "ms", "ns", "bytes", "ids"])
def test_less_time_and_less_room_are_better(unit: str) -> None:
    assert (change(unit, 1, 2).verdict, change(unit, 2, 1).verdict) == ("worse", "better")
    assert change(unit, 1, 2).gain == pytest.approx(0.5)


@pytest.mark.parametrize("unit", MORE_IS_BETTER)
def test_more_in_a_time_is_better(unit: str) -> None:
    assert (change(unit, 1, 2).verdict, change(unit, 2, 1).verdict) == ("better", "worse")
    assert change(unit, 1, 2).gain == pytest.approx(2)


def test_what_lies_within_noise_or_meets_is_as_before() -> None:
    assert change("ms", 100, 105).verdict == "as before"
    assert change("ms", 100, 150, spread=0.3).verdict == "as before"


def test_every_unit_that_is_kept_is_known_to_be_one_or_the_other() -> None:
    """A unit that ends like a speed must stand among those where more is better."""
    units = {one["unit"] for game in read_bench_figures(KEPT).values() for one in game["figures"].values()}
    counted = {"decisions"}
    assert units - set(MORE_IS_BETTER) - counted == {"s", "ms", "ns", "bytes", "ids"}
