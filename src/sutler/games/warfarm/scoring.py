"""Winning, and who is ahead when nobody has won (guide 14 and 15.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import popcount
from sutler.core.rule import rule
from sutler.games.warfarm.box import FARMLAND, FIRE, GOODS, SEATS, TOKENS
from sutler.games.warfarm.state import BY_STANDSTILL, BY_TIME, NOT_WON, n_cards, n_units
from sutler.games.warfarm.table import P

if TYPE_CHECKING:
    from sutler.core.typing import Numbers, Row
    from sutler.games.warfarm.records import Box, State


@rule
def has_farm_win(box: Box, state: State, seat: int) -> bool:
    """14.1: does the seat have 12 Farmland and 12 Farmers? Only plain Farmers count."""
    me = state.seats[seat]
    for good in range(GOODS):
        if me.goods[good] < box.rules.farm_win[good]:
            return False
    return True


@rule
def has_growth_win(box: Box, state: State, seat: int) -> bool:
    """14.3: does the seat have 10 Disciples and 10 loose Religion? The last goods are asked first: Disciples are the rarest."""
    me = state.seats[seat]
    for good in range(GOODS - 1, -1, -1):
        if me.goods[good] < box.rules.growth_win[good]:
            return False
    return True


@rule
def has_miracles_win(box: Box, state: State, seat: int) -> bool:
    """14.4: has the seat played three different Miracles?"""
    return popcount(state.seats[seat].miracles) >= box.rules.miracles_win


@rule
def loose_tokens(state: State, seat: int) -> int:
    """15.1: the number of tokens other than Farmland and Fire."""
    total = 0
    for token in range(TOKENS):
        if token != FARMLAND and token != FIRE:
            total += state.seats[seat].goods[token]
    return total


@rule
def is_on_time(state: State) -> bool:
    """15.1, 15.2: did a house rule end the game?"""
    return state.won_by == BY_TIME or state.won_by == BY_STANDSTILL


@rule
def is_ahead(box: Box, state: State, a: int, b: int) -> bool:
    """14: is a seat ahead of another: the winner only; 15.1: on time, the one still in; more Farmland; units; loose tokens; cards?"""
    if state.won_by != NOT_WON and not is_on_time(state):
        return a == state.winner and b != state.winner
    one = state.seats[a]
    two = state.seats[b]
    if one.is_alive != two.is_alive:
        return one.is_alive > two.is_alive
    if one.goods[FARMLAND] != two.goods[FARMLAND]:
        return one.goods[FARMLAND] > two.goods[FARMLAND]
    if n_units(state, a) != n_units(state, b):
        return n_units(state, a) > n_units(state, b)
    if loose_tokens(state, a) != loose_tokens(state, b):
        return loose_tokens(state, a) > loose_tokens(state, b)
    return n_cards(state, a) > n_cards(state, b)


@rule
def part_of_goal(state: State, seat: int, wanted: Row[int]) -> float:
    """The part of a victory's goods that a seat has, from 0 to 1."""
    have = 0.0
    of = 0.0
    for good in range(GOODS):
        have += min(1.0 * state.seats[seat].goods[good], 1.0 * wanted[good])
        of += wanted[good]
    return have / max(1.0, of)


@rule
def score(box: Box, state: State, out: Numbers) -> None:
    """14: before the end, how much of the nearest victory a seat has; then 1 for winning, shared by seats level on time."""
    n_first = 0
    for seat in range(SEATS):
        if is_first(box, state, seat):
            n_first += 1
    for seat in range(SEATS):
        out[seat] = 0.0
        if state.phase != P.over:
            near = max(part_of_goal(state, seat, box.rules.farm_win), part_of_goal(state, seat, box.rules.growth_win))
            out[seat] = max(near, 1.0 * popcount(state.seats[seat].miracles) / max(1, box.rules.miracles_win))
        elif is_first(box, state, seat):
            out[seat] = 1.0 / n_first


@rule
def is_first(box: Box, state: State, seat: int) -> bool:
    """14, 15.1: when the game is over, has this seat won, alone or level with others?"""
    for other in range(SEATS):
        if is_ahead(box, state, other, seat):
            return False
    return True
