"""Absence of evidence is never told as evidence: changes that do nothing, through every maker of sentences of the lab."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sutler.lab.box_numbers import Part
from sutler.lab.designer.claims_across_bots import HeldClaims, summarize_claims_by_verdict
from sutler.lab.designer.declared_questions import Question
from sutler.lab.designer.headline_questions import (
    LESS_VERDICT,
    MORE_VERDICT,
    _describe_changes,
    _judge_effect,
    label_figure,
)
from sutler.lab.designer.variant_questions import (
    _describe_largest,
    _describe_table_gaps,
    _describe_what_is_brought,
    _subtract_jointly,
)
from sutler.lab.play.headline_figures import Figure, Numbers, compute_joint_intervals
from sutler.lab.play.rollouts import are_beyond_chance
from sutler.lab.report.decision_pages import describe_answer as answer_about_choices
from sutler.lab.report.report import _describe_favoured
from sutler.lab.stats.anytime_intervals import FIRST_LOOK_GAMES
from sutler.lab.stats.estimates import (
    compute_bonferroni_z,
    compute_mean_interval,
    compute_student_t,
    compute_wilson_interval,
)
from sutler.lab.stats.three_valued_verdict import (
    GOAL_TOLERANCE,
    Verdict,
    combine_all,
    combine_any,
    find_side_of_point,
    judge_differs,
    judge_moved,
    judge_reaches,
    judge_within,
)
from sutler.lab.studies.claim_verdicts import DEPENDS_VERDICT, Claim, Level, Shift, judge_claims
from sutler.lab.studies.compare import Comparison, judge_figures
from sutler.lab.studies.decision_value import Choice, Choices
from sutler.lab.studies.goal import Candidate, Goal, GoalSearch, Step, rank_candidates
from sutler.lab.studies.hidden_information import HiddenInformation
from sutler.lab.studies.robustness import Robustness, Rung
from sutler.lab.studies.sensitivity import Sensitivity, Variation, compute_paired_effect
from sutler.lab.studies.skill import Part as SkillPart
from sutler.lab.studies.skill import Skill
from sutler.lab.studies.skill import Step as SkillStep
from sutler.lab.studies.sweep import Point, Sweep, compute_effects_from_base
from sutler.lab.studies.tournament import TableGames, Tournament, describe_ladder
from sutler.lab.studies.tournament import describe_strongest_bot as best_bot
from sutler.lab.studies.tune import Tuned, Tuning, Version, Wish

SRC = Path(__file__).parents[2] / "src" / "sutler"
SEAT = Figure("seat_1", "won by seat 1", "", share=True)
TURNS = Figure("turns", "length in turns", "")
SEAT_LIKE = Figure("plain", "plain", "")
DECISIONS = Figure("decisions", "length in decisions", "")
REPEATS = 25
MAX_WRONG = 4
"""Of REPEATS: at a rate of one in twenty, more come once in seventy times; nearly all that is seen is nought."""

Side = dict[Figure, Numbers]
Maker = Callable[[Side, Side], bool]
"""A function from the games of two sides between which nothing has changed to whether a sentence claims that something has."""


# --- Verdicts ---------------------------------------------------------------------


def test_what_intervals_say() -> None:
    """Yes, no, not enough; never by the middle alone."""
    assert judge_moved(0.1, 0.5) is Verdict.YES
    assert judge_moved(-0.1, 0.1, tolerance=0.2) is Verdict.NO
    assert judge_moved(-0.1, 0.5, tolerance=0.2) is judge_moved(-math.inf, math.inf, 9.0) is Verdict.NOT_ENOUGH
    assert judge_reaches(-2.3, -1.8, change=-2.0) is Verdict.YES
    assert judge_reaches(-2.84, 0.35, change=-2.0) is Verdict.NOT_ENOUGH, "a goal inside a wide interval is not reached"
    assert judge_reaches(-0.9, -0.2, change=-2.0) is Verdict.NO
    assert judge_within(0.9, 1.1, 0.2, center=1.0) is Verdict.YES
    assert judge_within(1.3, 1.5, 0.2, center=1.0) is Verdict.NO
    assert judge_differs(0.01, 0.2, 0.1, tolerance=0.05) is Verdict.YES
    assert judge_differs(0.01, 0.04, 0.03, tolerance=0.05) is Verdict.NO
    assert (
        judge_differs(-0.01, 0.2, 0.1, tolerance=0.05)
        is judge_differs(0.01, 0.07, 0.04, tolerance=0.05)
        is Verdict.NOT_ENOUGH
    )
    assert (
        find_side_of_point(1, 2),
        find_side_of_point(-2, -1),
        find_side_of_point(-1, 1),
        find_side_of_point(1, 2, 3),
    ) == (1, -1, 0, -1)
    assert combine_any(Verdict.NO, Verdict.YES) is Verdict.YES
    assert combine_any(Verdict.NO, Verdict.NOT_ENOUGH) is Verdict.NOT_ENOUGH
    assert combine_any(Verdict.NO, Verdict.NO) is Verdict.NO
    assert combine_all(Verdict.YES, Verdict.NOT_ENOUGH) is Verdict.NOT_ENOUGH
    assert combine_all(Verdict.YES, Verdict.NOT_ENOUGH, Verdict.NO) is Verdict.NO
    assert combine_all(Verdict.YES, Verdict.YES) is Verdict.YES


def test_a_verdict_is_no_boolean() -> None:
    """`if verdict:` would take "no" for "yes"."""
    with pytest.raises(TypeError, match=r"is Verdict\.YES"):
        assert Verdict.NO


ENDS = {"low", "high"}
NOT_CLAIMS = {
    ("claim_verdicts.py", "_find_common_bounds"): "the bounds of a mean, no interval",
    ("claim_verdicts.py", "_format_extremes_remark"): "games beyond the bounds",
    ("compare.py", "_are_beyond_bounds"): "likewise",
    ("compare.py", "print_comparison"): "whether there is an interval to print",
    ("claim_verdicts.py", "judge_estimates"): "whether values are shares",
    ("comparison_calibration.py", "find_true_difference"): "likewise",
    ("comparison_calibration.py", "_run_trial"): "whether an interval holds the truth, which is known there",
    ("sensitivity.py", "list_neighbouring_values"): "the bounds of a number of the box",
    ("study_charts.py", "render_interval_bars"): "the ends of an axis",
    ("study_charts.py", "format_sparkline"): "likewise",
}
"""Functions that compare something called low or high, and why that makes no claim."""


def _compared_ends(path: Path) -> set[tuple[str, str]]:
    """(file, function) of every comparison of an interval's end with anything."""
    found = set()
    for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Compare) and not isinstance(node.ops[0], ast.Is | ast.IsNot | ast.In | ast.Eq):
                names = {getattr(one, "attr", getattr(one, "id", "")) for one in (node.left, *node.comparators)}
                keys = (one.slice for one in (node.left, *node.comparators) if isinstance(one, ast.Subscript))
                names |= {str(key.value) for key in keys if isinstance(key, ast.Constant)}
                if names & ENDS:
                    found.add((path.name, function.name))
    return found


def test_no_sentence_reads_an_interval_by_itself() -> None:
    """Only lab/stats/three_valued_verdict.py says what an interval says; whoever compares its ends elsewhere makes a verdict of his own."""
    files = [
        path
        for folder in ("lab/studies", "lab/report", "lab/designer", "cli/design_commands")
        for path in (SRC / folder).glob("*.py")
    ]
    found = set().union(*map(_compared_ends, files))
    assert sorted(found - set(NOT_CLAIMS)) == []
    assert sorted(set(NOT_CLAIMS) - found) == [], "an exception outlived what it was made for"


# --- Makers -----------------------------------------------------------------------


def _compared(a: Side, b: Side) -> Comparison:
    n = len(a[TURNS])
    who = {"bots": ["greedy"], "seats": 2}
    about = {"sides": {"a": who, "b": who}}
    return Comparison(n, n, 0.05, 0.1, judge_figures(a, b), (), 0.0, about)  # type: ignore[arg-type]


def compared(a: Side, b: Side) -> bool:
    return "makes a difference" in _compared(a, b).answer()


def _screened(a: Side, b: Side) -> Sensitivity:
    parts = [Part(f"number_{k}", 10, 0, 99, "1.1") for k in range(12)]
    n, luck = len(a[TURNS]), np.random.default_rng(abs(int(a[TURNS].sum())))
    z = compute_bonferroni_z(len(parts) * len(a))
    turns = []
    for part in parts:  # other games of the same kind for each number
        drawn = luck.permutation(n)
        turns.append(Variation(part, 12, {one: compute_paired_effect(one, a[one], b[one][drawn], z) for one in a}))
    return Sensitivity(tuple(turns), a, {"games": n})


def screened(a: Side, b: Side) -> bool:
    found = _screened(a, b)
    return any(" move" in found.answer(one) and "No number" not in found.answer(one) for one in found.figures)


def goal_reached(a: Side, b: Side) -> bool:
    """A quarter of a standard deviation is wanted, and the change does nothing."""
    found, wanted = _compared(a, b), 0.25 * max(0.5, float(a[TURNS].std()))
    one = Candidate((Step(Part("victory", 15, 5, 40, "1.1"), 12),), 1.0, 0.8, 1.2, 0.0, "")
    search = GoalSearch(Goal("turns", 1, wanted, False), TURNS, wanted, _screened(a, b), (one,), ((one, found),))
    return "reaches the goal" in search.answer() or "% of the way, surely" in search.answer()


def goal_found(a: Side, b: Side) -> bool:
    """Candidates read off a screening in which nothing moves anything."""
    found, wanted = _screened(a, b), 0.25 * max(0.5, float(a[TURNS].std()))
    return bool(rank_candidates(found, TURNS, wanted))


def tuned(a: Side, b: Side) -> bool:
    """A quarter of a standard deviation is wanted of one figure, another is to move with it, and the version does nothing."""
    found = _compared(a, b)
    wanted = 0.25 * max(0.5, float(a[TURNS].std()))
    wishes = (Wish(TURNS, wanted, GOAL_TOLERANCE * wanted), Wish(SEAT, 0.05, GOAL_TOLERANCE * 0.05))
    one = Version({"victory": 12}, ((wanted, 0.1), (0.05, 0.01)), (0.0, 0.0), 200)
    number = Tuned(Part("victory", 15, 5, 40, "1.1"), (12, 15))
    said = Tuning(wishes, (number,), (one,), (one,), ((one, found),)).answer()
    assert "surely reaches" in said or "reaches all" in said
    return "surely reaches 0 of 2 goals" not in said or "% of the way, surely" in said


def swept(a: Side, b: Side) -> bool:
    effects, near = compute_effects_from_base(a, b, 1)
    points = (Point(1, 9, compute_joint_intervals(a), ""), Point(2, 9, compute_joint_intervals(b), "", effects, near))
    return "Moved by" in Sweep("victory", points, {}).answer()


def across(a: Side, b: Side) -> bool:
    n = len(a[TURNS])
    return "on the bot" in Robustness((Rung("a", n, a), Rung("bb", n, b)), {}, {}).answer()


def claimed(a: Side, b: Side) -> bool:
    """The effect of a change that does nothing, between two bots: beyond chance with the first, or another with the second."""
    half = len(a[TURNS]) // 2
    claims = [
        Claim(
            one,
            [Shift(a[one][:half], b[one][:half], one.share), Shift(a[one][half:], b[one][half:], one.share)],
            (0.0, 0.0),
        )
        for one in a
    ]
    lines, _ = judge_claims(claims)
    kinds = [
        _judge_effect(line, claim.seen[0])
        for line, claim in zip(lines, claims, strict=True)  # type: ignore[arg-type]
    ]
    return DEPENDS_VERDICT in summarize_claims_by_verdict(lines) or MORE_VERDICT in kinds or LESS_VERDICT in kinds


def favoured(a: Side, b: Side) -> bool:
    wins = [float(side[SEAT].sum()) for side in (a, b)]
    n = len(a[SEAT])
    rows = []
    for seat, k in enumerate(wins):
        low, high = compute_wilson_interval(k, n, compute_bonferroni_z(2))
        rows.append({"who": f"Seat {seat}", "share": k / n, "low": low, "high": high, "even": 0.3})
    return "not even" in _describe_favoured(rows, "seat", "seats", 0.0)[0]


def card_worth(a: Side, b: Side) -> bool:
    """Forty cards that are worth what any other is."""
    luck, gaps = np.random.default_rng(abs(int(a[TURNS].sum()))), b[TURNS] - a[TURNS]
    draws = [luck.permutation(gaps)[:40] * luck.choice([-1, 1], 40) for _ in range(40)]
    values = [(float(d.mean()), compute_student_t(40) * float(d.std(ddof=1)) / math.sqrt(40)) for d in draws]
    return any(are_beyond_chance(values, [40] * 40))


def seen_through(a: Side, b: Side) -> bool:
    """What is hidden decides nothing: whoever sees it wins as often."""
    n = len(a[SEAT])
    won = {
        way: np.stack([side[SEAT], 1 - side[SEAT]], axis=1)
        for way, side in (("hidden", a), ("again", b), ("open", b), ("one", b))
    }
    asked = np.tile([10, 1, 1], (n, 1)).astype(float)
    found = HiddenInformation(won, {"hidden": a, "open": b}, asked, {"seats": 2})
    return "That seeing helps is not shown" not in found.answer()


def asked_by_the_designer(a: Side, b: Side) -> bool:
    """The sentences of a declared question about a change, between two bots."""
    half, who = len(a[TURNS]) // 2, [slice(None, len(a[TURNS]) // 2), slice(len(a[TURNS]) // 2, None)]
    parts = {label_figure("the change", one): one for one in a}
    claims = [
        Claim(part, [Shift(a[one][k], b[one][k], one.share) for k in who], (0.0, 0.0)) for part, one in parts.items()
    ]
    lines, z = judge_claims(claims)
    held = HeldClaims(list(lines), ["greedy", "judge"], [half, half], z)  # type: ignore[arg-type]
    question = Question(kind="changes", title="?", figures=["x"], changes=[{"title": "the change", "set": {"x": 1}}])  # type: ignore[list-item]
    said, _ = _describe_changes(held, {part: ("the change", one) for part, one in parts.items()}, question)
    return not said.startswith("The change is not seen to move")


def tables_apart(a: Side, b: Side) -> bool:
    """Tables of two sizes whose games are alike, at two values of a setting."""
    n = len(a[TURNS]) // 2
    games = {
        f"{at}, {v}": Level(side[TURNS][k * n : k * n + n])
        for at, side in (("2 players", a), ("4 players", b))
        for k, v in enumerate("01")
    }
    lines, _ = judge_claims([Claim(Figure(name, name, ""), [games[name]]) for name in games])
    seen = {line.figure.name: line.values[0] for line in lines}
    gaps = {v: _subtract_jointly(seen[f"2 players, {v}"], seen[f"4 players, {v}"]) for v in "01"}
    tables = {at: seen[f"{at}, 0"] for at in ("2 players", "4 players")}
    return "surely" in _describe_table_gaps("x", ("2 players", "4 players"), gaps) or "Surely" in _describe_largest(
        tables
    )


def brought(a: Side, b: Side) -> bool:
    """Twelve things that bring no points, each taken out of the box in turn."""
    luck = np.random.default_rng(abs(int(a[TURNS].sum())))
    claims = [
        Claim(Figure(f"thing {k}", f"thing {k}", ""), [Shift(a[TURNS], luck.permutation(b[TURNS]))], (0.0,))
        for k in range(12)
    ]
    lines, z = judge_claims(claims)
    return not _describe_what_is_brought(lines, HeldClaims(lines, ["greedy"], [len(a[TURNS])], z)).startswith("None ")


def choices_worth(a: Side, b: Side) -> bool:
    """Forty decisions that are worth as much done as left."""
    luck, gaps = np.random.default_rng(abs(int(a[TURNS].sum()))), b[TURNS] - a[TURNS]
    draws = [luck.permutation(gaps)[:40] * luck.choice([-1, 1], 40) for _ in range(40)]
    values = [(float(d.mean()), compute_student_t(40) * float(d.std(ddof=1)) / math.sqrt(40)) for d in draws]
    nothing = (0.0, 1.0)
    choices = tuple(
        Choice(f"draft {k}", 40, 0.5, nothing, lead, nothing, nothing, nothing, nothing, stands)
        for k, (lead, stands) in enumerate(zip(values, are_beyond_chance(values, [40] * 40), strict=True))
    )
    return (
        answer_about_choices(Choices(choices, {"together": False}))
        != "No choice is seen to be worth more done than left, nor less."
    )


def strongest(a: Side, b: Side) -> bool:
    """Two bots that are one: neither is rated highest, neither surely beats the other."""
    n = len(a[SEAT])
    first = np.random.default_rng(abs(int(a[TURNS].sum() * 1000))).random(n) < 0.5
    places = np.where(np.stack([first, ~first], axis=1), 1.0, 2.0)
    table = TableGames((0, 1), places, np.tile([0.0, 1.0], (n, 1)), pl.DataFrame())
    found = Tournament(("x", "y"), 2, (table,), 2, {"games": n})
    return "is rated highest" in best_bot(found) or "No rung surely beats x." not in describe_ladder(found)


def deepest(a: Side, b: Side) -> bool:
    """A step of a ladder between two bots that are one."""
    ahead = (a[SEAT] < b[SEAT]) + 0.5 * (a[SEAT] == b[SEAT])
    ahead, low, high = compute_mean_interval(ahead)
    parts = tuple(SkillPart(0.0, 0.0, 0.0) for _ in range(4))
    step = SkillStep("greedy", "judge", ahead, low, high, parts, len(a[SEAT]), len(a[SEAT]))
    return "not told from level" not in Skill((step,), {}).answer()


MAKERS: list[Maker] = [
    compared,
    goal_reached,
    goal_found,
    tuned,
    screened,
    swept,
    across,
    claimed,
    favoured,
    card_worth,
    seen_through,
    asked_by_the_designer,
    tables_apart,
    brought,
    choices_worth,
    strongest,
    deepest,
]
BY_THEIR_OWN_LUCK = {card_worth, seen_through, choices_worth, strongest}
"""Makers whose games are drawn here, whatever the sides are: that they tell what there is, test_impact, test_hidden_information,
test_decision_value and test_tournament see."""
ANSWERS = {
    "compare.py": compared,
    "sensitivity.py": screened,
    "goal.py": goal_reached,
    "tune.py": tuned,
    "sweep.py": swept,
    "robustness.py": across,
    "hidden_information.py": seen_through,
    "decision_pages.py": choices_worth,
    "tournament.py": strongest,
    "skill.py": deepest,
}
"""The files with a function `answer`, and the maker here that asks it. Those of playtests are of people, who are not alike."""


def side(n: int, tail: str, luck: np.random.Generator) -> Side:
    """The games of one side: a share, and lengths with a light tail, with jackpots in one game of fifty, or with endless games."""
    turns = luck.normal(20, 4, n)
    decisions = luck.gamma(4, 25, n)
    if tail == "jackpots":
        turns = np.where(luck.random(n) < 0.02, 100.0, -1.0)
    if tail == "endless":
        decisions[luck.random(n) < 1 / 300] = 75_000.0
    return {SEAT: (luck.random(n) < 0.3).astype(float), TURNS: turns, DECISIONS: decisions}


ANSWERING = {"answer", "describe_answer", "describe_strongest_bot", "answer_into_folder"}
"""What functions are called that say a study's answer."""


def test_every_answer_of_the_lab_is_asked_here() -> None:
    """A new study with an answer of its own must be given games in which nothing happens."""
    found = {
        path.name
        for path in (SRC / "lab").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name in ANSWERING
    }
    assert found == {*ANSWERS, "playtest.py", "worker.py"}
    assert set(ANSWERS.values()) <= set(MAKERS)


@pytest.mark.parametrize("n", [5, 10, 30])
def test_a_screening_of_few_games_is_as_sure_as_any(n: int) -> None:
    """Twenty-four numbers that do nothing: by the normal interval 45 of 100 screenings of five games saw one that did something."""
    luck = np.random.default_rng(n)
    z = compute_bonferroni_z(24)
    wrong = sum(
        any(
            find_side_of_point(e - h, e + h)
            for _ in range(24)
            for e, h in [compute_paired_effect(SEAT_LIKE, *luck.normal(10, 2, (2, n)), z)]
        )
        for _ in range(100)
    )
    assert wrong <= 10


@pytest.mark.parametrize("tail", ["light", "jackpots", "endless"])
@pytest.mark.parametrize("n", [60, 200, 2000])
@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_what_does_nothing_is_not_said_to_do_something(maker: Maker, n: int, tail: str) -> None:
    """Nothing has changed but the seeds. Before, a goal was "reached" in 40 of 40 at 200 games."""
    if n < FIRST_LOOK_GAMES and maker in (compared, goal_reached, tuned):
        pytest.skip("a comparison of so few games is refused")
    luck = np.random.default_rng(n)
    wrong = sum(maker(side(n, tail, luck), side(n, tail, luck)) for _ in range(REPEATS))
    assert wrong <= MAX_WRONG


def test_what_does_something_is_still_said() -> None:
    """The makers are not dumb: a change of a whole standard deviation in 2,000 games is told by each that is asked about one."""
    luck = np.random.default_rng(1)
    a, b = side(2000, "light", luck), side(2000, "light", luck)
    b = {SEAT: (luck.random(2000) < 0.5).astype(float), TURNS: b[TURNS] + 4, DECISIONS: b[DECISIONS] + 50}
    loud = set(MAKERS) - BY_THEIR_OWN_LUCK
    assert sorted(maker.__name__ for maker in loud if not maker(a, b)) == []
    c = {**a, TURNS: a[TURNS] + 0.25 * float(a[TURNS].std())}
    assert goal_reached(a, c)
    assert pl.DataFrame(_compared(a, b).list_effect_rows())["verdict"].to_list().count("more") >= 3
