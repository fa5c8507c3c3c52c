"""Nearly every advice of the coach has a reason, and one that says how much, in every game and language."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from games.bellum.table import game as war
from programs import study
from sutler.core.actions import Action
from sutler.core.play.game import load as load_game
from sutler.core.play.registry import games, load_definition
from sutler.core.rule import PLAIN_ONLY
from sutler.core.text.coaching import Coaching, CoachMemory, RuleOfThumb, read_coaching
from sutler.core.text.language import use_language
from sutler.web.table.teaching.hints import Advice, AskedDecision, build_advice, level_close_results

DECISIONS = 40
MIN_SHARE = 0.95


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="a search wants compiled rules")
@pytest.mark.parametrize("game", games())
def test_nearly_every_advice_has_a_reason_with_a_number(game: str) -> None:
    every = list(study("coach_reasons").listen(game, DECISIONS, 3, "search:rounds=60"))
    assert [one.advice.text for one in every if "as often as the next best" in one.advice.because] == []
    twice = [b.advice.because for a, b in pairwise(every) if a.game == b.game and a.advice.because == b.advice.because]
    assert [one for one in twice if one] == []
    without = [f"{one.phase}: {one.advice.text} | {one.advice.because}" for one in every if not one.is_concrete]
    assert len(every) == DECISIONS
    assert len(without) <= DECISIONS * (1 - MIN_SHARE), without


@pytest.mark.parametrize("game", games())
def test_every_figure_and_rule_of_thumb_has_its_german(game: str) -> None:
    told = load_definition(game)
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


class Adviser:
    """A bot whose thoughts are given: (name of an action, share of games won, games played)."""

    def __init__(self, *thoughts: tuple[str, float, int]) -> None:
        self.thoughts = thoughts

    def explain(self, view: Any) -> list[tuple[Action, float, int]]:
        return [(view.game.action(name), share, n) for name, share, n in self.thoughts]


def ask_about_a_leader(*thoughts: tuple[str, float, int], memory: CoachMemory | None = None) -> Advice:
    """The coach's advice to a power that may march with either leader, from these thoughts."""
    game = load_game("bellum", city_tiles="random")
    pos = game.new(seats=4, seed=5)
    coach = read_coaching(game.definition.folder)
    labels = {one.name: (one.name, "") for one in pos.choices(pos.seat)}
    asked = AskedDecision(labels, "", coach, "move", memory or CoachMemory())
    return build_advice(pos.for_seat(pos.seat), asked, Adviser(*thoughts))


def list_marches() -> tuple[str, str, str]:
    """Two marches of one leader, and the call of the other, in the position of `ask_about_a_leader`."""
    pos = load_game("bellum", city_tiles="random").new(seats=4, seed=5)
    names = [one.name for one in pos.choices(pos.seat)]
    first, second = [name for name in names if name.startswith("move")][:2]
    return first, second, next(name for name in names if name.startswith("lead"))


def test_what_a_search_cannot_tell_apart_is_no_reason() -> None:
    """23 of 100 against 22, each played on forty times: a comparison that chance makes was told as a fact."""
    first, second, _lead = list_marches()
    assert "games of 100" not in ask_about_a_leader((first, 0.23, 40), (second, 0.22, 40)).because
    view = load_game("bellum").new(seats=4, seed=5).for_seat(0)
    apart = Adviser((first, 0.60, 900), (second, 0.20, 900)).explain(view)
    assert level_close_results(apart) == apart
    close = Adviser((first, 0.23, 40), (second, 0.22, 40)).explain(view)
    assert [share for _action, share, _n in level_close_results(close)] == [0.23, 0.23]
    seldom = Adviser((first, 1.0, 1), (second, 0.0, 1)).explain(view)
    assert [share for _action, share, _n in level_close_results(seldom)] == [1.0, 1.0], "one game won, one lost"


def test_two_leaders_do_not_call_each_other_for_ever() -> None:
    """Whoever obeyed was told to take the other leader first, then the first one again, and so on."""
    first, _second, lead = list_marches()
    assert ask_about_a_leader((lead, 0.23, 40), (first, 0.22, 40)).action == first
    assert ask_about_a_leader((lead, 0.60, 900), (first, 0.20, 900)).action == lead


def test_a_coach_who_is_asked_again_says_something_else() -> None:
    """What it teaches is said once at a table, and no reason follows itself."""
    first, second, _lead = list_marches()
    memory = CoachMemory()
    heard = [ask_about_a_leader((first, 0.2, 9), (second, 0.2, 9), memory=memory) for _time in range(5)]
    taught = [one.teaches for one in heard if one.teaches]
    assert len(taught) == len(set(taught)) == 4
    assert not any(a.because == b.because for a, b in pairwise(heard))


def test_what_the_next_stage_brings_is_not_told_of_the_move_before_it() -> None:
    """ "Take 1 animal. What comes of it: animals −2", for the meal that followed was counted with it."""
    game = load_game("manor", buys=0, swaps=0, offers=0)
    for seed in range(20):
        pos = game.new(seats=2, seed=seed)
        while pos.game.definition.phases.words[int(pos.state.phase)] == "work":
            was = pos.copy()
            pos.play("pass" if "pass" in [one.name for one in pos.choices(pos.seat)] else pos.choices(pos.seat)[0].name)
        labels = {one.name: (one.name, "") for one in was.choices(was.seat)}
        asked = AskedDecision(labels, "", Coaching(), "work")
        other = next(name for name in labels if name != "pass")
        advice = build_advice(was.for_seat(was.seat), asked, Adviser(("pass", 0.5, 9), (other, 0.5, 9)))
        assert advice.outcomes == ()


def test_what_is_forced_needs_no_reason() -> None:
    """Where a seat can only pass no bot is asked, and no reason made up why that is better than anything else."""
    view = load_game("manor").new(seats=2, seed=1).for_seat(0)
    asked = AskedDecision({"pass": ("Pass", "marker 3")}, "", Coaching(), "bid")
    advice = build_advice(view, asked, None)
    assert (advice.action, advice.text, advice.because) == ("pass", "Pass", "nothing else is possible now")
    assert not advice.instead


def test_a_beginner_is_not_advised_to_a_battle_that_is_hardly_ever_won() -> None:
    """The coach said "Attack" above "you win about 2 in 100 of these battles"; a hint without a coach stays the bot's."""
    pos = war(leaders={"Gustav Adolf": "1005", "Tilly": "1006"}, levels={"Sweden": (6, 4), "Austria": (6, 6)})
    assert pos.seat is not None
    labels = {one.name: (one.name, "") for one in pos.choices(pos.seat)}
    bot = Adviser(("attack Tilly", 0.5, 900), ("end battles", 0.2, 900))
    heard = [
        build_advice(pos.for_seat(pos.seat), AskedDecision(labels, "", coach, "attack"), bot).action
        for coach in (read_coaching(pos.game.definition.folder), Coaching())
    ]
    assert heard == ["end battles", "attack Tilly"]
