"""Targets (guide 7.7 to 7.10): Farmland, cards, Traps and units that are hit; Life or Death (12.11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.warfarm.box import (
    CANNON_WEAPON,
    CARD_FARMER,
    CARD_SOLDIER,
    CARD_WORKER,
    FARMLAND,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    GUARD_WEAPON,
    HOLES,
    LAND_FARMER,
    LAND_SOLDIER,
    N_SPOTS,
    PLAIN_SPOTS,
    RESERVE,
    RETURNING,
    SEATS,
    SLOTS,
    SOLDIER,
    SOLDIER_WEAPON,
    TRAP_SOLDIER,
    TROOPS,
    VISITING,
    WORKERS,
)
from sutler.games.warfarm.phases_actions_events import A, E, P, R
from sutler.games.warfarm.rules.attack import may_attack, note_act, why_not_victim
from sutler.games.warfarm.rules.cards import is_like_earlier, is_trap_like_earlier
from sutler.games.warfarm.rules.common import end_job, is_opponent, note_loss, stir
from sutler.games.warfarm.rules.goods import remove_unit
from sutler.games.warfarm.rules.karma import end_blow, why_not_struck
from sutler.games.warfarm.rules.losses import destroy_card, destroy_land, destroy_trap, kill
from sutler.games.warfarm.state import LIFE_JOB

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.warfarm.records import Box, State

# --- What is open (guide 7.8) --------------------------------------------------------------


@rule
def is_land_open(state: State, victim: int) -> bool:
    """7.8: Farmland can be hit when no guard stands there, or by surprise (12.9)."""
    them = state.seats[victim]
    return state.is_surprise == 1 or them.spots[LAND_SOLDIER] + them.spots[LAND_FARMER] == 0


@rule
def is_card_open(state: State, victim: int, slot: int) -> bool:
    """7.8: so can a card."""
    them = state.seats[victim]
    return state.is_surprise == 1 or them.posts[GUARD_SOLDIERS, slot] + them.posts[GUARD_FARMERS, slot] == 0


@rule
def is_trap_open(state: State, victim: int, hole: int) -> bool:
    """7.8: and a Trap."""
    return state.is_surprise == 1 or state.seats[victim].trap_guards[hole] == 0


@rule
def hits_things(state: State, seat: int) -> bool:
    """7.6: a guard that may only kill visiting Disciples cannot touch Farmland or cards."""
    return state.weapon != GUARD_WEAPON or state.seats[seat].works[TROOPS] > 0


@rule
def why_not_thing_of(state: State, seat: int, victim: int) -> int:
    """7.1, 7.6: may things of this seat be hit with the weapon at hand?"""
    reason = why_not_victim(state, seat, victim)
    if reason == R.fine and not hits_things(state, seat):
        return R.only_guests
    return reason


@rule
def why_not_thing(state: State, seat: int, victim: int, is_there: bool, is_like_one: bool, is_open: bool) -> int:
    """7.7, 7.8, 12.10: a thing of an opponent that nobody guards, of equal ones the first; Karma asks for no guard."""
    if state.phase == P.strike_back:
        return why_not_struck(state, victim, is_there, is_like_one)
    if not is_opponent(state, seat, victim):
        return R.no_opponent
    if not is_there:
        return R.none_left
    if state.phase != P.target:
        return R.fine
    reason = why_not_thing_of(state, seat, victim)
    if reason == R.fine and is_like_one:
        return R.alike
    if reason == R.fine and not is_open:
        return R.guarded
    return reason


# --- Farmland (guide 7.7, 12.10) ----------------------------------------------------------------


@rule
def why_not_hit_land(box: Box, state: State, seat: int, victim: int) -> int:
    """7.7, 7.8, 12.10: Farmland of an opponent that nobody guards."""
    is_there = state.seats[victim].goods[FARMLAND] > 0
    return why_not_thing(state, seat, victim, is_there, False, is_land_open(state, victim))


@rule
def do_hit_land(box: Box, state: State, events: Events, seat: int, victim: int) -> None:
    """7.7: a Farmland is destroyed."""
    tell_attack(state, events, seat, victim)
    destroy_land(box, state, events, seat, victim)
    after_thing(box, state, events, seat, victim)


# --- Table cards -----------------------------------------------------------------------------------


@rule
def why_not_hit_card(box: Box, state: State, seat: int, victim: int, slot: int) -> int:
    """7.7, 7.8, 12.10: a Table card that nobody guards; of equal ones the first."""
    is_there = slot < state.seats[victim].n_table
    is_like_one = is_there and is_like_earlier(state, victim, slot)
    return why_not_thing(state, seat, victim, is_there, is_like_one, is_there and is_card_open(state, victim, slot))


@rule
def allow_hit_card(box: Box, state: State, seat: int, out: Legal) -> None:
    """7.7: the same, card by card."""
    for victim in range(SEATS):
        for slot in range(state.seats[victim].n_table):
            if why_not_hit_card(box, state, seat, victim, slot) == R.fine:
                allow(out, A.hit_card + victim * SLOTS + slot)


@rule
def do_hit_card(box: Box, state: State, events: Events, seat: int, victim: int, slot: int) -> None:
    """7.7: a Table card is destroyed."""
    tell_attack(state, events, seat, victim)
    destroy_card(box, state, events, seat, victim, slot)
    after_thing(box, state, events, seat, victim)


# --- Traps -------------------------------------------------------------------------------------------


@rule
def why_not_hit_trap(box: Box, state: State, seat: int, victim: int, hole: int) -> int:
    """7.7, 7.8, 12.10: a Trap that nobody guards."""
    is_there = hole < state.seats[victim].n_traps
    is_like_one = is_there and is_trap_like_earlier(box, state, victim, hole, False)
    return why_not_thing(state, seat, victim, is_there, is_like_one, is_there and is_trap_open(state, victim, hole))


@rule
def allow_hit_trap(box: Box, state: State, seat: int, out: Legal) -> None:
    """7.7: the same, Trap by Trap."""
    for victim in range(SEATS):
        for hole in range(state.seats[victim].n_traps):
            if why_not_hit_trap(box, state, seat, victim, hole) == R.fine:
                allow(out, A.hit_trap + victim * HOLES + hole)


@rule
def do_hit_trap(box: Box, state: State, events: Events, seat: int, victim: int, hole: int) -> None:
    """7.7: a Trap is destroyed."""
    tell_attack(state, events, seat, victim)
    destroy_trap(box, state, events, seat, victim, hole)
    after_thing(box, state, events, seat, victim)


# --- Units -------------------------------------------------------------------------------------------------


@rule
def can_hit_unit(state: State, seat: int, victim: int, spot: int) -> bool:
    """7.7, 7.8: units that are there, Farmers on guard only when no Soldier guards beside them."""
    them = state.seats[victim]
    if not may_attack(state, seat, victim):
        return False
    if state.weapon == GUARD_WEAPON and state.seats[seat].works[TROOPS] == 0:
        return spot == VISITING + seat and them.spots[spot] > 0
    if spot < PLAIN_SPOTS:
        if them.spots[spot] == 0 or spot >= RETURNING:
            return False
        return spot != LAND_FARMER or them.spots[LAND_SOLDIER] == 0 or state.is_surprise == 1
    if spot < CARD_FARMER:
        return them.posts[GUARD_SOLDIERS, spot - CARD_SOLDIER] > 0
    if spot < CARD_WORKER:
        slot = spot - CARD_FARMER
        if them.posts[GUARD_FARMERS, slot] == 0:
            return False
        return them.posts[GUARD_SOLDIERS, slot] == 0 or state.is_surprise == 1
    if spot < TRAP_SOLDIER:
        return them.posts[WORKERS, spot - CARD_WORKER] > 0
    return them.trap_guards[spot - TRAP_SOLDIER] > 0


@rule
def why_not_hit_unit(state: State, seat: int, owner: int, spot: int) -> int:
    """7.7, 7.8: a unit that is there and may be attacked."""
    if can_hit_unit(state, seat, owner, spot):
        return R.fine
    reason = why_not_thing_of(state, seat, owner)
    if reason != R.fine:
        return reason
    if RETURNING <= spot < PLAIN_SPOTS:
        return R.no_target
    return R.guarded


@rule
def allow_hit_units(box: Box, state: State, seat: int, out: Legal) -> None:
    """7.7: the units that can be hit; equal ones once."""
    for victim in range(SEATS):
        if may_attack(state, seat, victim):
            them = state.seats[victim]
            if hits_things(state, seat):
                for slot in range(them.n_table):
                    if not is_like_earlier(state, victim, slot):
                        allow_card_units(state, seat, victim, slot, out)
                for hole in range(them.n_traps):
                    if them.trap_guards[hole] > 0 and not is_trap_like_earlier(box, state, victim, hole, False):
                        allow(out, A.unit + victim * N_SPOTS + TRAP_SOLDIER + hole)
            for spot in range(RETURNING):
                if them.spots[spot] > 0 and can_hit_unit(state, seat, victim, spot):
                    allow(out, A.unit + victim * N_SPOTS + spot)


@rule
def allow_card_units(state: State, seat: int, victim: int, slot: int, out: Legal) -> None:
    """7.7: the units on one Table card."""
    first = A.unit + victim * N_SPOTS
    for start in (CARD_SOLDIER, CARD_FARMER, CARD_WORKER):
        if can_hit_unit(state, seat, victim, start + slot):
            allow(out, first + start + slot)


@rule
def is_fight_at(state: State, unit: int, spot: int) -> bool:
    """7.9: a Soldier that attacks a Soldier, or a Farmer on guard, falls with it."""
    if state.job == LIFE_JOB or (state.weapon != SOLDIER_WEAPON and state.weapon != GUARD_WEAPON):
        return False
    return unit == SOLDIER or spot == LAND_FARMER or CARD_FARMER <= spot < CARD_WORKER


@rule
def do_hit_unit(box: Box, state: State, events: Events, seat: int, victim: int, spot: int) -> None:
    """7.7: a unit is removed."""
    tell_attack(state, events, seat, victim)
    unit = kill(box, state, events, victim, spot, seat)
    tell(events, E.killed, seat, 1, victim, spot)
    after_hit(box, state, events, seat, victim, is_fight_at(state, unit, spot))


# --- What an attack is told by and costs (guide 7.2, 7.3, 7.9) ---------------------------------------------------------------


@rule
def tell_attack(state: State, events: Events, seat: int, victim: int) -> None:
    """7.1: with what somebody attacks; Karma (12.10) and Life or Death (12.11) need nothing else than their card."""
    if state.phase == P.target and state.job != LIFE_JOB:
        if state.weapon == GUARD_WEAPON:
            tell(events, E.struck, seat, victim, state.weapon_spot)
        else:
            tell(events, E.attacked, seat, victim, state.weapon)


@rule
def after_thing(box: Box, state: State, events: Events, seat: int, victim: int) -> None:
    """7.7, 12.10: Farmland or a card has been hit, by an attack or by Karma."""
    if state.phase == P.strike_back:
        end_blow(state)
    else:
        after_hit(box, state, events, seat, victim, False)


@rule
def after_hit(box: Box, state: State, events: Events, seat: int, victim: int, is_fight: int) -> None:
    """7.2, 7.3, 7.9: what the attack costs the attacker."""
    me = state.seats[seat]
    stir(state)
    if state.job == LIFE_JOB:
        state.blows[victim] -= 1
    elif state.weapon == SOLDIER_WEAPON:
        if is_fight:
            fall(box, state, events, seat, RESERVE)
        elif me.works[TROOPS] > 0:
            state.acted_reserve += 1
        else:
            me.spots[RESERVE] -= 1
            me.spots[RETURNING] += 1
    elif state.weapon == GUARD_WEAPON:
        if is_fight:
            fall(box, state, events, seat, int(state.weapon_spot))
        else:
            note_act(state)
        state.weapon_spot = NOBODY
    elif state.weapon == CANNON_WEAPON:
        if state.n_shots == 0:
            state.n_manned += 1
            state.n_operators += 1
            state.n_shots += box.rules.cannon_shots
        state.n_shots -= 1
    else:
        state.n_hired += 1
    state.weapon = 0
    go_on(state)


@rule
def fall(box: Box, state: State, events: Events, seat: int, spot: int) -> None:
    """7.9: the Soldier that attacks a Soldier falls as well; a loss of its owner's own making (12.10)."""
    remove_unit(box, state, seat, spot)
    note_loss(box, state, seat, 1, NOBODY)
    tell(events, E.fell, seat)


# --- Life or Death (guide 12.11) -------------------------------------------------------------------------------


@rule
def proceed_life(state: State, seat: int) -> None:
    """12.11: until every blow is struck."""
    for other in range(SEATS):
        if may_attack(state, seat, other):
            ask(state, P.target, seat)
            return
    end_job(state)
