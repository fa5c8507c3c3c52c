"""Attacking (guide 7), and the strikes of Life or Death and Defenseless Karma (12.10, 12.11)."""

from __future__ import annotations

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.warfarm.box import (
    CANNON,
    CANNON_WEAPON,
    CARD_FARMER,
    CARD_SOLDIER,
    CARD_WORKER,
    FARMLAND,
    FIELD,
    FIRE,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    HOLES,
    HOME,
    KARMA,
    LAND_FARMER,
    LAND_SOLDIER,
    MERCENARIES,
    N_SPOTS,
    PARK,
    PLAIN_SPOTS,
    RESERVE,
    RETURNING,
    SEATS,
    SLOTS,
    SOLDIER,
    SOLDIER_WEAPON,
    TOKENS,
    TRAP_SOLDIER,
    TROOPS,
    VISITING,
    WORKERS,
)
from sutler.games.warfarm.rules.common import (
    A_END_ATTACK,
    A_HIT_CARD,
    A_HIT_LAND,
    A_HIT_TRAP,
    A_HURL,
    A_READY,
    A_SEND,
    A_STRIKE_CARD,
    A_STRIKE_LAND,
    A_STRIKE_TRAP,
    A_STRIP,
    A_UNIT,
    DESTROYED,
    FELL,
    HURLED,
    SENT,
    ask,
    destroy_card,
    destroy_land,
    destroy_trap,
    end_job,
    go_on,
    kill,
    note_loss,
    remove_unit,
    spring,
    stir,
)
from sutler.games.warfarm.rules.play import (
    allow_units,
    is_at_peace,
    is_like_earlier,
    is_opponent,
    is_trap_like_earlier,
    start_job,
)
from sutler.games.warfarm.state import KARMA_JOB, LIFE_JOB, STRIKE_BACK, TARGET, n_units

GUARD_WEAPON, LIFE_WEAPON = 3, 4  # beside the weapons that an action names: a Soldier on guard, Life or Death

# --- Who may attack whom, and with what (guide 7.1 to 7.6) -------------------------------


@rule
def may_attack(state, seat, other):
    """7.1, 11.7: an opponent who has no Peace Contract with the seat; by Life or Death (12.11), who has blows to come."""
    if not is_opponent(state, seat, other):
        return False
    if state.job == LIFE_JOB:
        return state.blows[other] > 0
    return not is_at_peace(state, seat, other)


@rule
def has_victim(state, seat):
    """7.1: is there anybody to attack?"""
    for other in range(SEATS):
        if may_attack(state, seat, other):
            return True
    return False


@rule
def has_soldier(state, seat):
    """7.2: a Soldier in reserve that has not attacked yet."""
    return state.seats[seat].spots[RESERVE] > state.acted_reserve


@rule
def can_shoot(state, seat):
    """7.3: a Cannon with a shot left, or a fresh one and a Farmer in the field to serve it."""
    me = state.seats[seat]
    if state.n_shots > 0:
        return True
    return me.spots[PARK] > state.n_manned and me.spots[FIELD] > state.n_operators


@rule
def can_ready(state, seat, weapon):
    """7.1: is this weapon there?"""
    if weapon == SOLDIER_WEAPON:
        return has_soldier(state, seat)
    if weapon == CANNON_WEAPON:
        return can_shoot(state, seat)
    return state.seats[seat].works[MERCENARIES] > state.n_hired


@rule
def has_guest(state, seat):
    """7.6: does a Disciple of a seat that may be attacked visit the own board?"""
    for other in range(SEATS):
        if may_attack(state, seat, other) and state.seats[other].spots[VISITING + seat] > 0:
            return True
    return False


@rule
def can_guards_strike(state, seat):
    """7.6, 12.4: guards may kill a visiting Disciple; with Active Troops they attack like others."""
    if state.seats[seat].works[TROOPS] > 0:
        return has_victim(state, seat)
    return has_guest(state, seat)


@rule
def can_hurl(state, seat, other):
    """7.4: a Fire, and a Cannon that can shoot."""
    return state.seats[seat].goods[FIRE] > 0 and can_shoot(state, seat) and may_attack(state, seat, other)


@rule
def can_send(state, seat, other):
    """7.5: a Disciple at home."""
    return state.seats[seat].spots[HOME] > 0 and may_attack(state, seat, other)


# --- Targets (guide 7.7, 7.8) --------------------------------------------------------------


@rule
def is_land_open(state, victim):
    """7.8: Farmland can be hit when no guard stands there, or by surprise (12.9)."""
    them = state.seats[victim]
    return state.is_surprise == 1 or them.spots[LAND_SOLDIER] + them.spots[LAND_FARMER] == 0


@rule
def is_card_open(state, victim, slot):
    """7.8: so can a card."""
    them = state.seats[victim]
    return state.is_surprise == 1 or them.posts[GUARD_SOLDIERS, slot] + them.posts[GUARD_FARMERS, slot] == 0


@rule
def is_trap_open(state, victim, hole):
    """7.8: and a Trap."""
    return state.is_surprise == 1 or state.seats[victim].trap_guards[hole] == 0


@rule
def can_hit_unit(state, seat, victim, spot):
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
def hits_things(state, seat):
    """7.6: a guard that may only kill visiting Disciples cannot touch Farmland or cards."""
    return state.weapon != GUARD_WEAPON or state.seats[seat].works[TROOPS] > 0


@rule
def allow_targets(box, state, seat, out):
    """7.7: what can be hit; a guard stands for what is behind it; equal things once."""
    for victim in range(SEATS):
        if may_attack(state, seat, victim):
            them = state.seats[victim]
            if hits_things(state, seat):
                if is_land_open(state, victim):
                    allow(out, A_HIT_LAND + victim)
                for slot in range(them.n_table):
                    if not is_like_earlier(state, victim, slot):
                        if is_card_open(state, victim, slot):
                            allow(out, A_HIT_CARD + victim * SLOTS + slot)
                        allow_card_units(state, seat, victim, slot, out)
                for hole in range(them.n_traps):
                    if not is_trap_like_earlier(box, state, victim, hole, False):
                        if is_trap_open(state, victim, hole):
                            allow(out, A_HIT_TRAP + victim * HOLES + hole)
                        if them.trap_guards[hole] > 0:
                            allow(out, A_UNIT + victim * N_SPOTS + TRAP_SOLDIER + hole)
            for spot in range(RETURNING):
                if them.spots[spot] > 0 and can_hit_unit(state, seat, victim, spot):
                    allow(out, A_UNIT + victim * N_SPOTS + spot)


@rule
def allow_card_units(state, seat, victim, slot, out):
    """7.7: the units on one Table card."""
    first = A_UNIT + victim * N_SPOTS
    for start in (CARD_SOLDIER, CARD_FARMER, CARD_WORKER):
        if can_hit_unit(state, seat, victim, start + slot):
            allow(out, first + start + slot)


# --- The attack step (guide 7.1) --------------------------------------------------------------


@rule
def has_attack(state, seat):
    """7.1: is there anything to attack with, and anybody to attack?"""
    if not has_victim(state, seat):
        return False
    me = state.seats[seat]
    for weapon in range(3):
        if can_ready(state, seat, weapon):
            return True
    return me.spots[HOME] > 0 or (can_guards_strike(state, seat) and has_guard(state, seat))


@rule
def has_guard(state, seat):
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
def allow_attacks(box, state, seat, out):
    """7: the weapons at hand, Fire, Disciples to send, and an end to it."""
    me = state.seats[seat]
    allow(out, A_END_ATTACK)
    if not has_victim(state, seat):
        return
    for weapon in range(3):
        if can_ready(state, seat, weapon):
            allow(out, A_READY + weapon)
    for other in range(SEATS):
        if can_hurl(state, seat, other):
            allow(out, A_HURL + other)
        if can_send(state, seat, other):
            allow(out, A_SEND + other)
    if can_guards_strike(state, seat):
        if me.spots[LAND_SOLDIER] > state.acted_land:
            allow(out, A_STRIKE_LAND)
        for slot in range(me.n_table):
            if me.posts[GUARD_SOLDIERS, slot] > state.acted_card[slot]:
                allow(out, A_STRIKE_CARD + slot)
        for hole in range(me.n_traps):
            if me.trap_guards[hole] > state.acted_trap[hole]:
                allow(out, A_STRIKE_TRAP + hole)


@rule
def do_ready(state, seat, weapon):
    """7.1: with this weapon; the target comes next."""
    state.weapon = weapon
    ask(state, TARGET, seat)


@rule
def do_strike(state, seat, spot):
    """7.6, 12.4: with a Soldier on guard at this spot."""
    state.weapon = GUARD_WEAPON
    state.weapon_spot = spot
    ask(state, TARGET, seat)


@rule
def do_hurl(box, state, events, seat, other):
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
    tell(events, HURLED, seat, other)
    go_on(state)


@rule
def do_send(state, events, seat, other):
    """7.5: a Disciple visits an opponent's board."""
    me = state.seats[seat]
    me.spots[HOME] -= 1
    me.spots[VISITING + other] += 1
    me.praying = min(me.praying, me.spots[HOME])
    stir(state)
    tell(events, SENT, seat, other)
    go_on(state)


@rule
def after_hit(box, state, events, seat, victim, is_fight):
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
def fall(box, state, events, seat, spot):
    """7.9: the Soldier that attacks a Soldier falls as well; a loss of its owner's own making (12.10)."""
    remove_unit(box, state, seat, spot)
    note_loss(box, state, seat, 1, NOBODY)
    tell(events, FELL, seat)


@rule
def note_act(state):
    """7.6: this guard has acted in this turn."""
    spot = state.weapon_spot
    if spot == LAND_SOLDIER:
        state.acted_land += 1
    elif spot < CARD_FARMER:
        state.acted_card[spot - CARD_SOLDIER] += 1
    else:
        state.acted_trap[spot - TRAP_SOLDIER] += 1


@rule
def is_fight_at(state, unit, spot):
    """7.9: a Soldier that attacks a Soldier, or a Farmer on guard, falls with it."""
    if state.job == LIFE_JOB or (state.weapon != SOLDIER_WEAPON and state.weapon != GUARD_WEAPON):
        return False
    return unit == SOLDIER or spot == LAND_FARMER or CARD_FARMER <= spot < CARD_WORKER


@rule
def do_hit_unit(box, state, events, seat, victim, spot):
    """7.7: a unit is removed."""
    unit = kill(box, state, events, victim, spot, seat)
    tell(events, DESTROYED, seat, 1, unit, victim)
    after_hit(box, state, events, seat, victim, is_fight_at(state, unit, spot))


@rule
def do_hit_land(box, state, events, seat, victim):
    """7.7: a Farmland is destroyed."""
    destroy_land(box, state, events, seat, victim)
    after_hit(box, state, events, seat, victim, False)


@rule
def do_hit_card(box, state, events, seat, victim, slot):
    """7.7: a Table card is destroyed."""
    destroy_card(box, state, events, seat, victim, slot)
    after_hit(box, state, events, seat, victim, False)


@rule
def do_hit_trap(box, state, events, seat, victim, hole):
    """7.7: a Trap is destroyed."""
    destroy_trap(box, state, events, seat, victim, hole)
    after_hit(box, state, events, seat, victim, False)


# --- Life or Death (guide 12.11) ---------------------------------------------------------------


@rule
def proceed_life(state, seat):
    """12.11: until every blow is struck."""
    for other in range(SEATS):
        if may_attack(state, seat, other):
            ask(state, TARGET, seat)
            return
    end_job(state)


# --- Defenseless Karma (guide 12.10) -------------------------------------------------------------


@rule
def struck(state):
    """12.10: whom the owner of the Trap strikes: the seat through whom the last of its losses went."""
    return int(state.robber[state.victim])


@rule
def start_karma(box, state, events, seat):
    """12.10: first the Farmland, then things of one's choice."""
    card = spring(box, state, events, seat, KARMA)
    state.lost[seat] = 0
    start_job(state, KARMA_JOB, card)
    state.victim = seat
    state.left = box.card[card].n_times
    for _ in range(box.card[card].land):
        if state.seats[struck(state)].goods[FARMLAND] > 0:
            destroy_land(box, state, events, seat, struck(state))


@rule
def has_anything(state, seat):
    """12.10: is there anything on the seat's board that could be struck?"""
    for token in range(TOKENS):
        if state.seats[seat].goods[token] > 0:
            return True
    return n_units(state, seat) + state.seats[seat].n_table + state.seats[seat].n_traps > 0


@rule
def proceed_karma(state):
    """12.10: the Trap's owner strikes until nothing is left to strike with or at."""
    if state.left > 0 and has_anything(state, struck(state)):
        ask(state, STRIKE_BACK, int(state.victim))
    else:
        end_job(state)


@rule
def allow_karma(box, state, out):
    """12.10: anything on the attacker's board, guards or not: Farmland, tokens, units, Table cards, Traps."""
    victim = struck(state)
    them = state.seats[victim]
    if them.goods[FARMLAND] > 0:
        allow(out, A_HIT_LAND + victim)
    for token in range(FARMLAND + 1, TOKENS):
        if them.goods[token] > 0:
            allow(out, A_STRIP + token)
    allow_units(box, state, victim, out, True)
    for slot in range(them.n_table):
        if not is_like_earlier(state, victim, slot):
            allow(out, A_HIT_CARD + victim * SLOTS + slot)
    for hole in range(them.n_traps):
        if not is_trap_like_earlier(box, state, victim, hole, False):
            allow(out, A_HIT_TRAP + victim * HOLES + hole)


@rule
def do_karma_unit(box, state, events, seat, spot):
    """12.10: a unit, wherever it is."""
    victim = struck(state)
    unit = kill(box, state, events, victim, spot, seat)
    tell(events, DESTROYED, seat, 1, unit, victim)
    state.left -= 1
    go_on(state)


@rule
def do_strip(box, state, events, seat, token):
    """12.10: a loose token."""
    victim = struck(state)
    state.seats[victim].goods[token] -= 1
    note_loss(box, state, victim, 1, seat)
    tell(events, DESTROYED, seat, 1, token, victim)
    state.left -= 1
    go_on(state)
