"""Reasons in words: the parts of a game's judgement add up to it, and say no more than the seat may know."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import sutler
from games.manor.table import work
from sutler.bots import bot
from sutler.bots._reasons import (
    Row,
    add_best_other_action,
    describe_differences,
    describe_search_results,
    explain_first_choice,
    find_telling_figures,
)
from sutler.core.actions import Action
from sutler.core.chance import new_luck, reseed
from sutler.core.play.game import Game
from sutler.core.play.position import Position
from sutler.core.play.registry import load_definition
from sutler.core.play.seat import SeatView
from sutler.core.text.language import HOUSE
from sutler.core.text.reason_figures import Figure

WITH_REASONS = ("bellum", "manor", "sixwinters", "threeyears", "warfarm")


def along(name: str, seed: int, decisions: int) -> Position:
    """A game between random bots, so many decisions on."""
    game = sutler.load(name)
    pos = game.new(seats=game.max_seats, seed=seed)
    chooser = bot("random")
    while not pos.over and len(pos.decisions) < decisions:
        pos.play(chooser.choose(pos.for_seat(pos.seat)))
    return pos


@pytest.mark.parametrize("name", WITH_REASONS)
@pytest.mark.parametrize("decisions", [0, 30, 90])
def test_the_parts_add_up_to_the_judgement(name: str, decisions: int) -> None:
    """Whoever changes `evaluate` changes its parts."""
    pos = along(name, 5, decisions)
    d = pos.game.definition
    for seat in range(pos.n_seats):
        out = np.full(len(d.reasons.REASONS), 99.0)
        d.reasons.reckon(pos.game.box, pos.state, seat, out)
        assert out.sum() == pytest.approx(float(d.evaluate(pos.game.box, pos.state, seat)))


@pytest.mark.parametrize("name", WITH_REASONS)
def test_every_part_has_words_for_more_and_for_less(name: str) -> None:
    """They are put together as "because ... and ...; in favour of the next best: ..."."""
    for pair in load_definition(name).reasons.REASONS:
        assert len(pair) == 2
        assert len(set(pair)) == 2
        assert all(words.startswith("it ") and not words.endswith(".") for words in pair)


NAMES = (("it gains A", "it loses A"), ("it gains B", "it loses B"), ("it gains C", "it loses C"))


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ([0.5, 0.0, 0.0], "it gains A"),
        ([0.2, 0.5, 0.3], "it gains B and it gains C"),
        ([0.5, 0.3, -0.4], "it gains A and it gains B; in favour of the next best: it gains C"),
        ([0.5, 0.0, -0.1], "it gains A"),
        ([0.01, 0.0, -0.5], ""),
    ],
    ids=["one", "the two weightiest", "and what speaks against", "too little against it", "nothing for it"],
)
def test_the_weightiest_differences_are_said(more: list[float], words: str) -> None:
    """Two that speak for it at most, and what speaks for the other if it weighs as much: a comparison, never told as a loss."""
    assert describe_differences(np.array(more), NAMES) == words


def unplayed(*actions: Action) -> list[Row]:
    """Thoughts of a bot that looks one move ahead: it plays nothing on."""
    return [(one, 0.0, 0) for one in actions]


@pytest.mark.parametrize(
    ("speaks", "words"),
    [
        (True, "it gains A (crops 5 instead of 3); in favour of the next best: it gains C"),
        (False, "it gains A; crops 5 instead of 3; in favour of the next best: it gains C"),
    ],
)
def test_numbers_stand_beside_what_they_speak_for(speaks: bool, words: str) -> None:
    assert describe_differences(np.array([0.5, 0.0, -0.6]), NAMES, HOUSE, "crops 5 instead of 3", speaks) == words
    assert describe_differences(np.zeros(3), NAMES, HOUSE, "crops 5 instead of 3") == "crops 5 instead of 3"


FIGURES = (
    Figure(0, "crops", lambda box, state, seat: 0),
    Figure(1, "hungry", lambda box, state, seat: 0, is_welcome=False),
    Figure(2, "gold", lambda box, state, seat: 0),
)


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ([[5, 2, 1], [3, 2, 1]], [0]),
        ([[5, 1, 1], [3, 2, 1]], [1, 0]),
        ([[3, 3, 1], [5, 2, 1]], []),
        ([[5.4, 2, 1], [5.0, 2, 1]], []),
        ([[5, 1, 2], [3, 2, 1]], [1, 2]),
    ],
    ids=[
        "what there is more of",
        "less of what is unwelcome",
        "nothing that is worse",
        "nothing that reads alike",
        "two at most",
    ],
)
def test_the_figures_of_the_weightiest_parts_are_told(counts: list[list[float]], told: list[int]) -> None:
    assert find_telling_figures(np.array([0.0, 0.9, 0.5]), np.array(counts, float), FIGURES) == told


def test_where_nothing_is_counted_it_is_told_how_it_fared() -> None:
    one, two = Action(0, "a", "1", "a", ()), Action(1, "b", "1", "b", ())
    assert (
        describe_search_results([(one, 0.61, 90), (two, 0.57, 80)])
        == "played on, it wins about 61 games of 100, the next best 57"
    )
    assert (
        describe_search_results([(one, 0.57, 90), (two, 0.58, 80)])
        == "played on, it wins as often as the next best: about 57 games of 100"
    ), "no higher number beside what is advised"
    assert describe_search_results(unplayed(one, two)) == ""


def test_nobody_is_rated_above_100_in_100() -> None:
    """A payoff with a margin of victory in it was told as "103 and 103 in 100"."""
    one, two = Action(0, "a", "1", "a", ()), Action(1, "b", "1", "b", ())
    assert describe_search_results([(one, 1.03, 90), (two, 1.02, 80)]).endswith("the next best: about 100 games of 100")
    assert describe_search_results([(one, 0.02, 90), (two, -0.03, 80)]).endswith(
        "about 2 games of 100, the next best 0"
    )


def test_a_number_that_the_next_best_brings_too_is_no_reason_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told as shared, or not at all where the game's author has written a reason."""
    pos = work({"peasants": 4, "victory": 9, "hand": ["Wheat", "Gold & Silver", "Corn"]}, {"peasants": 1})
    view, (one, two, *_) = pos.for_seat(0), pos.for_seat(0).actions()
    n_figures = len(view.game.definition.reasons.FIGURES)

    def count(view: SeatView, figures: Sequence[Figure], at: Position) -> np.ndarray:
        """More of everything after either action than now."""
        return np.full(n_figures, 7.0 if len(at.decisions) else 2.0)

    monkeypatch.setattr("sutler.bots._reasons._count_figures", count)
    assert explain_first_choice(view, unplayed(one, two)).count("7, now 2, with the next best too") == 1
    assert explain_first_choice(view, unplayed(one, two), rule_of_thumb="it fits") == "it fits"


def test_what_a_bot_left_out_stands_beside_its_only_thought() -> None:
    pos = work({"peasants": 4, "victory": 9, "hand": ["Wheat", "Gold & Silver", "Corn"]}, {"peasants": 1})
    view = pos.for_seat(0)
    first, *others = view.actions()
    both = add_best_other_action(view, unplayed(first))
    assert both[0][0] == first
    assert both[1][0] in others
    assert add_best_other_action(view, unplayed(first, others[0])) == unplayed(first, others[0])


class Fearless:
    """A bot to which hunger means nothing."""

    def get_part_factors(self, game: Game) -> np.ndarray:
        """All parts of the judgement as they are, but for how people are fed."""
        return np.array(["feeds" not in gain for gain, _ in game.definition.reasons.REASONS], float)


def test_who_is_hungry_hears_of_food() -> None:
    """7.1: four peasants with nothing to eat: a card that brings crops feeds them, one that brings gold does not."""
    pos = work({"peasants": 4, "victory": 9, "hand": ["Wheat", "Gold & Silver", "Corn"]}, {"peasants": 1})
    names = {action.name: action for action in pos.for_seat(0).actions()}
    rows = unplayed(names["place Wheat"], names["place Gold & Silver"])
    assert "feeds" in explain_first_choice(pos.for_seat(0), rows)
    assert "feeds" not in explain_first_choice(pos.for_seat(0), rows, Fearless())


@pytest.mark.parametrize("name", WITH_REASONS)
def test_nothing_hidden_is_told(name: str) -> None:
    """Two tables that differ only in what the seat cannot see get the same words."""
    pos = next(pos for n in range(40, 80) if len((pos := along(name, 8, n)).legal_ids()) > 1)
    other = pos.copy()
    luck = new_luck(1, 1)
    pos.game.definition.redeal(pos.game.box, other.state, pos.seat, luck)
    reseed(other.state, luck)  # the dice to come, and the cards
    assert other.to_bytes() != pos.to_bytes()
    one, two, *_ = pos.for_seat(pos.seat).actions()
    assert explain_first_choice(pos.for_seat(pos.seat), unplayed(one, two)) == explain_first_choice(
        other.for_seat(pos.seat), unplayed(one, two)
    )
