"""What a power's next turns will bring if nobody interferes, for bots: cities, tokens, supply and strength, by the rules themselves.

The next turn's city, influence and feed phase (guide 9 to 11) follow from where everything stands; here they are reckoned without
being played. Nothing is changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sutler.core.bits import lowest
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import POWERS, S
from sutler.games.bellum.hexes import both, either, holds, how_many, those, without
from sutler.games.bellum.rules.city import round_of_fall, round_of_revolt
from sutler.games.bellum.rules.influence import leader_reach
from sutler.games.bellum.rules.supply import range_over
from sutler.games.bellum.state import all_leaders, leaders_of, plan_of, tokens_of
from sutler.games.bellum.survey import (
    ALL,
    around_all,
    closed_by_enemies,
    headquarters_of,
    hexes_of,
    leaders_among,
    marches_of,
    of_any,
    open_to_siege,
    reach_of_enemies,
)
from sutler.games.bellum.threats import danger, place_in_order

if TYPE_CHECKING:
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import Box, State
    from sutler.games.bellum.survey import Survey


class Ahead(NamedTuple):
    """A power's next two turns, as they come if no battle is fought and nobody else moves, and what threatens the first of them."""

    supply: float
    strength: float
    supply_later: float
    strength_later: float
    in_range: float  # tokens
    firm: float  # of the supply, what no march of a neighbour and no siege takes away
    fed: float  # and the strength that this leaves
    danger: float  # how likely it is attacked before


@rule
def next_city_round(box: Box, state: State, power: int) -> int:
    """7.1, 7.2: the round of the power's next city phase."""
    if state.stage == S.preparation:
        return 1
    later = place_in_order(state, power) < state.kth
    if power == state.power:
        later = state.stage > S.city
    coming = state.round_no + int(later)
    if box.year[coming].quiet == 1:
        coming += 1
    return min(coming, int(box.n_rounds) - 1)


@rule
def will_hold(box: Box, state: State, power: int, site: int, round_no: int) -> bool:
    """9.3: is a city that the power occupies still its own after the city phase of that round?"""
    slot = state.site[site]
    if slot.holder != power:
        return False
    if slot.since < state.round_no and slot.resistance == box.year[state.round_no].resistance:
        return False  # in the phase to come
    return round_of_revolt(box, state, int(slot.resistance)) > round_no


@rule
def will_fall(box: Box, state: State, power: int, site: int, round_no: int) -> bool:
    """9.2: does the power's siege succeed in that round's city phase?"""
    slot = state.site[site]
    if slot.besieger != power:
        return False
    if slot.opened < state.round_no and slot.siege == box.year[state.round_no].siege:
        return True  # in the phase to come
    return round_of_fall(box, state, int(slot.siege)) <= round_no


@rule
def fallen_supply(box: Box, state: State, site: int) -> float:
    """9.4, 10.3: what a city supplies once it has fallen; another's is smaller then."""
    slot = state.site[site]
    extent = int(slot.extent)
    if slot.holder != NOBODY:
        extent -= 1
    return 1.0 * box.rules.city_supply[max(extent, 0)]


@rule
def cities_ahead(box: Box, state: State, power: int, round_no: int, seen: Survey) -> int:
    """The cities the power will occupy after the city phase of that round, as bits: a minor city falls at once (9.1)."""
    free = ~of_any(seen.held, ALL)
    found = open_to_siege(power, seen) & seen.minor & free
    left = (seen.held[power] | seen.besieged[power]) & seen.cities
    while left != 0:
        site = lowest(left)
        left &= left - 1
        if will_hold(box, state, power, site, round_no) or will_fall(box, state, power, site, round_no):
            found |= 1 << site
    return found


@rule
def falling(box: Box, state: State, power: int, seen: Survey) -> int:
    """9.1, 9.2: the power's cities that an enemy takes in its next city phase, as bits."""
    found = 0
    for other in range(POWERS):
        if seen.enemies[power] >> other & 1:
            found |= open_to_siege(other, seen) & seen.minor & seen.held[power]
            left = seen.besieged[other] & seen.held[power]
            while left != 0:
                site = lowest(left)
                left &= left - 1
                if will_fall(box, state, other, site, next_city_round(box, state, other)):
                    found |= 1 << site
    return found


@rule
def reach_ahead(box: Box, state: State, power: int, cities: int) -> Hexes:
    """10.2: all that the power's leaders, its HQ and these cities reach."""
    plan = plan_of(box, state)
    near = either(around_all(box, state, cities), those(plan.around[plan.hq[power]]))
    return both(either(leader_reach(box, state, power), near), those(plan.areas))


@rule
def free_ahead(box: Box, state: State, cities: int, seen: Survey) -> Hexes:
    """10.1: areas next to cities that will still be free."""
    free = seen.cities & ~(of_any(seen.held, ALL) | of_any(seen.besieged, ALL))
    return around_all(box, state, free & ~cities)


@rule
def supply_in(box: Box, state: State, power: int, reached: Hexes, cities: int, round_no: int) -> float:
    """10.3: the supply of the HQ in that round and of these cities, where they are in range."""
    total = 0.0
    home = int(plan_of(box, state).hq[power])
    if home != NOBODY and holds(reached, int(box.site_hex[home])):
        total += box.year[round_no].hq_supply
    while cities != 0:
        site = lowest(cities)
        cities &= cities - 1
        if holds(reached, int(box.site_hex[site])):
            if state.site[site].holder == power:
                total += box.rules.city_supply[state.site[site].extent]
            else:
                total += fallen_supply(box, state, site)
    return total


@rule
def fed_from(box: Box, strength: float, supply: float, tokens: float) -> float:
    """11.1, 11.2: the strength after feeding all that may be fed."""
    most = 1.0 * box.rules.most_change
    return max(0.0, min(max(min(supply, tokens), strength - most), strength + most))


@rule
def ahead(box: Box, state: State, power: int, seen: Survey) -> Ahead:
    """A power's next two turns, if no battle is fought and nobody else moves."""
    me = state.powers[power]
    coming = next_city_round(box, state, power)
    after = min(coming + 1, int(box.n_rounds) - 1)
    cities = cities_ahead(box, state, power, coming, seen)
    later = cities_ahead(box, state, power, after, seen)
    ours = reach_ahead(box, state, power, cities)
    theirs = either(reach_of_enemies(box, state, power, seen), free_ahead(box, state, cities, seen))
    at_ours = both(leaders_of(state, power), those(plan_of(box, state).land))
    empty = without(both(ours, theirs), all_leaders(state))
    place = without(either(at_ours, without(without(ours, theirs), empty)), those(state.pillaged))
    gone = either(without(either(without(theirs, ours), leaders_among(state, seen.enemies[power])), at_ours), empty)
    there = tokens_of(state, power)
    upright = either(without(those(me.upright), gone), without(place, there))
    tokens = either(without(there, gone), place)
    mine = either(tokens, hexes_of(box, cities | headquarters_of(box, state, 1 << power)))
    reached = range_over(box, leaders_of(state, power), mine, closed_by_enemies(box, state, power, seen))
    ready = 1.0 * how_many(both(upright, reached))
    in_range = 1.0 * how_many(both(tokens, reached))
    supply = supply_in(box, state, power, reached, cities, coming)
    strength = fed_from(box, 1.0 * me.strength, supply, ready)
    supply_later = supply_in(box, state, power, reached, later, after)
    strength_later = fed_from(box, strength, supply_later, max(0.0, in_range - min(strength, ready)))
    sites = hexes_of(box, cities | headquarters_of(box, state, 1 << power))
    foreign = without(marches_of(box, state, seen.enemies[power]), either(sites, leaders_of(state, power)))
    closed = either(
        closed_by_enemies(box, state, power, seen), without(reach_of_enemies(box, state, power, seen), ours)
    )
    kept = range_over(box, leaders_of(state, power), without(mine, foreign), closed)
    firm = supply_in(box, state, power, kept, cities & ~falling(box, state, power, seen), coming)
    fed = fed_from(box, 1.0 * me.strength, firm, 1.0 * how_many(both(upright, kept)))
    threat = danger(box, state, power, seen)
    return Ahead(supply, strength, supply_later, strength_later, in_range, firm, fed, threat)
