"""Which seat can strike which, for `evaluate`: what a farm has to fear before its next turn, and what it could break into.

An attack on Farmland loses nothing and draws a card (guide 7.2, 7.10), so an open farm pays for the army that eats it. A Soldier on
guard costs the attacker one of his, and makes a farm with fewer guards the better target.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.rule import rule
from sutler.games.warfarm.box import (
    CANNON,
    FARMER,
    FARMLAND,
    LAND_FARMER,
    LAND_SOLDIER,
    MERCENARIES,
    RESERVE,
    RETURNING,
    SEATS,
    SOLDIER,
    STEEL,
    TROOPS,
)
from sutler.games.warfarm.rules.common import is_at_peace

if TYPE_CHECKING:
    from sutler.games.warfarm.records import State

RECRUIT = 1.83  # of a Soldier, for a Farmer with a Steel: he can be built and sent in one turn
SPARED_SHARE = 0.539  # of the attacks come to the better guarded of two farms
LAND_EXPOSED = 1.43  # for each Farmland that may be struck before one's next turn
DOOM = 0.771  # more for each of them, by what would then be missing to four Farmland
BREACH = 2.34  # for each attack beyond the guards of the least guarded farm, when none lies open
BARE_SHARE = 0.742  # of the attacks that are left when no Farmland is: who is struck must not fear less for it
SHORTENED = 1.08  # how much of the game is over when the others have lost their Farmland


@rule
def n_strikes(state: State, seat: int) -> float:
    """7.2, 7.3, 12.4, 12.5: how many attacks a seat can make in its next turn, with what it has by then."""
    me = state.seats[seat]
    n = 1.0 * me.spots[RESERVE] + me.spots[RETURNING]
    if me.works[TROOPS] > 0:
        n = 1.0 * me.goods[SOLDIER]
    return n + 2.0 * min(me.goods[CANNON], me.goods[FARMER]) + me.works[MERCENARIES]


@rule
def n_guards(state: State, seat: int) -> float:
    """6.2, 6.4: how many guard the Farmland; none count in a turn of surprise (12.9)."""
    if state.is_surprise == 1 and seat != state.to_act:
        return 0.0
    me = state.seats[seat]
    return 1.0 * me.spots[LAND_SOLDIER] + me.spots[LAND_FARMER]


@rule
def part_aimed_at(state: State, seat: int, other: int) -> float:
    """The part of another seat's attacks that this seat gets: all when there is nobody else, fewer for the better guarded farm."""
    third = SEATS - seat - other
    if state.seats[third].is_alive == 0:
        return 1.0
    mine = n_guards(state, seat)
    theirs = n_guards(state, third)
    if mine > theirs:
        return SPARED_SHARE
    if mine < theirs:
        return 1.0 - SPARED_SHARE
    return 0.5


@rule
def feared(state: State, seat: int) -> float:
    """How often the seat's Farmland may be struck before its next turn: attacks of the others beyond its guards.

    Those that would find no Farmland left count too (`BARE_SHARE`): a farm that has just been struck is no safer for it. A seat that
    has made peace with this one strikes nothing (11.7).
    """
    n = 0.0
    for other in range(SEATS):
        if other != seat and state.seats[other].is_alive == 1 and not is_at_peace(state, other, seat):
            them = state.seats[other]
            strikes = n_strikes(state, other) + RECRUIT * min(them.goods[STEEL], them.goods[FARMER])
            n += part_aimed_at(state, seat, other) * strikes
    n = max(0.0, n - n_guards(state, seat))
    land = 1.0 * state.seats[seat].goods[FARMLAND]
    return min(n, land) + BARE_SHARE * max(0.0, n - land)


@rule
def fear(state: State, seat: int) -> float:
    """The cost of open Farmland: what may be struck, and all the more when little would be left."""
    hits = feared(state, seat)
    missing = max(0.0, 4.0 + hits - state.seats[seat].goods[FARMLAND])
    return LAND_EXPOSED * hits + DOOM * hits * missing


@rule
def breach(state: State, seat: int) -> float:
    """The worth of an army when every farm is guarded: attacks beyond the guards of the least guarded."""
    fewest = 99.0
    for other in range(SEATS):
        if other != seat and state.seats[other].is_alive == 1:
            fewest = min(fewest, n_guards(state, other))
    if fewest == 0.0:
        return 0.0
    return BREACH * max(0.0, n_strikes(state, seat) - fewest)


@rule
def arms_part(state: State, seat: int) -> float:
    """14.2: how near a seat is to being the last with Farmland, from 0 to 1: how much of twelve the others have lost."""
    land = 0.0
    for other in range(SEATS):
        if other != seat:
            land += min(1.0 * state.seats[other].goods[FARMLAND], 12.0)
    return 1.0 - min(land, 12.0) / 12.0
