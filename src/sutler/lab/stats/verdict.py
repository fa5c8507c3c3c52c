"""Verdicts with three values: the only thing a sentence of the lab may be made of.

A question about a number is answered *yes*, *no*, or *not enough* (games to tell). The answer comes from the number's
interval alone, never from its middle: what was not seen is not said to be absent, and what was not seen to be absent is
not said to be there. Every sentence that claims something asks one of these functions; tests/lab/test_absence.py reads
the lab's sources for comparisons made elsewhere, and plays changes that do nothing through all makers of sentences.
"""

from __future__ import annotations

from enum import Enum

GOAL_TOLERANCE = 0.25
"""The part of a wanted change by which a result may miss it and still reach the goal."""

SHARE_MATTERS = 0.02
"""The smallest change of a share of games that matters: two points of a hundred."""


class Verdict(Enum):
    """The answer to a question about a number that is known to lie in an interval."""

    YES = "yes"
    NO = "no"
    NOT_ENOUGH = "not enough games"

    def __bool__(self) -> bool:
        """Refused: `if verdict:` would take "no" for "yes"; write `is Verdict.YES`."""
        raise TypeError("a verdict has three values: write `is Verdict.YES`")


def side_of(low: float, high: float, point: float = 0.0) -> int:
    """The side of a point on which an interval lies, -1 or 1; 0 where the interval contains it, so that nothing is known."""
    return (low > point) - (high < point)


def has_moved(low: float, high: float, near: float = 0.0) -> Verdict:
    """Does a change move a figure? Yes where its interval leaves out zero, no where all of it lies within `near` of zero."""
    if side_of(low, high):
        return Verdict.YES
    return Verdict.NO if is_within(low, high, near) is Verdict.YES else Verdict.NOT_ENOUGH


def is_within(low: float, high: float, near: float, around: float = 0.0) -> Verdict:
    """Does a number lie within `near` of another? Yes where its whole interval does, no where none of it does."""
    if -near <= low - around and high - around <= near:
        return Verdict.YES
    return Verdict.NO if low - around > near or high - around < -near else Verdict.NOT_ENOUGH


def reaches(low: float, high: float, change: float) -> Verdict:
    """Is a wanted change reached? Yes where the whole interval lies within GOAL_TOLERANCE of it, no where none of it does."""
    return is_within(low, high, GOAL_TOLERANCE * abs(change), change)


def differs(low: float, high: float, value: float, near: float) -> Verdict:
    """Do two numbers differ by more than `near`, given their difference and its interval?

    Yes where the interval leaves out zero and the difference seen is more than `near`; no where all of the interval lies within `near`.
    """
    if is_within(low, high, near) is Verdict.YES:
        return Verdict.NO
    return Verdict.YES if side_of(low, high) and abs(value) > near else Verdict.NOT_ENOUGH


def any_of(*verdicts: Verdict) -> Verdict:
    """Is one of several things so? Yes where one is, no where each is known not to be."""
    if Verdict.YES in verdicts:
        return Verdict.YES
    return Verdict.NOT_ENOUGH if Verdict.NOT_ENOUGH in verdicts else Verdict.NO


def all_of(*verdicts: Verdict) -> Verdict:
    """Are several things so? Yes where each is, no where one is known not to be."""
    if Verdict.NO in verdicts:
        return Verdict.NO
    return Verdict.NOT_ENOUGH if Verdict.NOT_ENOUGH in verdicts else Verdict.YES
