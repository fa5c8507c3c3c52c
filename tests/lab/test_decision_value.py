"""Decisions by intervention: what does nothing is exactly zero, a planted gain is found to the point, and refusals are in words."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sutler
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.play.query import Query
from sutler.lab.play.rollouts import RolloutTable
from sutler.lab.report.decision_pages import describe_answer, render_choices_page, render_explanation
from sutler.lab.studies.decision_value import estimate_decision_values, find_choice_actions


@pytest.fixture
def market(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The little game of the examples, as plain Python: every ware is cloth, costs nothing and is worth this; coins buy nothing."""
    monkeypatch.setenv("SUTLER_GAMES", str(Path(__file__).parents[2] / "examples"))

    def made(worth: int) -> sutler.Game:
        printed = sutler.load("market").sheet.ware
        alike = [{"name": one.name, "kind": "cloth", "cost": 0, "worth": worth} for one in printed]
        game = sutler.load("market", {"ware": alike}, {"rounds": 5})
        game.definition.home.interpreted = True
        return game

    return made


def asked(game: sutler.Game, *named: str, games: int = 12, **more: Any) -> Any:
    found = estimate_decision_values(Query(game, ["greedy"], 2, games, threads=1), named, **more)
    return {one.name: one for one in found.choices}


def test_what_does_nothing_is_exactly_zero(market: Any) -> None:
    """Wares are worth nothing: whatever one does, no point of lead."""
    found = asked(market(0))
    assert set(found) == {"work", "buy"}
    for one in found.values():
        assert one.games == 12
        assert one.lead == (0.0, 0.0)
        assert not one.stands


def test_a_planted_gain_is_found(market: Any) -> None:
    """Seven points a ware, fourteen to whose customer wants cloth, and nothing for work: buying is worth that, in each game."""
    found = estimate_decision_values(Query(market(7), ["greedy"], 2, 30, threads=1))
    best, worst = found.choices
    assert (best.name, best.done, best.stands) == ("buy", 1.0, True)
    assert (worst.name, worst.done, worst.stands) == ("work", 0.0, True)
    assert 7 <= best.lead[0] - best.lead[1] <= best.lead[0] <= 14
    assert -14 <= worst.lead[0] <= -7
    assert best.won[0] > 0
    assert best.lead_done == best.lead
    assert math.isnan(best.lead_left[0]), "nobody left it"
    assert describe_answer(found).startswith("Worth doing, in lead: buy (+")
    assert "Better left: work (−" in describe_answer(found)
    assert "at 2 seats between greedy bots" in render_explanation(found)
    assert "<svg" in render_choices_page(found)
    again = estimate_decision_values(Query(market(7), ["greedy"], 2, 30, threads=3))
    assert found.table().equals(again.table()), "however many threads"


def test_one_thing_among_its_like(market: Any) -> None:
    """A ware by name, against all else one could do, in the games in which it comes to the stall."""
    (one,) = estimate_decision_values(Query(market(7), ["random"], 2, 20, threads=1), ["buy linen"]).choices
    assert one.name == "buy linen"
    assert 0 < one.games < 20


def test_a_blank_that_is_the_thing_itself_and_a_worth_that_is_what_it_was_are_zero(
    market: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same game goes on, so nothing may differ; a worth that is turned does, by so much, and by twice that for cloth's customer."""
    game = market(7)
    monkeypatch.setattr(type(game.sheet), "blanked", lambda sheet, kind, thing: sheet, raising=False)
    same = asked(game, "buy linen", games=40, changed_settings={"ware.Linen.worth": 7})["buy linen"]
    assert same.lead_blank == (0.0, 0.0)
    assert same.lead_turned == (0.0, 0.0)
    rich = asked(game, "buy linen", games=40, changed_settings={"ware.Linen.worth": 17})["buy linen"]
    assert 10 <= rich.lead_turned[0] <= 20


def test_what_cannot_be_asked(market: Any) -> None:
    """An action that is none; a box that refuses; bots that are no compiled ones."""
    game = market(7)
    with pytest.raises(ValueError, match=r"no action of Market begins with 'sing'; the kinds of action are work, buy"):
        find_choice_actions(game, ["sing"])
    with pytest.raises(ValueError, match="wages"):
        asked(game, "work", changed_settings={"rules.wages": 3})
    with pytest.raises(ValueError, match="a number of rounds"):
        estimate_decision_values(Query(game, ["hard"], 2, 1), ["work"])


def test_what_is_interrupted_and_what_is_kept(market: Any, tmp_path: Path) -> None:
    """Ctrl-C after the third decision: three are counted, and of three nothing is said; the table can be kept."""

    def stop(done: int, _: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    found = estimate_decision_values(Query(market(7), ["greedy"], 2, 5, threads=1, progress=stop), ["work"])
    (one,) = found.choices
    assert one.games == 3
    assert math.isnan(one.lead[0])
    assert describe_answer(found) == "No choice is seen to be worth more done than left, nor less."
    found.write(tmp_path / "kept.csv")
    assert pl.read_csv(tmp_path / "kept.csv")["choice"].to_list() == ["work"]


def test_each_action_of_a_kind_can_be_asked_about_by_itself() -> None:
    """`draft/*`: every claim of Three Years by name, in one command; a slip of the pen is met with the nearest kind."""
    game = sutler.load("threeyears")
    asked = find_choice_actions(game, ["draft/*"])
    assert "draft Mutiny over Bread" in asked
    assert {len(ids) for ids in asked.values()} == {1}
    assert len(asked) == len(game.definition.actions.ids("draft"))
    with pytest.raises(ValueError, match="did you mean 'draft'"):
        find_choice_actions(game, ["darft/*"])


def test_a_kind_that_leaves_nothing_else_to_do_is_asked_action_by_action() -> None:
    """Missions are undertaken or others are; and what an action means by a place is what lies there."""
    game = sutler.load("sixwinters")
    asked = find_choice_actions(game, ["undertake", "move"])
    assert "undertake The Blue Robe" in asked
    assert asked["move"] == set(game.definition.actions.ids("move"))
    assert "undertake" in find_choice_actions(game), "all kinds are kinds"
    state = game.new(2, seed=1).state
    state.staged[2] = 7
    assert game.sheet.stands_at(state, "slot", 4) == ("location", int(state.location_at[4]))
    assert game.sheet.stands_at(state, "staged", 2) == ("card", 7)
    assert game.sheet.stands_at(state, "mission", 3) == ("mission", 3)


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="games of Three Years of War want compiled rules")
def test_a_planted_claim_is_found_and_an_empty_stake_is_not() -> None:
    """Twenty renown on a claim card: drafting it brings them, against its blank. A plain card laid as a blank is the same card."""
    name = "Toll at the Thawed Ford"
    rich = sutler.load("threeyears", None, {f"claim.{name}.green.renown": 20})
    query = Query(rich, ["random"], 4, 40, threads=1)
    (found,) = estimate_decision_values(query, [f"draft {name}"]).choices
    mean, half = found.lead_blank
    assert 15 < mean - half < mean + half < 25
    plain = next(one for one in sutler.load("threeyears").names["kind"] if one.startswith("a plain"))
    (idle,) = estimate_decision_values(query, [f"use {plain}"]).choices
    assert idle.games >= 10
    assert idle.lead_blank == (0.0, 0.0)


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="campaigns want compiled rules")
def test_a_mission_without_which_it_is_no_game_is_told_of() -> None:
    """Two missions win the campaign: of these there is no blank, and the page says why."""
    game = sutler.load("sixwinters")
    table = RolloutTable(game, ["random"], 2)
    names = list(game.names["mission"])
    assert table.find_blank("mission", names.index("The Severing")) is None
    assert table.find_blank("mission", names.index("The Blue Robe")) is not None
    assert table.collect_metadata(1, 1)["refused"] == ["The Severing: it wins the campaign; without that it is no game"]
    found = estimate_decision_values(
        Query(game, ["random"], 2, 2, threads=1), ["undertake The Severing", "reserve action"]
    )
    assert found.about["refused"] in ([], table.collect_metadata(1, 1)["refused"])
    told = replace(found, about=found.about | {"refused": table.collect_metadata(1, 1)["refused"]})
    assert "No blank: The Severing: it wins the campaign" in render_explanation(told)
