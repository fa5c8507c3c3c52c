"""Threats between farms, for `evaluate`: the attacks that a farm must fear before its next turn, and the guards that an army could break.

An attack on Farmland loses nothing and draws a card (guide 7.2, 7.10), so an unguarded farm pays for the army that eats it. A Soldier on
guard costs the attacker a Soldier, and makes a farm with fewer guards the better target.
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

RECRUIT = 1.83  # the Soldiers that a Farmer with a Steel counts as: they can be built and sent in one turn
SPARED_SHARE = 0.539  # the share of the attacks that go to the better guarded of two farms
LAND_EXPOSED = 1.43  # the cost of each Farmland that may be struck before the seat's next turn
DOOM = 0.771  # added for each of these, by what would then be missing to four Farmland
BREACH = 2.34  # the worth of each attack beyond the guards of the least guarded farm, where every farm has guards
BARE_SHARE = 0.742  # the share that counts of attacks beyond the Farmland left: a farm that was struck is no safer
SHORTENED = 1.08  # the share of the game that is over when the others have lost their Farmland


@rule
def n_attacks_next_turn(state: State, seat: int) -> float:
    """The number of attacks that a seat can make in its next turn, with the units it will have by then (7.2, 7.3, 12.4, 12.5)."""
    me = state.seats[seat]
    n = 1.0 * me.spots[RESERVE] + me.spots[RETURNING]
    if me.works[TROOPS] > 0:
        n = 1.0 * me.goods[SOLDIER]
    return n + 2.0 * min(me.goods[CANNON], me.goods[FARMER]) + me.works[MERCENARIES]


@rule
def n_guards(state: State, seat: int) -> float:
    """The number of units that guard a seat's Farmland (6.2, 6.4).

    It is 0 in a turn of Surprise Attack, against which guards do not count (12.9).
    """
    if state.is_surprise == 1 and seat != state.to_act:
        return 0.0
    me = state.seats[seat]
    return 1.0 * me.spots[LAND_SOLDIER] + me.spots[LAND_FARMER]


@rule
def share_of_attacks_on(state: State, seat: int, attacker: int) -> float:
    """The share (0 to 1) of the attacks of seat `attacker` that will be made on `seat`.

    It is 1 if no third seat is in the game, and smaller for the better guarded farm.
    """
    third = SEATS - seat - attacker
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
def expected_hits(state: State, seat: int) -> float:
    """The expected number of hits on a seat's Farmland before its next turn: attacks of the others beyond its guards.

    Attacks that would find no Farmland left count by BARE_SHARE. A seat that has made peace with this one does not attack it (11.7).
    """
    n = 0.0
    for other in range(SEATS):
        if other != seat and state.seats[other].is_alive == 1 and not is_at_peace(state, other, seat):
            them = state.seats[other]
            strikes = n_attacks_next_turn(state, other) + RECRUIT * min(them.goods[STEEL], them.goods[FARMER])
            n += share_of_attacks_on(state, seat, other) * strikes
    n = max(0.0, n - n_guards(state, seat))
    land = 1.0 * state.seats[seat].goods[FARMLAND]
    return min(n, land) + BARE_SHARE * max(0.0, n - land)


@rule
def cost_of_expected_hits(state: State, seat: int) -> float:
    """The cost of the hits that a seat's Farmland must expect; a hit costs more the less Farmland would be left."""
    hits = expected_hits(state, seat)
    missing = max(0.0, 4.0 + hits - state.seats[seat].goods[FARMLAND])
    return LAND_EXPOSED * hits + DOOM * hits * missing


@rule
def spare_attacks_worth(state: State, seat: int) -> float:
    """The worth of the attacks that a seat has beyond the guards of the least guarded other farm; 0 if another farm has no guards."""
    fewest = 99.0
    for other in range(SEATS):
        if other != seat and state.seats[other].is_alive == 1:
            fewest = min(fewest, n_guards(state, other))
    if fewest == 0.0:
        return 0.0
    return BREACH * max(0.0, n_attacks_next_turn(state, seat) - fewest)


@rule
def share_of_arms_victory(state: State, seat: int) -> float:
    """The nearness (0 to 1) of the victory by arms (14.2): the share of twelve Farmland that the other two farms have lost."""
    land = 0.0
    for other in range(SEATS):
        if other != seat:
            land += min(1.0 * state.seats[other].goods[FARMLAND], 12.0)
    return 1.0 - min(land, 12.0) / 12.0
