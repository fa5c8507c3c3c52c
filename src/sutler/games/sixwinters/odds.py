"""What an overcome may come to, before the dice are rolled: exact, over every roll of the stress dice.

Numbers only, no rule of its own: chapter "Overcome" told a second time, slowly, for people who want to know the risk. The
team is taken to cancel and to share the stress as well as can be: first to overcome, then nobody out, then no new
condition, then little stress.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

FACES = 6
BOXES = 3
MANY = 8
"""Above so many stress dice only the highest that matter are cancelled; all pairings would take too long."""

Track = tuple[int, int, int, int]
"""A stress die: its value, its base value, the box it stands on (0: start), the marked boxes as bits (1: the first)."""


@dataclass(frozen=True)
class Fighter:
    """One of those who overcome: the rank in the skill, the dice that count as progress, the tracks that are hurt."""

    name: str
    rank: int
    progress: tuple[int, ...]
    tracks: tuple[Track, ...]


@dataclass(frozen=True)
class Outcome:
    """One way it may end: overcome or not, the total, and for each fighter (out, new conditions, stress taken)."""

    won: bool
    total: int
    harm: tuple[tuple[bool, int, int], ...]

    def worth(self) -> tuple[bool, int, int, int, int]:
        """What the team likes best comes highest."""
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


def left_after_cancelling(stress: Sequence[int], reaction: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The stress dice that may be left when as many as can be are cancelled, each by a die of at most its value."""
    most = _cancelled(stress, reaction)
    seen = set()
    for gone in combinations(range(len(stress)), most):
        struck = tuple(stress[i] for i in gone)
        left = tuple(value for i, value in enumerate(stress) if i not in gone)
        if left not in seen and _cancelled(struck, reaction) == most:
            seen.add(left)
            yield left


def _cancelled(stress: Sequence[int], reaction: Sequence[int]) -> int:
    """How many of these stress dice the reaction pool can cancel."""
    free = sorted(reaction)
    count = 0
    for value in sorted(stress):
        if count < len(free) and free[count] <= value:
            count += 1
    return count


def best(
    fighters: Sequence[Fighter], stress: Sequence[int], reaction: Sequence[int], total: int, difficulty: int
) -> Outcome:
    """What a roll comes to when it is cancelled as well as can be."""
    if len(stress) > MANY:
        return tally(fighters, _lowest_left(stress, reaction), total, difficulty)
    ways = left_after_cancelling(stress, reaction)
    return max((_tally(tuple(fighters), left, total, difficulty) for left in ways), key=Outcome.worth)


_tally = lru_cache(maxsize=4096)(tally)
"""Many rolls leave the same dice."""


def _lowest_left(stress: Sequence[int], reaction: Sequence[int]) -> tuple[int, ...]:
    left = sorted(stress)
    for die in sorted(reaction, reverse=True):
        if left and left[-1] >= die:
            left.pop()
    return tuple(left)


@lru_cache(maxsize=512)
def outcomes(
    fighters: tuple[Fighter, ...], dice: int, reaction: tuple[int, ...], total: int, difficulty: int
) -> tuple[tuple[Outcome, float], ...]:
    """Every outcome of rolling so many stress dice, with its chance, the likeliest first."""
    chances: Counter[Outcome] = Counter()
    for roll in combinations_with_replacement(range(1, FACES + 1), dice):
        ways = factorial(dice) // prod(factorial(roll.count(face)) for face in set(roll))
        chances[best(fighters, roll, reaction, total, difficulty)] += ways
    return tuple((one, n / FACES**dice) for one, n in chances.most_common())
