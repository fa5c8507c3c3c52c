"""Points, ties and the winner of Three Years of War (guide 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import count, first_from
from sutler.core.rule import rule
from sutler.games.threeyears.box import TRACKS
from sutler.games.threeyears.phases_actions_events import P

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.threeyears.records import Box, State

HAND = TRACKS
"""The number of the fifth category of bonus scoring: cards in hand. The first four are the tracks."""


@rule
def amount_in_category(state: State, seat: int, category: int) -> int:
    """The amount that a seat has in a category of the bonus (10.4): its level on a track, or the number of cards in its hand."""
    if category == HAND:
        return count(state.seats[seat].hand)
    return int(state.seats[seat].tracks[category])


@rule
def bonus_in_category(state: State, seat: int, category: int) -> int:
    """The renown that a seat gets for one category of the bonus: 1 for every seat that has less in it (10.4)."""
    mine = amount_in_category(state, seat, category)
    n = 0
    for other in range(state.n_seats):
        if amount_in_category(state, other, category) < mine:
            n += 1
    return n


@rule
def total_bonus(state: State, seat: int) -> int:
    """The renown that a seat gets for all five categories together (10.4)."""
    n = 0
    for category in range(TRACKS + 1):
        n += bonus_in_category(state, seat, category)
    return n


@rule
def despair_value(box: Box, state: State, seat: int) -> int:
    """The points that a seat's Despair tokens cost it (10.3). No seat knows them before the end of the game."""
    tokens = state.seats[seat].despair
    value = 0
    token = first_from(tokens, 0)
    while token >= 0:
        value += state.despair_face[token]
        token = first_from(tokens, token + 1)
    return value


@rule
def points_lost(box: Box, state: State, seat: int) -> int:
    """The points that a seat loses by Doom (10.5) and, once the game is over, by Despair (10.6)."""
    points = int(state.seats[seat].doom) * box.rules.doom_value
    if state.phase == P.over:
        points += despair_value(box, state, seat)
    return points


@rule
def final_points(box: Box, state: State, seat: int) -> int:
    """The final points of a seat: renown and bonus, less Despair and Doom (10.5); they may be negative (10.7)."""
    me = state.seats[seat]
    points = int(me.renown) + total_bonus(state, seat) - int(me.doom) * box.rules.doom_value
    return points - despair_value(box, state, seat)


@rule
def public_points(box: Box, state: State, seat: int) -> int:
    """The points of a seat that everybody can see: without Despair before the end of the game (10.5)."""
    return int(state.seats[seat].renown) + total_bonus(state, seat) - points_lost(box, state, seat)


@rule
def score(box: Box, state: State, out: Numbers) -> None:
    """Write into `out` the points of each seat that everybody can see (10.5)."""
    for seat in range(state.n_seats):
        out[seat] = public_points(box, state, seat)


@rule
def is_ahead(box: Box, state: State, a: int, b: int) -> bool:
    """Does seat `a` place before seat `b`: more points, else fewer points lost (10.6)? Seats equal in both share a place."""
    points_a = public_points(box, state, a)
    points_b = public_points(box, state, b)
    if points_a != points_b:
        return points_a > points_b
    return points_lost(box, state, a) < points_lost(box, state, b)


@rule
def is_first(box: Box, state: State, seat: int) -> bool:
    """Is the seat in first place, with no other seat ahead of it (10.6)?"""
    for other in range(state.n_seats):
        if is_ahead(box, state, other, seat):
            return False
    return True
