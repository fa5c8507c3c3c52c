"""What hidden information decides: nothing where a bot makes nothing of it, something where it does; refusals in words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sutler
from sutler.bots.kit import get_kit
from sutler.bots.kit.records import LUCK
from sutler.core.chance import seed_seat
from sutler.lab.play.headline_figures import Figure
from sutler.lab.play.query import Query
from sutler.lab.report.design_pages import render_hidden_information_page
from sutler.lab.studies.hidden_information import HiddenInformation, iter_hidden_information

CAUTIOUS = str(Path(__file__).parents[2] / "examples" / "bots" / "cautious.py")
LENGTH = Figure("decisions", "length in decisions", "")


def test_a_bot_that_makes_nothing_of_it_plays_the_same_game(market: sutler.Game) -> None:
    """One move ahead, nobody cares for others' customers: seen or not, every game is the same to the last move; other guesses differ."""
    *_, last = iter_hidden_information(Query(market, ["greedy"], 2, 10, threads=1))
    assert last.games == 10
    assert last.asked.sum(axis=0)[:2].tolist() == [100, 0]
    assert last.estimate_winner_changed("open")[0] == 0
    assert last.estimate_value_of_seeing() == (0.0, 0.0, 0.0)
    assert all(effect == (0.0, 0.0, 0.0) for _, effect in last.compute_figure_changes().values())
    assert last.answer().startswith(
        "Nothing hidden changes anything between these bots: with all open, 10 games are the same"
    )
    assert "Nothing hidden" in render_hidden_information_page(last)


def test_a_bot_that_looks_further_decides_otherwise_when_it_sees(market: sutler.Game) -> None:
    """A search reckons with what the other will buy, and that hangs on a customer it does not see."""
    *_, last = iter_hidden_information(
        Query(market, ["search:rounds=6:horizon=4:candidates=0:chances=0:curiosity=1"], 2, 4, seed=3, threads=1)
    )
    asked, seen, guessed = last.asked.sum(axis=0)
    assert 0 < seen < asked
    assert 0 < guessed < asked
    assert last.table()["measure"].to_list()[:3] == ["winner differs, again", "winner differs, open", "value of seeing"]


def test_a_look_shows_the_truth_and_spends_luck_like_a_guess(market: sutler.Game) -> None:
    """The customers are the true ones, the chance to come is not; and the bot's luck stands where a redeal would leave it."""
    kit = get_kit(market)
    state, world, other = (market.new(2, seed=1).state for _ in range(3))
    lucks = np.zeros(2, LUCK.dtype)
    for luck in lucks:
        seed_seat(luck, 5, 0)
    look = kit.open_information.copy_true_state
    look(market.box, world, state, 0, lucks[0])
    kit.greedy.imagine(market.box, other, state, 0, lucks[1])
    assert list(world["customer"]) == list(state["customer"])
    assert list(world["rng"]) != list(state["rng"])
    assert list(lucks[0]["rng"]) == list(lucks[1]["rng"])
    assert list(world["rng"]) == list(other["rng"])


def test_what_seeing_is_worth() -> None:
    """The seat that sees, another in every game, wins both; hidden it won one of them. With all open another seat wins once."""
    hidden = np.array([[1.0, 0.0], [1.0, 0.0]] * 20)
    one = np.array([[1.0, 0.0], [0.0, 1.0]] * 20)
    found = HiddenInformation(
        {"hidden": hidden, "again": hidden, "one": one, "open": one},
        {way: {LENGTH: np.full(40, 9.0 + (way == "open"))} for way in ("hidden", "open")},
        np.array([[10.0, 1.0, 2.0]] * 40),
        {"seats": 2},
    )
    assert found.estimate_value_of_seeing()[0] == 0.5
    assert found.estimate_winner_changed("open")[0] == 0.5
    assert found.estimate_winner_changed("again")[0] == 0
    assert found.estimate_decisions_changed(1) == pytest.approx((0.1, 0.1, 0.1))
    assert found.compute_figure_changes()[LENGTH] == (9.0, (1.0, 1.0, 1.0))
    assert "A seat that alone saw everything would win +50.0 (" in found.answer()
    assert "Seeing would change 10.0 %" in found.answer()


def test_who_wins_together_sees_together() -> None:
    """There nobody sees alone: what is told is how much more often all win."""
    nobody, both = np.zeros((30, 2)), np.array([[0.5, 0.5], [0.0, 0.0]] * 15)
    figures = {way: {LENGTH: np.full(30, 9.0)} for way in ("hidden", "open")}
    found = HiddenInformation(
        {"hidden": nobody, "again": nobody, "open": both}, figures, np.full((30, 3), 4.0), {"seats": 2}
    )
    assert found.is_cooperative
    assert found.estimate_value_of_seeing()[0] == 0.5
    assert "They would win +50.0" in found.answer()


def test_refusals(market: sutler.Game) -> None:
    """Unlike bots, and bots that cannot be shown anything."""
    with pytest.raises(ValueError, match="name one bot"):
        next(iter_hidden_information(Query(market, ["greedy", "random"], 2, 4)))
    with pytest.raises(ValueError, match="cannot be shown what is hidden; random, greedy and search can"):
        next(iter_hidden_information(Query(market, [CAUTIOUS], 2, 4)))
