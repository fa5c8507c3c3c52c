"""Positions of Bellum from a file: what the file leaves out is derived, and a field that contradicts the others is refused.

Facts that follow from others (the seat to act, what has been fought, moved or fed) are never written: a turn begins at the stage that the
file names, and goes on from there. `check` tests what must always be true of a state.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from sutler.core.files.box import BoxError
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import CITY, CUT, HEXES, LEADERS, MINOR, POWERS, RUIN, SITES, SIZE_NAMES, S
from sutler.games.bellum.hexes import NONE, contains, intersection, is_not_empty, read_hexes, single_hex, union
from sutler.games.bellum.phases_actions_events import F, P
from sutler.games.bellum.rules.city import is_broken, siege_symbol
from sutler.games.bellum.scoring import has_all_tokens
from sutler.games.bellum.state import (
    BY_PEACE,
    BY_RUIN,
    BY_SIEGES,
    ally_of,
    is_enemy,
    is_in_play,
    plan_of,
    tokens_of,
    where_is,
)

if TYPE_CHECKING:
    from sutler.games.bellum.records import Box, State

# --- Position files ------------------------------------------------------------

Written = Collection[str]
"""The paths of the fields that a position file sets."""

OF_THE_TURN = (
    "to_act", "kth", "step", "n_powers", "began", "fought", "moved", "mover", "is_returning", "calls",
    "fed_from", "n_fed", "n_pillaged", "in_range", "fed", "fight",
)  # fmt: skip
"""The fields in which the rules keep the progress of a turn."""
OF_THE_TABLE = ("plan", "allied", "leading")
"""The fields that follow from the options and the seats."""


def complete(box: Any, state: Any, written: Written) -> None:
    """Fill in the fields that a scenario file leaves out; BoxError names a field that contradicts the others.

    `written`: the fields in the file.
    """
    for name in OF_THE_TURN:
        if name in written:
            raise BoxError(f"{name}: it follows from the rest; a turn begins at the `stage` you name")
    for name in OF_THE_TABLE:
        if name in written:
            raise BoxError(f"{name}: the options and the seats settle it")
    if state.n_seats < 4:
        _require_allies_in_one_seat(box, state)
    _complete_turn(box, state, written)
    for power in range(POWERS):
        _require_possible_power(box, state, power)
    for site in range(int(box.n_sites)):
        _complete_site(box, state, site, written)
    _complete_tiles(box, state, written)
    if state.phase == P.over:
        _complete_end(box, state, written)


def _require_allies_in_one_seat(box: Any, state: Any) -> None:
    """Raise BoxError unless allied powers are led by one seat (14.2)."""
    for power in range(POWERS):
        ally = int(ally_of(box, state, power))
        if ally != NOBODY and is_in_play(box, state, power) and state.seat_of[power] != state.seat_of[ally]:
            raise BoxError("seat_of: allies are led by one seat (14.2)")


def _require_possible_power(box: Any, state: Any, power: int) -> None:
    """Raise BoxError unless HQ tokens are won of enemies only, and a broken power has nothing and has ended the war (9.6, 13.2)."""
    me = state.powers[power]
    for other in range(POWERS):
        if int(me.held) >> other & 1 and not is_enemy(box, state, power, other):
            raise BoxError(f"powers[{power}].held: tokens are won of enemies in play only (9.6)")
    if me.is_broken and (me.supply or me.strength or state.phase != P.over):
        raise BoxError(f"powers[{power}].is_broken: that ends the war, with supply 0 and strength 0 (13.2)")


def _complete_turn(box: Any, state: Any, written: Written) -> None:
    """Fill in the place in the turn order, the year and the stage; where no power's turn is named, the game begins with its preparation."""
    if "power" not in written:
        for name in ("stage", "round_no"):
            if name in written:
                raise BoxError(
                    f"{name}: say whose turn it is, too (`power`); without it the game begins with the city tiles"
                )
        if "phase" in written and state.phase != P.over:
            raise BoxError("phase: leave it out; the game begins with the city tiles")
        return
    order = [int(power) for power in state.order[: state.n_powers]]
    if int(state.power) not in order:
        raise BoxError("power: this power is not in play")
    state.kth = order.index(int(state.power))
    if "phase" in written and state.phase != P.over:
        raise BoxError("phase: leave it out; the turn begins at the `stage` you name")
    if box.year[state.round_no].peace and state.phase != P.over:
        raise BoxError("round_no: in the year of the peace the game is over (13.3)")
    is_quiet = bool(box.year[state.round_no].quiet)
    if "stage" not in written:
        state.stage = S.feed if is_quiet else S.battle
    elif state.stage == S.preparation:
        raise BoxError("stage: when a power has its turn the city tiles lie already")
    elif is_quiet and state.stage < S.feed:
        raise BoxError("stage: in the first round there are only the feed and the leader phase (7.2)")


def _complete_site(box: Any, state: Any, site: int, written: Written) -> None:
    """Fill in the tiles and tokens at a site; a year or symbol that the file leaves out becomes the latest that is possible."""
    slot, at = state.site[site], f"site[{site}]"
    if "power" in written and plan_of(box, state).role[site] == CITY and slot.extent == NOBODY:
        slot.extent = RUIN
    for token, names in (("holder", ("resistance", "since")), ("besieger", ("siege", "opened", "with_both"))):
        for name in names:
            if slot[token] == NOBODY and f"{at}.{name}" in written:
                raise BoxError(f"{at}.{name}: there is no {token}")
    for name in ("since", "opened"):
        if f"{at}.{name}" in written and not 0 <= slot[name] <= state.round_no:
            raise BoxError(f"{at}.{name}: that year is still to come")
    if slot.holder != NOBODY:
        _complete_holder(box, state, slot, at, written)
    if slot.besieger != NOBODY:
        if slot.extent < MINOR:
            raise BoxError(f"{at}.besieger: no siege can lie at a ruin (9.4)")
        if slot.extent == MINOR and slot.holder != NOBODY:
            raise BoxError(f"{at}.besieger: no siege can lie at a minor city that is held: it falls at once (9.1)")
        if f"{at}.opened" not in written:
            slot.opened = max(0, state.round_no - 1)
        if f"{at}.siege" not in written:
            slot.siege = siege_symbol(box, int(slot.extent), int(slot.opened))


def _complete_holder(box: Any, state: Any, slot: Any, at: str, written: Written) -> None:
    """Fill in the year in which a city was taken from the symbol on its tile, or the symbol from the year (9.2, 9.3)."""
    shown = [int(box.year[k].resistance) for k in range(int(box.n_rounds))]
    if f"{at}.since" in written and f"{at}.resistance" in written:
        if shown[slot.since] != slot.resistance:
            raise BoxError(f"{at}.resistance: that year showed {shown[slot.since]}")
    elif f"{at}.since" in written:
        slot.resistance = shown[slot.since]
    elif f"{at}.resistance" in written:
        if slot.resistance not in shown:
            raise BoxError(f"{at}.resistance: no year shows {slot.resistance}")
        slot.since = max((k for k in range(int(state.round_no)) if shown[k] == slot.resistance), default=0)
    else:
        slot.since, slot.resistance = state.round_no, shown[state.round_no]


def _complete_tiles(box: Any, state: Any, written: Written) -> None:
    """Fill in the stock of city tiles: while tiles are being placed, all that are not on the map; later none (4.4)."""
    if "tiles" in written:
        raise BoxError("tiles: what is left follows from the cities' sizes")
    placed = [int(state.site[site].extent) for site in range(int(box.n_sites))]
    for size in range(MINOR, len(SIZE_NAMES)):
        left = int(box.rules.city_tiles[size - MINOR]) - placed.count(size)
        if "power" not in written and left < 0:
            raise BoxError(
                f"site: {placed.count(size)} {SIZE_NAMES[size]} cities, but only {box.rules.city_tiles[size - MINOR]} tiles"
            )
        state.tiles[size] = 0 if "power" in written else left


def _complete_end(box: Any, state: Any, written: Written) -> None:
    """Fill in how the war ended, from tokens and levels; where they do not tell, it ended by peace (13)."""
    for name in ("ending", "winner"):
        if name in written:
            raise BoxError(f"{name}: it follows from tokens and levels")
    state.ending = BY_PEACE
    for power in range(POWERS):
        if state.powers[power].is_broken:
            state.ending = BY_RUIN
    for power in range(POWERS):
        if is_in_play(box, state, power) and has_all_tokens(box, state, power):
            state.ending, state.winner = BY_SIEGES, power


@rule
def recount(box: Box, state: State) -> None:
    """Do nothing, since no field of this state is a count of other fields."""
    return


# --- What must always be true ------------------------------------------------


@rule
def check(box: Box, state: State) -> int:
    """The number, in FAULTS, of the first fault found in a state; 0 for none."""
    if not 0 <= state.plan <= CUT or not 0 <= state.round_no < box.n_rounds or not 0 <= state.n_powers <= POWERS:
        return F.bad_order
    taken = read_hexes(state.pillaged)
    plan = plan_of(box, state)
    for power in range(POWERS):
        me = state.powers[power]
        tokens = tokens_of(state, power)
        if plan.in_play[power] == 0 and is_not_empty(tokens):
            return F.not_in_play
        if is_not_empty(intersection(taken, tokens)) or is_not_empty(
            intersection(read_hexes(me.upright), read_hexes(me.tilted))
        ):
            return F.shared_area
        if intersection(tokens, read_hexes(plan.areas)) != tokens:
            return F.bad_area
        taken = union(taken, tokens)
        if me.supply < 0 or me.strength < 0:
            return F.below_zero
    fault = find_leader_fault(box, state)
    if fault == 0:
        fault = find_site_fault(box, state)
    if fault == 0 and not 0 <= state.to_act < state.n_seats:
        fault = F.no_seat
    if fault == 0:
        seen = 0
        for k in range(state.n_powers):
            power = int(state.order[k])
            if not 0 <= power < POWERS or not is_in_play(box, state, power):
                return F.bad_order
            if not 0 <= state.seat_of[power] < state.n_seats:
                return F.no_seat
            seen |= 1 << power
        for power in range(POWERS):
            if is_in_play(box, state, power) and not seen >> power & 1:
                return F.bad_order
    return fault


@rule
def find_leader_fault(box: Box, state: State) -> int:
    """The number, in FAULTS, of the fault that two leaders share an area or one stands where none may; 0 for none."""
    plan = plan_of(box, state)
    taken = NONE
    for leader in range(LEADERS):
        at = where_is(state, leader)
        if at == NOBODY:
            continue
        if not 0 <= at < HEXES or not is_in_play(box, state, leader >> 1):
            return F.bad_leader
        home = plan.hq[leader >> 1] != NOBODY and at == box.site_hex[plan.hq[leader >> 1]]
        if not home and (contains(taken, at) or not contains(read_hexes(plan.land), at)):
            return F.bad_leader
        taken = union(taken, single_hex(at))
    return 0


@rule
def find_site_fault(box: Box, state: State) -> int:
    """The number, in FAULTS, of the fault that a site has tokens or tiles it cannot have, or a siege without its leader; 0 for none."""
    plan = plan_of(box, state)
    for site in range(SITES):
        slot = state.site[site]
        is_city = plan.role[site] == CITY and slot.extent > 0
        if not is_city and (slot.holder != NOBODY or slot.besieger != NOBODY):
            return F.bad_site
        if plan.role[site] != CITY and slot.extent != NOBODY:
            return F.bad_site
        if is_broken(box, state, site):
            return F.siege_alone
        if slot.holder != NOBODY and not is_in_play(box, state, int(slot.holder)):
            return F.not_in_play
        if slot.besieger != NOBODY and slot.besieger == slot.holder:
            return F.bad_site
    return 0
