"""The worth of cities and headquarters to a power, for bots: those it will hold, and those its leaders may march for.

Values are in points of the negotiation score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sutler.core.bits import lowest
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.bot.evaluation_cache import SPOTS, cache_stands, is_cached_promise_valid, range_cache_index
from sutler.games.bellum.bot.map_survey import (
    ALL,
    besiegeable_city_bits,
    enemy_site_bits,
    headquarters_bits,
    hexes_of_sites,
    neighbours_of_sites,
    union_of_sites,
    unopposed_site_bits,
)
from sutler.games.bellum.box import CITY, MAJOR, NO_WAY, POWERS
from sutler.games.bellum.hexes import read_hexes, store_hexes
from sutler.games.bellum.rules.city import round_of_fall, round_of_revolt
from sutler.games.bellum.scoring import tokens_lost, tokens_won
from sutler.games.bellum.state import is_enemy, plan_of, where_is

if TYPE_CHECKING:
    from sutler.games.bellum.bot.map_survey import Survey
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import Box, Notes, State

CITY_ROUND = 0.025  # each point of supply of a city occupied, for each round beyond the next two turns
SIEGE = 0.85  # share of the supply of a city under siege
STANDING = 0.63  # share of the supply of a city at which a leader stands and that it may besiege
MARCH = 0.24  # factor for each area still to march
TARGET = 0.25  # share of the supply of a city that a leader marches for
HQ_TOKEN = 3.4  # a token not yet won, besides its score
LAST_TOKEN = 1.4  # added for the last token, which wins the war
TOKEN = 6.8  # a token won or lost
HQ_EXPOSED = 1.7  # an enemy alone at the own HQ


class Promises(NamedTuple):
    """The expected worth of all sites to a power; `cities` (to be held), `later` and `falling` are bit sets of sites."""

    cities: int  # the cities that it will occupy after its next city phase
    later: int  # those that it will occupy after the city phase that follows
    falling: int  # its cities that enemies take before its next turn
    lasting: float  # the worth beyond two turns of the cities that it holds and besieges, in points
    hopes: float  # the worth of the sites that its leaders may march for, and of HQ tokens, in points
    places: Hexes  # the hexes of its HQ and of the cities that it will occupy
    reach: Hexes  # the areas next to its HQ and these cities (10.2)
    free: Hexes  # the areas next to cities that nobody will hold (10.1)
    foreign: Hexes  # the hexes of its enemies' cities and HQs
    beset: Hexes  # the areas next to its enemies' cities and HQs


@rule
def will_keep_city(box: Box, state: State, power: int, site: int, round_no: int) -> bool:
    """Will a city that the power occupies still belong to it after the city phase of round `round_no` (9.3)?"""
    slot = state.site[site]
    if slot.holder != power:
        return False
    if slot.since < state.round_no and slot.resistance == box.year[state.round_no].resistance:
        return False  # in the phase to come
    return round_of_revolt(box, state, int(slot.resistance)) > round_no


@rule
def will_siege_succeed(box: Box, state: State, power: int, site: int, round_no: int) -> bool:
    """Will the power's siege of a site have succeeded by the city phase of round `round_no` (9.2)?"""
    slot = state.site[site]
    if slot.besieger != power:
        return False
    if slot.opened < state.round_no and slot.siege == box.year[state.round_no].siege:
        return True  # in the phase to come
    return round_of_fall(box, state, int(slot.siege)) <= round_no


@rule
def supply_once_fallen(box: Box, state: State, site: int) -> float:
    """The supply that a city will bring to its besieger once it has fallen (9.4, 10.3).

    A city taken from another power has become smaller by then.
    """
    slot = state.site[site]
    extent = int(slot.extent)
    if slot.holder != NOBODY:
        extent -= 1
    return 1.0 * box.rules.city_supply[max(extent, 0)]


@rule
def future_city_bits(box: Box, state: State, power: int, round_no: int, seen: Survey) -> int:
    """The cities that the power will occupy after the city phase of round `round_no`, as a bit set.

    A minor city falls at once (9.1).
    """
    free = ~union_of_sites(seen.held, ALL)
    found = besiegeable_city_bits(power, seen) & seen.minor & free
    left = (seen.held[power] | seen.besieged[power]) & seen.cities
    while left != 0:
        site = lowest(left)
        left &= left - 1
        if will_keep_city(box, state, power, site, round_no) or will_siege_succeed(box, state, power, site, round_no):
            found |= 1 << site
    return found


@rule
def falling_city_bits(box: Box, state: State, power: int, seen: Survey) -> int:
    """The power's cities that an enemy will take in that enemy's next city phase, as a bit set (9.1, 9.2)."""
    found = 0
    for other in range(POWERS):
        if seen.enemies[power] >> other & 1:
            found |= besiegeable_city_bits(other, seen) & seen.minor & seen.held[power]
            left = seen.besieged[other] & seen.held[power]
            while left != 0:
                site = lowest(left)
                left &= left - 1
                if will_siege_succeed(box, state, other, site, seen.coming[other]):
                    found |= 1 << site
    return found


@rule
def is_needed_at_siege(box: Box, state: State, leader: int, seen: Survey) -> bool:
    """Does a siege break if this leader leaves? Where either leader of the power could keep it, the first one counts as needed."""
    plan = plan_of(box, state)
    kept = seen.besieged[leader >> 1] & int(plan.stood_at[where_is(state, leader)])
    mate = where_is(state, leader ^ 1)
    if leader & 1 and mate != NOBODY:
        kept &= ~int(plan.stood_at[mate])
    return kept != 0


@rule
def n_enemy_tokens_left(box: Box, state: State, power: int) -> int:
    """The number of enemies whose HQ token the power has not yet won (13.1)."""
    n = 0
    for other in range(POWERS):
        if is_enemy(box, state, power, other) and not state.powers[power].held >> other & 1:
            n += 1
    return n


@rule
def target_site_bits(box: Box, state: State, power: int, seen: Survey) -> int:
    """The sites that a power may try to take, as a bit set: cities that are not its allies', and HQs of enemies whose token it lacks."""
    enemies = seen.enemies[power]
    friends = ALL & ~enemies & ~(1 << power)
    cities = seen.cities & ~(seen.besieged[power] | union_of_sites(seen.held, friends))
    return cities | headquarters_bits(box, state, enemies & ~int(state.powers[power].held))


@rule
def target_worth(box: Box, state: State, power: int, site: int) -> float:
    """The worth to a power of besieging a site of `target_site_bits`, in points."""
    if plan_of(box, state).role[site] == CITY:
        slot = state.site[site]
        if slot.holder != power:
            return supply_once_fallen(box, state, site)
        if round_of_revolt(box, state, int(slot.resistance)) - state.round_no <= 2:
            return 0.4 * box.rules.city_supply[max(slot.extent - 1, 0)]
        return 0.0
    if n_enemy_tokens_left(box, state, power) == 1:
        return HQ_TOKEN + LAST_TOKEN
    return HQ_TOKEN


@rule
def max_distant_city_worth(box: Box) -> float:
    """The largest worth that a city three or more areas away can have, in points.

    These cities need not be looked at if a better target is known already.
    """
    most = 0
    for size in range(MAJOR + 1):
        most = max(most, int(box.rules.city_supply[size]))
    return 1.01 * most * TARGET * MARCH * MARCH * MARCH


@rule
def march_targets_worth(box: Box, state: State, power: int, seen: Survey) -> float:
    """The worth of the best target of each leader that no siege needs, in points: a site to stand at or to march for.

    The second leader of a power is given another site than the first.
    """
    plan = plan_of(box, state)
    aims = target_site_bits(box, state, power, seen)
    ready = (unopposed_site_bits(power, seen) & ~seen.cities) | besiegeable_city_bits(power, seen)
    far = max_distant_city_worth(box)
    total = 0.0
    taken = 0
    for k in range(2):
        leader = 2 * power + k
        at = where_is(state, leader)
        if at == NOBODY or is_needed_at_siege(box, state, leader, seen):
            continue
        best = 0.0
        aim = 0
        left = aims & ~taken
        while left != 0:
            site = lowest(left)
            left &= left - 1
            away = int(plan.marches[site][at])
            if away >= NO_WAY or (away > 2 and best >= far and seen.cities >> site & 1):
                continue
            worth = target_worth(box, state, power, site)
            if away > 0:
                worth *= TARGET
                while away > 0 and worth > best:
                    worth *= MARCH
                    away -= 1
            elif ready >> site & 1:
                worth *= STANDING
            else:
                worth *= 0.4 * STANDING
            if worth > best:
                best = worth
                aim = 1 << site
        total += best
        taken = aim
    return total


@rule
def lasting_sites_worth(box: Box, state: State, power: int, seen: Survey) -> float:
    """The worth of a power's cities beyond the next two turns, and of sieges that take longer than two turns, in points."""
    coming = seen.coming[power]
    total = 0.0
    sites = seen.held[power] | seen.besieged[power]
    while sites != 0:
        site = lowest(sites)
        sites &= sites - 1
        slot = state.site[site]
        if slot.holder == power:
            left = min(round_of_revolt(box, state, int(slot.resistance)), int(box.n_rounds)) - coming - 1
            total += CITY_ROUND * max(0, left) * box.rules.city_supply[slot.extent]
        elif round_of_fall(box, state, int(slot.siege)) < box.n_rounds - 1:
            total += SIEGE * supply_once_fallen(box, state, site)
    return total


@rule
def headquarters_worth(box: Box, state: State, power: int, seen: Survey) -> float:
    """The worth of HQ tokens won and lost, less the danger from an enemy who stands unopposed at the power's HQ, in points (13.4)."""
    worth = TOKEN * (tokens_won(state, power) - tokens_lost(state, power))
    home = int(plan_of(box, state).hq[power])
    for other in range(POWERS):
        if seen.stood_at[other] >> home & 1 and seen.enemies[power] >> other & 1:
            if not state.powers[other].held >> power & 1 and unopposed_site_bits(other, seen) >> home & 1:
                worth -= HQ_EXPOSED
    return worth


@rule
def compute_promises(box: Box, state: State, power: int, seen: Survey) -> Promises:
    """The expected worth of all sites to a power, computed from the survey `seen`."""
    coming = seen.coming[power]
    after = min(coming + 1, int(box.n_rounds) - 1)
    cities = future_city_bits(box, state, power, coming, seen)
    later = future_city_bits(box, state, power, after, seen)
    taken = falling_city_bits(box, state, power, seen)
    held_on = lasting_sites_worth(box, state, power, seen)
    hopes_of_all = march_targets_worth(box, state, power, seen) + headquarters_worth(box, state, power, seen)
    own = cities | headquarters_bits(box, state, 1 << power)
    free = seen.cities & ~(union_of_sites(seen.held, ALL) | union_of_sites(seen.besieged, ALL) | cities)
    theirs = enemy_site_bits(box, state, power, seen)
    return Promises(
        cities,
        later,
        taken,
        held_on,
        hopes_of_all,
        hexes_of_sites(box, own),
        neighbours_of_sites(box, state, own),
        neighbours_of_sites(box, state, free),
        hexes_of_sites(box, theirs),
        neighbours_of_sites(box, state, theirs),
    )


@rule
def promises_from_cache(box: Box, state: State, power: int, seen: Survey, notes: Notes | None) -> Promises:
    """The expected worth of all sites to a power, taken from the cache `notes` if it is still valid, else computed; None: no cache."""
    if notes is None:
        return compute_promises(box, state, power, seen)
    note = notes.promises[SPOTS * power + range_cache_index(state, power, SPOTS)]
    if not is_cached_promise_valid(state, note, power, seen):
        found = compute_promises(box, state, power, seen)
        cache_stands(box, state, note, power, seen)
        note.cities = found.cities
        note.later = found.later
        note.falling = found.falling
        note.lasting = found.lasting
        note.hopes = found.hopes
        store_hexes(note.places, found.places)
        store_hexes(note.reach, found.reach)
        store_hexes(note.free, found.free)
        store_hexes(note.foreign, found.foreign)
        store_hexes(note.beset, found.beset)
    return Promises(
        int(note.cities),
        int(note.later),
        int(note.falling),
        float(note.lasting),
        float(note.hopes),
        read_hexes(note.places),
        read_hexes(note.reach),
        read_hexes(note.free),
        read_hexes(note.foreign),
        read_hexes(note.beset),
    )
