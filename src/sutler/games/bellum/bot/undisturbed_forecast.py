"""A forecast of a power's next two turns if nobody interferes, for bots: cities, tokens, supply and strength, by the rules.

The next turn's city, influence and feed phases (guide 9 to 11) follow from where everything stands; they are computed here without playing
them, and the state is not changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sutler.core.bits import lowest
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.bot.evaluation_cache import FIRM, NEXT_TURN, PLACES, range_cache_index, range_from_cache
from sutler.games.bellum.bot.map_survey import union_of_hexes
from sutler.games.bellum.bot.site_worth import supply_once_fallen
from sutler.games.bellum.bot.threats import dangerous_attack_chance
from sutler.games.bellum.hexes import contains, difference, intersection, n_hexes, read_hexes, union
from sutler.games.bellum.state import plan_of

if TYPE_CHECKING:
    from sutler.games.bellum.bot.map_survey import Stands, Survey
    from sutler.games.bellum.bot.site_worth import Promises
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import Box, Notes, State


class Forecast(NamedTuple):
    """A forecast of a power's next two turns if no battle is fought and nobody else moves; and the threats before the first of them."""

    supply: float
    strength: float
    supply_later: float
    strength_later: float
    in_range: float  # the number of tokens in range
    firm: float  # the part of the supply that no march of a neighbour and no siege can take away
    fed: float  # the strength that this part of the supply leaves
    danger: float  # the chance (0-1) of being attacked before the first of the two turns


@rule
def expected_supply(box: Box, state: State, power: int, reached: Hexes, cities: int, round_no: int) -> float:
    """The supply of a power in round `round_no`, from its HQ and those of the cities `cities` that are in range (10.3).

    `reached`: the hexes in range; `cities`: a bit set of sites.
    """
    total = 0.0
    home = int(plan_of(box, state).hq[power])
    if home != NOBODY and contains(reached, int(box.site_hex[home])):
        total += box.year[round_no].hq_supply
    while cities != 0:
        site = lowest(cities)
        cities &= cities - 1
        if contains(reached, int(box.site_hex[site])):
            if state.site[site].holder == power:
                total += box.rules.city_supply[state.site[site].extent]
            else:
                total += supply_once_fallen(box, state, site)
    return total


@rule
def strength_after_feeding(box: Box, strength: float, supply: float, n_tokens: float) -> float:
    """The strength of a power after feeding from as many tokens as the rules allow (11.1, 11.2).

    `n_tokens`: the number of upright tokens in range.
    """
    most = 1.0 * box.rules.most_change
    return max(0.0, min(max(min(supply, n_tokens), strength - most), strength + most))


@rule
def forecast_turns(
    box: Box, state: State, power: int, seen: Survey, stands: Stands, sites: Promises, notes: Notes | None
) -> Forecast:
    """The forecast of a power's next two turns; ranges found in the cache `notes` are not computed again (None: no cache)."""
    me = state.powers[power]
    coming = seen.coming[power]
    after = min(coming + 1, int(box.n_rounds) - 1)
    cities = sites.cities
    leaders = stands.leaders[power]
    foes = seen.enemies[power]
    enemies = union(sites.beset, union_of_hexes(stands.reach, foes))
    closed = union(sites.foreign, union_of_hexes(stands.tokens, foes))
    ours = intersection(union(stands.reach[power], sites.reach), read_hexes(plan_of(box, state).areas))
    theirs = union(enemies, sites.free)
    at_ours = intersection(leaders, read_hexes(plan_of(box, state).land))
    empty = difference(intersection(ours, theirs), stands.everyone)
    place = difference(union(at_ours, difference(difference(ours, theirs), empty)), read_hexes(state.pillaged))
    gone = union(difference(union(difference(theirs, ours), union_of_hexes(stands.leaders, foes)), at_ours), empty)
    there = stands.tokens[power]
    new = difference(place, union(there, stands.tilted))  # what replaces another's tilted token lies tilted (10.2)
    upright = union(difference(read_hexes(me.upright), gone), new)
    tokens = union(difference(there, gone), place)
    mine = union(tokens, sites.places)
    spot = PLACES * power + range_cache_index(state, power, PLACES)
    reached = range_from_cache(box, notes, spot, NEXT_TURN, leaders, mine, closed)
    ready = 1.0 * n_hexes(intersection(upright, reached))
    in_range = 1.0 * n_hexes(intersection(tokens, reached))
    supply = expected_supply(box, state, power, reached, cities, coming)
    strength = strength_after_feeding(box, 1.0 * me.strength, supply, ready)
    supply_later = expected_supply(box, state, power, reached, sites.later, after)
    strength_later = strength_after_feeding(box, strength, supply_later, max(0.0, in_range - min(strength, ready)))
    foreign = difference(union_of_hexes(stands.march, foes), union(sites.places, leaders))
    kept = range_from_cache(
        box, notes, spot, FIRM, leaders, difference(mine, foreign), union(closed, difference(enemies, ours))
    )
    firm = expected_supply(box, state, power, kept, cities & ~sites.falling, coming)
    fed = strength_after_feeding(box, 1.0 * me.strength, firm, 1.0 * n_hexes(intersection(upright, kept)))
    threat = dangerous_attack_chance(box, state, power, seen, stands)
    return Forecast(supply, strength, supply_later, strength_later, in_range, firm, fed, threat)
