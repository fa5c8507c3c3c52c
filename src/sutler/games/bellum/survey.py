"""Who stands before, holds and besieges which sites, found once for all powers: what `forecast` and `evaluate` ask again and again.

A set of sites is a number, a bit for each. What the rules answer for one site (`rules/city.py`) is answered here for all at once;
a test holds the two together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sutler.core.bits import lowest
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import CITY, MINOR, POWERS, RUIN
from sutler.games.bellum.hexes import NONE, either, one, those
from sutler.games.bellum.rules.influence import leader_reach
from sutler.games.bellum.state import enemies_of, leaders_of, plan_of, sites_stood_at, tokens_of

if TYPE_CHECKING:
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import Box, State

Sites = tuple[int, int, int, int]
"""A set of sites for each power."""
Powers = tuple[int, int, int, int]
"""A set of powers for each power."""
NO_SITES: Sites = (0, 0, 0, 0)
ALL = (1 << POWERS) - 1
"""All powers, as bits."""


class Survey(NamedTuple):
    """Each power's enemies; the sites it stands at, holds and besieges; the cities that are no ruin, the minor ones among them."""

    enemies: Powers
    stood_at: Sites
    held: Sites
    besieged: Sites
    cities: int
    minor: int


@rule
def with_site(some: Sites, power: int, site: int) -> Sites:
    """The same and this site for that power, or for none."""
    bit = 1 << site
    return (
        some[0] | bit * int(power == 0),
        some[1] | bit * int(power == 1),
        some[2] | bit * int(power == 2),
        some[3] | bit * int(power == 3),
    )


@rule
def all_stood_at(box: Box, state: State) -> Sites:
    """9.1: the sites where each power has a leader."""
    return (
        sites_stood_at(box, state, 0),
        sites_stood_at(box, state, 1),
        sites_stood_at(box, state, 2),
        sites_stood_at(box, state, 3),
    )


@rule
def survey(box: Box, state: State) -> Survey:
    """Everything about sites, in one walk over them."""
    plan = plan_of(box, state)
    held = NO_SITES
    besieged = NO_SITES
    cities = 0
    minor = 0
    for site in range(box.n_sites):
        slot = state.site[site]
        held = with_site(held, int(slot.holder), site)
        besieged = with_site(besieged, int(slot.besieger), site)
        stands = int(plan.role[site] == CITY and slot.extent > RUIN)
        cities |= stands << site
        minor |= (stands * int(slot.extent == MINOR)) << site
    enemies = (
        enemies_of(box, state, 0),
        enemies_of(box, state, 1),
        enemies_of(box, state, 2),
        enemies_of(box, state, 3),
    )
    return Survey(enemies, all_stood_at(box, state), held, besieged, cities, minor)


@rule
def of_any(some: Sites, powers: int) -> int:
    """The sites of all these powers (as bits)."""
    found = 0
    for power in range(POWERS):
        found |= some[power] * (powers >> power & 1)
    return found


@rule
def alone_at(power: int, seen: Survey) -> int:
    """9.1: the sites where the power stands and no enemy does, nor an ally at its own city."""
    enemies = seen.enemies[power]
    others = 0
    for other in range(POWERS):
        if enemies >> other & 1:
            others |= seen.stood_at[other]
        elif other != power:
            others |= seen.stood_at[other] & seen.held[other]
    return seen.stood_at[power] & ~others


@rule
def open_to_siege(power: int, seen: Survey) -> int:
    """9.1: the cities that the power can besiege."""
    friends = ALL & ~seen.enemies[power]
    closed = seen.held[power] | of_any(seen.besieged, friends)
    return alone_at(power, seen) & seen.cities & ~closed


@rule
def around_all(box: Box, state: State, sites: int) -> Hexes:
    """10.2: the areas next to any of these sites."""
    plan = plan_of(box, state)
    found = NONE
    while sites != 0:
        found = either(found, those(plan.around[lowest(sites)]))
        sites &= sites - 1
    return found


@rule
def hexes_of(box: Box, sites: int) -> Hexes:
    """Where these sites lie."""
    found = NONE
    while sites != 0:
        found = either(found, one(int(box.site_hex[lowest(sites)])))
        sites &= sites - 1
    return found


@rule
def headquarters_of(box: Box, state: State, powers: int) -> int:
    """The sites of these powers' HQs."""
    plan = plan_of(box, state)
    found = 0
    for power in range(POWERS):
        if powers >> power & 1 and plan.hq[power] != NOBODY:
            found |= 1 << int(plan.hq[power])
    return found


@rule
def leaders_among(state: State, powers: int) -> Hexes:
    """The hexes of these powers' leaders."""
    found = NONE
    for power in range(POWERS):
        if powers >> power & 1:
            found = either(found, leaders_of(state, power))
    return found


@rule
def reach_of_enemies(box: Box, state: State, power: int, seen: Survey) -> Hexes:
    """10.1, 12.2: areas reached by an enemy's leader, HQ or city."""
    enemies = seen.enemies[power]
    found = around_all(box, state, of_any(seen.held, enemies) | headquarters_of(box, state, enemies))
    for other in range(POWERS):
        if enemies >> other & 1:
            found = either(found, leader_reach(box, state, other))
    return found


@rule
def closed_by_enemies(box: Box, state: State, power: int, seen: Survey) -> Hexes:
    """10.6: hexes that close a bank: an enemy's token, city or HQ."""
    enemies = seen.enemies[power]
    found = hexes_of(box, of_any(seen.held, enemies) | headquarters_of(box, state, enemies))
    for other in range(POWERS):
        if enemies >> other & 1:
            found = either(found, tokens_of(state, other))
    return found


@rule
def march_of(box: Box, state: State, power: int) -> Hexes:
    """10.2, 12.1: where a march of one area takes the power's leaders, and what they reach from there."""
    found = NONE
    for k in range(2):
        at = int(state.powers[power].leader[k])
        if at != NOBODY:
            found = either(found, those(box.within_two[at]))
    return found


@rule
def marches_of(box: Box, state: State, powers: int) -> Hexes:
    """The same of all these powers (as bits)."""
    found = NONE
    while powers != 0:
        found = either(found, march_of(box, state, lowest(powers)))
        powers &= powers - 1
    return found
