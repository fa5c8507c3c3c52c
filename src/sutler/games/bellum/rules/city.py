"""The city phase (guide 9; allies 14.10; forced sieges 14.4): sieges, falls, revolts, ruins, tokens of headquarters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import go_on
from sutler.games.bellum.box import CITY, FULL, HALF, HQ, MAJOR, MINOR, OUTSIDE, POWERS, RUIN
from sutler.games.bellum.hexes import difference, intersection, is_not_empty, read_hexes, store_hexes
from sutler.games.bellum.phases_actions_events import E, P, R
from sutler.games.bellum.rules.common import ask_power, next_stage
from sutler.games.bellum.rules.ending import end_by_sieges
from sutler.games.bellum.scoring import has_all_tokens
from sutler.games.bellum.state import ally_of, both_stand_at, is_enemy, leaders_of, plan_of, stands_at

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.bellum.records import Box, State

# --- Free to besieged (guide 9.1) --------------------------------------------


@rule
def is_alone_at(box: Box, state: State, power: int, site: int) -> bool:
    """9.1: no other power has a leader at the site; an ally's does not matter unless the city is the ally's (14.10)."""
    if not stands_at(box, state, power, site):
        return False
    for other in range(POWERS):
        if other != power and stands_at(box, state, other, site):
            if is_enemy(box, state, power, other) or state.site[site].holder == other:
                return False
    return True


@rule
def can_besiege(box: Box, state: State, power: int, site: int) -> bool:
    """9.1: a city that stands, with no own token on it, where one stands alone; not where an ally besieges (14.10)."""
    slot = state.site[site]
    if plan_of(box, state).role[site] != CITY or slot.extent <= RUIN:
        return False
    if slot.holder == power or slot.besieger == power:
        return False
    if slot.besieger != NOBODY and not is_enemy(box, state, power, int(slot.besieger)):
        return False
    return is_alone_at(box, state, power, site)


@rule
def siege_symbol(box: Box, size: int, round_no: int) -> int:
    """9.1: a medium city takes the tile with the other symbol, a major one the tile with the present symbol."""
    now = int(box.year[round_no].siege)
    if size == MAJOR:
        return now
    if now == HALF:
        return FULL
    return HALF


@rule
def round_of_fall(box: Box, state: State, symbol: int) -> int:
    """9.2: the next round that shows this siege symbol; n_rounds when none does."""
    for later in range(state.round_no + 1, box.n_rounds):
        if box.year[later].siege == symbol:
            return later
    return int(box.n_rounds)


@rule
def round_of_revolt(box: Box, state: State, symbol: int) -> int:
    """9.3: the next round that shows this resistance symbol; n_rounds when none does."""
    for later in range(state.round_no + 1, box.n_rounds):
        if box.year[later].resistance == symbol:
            return later
    return int(box.n_rounds)


@rule
def lay_siege(box: Box, state: State, events: Events, power: int, site: int) -> None:
    """9.1: other sieges end; a minor city falls at once (another's is ruined by it); others take a siege tile."""
    slot = state.site[site]
    if slot.besieger != NOBODY:
        lift_siege(state, events, site)
    if slot.extent == MINOR:
        occupy(box, state, events, power, site, 0)
        return
    slot.besieger = power
    slot.siege = siege_symbol(box, int(slot.extent), int(state.round_no))
    slot.opened = state.round_no
    slot.with_both = int(both_stand_at(box, state, power, site))
    falls = round_of_fall(box, state, slot.siege)
    if falls < box.n_rounds:
        tell(events, E.besieged, power, site, falls)
    else:
        tell(events, E.long_siege, power, site)
    if slot.with_both == 1 and box.options.forced_sieges == 1:
        tell(events, E.both_there, power, site)


# --- Besieged to occupied (guide 9.2) ----------------------------------------


@rule
def has_fallen(box: Box, state: State, power: int, site: int) -> bool:
    """9.2: an own siege whose tile shows the present symbol, in a later round than it began."""
    slot = state.site[site]
    return slot.besieger == power and slot.siege == box.year[state.round_no].siege and slot.opened < state.round_no


@rule
def occupy(box: Box, state: State, events: Events, power: int, site: int, extra: int) -> None:
    """9.2: the city is taken; another's upright token goes, and the city shrinks for it (9.4); again for a storm."""
    slot = state.site[site]
    shrinks = extra
    if slot.holder != NOBODY:
        shrinks += 1
    slot.holder = NOBODY
    slot.besieger = NOBODY
    for _ in range(shrinks):
        shrink(box, state, events, site)
    if slot.extent > RUIN:
        slot.holder = power
        slot.resistance = box.year[state.round_no].resistance
        slot.since = state.round_no
        tell(events, E.occupied, power, site)
        revolts = round_of_revolt(box, state, slot.resistance)
        if revolts < box.n_rounds:
            tell(events, E.until, site, revolts)


# --- Occupied to free (guide 9.3) --------------------------------------------


@rule
def has_revolted(box: Box, state: State, power: int, site: int) -> bool:
    """9.3: an own city whose tile shows the present resistance symbol, in a later round than it was taken."""
    slot = state.site[site]
    year = box.year[state.round_no]
    return slot.holder == power and slot.resistance == year.resistance and slot.since < state.round_no


@rule
def set_free(box: Box, state: State, events: Events, power: int, site: int) -> None:
    """9.3, 9.4: the upright token goes and the city shrinks; a siege by another goes on."""
    tell(events, E.revolted, site, power)
    state.site[site].holder = NOBODY
    shrink(box, state, events, site)


# --- Destruction (guide 9.4) -------------------------------------------------


@rule
def shrink(box: Box, state: State, events: Events, site: int) -> None:
    """9.4: one size smaller; a ruin loses every token on and around it."""
    slot = state.site[site]
    if slot.extent <= RUIN:
        return
    slot.extent -= 1
    if slot.extent > RUIN:
        tell(events, E.shrank, site, int(slot.extent))
        return
    tell(events, E.ruined, site)
    slot.holder = NOBODY
    slot.besieger = NOBODY
    country = read_hexes(plan_of(box, state).around[site])
    for power in range(POWERS):
        one = state.powers[power]
        store_hexes(one.upright, difference(read_hexes(one.upright), country))
        store_hexes(one.tilted, difference(read_hexes(one.tilted), country))


# --- Broken sieges (guide 9.5) -----------------------------------------------


@rule
def lift_siege(state: State, events: Events, site: int) -> None:
    """9.5: token and tile come off."""
    tell(events, E.broken, site, int(state.site[site].besieger))
    state.site[site].besieger = NOBODY


@rule
def keeps_up(box: Box, state: State, power: int, site: int) -> bool:
    """9.5: has the power a leader at the site; by option one across a river will do?"""
    if box.options.sieges_across_rivers == 0:
        return stands_at(box, state, power, site)
    around = read_hexes(box.near[box.site_hex[site]])
    return is_not_empty(intersection(leaders_of(state, power), around))


@rule
def is_broken(box: Box, state: State, site: int) -> bool:
    """9.5: the besieger has no leader left there; or its ally, whose city it is, has come (14.10)."""
    slot = state.site[site]
    if slot.besieger == NOBODY:
        return False
    besieger = int(slot.besieger)
    if not keeps_up(box, state, besieger, site):
        return True
    holder = int(slot.holder)
    if holder == NOBODY or is_enemy(box, state, besieger, holder):
        return False
    return stands_at(box, state, holder, site)


@rule
def break_sieges(box: Box, state: State, events: Events) -> None:
    """9.5: at any time, after any step of any leader."""
    for site in range(box.n_sites):
        if is_broken(box, state, site):
            lift_siege(state, events, site)


# --- Headquarters (guide 9.6) ------------------------------------------------


@rule
def besiege_hq(box: Box, state: State, events: Events, power: int, site: int) -> None:
    """9.6: alone at an enemy's HQ, a power wins one token of that enemy, once a game."""
    enemy = int(plan_of(box, state).whose[site])
    me = state.powers[power]
    if not is_enemy(box, state, power, enemy) or int(me.held) >> enemy & 1:
        return
    if is_alone_at(box, state, power, site):
        me.held |= 1 << enemy
        tell(events, E.hq_token, power, site, enemy)


# --- Forced sieges (guide 14.4) ----------------------------------------------


@rule
def site_at_hand(state: State) -> int:
    """The site that the phase is looking at."""
    return int(state.step) - 1


@rule
def can_force(box: Box, state: State, power: int, site: int) -> bool:
    """14.4: an own siege that is one round short of success."""
    slot = state.site[site]
    after = state.round_no + 1
    if box.options.forced_sieges == 0 or slot.besieger != power or after >= box.n_rounds:
        return False
    return slot.siege == box.year[after].siege


@rule
def why_not_force(box: Box, state: State, site: int) -> int:
    """14.4: only the siege in question."""
    if state.phase == P.force and site != site_at_hand(state):
        return R.other_siege
    return R.fine


@rule
def why_not_storm(box: Box, state: State, seat: int, site: int) -> int:
    """14.4: any siege that can be forced."""
    return why_not_force(box, state, site)


@rule
def do_storm(box: Box, state: State, events: Events, seat: int, site: int) -> None:
    """14.4: the city falls now and shrinks by one more size."""
    tell(events, E.stormed, int(state.power), site)
    occupy(box, state, events, int(state.power), site, 1)
    go_on(state)


@rule
def why_not_ultimatum(box: Box, state: State, seat: int, site: int) -> int:
    """14.4: both leaders were there when the siege began, and are now."""
    reason = why_not_force(box, state, site)
    if reason != R.fine or state.phase != P.force:
        return reason
    if state.site[site].with_both == 0 or not both_stand_at(box, state, int(state.power), site):
        return R.wants_both
    return R.fine


@rule
def do_ultimatum(box: Box, state: State, events: Events, seat: int, site: int) -> None:
    """14.4: the city falls now."""
    tell(events, E.gave_ultimatum, int(state.power), site)
    occupy(box, state, events, int(state.power), site, 0)
    go_on(state)


@rule
def why_not_wait(box: Box, state: State, seat: int, site: int) -> int:
    """14.4: a siege need not be forced."""
    return why_not_force(box, state, site)


@rule
def do_wait(box: Box, state: State, events: Events, seat: int, site: int) -> None:
    """14.4: the siege goes on."""
    go_on(state)


# --- An ally's city (guide 14.10) --------------------------------------------


@rule
def why_not_besiege(box: Box, state: State, seat: int, site: int) -> int:
    """14.10: an ally's city is besieged only on purpose, and only the one in question."""
    if state.phase == P.siege and site != site_at_hand(state):
        return R.other_city
    return R.fine


@rule
def do_besiege(box: Box, state: State, events: Events, seat: int, site: int) -> None:
    """14.10: the siege begins; it may be one to force (14.4)."""
    go_on(state)
    begin_siege(box, state, events, int(state.power), site)


@rule
def why_not_spare(box: Box, state: State, seat: int, site: int) -> int:
    """14.10: or it is left alone."""
    return why_not_besiege(box, state, seat, site)


@rule
def do_spare(box: Box, state: State, events: Events, seat: int, site: int) -> None:
    """14.10: nothing happens to it."""
    go_on(state)


# --- The phase (guide 9.7) ---------------------------------------------------


@rule
def begin_siege(box: Box, state: State, events: Events, power: int, site: int) -> None:
    """9.1, 14.4: a siege begins; it may be one to force."""
    lay_siege(box, state, events, power, site)
    if can_force(box, state, power, site):
        ask_power(state, P.force, power)


@rule
def visit(box: Box, state: State, events: Events, power: int, site: int) -> None:
    """9.7: one change a city a phase: an own siege may succeed, else an own occupation end, else a siege begin."""
    role = plan_of(box, state).role[site]
    if role == HQ:
        besiege_hq(box, state, events, power, site)
    elif role == OUTSIDE or state.site[site].extent <= RUIN:
        return
    elif has_fallen(box, state, power, site):
        occupy(box, state, events, power, site, 0)
    elif has_revolted(box, state, power, site):
        set_free(box, state, events, power, site)
        if box.options.siege_after_revolt == 1 and can_besiege(box, state, power, site):
            begin_siege(box, state, events, power, site)
    elif can_besiege(box, state, power, site):
        holder = int(state.site[site].holder)
        if holder != NOBODY and holder == ally_of(box, state, power):
            ask_power(state, P.siege, power)
            return
        begin_siege(box, state, events, power, site)
    elif can_force(box, state, power, site):
        ask_power(state, P.force, power)


@rule
def proceed_city(box: Box, state: State, events: Events) -> None:
    """9: every site in turn; the last HQ token wins at once (13.1)."""
    power = int(state.power)
    while state.phase == P.moving and state.step < box.n_sites:
        state.step += 1
        site = site_at_hand(state)
        visit(box, state, events, power, site)
        if plan_of(box, state).role[site] == HQ and has_all_tokens(box, state, power):
            end_by_sieges(state, events, power)
            return
    if state.phase == P.moving:
        next_stage(state)
