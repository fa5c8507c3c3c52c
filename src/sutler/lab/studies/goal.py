"""Find a change that reaches a goal and moves nothing else.

`20 % shorter` tries every number and compares the best candidates.

First all numbers are screened (`sensitivity`), each at steps of a fifth and of a half. A straight line through a
number's results predicts which value would reach the goal, and how far that moves everything else, in standard
deviations of one game. The candidates that come nearest, and disturb least, are compared with the printed game on seeds
that the screening has not used; only these comparisons count as answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sutler.core.box import BoxError
from sutler.core.game import Game
from sutler.lab.inventory import Part
from sutler.lab.play.figures import Figure, Numbers, require_figures, select_figures
from sutler.lab.play.query import Query
from sutler.lab.studies.compare import Comparison, compare
from sutler.lab.studies.sensitivity import Sensitivity, Variation, clip_to_bounds, count_versions, running_answers
from sutler.lab.studies.verdicts import MEAN_NEAR, SHARE_NEAR

SCREENING_STEPS = (0.2, 0.5)
SCREENING_GAMES = 200  # a version that is screened
MAX_COMPARED_GAMES = 2000  # a side, where a candidate is compared
CANDIDATES_COMPARED = 2  # candidates that are
COMPARISON_SEED_OFFSET = 1_000_000  # seeds from here on for comparisons: none that the screening has seen
MIN_SHARE_REACHED = 0.5  # of the way to the goal: a candidate that comes less far is none
WANT_PATTERN = re.compile(r"(?P<figure>\w+)\s*=\s*(?P<sign>[+-]?)(?P<n>\d+(?:\.\d+)?)\s*(?P<unit>%?)")


@dataclass(frozen=True)
class Goal:
    """The wanted change of a figure: `n` more or less than printed (`sign` +1 or -1), or a value to reach (`sign` 0)."""

    figure: str
    sign: int
    n: float
    relative: bool

    def change(self, now: float) -> float:
        """The change needed, given the printed value `now`."""
        if self.sign == 0:
            return (self.n / 100 if self.relative else self.n) - now
        return self.sign * (self.n / 100 * abs(now) if self.relative else self.n)


def parse_goal(want: str) -> Goal:
    """`decisions=-20%`, `turns=-2`, `seat_1=25%`: more or less by, or at. ValueError where it is neither."""
    found = WANT_PATTERN.fullmatch(want.strip())
    if not found:
        raise ValueError(f"--want {want}: write it as decisions=-20%, turns=+2 or seat_1=25%")
    sign = {"": 0, "+": 1, "-": -1}[found["sign"]]
    return Goal(found["figure"], sign, float(found["n"]), bool(found["unit"]))


def max_games_of_answer(game: Game, only: Sequence[str], games: int, most: int) -> int:
    """The most games that an answer may take, over all versions and comparisons."""
    return sum(count_versions(game, only, by) for by in SCREENING_STEPS) * games + CANDIDATES_COMPARED * 2 * most


@dataclass(frozen=True)
class Candidate:
    """A number at a value: the predicted share of the change, and how far it moves the most disturbed other figure."""

    part: Part
    value: int
    reached: float
    harm: float
    harmed: str


@dataclass(frozen=True)
class GoalSearch:
    """The answer so far: the screening, its candidates in order, and the comparisons of the first of them."""

    goal: Goal
    figure: Figure
    change: float
    screened: Sensitivity
    candidates: tuple[Candidate, ...]
    compared: tuple[tuple[Candidate, Comparison], ...] = ()

    def verdict(self, found: Comparison) -> str:
        """The result of a comparison in words: is the goal in the interval, and which other figures move?"""
        mine = next(one for one in found.effects if one.figure.name == self.figure.name)
        others = [
            one.figure.label
            for one in found.effects
            if one.verdict in ("more", "less") and one.figure.name != self.figure.name
        ]
        open_ = sum(one.verdict == "open" for one in found.effects if one.figure.name != self.figure.name)
        if mine.low <= self.change <= mine.high:
            said = "reaches the goal"
        else:
            part = mine.effect / self.change
            said = f"goes {part:.0%} of the way" if part > 0 else "goes the other way"
        say = self.figure.say
        said += f" ({say(mine.effect, sign=True)}, {say(mine.low, sign=True)} to {say(mine.high, sign=True)})"
        said += f"; it also moves {', '.join(others)}" if others else "; nothing else is seen to move"
        return said + (f"; {open_} {'figure is' if open_ == 1 else 'figures are'} not settled" if open_ else "")

    def answer(self) -> str:
        """The answer in a sentence or two."""
        want = f"{self.figure.label} {self.figure.say(self.change, sign=True)}"
        turned = len({one.part.name for one in self.screened.variations})
        near = len(self.candidates)
        if not self.candidates:
            return f"Wanted: {want}. Of {turned} numbers none comes near it by itself."
        lines = [
            f"{one.part.name} {one.part.value} → {one.value} {self.verdict(found)}" for one, found in self.compared
        ]
        screened = "1 number was" if turned == 1 else f"{turned} numbers were"
        come = "1 comes" if near == 1 else f"{near} come"
        return (
            f"Wanted: {want}. {screened} screened, {come} near. "
            + ". ".join(lines or ["None has been compared yet"])
            + "."
        )


def ranked_candidates(screened: Sensitivity, figure: Figure, change: float) -> list[Candidate]:
    """The numbers that come at least half of the way at some value, the best first: near the goal, little else moved."""
    found = []
    for part, turns in screened.tornado(figure):
        tried = [_candidate(screened, figure, change, part, turn) for turn in turns]
        near = [one for one in tried if one.reached >= MIN_SHARE_REACHED]
        if near:
            found.append(min(near, key=_cost))
    return sorted(found, key=_cost)


def _cost(one: Candidate) -> float:
    return abs(1 - one.reached) + one.harm


def _candidate(screened: Sensitivity, figure: Figure, change: float, part: Part, turn: Variation) -> Candidate:
    """The value that would reach the goal on the straight line from the printed one through this turn, but not beyond twice it."""
    effect, half = turn.effects[figure]
    if abs(effect) <= half or effect * change <= 0:
        return Candidate(part, turn.value, 0.0, 0.0, "")
    step = turn.value - int(part.value)
    times = min(2.0, change / effect)
    value = int(part.value) + (round(step * times) or int(np.sign(step)))
    value = value if part.high is None else min(value, part.high)
    value = value if part.low is None else max(value, part.low)
    share = (value - int(part.value)) / step
    harms = {
        one.label: abs(share * turn.effects[one][0]) / _harm_unit(one, screened.printed[one])
        for one in screened.figures
        if one.name not in _interchangeable_figures(figure)
    }
    worst = max(harms, key=lambda label: harms[label], default="")
    return Candidate(part, value, share * effect / change, harms.get(worst, 0.0), worst)


def _harm_unit(figure: Figure, values: Numbers) -> float:
    """The unit in which a figure's change is measured: the standard deviation of one game, or a share of the mean where all are equal."""
    sd = float(values.std())
    if sd > 0:
        return sd
    return SHARE_NEAR if figure.share else MEAN_NEAR * abs(float(values.mean())) or 1.0


def _interchangeable_figures(figure: Figure) -> set[str]:
    """The figures that measure the same thing in another unit, such as turns and decisions."""
    lengths = {"turns", "decisions"}
    return lengths if figure.name in lengths else {figure.name}


def search_goal(
    query: str | Game | Query,
    want: str,
    only: Sequence[str] = (),
    most: int = MAX_COMPARED_GAMES,
    confirm: int = CANDIDATES_COMPARED,
) -> Iterator[GoalSearch]:
    """After the screening, then after each comparison of a candidate. So many games a version screened, at most `most` a side compared."""
    query = Query.of(query)
    goal, printed = parse_goal(want), query.version
    require_figures(printed, query.bots, query.seats, [goal.figure])
    screened_by = replace(query, games=query.games_or(SCREENING_GAMES))
    all_turns: list[Variation] = []
    last: Sensitivity | None = None
    ahead = 2 * most * confirm  # games that comparisons may still take
    played = 0
    for k, by in enumerate(SCREENING_STEPS):

        def told(done: int, of: int, before: int = played, left: int = len(SCREENING_STEPS) - k) -> None:
            nonlocal played
            played = before + done
            query.tell(played, before + left * of + ahead)

        *_, last = running_answers(replace(screened_by, progress=told), only, (), by)
        all_turns += last.variations
    assert last is not None
    screened = Sensitivity(tuple(all_turns), last.printed, last.about)
    (figure,) = select_figures({one: screened.printed[one] for one in screened.figures}, [goal.figure])
    (printed_games,) = clip_to_bounds(figure, screened.printed[figure])
    change = goal.change(float(printed_games.mean()))
    if change == 0:
        raise ValueError(f"{figure.label} is {figure.say(goal.n)} as it is")
    found = GoalSearch(goal, figure, change, screened, tuple(ranked_candidates(screened, figure, change)))
    yield found
    n = None if len(query.bots) > 1 else query.n_seats
    for one in found.candidates[:confirm]:
        try:
            edited = query.edited({one.part.name: one.value})
        except (BoxError, ValueError):
            continue

        def compared(done: int, _: int, before: int = played, ahead: int = ahead) -> None:
            query.tell(before + 2 * done, before + ahead)

        elsewhere = replace(query, seats=n, games=most, seed=query.seed + COMPARISON_SEED_OFFSET, progress=compared)
        answer = compare(elsewhere, edited)
        played, ahead = played + 2 * answer.games, ahead - 2 * most
        found = GoalSearch(goal, figure, change, screened, found.candidates, (*found.compared, (one, answer)))
        yield found
    query.tell(played, played)
