"""A cache (`NOTES`) of values that bots computed for one position and reuse for the next, as most actions leave most of the map unchanged.

The entry of a range (guide 10.5) records the hexes whose owners were asked on the way (`range_asking`). While these are unchanged, so is
the range, whatever has changed elsewhere. The state of all sites is cached under a version number, a few states side by side; the worth of
the sites to a power is cached with that version, the places of its leaders, and who else stands where it matters. A test compares cached
and computed values to the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.copying import copy_into
from sutler.core.record import field, record
from sutler.core.rule import rule
from sutler.games.bellum.bot.survey import Survey, all_stood_at, city_rounds, headquarters_of, survey
from sutler.games.bellum.box import POWERS, SITES, WORDS
from sutler.games.bellum.hexes import are_same, both, keep, those
from sutler.games.bellum.rules.supply import range_asking, range_over
from sutler.games.bellum.state import SITE

if TYPE_CHECKING:
    from sutler.core.typing import Row
    from sutler.games.bellum.bot.survey import Rounds, Sites
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
"""The worth of sites to a power (`promises.Promises`), with the state that it depends on: leaders' places and who stood at which sites."""

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
"""A state of all sites, and what `survey` found for it."""

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
def cache_index(state: State, power: int, n: int) -> int:
    """The index, from 0 to n - 1, of the cache entry for the present places of a power's leaders; `n`: a power of two."""
    leader = state.powers[power].leader
    return (5 * int(leader[0]) + 3 * int(leader[1])) & (n - 1)


# --- Ranges --------------------------------------------------------------------


@rule
def is_as_noted(note: Range, start: Hexes, mine: Hexes, foes: Hexes) -> bool:
    """Is this cached range still valid: would every question asked for it be answered as before?"""
    if note.is_known == 0 or not are_same(start, those(note.start)):
        return False
    asked = those(note.asked)
    return are_same(both(mine, asked), those(note.mine)) and are_same(both(foes, asked), those(note.foes))


@rule
def range_again(box: Box, note: Range, start: Hexes, mine: Hexes, foes: Hexes) -> Hexes:
    """The range of leaders from the cache entry, which is computed anew if it is not valid (10.5, 10.6; see `range_over`)."""
    if not is_as_noted(note, start, mine, foes):
        reached, asked = range_asking(box, start, mine, foes)
        note.is_known = 1
        keep(note.start, start)
        keep(note.asked, asked)
        keep(note.mine, both(mine, asked))
        keep(note.foes, both(foes, asked))
        keep(note.reached, reached)
    return those(note.reached)


@rule
def range_noted(box: Box, notes: Notes | None, place: int, which: int, start: Hexes, mine: Hexes, foes: Hexes) -> Hexes:
    """The range of leaders from the cache if there is one, else computed (`range_over`).

    `place`: the index of the cache entries for the power and the places of its leaders; `which`: NEXT_TURN or FIRM.
    """
    if notes is None:
        return range_over(box, start, mine, foes)
    if which == FIRM:
        now = notes.ranges[RANGES * place + NEXT_TURN]
        if is_as_noted(now, start, mine, foes):  # no neighbour can reach a hex that matters
            return those(now.reached)
    return range_again(box, notes.ranges[RANGES * place + which], start, mine, foes)


# --- Sites ---------------------------------------------------------------------


@rule
def times_of(state: State) -> tuple[int, int, int, int]:
    """The facts besides city rounds on which the worth of sites depends: the round, the powers in play and the alliances."""
    return int(state.round_no), int(state.plan), int(state.allied), int(state.leading)


@rule
def cache_index_of_sites(state: State, coming: Rounds) -> int:
    """The index of the cache entry for the present state of the sites; `coming`: the round of each power's next city phase."""
    mix = int(state.round_no) + coming[0] + 3 * coming[1] + 5 * coming[2] + 7 * coming[3]
    for site in range(SITES):
        here = state.site[site]
        mix += (2 * site + 1) * (5 * int(here.besieger) + int(here.holder))
    return mix & (MAPS - 1)


@rule
def are_sites_noted(state: State, note: Known, coming: Rounds) -> bool:
    """Is this cached state of the sites still valid, whatever leaders have moved?"""
    changed = 0
    times = times_of(state)
    for k in range(len(times)):
        changed |= times[k] ^ note.times[k]
    for power in range(POWERS):
        changed |= coming[power] ^ note.coming[power]
        changed |= state.powers[power].held ^ note.won[power]
    for site in range(SITES):
        here = state.site[site]
        noted = note.site[site]
        changed |= (here.extent ^ noted.extent) | (here.holder ^ noted.holder) | (here.besieger ^ noted.besieger)
        changed |= (here.resistance ^ noted.resistance) | (here.since ^ noted.since)
        changed |= (here.siege ^ noted.siege) | (here.opened ^ noted.opened)
    return changed == 0 and note.version != 0


@rule
def note_sites(state: State, notes: Notes, note: Known, seen: Survey) -> None:
    """Write the present state of the sites and their survey into a cache entry, under a new version number."""
    notes.versions += 1
    note.version = notes.versions
    times = times_of(state)
    for k in range(len(times)):
        note.times[k] = times[k]
    for power in range(POWERS):
        note.enemies[power] = seen.enemies[power]
        note.coming[power] = seen.coming[power]
        note.won[power] = state.powers[power].held
        note.held[power] = seen.held[power]
        note.besieged[power] = seen.besieged[power]
    note.cities = seen.cities
    note.minor = seen.minor
    for site in range(SITES):
        copy_into(note.site[site], state.site[site])


@rule
def as_sites(one: Row[int]) -> Sites:
    """A row of bit sets, one for each power, as a tuple."""
    return (int(one[0]), int(one[1]), int(one[2]), int(one[3]))


@rule
def survey_noted(box: Box, state: State, notes: Notes | None) -> Survey:
    """The survey of all sites, taken from the cache as far as it is valid (see `survey`)."""
    if notes is None:
        return survey(box, state)
    coming = city_rounds(box, state)
    note = notes.sites[cache_index_of_sites(state, coming)]
    if not are_sites_noted(state, note, coming):
        note_sites(state, notes, note, survey(box, state))
    return Survey(
        as_sites(note.enemies),
        all_stood_at(box, state),
        as_sites(note.held),
        as_sites(note.besieged),
        int(note.cities),
        int(note.minor),
        coming,
        int(note.version),
    )


@rule
def is_promise_noted(state: State, note: Promise, power: int, seen: Survey) -> bool:
    """Is this cached promise still valid: have the power's leaders not moved, nor any other leader at a site that matters to it?"""
    if note.version != seen.version:
        return False
    changed = 0
    for k in range(2):
        changed |= state.powers[power].leader[k] ^ note.leader[k]
    for other in range(POWERS):
        changed |= (seen.stood_at[other] & note.matters) ^ note.stood_at[other]
    return changed == 0


@rule
def note_stands(box: Box, state: State, note: Promise, power: int, seen: Survey) -> None:
    """Write into a cache entry the state that a power's promises depend on.

    These are the places of its leaders, and who stands at the sites where they stand, which the power holds, or which is its HQ.
    """
    note.version = seen.version
    note.matters = seen.stood_at[power] | seen.held[power] | headquarters_of(box, state, 1 << power)
    for k in range(2):
        note.leader[k] = state.powers[power].leader[k]
    for other in range(POWERS):
        note.stood_at[other] = seen.stood_at[other] & int(note.matters)
