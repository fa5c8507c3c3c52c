"""The end of a game as a curve with a unit, and what is in force as words on the board."""

from __future__ import annotations

import pytest

import sutler
from sutler.web import pages
from sutler.web.look import curve, turning_points


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
