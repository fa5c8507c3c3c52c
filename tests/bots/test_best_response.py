"""The search for a best response (studies/best_response.py): an evaluation with numbers as arguments plays as the compiled one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import programs
import sutler
from sutler.lab.play.simulate import play_games

MAX_DECISIONS = 14
best_response, tunable_evaluation = programs.study("best_response"), programs.study("tunable_evaluation")


@pytest.fixture(scope="module")
def field(plain_manor: sutler.Game) -> Any:
    """The beginnings of games of Medieval Manor, in plain Python."""
    evaluation = tunable_evaluation.tunable(plain_manor)
    return best_response.Match(
        plain_manor, evaluation, seats=2, against="normal", threads=1, max_decisions=MAX_DECISIONS
    )


def test_told_its_own_numbers_it_plays_as_it_does(field: Any) -> None:
    """The same positions, to the byte, as in the same games of normal bots alone."""
    seeds = np.array([5])
    _, ends = field.play(np.zeros((1, len(tunable_evaluation.parameter_names(field.evaluation)))), seeds, seeds - seeds)
    _, finals = play_games(field.game, ["normal", "normal"], seed=5, games=1, max_decisions=MAX_DECISIONS)
    assert ends.tobytes() == finals.tobytes()


def test_other_numbers_play_otherwise(field: Any) -> None:
    """A seat that holds food dear and peasants cheap leaves another position."""
    names = tunable_evaluation.parameter_names(field.evaluation)
    rows, longer = np.zeros((1, len(names))), replace(field, max_decisions=45)
    rows[0, names.index("FOOD_WORTH")] = np.log(30)
    rows[0, names.index("PEASANT_TURN")] = np.log(0.01)
    one, other = (longer.play(row, np.array([5]), np.array([0]))[1] for row in (rows, 0 * rows))
    assert one.tobytes() != other.tobytes()


@pytest.mark.parametrize("name", [name for name in sutler.games() if name != "market"])
def test_every_number_of_a_judgement_has_one_name(name: str) -> None:
    """They are found by what rules speak of; rows and records come back as they went."""
    evaluation = tunable_evaluation.tunable(sutler.load(name))
    names, row = tunable_evaluation.parameter_names(evaluation), tunable_evaluation.own_parameters(evaluation)
    assert len(names) == len(set(names)) == len(row) > 15
    assert tunable_evaluation.as_records(evaluation, row[None, :])[0].tobytes() == evaluation.own.tobytes()


def test_all_seats_of_a_cooperative_game_judge_by_the_numbers() -> None:
    """With the game's own they play as normal bots do, to the byte; a campaign that is not over is not won."""
    game = sutler.load("sixwinters")
    evaluation = tunable_evaluation.tunable(game)
    match = best_response.Match(game, evaluation, seats=2, against="normal", threads=1, max_decisions=MAX_DECISIONS)
    names = tunable_evaluation.parameter_names(evaluation)
    rows, seeds = np.zeros((1, len(names))), np.array([5])
    _, ends = match.play(rows, seeds, seeds - 3)
    _, finals = play_games(game, ["normal", "normal"], seed=5, games=1, max_decisions=MAX_DECISIONS)
    assert ends.tobytes() == finals.tobytes()
    assert match.win_shares(rows, seeds, seeds).tolist() == [0.0]


def test_a_gain_is_measured_on_the_same_seeds() -> None:
    """What one table wins more than the other, in points, with an interval of its differences."""
    own = np.array([0.0, 1.0, 0.0, 1.0] * 50)
    assert best_response.gain(own, own) == (0.0, 0.0)
    found = own.copy()
    found[::4] = 1.0
    more, half = best_response.gain(found, own)
    assert more == pytest.approx(25)
    assert half == pytest.approx(196 * np.sqrt(0.25 * 0.75 / 199), rel=0.01)


def test_numbers_that_win_clearly_more_do_not_pass_the_gate() -> None:
    """At the worst of the tables; without a gate nothing fails."""
    best_response.pass_gate("manor", [-1.0, 2.9], 3.0)
    best_response.pass_gate("manor", [36.4], None)
    with pytest.raises(SystemExit, match=r"at least 36\.4 points more"):
        best_response.pass_gate("sixwinters", [1.0, 36.4], 3.0)


def test_steps_lead_uphill_and_are_kept(tmp_path: Path) -> None:
    """Where winning depends on one number out of five, that one is moved; what is kept is what was reached."""
    way, rng = best_response.SearchState.new(list("abcde")), np.random.default_rng(1)
    for _ in range(60):
        aside = rng.standard_normal((64, 5))
        both = np.concatenate(
            [way.log_factors + best_response.NOISE_SCALE * aside, way.log_factors - best_response.NOISE_SCALE * aside]
        )
        won = rng.uniform(size=128) < 1 / (1 + np.exp(-both[:, 2]))
        way.step((won[:64].astype(float) - won[64:]) @ aside / 64)
    assert way.log_factors[2] > 1.0
    assert way.log_factors[2] > 2 * np.abs(way.log_factors[[0, 1, 3, 4]]).max()
    path = tmp_path / "way.json"
    path.write_text(way.to_json(), encoding="utf-8")
    again = best_response.SearchState.load(path, list("abcde"))
    assert again.to_json() == way.to_json()
    with pytest.raises(ValueError, match="other parameters now"):
        best_response.SearchState.load(path, list("abcdf"))
