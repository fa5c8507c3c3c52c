"""Play that goes in circles is found, where it is planted, and shown: in the report, and by a replay of the very game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sutler
from sutler.core.actions import Action
from sutler.core.play.game import Game
from sutler.core.play.position import SeatView
from sutler.lab.play.cycles import MIN_REPEATS, find_longest_cycle, replay_game, select_games_to_search
from sutler.lab.play.experiment import Plan, run
from sutler.lab.play.experiment_file import Sample, read
from sutler.lab.report import result_tables
from sutler.lab.report.report import render_report

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def examples(monkeypatch: pytest.MonkeyPatch) -> None:
    """The small game is among those there are."""
    monkeypatch.setenv("SUTLER_GAMES", str(ROOT / "examples"))


def market(rounds: int) -> Game:
    game = sutler.load("market", rounds=rounds)
    game.definition.home.interpreted = True  # quicker than compiling it
    return game


class Mule:
    """A bot that has found out what pays and does nothing else: it works."""

    name = "mule"

    def choose(self, view: SeatView) -> Action:
        return next((one for one in view.actions() if one.block == "work"), view.actions()[0])


def test_a_cycle_is_found_where_it_is() -> None:
    """Between other actions, of whatever length; what comes less often, or with something between, is none."""
    noise = [(0, 100 + k) for k in range(30)]
    planted = [(0, 1), (1, 2), (0, 3)] * 12
    assert find_longest_cycle([*noise, *planted, *noise]) == (30, 3, 12)
    assert find_longest_cycle(noise + planted[: 3 * (MIN_REPEATS - 1)]) is None
    assert find_longest_cycle([one for k in range(40) for one in ((0, 1), (0, 50 + k))]) is None
    assert find_longest_cycle([]) is None
    assert find_longest_cycle([(0, 7)] * 1000) == (0, 1, 1000)


def test_a_planted_loop_is_told(tmp_path: Path) -> None:
    """Two seats that work and work: the loop is found with its paragraph, it pays, and the first page says so."""
    out = tmp_path / "m.parquet"
    run(Plan(market(30), [Mule(), Mule()], games=3), out)
    one = result_tables.list_cycles(read(out))[0]
    assert one["pays"]
    assert one["repeats"] >= 2 * MIN_REPEATS
    assert {(name, rule) for _, name, rule in one["actions"]} == {("work", "2.2")}
    assert one["gains"]["coins"] >= 1
    page = render_report(out)
    short = page.partition('aria-label="In short"')[2].partition("</ul>")[0]
    assert "Something repeats itself." in short
    assert f"sutler replay m.parquet --seed {one['seed']} --at {one['at']}" in short
    assert "(it pays)" in page


def test_the_very_game_is_shown(tmp_path: Path) -> None:
    """A replay of a record is the game that was recorded: as many decisions, the same scores; other rules are refused."""
    out = tmp_path / "m.parquet"
    table = run(Plan(market(6), ["greedy", "random"], games=4, seed=5), out).collect()
    about = read(out).about
    for k, row in enumerate(table.to_dicts()):
        pos = replay_game(about, k)
        assert (pos.seed, len(pos.decisions)) == (row["seed"], row["decisions"])
        assert pos.scores() == [row["score_0"], row["score_1"]]
    with pytest.raises(ValueError, match="by other rules"):
        replay_game(about | {"rules": "older"}, 0)


def test_the_longest_are_looked_at_first() -> None:
    """Three of them, then some of the others, none twice."""
    table = pl.DataFrame({"decisions": [5, 50, 7, 40, 6, 30, 8, 9]})
    found = select_games_to_search(table)
    assert found[:3] == [1, 3, 5]
    assert len(found) == len(set(found)) == 6


def test_what_is_never_taken_is_told() -> None:
    """Often offered and never taken; what was offered twice says nothing."""
    about: dict[str, Any] = {
        "choices": [["buy", "buy Salt", 0, 40, 0, 0], ["buy", "buy Wine", 0, 40, 1, 0], ["buy", "buy Ale", 0, 2, 0, 0]]
    }
    found = result_tables.find_actions_never_taken(Sample(pl.DataFrame({"seed": [1]}), about))
    assert found["action"].to_list() == ["buy Salt"]


def test_circles_are_not_searched_for_when_nobody_asks(tmp_path: Path) -> None:
    """Who wants the games alone is not made to wait for it."""
    out = tmp_path / "m.parquet"
    run(Plan(market(30), [Mule(), Mule()], games=3), out, search_cycles=False)
    assert result_tables.list_cycles(read(out)) == []
