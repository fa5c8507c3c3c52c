"""Building units and posting them (guide 5 and 6)."""

from __future__ import annotations

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.games.warfarm.box import (
    CANNON,
    CARD_FARMER,
    CARD_SOLDIER,
    CARD_WORKER,
    CONSCRIPTION,
    EXPLORER,
    FARMER,
    FIELD,
    FOUNDRY,
    GOODS,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    HOME_SPOT,
    LAND_FARMER,
    LAND_SOLDIER,
    MOST_GUARDS,
    RESERVE,
    SOLDIER,
    TOKENS,
    TRAP_SOLDIER,
    WORKERS,
)
from sutler.games.warfarm.rules.common import (
    A_ARM_CARD,
    A_ARM_LAND,
    A_BUILD,
    A_END_BUILD,
    A_END_POSTS,
    A_END_RECALL,
    A_EXTINGUISH,
    A_GUARD_CARD,
    A_GUARD_LAND,
    A_GUARD_TRAP,
    A_RECALL_CARD,
    A_RECALL_LAND,
    A_RECALL_TRAP,
    A_WORK,
    BUILT,
    POSTED,
    POSTED_ON,
    POSTED_TRAP,
    RECALLED,
    add_units,
    ask,
    clear_slot,
    enter,
    go_on,
    own_spot_of,
    remove_unit,
    stir,
)
from sutler.games.warfarm.rules.play import can_extinguish, is_like_earlier, is_trap_like_earlier
from sutler.games.warfarm.state import ATTACKING, POST, RECALL

# --- Building (guide 5) -------------------------------------------------------------


@rule
def has_tokens_for(box, state, seat, unit):
    """5.1: the tokens that go into a unit."""
    for token in range(TOKENS):
        if state.seats[seat].goods[token] < box.rules.recipes[unit - TOKENS, token]:
            return False
    return True


@rule
def can_build(box, state, seat, unit):
    """5.1, 5.2: the tokens, and a Farmer; for a Cannon the Cannon card instead."""
    me = state.seats[seat]
    if not has_tokens_for(box, state, seat, unit):
        return False
    if unit == CANNON:
        return me.works[FOUNDRY] > 0
    return me.goods[FARMER] > 0


@rule
def do_build(box, state, events, seat, unit):
    """5.1: a Farmer and tokens become a unit, which is at home."""
    for token in range(TOKENS):
        state.seats[seat].goods[token] -= box.rules.recipes[unit - TOKENS, token]
    if unit != CANNON:
        remove_unit(box, state, seat, own_spot_of(box, state, seat, FARMER))
    add_units(state, seat, unit, 1)
    if unit == SOLDIER:
        state.n_built += 1
    stir(state)
    tell(events, BUILT, seat, 1, unit)
    go_on(state)


@rule
def has_something_to_build(box, state, seat):
    """5.1, 4.9: is there a unit to build or a Fire to put out?"""
    for unit in range(EXPLORER, GOODS):
        if can_build(box, state, seat, unit):
            return True
    return can_extinguish(box, state, seat)


@rule
def allow_building(box, state, seat, out):
    """5: what can be built."""
    for unit in range(EXPLORER, GOODS):
        if can_build(box, state, seat, unit):
            allow(out, A_BUILD + unit - EXPLORER)
    if can_extinguish(box, state, seat):
        allow(out, A_EXTINGUISH)
    allow(out, A_END_BUILD)


# --- Posts (guide 6) ------------------------------------------------------------------


@rule
def n_on_land(state, seat):
    """6.2: guards at the Farmland."""
    return state.seats[seat].spots[LAND_SOLDIER] + state.seats[seat].spots[LAND_FARMER]


@rule
def n_on_card(state, seat, slot):
    """6.1: units on a Table card."""
    me = state.seats[seat]
    return me.posts[GUARD_SOLDIERS, slot] + me.posts[GUARD_FARMERS, slot] + me.posts[WORKERS, slot]


@rule
def has_posts(state, seat):
    """6.1: does anybody stand on a post?"""
    if n_on_land(state, seat) > 0:
        return True
    for slot in range(state.seats[seat].n_table):
        if n_on_card(state, seat, slot) > 0:
            return True
    for hole in range(state.seats[seat].n_traps):
        if state.seats[seat].trap_guards[hole] > 0:
            return True
    return False


@rule
def do_recall_land(state, events, seat):
    """6.1: the guards at the Farmland come home."""
    me = state.seats[seat]
    tell(events, RECALLED, seat, n_on_land(state, seat))
    me.spots[RESERVE] += me.spots[LAND_SOLDIER]
    me.spots[FIELD] += me.spots[LAND_FARMER]
    me.spots[LAND_SOLDIER] = 0
    me.spots[LAND_FARMER] = 0
    go_on(state)


@rule
def do_recall_card(box, state, events, seat, slot):
    """6.1: whoever stands on this card comes home."""
    tell(events, RECALLED, seat, n_on_card(state, seat, slot))
    clear_slot(box, state, seat, slot)
    go_on(state)


@rule
def do_recall_trap(state, events, seat, hole):
    """6.1: the guards of a Trap come home."""
    me = state.seats[seat]
    tell(events, RECALLED, seat, me.trap_guards[hole])
    me.spots[RESERVE] += me.trap_guards[hole]
    me.trap_guards[hole] = 0
    go_on(state)


@rule
def may_arm(state, seat):
    """6.4: Farmers guard only with Conscription Reform."""
    return state.seats[seat].works[CONSCRIPTION] > 0 and state.seats[seat].spots[FIELD] > 0


@rule
def can_work(box, state, seat, slot):
    """6.3: is there a free place for a worker on the card, and one at home to take it?"""
    me = state.seats[seat]
    one = box.card[me.table[slot]]
    if me.posts[WORKERS, slot] >= one.n_workers:
        return False
    return me.spots[HOME_SPOT[one.worker - FARMER]] > 0


@rule
def has_something_to_post(box, state, seat):
    """6.1: is there a Soldier in reserve, a Farmer who may guard, or a place for a worker?"""
    if state.seats[seat].spots[RESERVE] > 0 or may_arm(state, seat):
        return True
    for slot in range(state.seats[seat].n_table):
        if can_work(box, state, seat, slot):
            return True
    return False


@rule
def do_post(box, state, events, seat, spot):
    """6.2 to 6.4: one unit leaves home for a post."""
    me = state.seats[seat]
    go_on(state)
    if spot == LAND_SOLDIER:
        me.spots[RESERVE] -= 1
        me.spots[LAND_SOLDIER] += 1
    elif spot == LAND_FARMER:
        me.spots[FIELD] -= 1
        me.spots[LAND_FARMER] += 1
    elif spot < CARD_FARMER:
        me.spots[RESERVE] -= 1
        me.posts[GUARD_SOLDIERS, spot - CARD_SOLDIER] += 1
        tell(events, POSTED_ON, seat, 1, SOLDIER, me.table[spot - CARD_SOLDIER])
    elif spot < CARD_WORKER:
        me.spots[FIELD] -= 1
        me.posts[GUARD_FARMERS, spot - CARD_FARMER] += 1
        tell(events, POSTED_ON, seat, 1, FARMER, me.table[spot - CARD_FARMER])
    else:
        me.spots[RESERVE] -= 1
        me.trap_guards[spot - TRAP_SOLDIER] += 1
        tell(events, POSTED_TRAP, seat, 1, SOLDIER)
    if spot == LAND_SOLDIER or spot == LAND_FARMER:
        tell(events, POSTED, seat, spot)


@rule
def do_work(box, state, events, seat, slot):
    """6.3: one worker goes on the card."""
    me = state.seats[seat]
    worker = int(box.card[me.table[slot]].worker)
    me.spots[HOME_SPOT[worker - FARMER]] -= 1
    me.posts[WORKERS, slot] += 1
    tell(events, POSTED_ON, seat, 1, worker, me.table[slot])
    go_on(state)


@rule
def proceed_posts(box, state, events, seat):
    """6.1: first call in whoever shall stand elsewhere, then post whoever is at home."""
    if state.part == 0 and has_posts(state, seat):
        ask(state, RECALL, seat)
    elif has_something_to_post(box, state, seat) and state.part < 2:
        state.part = 1
        ask(state, POST, seat)
    else:
        enter(state, ATTACKING)


@rule
def allow_recalls(state, seat, out):
    """6.1: whom one can call in; equal cards with equal posts once."""
    me = state.seats[seat]
    if n_on_land(state, seat) > 0:
        allow(out, A_RECALL_LAND)
    for slot in range(me.n_table):
        if n_on_card(state, seat, slot) > 0 and not is_like_earlier(state, seat, slot):
            allow(out, A_RECALL_CARD + slot)
    for hole in range(me.n_traps):
        if me.trap_guards[hole] > 0:
            allow(out, A_RECALL_TRAP + hole)
    allow(out, A_END_RECALL)


@rule
def allow_posts(box, state, seat, out):
    """6.2 to 6.4: where units at home can stand; equal cards with equal posts once."""
    me = state.seats[seat]
    has_soldier = me.spots[RESERVE] > 0
    has_farmer = may_arm(state, seat)
    if has_soldier:
        allow(out, A_GUARD_LAND)
    if has_farmer:
        allow(out, A_ARM_LAND)
    for slot in range(me.n_table):
        if not is_like_earlier(state, seat, slot):
            if has_soldier and me.posts[GUARD_SOLDIERS, slot] < MOST_GUARDS:
                allow(out, A_GUARD_CARD + slot)
            if has_farmer and me.posts[GUARD_FARMERS, slot] < MOST_GUARDS:
                allow(out, A_ARM_CARD + slot)
            if can_work(box, state, seat, slot):
                allow(out, A_WORK + slot)
    if has_soldier:
        for hole in range(me.n_traps):
            if me.trap_guards[hole] < MOST_GUARDS and not is_trap_like_earlier(box, state, seat, hole, True):
                allow(out, A_GUARD_TRAP + hole)
    allow(out, A_END_POSTS)
