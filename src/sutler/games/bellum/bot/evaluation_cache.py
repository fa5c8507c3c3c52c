"""A cache (`NOTES`) of values that bots computed for one position and reuse for the next, as most actions leave most of the map unchanged.

The entry of a range (guide 10.5) records the hexes whose owners were asked on the way (`range_asking`). While these are unchanged, so is
the range, whatever has changed elsewhere. The state of all sites is cached under a version number, a few states side by side; the worth of
the sites to a power is cached with that version, the places of its leaders, and who else stands where it matters. A test compares cached
and computed values to the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.record import copy_into, field, record
from sutler.core.rule import rule
from sutler.games.bellum.bot.map_survey import (
    Survey,
    headquarters_bits,
    next_city_rounds,
    sites_of_leaders,
    survey_sites,
)
from sutler.games.bellum.box import POWERS, SITES, WORDS
from sutler.games.bellum.hexes import are_equal, intersection, read_hexes, store_hexes
from sutler.games.bellum.rules.supply import range_asking, range_over
from sutler.games.bellum.state import SITE

if TYPE_CHECKING:
    from sutler.core.typing import Row
    from sutler.games.bellum.bot.map_survey import Rounds, Sites
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import Box, Known, Notes, Promise, Range, State

NEXT_TURN, FIRM, RANGES = range(3)
"""The two ranges cached for a power: that of its next turn, and the part of it that no neighbour can take away."""

RANGE = record(
    "Range",
    ("is_known", "i1"),
    field("start", "u8", WORDS),
    field("asked", "u8", WORDS),  # the hexes whose owner was asked on the way
    field("mine", "u8", WORDS),  # the asked hexes that continue a path
    field("foes", "u8", WORDS),  # the asked hexes that close a river bank
    field("reached", "u8", WORDS),
)
PROMISE = record(
    "Promise",
    ("version", "i8"),  # of the sites; 0: nothing is noted
    field("leader", "i2", 2),
    field("stood_at", "i8", POWERS),  # at the sites where it matters
    ("matters", "i8"),
    ("cities", "i8"),
    ("later", "i8"),
    ("falling", "i8"),
    ("lasting", "f8"),
    ("hopes", "f8"),
    field("places", "u8", WORDS),
    field("reach", "u8", WORDS),
    field("free", "u8", WORDS),
    field("foreign", "u8", WORDS),
    field("beset", "u8", WORDS),
)
"""The worth of sites to a power (`site_worth.Promises`), with the state it depends on: leaders' places and who stood at which sites."""

KNOWN = record(
    "Known",
    ("version", "i8"),  # 0: nothing is noted
    field("times", "i2", 4),
    field("coming", "i8", POWERS),
    field("won", "i1", POWERS),
    field("site", SITE, SITES),
    field("enemies", "i8", POWERS),
    field("held", "i8", POWERS),
    field("besieged", "i8", POWERS),
    ("cities", "i8"),
    ("minor", "i8"),
)
"""A state of all sites, and what `survey_sites` found for it."""

SPOTS, PLACES = 16, 32
"""How many promises (SPOTS) and ranges (PLACES) are cached for each power, by the places of its leaders.

A search comes back to the first march often.
"""
MAPS = 8
"""How many states of the sites are cached."""

NOTES = record(
    "Notes",
    ("versions", "i8"),
    field("sites", KNOWN, MAPS),
    field("promises", PROMISE, POWERS * SPOTS),
    field("ranges", RANGE, POWERS * RANGES * PLACES),
)


@rule
def range_cache_index(state: State, power: int, n_entries: int) -> int:
    """The index of the cache entry for a power's supply range, computed from the places of its leaders.

    The index is below `n_entries`, which must be a power of two.
    """
    leader = state.powers[power].leader
    return (5 * int(leader[0]) + 3 * int(leader[1])) & (n_entries - 1)


# --- Ranges --------------------------------------------------------------------


@rule
def is_cached_range_valid(cached: Range, start: Hexes, own: Hexes, enemies: Hexes) -> bool:
    """Does a cached supply range still hold, because leaders, own hexes and enemies' hexes are as they were when it was cached?"""
    if cached.is_known == 0 or not are_equal(start, read_hexes(cached.start)):
        return False
    asked = read_hexes(cached.asked)
    return are_equal(intersection(own, asked), read_hexes(cached.mine)) and are_equal(
        intersection(enemies, asked), read_hexes(cached.foes)
    )


@rule
def refresh_range(box: Box, cached: Range, start: Hexes, own: Hexes, enemies: Hexes) -> Hexes:
    """The hexes within supply range of a power's leaders (guide 10.5, 10.6), from a cache entry that is computed again if it is outdated.

    `start`: where the leaders are; `own`: the hexes that carry a path; `enemies`: those that close a river's bank (`range_over`).
    """
    if not is_cached_range_valid(cached, start, own, enemies):
        reached, asked = range_asking(box, start, own, enemies)
        cached.is_known = 1
        store_hexes(cached.start, start)
        store_hexes(cached.asked, asked)
        store_hexes(cached.mine, intersection(own, asked))
        store_hexes(cached.foes, intersection(enemies, asked))
        store_hexes(cached.reached, reached)
    return read_hexes(cached.reached)


@rule
def range_from_cache(
    box: Box, notes: Notes | None, index: int, kind: int, start: Hexes, own: Hexes, enemies: Hexes
) -> Hexes:
    """The hexes within supply range of a power's leaders, taken from the cache, or computed where there is none (`range_over`).

    `index`: the index of the cache entries for the power and the places of its leaders; `kind`: NEXT_TURN or FIRM.
    """
    if notes is None:
        return range_over(box, start, own, enemies)
    if kind == FIRM:
        now = notes.ranges[RANGES * index + NEXT_TURN]
        if is_cached_range_valid(now, start, own, enemies):  # no neighbour can reach a hex that matters
            return read_hexes(now.reached)
    return refresh_range(box, notes.ranges[RANGES * index + kind], start, own, enemies)


# --- Sites ---------------------------------------------------------------------


@rule
def round_and_alliances(state: State) -> tuple[int, int, int, int]:
    """The part of a cache key on which the worth of sites depends: the round, the powers in play and the alliances.

    The rounds of city phases are the other part.
    """
    return int(state.round_no), int(state.plan), int(state.allied), int(state.leading)


@rule
def sites_cache_index(state: State, next_rounds: Rounds) -> int:
    """The index of the cache entry for the present state of all sites; `next_rounds`: the round of each power's next city phase.

    `next_rounds`: the round of each power's next city phase.
    """
    mix = int(state.round_no) + next_rounds[0] + 3 * next_rounds[1] + 5 * next_rounds[2] + 7 * next_rounds[3]
    for site in range(SITES):
        here = state.site[site]
        mix += (2 * site + 1) * (5 * int(here.besieger) + int(here.holder))
    return mix & (MAPS - 1)


@rule
def are_cached_sites_valid(state: State, cached: Known, next_rounds: Rounds) -> bool:
    """Does a cached survey of the sites still hold: are sites and next city phases as they were? Places of leaders are not compared."""
    changed = 0
    times = round_and_alliances(state)
    for k in range(len(times)):
        changed |= times[k] ^ cached.times[k]
    for power in range(POWERS):
        changed |= next_rounds[power] ^ cached.coming[power]
        changed |= state.powers[power].held ^ cached.won[power]
    for site in range(SITES):
        here = state.site[site]
        noted = cached.site[site]
        changed |= (here.extent ^ noted.extent) | (here.holder ^ noted.holder) | (here.besieger ^ noted.besieger)
        changed |= (here.resistance ^ noted.resistance) | (here.since ^ noted.since)
        changed |= (here.siege ^ noted.siege) | (here.opened ^ noted.opened)
    return changed == 0 and cached.version != 0


@rule
def cache_sites(state: State, notes: Notes, cached: Known, seen: Survey) -> None:
    """Write the present state of all sites and their survey `seen` into a cache entry, under a new version number."""
    notes.versions += 1
    cached.version = notes.versions
    times = round_and_alliances(state)
    for k in range(len(times)):
        cached.times[k] = times[k]
    for power in range(POWERS):
        cached.enemies[power] = seen.enemies[power]
        cached.coming[power] = seen.coming[power]
        cached.won[power] = state.powers[power].held
        cached.held[power] = seen.held[power]
        cached.besieged[power] = seen.besieged[power]
    cached.cities = seen.cities
    cached.minor = seen.minor
    for site in range(SITES):
        copy_into(cached.site[site], state.site[site])


@rule
def sites_from_row(row: Row[int]) -> Sites:
    """The bit sets of sites in a cached row, one for each power, as a tuple."""
    return (int(row[0]), int(row[1]), int(row[2]), int(row[3]))


@rule
def survey_from_cache(box: Box, state: State, notes: Notes | None) -> Survey:
    """The survey of all sites; parts that are cached and still valid are not computed again (see `survey_sites`)."""
    if notes is None:
        return survey_sites(box, state)
    coming = next_city_rounds(box, state)
    note = notes.sites[sites_cache_index(state, coming)]
    if not are_cached_sites_valid(state, note, coming):
        cache_sites(state, notes, note, survey_sites(box, state))
    return Survey(
        sites_from_row(note.enemies),
        sites_of_leaders(box, state),
        sites_from_row(note.held),
        sites_from_row(note.besieged),
        int(note.cities),
        int(note.minor),
        coming,
        int(note.version),
    )


@rule
def is_cached_promise_valid(state: State, cached: Promise, power: int, seen: Survey) -> bool:
    """Does the cached expected worth of sites (`Promises`) to a power still hold?

    It does if neither the power's leaders have moved, nor other leaders at sites that the worth depends on.
    """
    if cached.version != seen.version:
        return False
    changed = 0
    for k in range(2):
        changed |= state.powers[power].leader[k] ^ cached.leader[k]
    for other in range(POWERS):
        changed |= (seen.stood_at[other] & cached.matters) ^ cached.stood_at[other]
    return changed == 0


@rule
def cache_stands(box: Box, state: State, cached: Promise, power: int, seen: Survey) -> None:
    """Write into a cache entry everything that the expected worth of sites (`Promises`) to a power depends on.

    These are the places of its leaders, and who stands at the sites where they stand, which the power holds, or which is its HQ.
    """
    cached.version = seen.version
    cached.matters = seen.stood_at[power] | seen.held[power] | headquarters_bits(box, state, 1 << power)
    for k in range(2):
        cached.leader[k] = state.powers[power].leader[k]
    for other in range(POWERS):
        cached.stood_at[other] = seen.stood_at[other] & int(cached.matters)
