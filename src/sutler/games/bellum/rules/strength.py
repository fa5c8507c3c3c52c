"""How strong a side is in battle (guide 8.1, 8.3, 8.6; allies 14.9; range 14.3): who is adjacent, and what adds to the strength."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import bit, has, lowest
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import LEADERS
from sutler.games.bellum.hexes import NONE, intersection, n_hexes, read_hexes, single_hex, union
from sutler.games.bellum.rules.common import pair_of
from sutler.games.bellum.rules.supply import range_from
from sutler.games.bellum.state import links_at, plan_of, tokens_of, where_is

if TYPE_CHECKING:
    from sutler.games.bellum.records import Box, State

# --- Adjacency (guide 8.3) ---------------------------------------------------


@rule
def are_linked(box: Box, state: State, a: int, b: int) -> bool:
    """8.3: two leaders are adjacent when their areas are, or when both are next to the same city or HQ."""
    at = where_is(state, a)
    to = where_is(state, b)
    if at == NOBODY or to == NOBODY:
        return False
    return has(box.near[at], to) or links_at(box, state, at) & links_at(box, state, to) != 0


@rule
def are_linked_dry(box: Box, state: State, a: int, b: int) -> bool:
    """8.6: is there such a link that crosses no river? By option a city bridges every river."""
    at = where_is(state, a)
    to = where_is(state, b)
    plan = plan_of(box, state)
    links = links_at(box, state, at) & links_at(box, state, to)
    if has(box.dry[at], to) or links & plan.touches_dry[at] & plan.touches_dry[to] != 0:
        return True
    return box.options.city_bridges == 1 and links != 0


@rule
def is_linked_to_any(box: Box, state: State, leader: int, some: int) -> bool:
    """Is the leader linked to one of these (bits over leaders)?"""
    others = some & ~(1 << leader)
    while others != 0:
        if are_linked(box, state, leader, lowest(others)):
            return True
        others &= others - 1
    return False


# --- Strengths (guide 8.1, 8.6) ----------------------------------------------


@rule
def leader_bonus(box: Box, power: int, side: int) -> int:
    """8.6: both leaders of the power take part."""
    if side & pair_of(power) == pair_of(power):
        return int(box.rules.both_leaders)
    return 0


@rule
def ally_bonus(box: Box, power: int, side: int) -> int:
    """14.9: one for each allied leader that takes part."""
    others = side & ~pair_of(power)
    n = 0
    for leader in range(LEADERS):
        n += others >> leader & 1
    return n * int(box.rules.allied_leader)


@rule
def is_across_water(box: Box, state: State, side: int, foes: int) -> bool:
    """8.6: does every link between the two sides cross a river?"""
    for a in range(LEADERS):
        for b in range(LEADERS):
            if side >> a & 1 and foes >> b & 1 and are_linked(box, state, a, b) and are_linked_dry(box, state, a, b):
                return False
    return True


@rule
def site_defence(box: Box, state: State, power: int, site: int) -> int:
    """8.6: what an own HQ or a city with an own upright token adds to a defender next to it."""
    if plan_of(box, state).hq[power] == site:
        return int(box.rules.hq_defence)
    if state.site[site].holder == power:
        return int(box.rules.city_defence[state.site[site].extent])
    return 0


@rule
def defended_site(box: Box, state: State, power: int, foes: int) -> int:
    """8.6: the own city or HQ that helps this defender most, rivers or not; NOBODY when there is none."""
    plan = plan_of(box, state)
    best = NOBODY
    for k in range(2):
        leader = 2 * power + k
        if foes >> leader & 1:
            sites = plan.touches[where_is(state, leader)]
            for site in range(box.n_sites):
                if sites & bit(site) != 0:
                    worth = site_defence(box, state, power, site)
                    if worth > 0 and (best == NOBODY or worth > site_defence(box, state, power, best)):
                        best = site
    return best


@rule
def attack_bonus(box: Box, state: State, power: int, side: int, foes: int) -> int:
    """8.6: all that changes an attacker's strength."""
    bonus = leader_bonus(box, power, side) + ally_bonus(box, power, side)
    if is_across_water(box, state, side, foes):
        bonus -= int(box.rules.river)
    return bonus


@rule
def defence_bonus(box: Box, state: State, power: int, foes: int) -> int:
    """8.6: all that changes a defender's strength."""
    bonus = leader_bonus(box, power, foes) + ally_bonus(box, power, foes)
    site = defended_site(box, state, power, foes)
    if site != NOBODY:
        bonus += site_defence(box, state, power, site)
    return bonus


@rule
def range_cap(box: Box, state: State, power: int, side: int) -> int:
    """14.3: the own tokens on land, upright or tilted, in range of the power's leaders that take part."""
    tokens = intersection(tokens_of(state, power), read_hexes(box.land))
    start = NONE
    n = 0
    for k in range(2):
        if side >> (2 * power + k) & 1:
            here = single_hex(where_is(state, 2 * power + k))
            start = union(start, here)
            if box.options.ranges_apart == 1:
                n += n_hexes(intersection(range_from(box, state, power, here), tokens))
    if box.options.ranges_apart == 1:
        return n
    return n_hexes(intersection(range_from(box, state, power, start), tokens))


@rule
def most_to_commit(box: Box, state: State, power: int, side: int) -> int:
    """8.1: up to the strength level and what the markers can show; less out of range (14.3)."""
    most = min(int(box.rules.most_committed), int(state.powers[power].strength))
    if box.options.out_of_range == 1:
        most = min(most, range_cap(box, state, power, side))
    return most
