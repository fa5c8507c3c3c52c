"""The outcome of one roll of stress dice in an overcome, computed apart from the rules (guide, chapter 7: "Overcome").

Plain numbers only, no rule of its own. The team is taken to share the stress as well as it can. `round_outcome_chances` computes every
possible roll at once, with its chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

FACES = 6
BOXES = 3
"""The condition boxes on each stress track."""

Track = tuple[int, int, int, int]
"""A stress die: its value, its base value, the box it stands on (0: start), the marked boxes as a bit set (bit 0: the first box)."""


@dataclass(frozen=True)
class Fighter:
    """A character who takes part: the rank in the obstacle's skill, the progress dice by value, the stress dice that the obstacle harms."""

    name: str
    rank: int
    progress: tuple[int, ...]
    tracks: tuple[Track, ...]


class Outcome(NamedTuple):
    """The outcome of a round: overcome or not, the progress in total, for each fighter (knocked out, new conditions, stress taken)."""

    won: bool
    total: int
    harm: tuple[tuple[bool, int, int], ...]

    def sort_key(self) -> tuple[bool, int, int, int, int]:
        """The sort key of an outcome: the outcome that the team likes best has the highest key."""
        out, marks, stress = (sum(one[i] for one in self.harm) for i in range(3))
        return self.won, -out, -marks, self.total, -stress


def apply_stress_to_die(track: Track, stress: int) -> Track | None:
    """The stress die after it takes this much stress; None if its character is knocked out.

    A die at zero moves to the next unmarked box and marks it; without such a box its character is knocked out.
    """
    value, base, at, marked = track
    if value > stress:
        return value - stress, base, at, marked
    for box in range(at + 1, BOXES + 1):
        if not marked >> (box - 1) & 1:
            return base, base, box, marked | 1 << (box - 1)
    return None


def count_round(fighters: Sequence[Fighter], stress: Sequence[int], total: int, difficulty: int) -> Outcome:
    """The outcome of a round, counted for the values 1 to 6 in turn until the obstacle is overcome.

    Of each value, first the stress dice are taken, then the progress dice count with the rank. `stress`: the values of the stress dice
    that nobody cancelled; `total`: the progress of earlier rounds.
    """
    tracks: list[tuple[Track, ...] | None] = [one.tracks for one in fighters]
    taken = [0] * len(fighters)
    for value in range(1, FACES + 1):
        for _ in range(list(stress).count(value)):
            who = _choose_taker(tracks, value)
            if who is not None:
                taken[who] += value
                tracks[who] = _apply_hit(tracks[who], value)
        for one, track in zip(fighters, tracks, strict=True):
            if track is not None:
                total += one.progress.count(value) * (value + one.rank)
        if total >= difficulty:
            break
    return Outcome(total >= difficulty, total, _harm_of_fighters(fighters, tracks, taken))


def _apply_hit(tracks: tuple[Track, ...] | None, value: int) -> tuple[Track, ...] | None:
    """The stress dice of a fighter after a hit, both dice if the obstacle harms both (Q41); None: the fighter is knocked out."""
    after = [apply_stress_to_die(track, value) for track in tracks or ()]
    return None if any(one is None for one in after) else tuple(one for one in after if one is not None)


def _choose_taker(tracks: Sequence[tuple[Track, ...] | None], value: int) -> int | None:
    """The index of the fighter who takes a stress die of this value: the one whom it harms least; None: all are knocked out."""
    best, least = None, (3, 0)
    for who, mine in enumerate(tracks):
        if mine is None:
            continue
        after = _apply_hit(mine, value)
        if after is None:
            cost = (2, 0)
        else:
            moved = any(new[2] != old[2] for new, old in zip(after, mine, strict=True))
            cost = (int(moved), -min(one[0] for one in mine))
        if cost < least:
            best, least = who, cost
    return best


def _harm_of_fighters(
    fighters: Sequence[Fighter], tracks: Sequence[tuple[Track, ...] | None], taken: Sequence[int]
) -> tuple[tuple[bool, int, int], ...]:
    """The harm of each fighter: (knocked out, new conditions, stress taken)."""
    out = []
    for one, after, stress in zip(fighters, tracks, taken, strict=True):
        old = sum(track[3].bit_count() for track in one.tracks)
        marks = 0 if after is None else sum(track[3].bit_count() for track in after) - old
        out.append((after is None, marks, stress))
    return tuple(out)
