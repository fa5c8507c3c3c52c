"""The draw phase (guide 3): cards, hardships, three goods for three cards, two cards for one."""

from __future__ import annotations

from sutler.core.bits import add, assign, bit, clear, count, first_from, is_empty, merge, nth, remove
from sutler.core.chance import below, die
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.manor.box import GOODS, HARDSHIP, LANDS, PAIR, PEASANTS, SELF, TOKENS
from sutler.games.manor.rules.common import (
    BANNED,
    BOUGHT,
    DEALT,
    DICE,
    GAVE_UP,
    KEPT,
    LOST_CARD,
    RESHUFFLED,
    STRUCK,
    SWAPPED,
    TURN,
    ask,
    discard_from_hand,
    go_on,
    lose,
    next_seat,
    start_phase,
)
from sutler.games.manor.state import (
    BUY,
    DRAW_PHASE,
    GIVE_UP,
    KEEP,
    SWAP,
    SWAP_SECOND,
    goods_of,
    holder,
    kinds_with_room,
)

# --- Draw phase (guide 3) ----------------------------------------------------


@rule
def start_turn(box, state, events):
    """9.3: with the hardships apart, two dice may bring one. D2X bounties of the last turn pay out now (3.1)."""
    tell(events, TURN, state.turn)
    state.ban = 0
    for seat in range(state.n_seats):
        state.seats[seat].extra_draw = state.seats[seat].extra_next
        state.seats[seat].extra_next = 0
    if box.options.hardship_deck == 1:
        roll_for_trouble(box, state, events)
    start_phase(state, events, DRAW_PHASE)


@rule
def roll_for_trouble(box, state, events):
    """9.3: on an eleven a random seat draws a hardship."""
    eyes = die(state, 6) + die(state, 6)
    tell(events, DICE, eyes)
    if eyes == box.rules.dice_trouble and not is_empty(state.hardships):
        seat = below(state, state.n_seats)
        card = nth(state.hardships, below(state, count(state.hardships)))
        remove(state.hardships, card)
        remove(state.unseen, card)
        strike(box, state, events, seat, card)


@rule
def n_to_draw(box, state, seat):
    """3.1: peasants + 1, and what last turn's bounties promised; for a common hand, everybody's at once (9.5)."""
    if box.options.common_hand == 0:
        return state.seats[seat].tokens[PEASANTS] + 1 + state.seats[seat].extra_draw
    if state.kth > 0:
        return 0
    n = 1
    for s in range(state.n_seats):
        n += state.seats[s].tokens[PEASANTS] + state.seats[s].extra_draw
    return n


@rule
def has_cards(state):
    """Is there a card to draw, counting the discards that would be shuffled (3.6)?"""
    return not (is_empty(state.deck) and is_empty(state.discards))


@rule
def top_card(state, events):
    """3.6: take the top card of the deck; an empty deck is first made anew from the discards. There must be a card.

    Nobody knows the order of the deck, so a card drawn at random from it is its top card.
    """
    n = count(state.deck)
    if n == 0:
        assign(state.deck, state.discards)
        clear(state.discards)
        tell(events, RESHUFFLED)
        n = count(state.deck)
    card = nth(state.deck, below(state, n))
    remove(state.deck, card)
    remove(state.unseen, card)
    return card


@rule
def draw_card(box, state, events, seat):
    """3.1, 3.2: one card to the hand; a hardship acts the moment it is dealt instead."""
    if has_cards(state):
        card = top_card(state, events)
        take_card(box, state, events, seat, card)


@rule
def take_card(box, state, events, seat, card):
    """3.2: a drawn card goes to the hand; a hardship acts and leaves the game."""
    if box.card[card].type == HARDSHIP:
        strike(box, state, events, seat, card)
    else:
        add(state.seats[holder(box, seat)].hand, card)
        tell(events, DEALT, seat, card)


@rule
def strike(box, state, events, seat, card):
    """3.2, 3.3: a hardship hits the seat it was dealt to, or everybody, and leaves the game."""
    tell(events, STRUCK, card, seat)
    add(state.removed, card)
    harm = box.card[card]
    if harm.ban != 0:
        state.ban |= harm.ban
        tell(events, BANNED, card)
    for s in range(state.n_seats):
        if s == seat or harm.harm_who != SELF:
            suffer(box, state, events, s, card)


@rule
def suffer(box, state, events, seat, card):
    """3.3: what one seat loses to a hardship."""
    harm = box.card[card]
    me = state.seats[seat]
    for token in range(TOKENS):
        if token < GOODS and harm.harm_lose_all & bit(token) != 0:
            lose(box, state, events, seat, token, int(me.tokens[token]))
        lose(box, state, events, seat, token, int(harm.harm_lose[token]))
    if harm.harm_hand == 1:
        lose_hand(box, state, events, seat)
    for _ in range(harm.harm_upgrades):
        lose_upgrade(box, state, events, seat)


@rule
def lose_hand(box, state, events, seat):
    """3.3 Heresy: the hand as it is at this moment, be it the common one (9.5)."""
    hand = state.seats[holder(box, seat)].hand
    card = first_from(hand, 0)
    while card >= 0:
        tell(events, LOST_CARD, seat, card)
        card = first_from(hand, card + 1)
    merge(state.discards, hand)
    clear(hand)


@rule
def lose_upgrade(box, state, events, seat):
    """3.3 Fire: a random upgrade, to the discards; with none, nothing."""
    upgrades = state.seats[seat].upgrades
    n = count(upgrades)
    if n > 0:
        card = nth(upgrades, below(state, n))
        remove(upgrades, card)
        add(state.discards, card)
        tell(events, LOST_CARD, seat, card)
        clear_land_of(box, state, card)


@rule
def clear_land_of(box, state, card):
    """3.3 Fire: an upgrade that still lies on the map leaves its land free."""
    for land in range(LANDS):
        if state.lies[land] == card:
            state.lies[land] = NOBODY
            state.owner[land] = NOBODY
            state.free |= bit(land)
            state.open_kinds = kinds_with_room(box, state)


@rule
def can_buy(box, state, seat):
    """3.4: three goods of any mix, once a turn."""
    return state.used < box.options.buys and goods_of(state, seat) >= box.rules.buy_price and has_cards(state)


@rule
def do_buy(box, state, events, seat):
    """3.4: which goods is chosen one by one."""
    state.used += 1
    state.due = box.rules.buy_price
    ask(state, GIVE_UP, seat)


@rule
def do_give_up(box, state, events, seat, good):
    """3.4: when all are paid, three cards are drawn aside, to keep one."""
    state.seats[seat].tokens[good] -= 1
    tell(events, GAVE_UP, seat, good)
    state.due -= 1
    if state.due == 0:
        tell(events, BOUGHT, seat, box.rules.buy_price)
        for _ in range(box.rules.buy_draw):
            if has_cards(state):
                add(state.aside, top_card(state, events))
        ask(state, KEEP, seat)


@rule
def do_keep(box, state, events, seat, card):
    """3.4: the others are discarded, hardships without effect; a hardship that is kept acts at once."""
    remove(state.aside, card)
    merge(state.discards, state.aside)
    clear(state.aside)
    tell(events, KEPT, seat, card)
    if box.card[card].type == HARDSHIP:
        strike(box, state, events, seat, card)
    else:
        add(state.seats[holder(box, seat)].hand, card)
    go_on(state)


@rule
def can_swap(box, state, seat):
    """3.5: two hand cards for one new card, once a turn."""
    hand = state.seats[holder(box, seat)].hand
    return state.used < box.options.swaps and count(hand) >= PAIR


@rule
def do_swap(box, state, events, seat, card):
    """3.5: discard two, draw one; a hardship drawn acts."""
    if state.phase == SWAP:
        state.other = card
        ask(state, SWAP_SECOND, seat)
    else:
        tell(events, SWAPPED, seat, state.other, card)
        discard_from_hand(box, state, seat, state.other)
        discard_from_hand(box, state, seat, card)
        state.other = NOBODY
        state.used += 1
        draw_card(box, state, events, seat)
        go_on(state)


@rule
def proceed_draw(box, state, events, seat):
    """3: one seat after the other draws, may buy, may swap."""
    if state.step == 0:
        for _ in range(n_to_draw(box, state, seat)):
            draw_card(box, state, events, seat)
        state.step = 1
    if state.step == 1:
        if can_buy(box, state, seat):
            ask(state, BUY, seat)
            return
        state.step = 2
        state.used = 0
    if can_swap(box, state, seat):
        ask(state, SWAP, seat)
    else:
        next_seat(state)
