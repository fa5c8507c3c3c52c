"""The worth of cities and headquarters to a power, for bots: those it will hold, and those its leaders may march for.

Values are in points of the negotiation score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sutler.core.bits import lowest
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.bot.evaluation_cache import SPOTS, is_promise_noted, note_stands, spot_of
from sutler.games.bellum.bot.survey import (
    ALL,
    alone_at,
    around_all,
    headquarters_of,
    hexes_of,
    of_any,
    open_to_siege,
    sites_of_enemies,
)
from sutler.games.bellum.box import CITY, MAJOR, NO_WAY, POWERS
from sutler.games.bellum.hexes import keep, those
from sutler.games.bellum.rules.city import round_of_fall, round_of_revolt
from sutler.games.bellum.scoring import tokens_lost, tokens_won
from sutler.games.bellum.state import is_enemy, plan_of, where_is

if TYPE_CHECKING:
    from sutler.games.bellum.bot.survey import Survey
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import Box, Notes, State

CITY_ROUND = 0.025  # supply of a city occupied, for each round beyond these two turns
SIEGE = 0.85  # of the supply of a city under siege, besides
STANDING = 0.63  # of a city one stands at and may besiege
MARCH = 0.24  # for each area still to march
TARGET = 0.25  # of a city one marches for
HQ_TOKEN = 3.4  # a token not yet won, besides its score
LAST_TOKEN = 1.4  # and more for the last, which wins the war
TOKEN = 6.8  # a token won or lost
HQ_EXPOSED = 1.7  # an enemy alone at the own HQ


class Promises(NamedTuple):
    """The expected worth of sites to a power."""

    cities: int  # after its next city phase
    later: int  # and after the one that follows
    falling: int  # which of its own enemies take before
    lasting: float  # what those are worth that it holds and besieges, beyond two turns
    hopes: float  # and what its leaders may march for; tokens of headquarters
    places: Hexes  # where its HQ and the cities lie that it will have
    reach: Hexes  # 10.2: the areas next to them
    free: Hexes  # 10.1: the areas next to cities that will still be free
    foreign: Hexes  # where cities and HQs of its enemies lie
    beset: Hexes  # and the areas next to those


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
    """9.4, 10.3: what a city supplies once it has fallen; one taken from another power is smaller then."""
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
                if will_fall(box, state, other, site, seen.coming[other]):
                    found |= 1 << site
    return found


@rule
def is_busy(box: Box, state: State, leader: int, seen: Survey) -> bool:
    """Does this leader keep up a siege that needs it? Where both leaders could, the first one does."""
    plan = plan_of(box, state)
    kept = seen.besieged[leader >> 1] & int(plan.stood_at[where_is(state, leader)])
    mate = where_is(state, leader ^ 1)
    if leader & 1 and mate != NOBODY:
        kept &= ~int(plan.stood_at[mate])
    return kept != 0


@rule
def how_many_left(box: Box, state: State, power: int) -> int:
    """13.1: how many enemies' tokens a power has still to win."""
    n = 0
    for other in range(POWERS):
        if is_enemy(box, state, power, other) and not state.powers[power].held >> other & 1:
            n += 1
    return n


@rule
def targets(box: Box, state: State, power: int, seen: Survey) -> int:
    """The sites that the power may take, or take again: cities of nobody, of enemies or its own, and enemies' HQs with a token."""
    enemies = seen.enemies[power]
    friends = ALL & ~enemies & ~(1 << power)
    cities = seen.cities & ~(seen.besieged[power] | of_any(seen.held, friends))
    return cities | headquarters_of(box, state, enemies & ~int(state.powers[power].held))


@rule
def target_worth(box: Box, state: State, power: int, site: int) -> float:
    """The worth of besieging one of the `targets`."""
    if plan_of(box, state).role[site] == CITY:
        slot = state.site[site]
        if slot.holder != power:
            return fallen_supply(box, state, site)
        if round_of_revolt(box, state, int(slot.resistance)) - state.round_no <= 2:
            return 0.4 * box.rules.city_supply[max(slot.extent - 1, 0)]
        return 0.0
    if how_many_left(box, state, power) == 1:
        return HQ_TOKEN + LAST_TOKEN
    return HQ_TOKEN


@rule
def far_worth(box: Box) -> float:
    """An upper bound of the worth of any city three areas away or farther: a better target found already makes a look at those needless."""
    most = 0
    for size in range(MAJOR + 1):
        most = max(most, int(box.rules.city_supply[size]))
    return 1.01 * most * TARGET * MARCH * MARCH * MARCH


@rule
def march_hopes(box: Box, state: State, power: int, seen: Survey) -> float:
    """The worth, for each leader that keeps no siege, of the best site to stand at or march for; the second leader wants another site."""
    plan = plan_of(box, state)
    aims = targets(box, state, power, seen)
    ready = (alone_at(power, seen) & ~seen.cities) | open_to_siege(power, seen)
    far = far_worth(box)
    total = 0.0
    taken = 0
    for k in range(2):
        leader = 2 * power + k
        at = where_is(state, leader)
        if at == NOBODY or is_busy(box, state, leader, seen):
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
def lasting(box: Box, state: State, power: int, seen: Survey) -> float:
    """The worth of cities occupied, by the rounds they will still be so after the next two, and of sieges that take longer than that."""
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
            total += SIEGE * fallen_supply(box, state, site)
    return total


@rule
def headquarters(box: Box, state: State, power: int, seen: Survey) -> float:
    """13.4: the worth of tokens won and lost, and of an enemy alone at the own HQ."""
    worth = TOKEN * (tokens_won(state, power) - tokens_lost(state, power))
    home = int(plan_of(box, state).hq[power])
    for other in range(POWERS):
        if seen.stood_at[other] >> home & 1 and seen.enemies[power] >> other & 1:
            if not state.powers[other].held >> power & 1 and alone_at(other, seen) >> home & 1:
                worth -= HQ_EXPOSED
    return worth


@rule
def promises(box: Box, state: State, power: int, seen: Survey) -> Promises:
    """The expected worth of sites to the power, in points of the negotiation score."""
    coming = seen.coming[power]
    after = min(coming + 1, int(box.n_rounds) - 1)
    cities = cities_ahead(box, state, power, coming, seen)
    later = cities_ahead(box, state, power, after, seen)
    taken = falling(box, state, power, seen)
    held_on = lasting(box, state, power, seen)
    hopes_of_all = march_hopes(box, state, power, seen) + headquarters(box, state, power, seen)
    own = cities | headquarters_of(box, state, 1 << power)
    free = seen.cities & ~(of_any(seen.held, ALL) | of_any(seen.besieged, ALL) | cities)
    theirs = sites_of_enemies(box, state, power, seen)
    return Promises(
        cities,
        later,
        taken,
        held_on,
        hopes_of_all,
        hexes_of(box, own),
        around_all(box, state, own),
        around_all(box, state, free),
        hexes_of(box, theirs),
        around_all(box, state, theirs),
    )


@rule
def promises_noted(box: Box, state: State, power: int, seen: Survey, notes: Notes | None) -> Promises:
    """The result of `promises`, taken from the notes if they are up to date."""
    if notes is None:
        return promises(box, state, power, seen)
    note = notes.promises[SPOTS * power + spot_of(state, power, SPOTS)]
    if not is_promise_noted(state, note, power, seen):
        found = promises(box, state, power, seen)
        note_stands(box, state, note, power, seen)
        note.cities = found.cities
        note.later = found.later
        note.falling = found.falling
        note.lasting = found.lasting
        note.hopes = found.hopes
        keep(note.places, found.places)
        keep(note.reach, found.reach)
        keep(note.free, found.free)
        keep(note.foreign, found.foreign)
        keep(note.beset, found.beset)
    return Promises(
        int(note.cities),
        int(note.later),
        int(note.falling),
        float(note.lasting),
        float(note.hopes),
        those(note.places),
        those(note.reach),
        those(note.free),
        those(note.foreign),
        those(note.beset),
    )
