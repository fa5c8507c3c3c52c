"""Calibration (studies/calibration.py, bots.kit.win_probability): a fit finds known numbers again, and no chance is sure too early."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import programs
import sutler
from sutler.bots.kit.win_probability import (
    Correction,
    Corrections,
    describe_win_chance,
    estimate_leads,
    estimate_win_chances,
    load_corrections,
)

TRUE = Correction(3, (0.0, 10.0), (0.2, 1.0), (0.5, -0.3))


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """The tool as a module."""
    return programs.study("calibration")


def drawn(tool: ModuleType, n: int, together: bool) -> Any:
    """Questions whose results come as often as TRUE says; who won is drawn."""
    rng = np.random.default_rng(1)
    lead, time, seat = rng.normal(size=(n, 3)), rng.uniform(0, 10, n), rng.integers(0, 3, n)
    won = np.zeros((n, 3))
    for i in range(n):
        chance = TRUE.compute_win_chances(lead[i], time[i], seat[i], together)
        if together:
            won[i] = rng.uniform() < chance[0]
        else:
            won[i, rng.choice(3, p=chance)] = 1
    return tool.Moments(lead, time, seat, won, np.zeros(n), np.arange(n), np.zeros(n))


@pytest.mark.parametrize("together", [False, True])
def test_the_fit_finds_again_what_the_results_were_drawn_by(tool: ModuleType, together: bool) -> None:
    """How much a lead counts, early and late, and what it is worth to decide."""
    said = drawn(tool, 20_000, together)
    sure, turn = tool.fitted(said, np.array(TRUE.at), together)
    assert sure == pytest.approx(TRUE.sure, abs=0.08)
    assert turn == pytest.approx(TRUE.turn, abs=0.08)


def test_a_better_score_is_what_comes_as_often_as_it_is_said(tool: ModuleType) -> None:
    """The Brier score of the truth is lower than that of whoever is sure, and of the even share; all its bins agree with it."""
    said = drawn(tool, 20_000, together=False)
    sure = Correction(3, (0.0,), (3.0,), (0.0,))
    scores = [tool.brier(tool.stated(said, row, False), said.outcome) for row in (TRUE, sure)]
    assert scores[0] < scores[1]
    assert scores[0] < tool.brier(1 / 3, said.outcome)
    found = tool.bins(tool.stated(said, TRUE, False), said.outcome)
    assert sum(n for _, n, *_ in found) == 20_000
    assert sum(low <= at <= high for _, _, at, _, low, high in found) >= len(found) - 1


def test_what_is_written_is_read_again(tool: ModuleType, tmp_path: Path) -> None:
    """A file of two rows, one of them for other options."""
    other = Correction(2, (1.0,), (0.5,), (0.25,), {"difficulty": "easy"})
    path = tmp_path / "chances.toml"
    path.write_text(tool.file_text("manor", {"turn": 1}, [TRUE, other], "by hand"), encoding="utf-8")
    again = tool.read_corrections(path)
    assert again == Corrections({"turn": 1}, [other, TRUE])
    path.write_text(tool.file_text("manor", {"turn": 1}, [TRUE], "by hand", {"years": 3}), encoding="utf-8")
    assert tool.read_corrections(path) == Corrections({"turn": 1}, [TRUE], {"years": 3})


def test_a_shortened_campaign_states_no_chance_to_win() -> None:
    """Six Winters after one session is neither won nor lost: its end told of 90 in 100 where both missions had failed."""
    for sessions, told in ((6, True), (1, False)):
        view = sutler.load("sixwinters", sessions=sessions).new(seats=2, seed=1).for_seat(0)
        assert (estimate_win_chances(view) is not None) == told
        assert bool(describe_win_chance(view)) == told


def test_the_right_seat_is_asked_and_its_result_entered(tool: ModuleType) -> None:
    """Two games of random bots: four parts and MOMENTS more of each, and the whole win shared among the seats."""
    game = sutler.load("manor", victory=5)
    said = tool.sampled_moments(game, {"turn": 1}, "random", seats=2, games=2, seed=3)
    assert set(said.seed) == {3, 4}
    assert len(said.seat) == 2 * (len(tool.GAME_PARTS) + tool.FIT_MOMENTS)
    assert said.won.sum(axis=1) == pytest.approx(1)
    assert (np.diff(said.time[(said.seed == 3) & (said.part > 0)]) >= 0).all()


@pytest.mark.parametrize("name", ["bellum", "manor", "sixwinters", "threeyears", "warfarm"])
def test_every_game_is_measured_with_every_number_of_seats(name: str) -> None:
    """Whoever sits down is told a chance, and no lead makes anybody sure of more than the games have shown."""
    game = sutler.load(name)
    known = load_corrections(game.definition)
    for seats in range(game.min_seats, game.max_seats + 1):
        view = game.new(seats=seats, seed=1).for_seat(0)
        assert known.compute_game_progress(view.world) >= 0
        (row,) = (row for row in known.rows if row.is_fitted_for(game, seats))
        assert len(row.at) <= 6
        found = estimate_win_chances(view, redeals=1)
        assert len(found) == seats
        assert (found > 0).all()
        if game.definition.COOPERATIVE:
            assert len(set(found)) == 1
        else:
            assert found.sum() == pytest.approx(1)
            for seat in range(1, seats):  # at the first decision nobody is far ahead
                assert found[seat] < 2 / seats
        assert "in 100" in describe_win_chance(view)


def test_more_lead_is_never_less_chance() -> None:
    """The correction keeps the judge's order at one time; a seat that lies far ahead says no more than the numbers allow."""
    rising = [
        TRUE.compute_win_chances(np.array([lead, 0.0, 0.0]), 5.0, 1, False)[0] for lead in (-30.0, -1.0, 0.0, 1.0, 30.0)
    ]
    assert rising == sorted(rising)
    assert np.isfinite(rising).all()


def test_a_game_without_numbers_states_no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor one with more seats than were measured."""
    game = sutler.load("manor")
    view = game.new(seats=2, seed=1).for_seat(0)
    monkeypatch.setattr("sutler.bots.kit.win_probability.load_corrections", lambda definition: None)
    assert estimate_win_chances(view) is None
    assert describe_win_chance(view) == ""
    monkeypatch.setattr(
        "sutler.bots.kit.win_probability.load_corrections", lambda definition: Corrections({"turn": 1}, [TRUE])
    )
    assert estimate_win_chances(view) is None


def test_the_lead_is_the_judges_in_parts_of_its_scale() -> None:
    """Of the same world twice: `evaluate` of each seat, divided by SCALE."""
    game = sutler.load("manor")
    view = game.new(seats=2, seed=1).for_seat(0)
    known = game.definition
    one = [known.evaluate(game.box, view.world, seat) / known.SCALE for seat in range(2)]
    assert estimate_leads(view, redeals=8) == pytest.approx(one, abs=1.0)
