"""Stated chances held against results (tools/calibration.py): what is moved by a known slope and shift is found again."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import sutler

TOOL = Path(__file__).parents[2] / "tools" / "calibration.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """The tool as a module."""
    spec = importlib.util.spec_from_file_location("calibration", TOOL)
    module = sys.modules["calibration"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_slope_and_shift_are_found_again(tool: ModuleType) -> None:
    """Results that come as often as chances of twice the stated odds say."""
    rng = np.random.default_rng(1)
    stated = rng.uniform(0.05, 0.95, 40_000)
    truth = tool.moved(stated, 2.0, -0.5)
    said = tool.Said(stated, (rng.uniform(size=len(stated)) < truth).astype(float), np.zeros(40_000), np.arange(40_000))
    slope, shift = tool.fitted(said)
    assert slope == pytest.approx(2.0, abs=0.06)
    assert shift == pytest.approx(-0.5, abs=0.04)
    assert tool.brier(tool.moved(stated, slope, shift), said) < tool.brier(stated, said)


def test_who_is_far_too_sure_is_fitted_as_well(tool: ModuleType) -> None:
    """Chances near 0 and 1 for what comes little oftener than not: a slope near 0, found by whole steps it would run away."""
    rng = np.random.default_rng(2)
    stated = np.where(rng.uniform(size=20_000) < 0.5, 0.003, 0.997)
    won = rng.uniform(size=len(stated)) < np.where(stated < 0.5, 0.3, 0.7)
    slope, shift = tool.fitted(tool.Said(stated, won.astype(float), np.zeros(20_000), np.arange(20_000)))
    assert slope == pytest.approx(np.log(7 / 3) / np.log(0.997 / 0.003), abs=0.02)
    assert shift == pytest.approx(0.0, abs=0.05)


def test_the_right_seat_is_asked_and_its_result_entered(tool: ModuleType) -> None:
    """Two games of random bots, four moments each: a chance from 0 to 1, and the result of the seat that was to decide."""
    said = tool.asked(sutler.load("manor", victory=5), "random", seats=2, games=2, seed=3)
    assert set(said.seed) == {3, 4}
    assert len(said.chance) == 8
    assert ((said.chance > 0) & (said.chance < 1)).all()
    assert set(said.won) <= {0.0, 0.5, 1.0}
