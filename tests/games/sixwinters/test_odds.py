"""What the overcome dialog promises, against slow and obvious counting: every roll, every way to cancel it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, permutations, product
from math import factorial, prod

import pytest

from sutler.games.sixwinters.bot.round_outcome import Fighter, Outcome, apply_stress_to_die, count_round
from sutler.games.sixwinters.bot.round_outcome_chances import outcomes_with_chances

KEEL = Fighter("Keel", 2, (3, 3, 4), ((3, 3, 0, 0),))
THEA = Fighter("Thea", 0, (4, 4, 6), ((2, 3, 1, 0b001),))


def test_the_worked_example():
    """X6: 1 and 2 cancel the 3 and the 5; the 1 hurts, 3+2 twice and 4+2 make 16 of 12, the 6 comes too late."""
    assert count_round([KEEL], [1, 6], 0, 12) == Outcome(True, 16, ((False, 0, 1),))


def test_a_die_that_runs_out_moves_to_the_next_free_box():
    """X7: 4 stress on a 2 mark Distracted and set the die back to 3; with that box marked before, the next one."""
    assert apply_stress_to_die((2, 3, 0, 0), 4) == (3, 3, 1, 0b001)
    assert apply_stress_to_die((1, 3, 0, 0b001), 1) == (3, 3, 2, 0b011)
    assert apply_stress_to_die((3, 3, 0, 0), 1) == (2, 3, 0, 0)


def test_nowhere_left_to_go():
    """X8: on the lowest box, or with all boxes below marked in earlier years, the character is out."""
    assert apply_stress_to_die((2, 3, 3, 0b100), 2) is None
    assert apply_stress_to_die((1, 3, 1, 0b111), 1) is None


def test_who_is_out_counts_no_more():
    """Q71: what is tallied stays, the fallen character's later dice do not count."""
    lone = Fighter("Lone", 0, (1, 6), ((1, 3, 3, 0b111),))
    assert count_round([lone], [2], 0, 7) == Outcome(False, 1, ((True, 0, 2),))


def test_both_kinds_of_stress_hurt_both_tracks():
    """Q41: a die of an obstacle that hurts psyche and body gives its value of each."""
    one = Fighter("One", 0, (6,), ((3, 3, 0, 0), (2, 4, 0, 0)))
    assert count_round([one], [2], 0, 6).harm == ((False, 1, 2),)


def every_way(stress: tuple[int, ...], reaction: tuple[int, ...]) -> set[tuple[int, ...]]:
    """All that may be left: each reaction die is laid against one stress die or none, in every order."""
    found = set()
    slots = [*range(len(stress)), *[None] * len(reaction)]
    for laid in set(permutations(slots, len(reaction))):
        hit = [(die, at) for die, at in zip(reaction, laid, strict=True) if at is not None]
        if all(stress[at] >= die for die, at in hit):
            struck = {at for _, at in hit}
            found.add(tuple(sorted(value for i, value in enumerate(stress) if i not in struck)))
    return found


@pytest.mark.parametrize(
    ("dice", "reaction", "difficulty"), [(3, (1, 2), 12), (2, (4,), 30), (3, (), 14), (1, (6, 6), 5)]
)
def test_every_roll_counted_by_hand(dice, reaction, difficulty):
    """The exact chances are those of trying all rolls and all pairings one after another."""
    counted: dict[tuple[bool, tuple[tuple[bool, int, int], ...]], int] = {}
    for roll in product(range(1, 7), repeat=dice):
        ends = [count_round([KEEL, THEA], left, 0, difficulty) for left in every_way(roll, reaction)]
        end = max(ends, key=Outcome.sort_key)
        counted[end.sort_key()] = counted.get(end.sort_key(), 0) + 1
    told: dict[tuple[int, ...], float] = {}
    for end, chance in outcomes_with_chances((KEEL, THEA), dice, reaction, 0, difficulty):
        told[end.sort_key()] = told.get(end.sort_key(), 0.0) + chance
    assert told == pytest.approx({key: n / 6**dice for key, n in counted.items()})


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
    ways = left_after_cancelling(stress, reaction)
    return max((count_round(fighters, left, total, difficulty) for left in ways), key=Outcome.sort_key)


def slowly(
    fighters: Sequence[Fighter], dice: int, reaction: tuple[int, ...], total: int, difficulty: int
) -> Counter[Outcome]:
    """In how many ways each outcome comes: every roll, one after another."""
    counted: Counter[Outcome] = Counter()
    for roll in combinations_with_replacement(range(1, 7), dice):
        ways = factorial(dice) // prod(factorial(roll.count(face)) for face in set(roll))
        counted[best(fighters, roll, reaction, total, difficulty)] += ways
    return counted


def drawn(luck: random.Random) -> tuple[tuple[Fighter, ...], int, tuple[int, ...], int, int]:
    """An overcome by lot: one to four fighters, one or both tracks hurt, dice of all values."""

    def track() -> tuple[int, int, int, int]:
        base = luck.randint(2, 6)
        return luck.randint(1, base), base, luck.randint(0, 3), luck.randint(0, 7)

    def dice(most: int) -> tuple[int, ...]:
        return tuple(sorted(luck.randint(1, 6) for _ in range(luck.randint(0, most))))

    tracks = luck.choice((1, 1, 2))
    who = range(luck.choice((1, 1, 2, 3, 4)))
    fighters = tuple(Fighter(f"{i}", luck.randint(0, 5), dice(6), tuple(track() for _ in range(tracks))) for i in who)
    return fighters, luck.randint(0, 5), dice(4), luck.choice((0, 0, 5, 40)), luck.randint(5, 45)


def test_all_rolls_at_once_are_what_one_after_another_comes_to():
    """The same outcomes in the same number of ways, also which of two equally good ones it is."""
    luck = random.Random(3)
    for _ in range(80):
        fighters, dice, reaction, total, difficulty = drawn(luck)
        told = outcomes_with_chances(fighters, dice, reaction, total, difficulty)
        counted = {one: round(chance * 6**dice) for one, chance in told}
        assert counted == slowly(fighters, dice, reaction, total, difficulty)


def test_cancelling_takes_as_many_as_can_be():
    """A 1 cancels anything, a 5 only a 5 or 6; nothing cancels a lower die."""
    assert set(left_after_cancelling((2, 3), (5,))) == {(2, 3)}
    assert set(left_after_cancelling((2, 6), (5, 1))) == {()}
    assert set(left_after_cancelling((2, 2, 6), (1,))) == {(2, 6), (2, 2)}


def test_chances_add_up_also_for_many_dice():
    """Wrath of the Autarch may roll more dice than the box holds."""
    for dice in (0, 4, 10):
        assert sum(chance for _, chance in outcomes_with_chances((KEEL,), dice, (1, 3), 0, 12)) == pytest.approx(1)
