"""Which number reaches a goal; other tables and bots compared; how many games more, and when to give up."""

from __future__ import annotations

import re

import numpy as np
import pytest

import sutler
from sutler.lab.box_numbers import Part
from sutler.lab.play.headline_figures import Figure
from sutler.lab.play.query import Query
from sutler.lab.report.design_pages import render_goal_page
from sutler.lab.report.study_pages import render_comparison_page
from sutler.lab.studies.compare import Certainty, Comparison, compare, judge_figure, judge_figures
from sutler.lab.studies.goal import Goal, GoalSearch, describe_distance, parse_goal, rank_candidates, search_goal
from sutler.lab.studies.sensitivity import Sensitivity, Variation, clip_to_bounds, compute_paired_effect

TURNS = Figure("turns", "length in turns", "")
SCORE = Figure("score", "mean score", "")


def test_goals_as_one_writes_them() -> None:
    """More or less by, or at; the rest is refused with how to write it."""
    assert parse_goal("decisions=-20%").compute_needed_change(50.0) == -10.0
    assert parse_goal("turns = +2").compute_needed_change(50.0) == 2.0
    assert parse_goal("seat_1=25%").compute_needed_change(0.3) == pytest.approx(-0.05)
    with pytest.raises(ValueError, match="write it as decisions=-20%"):
        parse_goal("shorter")


def test_the_number_that_disturbs_least_comes_first() -> None:
    """Both would shorten the game by two turns; one of them halves the scores as well, a third does not come near."""
    quiet, loud, weak = (Part(name, 10, 0, 99, "1.1") for name in ("quiet", "loud", "weak"))
    turns = (
        Variation(quiet, 8, {TURNS: (-1.0, 0.2), SCORE: (0.1, 1.0)}),
        Variation(loud, 8, {TURNS: (-2.0, 0.2), SCORE: (-5.0, 1.0)}),
        Variation(weak, 8, {TURNS: (-0.1, 0.2), SCORE: (0.0, 1.0)}),
    )
    luck = np.random.default_rng(1)
    printed = {TURNS: luck.normal(10, 1, 100), SCORE: luck.normal(20, 4, 100)}
    found = rank_candidates(Sensitivity(turns, printed, {}), TURNS, -2.0)
    assert [(one.label, round(one.reached, 6)) for one in found] == [("quiet 10 → 6", 1.0), ("loud 10 → 8", 1.0)]
    assert found[1].harmed == "mean score"


def test_what_never_happens_as_printed_can_be_disturbed() -> None:
    """No printed game had to be cut; with one number's step half of them are. That is no small harm because it varies in none."""
    cut = Figure("unfinished", "not finished", "", share=True)
    quiet, loud = (Part(name, 10, 0, 99, "1.1") for name in ("quiet", "loud"))
    turns = (
        Variation(loud, 8, {TURNS: (-2.0, 0.2), cut: (0.5, 0.1)}),
        Variation(quiet, 8, {TURNS: (-1.8, 0.2), cut: (0.0, 0.0)}),
    )
    printed = {TURNS: np.random.default_rng(1).normal(10, 1, 100), cut: np.zeros(100)}
    found = rank_candidates(Sensitivity(turns, printed, {}), TURNS, -2.0)
    assert [(one.steps[0].part.name, one.harmed) for one in found] == [
        ("quiet", "not finished"),
        ("loud", "not finished"),
    ]
    assert found[0].harm == 0
    assert found[1].harm > 5


def test_one_endless_game_puts_no_number_on_top() -> None:
    """Three hundred games of some 300 decisions, thirty fewer with a step: seen, though one game of either side lasts 75,000."""
    luck, length = np.random.default_rng(4), Figure("decisions", "length in decisions", "")
    before, after = luck.normal(300, 30, 300), luck.normal(270, 30, 300)
    plain = compute_paired_effect(length, before, after, 3.0)
    before[7] = after[90] = after[91] = 75_000.0
    effect, half = compute_paired_effect(length, before, after, 3.0)
    assert plain == pytest.approx((-30, 7), abs=8)
    assert (effect, half) == pytest.approx(plain, abs=3)
    assert float(clip_to_bounds(length, before)[0].mean()) == pytest.approx(300, abs=5), (
        "what a fifth shorter is a fifth of"
    )


def test_the_bar_goes_on_while_candidates_are_compared(market: sutler.Game) -> None:
    """Comparisons count, both sides of them; what they need not play is taken off, and at the end all is done."""
    told: list[tuple[int, int]] = []
    query = Query(
        "market", ["random"], 2, 6, progress=lambda done, most: told.append((done, most)), settings={"rounds": 8}
    )
    *_, last = search_goal(query, "turns=-3", ["rounds"], most=200, confirm=1)
    assert all(most >= 2 * 200 for _, most in told[:-1])
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert len({done for done, _ in told}) > len(last.screened.variations), "while it compares, too"
    assert told[-1][0] == told[-1][1] == 6 * len(last.screened.variations) + 2 * last.compared[0][1].games


def test_a_goal_is_screened_and_compared(market: sutler.Game) -> None:
    """Fewer rounds make fewer turns: found among the numbers, and confirmed on seeds of its own."""
    *_, last = search_goal(
        Query("market", ["random"], 2, 6, settings={"rounds": 8}), "turns=-3", ["rounds"], most=400, confirm=1
    )
    assert last.candidates[0].label == "rounds 8 → 5"
    assert last.compared[0][1].about["seed"] > 6
    assert "rounds 8 → 5 reaches the goal" in last.answer()
    assert "What comes near" in render_goal_page(last)
    with pytest.raises(ValueError, match="no figure 'fun'"):
        next(search_goal(Query("market", ["random"], 2, 6, settings={"rounds": 5}), "fun=+1", ["rounds"], 200))


def test_tables_and_bots_are_compared(market: sutler.Game) -> None:
    """Two seats against three, and one bot against another: the figures both sides have, each side's table said."""
    two = Query(market, ["random"], 2, 200)
    found = compare(two, Query(market, ["random"], 3), figures=["decisions", "seat_2"])
    by_name = {one.figure.name: one for one in found.effects}
    assert by_name["decisions"].verdict == "more"
    assert "2" in render_comparison_page(found)
    assert [side["seats"] for side in found.about["sides"].values()] == [2, 3]
    other = compare(two, Query(market, ["greedy:noise=0.5"], 2), figures=["decisions"])
    assert other.who == "(a between random bots, b between greedy (noise 0.5) bots)"


def test_how_many_games_more() -> None:
    """An effect of half its interval's half wants four times the games; nothing to say of what is settled."""
    luck = np.random.default_rng(5)
    a = luck.normal(10, 1, 400)
    effect = judge_figure(TURNS, a, a + luck.normal(0.05, 1, 400), 0.05, 0.01)
    found = Comparison(400, 1000, 0.05, 0.01, (effect,), (), 0.0, {"sides": {}})  # type: ignore[arg-type]
    needed = found.estimate_games_needed(effect)
    assert effect.verdict == "open"
    assert needed is not None
    assert needed == pytest.approx(400 * ((effect.effect - effect.low) / effect.effect) ** 2, abs=1)
    assert found.is_hopeless == (needed > 1000)
    wanted = next(n for n in (1000, 2000, 5000, 10_000, 20_000, 50_000) if n >= needed)
    assert found.list_games_that_would_settle() == [f"--games {wanted} for usual length in turns"]
    sure = judge_figure(TURNS, a, a + 3, 0.05, 0.1)
    assert found.estimate_games_needed(sure) is None


def test_what_is_open_always_wants_more_games() -> None:
    """Lopsided intervals told of "0 more than were played"; the end that must move is what counts."""
    luck = np.random.default_rng(9)
    for k in range(60):
        a = luck.exponential(4.0, 400)
        b = a + luck.normal(0.2 * (k % 3), 3, 400)
        (effect,) = (judge_figure(TURNS, a, b, 0.05, 0.1),)
        found = Comparison(400, 1000, 0.05, 0.1, (effect,), (), 0.0, {"sides": {}})  # type: ignore[arg-type]
        needed = found.estimate_games_needed(effect)
        assert (needed is None) == effect.is_settled
        assert needed is None or needed > 400
    won = np.zeros(200)
    (never,) = (judge_figure(Figure("x", "x", "", share=True), won, won, 0.05, 0.1),)
    found = Comparison(200, 1000, 0.05, 0.1, (never,), (), 0.0, {"sides": {}})  # type: ignore[arg-type]
    assert found.estimate_games_needed(never) == 299, "so many alike, and a hundredth at most can differ"


def screening(turns: dict[str, tuple[float, float]]) -> Sensitivity:
    """Numbers of 10 that were tried at 8: what that does to the turns, and half its interval."""
    luck = np.random.default_rng(1)
    printed = {TURNS: luck.normal(10, 1, 100), SCORE: luck.normal(20, 4, 100)}
    parts = {name: Part(name, 10, 0, 99, "1.1") for name in turns}
    tried = (Variation(parts[name], 8, {TURNS: effect, SCORE: (0.0, 1.0)}) for name, effect in turns.items())
    return Sensitivity(tuple(tried), printed, {"games": 200})


def test_where_none_comes_near_the_best_is_named_and_pairs_are_tried() -> None:
    """Five turns less are wanted; none goes half of the way. The furthest comes first, then the pairs of those that go that way."""
    found = screening({"a": (-0.7, 0.2), "b": (-1.0, 0.2), "c": (-0.4, 0.2), "luck": (-3.0, 4.0), "up": (2.0, 0.2)})
    ranked = rank_candidates(found, TURNS, -5.0)
    assert [one.label for one in ranked][:2] == ["b 10 → 6", "b 10 → 6 with a 10 → 6"]
    assert {step.part.name for one in ranked for step in one.steps} == {"a", "b", "c"}, (
        "what was not seen is not paired"
    )
    assert ranked[1].edit == {"b": 6, "a": 6}
    said = GoalSearch(Goal("turns", -1, 5, False), TURNS, -5.0, found, tuple(ranked)).answer()
    assert "none is seen to go half of the way by itself. Best: b 10 → 6, 40% of the way (32% to 48%)." in said


def test_a_screening_that_could_see_nothing_says_so() -> None:
    """Wide intervals: the furthest number with its interval, and more games to try; never that none comes near."""
    found = screening({"a": (-1.0, 4.0), "b": (0.5, 4.0)})
    said = GoalSearch(Goal("turns", -1, 2, False), TURNS, -2.0, found, ()).answer()
    assert (
        "2 numbers were screened; none is seen to go that way (furthest: a 10 → 6, 100% of the way (−300% to 500%)); "
        in said
    )
    assert said.endswith("if it goes so far, about 5,000 games a version tell: --games 5000."), "200 times (400 / 100)²"


def test_what_goes_too_far_is_said_to() -> None:
    """One turn less is wanted: one and a half or more is too far, half a turn is half of the way, and neither reaches the goal."""
    luck = np.random.default_rng(3)
    printed = luck.normal(12, 1, 3000)

    def told(moved: float) -> str:
        effects = judge_figures({TURNS: printed}, {TURNS: printed - moved + luck.normal(0, 0.1, 3000)})
        found = Comparison(3000, 3000, 0.05, 0.1, effects, (), 0.0, {"sides": {}})  # type: ignore[arg-type]
        return describe_distance(effects[0], -1.0, found)

    assert re.fullmatch(r"goes too far: 1[56]\d% of the way, surely 1[45]\d% to 1[67]\d%", told(1.6))
    assert re.fullmatch(r"goes [45]\d% of the way, surely [45]\d% to [56]\d%", told(0.5))
    assert told(1.0) == "reaches the goal"


def test_giving_up_stops_sooner(market: sutler.Game) -> None:
    """Nothing has changed but the bots' luck; at a thousandth of a deviation that would take for ever."""
    never, other = Certainty(smallest=0.0001, give_up=True), Query(market, ["greedy:noise=9.0"], 2)
    found = compare(Query(market, ["random"], 2, 2000), other, figures=["seat_1"], certainty=never)
    assert found.is_settled or found.games < 2000
