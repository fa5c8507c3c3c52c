"""The influence phase (guide 10; allies 14.11): who reaches which area, placing and removing tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import CITY, POWERS, RUIN
from sutler.games.bellum.hexes import (
    NONE,
    difference,
    first_hex,
    intersection,
    is_not_empty,
    read_hexes,
    store_hexes,
    union,
    without_first,
)
from sutler.games.bellum.phases_actions_events import E
from sutler.games.bellum.rules.common import next_stage
from sutler.games.bellum.rules.supply import range_of, set_supply
from sutler.games.bellum.state import (
    all_leaders,
    ally_of,
    enemies_of,
    is_enemy,
    is_held_by_any,
    leaders_of,
    plan_of,
    tokens_of,
)

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import Box, State

# --- Reach (guide 10.1, 10.2) ------------------------------------------------


@rule
def leader_reach(box: Box, state: State, power: int) -> Hexes:
    """10.2: the areas of a power's leaders and the land next to them with no river between."""
    plan = plan_of(box, state)
    found = leaders_of(state, power)
    for k in range(2):
        at = int(state.powers[power].leader[k])
        if at != NOBODY:
            found = union(found, read_hexes(box.dry[at]))
    return intersection(found, read_hexes(plan.land))


@rule
def city_reach(box: Box, state: State, power: int) -> Hexes:
    """10.2: land and sea next to the cities a power occupies, rivers or not."""
    plan = plan_of(box, state)
    found = NONE
    for site in range(box.n_sites):
        if state.site[site].holder == power:
            found = union(found, read_hexes(plan.around[site]))
    return found


@rule
def site_reach(box: Box, state: State, power: int) -> Hexes:
    """10.2: land and sea next to a power's HQ and cities, rivers or not."""
    plan = plan_of(box, state)
    return union(city_reach(box, state, power), read_hexes(plan.around[plan.hq[power]]))


@rule
def is_free(box: Box, state: State, site: int) -> bool:
    """10.1: a city that stands, with nobody's token on it, upright or, but by option, tilted."""
    slot = state.site[site]
    is_city = plan_of(box, state).role[site] == CITY
    is_besieged = slot.besieger != NOBODY and box.options.besieged_reach == 0
    return is_city and slot.extent > RUIN and slot.holder == NOBODY and not is_besieged


@rule
def free_reach(box: Box, state: State) -> Hexes:
    """10.1: areas next to free cities."""
    plan = plan_of(box, state)
    found = NONE
    for site in range(box.n_sites):
        if is_free(box, state, site):
            found = union(found, read_hexes(plan.around[site]))
    return found


@rule
def enemy_reach(box: Box, state: State, power: int) -> Hexes:
    """10.1, 12.2: areas reached by an enemy's leader, HQ or city."""
    plan = plan_of(box, state)
    enemies = enemies_of(box, state, power)
    found = NONE
    for other in range(POWERS):
        if enemies >> other & 1:
            found = union(found, union(leader_reach(box, state, other), read_hexes(plan.around[plan.hq[other]])))
    for site in range(box.n_sites):
        if is_held_by_any(state, site, enemies):
            found = union(found, read_hexes(plan.around[site]))
    return found


@rule
def enemy_leaders(box: Box, state: State, power: int) -> Hexes:
    """The areas of enemy leaders."""
    found = NONE
    for other in range(POWERS):
        if is_enemy(box, state, power, other):
            found = union(found, leaders_of(state, other))
    return found


# --- Placing and removing (guide 10.1 to 10.4) -------------------------------


@rule
def contested_by_allies(box: Box, state: State, power: int) -> Hexes:
    """14.11: next to a leader of one ally and to a city of the other; an HQ is no city, but by option."""
    ally = ally_of(box, state, power)
    if ally == NOBODY:
        return NONE
    if box.options.hq_is_city == 1:
        quarrel = intersection(leader_reach(box, state, power), site_reach(box, state, ally))
        return union(quarrel, intersection(leader_reach(box, state, ally), site_reach(box, state, power)))
    quarrel = intersection(leader_reach(box, state, power), city_reach(box, state, ally))
    return union(quarrel, intersection(leader_reach(box, state, ally), city_reach(box, state, power)))


@rule
def change_influence(box: Box, state: State, events: Events, power: int) -> None:
    """10.1 to 10.4: own reach alone takes an area, foreign reach alone loses it, both together empty it.

    An area with a leader in it is never contested, whosever he is: only 10.1 or 10.2 alone holds there.
    """
    me = state.powers[power]
    ours = intersection(
        union(leader_reach(box, state, power), site_reach(box, state, power)), read_hexes(plan_of(box, state).areas)
    )
    theirs = union(enemy_reach(box, state, power), free_reach(box, state))
    at_ours = intersection(leaders_of(state, power), read_hexes(plan_of(box, state).land))
    contested = union(intersection(ours, theirs), contested_by_allies(box, state, power))
    empty = difference(contested, all_leaders(state))
    place = difference(union(at_ours, difference(difference(ours, theirs), empty)), read_hexes(state.pillaged))
    lose = difference(union(difference(theirs, ours), enemy_leaders(box, state, power)), at_ours)
    ally = ally_of(box, state, power)
    if ally != NOBODY:
        place = difference(place, tokens_of(state, ally))
    gone = union(lose, empty)
    tell_areas(events, E.gone, power, intersection(tokens_of(state, power), gone))
    tilted = NONE
    for other in range(POWERS):
        if other != power:
            one = state.powers[other]
            replaced = intersection(tokens_of(state, other), union(place, empty))
            tell_areas(events, E.gone, other, replaced)
            tilted = union(tilted, intersection(read_hexes(one.tilted), place))
            store_hexes(one.upright, difference(read_hexes(one.upright), replaced))
            store_hexes(one.tilted, difference(read_hexes(one.tilted), replaced))
    new = difference(place, tokens_of(state, power))
    tell_areas(events, E.placed, power, difference(new, tilted))
    tell_areas(events, E.placed_tilted, power, intersection(new, tilted))
    store_hexes(me.upright, union(difference(read_hexes(me.upright), gone), difference(new, tilted)))
    store_hexes(me.tilted, union(difference(read_hexes(me.tilted), gone), intersection(new, tilted)))


@rule
def tell_areas(events: Events, kind: int, power: int, areas: Hexes) -> None:
    """Tell an event for each of these areas; where nobody listens, none is looked for."""
    if kind < events.kinds:
        left = areas
        while is_not_empty(left):
            tell(events, kind, power, first_hex(left))
            left = without_first(left)


@rule
def proceed_influence(box: Box, state: State, events: Events) -> None:
    """10: influence, then supply; nothing moves before the tokens in the same range feed (11.1)."""
    power = int(state.power)
    change_influence(box, state, events, power)
    store_hexes(state.in_range, range_of(box, state, power))
    set_supply(box, state, events, power)
    next_stage(state)
