"""The end of a game as a curve with a unit, and what is in force as words on the board."""

from __future__ import annotations

import re

import pytest

import sutler
from sutler.web import pages
from sutler.web.charts import score_chart
from sutler.web.look import chance_curve, curve, spread_over, turning_points


def test_a_turning_point_is_where_somebody_else_leads_alone() -> None:
    """A tie turns nothing, and the first to lead has taken the lead from nobody."""
    rows = [(0, [0.0, 0.0]), (3, [2.0, 1.0]), (6, [2.0, 2.0]), (9, [2.0, 3.0]), (12, [4.0, 3.0])]
    assert turning_points(rows) == [9, 12]
    assert turning_points(rows, most=1) == [12]
    assert turning_points([]) == []


@pytest.mark.parametrize(
    ("game", "count", "word"), [("warfarm", "tokens.farmland", "Farmland of each"), ("manor", "", "victory tokens")]
)
def test_a_curve_says_what_it_counts(game: str, count: str, word: str) -> None:
    """WARFARM's curve is of Farmland, which a seat has at every moment, and not of an estimate."""
    assert pages.curve_of(game) == (count, word)
    pos = sutler.load(game).new(seats=3, seed=1)
    told = (
        [seat["tokens"]["farmland"] for seat in pos.view(None)["seats"]] if count else [float(s) for s in pos.scores()]
    )
    assert curve(pos, count) == told


def test_the_chances_at_the_end_are_those_a_hint_would_have_told() -> None:
    """Hundredths that add up, one row where somebody decided, none where nothing was measured; the last moment is of nobody."""
    pos = sutler.load("manor").new(seats=3, seed=1)
    for _ in range(12):
        pos.play(pos.legal_ids()[0])
    rows = chance_curve(pos, spread_over(12, 4))
    assert [decision for decision, _ in rows] == [0, 3, 6, 9, 12]
    assert all(abs(sum(row) - 100) <= 2 for _, row in rows)
    assert spread_over(5, 60) == [0, 1, 2, 3, 4, 5]
    drawn = score_chart(rows, ["Agnes", "Perrin", "Osric"], [1, 2, 3], pages.charges("manor"), told="Chances")
    assert 'aria-label="Chances: Agnes ' in drawn


def test_what_binds_everybody_stands_on_the_board() -> None:
    """3.4: Blight and Peasant Rebellion, until the turn ends; a barred card says which of them bars it."""
    view = sutler.load("manor").new(seats=3, seed=1).view(0)
    context = {"lit": {}, "reasons": {}, "before": None, "symbol": pages.symbol_finder("manor"), "look": None}
    board = pages.board_module("manor", context)
    assert "in-force" not in board.board(view)
    view["bans"] = {"crops": True, "play": True}
    view["phase"] = "work"
    drawn = str(board.board(view))
    assert "Blight" in drawn
    assert "Peasant Rebellion" in drawn
    view["seat"] = next(seat["seat"] for seat in view["seats"] if seat["hand"])
    assert "Peasant Rebellion: not this turn." in str(board.hand(view))


def test_warfarms_reckoning_says_how_far_each_had_come() -> None:
    """14.1-14.4: a row for each road to victory, a column for each seat in the order of the reckoning, the winner's marked."""
    view = sutler.load("warfarm").new(seats=3, seed=1).view(None)
    for seat in view["seats"]:
        seat["goals"][0]["n"] = 10 + seat["seat"]
    board = pages.board_module("warfarm", {"lit": {}, "reasons": {}, "before": None, "symbol": str, "look": None})
    drawn = str(board.stood(view, [{"seat": 2, "place": 1}, {"seat": 0, "place": 2}, {"seat": 1, "place": 3}]))
    rows = [re.findall(r"<td[^>]*>([^<]+)</td>", row) for row in drawn.split("</tr>")[:-1]]
    assert rows[0] == ["12/24", "10/24", "11/24"]
    assert len(rows) == 3
    assert drawn.count('<td class="won">') == 3
    assert "10 Religion" in drawn


def test_a_curve_that_falls_below_nothing_stands_on_its_lowest_line() -> None:
    """Three Years of War ends below 0: the lowest line lay on the words under the picture, at -4 while the axis ended at -3."""
    drawn = score_chart([(0, [0, 0]), (4, [8, -3])], ["Agnes", "Perrin"], [1, 2], pages.charges("threeyears"))
    lines = [float(y) for y in re.findall(r'class="grid" d="M\d+ ([\d.]+)H', drawn)]
    below = float(re.search(r'class="tick middle" x="[\d.]+" y="([\d.]+)"', drawn)[1])
    assert below - max(lines) > 18
    assert ">-4</text>" in drawn


def test_warfarms_reckoning_on_time_shows_what_was_compared() -> None:
    """15.1: Farmland, then units. "1, -, -" told nobody why 6 of 24 won before 7 of 24."""
    view = sutler.load("warfarm").new(seats=3, seed=1).view(None)
    board = pages.board_module("warfarm", {"lit": {}, "reasons": {}, "before": None, "symbol": str, "look": None})
    result = [{"seat": 2, "place": 1}, {"seat": 0, "place": 2}, {"seat": 1, "place": 3}]
    assert "when time was up" not in str(board.stood(view, result))
    view["won_by"] = "time"
    view["seats"][2]["n_units"] = 9
    rows = [re.findall(r"<td[^>]*>([^<]+)</td>", row) for row in str(board.stood(view, result)).split("</tr>")[:-1]]
    assert rows[-2:] == [["6", "6", "6"], ["9", "2", "2"]]


def test_the_curve_carries_what_stands_on_the_shields() -> None:
    """Bellum's powers have crests of their own; rings mark where somebody else has come to lead."""
    assert pages.charges("manor")[:3] == ("deer-head", "boar", "bee")
    crests = pages.charges("bellum")
    assert len(crests) == 4
    assert not set(crests) & {"deer-head", "boar", "bee"}
    drawn = score_chart([(0, [1, 1]), (4, [1, 3]), (8, [1, 4])], ["Agnes", "Perrin"], [3, 4], crests, turning=[4])
    assert f'href="#{crests[2]}"' in drawn
    assert f'href="#{crests[3]}"' in drawn
    assert drawn.count('class="turn s4"') == 1


def test_setting_up_is_a_phase_of_warfarm() -> None:
    """2.3: while seats choose what they begin with, that is what is underlined; later it is gone."""
    pos = sutler.load("warfarm").new(seats=3, seed=1)
    view = pos.view(None)
    assert view["phase"] == view["phases"][0][0] == "start"
    while pos.view(None)["phase"] == "start":
        pos.play(pos.legal_ids()[0])
    assert pos.view(None)["phases"][0][0] == "produce"
