"""Verdicts with three values, from which every claim in a sentence of the lab is made.

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
    """The answer to a question about a number that is known to lie in an interval."""

    YES = "yes"
    NO = "no"
    NOT_ENOUGH = "not enough games"

    def __bool__(self) -> bool:
        """Raise TypeError: `if verdict:` would take "no" for "yes"; write `is Verdict.YES`."""
        raise TypeError("a verdict has three values: write `is Verdict.YES`")


def side_of(low: float, high: float, point: float = 0.0) -> int:
    """The side of `point` on which the interval lies: -1 below, 1 above, 0 where the interval contains the point."""
    return (low > point) - (high < point)


def has_moved(low: float, high: float, near: float = 0.0) -> Verdict:
    """Does a change move a figure? Yes where the effect's interval excludes zero, no where it lies within `near` of zero."""
    if side_of(low, high):
        return Verdict.YES
    return Verdict.NO if is_within(low, high, near) is Verdict.YES else Verdict.NOT_ENOUGH


def is_within(low: float, high: float, near: float, around: float = 0.0) -> Verdict:
    """Does a number lie within `near` of `around`? Yes where its whole interval does, no where no part of it does."""
    if -near <= low - around and high - around <= near:
        return Verdict.YES
    return Verdict.NO if low - around > near or high - around < -near else Verdict.NOT_ENOUGH


def reaches(low: float, high: float, change: float) -> Verdict:
    """Is a wanted change reached? Yes where the whole interval lies within GOAL_TOLERANCE of it, no where no part of it does."""
    return is_within(low, high, GOAL_TOLERANCE * abs(change), change)


def differs(low: float, high: float, value: float, near: float) -> Verdict:
    """Do two numbers differ by more than `near`? `value` is their difference, and (`low`, `high`) its interval.

    Yes where the interval excludes zero and the difference is more than `near`; no where the whole interval lies within `near` of zero.
    """
    if is_within(low, high, near) is Verdict.YES:
        return Verdict.NO
    return Verdict.YES if side_of(low, high) and abs(value) > near else Verdict.NOT_ENOUGH


def any_of(*verdicts: Verdict) -> Verdict:
    """Is at least one of several questions answered yes? No where all of them are answered no."""
    if Verdict.YES in verdicts:
        return Verdict.YES
    return Verdict.NOT_ENOUGH if Verdict.NOT_ENOUGH in verdicts else Verdict.NO


def all_of(*verdicts: Verdict) -> Verdict:
    """Are all of several questions answered yes? No where at least one of them is answered no."""
    if Verdict.NO in verdicts:
        return Verdict.NO
    return Verdict.NOT_ENOUGH if Verdict.NOT_ENOUGH in verdicts else Verdict.YES
