"""What bots have reckoned of one position and may use for the next: most actions leave most of the map as it was.

A note of a range (guide 10.5) tells what was asked on its way (`range_asking`). As long as all of that is as it was, so is the range,
whatever has changed elsewhere. What sites promise is noted with the time, the sites and who stands where; it is forgotten when one of
them changes. A test holds what is noted and what is reckoned anew together, to the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.copying import copy_into
from sutler.core.record import field, record
from sutler.core.rule import rule
from sutler.games.bellum.box import POWERS, SITES, WORDS
from sutler.games.bellum.hexes import are_same, both, keep, those
from sutler.games.bellum.rules.supply import range_asking, range_over
from sutler.games.bellum.state import SITE
from sutler.games.bellum.survey import Survey, all_stood_at, survey

if TYPE_CHECKING:
    from sutler.core.typing import Row
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import Box, Notes, Promise, Range, State
    from sutler.games.bellum.survey import Sites

NOW, FIRM, RANGES = range(3)
"""The ranges of a power that are noted: in its next turn, and what of that no neighbour can take away."""

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
    ("is_known", "i1"),
    field("leader", "i2", 2),
    field("stood_at", "i8", POWERS),
    ("cities", "i8"),
    ("later", "i8"),
    ("falling", "i8"),
    ("lasting", "f8"),
    ("hopes", "f8"),
)
"""What sites promise a power (`evaluate.Promises`), with where its leaders were and who stood at which sites."""

NOTES = record(
    "Notes",
    ("are_sites_known", "i1"),
    field("times", "i2", 7),
    field("order", "i1", POWERS),
    field("won", "i1", POWERS),
    field("site", SITE, SITES),
    field("enemies", "i8", POWERS),
    field("held", "i8", POWERS),
    field("besieged", "i8", POWERS),
    ("cities", "i8"),
    ("minor", "i8"),
    field("promises", PROMISE, POWERS),
    field("ranges", RANGE, POWERS * RANGES),
)

# --- Ranges --------------------------------------------------------------------


@rule
def is_as_noted(note: Range, start: Hexes, mine: Hexes, foes: Hexes) -> bool:
    """Would all be answered as it was?"""
    if note.is_known == 0 or not are_same(start, those(note.start)):
        return False
    asked = those(note.asked)
    return are_same(both(mine, asked), those(note.mine)) and are_same(both(foes, asked), those(note.foes))


@rule
def range_again(box: Box, note: Range, start: Hexes, mine: Hexes, foes: Hexes) -> Hexes:
    """10.5, 10.6: `range_over`, reckoned only where the note does not tell it."""
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
def range_noted(box: Box, notes: Notes | None, power: int, which: int, start: Hexes, mine: Hexes, foes: Hexes) -> Hexes:
    """The same where there are notes, `range_over` where there are none."""
    if notes is None:
        return range_over(box, start, mine, foes)
    return range_again(box, notes.ranges[RANGES * power + which], start, mine, foes)


# --- Sites ---------------------------------------------------------------------


@rule
def times_of(state: State) -> tuple[int, int, int, int, int, int, int]:
    """Whose turn it is and how far it has come; who is in play and allied."""
    return (
        int(state.round_no),
        int(state.kth),
        int(state.power),
        int(state.stage),
        int(state.plan),
        int(state.allied),
        int(state.leading),
    )


@rule
def are_sites_noted(state: State, notes: Notes) -> bool:
    """Is all that sites promise in the notes, but for where leaders stand?"""
    changed = 1 - int(notes.are_sites_known)
    times = times_of(state)
    for k in range(len(times)):
        changed |= times[k] ^ notes.times[k]
    for power in range(POWERS):
        changed |= state.order[power] ^ notes.order[power]
        changed |= state.powers[power].held ^ notes.won[power]
    for site in range(SITES):
        here = state.site[site]
        noted = notes.site[site]
        changed |= (here.extent ^ noted.extent) | (here.holder ^ noted.holder) | (here.besieger ^ noted.besieger)
        changed |= (here.resistance ^ noted.resistance) | (here.since ^ noted.since)
        changed |= (here.siege ^ noted.siege) | (here.opened ^ noted.opened)
    return changed == 0


@rule
def note_sites(state: State, notes: Notes, seen: Survey) -> None:
    """Note the sites as they are, and forget what others promised."""
    notes.are_sites_known = 1
    times = times_of(state)
    for k in range(len(times)):
        notes.times[k] = times[k]
    for power in range(POWERS):
        notes.enemies[power] = seen.enemies[power]
        notes.order[power] = state.order[power]
        notes.won[power] = state.powers[power].held
        notes.held[power] = seen.held[power]
        notes.besieged[power] = seen.besieged[power]
        notes.promises[power].is_known = 0
    notes.cities = seen.cities
    notes.minor = seen.minor
    for site in range(SITES):
        copy_into(notes.site[site], state.site[site])


@rule
def for_each(one: Row[int]) -> Sites:
    """What is noted of each power."""
    return (int(one[0]), int(one[1]), int(one[2]), int(one[3]))


@rule
def survey_noted(box: Box, state: State, notes: Notes | None) -> Survey:
    """`survey`, with what is noted of the sites."""
    if notes is None:
        return survey(box, state)
    if are_sites_noted(state, notes):
        enemies, held, besieged = for_each(notes.enemies), for_each(notes.held), for_each(notes.besieged)
        return Survey(enemies, all_stood_at(box, state), held, besieged, int(notes.cities), int(notes.minor))
    seen = survey(box, state)
    note_sites(state, notes, seen)
    return seen


@rule
def is_promise_noted(state: State, note: Promise, power: int, seen: Survey) -> bool:
    """Do the power's leaders stand where they were, and all others at the sites where they stood?"""
    changed = 1 - int(note.is_known)
    for k in range(2):
        changed |= state.powers[power].leader[k] ^ note.leader[k]
    for other in range(POWERS):
        changed |= seen.stood_at[other] ^ note.stood_at[other]
    return changed == 0


@rule
def note_stands(state: State, note: Promise, power: int, seen: Survey) -> None:
    """Note where the power's leaders are, and who stands at which sites."""
    note.is_known = 1
    for k in range(2):
        note.leader[k] = state.powers[power].leader[k]
    for other in range(POWERS):
        note.stood_at[other] = seen.stood_at[other]
