"""The ways to win WARFARM, and the order of the seats when nobody has won (guide 14 and 15.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import popcount
from sutler.core.rule import rule
from sutler.games.warfarm.box import FARMLAND, FIRE, GOODS, SEATS, TOKENS
from sutler.games.warfarm.phases_actions_events import P
from sutler.games.warfarm.state import BY_STANDSTILL, BY_TIME, NOT_WON, n_cards, n_units

if TYPE_CHECKING:
    from sutler.core.typing import Numbers, Row
    from sutler.games.warfarm.records import Box, State


@rule
def has_farm_victory(box: Box, state: State, seat: int) -> bool:
    """Has a seat the goods of the farm victory: 12 Farmland and 12 Farmers (14.1)? Explorers and other units do not count."""
    me = state.seats[seat]
    for good in range(GOODS):
        if me.goods[good] < box.rules.farm_win[good]:
            return False
    return True


@rule
def has_growth_victory(box: Box, state: State, seat: int) -> bool:
    """Has a seat the goods of the growth victory: 10 Disciples and 10 loose Religion (14.3)?"""
    me = state.seats[seat]
    for good in range(GOODS - 1, -1, -1):
        if me.goods[good] < box.rules.growth_win[good]:
            return False
    return True


@rule
def has_miracles_victory(box: Box, state: State, seat: int) -> bool:
    """Has a seat played as many different Miracles as the victory by Miracles takes, three by print (14.4)?"""
    return popcount(state.seats[seat].miracles) >= box.rules.miracles_win


@rule
def n_loose_tokens(state: State, seat: int) -> int:
    """The number of a seat's tokens other than Farmland and Fire (15.1)."""
    total = 0
    for token in range(TOKENS):
        if token != FARMLAND and token != FIRE:
            total += state.seats[seat].goods[token]
    return total


@rule
def is_ended_by_limit(state: State) -> bool:
    """Did the game end without a winner: by the limit of rounds (15.1), or because nothing happened any more (15.2)?"""
    return state.won_by == BY_TIME or state.won_by == BY_STANDSTILL


@rule
def is_ahead(box: Box, state: State, a: int, b: int) -> bool:
    """Does seat `a` place before seat `b`: the winner before all others (14), or by comparison if nobody has won (15.1)?

    Compared are: still in the game; more Farmland; more units; more tokens other than Farmland and Fire; more cards.
    """
    if state.won_by != NOT_WON and not is_ended_by_limit(state):
        return a == state.winner and b != state.winner
    one = state.seats[a]
    two = state.seats[b]
    if one.is_alive != two.is_alive:
        return one.is_alive > two.is_alive
    if one.goods[FARMLAND] != two.goods[FARMLAND]:
        return one.goods[FARMLAND] > two.goods[FARMLAND]
    if n_units(state, a) != n_units(state, b):
        return n_units(state, a) > n_units(state, b)
    if n_loose_tokens(state, a) != n_loose_tokens(state, b):
        return n_loose_tokens(state, a) > n_loose_tokens(state, b)
    return n_cards(state, a) > n_cards(state, b)


@rule
def share_of_victory(state: State, seat: int, wanted: Row[int]) -> float:
    """The share (0 to 1) of a victory's goods that a seat has; `wanted`: the number of each good that the victory asks for."""
    have = 0.0
    of = 0.0
    for good in range(GOODS):
        have += min(1.0 * state.seats[seat].goods[good], 1.0 * wanted[good])
        of += wanted[good]
    return have / max(1.0, of)


@rule
def score(box: Box, state: State, out: Numbers) -> None:
    """Write each seat's score into `out`: before the end, the share (0 to 1) of its nearest victory; at the end, 1 for the winner (14).

    Seats that share the first place at the end divide the 1 among them.
    """
    n_first = 0
    for seat in range(SEATS):
        if is_first(box, state, seat):
            n_first += 1
    for seat in range(SEATS):
        out[seat] = 0.0
        if state.phase != P.over:
            near = max(
                share_of_victory(state, seat, box.rules.farm_win), share_of_victory(state, seat, box.rules.growth_win)
            )
            out[seat] = max(near, 1.0 * popcount(state.seats[seat].miracles) / max(1, box.rules.miracles_win))
        elif is_first(box, state, seat):
            out[seat] = 1.0 / n_first


@rule
def is_first(box: Box, state: State, seat: int) -> bool:
    """Is the seat in first place, with no other seat ahead of it (14, 15.1)?"""
    for other in range(SEATS):
        if is_ahead(box, state, other, seat):
            return False
    return True
