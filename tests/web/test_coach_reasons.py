"""Nearly every advice of the coach has a reason, and one that says how much, in every game and language."""

from __future__ import annotations

import re

import pytest

from programs import study
from sutler.core.play.game import load as load_game
from sutler.core.play.registry import games, load_definition
from sutler.core.rule import PLAIN_ONLY
from sutler.core.text.coaching import Coaching, RuleOfThumb
from sutler.core.text.language import use_language
from sutler.web.table.teaching.hints import AskedDecision, build_advice

DECISIONS = 40
MIN_SHARE = 0.95


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="a search wants compiled rules")
@pytest.mark.parametrize("game", games())
def test_nearly_every_advice_has_a_reason_with_a_number(game: str) -> None:
    every = list(study("coach_reasons").listen(game, DECISIONS, 3, "search:rounds=60"))
    without = [f"{one.phase}: {one.advice.text} | {one.advice.because}" for one in every if not one.is_concrete]
    assert len(every) == DECISIONS
    assert len(without) <= DECISIONS * (1 - MIN_SHARE), without


@pytest.mark.parametrize("game", games())
def test_every_figure_and_rule_of_thumb_has_its_german(game: str) -> None:
    told = load_definition(game)
    from sutler.core.text.coaching import read_coaching

    texts = [one.what for one in told.reasons.FIGURES] + [one.text for one in read_coaching(told.folder).thumb]
    with use_language("de"):
        same = [text for text in texts if told.tongue(text) == text and not re.fullmatch(r"Religion|Stress", text)]
    assert same == []


def test_a_rule_of_thumb_may_be_about_some_actions() -> None:
    """What is said of passing is not said of bidding."""
    of_passing = RuleOfThumb(at=["bid"], text="keep your cards", action="pass")
    assert of_passing.is_about("bid", "pass")
    assert not of_passing.is_about("bid", "bid Spring 2")
    assert not of_passing.is_about("draft", "pass")
    assert RuleOfThumb(at=["bid"], text="keep your cards").is_about("bid", "bid Spring 2")


def test_what_is_forced_needs_no_reason() -> None:
    """Where a seat can only pass no bot is asked, and no reason made up why that is better than anything else."""
    view = load_game("manor").new(seats=2, seed=1).for_seat(0)
    asked = AskedDecision({"pass": ("Pass", "marker 3")}, "", Coaching(), "bid")
    advice = build_advice(view, asked, None)
    assert (advice.action, advice.text, advice.because) == ("pass", "Pass", "nothing else is possible now")
    assert not advice.instead
