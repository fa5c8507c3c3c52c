"""Using cards on the table and what cards ask (guide 4.2, 4.8, and the cards of 11 to 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.core.tables import go_on
from sutler.games.warfarm.box import (
    COINS,
    DECKS,
    FACILITY,
    FIRE,
    GOODS,
    MARKET,
    MOST_COUNTED,
    N_THINGS,
    NOT_FOR_SALE,
    SEATS,
    SLOTS,
    STUDY,
    THINGS,
    TOKENS,
    WILD,
)
from sutler.games.warfarm.phases_actions_events import A, E, P, R
from sutler.games.warfarm.rules.cards import draw_card, is_like_earlier, lay_card, take_off_table
from sutler.games.warfarm.rules.common import end_job, is_opponent, start_job, stir
from sutler.games.warfarm.rules.goods import can_pay, gain, n_on_board, pay_token
from sutler.games.warfarm.rules.losses import sacrifice
from sutler.games.warfarm.state import DECK_JOB, SEIZE_JOB, THING_JOB

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.warfarm.records import Box, State

# --- What can be taken and drawn ------------------------------------------------------


@rule
def why_not_thing(box: Box, state: State, seat: int, card: int, thing: int) -> int:
    """4.2, 11.8, 13.5: is this thing offered, and can it be paid? A Wild asks for nothing."""
    one = box.card[card]
    if one.prices[thing] == NOT_FOR_SALE:
        return R.not_sold
    if THINGS[thing] == FIRE and box.options.no_fire_trade == 1:
        return R.no_fire_trade
    if one.does != WILD and state.seats[seat].goods[COINS[one.coin]] < one.prices[thing]:
        return R.too_poor
    return R.fine


@rule
def has_drawn_enough(box: Box, state: State) -> bool:
    """15.14: have as many cards been drawn with Table cards as a turn allows?"""
    return box.options.most_draws > 0 and state.n_drawn >= box.options.most_draws


@rule
def is_unlocked(box: Box, state: State, seat: int, deck: int) -> bool:
    """8.2: does the seat own what the deck asks for, wherever it is (15.5: or has it owned it before)?"""
    me = state.seats[seat]
    if box.options.unlock_once == 1 and (int(me.opened) >> deck) & 1 == 1:
        return True
    for good in range(GOODS):
        if me.goods[good] < box.deck[deck].needs[good]:
            return False
    return True


@rule
def remember_decks(box: Box, state: State) -> None:
    """15.5: decks once unlocked stay open."""
    for seat in range(SEATS):
        for deck in range(DECKS):
            if state.seats[seat].is_alive == 1 and is_unlocked(box, state, seat, deck):
                state.seats[seat].opened |= 1 << deck


@rule
def why_not_study(box: Box, state: State, seat: int, card: int, deck: int) -> int:
    """11.9, 12.6, 13.2: may a card be drawn from this deck, and can it be paid?"""
    one = box.card[card]
    me = state.seats[seat]
    if has_drawn_enough(box, state):
        return R.drawn_enough
    if one.unlocked == 1 and not is_unlocked(box, state, seat, deck):
        return R.locked
    if one.fees[deck] == 0 or me.is_bound == 1:
        return R.no_access
    coin = COINS[one.coin]
    if coin < TOKENS:
        if me.goods[coin] < one.fees[deck]:
            return R.no_access
    elif n_on_board(state, seat, coin) < one.fees[deck]:
        return R.no_access
    return R.fine


# --- Using a card (guide 4.8) -----------------------------------------------------------


@rule
def can_use(box: Box, state: State, seat: int, card: int) -> bool:
    """4.8: a Table card that works whenever its owner pays."""
    does = box.card[card].does
    if does == MARKET:
        for thing in range(N_THINGS):
            if why_not_thing(box, state, seat, card, thing) == R.fine:
                return True
    elif does == STUDY:
        for deck in range(DECKS):
            if why_not_study(box, state, seat, card, deck) == R.fine:
                return True
    elif does == FACILITY:
        if can_pay(box, state, seat, card) and state.seats[seat].n_table < SLOTS:
            for other in range(SEATS):
                if is_opponent(state, seat, other) and state.seats[other].n_table > 0:
                    return True
    return False


@rule
def why_not_use(box: Box, state: State, seat: int, card: int) -> int:
    """4.8: a card on one's own table that can be used, and something to pay with."""
    me = state.seats[seat]
    for slot in range(me.n_table):
        if me.table[slot] == card:
            if can_use(box, state, seat, card):
                return R.fine
            if box.card[card].coin == 0 and box.card[card].does != FACILITY:
                return R.not_used
            if box.card[card].does == STUDY and has_drawn_enough(box, state):
                return R.drawn_enough
            return R.no_use
    return R.not_on_table


@rule
def allow_use(box: Box, state: State, seat: int, out: Legal) -> None:
    """4.8: the Table cards that can be used."""
    for slot in range(state.seats[seat].n_table):
        card = int(state.seats[seat].table[slot])
        if can_use(box, state, seat, card):
            allow(out, A.use + card)


@rule
def has_use(box: Box, state: State, seat: int) -> bool:
    """4.8: can any Table card be used now?"""
    for slot in range(state.seats[seat].n_table):
        if can_use(box, state, seat, int(state.seats[seat].table[slot])):
            return True
    return False


@rule
def do_use(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """4.8: pay and choose."""
    tell(events, E.used, seat, card)
    does = box.card[card].does
    if does == MARKET:
        start_job(state, THING_JOB, card)
        state.times = 1
    elif does == STUDY:
        start_job(state, DECK_JOB, card)
    else:
        start_job(state, SEIZE_JOB, card)
    go_on(state)


# --- Choosing a thing (guide 4.2, 11.8, 13.5) ----------------------------------------------


@rule
def why_not_take(box: Box, state: State, seat: int, thing: int) -> int:
    """4.2, 11.8, 13.5: what the card at work offers."""
    if state.phase != P.choose_thing:
        return R.fine
    return why_not_thing(box, state, seat, int(state.card), thing)


@rule
def do_take(box: Box, state: State, events: Events, seat: int, thing: int) -> None:
    """4.2, 11.8, 13.5: one thing, or two of it from a doubled Wild."""
    card = int(state.card)
    if box.card[card].does == MARKET:
        pay_token(state, events, seat, COINS[box.card[card].coin], int(box.card[card].prices[thing]))
        stir(state)
    gain(state, events, seat, THINGS[thing], int(state.times))
    end_job(state)
    go_on(state)


# --- Choosing a deck (guide 11.9, 12.6, 13.2) ------------------------------------------------


@rule
def why_not_draw(box: Box, state: State, seat: int, deck: int) -> int:
    """11.9, 12.6, 13.2: the decks that the card at work opens."""
    if state.phase != P.choose_deck:
        return R.fine
    return why_not_study(box, state, seat, int(state.card), deck)


@rule
def do_draw(box: Box, state: State, events: Events, seat: int, deck: int) -> None:
    """11.9, 12.6, 13.2: pay the fee and draw."""
    one = box.card[state.card]
    coin = COINS[one.coin]
    if coin < TOKENS:
        pay_token(state, events, seat, coin, int(one.fees[deck]))
    else:
        sacrifice(box, state, events, seat, coin, int(one.fees[deck]))
    draw_card(box, state, events, seat, deck)
    state.n_drawn = min(int(state.n_drawn) + 1, MOST_COUNTED)
    end_job(state)
    go_on(state)


# --- Peace (guide 11.7) ----------------------------------------------------------------------


@rule
def why_not_bind(box: Box, state: State, seat: int, other: int) -> int:
    """11.7: with an opponent."""
    if not is_opponent(state, seat, other):
        return R.no_opponent
    return R.fine


@rule
def do_bind(box: Box, state: State, events: Events, seat: int, other: int) -> None:
    """11.7: the opponent has the Water and keeps the peace."""
    hand_over(box, state, events, seat, other, int(state.card))
    state.seats[seat].peace |= 1 << other
    tell(events, E.pact, other, seat)
    end_job(state)
    go_on(state)


@rule
def hand_over(box: Box, state: State, events: Events, seat: int, other: int, card: int) -> None:
    """11.7, 11.10: the price goes to an opponent, not to the supply."""
    for token in range(TOKENS):
        n = int(box.card[card].pay[token])
        if n > 0:
            state.seats[seat].goods[token] -= n
            state.seats[other].goods[token] += n
            tell(events, E.handed, seat, other, n, token)


# --- Taking a Table card (guide 11.10) ---------------------------------------------------------


@rule
def why_not_seize(box: Box, state: State, seat: int, other: int, slot: int) -> int:
    """11.10: a Table card of another, guarded or not; of equal ones the first."""
    if not is_opponent(state, seat, other):
        return R.no_opponent
    if slot >= state.seats[other].n_table:
        return R.no_such_card
    if is_like_earlier(state, other, slot):
        return R.alike
    return R.fine


@rule
def allow_seize(box: Box, state: State, seat: int, out: Legal) -> None:
    """11.10: the same, card by card."""
    for other in range(SEATS):
        if is_opponent(state, seat, other):
            for slot in range(state.seats[other].n_table):
                if not is_like_earlier(state, other, slot):
                    allow(out, A.seize + other * SLOTS + slot)


@rule
def do_seize(box: Box, state: State, events: Events, seat: int, victim: int, slot: int) -> None:
    """11.10: 2 Water for a Table card; whoever stood on it stays with its old owner."""
    hand_over(box, state, events, seat, victim, int(state.card))
    card = take_off_table(box, state, victim, slot)
    lay_card(box, state, seat, card)
    stir(state)
    tell(events, E.seized, seat, card, slot, victim)
    end_job(state)
    go_on(state)
