"""Abilities, campaign effects and slots (guide 9.4, 9.9, 9.11): what they cost, when they are of use, and using them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.sixwinters.box import ABILITIES, EFFECTS, FACES, PAY, POOL, RES, SLOTS, SPY_LEVEL
from sutler.games.sixwinters.cards.vocabulary import DO, ESPIONAGE, WHO, operation
from sutler.games.sixwinters.phases_actions_events import A, E, P, R
from sutler.games.sixwinters.rules.actions import (
    BY_ABILITY,
    acting,
    can_afford_beside,
    is_barred_way,
    is_of_use,
    pools_serve,
    serves_as_die,
)
from sutler.games.sixwinters.rules.common import (
    KIND,
    ability_row,
    has_ability,
    is_in,
    no_options,
    offer,
    on_frame,
    pool_size,
    pop,
    push,
    seat_for,
    threat_level,
)
from sutler.games.sixwinters.rules.effects.ability import OWN_DICE
from sutler.games.sixwinters.rules.effects.dice import pool_total
from sutler.games.sixwinters.rules.effects.who import any_option_brings, brings
from sutler.games.sixwinters.rules.heroes import pay_stress
from sutler.games.sixwinters.rules.land import difficulty, is_in_play, matches

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.sixwinters.records import Box, Frame, Op, State


# --- Who uses it (guide 9.4) ------------------------------------------------------------------------


@rule
def user(state: State, seat: int) -> int:
    """9.4: the character that may use abilities now: the acting one, or whoever sets its dice in an overcome."""
    if state.over.obstacle != NOBODY and state.phase != P.act:
        h = int(state.over.leader)
        for other in range(state.n_heroes):
            if state.over.joined >> other & 1 and not state.over.asked >> other & 1:
                h = other
                break
        if is_in(state, h) and state.heroes[h].seat == seat:
            return h
        return NOBODY
    return acting(state, seat)


# --- Paying (guide 9.4) ------------------------------------------------------------------------------


@rule
def why_not_pay_ability(box: Box, state: State, h: int, k: int, source: int) -> int:
    """9.4: a die of the kind and value asked for: an unspent action die, or an asset at the character's place."""
    one = box.character[state.heroes[h].character].ability[k]
    v = source % FACES
    if one.value > 0 and v + 1 != one.value:
        return R.cannot_pay
    if source < FACES:
        if one.pay != PAY.die or state.seats[state.heroes[h].seat].dice[source] == 0:
            return R.cannot_pay
    elif source < POOL:
        r = (source - FACES) // FACES
        if state.assets[state.heroes[h].slot, r, v] == 0 or (one.resource >= 0 and one.resource != r):
            return R.cannot_pay
    else:
        r = (source - POOL) // FACES
        if one.pay != PAY.die or state.pools[r, v] == 0:
            return R.cannot_pay
        if not serves_as_die(box, state, r, int(state.heroes[h].slot)):
            return R.cannot_pay
    if not pays_off(box, state, h, box.ops[one.effect.first], source):
        return R.to_no_avail
    return 0


@rule
def pays_off(box: Box, state: State, h: int, op: Op, source: int) -> bool:
    """14.73: would this very die bring something: a value that there is, and dice left in the supply?"""
    v = source % FACES + 1
    if op.op == DO.move_character:
        return finds_way(box, state, h, op, source)
    if op.op == DO.shift:
        if not 1 <= v + op.by <= FACES:
            return False
    elif op.op == DO.split:
        if v < 2:
            return False
    elif op.op == DO.reroll or op.op == DO.explode:
        return leaves_dice(state, h, op, source)
    if FACES <= source < POOL and (op.op == DO.shift or op.op == DO.split or op.op == DO.flip or op.op == DO.convert):
        due = 1
        if op.op == DO.split:
            due = 2
        elif op.op == DO.convert:
            due = 0
            for i in range(FACES):
                if op.faces[i] > 0:
                    due += 1
        return state.in_play[(source - FACES) // FACES] + due <= box.rules.dice_each
    return True


@rule
def leaves_dice(state: State, h: int, op: Op, source: int) -> bool:
    """14.73: are there dice to roll, beside the one that is paid? To explode, dice of the value."""
    one = state.heroes[h]
    for v in range(FACES):
        if op.op == DO.reroll or v + 1 == op.value:
            n = 0
            if op.pools >> OWN_DICE & 1:
                n += state.seats[one.seat].dice[v]
            if op.pools >> 1 & 1:
                for r in range(RES):
                    n += state.assets[one.slot, r, v]
            if source < POOL and source % FACES == v:
                n -= 1
            if n > 0:
                return True
    return False


@rule
def can_pay(box: Box, state: State, h: int, k: int) -> bool:
    """9.4: is there anything to pay an ability with, that would bring something?"""
    one = box.character[state.heroes[h].character].ability[k]
    if one.pay == PAY.stress or one.pay == PAY.none:
        return True
    slot, seat = int(state.heroes[h].slot), int(state.heroes[h].seat)
    with_pools = pools_serve(box, state)
    for v in range(FACES):  # dice that are there, of the value asked for: few of all that could be
        if one.value == 0 or one.value == v + 1:
            if state.seats[seat].dice[v] > 0 and why_not_pay_ability(box, state, h, k, v) == 0:
                return True
            for r in range(RES):
                code = r * FACES + v
                if state.assets[slot, r, v] > 0 and why_not_pay_ability(box, state, h, k, FACES + code) == 0:
                    return True
                if with_pools and state.pools[r, v] > 0 and why_not_pay_ability(box, state, h, k, POOL + code) == 0:
                    return True
    return False


@rule
def finds_target(box: Box, state: State, h: int, op: Op) -> bool:
    """14.73: is there a way to go, a character to fetch, a die to take?"""
    if op.op == DO.move_character:
        return finds_way(box, state, h, op, NOBODY)
    if op.op == DO.add_asset:
        return state.in_play[op.resource] < box.rules.dice_each
    if op.op == DO.pool_to_action_die:
        return pool_size(state, op.resource) > 0
    if op.op == DO.change_asset:
        for r in range(RES):
            if op.resources >> r & 1 and state.in_play[r] < box.rules.dice_each:
                return True
        return False
    return True


@rule
def finds_way(box: Box, state: State, h: int, op: Op, source: int) -> bool:
    """14.54, 14.69: a place to go to, with a way out that is paid without the die `source`; or somebody to fetch."""
    at = int(state.heroes[h].slot)
    if op.who == WHO.other:
        for other in range(state.n_heroes):
            if other != h and is_in(state, other) and state.heroes[other].slot != at:
                return True
        return False
    for slot in range(SLOTS):
        fits = op.places == 0 or box.location[state.location_at[slot]].tags & op.places != 0
        if op.slots >> slot & 1 and fits and slot != at and not is_barred_way(box, state, at, slot):
            if can_afford_beside(box, state, h, slot, BY_ABILITY, source):
                return True
    return False


@rule
def why_not_ability(box: Box, state: State, seat: int, k: int) -> int:
    """9.4: of those who may use one now."""
    h = user(state, seat)
    if h == NOBODY:
        return R.is_out
    return why_not_use(box, state, h, k)


@rule
def why_not_use(box: Box, state: State, h: int, k: int) -> int:
    """9.4: the character has it, no die lies on it, and it can be paid and would do something."""
    if not has_ability(box, state, h, k):
        return R.no_ability
    one = box.character[state.heroes[h].character].ability[k]
    op = box.ops[one.effect.first]
    if one.pay == PAY.slot or one.effect.n == 0 or op.op == DO.absorb_stress:
        return R.no_ability
    if state.heroes[h].used[k] > 0:
        return R.used_already
    if not finds_target(box, state, h, op) or not is_of_use(box, state, one.effect, h):
        return R.to_no_avail
    if not can_pay(box, state, h, k):
        return R.cannot_pay
    return 0


@rule
def allow_ability(box: Box, state: State, seat: int, out: Legal) -> None:
    """9.4: those that the character has."""
    h = user(state, seat)
    if h != NOBODY:
        for k in range(ABILITIES):
            if why_not_use(box, state, h, k) == 0:
                allow(out, A.ability + k)


@rule
def do_ability(box: Box, state: State, events: Events, seat: int, k: int) -> None:
    """9.4: pay, then it happens."""
    h = user(state, seat)
    f = push(state, KIND.ability, 0, 1, h)
    state.frames[f].chosen = k
    state.frames[f].slot = state.heroes[h].slot
    c = int(state.heroes[h].character)
    tell(events, E.used, c, k + 1, c * ABILITIES + k)
    go_on(state)


@on_frame("ability")
@rule
def step_ability(box: Box, state: State, events: Events, frame: Frame) -> None:
    """9.4: the price first, then the effect."""
    h, k = int(frame.hero), int(frame.chosen)
    one = box.character[state.heroes[h].character].ability[k]
    if frame.step == 0:
        frame.step = 1
        if one.pay == PAY.stress:
            pay_stress(box, state, events, h, int(one.track), int(one.amount))
        elif one.pay != PAY.none:
            no_options(state)
            for source in range(78):
                if why_not_pay_ability(box, state, h, k, source) == 0:
                    offer(state, source)
            ask(state, P.pay, seat_for(state, h))
    elif frame.step == 1:
        frame.step = 2
        if is_in(state, h):
            paid = int(frame.paid)
            slot = int(frame.slot)
            inner = push(state, KIND.ops, int(one.effect.first), int(one.effect.n), h)
            state.frames[inner].slot = slot
            state.frames[inner].paid = paid
    else:
        pop(state)


@rule
def pay_ability(state: State, events: Events, f: int, source: int) -> None:
    """9.4: the die lies on the ability until the refresh; a pool die counts as an action die, itself it is spent (14.57)."""
    frame = state.frames[f]
    one = state.heroes[frame.hero]
    frame.paid = source
    tell(events, E.paid, one.character, source)
    if source < FACES:
        state.seats[one.seat].dice[source] -= 1
    elif source < POOL:
        state.assets[one.slot, (source - FACES) // FACES, source % FACES] -= 1
    else:
        r = (source - POOL) // FACES
        state.pools[r, source % FACES] -= 1
        state.in_play[r] -= 1
        frame.paid = source % FACES
    one.used[frame.chosen] = frame.paid + 1


# --- Campaign effects (guide 9.11) ---------------------------------------------------------------


@rule
def why_not_effect(box: Box, state: State, seat: int, k: int) -> int:
    """9.11: gained, not one that merely holds, and with what it costs at hand."""
    h = user(state, seat)
    if h == NOBODY:
        return R.is_out
    if not state.effects >> k & 1 or k >= box.n_effects:
        return R.not_gained
    effect = box.effect[k]
    if effect.n == 0:
        return R.to_no_avail
    op = box.ops[effect.first]
    slot = int(state.heroes[h].slot)
    if op.op == DO.exchange_assets:
        n = 0
        for v in range(FACES):
            n += state.assets[slot, op.resource, v]
        if n < op.count_of or state.in_play[op.gain] + op.gains > box.rules.dice_each:
            return R.cannot_pay
        return 0
    if op.op == DO.pay_asset:
        if state.assets[slot, op.resource, op.value - 1] == 0:
            return R.cannot_pay
        then = box.ops[effect.first + 1]
        if effect.n > 1 and not (brings(box, state, then, NOBODY) and serves(box, state, then)):
            return R.to_no_avail
        return 0
    if op.op == DO.pay_pool:
        return why_not_pay_pool(box, state, op, box.ops[effect.first + 1])
    if op.op == DO.trade_two_for_one:
        for r in range(RES):
            if pool_size(state, r) >= 2:
                return 0
        return R.cannot_pay
    return R.to_no_avail


@rule
def serves(box: Box, state: State, op: Op) -> bool:
    """14.73: of several options, would one change anything? What is no choice is not asked."""
    return op.n_options <= 1 or any_option_brings(box, state, op, NOBODY)


@rule
def allow_effect(box: Box, state: State, seat: int, out: Legal) -> None:
    """9.11: most campaigns have gained none."""
    if state.effects != 0:
        for k in range(EFFECTS):
            if state.effects >> k & 1 and why_not_effect(box, state, seat, k) == 0:
                allow(out, A.effect + k)


@rule
def why_not_pay_pool(box: Box, state: State, op: Op, aim: Op) -> int:
    """14.28: pool dice enough, and an obstacle to spend them on."""
    due = int(op.count_of)
    if due == SPY_LEVEL:
        due = threat_level(box, state, ESPIONAGE)
    if op.price == 0 and pool_size(state, op.resource) < due:
        return R.cannot_pay
    for card in range(box.n_obstacles):
        if is_in_play(state, card) and matches(box, state, card, aim.tags, aim.threat, aim.skill):
            if op.price == 0 or difficulty(box, state, card) < pool_total(state, op.resource):
                return 0
    return R.to_no_avail


@rule
def do_effect(box: Box, state: State, events: Events, seat: int, k: int) -> None:
    """9.11: it happens."""
    h = user(state, seat)
    f = push(state, KIND.ops, int(box.effect[k].first), int(box.effect[k].n), h)
    state.frames[f].slot = state.heroes[h].slot
    tell(events, E.effect_used, state.heroes[h].character, k)
    go_on(state)


MOST_STASHING = 6  # how often a slot is used in a turn: enough for any purpose, and never without end


@operation("stash", needs="resource count", tags="ability", runs=False)
@rule
def why_not_slot(box: Box, state: State, seat: int, k: int) -> int:
    """9.9: an ability that is a slot."""
    h = user(state, seat)
    if h == NOBODY:
        return R.is_out
    return why_not_slot_of(box, state, h, k)


@rule
def why_not_slot_of(box: Box, state: State, h: int, k: int) -> int:
    """9.9: a slot of this character, used less than six times in the turn."""
    if box.options.stash == 0 or not has_ability(box, state, h, k):
        return R.no_ability
    if box.ops[ability_row(box, state, h, k)].op != DO.stash:
        return R.no_ability
    if state.heroes[h].stashed[k] >= MOST_STASHING:
        return R.enough_stashing
    return 0


@rule
def n_in_slots(box: Box, state: State, h: int) -> int:
    """9.9: the dice that a character may still take off its mat."""
    n = 0
    for k in range(ABILITIES):
        if state.heroes[h].stash[k] > 0 and why_not_slot_of(box, state, h, k) == 0:
            n += 1
    return n


@rule
def slot_resource(box: Box, state: State, h: int, k: int) -> int:
    """9.9: the resource of a slot."""
    return int(box.ops[box.character[state.heroes[h].character].ability[k].effect.first].resource)


@rule
def why_not_stash(box: Box, state: State, seat: int, k: int, v: int) -> int:
    """9.9: an asset of the slot's resource here, and the slot empty."""
    reason = why_not_slot(box, state, seat, k)
    if reason != 0:
        return reason
    h = user(state, seat)
    if state.heroes[h].stash[k] > 0:
        return R.slot_full
    if state.assets[state.heroes[h].slot, slot_resource(box, state, h, k), v] == 0:
        return R.no_asset
    return 0


@rule
def allow_stash(box: Box, state: State, seat: int, out: Legal) -> None:
    """9.9: whether it is a slot is asked once, not for every value."""
    for k in range(ABILITIES):
        if why_not_slot(box, state, seat, k) == 0:
            for v in range(FACES):
                if why_not_stash(box, state, seat, k, v) == 0:
                    allow(out, A.stash + k * FACES + v)


@rule
def do_stash(box: Box, state: State, events: Events, seat: int, k: int, v: int) -> None:
    """9.9: the asset goes onto the mat."""
    h = user(state, seat)
    one = state.heroes[h]
    r = slot_resource(box, state, h, k)
    state.assets[one.slot, r, v] -= 1
    one.stash[k] = r * FACES + v + 1
    one.stashed[k] += 1
    state.n_passes = 0
    tell(events, E.stashed, one.character, r * FACES + v)
    if state.over.obstacle != NOBODY:
        go_on(state)


@rule
def why_not_unstash(box: Box, state: State, seat: int, k: int) -> int:
    """9.9: a die in the slot."""
    reason = why_not_slot(box, state, seat, k)
    if reason == 0 and state.heroes[user(state, seat)].stash[k] == 0:
        return R.slot_empty
    return reason


@rule
def do_unstash(box: Box, state: State, events: Events, seat: int, k: int) -> None:
    """9.9: the die becomes an asset here."""
    one = state.heroes[user(state, seat)]
    code = int(one.stash[k]) - 1
    one.stash[k] = 0
    one.stashed[k] += 1
    state.assets[one.slot, code // FACES, code % FACES] += 1
    state.n_passes = 0
    tell(events, E.unstashed, one.character, code, state.location_at[one.slot])
    if state.over.obstacle != NOBODY:
        go_on(state)
