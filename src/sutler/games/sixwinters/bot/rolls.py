"""The exact distribution of an overcome before the dice are rolled: every roll of the stress dice at once, a row each.

Of each row it says what `odds.tally` says of one roll. The team is taken to cancel as well as can be: first to overcome, then
nobody out, then no new condition, then little stress. A stress die on its track is one number, so that a table says where a
hit takes it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from sutler.games.sixwinters.bot.odds import FACES, Fighter, Outcome, Track, hurt

VALUES = 8
"""More than a stress die can show."""
KNOCKED_OUT = 0
BOX_BITS = 0b11000
N_MARKED = np.array([i.bit_count() for i in range(8)])
Numbers = np.ndarray[Any, np.dtype[Any]]


# --- Dice ---------------------------------------------------------------------------------------------------------


class Rolls(NamedTuple):
    """Every roll of so many dice, ascending.

    How many of each face (n, FACES), how many ways lead to it (n,), and which of the rolls of one die fewer is left without a die
    of each face (n, FACES), -1 where it has none.
    """

    counts: Numbers
    ways: Numbers
    without: Numbers


@lru_cache(maxsize=32)
def rolls_of(dice: int) -> Rolls:
    """The rolls of so many dice, in the order of their faces."""
    rolls = list(combinations_with_replacement(range(FACES), dice))
    fewer = {roll: i for i, roll in enumerate(combinations_with_replacement(range(FACES), max(0, dice - 1)))}
    counts = np.array([[roll.count(face) for face in range(FACES)] for roll in rolls])
    ways = np.array([factorial(dice) // prod(factorial(int(n)) for n in row) for row in counts])
    without = np.full((len(rolls), FACES), -1)
    for i, roll in enumerate(rolls):
        for at, face in enumerate(roll):
            without[i, face] = fewer[roll[:at] + roll[at + 1 :]]
    return Rolls(counts, ways, without)


# --- The tally (guide 7.6) ---------------------------------------------------------------------------------------


def _packed(track: Track) -> int:
    value, base, at, marked = track
    return base << 8 | value << 5 | at << 3 | marked


@lru_cache(maxsize=FACES + 1)
def _hits(stress: int) -> Numbers:
    """Where a hit of so much takes each stress die, KNOCKED_OUT if nowhere; KNOCKED_OUT stays."""
    found = np.full(VALUES << 8, KNOCKED_OUT)
    for packed in range(1 << 5, VALUES << 8):
        base, value, at, marked = packed >> 8, packed >> 5 & 7, packed >> 3 & 3, packed & 7
        if base and value and (after := hurt((value, base, at, marked), stress)):
            found[packed] = _packed(after)
    return found


class Ends(NamedTuple):
    """The outcome of each row: the total reached (n,), who is out, the conditions marked, the stress taken: (fighters, n)."""

    total: Numbers
    out: Numbers
    marks: Numbers
    stress: Numbers


class Course(NamedTuple):
    """The effects of a number of stress dice, by roll and after each value.

    Who is out, the conditions marked, the stress taken: (values, fighters, n). It hangs on stress dice alone, so all pictures of a
    round share it.
    """

    out: Numbers
    marks: Numbers
    stress: Numbers


@lru_cache(maxsize=128)
def course_of(tracks: tuple[tuple[Track, ...], ...], dice: int) -> Course:
    """Every roll of so many dice, each stress die by itself; `tracks`: of each fighter those that are hurt."""
    begin = np.array([[_packed(track) for track in mine] for mine in tracks])
    counts = rolls_of(dice).counts
    now = begin[:, :, None].repeat(len(counts), axis=2)
    stress = np.zeros((len(tracks), len(counts)), np.int64)
    steps = []
    for value in range(1, FACES + 1):
        left = counts[:, value - 1]
        if len(tracks) == 1:
            _strike_alone(now[0], stress[0], left, value)
        else:
            for nth in range(left.max(initial=0)):
                _strike(now, stress, np.flatnonzero(left > nth), value)
        out = now[:, 0] == KNOCKED_OUT
        marks = N_MARKED[now & 7].sum(axis=1) - N_MARKED[begin & 7].sum(axis=1, keepdims=True)
        steps.append((out, np.where(out, 0, marks), stress.copy()))
    return Course(*map(np.stack, zip(*steps, strict=True)))


def ends_of(fighters: Sequence[Fighter], left: dict[int, Numbers], total: int, difficulty: int) -> Ends:
    """Value by value: first the stress dice left, then every progress die with the rank; `left`: of so many dice these rolls."""
    tracks = tuple(one.tracks for one in fighters)
    courses = [(course_of(tracks, dice), rolls) for dice, rolls in left.items()]
    out, marks, stress = (
        np.concatenate([course[i][:, :, rolls] for course, rolls in courses], axis=2) for i in range(3)
    )
    gains = np.array([[one.progress.count(v) * (v + one.rank) for one in fighters] for v in range(1, FACES + 1)])
    reached = total + (gains[:, :, None] * ~out).sum(axis=1).cumsum(axis=0)
    last = np.where(reached[-1] >= difficulty, (reached >= difficulty).argmax(axis=0), FACES - 1)
    rows = np.arange(len(last))
    return Ends(reached[last, rows], out[last, :, rows].T, marks[last, :, rows].T, stress[last, :, rows].T)


@lru_cache(maxsize=64)
def _hits_in_a_row(stress: int, most: int) -> Numbers:
    """Where so many hits of that, from none to `most`, take each stress die one after another: (most + 1, dice)."""
    found = [np.arange(VALUES << 8)]
    for _ in range(most):
        found.append(_hits(stress)[found[-1]])
    return np.stack(found)


def _strike_alone(now: Numbers, stress: Numbers, dice: Numbers, value: int) -> None:
    """Who fights alone takes every stress die, so all of a value fall at once; `now`: the tracks that are hurt, by row."""
    hits = _hits_in_a_row(value, int(dice.max(initial=0)))
    stands = (hits[:, now] != KNOCKED_OUT).all(axis=1).sum(axis=0)  # by row: the hit that is one too many
    now[:] = np.where(dice < stands, hits[dice, now], KNOCKED_OUT)
    stress += value * np.minimum(dice, stands)


def _strike(now: Numbers, stress: Numbers, rows: Numbers, value: int) -> None:
    """In each of these rows a stress die hits whom it harms least; both tracks when the obstacle hurts both (Q41)."""
    before = now[:, :, rows]
    after = _hits(value)[before]
    falls = (after == KNOCKED_OUT).any(axis=1)
    moves = ((after ^ before) & BOX_BITS).any(axis=1)
    harm = np.where(falls, 2 * VALUES, moves * VALUES - (before >> 5 & 7).min(axis=1))
    harm[before[:, 0] == KNOCKED_OUT] = 3 * VALUES
    who, at = harm.argmin(axis=0), np.arange(len(rows))
    some = harm[who, at] < 3 * VALUES
    who, at, rows = who[some], at[some], rows[some]
    now[who, :, rows] = np.where(falls[who, at, None], KNOCKED_OUT, after[who, :, at])
    stress[who, rows] += value


# --- Cancelling (guide 7.5) ---------------------------------------------------------------------------------------


def _may_stay(size: int, dice: int, high: Sequence[int]) -> Numbers:
    """The rolls, by number, that may be what is left of so many dice; `high`: the reaction dice, descending.

    One that finds nothing to cancel leaves only dice below it.
    """
    counts, idle = rolls_of(size).counts, size - dice + len(high)
    if not idle:
        return np.arange(len(counts))
    return np.flatnonzero(~counts[:, high[idle - 1] - 1 :].any(axis=1))


def _ranked(ends: Ends, rows: Numbers, sizes: Numbers, difficulty: int) -> Numbers:
    """The order of what is left: of each size from the worst end to the best.

    First to overcome, then nobody out, then no new condition, then the total, then little stress (`Outcome.worth`).
    """
    out, marks, stress = (column.sum(axis=0) for column in (ends.out, ends.marks, ends.stress))
    return np.lexsort((rows, -stress, ends.total, -marks, -out, ends.total >= difficulty, -sizes))


def best_ends(
    fighters: Sequence[Fighter], dice: int, reaction: Sequence[int], total: int, difficulty: int
) -> tuple[Ends, Numbers]:
    """The ends that rolls of so many dice come to, and in how many ways each.

    As many dice as can be are cancelled, each by a reaction die of at most its value, and of what may be left the best.

    The highest reaction die is laid first: whatever it takes, the others then still cancel as many as can be.
    """
    high = sorted(reaction, reverse=True)
    left = {size: _may_stay(size, dice, high) for size in range(dice, max(0, dice - len(high)) - 1, -1)}
    rows, sizes = np.concatenate([*left.values()]), np.repeat([*left], [len(one) for one in left.values()])
    ends = ends_of(fighters, left, total, difficulty)
    order = _ranked(ends, rows, sizes, difficulty)
    rows, sizes = rows[order], sizes[order]
    best = {size: np.full(len(rolls_of(size).counts), -1) for size in left}
    for size in left:
        places = np.flatnonzero(sizes == size)
        best[size][rows[places]] = places
    for laid in range(len(high) - 1, -1, -1):  # with so many laid before it
        best = {size: _laid(best, size, high[laid]) for size in best if size >= dice - laid}
    ways = np.bincount(best[dice], rolls_of(dice).ways, len(rows))
    met = np.flatnonzero(ways)
    return Ends(*(column[..., order[met]] for column in ends)), ways[met]


def _laid(best: dict[int, Numbers], size: int, value: int) -> Numbers:
    """The best end of each roll of this size when a reaction die of this value is laid, if there is something to cancel."""
    if size == 0:
        return best[0]
    without = rolls_of(size).without[:, value - 1 :]
    found: Numbers = np.where(without >= 0, best[size - 1][without], -1).max(axis=1)
    return np.where(found < 0, best[size], found)


@lru_cache(maxsize=512)
def outcomes(
    fighters: tuple[Fighter, ...], dice: int, reaction: tuple[int, ...], total: int, difficulty: int
) -> tuple[tuple[Outcome, float], ...]:
    """Every outcome of rolling so many stress dice, with its chance, the likeliest first."""
    ends, ways = best_ends(fighters, dice, reaction, total, difficulty)
    columns = (ends.total.tolist(), *(zip(*each.tolist(), strict=True) for each in (ends.out, ends.marks, ends.stress)))
    counted: dict[tuple[Any, ...], int] = defaultdict(int)
    for row, n in zip(zip(*columns, strict=True), ways.tolist(), strict=True):
        counted[row] += n
    return tuple(
        (_outcome(row, difficulty), n / FACES**dice)
        for row, n in sorted(counted.items(), key=itemgetter(1), reverse=True)
    )


def _outcome(row: tuple[Any, ...], difficulty: int) -> Outcome:
    reached, *harm = row
    return Outcome(reached >= difficulty, reached, tuple(zip(*harm, strict=True)))
