"""Points, ties and the winner of Three Years of War (guide 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import count, first_from
from sutler.core.rule import rule
from sutler.games.threeyears.box import TRACKS
from sutler.games.threeyears.table import P

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.threeyears.records import Box, State

HAND = TRACKS
"""The fifth category of bonus scoring: cards in hand."""


@rule
def amount_in(state: State, seat: int, category: int) -> int:
    """10.4: the amount compared in a category: a track, or the cards in hand."""
    if category == HAND:
        return count(state.seats[seat].hand)
    return int(state.seats[seat].tracks[category])


@rule
def bonus_for(state: State, seat: int, category: int) -> int:
    """10.4: the renown for a category: one for every seat that has fewer."""
    mine = amount_in(state, seat, category)
    n = 0
    for other in range(state.n_seats):
        if amount_in(state, other, category) < mine:
            n += 1
    return n


@rule
def bonus_of(state: State, seat: int) -> int:
    """10.4: the renown over all five categories."""
    n = 0
    for category in range(TRACKS + 1):
        n += bonus_for(state, seat, category)
    return n


@rule
def despair_value(box: Box, state: State, seat: int) -> int:
    """10.3: the points on a seat's Despair tokens. Known to nobody before the end."""
    tokens = state.seats[seat].despair
    value = 0
    token = first_from(tokens, 0)
    while token >= 0:
        value += state.despair_face[token]
        token = first_from(tokens, token + 1)
    return value


@rule
def negative_of(box: Box, state: State, seat: int) -> int:
    """10.5, 10.6: points lost to Doom and, once it is turned up, to Despair."""
    points = int(state.seats[seat].doom) * box.rules.doom_value
    if state.phase == P.over:
        points += despair_value(box, state, seat)
    return points


@rule
def total_of(box: Box, state: State, seat: int) -> int:
    """10.5: renown and bonus, less Despair and Doom. May be negative (10.7)."""
    me = state.seats[seat]
    points = int(me.renown) + bonus_of(state, seat) - int(me.doom) * box.rules.doom_value
    return points - despair_value(box, state, seat)


@rule
def points_seen(box: Box, state: State, seat: int) -> int:
    """10.5: a seat's points as far as everybody can see them: without Despair before the end."""
    return int(state.seats[seat].renown) + bonus_of(state, seat) - negative_of(box, state, seat)


@rule
def score(box: Box, state: State, out: Numbers) -> None:
    """10.5: each seat's points as far as everybody can see them."""
    for seat in range(state.n_seats):
        out[seat] = points_seen(box, state, seat)


@rule
def is_ahead(box: Box, state: State, a: int, b: int) -> bool:
    """10.6: more points; else fewer negative ones. Seats that nothing parts share a place."""
    points_a = points_seen(box, state, a)
    points_b = points_seen(box, state, b)
    if points_a != points_b:
        return points_a > points_b
    return negative_of(box, state, a) < negative_of(box, state, b)


@rule
def is_first(box: Box, state: State, seat: int) -> bool:
    """10.6: is nobody ahead of this seat?"""
    for other in range(state.n_seats):
        if is_ahead(box, state, other, seat):
            return False
    return True
