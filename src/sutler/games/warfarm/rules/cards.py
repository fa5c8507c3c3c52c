"""Cards (guide 1.5, 1.6, 3.8): drawing them, laying them down, taking them off the table; which are alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import bit
from sutler.core.chance import below
from sutler.core.events import tell, tell_to
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.warfarm.box import (
    CARD_SOLDIER,
    CARDS,
    CONSCRIPTION,
    FARMER,
    FARMLAND,
    FIELD,
    GOODS,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    HOLES,
    HOME_SPOT,
    LAND_FARMER,
    N_DOES,
    PLAIN_SPOTS,
    RESERVE,
    SLOTS,
    TRAP_SOLDIER,
    WORKERS,
)
from sutler.games.warfarm.phases_actions_events import E
from sutler.games.warfarm.rules.common import stir

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.warfarm.records import Box, State

# --- Drawing (guide 3.8) ---------------------------------------------------------


@rule
def count_deck(box: Box, state: State, deck: int) -> int:
    """1.6: how many cards lie in a deck."""
    n = 0
    for i in range(box.deck[deck].n_designs):
        n += state.deck[box.deck[deck].designs[i]]
    return n


@rule
def refill_deck(box: Box, state: State, events: Events, deck: int) -> int:
    """3.8: an empty deck is made anew from its discards."""
    n = 0
    for i in range(box.deck[deck].n_designs):
        card = box.deck[deck].designs[i]
        n += state.discards[card]
        state.deck[card] = state.discards[card]
        state.discards[card] = 0
    if n > 0:
        tell(events, E.reshuffled, deck)
    return n


@rule
def draw_card(box: Box, state: State, events: Events, seat: int, deck: int) -> None:
    """3.8: one card from a deck, unless there is none or Life or Death forbids it. A deck has no order but chance."""
    me = state.seats[seat]
    if me.is_bound == 1 or me.is_alive == 0:
        return
    n = count_deck(box, state, deck)
    if n == 0:
        n = refill_deck(box, state, events, deck)
    if n == 0:
        tell(events, E.no_card, deck, seat)
        return
    k = below(state, n)
    for i in range(box.deck[deck].n_designs):
        card = int(box.deck[deck].designs[i])
        k -= state.deck[card]
        if k < 0:
            state.deck[card] -= 1
            me.hand[card] += 1
            me.n_hand += 1
            tell(events, E.drew, seat, deck)
            tell_to(events, 1 << seat, E.drew_card, seat, card, 0, 0, 0)
            stir(state)
            return


# --- On the table (guide 4.3 to 4.7, 6.1) ------------------------------------------


@rule
def leave_hand(state: State, seat: int, card: int) -> None:
    """4.1: a card leaves the hand."""
    state.seats[seat].hand[card] -= 1
    state.seats[seat].n_hand -= 1


@rule
def lay_card(box: Box, state: State, seat: int, card: int) -> None:
    """4.3: a Table card is laid face up, with nobody on it."""
    me = state.seats[seat]
    slot = int(me.n_table)
    me.table[slot] = card
    me.n_table += 1
    me.works[box.card[card].does] += 1


@rule
def clear_slot(box: Box, state: State, seat: int, slot: int) -> None:
    """6.1: units on a Table card go home."""
    me = state.seats[seat]
    me.spots[RESERVE] += me.posts[GUARD_SOLDIERS, slot]
    me.spots[FIELD] += me.posts[GUARD_FARMERS, slot]
    n = me.posts[WORKERS, slot]
    if n > 0:
        unit = box.card[me.table[slot]].worker
        me.spots[HOME_SPOT[unit - FARMER]] += n
        if box.options.workers_idle == 0:  # they have stayed on their board all along (3.5, 3.6)
            if unit == FARMER:
                me.farming += n
            else:
                me.praying += n
    for row in range(3):
        me.posts[row, slot] = 0


@rule
def take_off_table(box: Box, state: State, seat: int, slot: int) -> int:
    """4.3: a Table card leaves; whoever stands on it goes home. Returns the card."""
    me = state.seats[seat]
    card = int(me.table[slot])
    clear_slot(box, state, seat, slot)
    for later in range(slot, me.n_table - 1):
        me.table[later] = me.table[later + 1]
        for row in range(3):
            me.posts[row, later] = me.posts[row, later + 1]
        if seat == state.active:
            state.acted_card[later] = state.acted_card[later + 1]
    me.n_table -= 1
    last = int(me.n_table)
    me.table[last] = NOBODY
    for row in range(3):
        me.posts[row, last] = 0
    if seat == state.active:
        state.acted_card[last] = 0
    me.works[box.card[card].does] -= 1
    if me.works[CONSCRIPTION] == 0:
        stand_down(state, seat)
    return card


@rule
def stand_down(state: State, seat: int) -> None:
    """6.4: without the Reform, Farmers on guard go back to the field; those at the Farmland have farmed all along."""
    me = state.seats[seat]
    me.farming += me.spots[LAND_FARMER]
    me.spots[FIELD] += me.spots[LAND_FARMER]
    me.spots[LAND_FARMER] = 0
    for slot in range(me.n_table):
        me.spots[FIELD] += me.posts[GUARD_FARMERS, slot]
        me.posts[GUARD_FARMERS, slot] = 0


@rule
def take_up_trap(box: Box, state: State, seat: int, hole: int) -> int:
    """4.5: a Trap leaves its place; its guards go home. Returns the card."""
    me = state.seats[seat]
    card = int(me.traps[hole])
    me.spots[RESERVE] += me.trap_guards[hole]
    for later in range(hole, me.n_traps - 1):
        me.traps[later] = me.traps[later + 1]
        me.trap_guards[later] = me.trap_guards[later + 1]
        if seat == state.active:
            state.acted_trap[later] = state.acted_trap[later + 1]
    me.n_traps -= 1
    last = int(me.n_traps)
    me.traps[last] = NOBODY
    me.trap_guards[last] = 0
    if seat == state.active:
        state.acted_trap[last] = 0
    return card


@rule
def mark_miracle(state: State, seat: int, card: int) -> None:
    """13.9: a Miracle played counts once, whatever becomes of it."""
    state.seats[seat].miracles |= bit(card)


@rule
def tell_cards(state: State, events: Events, seat: int) -> None:
    """Name each card of a seat, wherever it lies."""
    me = state.seats[seat]
    for card in range(CARDS):
        for _ in range(me.hand[card] + me.shown[card]):
            tell(events, E.laid_down, seat, card)
    for slot in range(me.n_table):
        tell(events, E.laid_down, seat, me.table[slot])
    for hole in range(me.n_traps):
        tell(events, E.laid_down, seat, me.traps[hole])


@rule
def give_up_everything(state: State, events: Events, seat: int) -> None:
    """All cards go to the discards, all units and tokens but Farmland to the supply."""
    tell_cards(state, events, seat)
    tell(events, E.cleared, seat)
    me = state.seats[seat]
    for card in range(CARDS):
        state.discards[card] += me.hand[card] + me.shown[card]
        me.hand[card] = 0
        me.shown[card] = 0
    me.n_hand = 0
    for slot in range(me.n_table):
        state.discards[me.table[slot]] += 1
    for slot in range(SLOTS):
        me.table[slot] = NOBODY
        for row in range(3):
            me.posts[row, slot] = 0
    me.n_table = 0
    for hole in range(me.n_traps):
        state.discards[me.traps[hole]] += 1
    for hole in range(HOLES):
        me.traps[hole] = NOBODY
        me.trap_guards[hole] = 0
    me.n_traps = 0
    for does in range(N_DOES):
        me.works[does] = 0
    for good in range(FARMLAND + 1, GOODS):
        me.goods[good] = 0
    for spot in range(PLAIN_SPOTS):
        me.spots[spot] = 0
    me.farming = 0
    me.praying = 0


# --- Equal ones (guide 1.4) ---------------------------------------------------------


@rule
def is_like_earlier(state: State, seat: int, slot: int) -> bool:
    """1.4: does an equal card with equal posts lie before this one? Then it is no choice of its own."""
    me = state.seats[seat]
    for other in range(slot):
        if (
            me.table[other] == me.table[slot]
            and me.posts[GUARD_SOLDIERS, other] == me.posts[GUARD_SOLDIERS, slot]
            and me.posts[GUARD_FARMERS, other] == me.posts[GUARD_FARMERS, slot]
            and me.posts[WORKERS, other] == me.posts[WORKERS, slot]
        ):
            return True
    return False


@rule
def is_trap_like_earlier(box: Box, state: State, seat: int, hole: int, is_owner: bool) -> bool:
    """1.4: the same for Traps. Others cannot tell those of one deck apart; with plain backs (15.9) each is one of its own."""
    me = state.seats[seat]
    for other in range(hole):
        if me.trap_guards[other] == me.trap_guards[hole]:
            if is_owner and me.traps[other] == me.traps[hole]:
                return True
            if is_owner or box.options.hidden_traps == 1:
                continue
            if box.card[me.traps[other]].deck == box.card[me.traps[hole]].deck:
                return True
    return False


@rule
def is_alike(box: Box, state: State, owner: int, spot: int) -> bool:
    """1.4: do these units stand on a card or Trap like an earlier one, with equal posts?"""
    if CARD_SOLDIER <= spot < TRAP_SOLDIER:
        return is_like_earlier(state, owner, (spot - CARD_SOLDIER) % SLOTS)
    if spot >= TRAP_SOLDIER:
        return is_trap_like_earlier(box, state, owner, spot - TRAP_SOLDIER, False)
    return False
