"""The league (tools/league.py): a candidate's numbers against foes that do not move, by whom they lose to most."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sutler
from sutler.lab.play.simulate import play_games

TOOLS = Path(__file__).parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
import exploit  # noqa: E402
import judges  # noqa: E402
import league  # noqa: E402

sys.path.remove(str(TOOLS))


@pytest.fixture(scope="module")
def table(plain_manor: sutler.Game) -> Any:
    """Medieval Manor for two, in plain Python, with a foe by numbers and a persona."""
    judge = judges.judge_of(plain_manor)
    own = judges.spread(judge)
    return league.League(plain_manor, judge, ["other.json", "random"], [2 * own, None], seats=2, threads=1, most=14)


def test_seats_go_round_and_a_foe_by_numbers_brings_its_own(table: Any) -> None:
    """The candidate is first of the list and sits one further with every turn; a bot by name has no row."""
    own = judges.spread(table.judge)
    by, bots = table.table([own, own], [-1, 0], 0)
    assert bots == [0, 1]
    assert (by == [own, 2 * own]).all()
    assert table.table([own, own], [-1, 0], 1)[1] == [1, 0]
    assert table.table([own, own], [-1, 1], 1)[1] == [3, 0]


def test_candidates_by_the_games_own_numbers_play_as_normal_bots(table: Any) -> None:
    """The same winners, in the same seats, as in games of normal bots alone."""
    own = judges.spread(table.judge)
    by, bots = table.table([own, own], [-1, -1], 0)
    won = table.play(by[None], np.array([bots]), np.array([5]))
    results, _ = play_games(table.game, ["normal", "normal"], seed=5, games=1, most=14)
    first = results["places"][:, :2] == 1
    assert (won == first / first.sum()).all()


def test_a_foe_that_wins_comes_more_often() -> None:
    """By how much more than even it won, whatever else came beside it."""
    beside = np.array([[0, 1], [0, -1], [1, -1], [0, 1]])
    won = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.5, 0.5]])
    first, second = league.gained(beside, won, np.array([0.5, 0.5]), 1 / 3)
    assert first == pytest.approx((2.5 - 1) / 0.5 / 4)
    assert second == pytest.approx((0.5 - 1) / 0.5 / 4)


def test_numbers_are_read_by_name(table: Any, tmp_path: Path) -> None:
    """From a file of numbers, and from one of factors as the exploiter keeps it; what is not named is the game's own."""
    names, own = judges.names(table.judge), judges.spread(table.judge)
    path = tmp_path / "numbers.json"
    path.write_text(json.dumps({"numbers": {names[1]: 7.0}}), encoding="utf-8")
    row = league.row_of(path, table.judge)
    assert row[1] == 7.0
    assert (np.delete(row, 1) == np.delete(own, 1)).all()
    way = exploit.Way.begun(names)
    way.at[2] = np.log(3.0)
    path.write_text(way.text(), encoding="utf-8")
    assert league.row_of(path, table.judge) == pytest.approx(own * np.exp(way.at))
