"""Searching a change of the box that reaches a goal and moves nothing else.

For a goal such as `20 % shorter` every number of the box is tried. First all numbers are screened (`sensitivity`), each at steps of a fifth
and of a half. A straight line through a number's results predicts which value would reach the goal, and how far that value moves
everything else, in standard deviations of one game. The candidates that come nearest, and disturb least, are compared with the printed
game on seeds that the screening has not used; only these comparisons count as answers. Where no number comes near by itself, the one with
the largest effect is compared, and then pairs of those with an effect in the wanted direction.

A goal is reached only where the whole interval of a comparison lies within a quarter of the wanted change around it
(`stats.three_valued_verdict.reaches`); all comparisons of one answer share its error.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sutler.core.files.box import BoxError
from sutler.core.play.game import Game
from sutler.lab.box_numbers import Part
from sutler.lab.play.headline_figures import Figure, Numbers, require_known_figures, select_figures
from sutler.lab.play.query import Query
from sutler.lab.stats.estimates import round_up_games
from sutler.lab.stats.three_valued_verdict import (
    GOAL_TOLERANCE,
    Verdict,
    find_side_of_point,
    judge_reaches,
    judge_within,
)
from sutler.lab.studies.claim_verdicts import MEAN_NEAR, SHARE_NEAR
from sutler.lab.studies.compare import ALPHA, MAX_GAMES_ADVISED, Certainty, Comparison, Effect, compare
from sutler.lab.studies.sensitivity import Sensitivity, Variation, clip_to_bounds, count_versions, iter_sensitivity

SCREENING_STEPS = (0.2, 0.5)
SCREENING_GAMES = 200  # of each version that is screened
MAX_COMPARED_GAMES = 2000  # on each side, where a candidate is compared
CANDIDATES_COMPARED = 2  # the number of candidates that are compared
NUMBERS_PAIRED = 4  # pairs are made of so many numbers with the largest effects
COMPARISON_SEED_OFFSET = 1_000_000  # added to seeds for comparisons, so that the screening has not used them
MIN_SHARE_REACHED = 0.5  # a number predicted to bring less of the wanted change is no candidate by itself
WANT_PATTERN = re.compile(r"(?P<figure>\w+)\s*=\s*(?P<sign>[+-]?)(?P<n>\d+(?:\.\d+)?)\s*(?P<unit>%?)")


@dataclass(frozen=True)
class Goal:
    """The wanted change of a figure: `n` more or less than printed (`sign` +1 or -1), or the value `n` (`sign` 0).

    `relative`: n is in percent.
    """

    figure: str
    sign: int
    n: float
    relative: bool

    def compute_needed_change(self, now: float) -> float:
        """The change that the goal needs, in the figure's unit, if the printed value is `now`."""
        if self.sign == 0:
            return (self.n / 100 if self.relative else self.n) - now
        return self.sign * (self.n / 100 * abs(now) if self.relative else self.n)


def parse_goal(text: str) -> Goal:
    """The goal in a text such as `decisions=-20%`, `turns=-2` (a change) or `seat_1=25%` (a value). ValueError for any other text."""
    found = WANT_PATTERN.fullmatch(text.strip())
    if not found:
        raise ValueError(f"--want {text}: write it as decisions=-20%, turns=+2 or seat_1=25%")
    sign = {"": 0, "+": 1, "-": -1}[found["sign"]]
    return Goal(found["figure"], sign, float(found["n"]), bool(found["unit"]))


def count_max_games(game: Game, only: Sequence[str], games: int, max_compared: int) -> int:
    """The most games that an answer may take, over all versions and comparisons.

    `only`: beginnings of the names of the numbers; `games`: of each screened version; `max_compared`: on each side of a comparison.
    """
    return (
        sum(count_versions(game, only, by) for by in SCREENING_STEPS) * games + CANDIDATES_COMPARED * 2 * max_compared
    )


@dataclass(frozen=True)
class Step:
    """A number of the box at a value other than the printed one."""

    part: Part
    value: int

    @property
    def label(self) -> str:
        """The step in words: `rules.buy_price 3 → 4`."""
        return f"{self.part.name} {self.part.value} → {self.value}"


@dataclass(frozen=True)
class Candidate:
    """A version to try for a goal: one number of the box, or two, at other values.

    `reached`: the share of the wanted change that it is predicted to bring; `low`, `high`: its interval, from the screening. `harm`:
    how far it moves the other figure that it moves most, in standard deviations of one game; `harmed`: that figure's label.
    """

    steps: tuple[Step, ...]
    reached: float
    low: float
    high: float
    harm: float
    harmed: str

    @property
    def label(self) -> str:
        """The candidate in words."""
        return " with ".join(one.label for one in self.steps)

    @property
    def edit(self) -> dict[str, int]:
        """The candidate as an edit of the box: number → value."""
        return {one.part.name: one.value for one in self.steps}

    @property
    def moves_as_wanted(self) -> Verdict:
        """Does the candidate move the wanted figure in the wanted direction, according to the screening?"""
        side = find_side_of_point(self.low, self.high)
        return Verdict.YES if side > 0 else Verdict.NO if side < 0 else Verdict.NOT_ENOUGH

    @property
    def predicted_share_in_words(self) -> str:
        """The predicted share of the wanted change with its interval, in words."""
        return f"{self.reached:.0%} of the way ({self.low:.0%} to {self.high:.0%})".replace("-", "−")


@dataclass(frozen=True)
class GoalSearch:
    """The answer so far: the goal, the screening, the candidates in order, and the comparisons of the first candidates."""

    goal: Goal
    figure: Figure
    change: float
    screened: Sensitivity
    candidates: tuple[Candidate, ...]
    compared: tuple[tuple[Candidate, Comparison], ...] = ()

    def find_effect(self, found: Comparison) -> Effect:
        """The effect on the goal's figure in a comparison."""
        return next(one for one in found.effects if one.figure.name == self.figure.name)

    def judge_reached(self, found: Comparison) -> Verdict:
        """Does a compared candidate reach the goal?"""
        return judge_reached(self.find_effect(found), self.change)

    def describe_result(self, found: Comparison) -> str:
        """The result of a comparison in words: is the goal reached, how far does it go, and which other figures move?"""
        mine = self.find_effect(found)
        rest = [one for one in found.effects if not one.figure.name.startswith(self.figure.name)]
        say = self.figure.format_value
        far = describe_distance(mine, self.change, found)
        said = f"{far} ({say(mine.effect, signed=True)}, {say(mine.low, signed=True)} to {say(mine.high, signed=True)})"
        return said + describe_other_figures(rest)

    def answer(self) -> str:
        """The answer in a few sentences: what was wanted, what comes near, and the results of comparisons."""
        want = f"Wanted: {self.figure.label} {self.figure.format_value(self.change, signed=True)}."
        turned = len({one.part.name for one in self.screened.variations})
        screened = "1 number was screened" if turned == 1 else f"{turned} numbers were screened"
        near = [one for one in self.candidates if len(one.steps) == 1 and one.reached >= MIN_SHARE_REACHED]
        if near:
            first = (
                f"{screened}; {len(near)} may go at least half of the way {'by itself' if len(near) == 1 else 'each'}."
            )
        elif self.candidates:
            best = self.candidates[0]
            first = f"{screened}; none is seen to go half of the way by itself. Best: {best.label}, {best.predicted_share_in_words}."
        else:
            first = f"{screened}; none is seen to go that way{self._describe_best_guess()}."
        told = [f"{one.label} {self.describe_result(found)}." for one, found in self.compared]
        tried = told or (["None has been compared yet."] if self.candidates else [])
        return " ".join([want, first, *tried])

    def _describe_best_guess(self) -> str:
        """A sentence on the parameter with the largest, though insignificant, effect in the screening; and how many games to try."""
        best = max(
            list_single_candidates(self.screened, self.figure, self.change), key=lambda one: one.reached, default=None
        )
        if best is None:
            return ""
        games = int(self.screened.about.get("games", 0))
        ratio = ((best.high - best.low) / 2 / best.reached) ** 2 if best.reached > 0 else math.inf
        enough = min(MAX_GAMES_ADVISED, round_up_games(min(games * ratio, MAX_GAMES_ADVISED)))
        more = f"; if it goes so far, about {enough:,} games a version tell: --games {enough}" if games else ""
        return f" (furthest: {best.label}, {best.predicted_share_in_words}){more}"


def judge_reached(effect: Effect, change: float) -> Verdict:
    """Does the effect on the wanted figure in a comparison reach the wanted change (signed, in the figure's unit)?"""
    return judge_reaches(effect.low, effect.high, change) if effect.differ else Verdict.NOT_ENOUGH


def describe_distance(effect: Effect, change: float, comparison: Comparison, advise: bool = True) -> str:
    """A phrase on how much of the wanted change an effect in the comparison `comparison` achieves.

    `advise`: also say how many games to try where the answer is open.
    """
    if judge_reached(effect, change) is Verdict.YES:
        return "reaches the goal"
    low, high = sorted((effect.low / change, effect.high / change))
    if effect.moved is not Verdict.YES:
        if effect.differ and judge_within(low, high, GOAL_TOLERANCE) is Verdict.YES:
            return f"goes less than {GOAL_TOLERANCE:.0%} of the way"
        return "is not seen to move it" + (f"; try --most {2 * comparison.most}" if advise else "")
    if find_side_of_point(low, high) < 0:
        return "goes the other way"
    part = f"goes {effect.effect / change:.0%} of the way, surely {low:.0%} to {high:.0%}"
    if judge_reached(effect, change) is Verdict.NO:
        return part.replace("goes", "goes too far:", 1) if find_side_of_point(low, high, 1.0) > 0 else part
    more = estimate_games_to_decide(effect, change, GOAL_TOLERANCE * abs(change), comparison)
    return f"{part}: whether that reaches the goal is open" + (f"; try --most {more}" if advise else "")


def estimate_games_to_decide(effect: Effect, change: float, tolerance: float, comparison: Comparison) -> int:
    """About how many games on each side would show whether the effect lies within `tolerance` of the wanted change.

    The forecast is for an effect that stays as large as in the comparison `comparison`, and is at least twice that comparison's games.
    """
    half = max(effect.high - effect.effect, effect.effect - effect.low)
    room = max(abs(tolerance - abs(effect.effect - change)), 1e-2 * tolerance, 1e-12)
    return round_up_games(max(2 * comparison.games, min(comparison.games * (half / room) ** 2, MAX_GAMES_ADVISED)))


def describe_other_figures(effects: Sequence[Effect]) -> str:
    """A phrase on all other figures of a comparison: which of them move, and how many are undecided."""
    others = [one.label for one in effects if one.moved is Verdict.YES]
    open_ = sum(one.moved is Verdict.NOT_ENOUGH for one in effects)
    said = f"; it also moves {', '.join(others)}" if others else ""
    if effects and not others and not open_:
        said = "; nothing else moves by anything that matters"
    return said + (f"; {open_} {'figure is' if open_ == 1 else 'figures are'} undecided" if open_ else "")


def rank_candidates(screened: Sensitivity, figure: Figure, change: float) -> list[Candidate]:
    """The candidates to compare, the best first: those expected to come near the wanted change and to move little else.

    They are single numbers that are predicted to bring at least half of the change. Where there are none: the number that brings most,
    then pairs of numbers that move the figure in the wanted direction.
    """
    best: dict[str, Candidate] = {}
    for one in list_single_candidates(screened, figure, change):
        name = one.steps[0].part.name
        if one.moves_as_wanted is Verdict.YES and (name not in best or _compute_cost(one) < _compute_cost(best[name])):
            best[name] = one
    alone = sorted(best.values(), key=_compute_cost)
    near = [one for one in alone if one.reached >= MIN_SHARE_REACHED]
    if near or not alone:
        return near
    furthest = sorted(alone, key=lambda one: -one.reached)
    pairs = [_combine_candidates(*two) for two in itertools.combinations(furthest[:NUMBERS_PAIRED], 2)]
    return [furthest[0], *sorted(pairs, key=_compute_cost)]


def list_single_candidates(screened: Sensitivity, figure: Figure, change: float) -> list[Candidate]:
    """A candidate for each screened value of each number, extrapolated linearly to the wanted change."""
    return [
        _build_candidate(screened, figure, change, part, turn)
        for part, turns in screened.rank_numbers_by_effect(figure)
        for turn in turns
    ]


def _combine_candidates(one: Candidate, other: Candidate) -> Candidate:
    """The candidate that changes the numbers of both, with the sum of their predicted effects."""
    half = math.hypot(one.high - one.reached, other.high - other.reached)
    reached, harm = one.reached + other.reached, max(one, other, key=lambda each: each.harm)
    steps = (*one.steps, *other.steps)
    return Candidate(steps, reached, reached - half, reached + half, one.harm + other.harm, harm.harmed)


def _compute_cost(candidate: Candidate) -> float:
    """The sort key of a candidate: the distance from the goal, in parts of the wanted change, plus the harm."""
    return abs(1 - candidate.reached) + candidate.harm


def _build_candidate(
    screened: Sensitivity, figure: Figure, change: float, part: Part, variation: Variation
) -> Candidate:
    """The candidate for one number: the value that would bring the wanted change if effects were linear.

    `variation`: a screened value of the number; the candidate lies at most twice as far from the printed value, and within the number's
    bounds.
    """
    effect, half = variation.effects[figure]
    step = variation.value - int(part.value)
    times = min(2.0, change / effect) if effect * change > 0 else 1.0
    value = int(part.value) + (round(step * times) or int(np.sign(step)))
    value = value if part.high is None else min(value, part.high)
    value = value if part.low is None else max(value, part.low)
    share = (value - int(part.value)) / step
    harms = {
        one.label: abs(share * variation.effects[one][0]) / _compute_unit_of_side_effects(one, screened.printed[one])
        for one in screened.figures
        if one.name not in _list_interchangeable_figures(figure)
    }
    worst = max(harms, key=lambda label: harms[label], default="")
    reached, wide = share * effect / change, abs(share * half / change)
    return Candidate((Step(part, value),), reached, reached - wide, reached + wide, harms.get(worst, 0.0), worst)


def _compute_unit_of_side_effects(figure: Figure, values: Numbers) -> float:
    """The unit in which changes of other figures are measured: a figure's standard deviation; if it is 0, a small part of the mean."""
    sd = float(values.std())
    if sd > 0:
        return sd
    return SHARE_NEAR if figure.share else MEAN_NEAR * abs(float(values.mean())) or 1.0


def _list_interchangeable_figures(figure: Figure) -> set[str]:
    """The names of the figures that measure the same thing in another unit, such as turns and decisions."""
    lengths = {"turns", "decisions"}
    return lengths if figure.name in lengths else {figure.name}


def search_goal(
    query: str | Game | Query,
    want: str,
    only: Sequence[str] = (),
    most: int = MAX_COMPARED_GAMES,
    confirm: int = CANDIDATES_COMPARED,
) -> Iterator[GoalSearch]:
    """Yield the answer after the screening, then after each comparison of a candidate.

    `query.games`: of each screened version; `want`: the goal as text; `only`: beginnings of the names of the numbers, all if empty;
    `most`: the most games on a side of a comparison; `confirm`: how many candidates are compared.
    """
    query = Query.from_game(query)
    goal, printed = parse_goal(want), query.version
    require_known_figures(printed, query.bots, query.seats, [goal.figure])
    screened_by = replace(query, games=query.get_games_or(SCREENING_GAMES))
    all_turns: list[Variation] = []
    last: Sensitivity | None = None
    ahead = 2 * most * confirm  # games that comparisons may still take
    played = 0
    for k, by in enumerate(SCREENING_STEPS):

        def report_games_done(done: int, of: int, before: int = played, left: int = len(SCREENING_STEPS) - k) -> None:
            nonlocal played
            played = before + done
            query.report_progress(played, before + left * of + ahead)

        *_, last = iter_sensitivity(replace(screened_by, progress=report_games_done), only, (), by)
        all_turns += last.variations
    assert last is not None
    screened = Sensitivity(tuple(all_turns), last.printed, last.about)
    (figure,) = select_figures({one: screened.printed[one] for one in screened.figures}, [goal.figure])
    (printed_games,) = clip_to_bounds(figure, screened.printed[figure])
    change = goal.compute_needed_change(float(printed_games.mean()))
    if change == 0:
        raise ValueError(f"{figure.label} is {figure.format_value(goal.n)} as it is")
    found = GoalSearch(goal, figure, change, screened, tuple(rank_candidates(screened, figure, change)))
    yield found
    n = None if len(query.bots) > 1 else query.n_seats
    for one in found.candidates[:confirm]:
        try:
            edited = query.load_edited_game(one.edit)
        except (BoxError, ValueError):
            continue

        def report_games_compared(done: int, _: int, before: int = played, ahead: int = ahead) -> None:
            query.report_progress(before + 2 * done, before + ahead)

        elsewhere = replace(
            query, seats=n, games=most, seed=query.seed + COMPARISON_SEED_OFFSET, progress=report_games_compared
        )
        answer = compare(elsewhere, edited, certainty=Certainty(ALPHA / max(1, confirm)))
        played, ahead = played + 2 * answer.games, ahead - 2 * most
        found = GoalSearch(goal, figure, change, screened, found.candidates, (*found.compared, (one, answer)))
        yield found
    query.report_progress(played, played)
