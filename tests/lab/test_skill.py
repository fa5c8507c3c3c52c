"""A ladder of bots: planted steps and parts of the variance are found, bots that are alike are told to be, and known games stand beside."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

import sutler
from sutler.cli import app
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.play.headline_figures import Numbers
from sutler.lab.play.query import Query
from sutler.lab.report.design_pages import render_skill_page
from sutler.lab.studies.openspiel_ladder import iter_ladder_steps, require_known_games
from sutler.lab.studies.skill import (
    Skill,
    build_cooperative_step,
    build_step,
    compute_shares_ahead,
    describe_depth,
    estimate_variance_parts,
    iter_skill,
    list_two_bot_seatings,
    require_valid_ladder,
)

ABOUT = {"title": "Made up", "seats": 4, "versions": {}, "rules": "x", "command": "sutler skill market", "made": "now"}


def places(deals: int, seats: int, skill: float, deal: float, seat: float, seed: int = 1) -> Numbers:
    """Places of made-up games: each seat's strength is its bot's, its own, the deal's and luck's; shape (deals, seatings, seats)."""
    luck = np.random.default_rng(seed)
    sat = np.array(list_two_bot_seatings(seats))
    strength = (
        skill * sat[None, :, :] + deal * luck.normal(size=(deals, 1, seats)) + luck.normal(size=(deals, *sat.shape))
    )
    strength = strength + seat * np.arange(seats)
    found: Numbers = (-strength).argsort(axis=2).argsort(axis=2).astype(np.float64) + 1
    return found


def test_every_seat_is_held_by_both() -> None:
    """One alone at each seat, then the other; at a table of two both are the same, and none is played twice."""
    assert list_two_bot_seatings(2) == [(1, 0), (0, 1)]
    assert list_two_bot_seatings(3) == [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 0)]
    assert compute_shares_ahead(np.array([1.0, 2.0, 2.0])).tolist() == [1.0, 0.25, 0.25]


def test_planted_parts_are_found() -> None:
    """Who played, the seat and the deal, each planted by itself: its part is most of what is told, the others are nothing."""
    sat = list_two_bot_seatings(4)
    for k, (skill, deal, seat) in enumerate(((3.0, 0.0, 0.0), (0.0, 0.0, 2.0), (0.0, 3.0, 0.0), (0.0, 0.0, 0.0))):
        found = estimate_variance_parts(compute_shares_ahead(places(300, 4, skill, deal, seat)), sat)
        assert found[k].value > (0.9 if k == 3 else 0.25), "bots of one kind share their places by luck"
        for other in {0, 1, 2} - {k}:
            assert found[other].value < 0.03
            assert found[other].low <= 0.02
        assert sum(one.value for one in found) == pytest.approx(1, abs=0.02)


def test_intervals_of_parts_hold_the_truth() -> None:
    """The deal's part, known from a very long run, lies in 18 or more of 20 intervals of short ones; a truth of nothing likewise."""
    sat = list_two_bot_seatings(3)
    truth = estimate_variance_parts(compute_shares_ahead(places(20_000, 3, 0.7, 1.0, 0.0, 99)), sat)
    held = [0, 0, 0]
    for seed in range(20):
        found = estimate_variance_parts(compute_shares_ahead(places(60, 3, 0.7, 1.0, 0.0, seed)), sat)
        for k in range(3):
            held[k] += found[k].low - 1e-9 <= truth[k].value <= found[k].high + 1e-3
    assert min(held) >= 17, held


def test_steps_in_elo() -> None:
    """Even bots are not told apart, in nineteen of twenty ladders; a planted step is; one who never loses is more than so much."""
    sat = list_two_bot_seatings(3)
    wrong = 0
    for seed in range(20):
        even = build_step("a", "b", places(60, 3, 0.0, 1.0, 0.5, seed), sat)
        wrong += "not told from level" not in Skill((even,), {}).answer()
    assert wrong <= 2
    better = build_step("a", "b", places(60, 3, 1.5, 0.5, 0.0), sat)
    assert better.elo[1] > 100
    assert "b over a +" in Skill((better,), {}).answer()
    surely = build_step("a", "b", places(60, 3, 50.0, 0.0, 0.0), sat)
    assert surely.elo_in_words.startswith("more than +")
    assert describe_depth([surely, better]).startswith("at least ")
    value, low, high = Skill((better, better), {}).depth
    assert value == pytest.approx(2 * better.elo[0])
    assert better.elo[1] < value / 2 < better.elo[2]
    assert high - low < 2 * (better.elo[2] - better.elo[1]), "steps are independent: their errors do not add up whole"
    assert "Made up: b over a" in render_skill_page(Skill((better, surely), ABOUT), {})


def test_tables_that_win_together() -> None:
    """Two of three games against one of three: odds four times as good, 241 Elo; nobody who ever wins is not told from anybody."""
    luck = np.random.default_rng(3)
    won = np.stack([luck.random(3000) < 1 / 3, luck.random(3000) < 2 / 3], axis=1).astype(float)
    found = build_cooperative_step("easy", "hard", won)
    assert found.elo[0] == pytest.approx(400 * math.log10(4), abs=25)
    assert found.parts[0].value == pytest.approx(1 / 9, abs=0.03)
    never = build_cooperative_step("easy", "hard", np.zeros((50, 2)))
    assert "not told from level" in Skill((never,), {"together": True}).answer()


def test_a_ladder_in_a_real_game(market: sutler.Game) -> None:
    """Random, then greedy: who played is most of it, from its own deals at each step; what is no ladder is refused."""
    *_, found = iter_skill(Query("market", ["random", "greedy", "greedy:noise=0.5"], 2, 24))
    assert [(one.lower, one.upper, one.games) for one in found.steps] == [
        ("random", "greedy", 48),
        ("greedy", "greedy:noise=0.5", 48),
    ]
    assert found.steps[0].low > 0.5
    assert found.table()["who_played"][0] > 0.1
    with pytest.raises(ValueError, match="two bots or more"):
        require_valid_ladder(Query("market", ["greedy"]))


@pytest.mark.skipif(PLAIN_ONLY, reason="nothing of ours is compiled there: once is enough")
def test_known_games_beside() -> None:
    """Connect Four by the same measure, and the same again from the same seed; a game that is none is refused."""
    pytest.importorskip("pyspiel")
    first, again = (list(iter_ladder_steps("connect_four", 12, 1, (0, 20))) for _ in range(2))
    assert first == again
    assert first[0].low > 0.5
    assert first[0].parts[0].value > 0.2
    with pytest.raises(ValueError, match=r"did you mean 'connect_four'"):
        require_known_games(["conect_four"])


def test_without_openspiel_it_says_so(market: sutler.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The own game's answer comes all the same."""
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    asked = ["skill", "market", "--seats", "2", "--bots", "random,greedy", "--games", "4", "--beside", "pig"]
    said = " ".join(CliRunner().invoke(app, asked).output.split())
    assert "pip install 'sutler[openspiel]'" in said
    assert "From random to greedy:" in said
