"""The trade phase (guide 4): offers in turn, and offers made in answer to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sutler.core.bits import add, allow_word, clear, first_from, has, is_empty, remove
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.manor.box import PEASANTS, TOKENS
from sutler.games.manor.phases_actions_events import A, E, P, R
from sutler.games.manor.rules.common import may_gain, next_seat, receive, seat_in_turn

if TYPE_CHECKING:
    from sutler.core.typing import Bits, Events, Legal, Row
    from sutler.games.manor.records import Box, State

# --- Trade phase (guide 4) ---------------------------------------------------


@rule
def why_not_offer(box: Box, state: State, seat: int, other: int) -> int:
    """4.2: to another seat, up to so many offers a turn."""
    if other == seat or other >= state.n_seats:
        return R.not_a_partner
    if state.seats[seat].n_offers >= box.options.offers:
        return R.offers_made
    return R.fine


@rule
def do_offer(box: Box, state: State, events: Events, seat: int, other: int) -> None:
    """4.2: a fresh slip; the last one was cleared when it was answered or torn up."""
    state.offer.partner = other
    ask(state, P.compose, seat)


@rule
def writer(state: State) -> int:
    """4.2: whose offer it is."""
    if state.offer.is_answer == 1:
        return int(state.offer.partner)
    return seat_in_turn(state)


@rule
def reader(state: State) -> int:
    """4.2: to whom the offer goes."""
    if state.offer.is_answer == 1:
        return seat_in_turn(state)
    return int(state.offer.partner)


@rule
def clear_offer(state: State) -> None:
    """A blank slip."""
    state.offer.partner = NOBODY
    state.offer.is_answer = 0
    for token in range(TOKENS):
        state.offer.give[token] = 0
        state.offer.want[token] = 0
    clear(state.offer.give_cards)
    clear(state.offer.want_cards)


@rule
def n_to_trade(state: State, seat: int, token: int) -> int:
    """4.3: what a seat has of a token and may trade: never the last peasant."""
    n = int(state.seats[seat].tokens[token])
    if token == PEASANTS:
        n -= 1
    return n


@rule
def why_not_give(box: Box, state: State, seat: int, token: int) -> int:
    """4.1, 4.3: one more of a token, while there is one; no crops under Blight (3.3)."""
    if not may_gain(state, token):
        return R.blight
    if state.offer.give[token] >= n_to_trade(state, seat, token):
        return R.give_too_much
    return R.fine


@rule
def allow_give(box: Box, state: State, seat: int, out: Legal) -> None:
    """4.1, 4.3: the same, all at once."""
    allow_more(state, out, A.give, seat, state.offer.give)


@rule
def allow_more(state: State, out: Legal, first: int, seat: int, taken: Row[int]) -> None:
    """Mark the tokens of which the seat has more to trade than is on the slip, as one word."""
    more = np.uint64(0)
    for token in range(TOKENS):
        is_more = may_gain(state, token) and taken[token] < n_to_trade(state, seat, token)
        more |= np.uint64(is_more) << np.uint64(token)
    allow_word(out, first, more)


@rule
def do_give(box: Box, state: State, events: Events, seat: int, token: int) -> None:
    """4.1: one more of it on your side of the slip."""
    state.offer.give[token] += 1


@rule
def why_not_give_card(box: Box, state: State, seat: int, card: int) -> int:
    """4.1, 4.3: a card of your hand, once; with a common hand there is nobody to give it to (9.5)."""
    if box.options.common_hand == 1:
        return R.one_hand
    if not has(state.seats[seat].hand, card):
        return R.not_in_hand
    if has(state.offer.give_cards, card):
        return R.on_the_slip
    return R.fine


@rule
def allow_give_card(box: Box, state: State, seat: int, out: Legal) -> None:
    """4.1: the same, all at once."""
    if box.options.common_hand == 0:
        allow_others(out, A.give_card, state.seats[seat].hand, state.offer.give_cards)


@rule
def allow_others(out: Legal, first: int, hand: Bits, taken: Bits) -> None:
    """Mark the cards of a hand that are not on the slip yet."""
    for w in range(len(hand)):
        allow_word(out, first + w * 64, hand[w] & ~taken[w])


@rule
def do_give_card(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """4.1: the card is on the slip."""
    add(state.offer.give_cards, card)


@rule
def why_not_want(box: Box, state: State, seat: int, token: int) -> int:
    """4.1, 4.3: one more of a token that the other seat has; no crops under Blight (3.3)."""
    if not may_gain(state, token):
        return R.blight
    other = reader(state)
    if other != NOBODY and state.offer.want[token] >= n_to_trade(state, other, token):
        return R.want_too_much
    return R.fine


@rule
def allow_want(box: Box, state: State, seat: int, out: Legal) -> None:
    """4.1, 4.3: the same, all at once."""
    allow_more(state, out, A.want, reader(state), state.offer.want)


@rule
def do_want(box: Box, state: State, events: Events, seat: int, token: int) -> None:
    """4.1: one more of it on the other side of the slip."""
    state.offer.want[token] += 1


@rule
def why_not_want_card(box: Box, state: State, seat: int, card: int) -> int:
    """4.1, 4.3: a card of the other seat's open hand, once."""
    if box.options.common_hand == 1:
        return R.one_hand
    other = reader(state)
    if other != NOBODY and not has(state.seats[other].hand, card):
        return R.not_theirs
    if has(state.offer.want_cards, card):
        return R.on_the_slip
    return R.fine


@rule
def allow_want_card(box: Box, state: State, seat: int, out: Legal) -> None:
    """4.1: the same, all at once."""
    if box.options.common_hand == 0:
        allow_others(out, A.want_card, state.seats[reader(state)].hand, state.offer.want_cards)


@rule
def do_want_card(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """4.1: the card is on the slip."""
    add(state.offer.want_cards, card)


@rule
def is_blank(state: State) -> bool:
    """Does the offer give nothing and want nothing?"""
    n = 0
    for token in range(TOKENS):
        n += int(state.offer.give[token]) + int(state.offer.want[token])
    return n == 0 and is_empty(state.offer.give_cards) and is_empty(state.offer.want_cards)


@rule
def why_not_send(box: Box, state: State, seat: int) -> int:
    """4.2: a slip with something on it."""
    if state.offer.partner != NOBODY and is_blank(state):
        return R.blank
    return R.fine


@rule
def do_send(box: Box, state: State, events: Events, seat: int) -> None:
    """4.2: the other seat answers; this is one of the turn's offers, unless it is an answer itself."""
    other = reader(state)
    if state.offer.is_answer == 1:
        tell(events, E.countered, seat, other)
    else:
        state.seats[seat].n_offers += 1
        tell(events, E.offered, seat, other)
    read_out(state, events, seat, E.offered_token, state.offer.give, E.offered_card, state.offer.give_cards)
    read_out(state, events, seat, E.wanted_token, state.offer.want, E.wanted_card, state.offer.want_cards)
    ask(state, P.answer, other)


@rule
def do_cancel(box: Box, state: State, events: Events, seat: int) -> None:
    """4.2: the slip is torn up. It counts as no offer, unless the seat has torn up many; one in answer declines."""
    if state.offer.is_answer == 1:
        decline_offer(state, events, seat, reader(state))
    else:
        state.used += 1
        if state.used > box.rules.free_slips:
            state.seats[seat].n_offers += 1
        clear_offer(state)
        go_on(state)


@rule
def read_out(
    state: State, events: Events, seat: int, token_event: int, tokens: Row[int], card_event: int, cards: Bits
) -> None:
    """4.2: one side of the slip, for everybody to hear."""
    for token in range(TOKENS):
        if tokens[token] > 0:
            tell(events, token_event, seat, tokens[token], token)
    card = first_from(cards, 0)
    while card >= 0:
        tell(events, card_event, seat, card)
        card = first_from(cards, card + 1)


@rule
def do_accept(box: Box, state: State, events: Events, seat: int) -> None:
    """4.2: everything on the slip changes hands at once."""
    giver = writer(state)
    tell(events, E.traded, seat, giver)
    hand_over(box, state, events, giver, seat, state.offer.give, state.offer.give_cards)
    hand_over(box, state, events, seat, giver, state.offer.want, state.offer.want_cards)
    clear_offer(state)
    go_on(state)


@rule
def hand_over(box: Box, state: State, events: Events, giver: int, taker: int, tokens: Row[int], cards: Bits) -> None:
    """4.1: tokens and cards go from one seat to another."""
    for token in range(TOKENS):
        if tokens[token] > 0:
            state.seats[giver].tokens[token] -= tokens[token]
            receive(state, taker, token, int(tokens[token]))
            tell(events, E.gave, giver, taker, tokens[token], token)
    card = first_from(cards, 0)
    while card >= 0:
        remove(state.seats[giver].hand, card)
        add(state.seats[taker].hand, card)
        tell(events, E.gave_card, giver, taker, card)
        card = first_from(cards, card + 1)


@rule
def do_decline(box: Box, state: State, events: Events, seat: int) -> None:
    """4.2: nothing changes hands."""
    decline_offer(state, events, seat, writer(state))


@rule
def decline_offer(state: State, events: Events, seat: int, other: int) -> None:
    """4.2: a seat will not have the offer of another one; whoever is in turn goes on."""
    tell(events, E.declined, seat, other)
    clear_offer(state)
    go_on(state)


@rule
def why_not_counter(box: Box, state: State, seat: int) -> int:
    """4.2: an offer may be answered by one; that one is taken or declined."""
    if state.offer.is_answer == 1:
        return R.countered
    return R.fine


@rule
def do_counter(box: Box, state: State, events: Events, seat: int) -> None:
    """4.2: instead of an answer, a slip of one's own to whoever made the offer."""
    clear_offer(state)
    state.offer.partner = seat
    state.offer.is_answer = 1
    ask(state, P.compose, seat)


@rule
def proceed_trade(box: Box, state: State, events: Events, seat: int) -> None:
    """4.2: from the Lord clockwise, each seat may make its offers."""
    if state.seats[seat].n_offers < box.options.offers and state.step == 0:
        ask(state, P.offer, seat)
    else:
        state.seats[seat].n_offers = 0
        next_seat(state)
