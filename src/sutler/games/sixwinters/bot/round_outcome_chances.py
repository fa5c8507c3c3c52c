"""The exact distribution of the outcomes of an overcome before the dice are rolled, computed for all rolls at once with NumPy.

Each row of an array is one roll, for which `round_outcome.count_round` would compute the outcome. The team is taken to cancel as
well as it can: first to overcome, then to have nobody knocked out, then no new condition, then little stress. A stress die with its track
is packed into one number, so that a lookup table says where a hit takes it.
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

from sutler.games.sixwinters.bot.round_outcome import FACES, Fighter, Outcome, Track, apply_stress_to_die
from sutler.games.sixwinters.view.people import overcome_view

VALUES = 8
"""One more than the values that fit into the bits of a packed stress die; larger than any value that it shows."""
KNOCKED_OUT = 0
"""The packed stress die of a character who is knocked out."""
BOX_BITS = 0b11000
"""The bits of a packed stress die that hold the number of its box."""
N_MARKED = np.array([i.bit_count() for i in range(8)])
"""The number of marked boxes, by the bit set of the marked boxes."""
Numbers = np.ndarray[Any, np.dtype[Any]]


# --- Dice ---------------------------------------------------------------------------------------------------------


class Rolls(NamedTuple):
    """All distinct rolls of a number of dice, one a row, each with its faces ascending; n is the number of rolls.

    `counts`: how many dice show each face, shape (n, FACES). `ways`: how many of the 6^dice rolls are this one, shape (n,). `without`:
    which roll of one die fewer is left when a die of each face is taken away, shape (n, FACES), -1 where there is no such die.
    """

    counts: Numbers
    ways: Numbers
    without: Numbers


@lru_cache(maxsize=32)
def list_distinct_rolls(n_dice: int) -> Rolls:
    """All distinct rolls of this many dice, in ascending order of their faces."""
    rolls = list(combinations_with_replacement(range(FACES), n_dice))
    fewer = {roll: i for i, roll in enumerate(combinations_with_replacement(range(FACES), max(0, n_dice - 1)))}
    counts = np.array([[roll.count(face) for face in range(FACES)] for roll in rolls])
    ways = np.array([factorial(n_dice) // prod(factorial(int(n)) for n in row) for row in counts])
    without = np.full((len(rolls), FACES), -1)
    for i, roll in enumerate(rolls):
        for at, face in enumerate(roll):
            without[i, face] = fewer[roll[:at] + roll[at + 1 :]]
    return Rolls(counts, ways, without)


# --- The tally (guide 7.6) ---------------------------------------------------------------------------------------


def _pack_stress_die(track: Track) -> int:
    """A stress die and its track as one integer: base value, value, box, marked boxes."""
    value, base, at, marked = track
    return base << 8 | value << 5 | at << 3 | marked


@lru_cache(maxsize=FACES + 1)
def _build_hit_table(stress: int) -> Numbers:
    """A lookup table: the packed stress die after a hit of this much stress, by the packed die before the hit.

    KNOCKED_OUT stands where the die has no box left.
    """
    found = np.full(VALUES << 8, KNOCKED_OUT)
    for packed in range(1 << 5, VALUES << 8):
        base, value, at, marked = packed >> 8, packed >> 5 & 7, packed >> 3 & 3, packed & 7
        if base and value and (after := apply_stress_to_die((value, base, at, marked), stress)):
            found[packed] = _pack_stress_die(after)
    return found


class Ends(NamedTuple):
    """The outcome of each roll: the progress in total (n,); who is knocked out, new conditions, stress taken, each (fighters, n)."""

    total: Numbers
    out: Numbers
    marks: Numbers
    stress: Numbers


class Course(NamedTuple):
    """The harm done by each roll of a number of stress dice after each die value is counted: arrays of shape (values, fighters, n).

    `out`: who is knocked out; `marks`: new conditions; `stress`: stress taken. It depends on the stress dice alone, so it is cached for
    all positions of a round.
    """

    out: Numbers
    marks: Numbers
    stress: Numbers


@lru_cache(maxsize=128)
def harm_of_rolls(tracks: tuple[tuple[Track, ...], ...], n_dice: int) -> Course:
    """The harm done by every roll of this many stress dice, taken die by die; `tracks`: the stress dice of each fighter that are hit."""
    begin = np.array([[_pack_stress_die(track) for track in mine] for mine in tracks])
    counts = list_distinct_rolls(n_dice).counts
    now = begin[:, :, None].repeat(len(counts), axis=2)
    stress = np.zeros((len(tracks), len(counts)), np.int64)
    steps = []
    for value in range(1, FACES + 1):
        left = counts[:, value - 1]
        if len(tracks) == 1:
            _hit_lone_fighter(now[0], stress[0], left, value)
        else:
            for nth in range(left.max(initial=0)):
                _apply_die_where_it_harms_least(now, stress, np.flatnonzero(left > nth), value)
        out = now[:, 0] == KNOCKED_OUT
        marks = N_MARKED[now & 7].sum(axis=1) - N_MARKED[begin & 7].sum(axis=1, keepdims=True)
        steps.append((out, np.where(out, 0, marks), stress.copy()))
    return Course(*map(np.stack, zip(*steps, strict=True)))


def outcomes_of_rolls(fighters: Sequence[Fighter], left: dict[int, Numbers], total: int, difficulty: int) -> Ends:
    """The outcome of each given roll, counted value by value: first the stress dice left, then the progress dice with the rank.

    `left`: for each number of dice, the rolls by their index in `list_distinct_rolls`; `total`: the progress of earlier rounds.
    """
    tracks = tuple(one.tracks for one in fighters)
    courses = [(harm_of_rolls(tracks, dice), rolls) for dice, rolls in left.items()]
    out, marks, stress = (
        np.concatenate([course[i][:, :, rolls] for course, rolls in courses], axis=2) for i in range(3)
    )
    gains = np.array([[one.progress.count(v) * (v + one.rank) for one in fighters] for v in range(1, FACES + 1)])
    reached = total + (gains[:, :, None] * ~out).sum(axis=1).cumsum(axis=0)
    last = np.where(reached[-1] >= difficulty, (reached >= difficulty).argmax(axis=0), FACES - 1)
    rows = np.arange(len(last))
    return Ends(reached[last, rows], out[last, :, rows].T, marks[last, :, rows].T, stress[last, :, rows].T)


@lru_cache(maxsize=64)
def _build_repeated_hit_table(stress: int, max_hits: int) -> Numbers:
    """A lookup table: the packed stress die after 0 to `max_hits` hits of this much stress, shape (max_hits + 1, packed dice)."""
    found = [np.arange(VALUES << 8)]
    for _ in range(max_hits):
        found.append(_build_hit_table(stress)[found[-1]])
    return np.stack(found)


def _hit_lone_fighter(packed_dice: Numbers, stress: Numbers, dice: Numbers, value: int) -> None:
    """Apply all stress dice of one value to a fighter who is alone, in place; `packed_dice`: the packed stress dice, shape (tracks, rolls).

    `dice`: how many stress dice of this value each roll has. Whoever fights alone takes them all, so they are applied at once.
    """
    hits = _build_repeated_hit_table(value, int(dice.max(initial=0)))
    stands = (
        (hits[:, packed_dice] != KNOCKED_OUT).all(axis=1).sum(axis=0)
    )  # of each roll: the number of the hit that knocks out
    packed_dice[:] = np.where(dice < stands, hits[dice, packed_dice], KNOCKED_OUT)
    stress += value * np.minimum(dice, stands)


def _apply_die_where_it_harms_least(packed_dice: Numbers, stress: Numbers, rolls: Numbers, value: int) -> None:
    """Apply one stress die of this value, in place and in each of these rolls, to the fighter whom it harms least there (Q41).

    `packed_dice`: the packed stress dice, shape (fighters, tracks, rolls); `stress`: the stress taken, shape (fighters, rolls);
    `rolls`: the numbers of the rolls, indexes of the last axis.
    """
    before = packed_dice[:, :, rolls]
    after = _build_hit_table(value)[before]
    falls = (after == KNOCKED_OUT).any(axis=1)
    moves = ((after ^ before) & BOX_BITS).any(axis=1)
    harm = np.where(falls, 2 * VALUES, moves * VALUES - (before >> 5 & 7).min(axis=1))
    harm[before[:, 0] == KNOCKED_OUT] = 3 * VALUES
    who, at = harm.argmin(axis=0), np.arange(len(rolls))
    some = harm[who, at] < 3 * VALUES
    who, at, rolls = who[some], at[some], rolls[some]
    packed_dice[who, :, rolls] = np.where(falls[who, at, None], KNOCKED_OUT, after[who, :, at])
    stress[who, rolls] += value


# --- Cancelling (guide 7.5) ---------------------------------------------------------------------------------------


def _rolls_left_after_cancelling(size: int, dice: int, high: Sequence[int]) -> Numbers:
    """The rolls of `size` dice, by index, that can be left when `dice` stress dice were rolled and the best cancelling was done.

    `high`: the values of the reaction dice, descending. A reaction die that cancelled nothing means that all dice left have lower
    values.
    """
    counts, idle = list_distinct_rolls(size).counts, size - dice + len(high)
    if not idle:
        return np.arange(len(counts))
    return np.flatnonzero(~counts[:, high[idle - 1] - 1 :].any(axis=1))


def _sort_outcomes(ends: Ends, rows: Numbers, sizes: Numbers, difficulty: int) -> Numbers:
    """The indexes that sort the outcomes of rolls: by the number of dice left, and for each number from the worst to the best.

    Better is to overcome, then nobody knocked out, then no new condition, then a higher total, then less stress (`Outcome.sort_key`).
    """
    out, marks, stress = (column.sum(axis=0) for column in (ends.out, ends.marks, ends.stress))
    return np.lexsort((rows, -stress, ends.total, -marks, -out, ends.total >= difficulty, -sizes))


def best_outcomes_of_rolls(
    fighters: Sequence[Fighter], dice: int, reaction: Sequence[int], total: int, difficulty: int
) -> tuple[Ends, Numbers]:
    """The outcomes of rolling `dice` stress dice that are cancelled in the best way, each with the number of rolls that lead to it.

    A reaction die (`reaction`: their values) cancels a stress die at least as high as itself. As many as possible are cancelled; among
    the ways to do so the one with the best outcome is taken. The highest reaction die is laid first: whatever it takes, the others then
    still cancel as many as possible. `total`: the progress of earlier rounds.
    """
    high = sorted(reaction, reverse=True)
    left = {
        size: _rolls_left_after_cancelling(size, dice, high) for size in range(dice, max(0, dice - len(high)) - 1, -1)
    }
    rows, sizes = np.concatenate([*left.values()]), np.repeat([*left], [len(one) for one in left.values()])
    ends = outcomes_of_rolls(fighters, left, total, difficulty)
    order = _sort_outcomes(ends, rows, sizes, difficulty)
    rows, sizes = rows[order], sizes[order]
    best = {size: np.full(len(list_distinct_rolls(size).counts), -1) for size in left}
    for size in left:
        places = np.flatnonzero(sizes == size)
        best[size][rows[places]] = places
    for laid in range(len(high) - 1, -1, -1):  # the number of reaction dice laid before this one
        best = {size: _best_after_reaction_die(best, size, high[laid]) for size in best if size >= dice - laid}
    ways = np.bincount(best[dice], list_distinct_rolls(dice).ways, len(rows))
    met = np.flatnonzero(ways)
    return Ends(*(column[..., order[met]] for column in ends)), ways[met]


def _best_after_reaction_die(best: dict[int, Numbers], size: int, value: int) -> Numbers:
    """For each roll of `size` dice, the index of the best outcome after a reaction die of this value has cancelled a die, if it can."""
    if size == 0:
        return best[0]
    without = list_distinct_rolls(size).without[:, value - 1 :]
    found: Numbers = np.where(without >= 0, best[size - 1][without], -1).max(axis=1)
    return np.where(found < 0, best[size], found)


@lru_cache(maxsize=512)
def outcomes_with_chances(
    fighters: tuple[Fighter, ...], dice: int, reaction: tuple[int, ...], total: int, difficulty: int
) -> tuple[tuple[Outcome, float], ...]:
    """Every outcome of rolling this many stress dice, each with its chance (0-1), the likeliest first; the best cancelling is assumed.

    `reaction`: the values of the reaction dice, ascending; `total`: the progress of earlier rounds.
    """
    ends, ways = best_outcomes_of_rolls(fighters, dice, reaction, total, difficulty)
    columns = (ends.total.tolist(), *(zip(*each.tolist(), strict=True) for each in (ends.out, ends.marks, ends.stress)))
    counted: dict[tuple[Any, ...], int] = defaultdict(int)
    for row, n in zip(zip(*columns, strict=True), ways.tolist(), strict=True):
        counted[row] += n
    return tuple(
        (_build_outcome(row, difficulty), n / FACES**dice)
        for row, n in sorted(counted.items(), key=itemgetter(1), reverse=True)
    )


def _build_outcome(row: tuple[Any, ...], difficulty: int) -> Outcome:
    """An outcome from a row of numbers: the total, then what befalls each fighter, column by column."""
    reached, *harm = row
    return Outcome(reached >= difficulty, reached, tuple(zip(*harm, strict=True)))


# --- The next roll of an overcome under way ---


def chance_of_knock_out(box: Any, state: Any) -> float:
    """The exact chance (0-1) that the next roll of stress dice knocks a character out; 0 if no overcome is under way."""
    return _chance_of_outcomes(box, state, lambda one: any(out for out, _, _ in one.harm))


def chance_of_success(box: Any, state: Any) -> float:
    """The exact chance (0-1) that the obstacle is overcome with the next roll of stress dice; 0 if no overcome is under way."""
    return _chance_of_outcomes(box, state, lambda one: one.won)


def _chance_of_outcomes(box: Any, state: Any, is_wanted: Any) -> float:
    """The sum of the chances of the outcomes for which `is_wanted(outcome)` is true; 0 with no overcome under way."""
    over = overcome_view(box, state)
    if over is None:
        return 0.0
    tracks = [("psyche", "body").index(kind) for kind in over["kinds"]]
    fighters = tuple(_build_fighter(state, who, tracks) for who in over["who"])
    reaction = tuple(sorted(die[1] for who in over["who"] for die in who["reaction"]))
    found: tuple[tuple[Outcome, float], ...] = outcomes_with_chances(
        fighters, over["stress_dice"], reaction, over["total"], over["difficulty"]
    )
    return float(sum(chance for one, chance in found if is_wanted(one)))


def _build_fighter(state: Any, who: dict[str, Any], tracks: list[int]) -> Fighter:
    """A character who takes part in the overcome, in the form that `outcomes_with_chances` reads.

    `tracks`: the stress tracks that the obstacle harms (0: psyche).
    """
    person = state.people[who["ch"]]
    hero = state.heroes[person.hero]
    dice = tuple(sorted(die[1] for die in who["progress"]))
    hurt = tuple((int(hero.stress[t]), int(person.start[t]), int(hero.box_no[t]), int(person.marks[t])) for t in tracks)
    return Fighter(str(who["ch"]), who["rank"], dice, hurt)
