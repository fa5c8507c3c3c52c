"""The draw phase (guide 3): cards, hardships, three goods for three cards, two cards for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, allow_set, assign, bit, clear, count, first_from, has, is_empty, merge, nth, remove
from sutler.core.chance import below, die
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.manor.box import GOODS, HARDSHIP, LANDS, PAIR, PEASANTS, SELF, TOKENS, S
from sutler.games.manor.phases_actions_events import A, E, P, R
from sutler.games.manor.rules.common import allow_pair, discard_from_hand, lose, next_seat, start_phase, why_not_pair
from sutler.games.manor.state import goods_of, hand_holder, kinds_with_free_land

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.manor.records import Box, State

# --- Draw phase (guide 3) ----------------------------------------------------


@rule
def start_turn(box: Box, state: State, events: Events) -> None:
    """9.3: with the hardships apart, two dice may bring one. D2X bounties of the last turn pay out now (3.1)."""
    tell(events, E.turn, state.turn)
    state.ban = 0
    state.is_reached = 0
    for seat in range(state.n_seats):
        state.seats[seat].extra_draw = state.seats[seat].extra_next
        state.seats[seat].extra_next = 0
    if box.options.hardship_deck == 1:
        roll_for_trouble(box, state, events)
    start_phase(state, events, S.draw)


@rule
def roll_for_trouble(box: Box, state: State, events: Events) -> None:
    """9.3: on an eleven a random seat draws a hardship."""
    eyes = die(state, 6) + die(state, 6)
    tell(events, E.dice, eyes)
    if eyes == box.rules.dice_trouble and not is_empty(state.hardships):
        seat = below(state, state.n_seats)
        card = nth(state.hardships, below(state, count(state.hardships)))
        remove(state.hardships, card)
        remove(state.unseen, card)
        strike(box, state, events, seat, card)


@rule
def n_to_draw(box: Box, state: State, seat: int) -> int:
    """3.1: peasants + 1, and what last turn's bounties promised; for a common hand, everybody's peasants and promises (9.5)."""
    if box.options.common_hand == 0:
        return state.seats[seat].tokens[PEASANTS] + 1 + state.seats[seat].extra_draw
    if state.kth > 0:
        return 0
    n = 0
    for s in range(state.n_seats):
        n += state.seats[s].tokens[PEASANTS] + state.seats[s].extra_draw
    return n


@rule
def has_cards(state: State) -> bool:
    """Is there a card to draw, counting the discards that would be shuffled (3.6)?"""
    return not (is_empty(state.deck) and is_empty(state.discards))


@rule
def top_card(state: State, events: Events) -> int:
    """3.6: take the top card of the deck; an empty deck is first made anew from the discards. There must be a card.

    Nobody knows the order of the deck, so a card drawn at random from it is its top card.
    """
    n = count(state.deck)
    if n == 0:
        assign(state.deck, state.discards)
        clear(state.discards)
        tell(events, E.reshuffled)
        n = count(state.deck)
    card = nth(state.deck, below(state, n))
    remove(state.deck, card)
    remove(state.unseen, card)
    return card


@rule
def draw_card(box: Box, state: State, events: Events, seat: int) -> None:
    """3.1, 3.2: one card to the hand; a hardship acts the moment it is dealt instead."""
    if has_cards(state):
        card = top_card(state, events)
        take_card(box, state, events, seat, card)


@rule
def take_card(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """3.2: a drawn card goes to the hand; a hardship acts and leaves the game."""
    if box.card[card].type == HARDSHIP:
        strike(box, state, events, seat, card)
    else:
        add(state.seats[hand_holder(box, seat)].hand, card)
        tell(events, E.dealt, seat, card)


@rule
def strike(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """3.2, 3.3: a hardship hits the seat it was dealt to, or everybody, and leaves the game."""
    tell(events, E.hardship, card, seat)
    add(state.removed, card)
    harm = box.card[card].harm
    if harm.ban != 0:
        state.ban |= harm.ban
        tell(events, E.ban, card)
    for s in range(state.n_seats):
        if s == seat or harm.who != SELF:
            suffer(box, state, events, s, card)


@rule
def suffer(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """3.3: what one seat loses to a hardship."""
    harm = box.card[card].harm
    me = state.seats[seat]
    for token in range(TOKENS):
        if token < GOODS and harm.lose_all & bit(token) != 0:
            lose(box, state, events, seat, token, int(me.tokens[token]))
        lose(box, state, events, seat, token, int(harm.lose[token]))
    if harm.hand == 1:
        lose_hand(box, state, events, seat)
    for _ in range(harm.upgrade):
        lose_upgrade(box, state, events, seat)


@rule
def lose_hand(box: Box, state: State, events: Events, seat: int) -> None:
    """3.3 Heresy: the hand as it is at this moment, be it the common one (9.5)."""
    hand = state.seats[hand_holder(box, seat)].hand
    card = first_from(hand, 0)
    while card >= 0:
        tell(events, E.lost_card, seat, card)
        card = first_from(hand, card + 1)
    merge(state.discards, hand)
    clear(hand)


@rule
def lose_upgrade(box: Box, state: State, events: Events, seat: int) -> None:
    """3.3 Fire: a random upgrade, to the discards; with none, nothing."""
    upgrades = state.seats[seat].upgrades
    n = count(upgrades)
    if n > 0:
        card = nth(upgrades, below(state, n))
        remove(upgrades, card)
        add(state.discards, card)
        tell(events, E.lost_card, seat, card)
        clear_land_of(box, state, card)


@rule
def clear_land_of(box: Box, state: State, card: int) -> None:
    """3.3 Fire: an upgrade that still lies on the map leaves its land free."""
    for land in range(LANDS):
        if state.lies[land] == card:
            state.lies[land] = NOBODY
            state.owner[land] = NOBODY
            state.free |= bit(land)
            state.open_kinds = kinds_with_free_land(box, state)


@rule
def why_not_buy(box: Box, state: State, seat: int) -> int:
    """3.4: three goods of any mix, once a turn."""
    if state.stage == S.draw and state.step == 1 and state.used >= box.options.buys:
        return R.bought_enough
    if goods_of(state, seat) < box.rules.buy_price:
        return R.too_few_goods
    if not has_cards(state):
        return R.no_cards
    return R.fine


@rule
def do_buy(box: Box, state: State, events: Events, seat: int) -> None:
    """3.4: which goods is chosen one by one."""
    state.used += 1
    state.due = box.rules.buy_price
    ask(state, P.give_up, seat)


@rule
def why_not_give_up(box: Box, state: State, seat: int, good: int) -> int:
    """3.4: a good that you have."""
    if state.seats[seat].tokens[good] == 0:
        return R.have_none
    return R.fine


@rule
def do_give_up(box: Box, state: State, events: Events, seat: int, good: int) -> None:
    """3.4: when all are paid, three cards are drawn aside, to keep one."""
    state.seats[seat].tokens[good] -= 1
    tell(events, E.gave_up, seat, good)
    state.due -= 1
    if state.due == 0:
        n = min(int(box.rules.buy_draw), count(state.deck) + count(state.discards))
        tell(events, E.bought, seat, box.rules.buy_price, n)
        for _ in range(n):
            card = top_card(state, events)
            add(state.aside, card)
            tell(events, E.turned_up, card)
        ask(state, P.keep, seat)


@rule
def why_not_keep(box: Box, state: State, seat: int, card: int) -> int:
    """3.4: one of the cards drawn aside."""
    if not has(state.aside, card):
        return R.not_drawn
    return R.fine


@rule
def allow_keep(box: Box, state: State, seat: int, out: Legal) -> None:
    """3.4: all of them."""
    allow_set(out, A.keep, state.aside)


@rule
def do_keep(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """3.4: the others are discarded, hardships without effect; a hardship that is kept acts at once."""
    remove(state.aside, card)
    merge(state.discards, state.aside)
    clear(state.aside)
    tell(events, E.kept, seat, card)
    if box.card[card].type == HARDSHIP:
        strike(box, state, events, seat, card)
    else:
        add(state.seats[hand_holder(box, seat)].hand, card)
    go_on(state)


@rule
def can_swap(box: Box, state: State, seat: int) -> bool:
    """3.5: two hand cards for one new card, once a turn."""
    hand = state.seats[hand_holder(box, seat)].hand
    return state.used < box.options.swaps and count(hand) >= PAIR


@rule
def why_not_swap(box: Box, state: State, seat: int, card: int) -> int:
    """3.5: two different cards from the hand, once a turn."""
    if state.stage == S.draw and state.step == 2 and state.used >= box.options.swaps:
        return R.swapped_enough
    return why_not_pair(box, state, seat, card)


@rule
def allow_swap(box: Box, state: State, seat: int, out: Legal) -> None:
    """3.5: each hand card, but none twice."""
    allow_pair(box, state, seat, A.swap, out)


@rule
def do_swap(box: Box, state: State, events: Events, seat: int, card: int) -> None:
    """3.5: discard two, draw one; a hardship drawn acts."""
    if state.phase == P.swap:
        state.other = card
        ask(state, P.swap_second, seat)
    else:
        tell(events, E.swapped, seat, state.other, card)
        discard_from_hand(box, state, seat, state.other)
        discard_from_hand(box, state, seat, card)
        state.other = NOBODY
        state.used += 1
        draw_card(box, state, events, seat)
        go_on(state)


@rule
def end_round(state: State) -> None:
    """9.23: the next seat does the same, before anybody goes on to the next step; `step` is that next one already."""
    state.kth += 1
    if state.kth < state.n_seats:
        state.step -= 1
    else:
        state.kth = 0


@rule
def end_swaps(box: Box, state: State) -> None:
    """3.5: the next seat's draw phase, or, where all are dealt first (9.23), its exchange."""
    is_swap = state.stage == S.draw and box.options.deal_first == 1
    next_seat(state)
    if is_swap:
        state.step = 2


@rule
def proceed_draw(box: Box, state: State, events: Events, seat: int) -> None:
    """3: one seat after the other draws, may buy, may swap."""
    if state.step == 0:
        for _ in range(n_to_draw(box, state, seat)):
            draw_card(box, state, events, seat)
        state.step = 1
        if box.options.deal_first == 1:
            end_round(state)
            return
    if state.step == 1:
        if why_not_buy(box, state, seat) == R.fine:
            ask(state, P.buy, seat)
            return
        state.step = 2
        state.used = 0
        if box.options.deal_first == 1:
            end_round(state)
            return
    if can_swap(box, state, seat):
        ask(state, P.swap, seat)
    else:
        end_swaps(box, state)
