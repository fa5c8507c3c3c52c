"""Posting units (guide 6): calling in, standing guard, going to work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.warfarm.box import (
    CARD_FARMER,
    CARD_SOLDIER,
    CARD_WORKER,
    CONSCRIPTION,
    FARMER,
    FIELD,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    HOME_SPOT,
    LAND_FARMER,
    LAND_SOLDIER,
    MOST_GUARDS,
    RESERVE,
    TRAP_SOLDIER,
    WORKERS,
)
from sutler.games.warfarm.phases_actions_events import A, E, P, R
from sutler.games.warfarm.rules.cards import clear_slot, is_like_earlier, is_trap_like_earlier
from sutler.games.warfarm.rules.common import enter
from sutler.games.warfarm.rules.goods import move_at
from sutler.games.warfarm.state import ATTACKING

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.warfarm.records import Box, State

# --- Who stands where (guide 6.1) ------------------------------------------------------


@rule
def n_on_land(state: State, seat: int) -> int:
    """6.2: guards at the Farmland."""
    return state.seats[seat].spots[LAND_SOLDIER] + state.seats[seat].spots[LAND_FARMER]


@rule
def n_on_card(state: State, seat: int, slot: int) -> int:
    """6.1: units on a Table card."""
    me = state.seats[seat]
    return me.posts[GUARD_SOLDIERS, slot] + me.posts[GUARD_FARMERS, slot] + me.posts[WORKERS, slot]


@rule
def has_posts(state: State, seat: int) -> bool:
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
def has_something_to_post(box: Box, state: State, seat: int) -> bool:
    """6.1: is there a Soldier in reserve, a Farmer who may guard, or a place for a worker?"""
    if state.seats[seat].spots[RESERVE] > 0 or why_not_farmer(state, seat) == R.fine:
        return True
    for slot in range(state.seats[seat].n_table):
        if can_work(box, state, seat, slot):
            return True
    return False


@rule
def proceed_posts(box: Box, state: State, events: Events, seat: int) -> None:
    """6.1: first call in whoever shall stand elsewhere, then post whoever is at home."""
    if state.part == 0 and has_posts(state, seat):
        ask(state, P.recall, seat)
    elif has_something_to_post(box, state, seat) and state.part < 2:
        state.part = 1
        ask(state, P.post, seat)
    else:
        enter(state, ATTACKING)


@rule
def can_work(box: Box, state: State, seat: int, slot: int) -> bool:
    """6.3: is there a free place for a worker on the card, and one at home to take it?"""
    return why_not_work(box, state, seat, slot) == R.fine


# --- Calling in (guide 6.1) --------------------------------------------------------------


@rule
def why_not_recall_land(box: Box, state: State, seat: int) -> int:
    """6.1: somebody stands there."""
    if n_on_land(state, seat) == 0:
        return R.empty_post
    return R.fine


@rule
def do_recall_land(box: Box, state: State, events: Events, seat: int) -> None:
    """6.1: the guards at the Farmland come home."""
    me = state.seats[seat]
    for spot in (LAND_SOLDIER, LAND_FARMER):
        if me.spots[spot] > 0:
            tell(events, E.recalled, seat, me.spots[spot], spot)
    me.spots[RESERVE] += me.spots[LAND_SOLDIER]
    me.spots[FIELD] += me.spots[LAND_FARMER]
    me.spots[LAND_SOLDIER] = 0
    me.spots[LAND_FARMER] = 0
    go_on(state)


@rule
def why_not_recall_card(box: Box, state: State, seat: int, slot: int) -> int:
    """6.1: somebody stands on it; of equal cards the first."""
    if slot >= state.seats[seat].n_table or n_on_card(state, seat, slot) == 0:
        return R.empty_post
    if is_like_earlier(state, seat, slot):
        return R.alike
    return R.fine


@rule
def allow_recall_card(box: Box, state: State, seat: int, out: Legal) -> None:
    """6.1: the same, card by card."""
    for slot in range(state.seats[seat].n_table):
        if why_not_recall_card(box, state, seat, slot) == R.fine:
            allow(out, A.recall_card + slot)


@rule
def do_recall_card(box: Box, state: State, events: Events, seat: int, slot: int) -> None:
    """6.1: whoever stands on this card comes home."""
    posts = state.seats[seat].posts
    if posts[GUARD_SOLDIERS, slot] > 0:
        tell(events, E.recalled, seat, posts[GUARD_SOLDIERS, slot], CARD_SOLDIER + slot)
    if posts[GUARD_FARMERS, slot] > 0:
        tell(events, E.recalled, seat, posts[GUARD_FARMERS, slot], CARD_FARMER + slot)
    if posts[WORKERS, slot] > 0:
        tell(events, E.recalled, seat, posts[WORKERS, slot], CARD_WORKER + slot)
    clear_slot(box, state, seat, slot)
    go_on(state)


@rule
def why_not_recall_trap(box: Box, state: State, seat: int, hole: int) -> int:
    """6.1: somebody guards it."""
    if state.seats[seat].trap_guards[hole] == 0:
        return R.empty_post
    return R.fine


@rule
def allow_recall_trap(box: Box, state: State, seat: int, out: Legal) -> None:
    """6.1: the same, of the Traps that there are."""
    for hole in range(state.seats[seat].n_traps):
        if state.seats[seat].trap_guards[hole] > 0:
            allow(out, A.recall_trap + hole)


@rule
def do_recall_trap(box: Box, state: State, events: Events, seat: int, hole: int) -> None:
    """6.1: the guards of a Trap come home."""
    me = state.seats[seat]
    tell(events, E.recalled, seat, me.trap_guards[hole], TRAP_SOLDIER + hole)
    me.spots[RESERVE] += me.trap_guards[hole]
    me.trap_guards[hole] = 0
    go_on(state)


@rule
def do_end_recall(box: Box, state: State, events: Events, seat: int) -> None:
    """6.1: the others stay; now whoever is at home."""
    state.part = 1
    go_on(state)


# --- Soldiers on guard (guide 6.2) -----------------------------------------------------------


@rule
def why_not_soldier(state: State, seat: int) -> int:
    """6.2: one in reserve."""
    if state.seats[seat].spots[RESERVE] == 0:
        return R.no_reserve
    return R.fine


@rule
def why_not_guard_land(box: Box, state: State, seat: int) -> int:
    """6.2: a Soldier in reserve."""
    return why_not_soldier(state, seat)


@rule
def do_guard_land(box: Box, state: State, events: Events, seat: int) -> None:
    """6.2: it stands at the Farmland."""
    move_at(state, seat, RESERVE, -1)
    move_at(state, seat, LAND_SOLDIER, 1)
    tell(events, E.posted, seat, LAND_SOLDIER)
    go_on(state)


@rule
def why_not_on_card(state: State, seat: int, slot: int, row: int) -> int:
    """1.4, 6.2, 6.4: a card of one's own with room for a guard; of equal ones the first."""
    me = state.seats[seat]
    if slot >= me.n_table:
        return R.no_post
    if me.posts[row, slot] >= MOST_GUARDS:
        return R.full
    if is_like_earlier(state, seat, slot):
        return R.alike
    return R.fine


@rule
def why_not_guard_card(box: Box, state: State, seat: int, slot: int) -> int:
    """6.2: a Soldier in reserve, and a Table card."""
    reason = why_not_soldier(state, seat)
    if reason == R.fine:
        reason = why_not_on_card(state, seat, slot, GUARD_SOLDIERS)
    return reason


@rule
def allow_guard_card(box: Box, state: State, seat: int, out: Legal) -> None:
    """6.2: the same, card by card."""
    for slot in range(state.seats[seat].n_table):
        if why_not_guard_card(box, state, seat, slot) == R.fine:
            allow(out, A.guard_card + slot)


@rule
def do_guard_card(box: Box, state: State, events: Events, seat: int, slot: int) -> None:
    """6.2: it stands on this card."""
    move_at(state, seat, RESERVE, -1)
    move_at(state, seat, CARD_SOLDIER + slot, 1)
    tell(events, E.posted_on, seat, state.seats[seat].table[slot], CARD_SOLDIER + slot)
    go_on(state)


@rule
def why_not_guard_trap(box: Box, state: State, seat: int, hole: int) -> int:
    """6.2: a Soldier in reserve, and a Trap; of equal ones the first."""
    me = state.seats[seat]
    if me.spots[RESERVE] == 0:
        return R.no_reserve
    if hole >= me.n_traps:
        return R.no_post
    if me.trap_guards[hole] >= MOST_GUARDS:
        return R.full
    if is_trap_like_earlier(box, state, seat, hole, True):
        return R.alike
    return R.fine


@rule
def allow_guard_trap(box: Box, state: State, seat: int, out: Legal) -> None:
    """6.2: the same, of the Traps that there are."""
    for hole in range(state.seats[seat].n_traps):
        if why_not_guard_trap(box, state, seat, hole) == R.fine:
            allow(out, A.guard_trap + hole)


@rule
def do_guard_trap(box: Box, state: State, events: Events, seat: int, hole: int) -> None:
    """6.2: it stands on this Trap."""
    move_at(state, seat, RESERVE, -1)
    move_at(state, seat, TRAP_SOLDIER + hole, 1)
    tell(events, E.posted, seat, TRAP_SOLDIER + hole)
    go_on(state)


# --- Farmers on guard (guide 6.4) --------------------------------------------------------------


@rule
def why_not_farmer(state: State, seat: int) -> int:
    """6.4: the Reform, and a Farmer in the field."""
    if state.seats[seat].works[CONSCRIPTION] == 0:
        return R.no_reform
    if state.seats[seat].spots[FIELD] == 0:
        return R.no_field_hand
    return R.fine


@rule
def why_not_arm_land(box: Box, state: State, seat: int) -> int:
    """6.4: a Farmer who may guard."""
    return why_not_farmer(state, seat)


@rule
def do_arm_land(box: Box, state: State, events: Events, seat: int) -> None:
    """6.4: a Farmer stands at the Farmland."""
    move_at(state, seat, FIELD, -1)
    move_at(state, seat, LAND_FARMER, 1)
    tell(events, E.posted, seat, LAND_FARMER)
    go_on(state)


@rule
def why_not_arm_card(box: Box, state: State, seat: int, slot: int) -> int:
    """6.4: a Farmer who may guard, and a Table card."""
    reason = why_not_farmer(state, seat)
    if reason == R.fine:
        reason = why_not_on_card(state, seat, slot, GUARD_FARMERS)
    return reason


@rule
def allow_arm_card(box: Box, state: State, seat: int, out: Legal) -> None:
    """6.4: the same, card by card."""
    for slot in range(state.seats[seat].n_table):
        if why_not_arm_card(box, state, seat, slot) == R.fine:
            allow(out, A.arm_card + slot)


@rule
def do_arm_card(box: Box, state: State, events: Events, seat: int, slot: int) -> None:
    """6.4: a Farmer stands on this card."""
    move_at(state, seat, FIELD, -1)
    move_at(state, seat, CARD_FARMER + slot, 1)
    tell(events, E.posted_on, seat, state.seats[seat].table[slot], CARD_FARMER + slot)
    go_on(state)


# --- Workers (guide 6.3) ---------------------------------------------------------------------------


@rule
def why_not_work(box: Box, state: State, seat: int, slot: int) -> int:
    """6.3: a free place for a worker on the card, and one at home to take it; of equal cards the first."""
    me = state.seats[seat]
    if slot >= me.n_table:
        return R.no_post
    one = box.card[me.table[slot]]
    if me.posts[WORKERS, slot] >= one.n_workers or me.spots[HOME_SPOT[one.worker - FARMER]] == 0:
        return R.no_work
    if is_like_earlier(state, seat, slot):
        return R.alike
    return R.fine


@rule
def allow_work(box: Box, state: State, seat: int, out: Legal) -> None:
    """6.3: the same, card by card."""
    for slot in range(state.seats[seat].n_table):
        if why_not_work(box, state, seat, slot) == R.fine:
            allow(out, A.work + slot)


@rule
def do_work(box: Box, state: State, events: Events, seat: int, slot: int) -> None:
    """6.3: one worker goes on the card."""
    me = state.seats[seat]
    worker = int(box.card[me.table[slot]].worker)
    me.spots[HOME_SPOT[worker - FARMER]] -= 1
    me.posts[WORKERS, slot] += 1
    tell(events, E.posted_on, seat, me.table[slot], CARD_WORKER + slot)
    go_on(state)


@rule
def do_end_posts(box: Box, state: State, events: Events, seat: int) -> None:
    """6.1: everybody else stays at home."""
    state.part = 2
    go_on(state)
