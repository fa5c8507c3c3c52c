"""Three-valued verdicts (yes, no, not enough data), from which every claim in the lab's sentences is made.

A question about a number is answered *yes*, *no*, or *not enough* (games to tell). The answer comes from the number's interval alone,
never from its middle: an effect that was not seen is not said to be absent, and an effect that is not known to be absent is not said to
be there. Every sentence that claims something calls one of these functions; tests/lab/test_absence.py searches the lab's sources for
comparisons made elsewhere, and plays changes without effect through all functions that make sentences.
"""

from __future__ import annotations

from enum import Enum

GOAL_TOLERANCE = 0.25
"""A result may miss a wanted change by this part of the change and still reach the goal."""

SHARE_MATTERS = 0.02
"""The smallest change of a share of games that matters: two percentage points."""


class Verdict(Enum):
    """The answer to a question about a number of which only an interval is known: yes, no, or not enough."""

    YES = "yes"
    NO = "no"
    NOT_ENOUGH = "not enough games"

    def __bool__(self) -> bool:
        """Raise TypeError, since `if verdict:` would treat "no" as true; write `is Verdict.YES`."""
        raise TypeError("a verdict has three values: write `is Verdict.YES`")


def find_side_of_point(low: float, high: float, point: float = 0.0) -> int:
    """The side on which an interval lies of `point`: -1 below it, 1 above it, 0 if the interval contains it."""
    return (low > point) - (high < point)


def judge_moved(low: float, high: float, tolerance: float = 0.0) -> Verdict:
    """Does a change move a figure? Yes if the effect's interval excludes zero, no if it lies within `tolerance` of zero."""
    if find_side_of_point(low, high):
        return Verdict.YES
    return Verdict.NO if judge_within(low, high, tolerance) is Verdict.YES else Verdict.NOT_ENOUGH


def judge_within(low: float, high: float, tolerance: float, center: float = 0.0) -> Verdict:
    """Does a number lie within `tolerance` of `center`? Yes if its whole interval does, no if no part of it does."""
    if -tolerance <= low - center and high - center <= tolerance:
        return Verdict.YES
    return Verdict.NO if low - center > tolerance or high - center < -tolerance else Verdict.NOT_ENOUGH


def judge_reaches(low: float, high: float, change: float) -> Verdict:
    """Is a wanted change reached? Yes if the whole interval lies within GOAL_TOLERANCE of it, no if no part of it does."""
    return judge_within(low, high, GOAL_TOLERANCE * abs(change), change)


def judge_differs(low: float, high: float, value: float, tolerance: float) -> Verdict:
    """Do two numbers differ by more than `tolerance`? `value` is their difference, and (`low`, `high`) its interval.

    Yes where the interval excludes zero and the difference is more than `tolerance`; no where the whole interval lies within `tolerance`
    of zero.
    """
    if judge_within(low, high, tolerance) is Verdict.YES:
        return Verdict.NO
    return Verdict.YES if find_side_of_point(low, high) and abs(value) > tolerance else Verdict.NOT_ENOUGH


def combine_any(*verdicts: Verdict) -> Verdict:
    """The answer to "is at least one of these answered yes?": no if all of them are answered no."""
    if Verdict.YES in verdicts:
        return Verdict.YES
    return Verdict.NOT_ENOUGH if Verdict.NOT_ENOUGH in verdicts else Verdict.NO


def combine_all(*verdicts: Verdict) -> Verdict:
    """The answer to "are all of these answered yes?": no if at least one of them is answered no."""
    if Verdict.NO in verdicts:
        return Verdict.NO
    return Verdict.NOT_ENOUGH if Verdict.NOT_ENOUGH in verdicts else Verdict.YES
