"""Range and supply (guide 10.3, 10.5, 10.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sutler.core.bits import lowest
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.games.bellum.box import CITY, POWERS
from sutler.games.bellum.hexes import (
    NONE,
    contains,
    difference,
    first_hex,
    intersection,
    is_not_empty,
    read_hexes,
    single_hex,
    union,
    without_first,
)
from sutler.games.bellum.phases_actions_events import E
from sutler.games.bellum.state import enemies_of, is_held_by_any, leaders_of, plan_of, sites_held, tokens_of

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import Box, State

_ONE = np.uint64(1)
_ZERO = np.uint64(0)

# --- Range (guide 10.5, 10.6) ------------------------------------------------


@rule
def held_by(box: Box, state: State, power: int) -> Hexes:
    """10.5: hexes that carry a path: own tokens, upright or tilted, own upright cities, the own HQ."""
    return union(tokens_of(state, power), sites_held(box, state, power))


@rule
def held_by_enemies(box: Box, state: State, power: int) -> Hexes:
    """10.6: hexes that close a bank: an enemy's token, city or HQ. Leaders close nothing."""
    plan = plan_of(box, state)
    enemies = enemies_of(box, state, power)
    found = NONE
    for other in range(POWERS):
        if enemies >> other & 1:
            found = union(found, union(tokens_of(state, other), single_hex(int(box.site_hex[plan.hq[other]]))))
    for site in range(box.n_sites):
        if is_held_by_any(state, site, enemies):
            found = union(found, single_hex(int(box.site_hex[site])))
    return found


@rule
def range_from(box: Box, state: State, power: int, start: Hexes) -> Hexes:
    """10.5, 10.6: everything that a path from these hexes reaches, over own tokens or along open rivers."""
    return range_over(box, start, held_by(box, state, power), held_by_enemies(box, state, power))


@rule
def range_over(box: Box, start: Hexes, mine: Hexes, foes: Hexes) -> Hexes:
    """10.5, 10.6: the same, where `mine` carry the path and `foes` close a bank."""
    reached, _ = range_asking(box, start, mine, foes)
    return reached


@rule
def range_asking(box: Box, start: Hexes, mine: Hexes, foes: Hexes) -> tuple[Hexes, Hexes]:
    """The same, and the hexes of which it was asked on the way whose they are: of all others it makes no difference."""
    reached = start
    asked = NONE
    edge = start
    seen0 = _ZERO  # river sides already looked at
    seen1 = _ZERO
    while is_not_empty(edge):
        at = first_hex(edge)
        edge = without_first(edge)
        near = read_hexes(box.near[at])
        todo0 = box.sides_at[at][0] & ~seen0
        todo1 = box.sides_at[at][1] & ~seen1
        while (todo0 | todo1) != _ZERO:
            if todo0 != _ZERO:
                side = lowest(todo0)
                todo0 &= todo0 - _ONE
                seen0 |= _ONE << np.uint64(side)
            else:
                side = 64 + lowest(todo1)
                todo1 &= todo1 - _ONE
                seen1 |= _ONE << np.uint64(side - 64)
            if contains(foes, int(box.banks[side][0])) and contains(foes, int(box.banks[side][1])):
                asked = union(asked, read_hexes(box.shore[side]))
            else:
                near = union(near, read_hexes(box.shore[side]))
                todo0 |= box.joins[side][0] & ~seen0
                todo1 |= box.joins[side][1] & ~seen1
        asked = union(asked, near)
        fresh = difference(intersection(near, mine), reached)
        reached = union(reached, fresh)
        edge = union(edge, fresh)
    return reached, asked


@rule
def range_of(box: Box, state: State, power: int) -> Hexes:
    """10.5: what is in range of at least one own leader; nothing without a leader on the board."""
    start = leaders_of(state, power)
    if not is_not_empty(start):
        return NONE
    return range_from(box, state, power, start)


# --- Supply (guide 10.3) -----------------------------------------------------


@rule
def site_supply(box: Box, state: State, power: int, site: int) -> int:
    """10.3: what a site gives this power when it is in range."""
    if plan_of(box, state).hq[power] == site:
        return int(box.year[state.round_no].hq_supply)
    if plan_of(box, state).role[site] == CITY and state.site[site].holder == power:
        return int(box.rules.city_supply[state.site[site].extent])
    return 0


@rule
def supply_of(box: Box, state: State, power: int) -> int:
    """10.3: the sum over own HQ and cities in range, as found just now."""
    reached = read_hexes(state.in_range)
    total = 0
    for site in range(box.n_sites):
        worth = site_supply(box, state, power, site)
        if worth > 0 and contains(reached, int(box.site_hex[site])):
            total += worth
    return total


@rule
def set_supply(box: Box, state: State, events: Events, power: int) -> None:
    """10.3: the level is set, not added to."""
    state.powers[power].supply = supply_of(box, state, power)
    tell(events, E.supply, power, int(state.powers[power].supply))
