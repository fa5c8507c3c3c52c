"""A survey of the map for bots: which powers stand at, hold and besiege which sites, computed once for a position.

A set of sites is an integer with a bit for each. What the rules answer for one site (`rules/city.py`) is answered here for all of them at
once; a test compares the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sutler.core.bits import lowest
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import CITY, MINOR, POWERS, RUIN, S
from sutler.games.bellum.hexes import NONE, read_hexes, single_hex, union
from sutler.games.bellum.rules.influence import leader_reach
from sutler.games.bellum.state import (
    enemies_of,
    leaders_of,
    links_at,
    place_in_order,
    plan_of,
    sites_stood_at,
    tokens_of,
)

if TYPE_CHECKING:
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import Box, State

Sites = tuple[int, int, int, int]
"""For each power, a set of sites as a bit set."""
Powers = tuple[int, int, int, int]
"""For each power, a set of powers as a bit set."""
Rounds = tuple[int, int, int, int]
"""For each power, the number of a round."""
FourHexes = tuple["Hexes", "Hexes", "Hexes", "Hexes"]
"""For each power, a set of hexes."""
FourWords = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
"""For each power, a set of sites as a 64-bit word."""
_ZERO = np.uint64(0)
NO_SITES: Sites = (0, 0, 0, 0)
ALL = (1 << POWERS) - 1
"""The set of all powers, as a bit set."""


class Survey(NamedTuple):
    """A survey of sites for each power: its enemies, and the sites where it stands, those it holds and those it besieges.

    `cities`: all cities that are no ruin; `minor`: the minor cities among them; `coming`: the round of each power's next city phase.
    `version`: the number under which all this but the places of leaders is cached; 0: it is not cached.
    """

    enemies: Powers
    stood_at: Sites
    held: Sites
    besieged: Sites
    cities: int
    minor: int
    coming: Rounds
    version: int


class Stands(NamedTuple):
    """The hexes of each power's leaders and tokens and the hexes around them, computed once for a position."""

    leaders: FourHexes
    everyone: Hexes  # all leaders on the board
    reach: FourHexes  # the areas that leaders reach (`leader_reach`, 10.2)
    tokens: FourHexes
    tilted: Hexes  # all tilted tokens on the board
    march: FourHexes  # `areas_within_two_steps`
    near: FourHexes  # the hexes next to its leaders
    touches: FourWords  # the sites next to its leaders, as a bit set


@rule
def next_city_round(box: Box, state: State, power: int) -> int:
    """The number of the next round in which a power has a city phase (7.1, 7.2), at most the last round of the game."""
    if state.stage == S.preparation:
        return 1
    later = place_in_order(state, power) < state.kth
    if power == state.power:
        later = state.stage > S.city
    coming = int(state.round_no) + int(later)
    if box.year[coming].quiet == 1:
        coming += 1
    return min(coming, int(box.n_rounds) - 1)


@rule
def next_city_rounds(box: Box, state: State) -> Rounds:
    """The number of the next round in which each power has a city phase, as a tuple by power."""
    return (
        next_city_round(box, state, 0),
        next_city_round(box, state, 1),
        next_city_round(box, state, 2),
        next_city_round(box, state, 3),
    )


@rule
def add_site_to_power(site_sets: Sites, power: int, site: int) -> Sites:
    """The bit sets of sites by power, with `site` added to the set of `power`; unchanged if `power` is NOBODY."""
    bit = 1 << site
    return (
        site_sets[0] | bit * int(power == 0),
        site_sets[1] | bit * int(power == 1),
        site_sets[2] | bit * int(power == 2),
        site_sets[3] | bit * int(power == 3),
    )


@rule
def sites_of_leaders(box: Box, state: State) -> Sites:
    """The sites at which each power has a leader, as a tuple of bit sets by power (9.1)."""
    return (
        sites_stood_at(box, state, 0),
        sites_stood_at(box, state, 1),
        sites_stood_at(box, state, 2),
        sites_stood_at(box, state, 3),
    )


@rule
def survey_sites(box: Box, state: State) -> Survey:
    """The survey of all sites, in one pass over them."""
    plan = plan_of(box, state)
    held = NO_SITES
    besieged = NO_SITES
    cities = 0
    minor = 0
    for site in range(box.n_sites):
        slot = state.site[site]
        held = add_site_to_power(held, int(slot.holder), site)
        besieged = add_site_to_power(besieged, int(slot.besieger), site)
        stands = int(plan.role[site] == CITY and slot.extent > RUIN)
        cities |= stands << site
        minor |= (stands * int(slot.extent == MINOR)) << site
    enemies = (
        enemies_of(box, state, 0),
        enemies_of(box, state, 1),
        enemies_of(box, state, 2),
        enemies_of(box, state, 3),
    )
    return Survey(enemies, sites_of_leaders(box, state), held, besieged, cities, minor, next_city_rounds(box, state), 0)


@rule
def neighbours_of_leaders(box: Box, state: State, power: int) -> tuple[Hexes, np.uint64]:
    """The hexes next to a power's leaders, and the sites next to them as a bit set (8.3)."""
    near = NONE
    touches = _ZERO
    for k in range(2):
        at = int(state.powers[power].leader[k])
        if at != NOBODY:
            near = union(near, read_hexes(box.near[at]))
            touches |= links_at(box, state, at)
    return near, touches


@rule
def areas_within_two_steps(box: Box, state: State, power: int) -> Hexes:
    """The areas at most two steps from a power's leaders: those in reach of them after a march of one area (10.2, 12.1)."""
    found = NONE
    for k in range(2):
        at = int(state.powers[power].leader[k])
        if at != NOBODY:
            found = union(found, read_hexes(box.within_two[at]))
    return found


@rule
def compute_stands(box: Box, state: State) -> Stands:
    """The places of every power's leaders and tokens, and the areas next to them."""
    leaders = (leaders_of(state, 0), leaders_of(state, 1), leaders_of(state, 2), leaders_of(state, 3))
    everyone = union(union(leaders[0], leaders[1]), union(leaders[2], leaders[3]))
    reach = (
        leader_reach(box, state, 0),
        leader_reach(box, state, 1),
        leader_reach(box, state, 2),
        leader_reach(box, state, 3),
    )
    tokens = (tokens_of(state, 0), tokens_of(state, 1), tokens_of(state, 2), tokens_of(state, 3))
    tilted = NONE
    for power in range(POWERS):
        tilted = union(tilted, read_hexes(state.powers[power].tilted))
    march = (
        areas_within_two_steps(box, state, 0),
        areas_within_two_steps(box, state, 1),
        areas_within_two_steps(box, state, 2),
        areas_within_two_steps(box, state, 3),
    )
    near0, touches0 = neighbours_of_leaders(box, state, 0)
    near1, touches1 = neighbours_of_leaders(box, state, 1)
    near2, touches2 = neighbours_of_leaders(box, state, 2)
    near3, touches3 = neighbours_of_leaders(box, state, 3)
    near = (near0, near1, near2, near3)
    return Stands(leaders, everyone, reach, tokens, tilted, march, near, (touches0, touches1, touches2, touches3))


@rule
def union_of_hexes(hexes_by_power: FourHexes, powers: int) -> Hexes:
    """The union of the sets of hexes that belong to these powers; `powers`: a bit set."""
    found = NONE
    if powers & 1:
        found = hexes_by_power[0]
    if powers & 2:
        found = union(found, hexes_by_power[1])
    if powers & 4:
        found = union(found, hexes_by_power[2])
    if powers & 8:
        found = union(found, hexes_by_power[3])
    return found


@rule
def union_of_sites(sites_by_power: Sites, powers: int) -> int:
    """The union of the sets of sites that belong to these powers; `powers`: a bit set."""
    found = 0
    for power in range(POWERS):
        found |= sites_by_power[power] * (powers >> power & 1)
    return found


@rule
def unopposed_site_bits(power: int, seen: Survey) -> int:
    """The sites where the power has a leader and no enemy has one, as a bit set (9.1).

    An ally's own city is left out while the ally stands there.
    """
    enemies = seen.enemies[power]
    others = 0
    for other in range(POWERS):
        if enemies >> other & 1:
            others |= seen.stood_at[other]
        elif other != power:
            others |= seen.stood_at[other] & seen.held[other]
    return seen.stood_at[power] & ~others


@rule
def besiegeable_city_bits(power: int, seen: Survey) -> int:
    """The cities that the power could besiege now, as a bit set: it stands there unopposed, and neither it nor an ally has them (9.1)."""
    friends = ALL & ~seen.enemies[power]
    closed = seen.held[power] | union_of_sites(seen.besieged, friends)
    return unopposed_site_bits(power, seen) & seen.cities & ~closed


@rule
def neighbours_of_sites(box: Box, state: State, sites: int) -> Hexes:
    """The areas next to any of these sites; `sites`: a bit set (10.2)."""
    plan = plan_of(box, state)
    found = NONE
    while sites != 0:
        found = union(found, read_hexes(plan.around[lowest(sites)]))
        sites &= sites - 1
    return found


@rule
def hexes_of_sites(box: Box, sites: int) -> Hexes:
    """The hexes of these sites; `sites`: a bit set."""
    found = NONE
    while sites != 0:
        found = union(found, single_hex(int(box.site_hex[lowest(sites)])))
        sites &= sites - 1
    return found


@rule
def headquarters_bits(box: Box, state: State, powers: int) -> int:
    """The HQ sites of these powers, as a bit set; `powers`: a bit set."""
    plan = plan_of(box, state)
    found = 0
    for power in range(POWERS):
        if powers >> power & 1 and plan.hq[power] != NOBODY:
            found |= 1 << int(plan.hq[power])
    return found


@rule
def enemy_site_bits(box: Box, state: State, power: int, seen: Survey) -> int:
    """The cities and HQs of a power's enemies, as a bit set (10.1, 10.6)."""
    enemies = seen.enemies[power]
    return union_of_sites(seen.held, enemies) | headquarters_bits(box, state, enemies)
