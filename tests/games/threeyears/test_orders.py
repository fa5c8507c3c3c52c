"""7.5: "it cannot matter" is proved: every order and every target by print, against those the table offers.

The count from print knows icons, targets and tracks, and nothing of the program.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from .table import GAME, P, blank, despair, resolving, tracks

ICONS = ("gold", "soldiers", "holdings", "casualty", "siege", "thief")
TRACK = {"gold": 0, "soldiers": 1, "holdings": 3, "casualty": 1, "siege": 3, "thief": 0}
CAP = 9
CASES = 24

Seat = tuple[tuple[int, ...], int]  # tracks, Despair


def changed(seat: Seat, track: int, n: int) -> Seat:
    """8.1, 8.13: a step up, not above nine; or a step down, at zero a Despair."""
    levels, tokens = list(seat[0]), seat[1]
    if n < 0 and levels[track] == 0:
        return seat[0], tokens + 1
    levels[track] = min(CAP, levels[track] + n)
    return tuple(levels), tokens


def steps(due: tuple[int, ...], seats: tuple[Seat, Seat]) -> Iterator[tuple[tuple[int, ...], tuple[Seat, Seat]]]:
    """7.5, 8.1 to 8.4: any icon next, at any target."""
    for i, icon in enumerate(ICONS):
        if due[i] == 0:
            continue
        left = (*due[:i], due[i] - 1, *due[i + 1 :])
        track = TRACK[icon]
        if i < 3:
            yield left, (changed(seats[0], track, 1), seats[1])
            continue
        for target in range(2):
            now = list(seats)
            had = now[target][0][track]
            now[target] = changed(now[target], track, -1)
            if icon == "thief" and had > 0:
                now[0] = changed(now[0], track, 1)
            yield left, (now[0], now[1])


@cache
def by_print(due: tuple[int, ...], seats: tuple[Seat, Seat]) -> frozenset[tuple[Seat, Seat]]:
    """All that may come of these icons."""
    if not any(due):
        return frozenset({seats})
    return frozenset().union(*(by_print(*one) for one in steps(due, seats)))


def by_table(levels: list[list[int]], due: dict[str, int]) -> set[tuple[Seat, Seat]]:
    """All that the table lets come of them."""
    names = ("gold", "soldiers", "food", "holdings")
    state = blank(2, **{name: [seat[i] for seat in levels] for i, name in enumerate(names)})
    ends, seen, open_positions = set(), set(), [resolving(state, **due)]
    while open_positions:
        pos = open_positions.pop()
        if pos.state.phase == P.draft:
            ends.add(tuple((tuple(tracks(pos, seat)), despair(pos, seat)) for seat in range(2)))
            continue
        for action in pos.legal_ids():
            then = GAME.from_bytes(pos.to_bytes())
            then.play(action)
            if then.to_bytes() not in seen:
                seen.add(then.to_bytes())
                open_positions.append(then)
    return ends


def test_two_blows_at_oneself_and_a_gain():
    """7.5, 8.4: both blows first, so a Despair and then a soldier; or the gain first, and neither."""
    ends = by_table([[5, 1, 5, 5], [5, 5, 5, 5]], {"casualty": 2, "soldiers": 1})
    own = {(seat[0][0][1], seat[0][1]) for seat in ends}
    assert own == {(2, 0), (1, 0), (0, 0), (1, 1)}


@pytest.mark.parametrize("case", range(CASES))
def test_no_order_that_matters_is_left_out(case: int):
    """7.5: what the table reaches is all that print reaches, and no more."""
    luck = random.Random(case)
    levels = [[luck.choice((0, 1, 2, 5, 8, 9)) for _ in range(4)] for _ in range(2)]
    due = [0] * len(ICONS)
    for _ in range(luck.randint(2, 4)):
        due[luck.randrange(len(ICONS))] += 1
    start = tuple((tuple(seat), 0) for seat in levels)
    assert by_table(levels, {icon: n for icon, n in zip(ICONS, due, strict=True) if n}) == by_print(tuple(due), start)


@pytest.mark.parametrize("case", range(60))
def test_the_order_is_asked_only_where_it_can_matter(case: int):
    """7.5: with two kinds of targets; or where a target may be oneself first: on a full track, or down to nothing before a gain.

    A Thief on oneself gives back what it takes: only with no gold at all it matters that it comes first.
    """
    luck = random.Random(case)
    levels = [luck.choice((0, 1, 2, 3, 8, 9)) for _ in range(4)]
    due = {icon: luck.choice((0, 0, 1, 1, 2)) for icon in ICONS}
    names = ("gold", "soldiers", "food", "holdings")
    aims = [icon for icon in ("casualty", "siege", "thief") if due[icon]]
    touchy = False
    for gain, aim in (("soldiers", "casualty"), ("holdings", "siege"), ("gold", "thief")):
        now, blows = levels[TRACK[gain]], min(due[aim], 1) if aim == "thief" else due[aim]
        if due[gain] and due[aim] and (now < blows or now + due[gain] > CAP):
            touchy = True
    state = blank(2, **{name: [levels[i], 5] for i, name in enumerate(names)})
    pos = resolving(state, **{icon: n for icon, n in due.items() if n})
    asked = {True: P.resolve, False: P.target if aims else P.draft}[len(aims) > 1 or touchy]
    assert pos.state.phase == asked
