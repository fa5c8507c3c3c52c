"""The outcomes of the stress dice that are left in an overcome, for one roll: chapter "Overcome" computed a second time.

Numbers only, no rule of its own. The team is taken to share the stress as well as can be. `rolls` says the same of every
roll that there may be, with its chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

FACES = 6
BOXES = 3

Track = tuple[int, int, int, int]
"""A stress die: its value, its base value, the box it stands on (0: start), the marked boxes as bits (1: the first)."""


@dataclass(frozen=True)
class Fighter:
    """One of those who overcome: the rank in the skill, the dice that count as progress, the tracks that are hurt."""

    name: str
    rank: int
    progress: tuple[int, ...]
    tracks: tuple[Track, ...]


class Outcome(NamedTuple):
    """One way it may end: overcome or not, the total, and for each fighter (out, new conditions, stress taken)."""

    won: bool
    total: int
    harm: tuple[tuple[bool, int, int], ...]

    def worth(self) -> tuple[bool, int, int, int, int]:
        """The sort key of an outcome: the one that the team likes best is highest."""
        out, marks, stress = (sum(one[i] for one in self.harm) for i in range(3))
        return self.won, -out, -marks, self.total, -stress


def hurt(track: Track, stress: int) -> Track | None:
    """The die goes down; at zero it moves to the next unmarked box, which is marked. None: there is none."""
    value, base, at, marked = track
    if value > stress:
        return value - stress, base, at, marked
    for box in range(at + 1, BOXES + 1):
        if not marked >> (box - 1) & 1:
            return base, base, box, marked | 1 << (box - 1)
    return None


def tally(fighters: Sequence[Fighter], stress: Sequence[int], total: int, difficulty: int) -> Outcome:
    """Value by value: first the stress dice left, each by itself, then every progress die with the rank."""
    tracks: list[tuple[Track, ...] | None] = [one.tracks for one in fighters]
    taken = [0] * len(fighters)
    for value in range(1, FACES + 1):
        for _ in range(list(stress).count(value)):
            who = _taker(tracks, value)
            if who is not None:
                taken[who] += value
                tracks[who] = _struck(tracks[who], value)
        for one, track in zip(fighters, tracks, strict=True):
            if track is not None:
                total += one.progress.count(value) * (value + one.rank)
        if total >= difficulty:
            break
    return Outcome(total >= difficulty, total, _harm(fighters, tracks, taken))


def _struck(tracks: tuple[Track, ...] | None, value: int) -> tuple[Track, ...] | None:
    """Both tracks when the obstacle hurts both (Q41); None: knocked out."""
    after = [hurt(track, value) for track in tracks or ()]
    return None if any(one is None for one in after) else tuple(one for one in after if one is not None)


def _taker(tracks: Sequence[tuple[Track, ...] | None], value: int) -> int | None:
    """Who takes a stress die: whom it harms least. None when everybody is out."""
    best, least = None, (3, 0)
    for who, mine in enumerate(tracks):
        if mine is None:
            continue
        after = _struck(mine, value)
        if after is None:
            cost = (2, 0)
        else:
            moved = any(new[2] != old[2] for new, old in zip(after, mine, strict=True))
            cost = (int(moved), -min(one[0] for one in mine))
        if cost < least:
            best, least = who, cost
    return best


def _harm(
    fighters: Sequence[Fighter], tracks: Sequence[tuple[Track, ...] | None], taken: Sequence[int]
) -> tuple[tuple[bool, int, int], ...]:
    out = []
    for one, after, stress in zip(fighters, tracks, taken, strict=True):
        old = sum(track[3].bit_count() for track in one.tracks)
        marks = 0 if after is None else sum(track[3].bit_count() for track in after) - old
        out.append((after is None, marks, stress))
    return tuple(out)
