"""The attack step (guide 7.1 to 7.6): with what, and against whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.warfarm.box import (
    CANNON,
    CANNON_WEAPON,
    CARD_FARMER,
    CARD_SOLDIER,
    FIELD,
    FIRE,
    GUARD_SOLDIERS,
    GUARD_WEAPON,
    HOME,
    LAND_SOLDIER,
    MERCENARIES,
    PARK,
    RESERVE,
    SEATS,
    SOLDIER_WEAPON,
    TRAP_SOLDIER,
    TROOPS,
    VISITING,
)
from sutler.games.warfarm.phases_actions_events import A, E, P, R
from sutler.games.warfarm.rules.common import end_asking, is_at_peace, is_opponent, stir
from sutler.games.warfarm.state import LIFE_JOB

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.warfarm.records import Box, State

# --- Who may be attacked (guide 7.1, 11.7) -------------------------------------------------


@rule
def may_attack(state: State, seat: int, other: int) -> bool:
    """7.1, 11.7: an opponent who has no Peace Contract with the seat; by Life or Death (12.11), who has blows to come."""
    if not is_opponent(state, seat, other):
        return False
    if state.job == LIFE_JOB:
        return state.blows[other] > 0
    return not is_at_peace(state, seat, other)


@rule
def has_victim(state: State, seat: int) -> bool:
    """7.1: is there anybody to attack?"""
    for other in range(SEATS):
        if may_attack(state, seat, other):
            return True
    return False


@rule
def why_not_victim(state: State, seat: int, other: int) -> int:
    """7.1, 11.7: why this seat may not be attacked."""
    if may_attack(state, seat, other):
        return R.fine
    if not is_opponent(state, seat, other):
        return R.no_opponent
    if is_at_peace(state, seat, other):
        return R.peace_holds
    return R.no_victim


# --- Weapons (guide 7.1 to 7.3, 12.5) --------------------------------------------------------


@rule
def has_soldier(state: State, seat: int) -> bool:
    """7.2: a Soldier in reserve that has not attacked yet."""
    return state.seats[seat].spots[RESERVE] > state.acted_reserve


@rule
def can_shoot(state: State, seat: int) -> bool:
    """7.3: a Cannon with a shot left, or a fresh one and a Farmer in the field to serve it."""
    me = state.seats[seat]
    if state.n_shots > 0:
        return True
    return me.spots[PARK] > state.n_manned and me.spots[FIELD] > state.n_operators


@rule
def can_ready(state: State, seat: int, weapon: int) -> bool:
    """7.1: is this weapon there?"""
    if weapon == SOLDIER_WEAPON:
        return has_soldier(state, seat)
    if weapon == CANNON_WEAPON:
        return can_shoot(state, seat)
    return state.seats[seat].works[MERCENARIES] > state.n_hired


@rule
def why_not_ready(box: Box, state: State, seat: int, weapon: int) -> int:
    """7.1: the weapon is there, and anybody to attack."""
    if not can_ready(state, seat, weapon):
        if weapon == SOLDIER_WEAPON:
            return R.no_attacker
        if weapon == CANNON_WEAPON:
            return R.no_shot
        return R.no_hire
    if not has_victim(state, seat):
        return R.no_victim
    return R.fine


@rule
def do_ready(box: Box, state: State, events: Events, seat: int, weapon: int) -> None:
    """7.1: with this weapon; the target comes next."""
    state.weapon = weapon
    ask(state, P.target, seat)


# --- Guards strike (guide 7.6, 12.4) -----------------------------------------------------------


@rule
def has_guest(state: State, seat: int) -> bool:
    """7.6: does a Disciple of a seat that may be attacked visit the own board?"""
    for other in range(SEATS):
        if may_attack(state, seat, other) and state.seats[other].spots[VISITING + seat] > 0:
            return True
    return False


@rule
def can_guards_strike(state: State, seat: int) -> bool:
    """7.6, 12.4: guards may kill a visiting Disciple; with Active Troops they attack like others."""
    if state.seats[seat].works[TROOPS] > 0:
        return has_victim(state, seat)
    return has_guest(state, seat)


@rule
def has_guard(state: State, seat: int) -> bool:
    """7.6: a Soldier on guard that has not acted."""
    me = state.seats[seat]
    if me.spots[LAND_SOLDIER] > state.acted_land:
        return True
    for slot in range(me.n_table):
        if me.posts[GUARD_SOLDIERS, slot] > state.acted_card[slot]:
            return True
    for hole in range(me.n_traps):
        if me.trap_guards[hole] > state.acted_trap[hole]:
            return True
    return False


@rule
def why_not_strike(state: State, seat: int, n: int) -> int:
    """7.6, 12.4: n guards there that have not acted yet, and somebody whom they may strike."""
    if n <= 0:
        return R.no_guard
    if not has_victim(state, seat):
        return R.no_victim
    if not can_guards_strike(state, seat):
        return R.only_guests
    return R.fine


@rule
def why_not_strike_land(box: Box, state: State, seat: int) -> int:
    """7.6: with a guard of the Farmland."""
    return why_not_strike(state, seat, state.seats[seat].spots[LAND_SOLDIER] - state.acted_land)


@rule
def do_strike_land(box: Box, state: State, events: Events, seat: int) -> None:
    """7.6: the target comes next."""
    strike_from(state, seat, LAND_SOLDIER)


@rule
def why_not_strike_card(box: Box, state: State, seat: int, slot: int) -> int:
    """7.6: with a guard of a Table card."""
    return why_not_strike(state, seat, state.seats[seat].posts[GUARD_SOLDIERS, slot] - state.acted_card[slot])


@rule
def allow_strike_card(box: Box, state: State, seat: int, out: Legal) -> None:
    """7.6: the same, card by card."""
    for slot in range(state.seats[seat].n_table):
        if why_not_strike_card(box, state, seat, slot) == R.fine:
            allow(out, A.strike_card + slot)


@rule
def do_strike_card(box: Box, state: State, events: Events, seat: int, slot: int) -> None:
    """7.6: the target comes next."""
    strike_from(state, seat, CARD_SOLDIER + slot)


@rule
def why_not_strike_trap(box: Box, state: State, seat: int, hole: int) -> int:
    """7.6: with a guard of a Trap."""
    return why_not_strike(state, seat, state.seats[seat].trap_guards[hole] - state.acted_trap[hole])


@rule
def allow_strike_trap(box: Box, state: State, seat: int, out: Legal) -> None:
    """7.6: the same, of the Traps that there are."""
    for hole in range(state.seats[seat].n_traps):
        if why_not_strike_trap(box, state, seat, hole) == R.fine:
            allow(out, A.strike_trap + hole)


@rule
def do_strike_trap(box: Box, state: State, events: Events, seat: int, hole: int) -> None:
    """7.6: the target comes next."""
    strike_from(state, seat, TRAP_SOLDIER + hole)


@rule
def strike_from(state: State, seat: int, spot: int) -> None:
    """7.6, 12.4: with a Soldier on guard at this spot."""
    state.weapon = GUARD_WEAPON
    state.weapon_spot = spot
    ask(state, P.target, seat)


@rule
def note_act(state: State) -> None:
    """7.6: this guard has acted in this turn."""
    spot = state.weapon_spot
    if spot == LAND_SOLDIER:
        state.acted_land += 1
    elif spot < CARD_FARMER:
        state.acted_card[spot - CARD_SOLDIER] += 1
    else:
        state.acted_trap[spot - TRAP_SOLDIER] += 1


# --- Fire and Disciples (guide 7.4, 7.5) ----------------------------------------------------------


@rule
def why_not_hurl(box: Box, state: State, seat: int, other: int) -> int:
    """7.4: a Fire, a Cannon that can shoot, and somebody who may be attacked."""
    if state.seats[seat].goods[FIRE] == 0:
        return R.no_fire
    if not can_shoot(state, seat):
        return R.no_shot
    return why_not_victim(state, seat, other)


@rule
def do_hurl(box: Box, state: State, events: Events, seat: int, other: int) -> None:
    """7.4: the Fire flies, past all guards; the Cannon is gone, its operator is not."""
    me = state.seats[seat]
    if state.n_shots > 0:
        state.n_shots = 0
        state.n_manned -= 1
    else:
        state.n_operators += 1
    me.spots[PARK] -= 1
    me.goods[CANNON] -= 1
    me.goods[FIRE] -= 1
    state.seats[other].goods[FIRE] += 1
    stir(state)
    tell(events, E.hurled, seat, other)
    go_on(state)


@rule
def why_not_send(box: Box, state: State, seat: int, other: int) -> int:
    """7.5: a Disciple at home, and somebody who may be attacked."""
    if state.seats[seat].spots[HOME] == 0:
        return R.no_disciple
    return why_not_victim(state, seat, other)


@rule
def do_send(box: Box, state: State, events: Events, seat: int, other: int) -> None:
    """7.5: a Disciple visits an opponent's board."""
    me = state.seats[seat]
    me.spots[HOME] -= 1
    me.spots[VISITING + other] += 1
    stir(state)
    tell(events, E.sent, seat, other)
    go_on(state)


# --- The step (guide 7.1) ------------------------------------------------------------------------------


@rule
def has_attack(state: State, seat: int) -> bool:
    """7.1: is there anything to attack with, and anybody to attack?"""
    if not has_victim(state, seat):
        return False
    me = state.seats[seat]
    for weapon in range(3):
        if can_ready(state, seat, weapon):
            return True
    return me.spots[HOME] > 0 or (can_guards_strike(state, seat) and has_guard(state, seat))


@rule
def do_end_attack(box: Box, state: State, events: Events, seat: int) -> None:
    """7.1: no more attacks; now Defenseless Karma."""
    end_asking(state)
