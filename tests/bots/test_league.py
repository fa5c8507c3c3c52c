"""The league (studies/league.py): a candidate's numbers against foes that do not move, by whom they lose to most."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import programs
import sutler
from sutler.lab.play.simulate import play_games

best_response, league, tunable_evaluation = map(programs.study, ("best_response", "league", "tunable_evaluation"))


@pytest.fixture(scope="module")
def table(plain_manor: sutler.Game) -> Any:
    """Medieval Manor for two, in plain Python, with a foe by numbers and a persona."""
    evaluation = tunable_evaluation.tunable(plain_manor)
    own = tunable_evaluation.own_parameters(evaluation)
    return league.League(
        plain_manor, evaluation, ["other.json", "random"], [2 * own, None], seats=2, threads=1, max_decisions=14
    )


def test_seats_go_round_and_a_foe_by_numbers_brings_its_own(table: Any) -> None:
    """The candidate is first of the list and sits one further with every turn; a bot by name has no row."""
    own = tunable_evaluation.own_parameters(table.evaluation)
    by, bots = table.seating([own, own], [-1, 0], 0)
    assert bots == [0, 1]
    assert (by == [own, 2 * own]).all()
    assert table.seating([own, own], [-1, 0], 1)[1] == [1, 0]
    assert table.seating([own, own], [-1, 1], 1)[1] == [3, 0]


def test_candidates_by_the_games_own_numbers_play_as_normal_bots(table: Any) -> None:
    """The same winners, in the same seats, as in games of normal bots alone."""
    own = tunable_evaluation.own_parameters(table.evaluation)
    by, bots = table.seating([own, own], [-1, -1], 0)
    won = table.play(by[None], np.array([bots]), np.array([5]))
    results, _ = play_games(table.game, ["normal", "normal"], seed=5, games=1, max_decisions=14)
    first = results["places"][:, :2] == 1
    assert (won == first / first.sum()).all()


def test_a_foe_that_wins_comes_more_often() -> None:
    """By how much more than even it won, whatever else came beside it."""
    beside = np.array([[0, 1], [0, -1], [1, -1], [0, 1]])
    won = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.5, 0.5]])
    first, second = league.opponents_gain(beside, won, np.array([0.5, 0.5]), 1 / 3)
    assert first == pytest.approx((2.5 - 1) / 0.5 / 4)
    assert second == pytest.approx((0.5 - 1) / 0.5 / 4)


def test_numbers_are_read_by_name(table: Any, tmp_path: Path) -> None:
    """From a file of numbers, and from one of factors as the exploiter keeps it; what is not named is the game's own."""
    names, own = (
        tunable_evaluation.parameter_names(table.evaluation),
        tunable_evaluation.own_parameters(table.evaluation),
    )
    path = tmp_path / "numbers.json"
    path.write_text(json.dumps({"numbers": {names[1]: 7.0}}), encoding="utf-8")
    row = league.load_parameters(path, table.evaluation)
    assert row[1] == 7.0
    assert (np.delete(row, 1) == np.delete(own, 1)).all()
    way = best_response.SearchState.new(names)
    way.log_factors[2] = np.log(3.0)
    path.write_text(way.to_json(), encoding="utf-8")
    assert league.load_parameters(path, table.evaluation) == pytest.approx(own * np.exp(way.log_factors))
