"""Tokens and units (guide 1.2 to 1.4): how they come and go, where units stand, what a card costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.warfarm.box import (
    AWAY,
    CARD_FARMER,
    CARD_SOLDIER,
    CARD_WORKER,
    DECKS,
    DISCIPLE,
    EXPLORER,
    FARMER,
    FARMLAND,
    FIELD,
    GOODS,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    HOME,
    HOME_SPOT,
    LAND_FARMER,
    LAND_SOLDIER,
    MOST_GOODS,
    PLAIN_SPOTS,
    RETURNING,
    SEATS,
    SOLDIER,
    TOKENS,
    TRAP_SOLDIER,
    VISITING,
    WORKERS,
)
from sutler.games.warfarm.phases_actions_events import E
from sutler.games.warfarm.rules.common import stir
from sutler.games.warfarm.state import kind_of_unit_at

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.warfarm.records import Box, State

# --- Coming --------------------------------------------------------------------


@rule
def add_units(state: State, seat: int, unit: int, n: int) -> None:
    """1.4: units arrive at home."""
    me = state.seats[seat]
    me.goods[unit] += n
    me.spots[HOME_SPOT[unit - FARMER]] += n
    stir(state)


@rule
def receive(state: State, seat: int, good: int, n: int) -> None:
    """1.2: tokens or units come to a seat."""
    if good < TOKENS:
        state.seats[seat].goods[good] += n
        if good == FARMLAND:
            stir(state)
    else:
        add_units(state, seat, good, n)


@rule
def gain(state: State, events: Events, seat: int, good: int, n: int) -> None:
    """1.2: take tokens or units from the supply, up to as many as there is room for."""
    n = min(int(n), MOST_GOODS - int(state.seats[seat].goods[good]))
    if n > 0:
        receive(state, seat, good, n)
        tell(events, E.gained, seat, n, good)


@rule
def gain_all(box: Box, state: State, events: Events, seat: int, card: int, times: int) -> None:
    """4.1: everything a card brings, so many times over."""
    for good in range(GOODS):
        gain(state, events, seat, good, box.card[card].gain[good] * times)


# --- Where units stand (guide 1.4) ----------------------------------------------


@rule
def move_at(state: State, seat: int, spot: int, n: int) -> None:
    """1.4: so many units more (or fewer) at a spot."""
    me = state.seats[seat]
    if spot < PLAIN_SPOTS:
        me.spots[spot] += n
    elif spot < CARD_FARMER:
        me.posts[GUARD_SOLDIERS, spot - CARD_SOLDIER] += n
    elif spot < CARD_WORKER:
        me.posts[GUARD_FARMERS, spot - CARD_FARMER] += n
    elif spot < TRAP_SOLDIER:
        me.posts[WORKERS, spot - CARD_WORKER] += n
    else:
        me.trap_guards[spot - TRAP_SOLDIER] += n


@rule
def remove_unit(box: Box, state: State, seat: int, spot: int) -> int:
    """1.4: one unit leaves; those that were going to bring nothing leave first. Returns which kind it was."""
    unit = kind_of_unit_at(box, state, seat, spot)
    me = state.seats[seat]
    move_at(state, seat, spot, -1)
    me.goods[unit] -= 1
    stir(state)
    if spot == FIELD:
        me.farming = min(me.farming, me.spots[FIELD])
    elif spot == HOME:
        me.praying = min(me.praying, me.spots[HOME])
    return unit


@rule
def own_spot_of(box: Box, state: State, seat: int, unit: int) -> int:
    """4.1: where a unit that its owner spends is taken from: from home first, then from guard, then from work."""
    me = state.seats[seat]
    if me.spots[HOME_SPOT[unit - FARMER]] > 0:
        return HOME_SPOT[unit - FARMER]
    if unit == FARMER and me.spots[LAND_FARMER] > 0:
        return LAND_FARMER
    if unit == SOLDIER and me.spots[LAND_SOLDIER] > 0:
        return LAND_SOLDIER
    for slot in range(me.n_table):
        if unit == SOLDIER and me.posts[GUARD_SOLDIERS, slot] > 0:
            return CARD_SOLDIER + slot
        if unit == FARMER and me.posts[GUARD_FARMERS, slot] > 0:
            return CARD_FARMER + slot
    for slot in range(me.n_table):
        if me.posts[WORKERS, slot] > 0 and box.card[me.table[slot]].worker == unit:
            return CARD_WORKER + slot
    for hole in range(me.n_traps):
        if unit == SOLDIER and me.trap_guards[hole] > 0:
            return TRAP_SOLDIER + hole
    return NOBODY


@rule
def n_on_board(state: State, seat: int, unit: int) -> int:
    """4.1: units of a kind on the own board: not visiting, not returning, not away."""
    me = state.seats[seat]
    n = int(me.goods[unit])
    if unit == DISCIPLE:
        for host in range(SEATS):
            n -= me.spots[VISITING + host]
    elif unit == SOLDIER:
        n -= me.spots[RETURNING]
    elif unit == EXPLORER:
        for deck in range(DECKS):
            n -= me.spots[AWAY + deck]
    return n


# --- Prices (guide 4.1) ---------------------------------------------------------


@rule
def can_pay(box: Box, state: State, seat: int, card: int) -> bool:
    """4.1: can the price of a card be paid?"""
    for good in range(TOKENS):
        if state.seats[seat].goods[good] < box.card[card].pay[good]:
            return False
    for unit in range(FARMER, GOODS):
        if box.card[card].pay[unit] > 0 and n_on_board(state, seat, unit) < box.card[card].pay[unit]:
            return False
    return True


@rule
def pay_token(state: State, events: Events, seat: int, token: int, n: int) -> None:
    """4.1: tokens go back to the supply."""
    if n > 0:
        state.seats[seat].goods[token] -= n
        tell(events, E.paid, seat, n, token)
