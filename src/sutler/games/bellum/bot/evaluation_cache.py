"""Notes: values that bots have computed for one position and may use for the next, as most actions leave most of the map unchanged.

A note of a range (guide 10.5) records what was asked on the way (`range_asking`). While all of that is unchanged, so is the range,
whatever has changed elsewhere. Sites are noted under a version, a few maps side by side; what they promise a power is noted with that
version, its leaders' places, and who else stands where it matters to it. A test compares what is noted with what is computed, to the
last bit.
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
"""The ranges of a power that are noted: in its next turn, and the part of that which no neighbour can take away."""

RANGE = record(
    "Range",
    ("is_known", "i1"),
    field("start", "u8", WORDS),
    field("asked", "u8", WORDS),  # the hexes of which it was asked whose they are
    field("mine", "u8", WORDS),  # and those among them that carry the path
    field("foes", "u8", WORDS),  # or close a bank
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
"""The worth of sites to a power (`promises.Promises`), with where its leaders were and who stood at which sites."""

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
"""The state of the sites when they were noted, and what `survey` found."""

SPOTS, PLACES = 16, 32
"""The number of promises and ranges noted for each power, by its leaders' places: a search comes back to the first march often."""
MAPS = 8
"""The number of states of the sites that are noted."""

NOTES = record(
    "Notes",
    ("versions", "i8"),
    field("sites", KNOWN, MAPS),
    field("promises", PROMISE, POWERS * SPOTS),
    field("ranges", RANGE, POWERS * RANGES * PLACES),
)


@rule
def spot_of(state: State, power: int, n: int) -> int:
    """The index, below n, of the note for these places of a power's leaders."""
    leader = state.powers[power].leader
    return (5 * int(leader[0]) + 3 * int(leader[1])) & (n - 1)


# --- Ranges --------------------------------------------------------------------


@rule
def is_as_noted(note: Range, start: Hexes, mine: Hexes, foes: Hexes) -> bool:
    """Would every question asked for this range be answered as before?"""
    if note.is_known == 0 or not are_same(start, those(note.start)):
        return False
    asked = those(note.asked)
    return are_same(both(mine, asked), those(note.mine)) and are_same(both(foes, asked), those(note.foes))


@rule
def range_again(box: Box, note: Range, start: Hexes, mine: Hexes, foes: Hexes) -> Hexes:
    """10.5, 10.6: `range_over`, computed only if the note does not hold it."""
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
    """`range_over`, with a note if there are notes; `place`: the index of the power's note for where its leaders are."""
    if notes is None:
        return range_over(box, start, mine, foes)
    if which == FIRM:
        now = notes.ranges[RANGES * place + NEXT_TURN]
        if is_as_noted(now, start, mine, foes):  # no neighbour can come where it matters
            return those(now.reached)
    return range_again(box, notes.ranges[RANGES * place + which], start, mine, foes)


# --- Sites ---------------------------------------------------------------------


@rule
def times_of(state: State) -> tuple[int, int, int, int]:
    """The stage of the war, who is in play and who is allied: the worth of sites depends on these and on the rounds of city phases."""
    return int(state.round_no), int(state.plan), int(state.allied), int(state.leading)


@rule
def map_of(state: State, coming: Rounds) -> int:
    """The index of the note of these sites at this time."""
    mix = int(state.round_no) + coming[0] + 3 * coming[1] + 5 * coming[2] + 7 * coming[3]
    for site in range(SITES):
        here = state.site[site]
        mix += (2 * site + 1) * (5 * int(here.besieger) + int(here.holder))
    return mix & (MAPS - 1)


@rule
def are_sites_noted(state: State, note: Known, coming: Rounds) -> bool:
    """Is everything that sites promise unchanged, except for where leaders stand?"""
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
    """Note the sites under a version that nothing has been noted of yet."""
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
def for_each(one: Row[int]) -> Sites:
    """The noted set of sites of each power."""
    return (int(one[0]), int(one[1]), int(one[2]), int(one[3]))


@rule
def survey_noted(box: Box, state: State, notes: Notes | None) -> Survey:
    """`survey`, with what is noted of the sites."""
    if notes is None:
        return survey(box, state)
    coming = city_rounds(box, state)
    note = notes.sites[map_of(state, coming)]
    if not are_sites_noted(state, note, coming):
        note_sites(state, notes, note, survey(box, state))
    return Survey(
        for_each(note.enemies),
        all_stood_at(box, state),
        for_each(note.held),
        for_each(note.besieged),
        int(note.cities),
        int(note.minor),
        coming,
        int(note.version),
    )


@rule
def is_promise_noted(state: State, note: Promise, power: int, seen: Survey) -> bool:
    """Do the power's leaders stand where they were noted, and all others where it matters to it?"""
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
    """Note where the power's leaders are, and who stands at sites where they do, which it holds, or which is its HQ."""
    note.version = seen.version
    note.matters = seen.stood_at[power] | seen.held[power] | headquarters_of(box, state, 1 << power)
    for k in range(2):
        note.leader[k] = state.powers[power].leader[k]
    for other in range(POWERS):
        note.stood_at[other] = seen.stood_at[other] & int(note.matters)
