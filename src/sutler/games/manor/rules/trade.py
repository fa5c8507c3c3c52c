"""The trade phase (guide 4): offers in turn."""

from __future__ import annotations

from sutler.core.bits import add, clear, first_from, is_empty, remove
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.manor.box import PEASANTS, TOKENS
from sutler.games.manor.rules.common import (
    DECLINED,
    GAVE,
    GAVE_CARD,
    OFFERED,
    OFFERED_CARD,
    OFFERED_TOKEN,
    TRADED,
    WANTED_CARD,
    WANTED_TOKEN,
    ask,
    go_on,
    may_gain,
    next_seat,
    seat_in_turn,
)
from sutler.games.manor.state import ANSWER, COMPOSE, OFFER

# --- Trade phase (guide 4) ---------------------------------------------------


@rule
def can_offer(box, state, seat, other):
    """4.2: to another seat, up to so many offers a turn."""
    return other != seat and other < state.n_seats and state.seats[seat].n_offers < box.options.offers


@rule
def do_offer(box, state, events, seat, other):
    """4.2: a fresh slip; taking it up counts as one of the turn's offers."""
    state.seats[seat].n_offers += 1
    clear_offer(state)
    state.offer.to_seat = other
    ask(state, COMPOSE, seat)


@rule
def clear_offer(state):
    """A blank slip."""
    state.offer.to_seat = NOBODY
    for token in range(TOKENS):
        state.offer.give[token] = 0
        state.offer.want[token] = 0
    clear(state.offer.give_cards)
    clear(state.offer.want_cards)


@rule
def n_to_trade(state, seat, token):
    """4.3: what a seat has of a token and may trade: never the last peasant."""
    n = int(state.seats[seat].tokens[token])
    if token == PEASANTS:
        n -= 1
    return n


@rule
def can_give(state, seat, token):
    """4.1, 4.3: one more of a token, while there is one; no crops under Blight (3.3)."""
    return may_gain(state, token) and state.offer.give[token] < n_to_trade(state, seat, token)


@rule
def can_want(state, seat, token):
    """4.1, 4.3: one more of a token that the other seat has; no crops under Blight (3.3)."""
    return may_gain(state, token) and state.offer.want[token] < n_to_trade(state, state.offer.to_seat, token)


@rule
def is_blank(state):
    """Does the offer give nothing and want nothing?"""
    for token in range(TOKENS):
        if state.offer.give[token] > 0 or state.offer.want[token] > 0:
            return False
    return is_empty(state.offer.give_cards) and is_empty(state.offer.want_cards)


@rule
def do_send(box, state, events, seat):
    """4.2: the other seat answers."""
    tell(events, OFFERED, seat, state.offer.to_seat)
    read_out(state, events, seat, OFFERED_TOKEN, state.offer.give, OFFERED_CARD, state.offer.give_cards)
    read_out(state, events, seat, WANTED_TOKEN, state.offer.want, WANTED_CARD, state.offer.want_cards)
    ask(state, ANSWER, state.offer.to_seat)


@rule
def read_out(state, events, seat, token_event, tokens, card_event, cards):
    """4.2: one side of the slip, for everybody to hear."""
    for token in range(TOKENS):
        if tokens[token] > 0:
            tell(events, token_event, seat, tokens[token], token)
    card = first_from(cards, 0)
    while card >= 0:
        tell(events, card_event, seat, card)
        card = first_from(cards, card + 1)


@rule
def do_accept(box, state, events, seat):
    """4.2: everything on the slip changes hands at once."""
    giver = seat_in_turn(state)
    tell(events, TRADED, seat, giver)
    hand_over(box, state, events, giver, seat, state.offer.give, state.offer.give_cards)
    hand_over(box, state, events, seat, giver, state.offer.want, state.offer.want_cards)
    clear_offer(state)
    go_on(state)


@rule
def hand_over(box, state, events, giver, taker, tokens, cards):
    """4.1: tokens and cards go from one seat to another."""
    for token in range(TOKENS):
        if tokens[token] > 0:
            state.seats[giver].tokens[token] -= tokens[token]
            state.seats[taker].tokens[token] += tokens[token]
            tell(events, GAVE, giver, taker, tokens[token], token)
    card = first_from(cards, 0)
    while card >= 0:
        remove(state.seats[giver].hand, card)
        add(state.seats[taker].hand, card)
        tell(events, GAVE_CARD, giver, taker, card)
        card = first_from(cards, card + 1)


@rule
def do_decline(box, state, events, seat):
    """4.2: nothing changes hands."""
    tell(events, DECLINED, seat, seat_in_turn(state))
    clear_offer(state)
    go_on(state)


@rule
def proceed_trade(box, state, events, seat):
    """4.2: from the Lord clockwise, each seat may make its offers."""
    if state.seats[seat].n_offers < box.options.offers and state.step == 0:
        ask(state, OFFER, seat)
    else:
        state.seats[seat].n_offers = 0
        next_seat(state)
