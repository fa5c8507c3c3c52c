"""The deals that bots propose in Medieval Manor (guide 4): what they want most of a neighbour, and the least they can pay for it.

A deal that bots propose is one kind of thing for one kind of thing, at most three of each: more of the slip is not worth a bot's
time. One rule, `deal_is_good`, is asked of every deal, whether a bot proposes it, is to take it or answers it by another. A slip is
written action by action, and the deal is computed again for each; it depends on the position alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, allow, bit, clear, first_from, forbid, has, remove
from sutler.core.rule import rule
from sutler.games.manor.bot.evaluate import BEST_OTHER, ends_now, evaluate, holdings, turns_left, weight_of_lead
from sutler.games.manor.box import BOUNTY, CARDS, GOLD, LANDS, PEASANTS, RESOURCES, TOKENS, VICTORY
from sutler.games.manor.rules.common import may_gain
from sutler.games.manor.rules.trade import n_to_trade, reader, writer
from sutler.games.manor.rules.work import cost_of, is_at_castle, lands_for, yield_of
from sutler.games.manor.table import A, P

if TYPE_CHECKING:
    from sutler.core.typing import Bits, Legal
    from sutler.games.manor.records import Box, State

THINGS = TOKENS + CARDS  # what a slip may name: tokens, then cards
MAX_OF_ONE_TOKEN = 3  # of one token, in a deal that a bot proposes
SIDES = THINGS * (MAX_OF_ONE_TOKEN + 1)
NO_DEAL = -1
MIN_GAIN_OF_TRADE = 0.226  # how much more a thing must be worth to the asker than to its owner
GAIN = 0.317  # what a deal must bring the asker
ACCEPTED = 0.26  # and the other, who is to take it
VICTORY_IN_TRADE = 1.0  # what a victory token is worth beyond `evaluate`, which has never seen one sold
FAIR_SHARE = 0.5  # of what the other gains by a deal, the least that it must bring oneself


@rule
def n_for_sale(box: Box, state: State, seat: int, thing: int) -> int:
    """4.1, 4.3: how many of a thing a bot would let a seat put on a slip."""
    if thing >= TOKENS:
        return int(box.options.common_hand == 0 and has(state.seats[seat].hand, thing - TOKENS))
    if not may_gain(state, thing):
        return 0
    return max(0, min(MAX_OF_ONE_TOKEN, n_to_trade(state, seat, thing)))


@rule
def tradable_worth(box: Box, state: State, seat: int, turns: float) -> float:
    """The worth of what a seat owns where things may be sold: a victory token brings the end nearer, whatever else it buys."""
    return holdings(box, state, seat, turns) + VICTORY_IN_TRADE * state.seats[seat].tokens[VICTORY]


@rule
def standing(box: Box, state: State, seat: int) -> float:
    """How far a seat is ahead by what it may sell; where the game ends with this turn, `evaluate`, which knows who wins."""
    if ends_now(box, state):
        return evaluate(box, state, seat)
    turns = turns_left(box, state)
    best = -1000.0
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, tradable_worth(box, state, other, turns))
    return (tradable_worth(box, state, seat, turns) - BEST_OTHER * best) * weight_of_lead(turns)


@rule
def deal_is_good(box: Box, state: State, seat: int, other: int, mine: float, theirs: float, least: float) -> bool:
    """Is the deal good for a seat that has been carried out with another one in this state?

    `mine`, `theirs`: the standing of both before. It must bring the seat `least`, and a fair share of what it brings the other, who
    has as many to trade with as there are at the table.
    """
    gain = standing(box, state, seat) - mine
    return gain > least and gain >= FAIR_SHARE * (standing(box, state, other) - theirs)


@rule
def next_tradable_thing(state: State, seat: int, thing: int) -> int:
    """The next thing after this one that the seat may have: all tokens, then the cards of its hand; THINGS when there is none."""
    if thing + 1 < TOKENS:
        return thing + 1
    card = first_from(state.seats[seat].hand, thing + 1 - TOKENS)
    if card < 0:
        return THINGS
    return TOKENS + card


@rule
def move(state: State, giver: int, taker: int, thing: int, n: int) -> None:
    """Move n of a thing from one seat to another in the state, without the rules, to see what it would be worth."""
    if thing >= TOKENS:
        remove(state.seats[giver].hand, thing - TOKENS)
        add(state.seats[taker].hand, thing - TOKENS)
    else:
        state.seats[giver].tokens[thing] -= n
        state.seats[taker].tokens[thing] += n


@rule
def worth_with(box: Box, state: State, seat: int, other: int, thing: int, n: int, turns: float) -> float:
    """The worth of both seats together if n of one of the other's things were the seat's."""
    move(state, other, seat, thing, n)
    worth = tradable_worth(box, state, seat, turns) + tradable_worth(box, state, other, turns)
    move(state, seat, other, thing, n)
    return worth


@rule
def cheapest(box: Box, state: State, seat: int, other: int, mine: float, theirs: float) -> int:
    """The payment that a seat should offer, as one number for thing and count; NO_DEAL where nothing leaves both content.

    `mine`, `theirs`: the standing of the two before.
    """
    best = -1000.0
    found = NO_DEAL
    thing = 0
    while thing < THINGS:
        for n in range(1, n_for_sale(box, state, seat, thing) + 1):
            move(state, seat, other, thing, n)
            if deal_is_good(box, state, other, seat, theirs, mine, ACCEPTED):
                if deal_is_good(box, state, seat, other, mine, theirs, GAIN):
                    value = standing(box, state, seat)
                    if value > best:
                        best = value
                        found = thing * (MAX_OF_ONE_TOKEN + 1) + n
            move(state, other, seat, thing, n)
        thing = next_tradable_thing(state, seat, thing)
    return found


@rule
def deal_with(box: Box, state: State, seat: int, other: int) -> int:
    """The deal a seat would propose: what it wants most of the other, and the price; NO_DEAL if there is none."""
    turns = turns_left(box, state)
    before = tradable_worth(box, state, seat, turns) + tradable_worth(box, state, other, turns)
    most = MIN_GAIN_OF_TRADE
    wanted = NO_DEAL
    thing = 0
    while thing < THINGS:
        for n in range(1, n_for_sale(box, state, other, thing) + 1):
            value = worth_with(box, state, seat, other, thing, n, turns) - before
            if value > most:
                most = value
                wanted = thing * (MAX_OF_ONE_TOKEN + 1) + n
        thing = next_tradable_thing(state, other, thing)
    if wanted == NO_DEAL:
        return NO_DEAL
    mine = standing(box, state, seat)
    theirs = standing(box, state, other)
    thing = wanted // (MAX_OF_ONE_TOKEN + 1)
    n = wanted % (MAX_OF_ONE_TOKEN + 1)
    move(state, other, seat, thing, n)
    price = cheapest(box, state, seat, other, mine, theirs)
    move(state, seat, other, thing, n)
    if price == NO_DEAL or price // (MAX_OF_ONE_TOKEN + 1) == thing:
        return NO_DEAL
    return price * SIDES + wanted


@rule
def exchange_cards(state: State, giver: int, taker: int, cards: Bits) -> None:
    """Move the cards of one side of the slip, to see what it would be worth."""
    card = first_from(cards, 0)
    while card >= 0:
        move(state, giver, taker, TOKENS + card, 1)
        card = first_from(cards, card + 1)


@rule
def offer_is_good(box: Box, state: State, seat: int, least: float) -> bool:
    """4.2: is what lies on the slip a good deal for the seat that is to answer it?"""
    other = writer(state)
    mine = standing(box, state, seat)
    theirs = standing(box, state, other)
    for token in range(TOKENS):
        move(state, other, seat, token, int(state.offer.give[token]) - int(state.offer.want[token]))
    exchange_cards(state, other, seat, state.offer.give_cards)
    exchange_cards(state, seat, other, state.offer.want_cards)
    is_good = deal_is_good(box, state, seat, other, mine, theirs, least)
    for token in range(TOKENS):
        move(state, seat, other, token, int(state.offer.give[token]) - int(state.offer.want[token]))
    exchange_cards(state, seat, other, state.offer.give_cards)
    exchange_cards(state, other, seat, state.offer.want_cards)
    return is_good


@rule
def partner(box: Box, state: State, seat: int) -> int:
    """The neighbour to make an offer to: the next one with whom there is a deal, each offer of a turn going to a later one."""
    for step in range(1 + state.seats[seat].n_offers, state.n_seats):
        other = int((seat + step) % state.n_seats)
        if deal_with(box, state, seat, other) != NO_DEAL:
            return other
    return NO_DEAL


@rule
def still_to_write(state: State, out: Legal, side: int, is_given: bool) -> bool:
    """Is a side of the slip incomplete? If so, `out` keeps only the actions that write what it lacks."""
    thing = side // (MAX_OF_ONE_TOKEN + 1)
    if thing >= TOKENS:
        card = thing - TOKENS
        if is_given and not has(state.offer.give_cards, card):
            allow(out, A.give_card + card)
            return True
        if not is_given and not has(state.offer.want_cards, card):
            allow(out, A.want_card + card)
            return True
        return False
    if is_given and state.offer.give[thing] < side % (MAX_OF_ONE_TOKEN + 1):
        allow(out, A.give + thing)
        return True
    if not is_given and state.offer.want[thing] < side % (MAX_OF_ONE_TOKEN + 1):
        allow(out, A.want + thing)
        return True
    return False


@rule
def is_on_slip(state: State, deal: int) -> bool:
    """Does the slip hold nothing but what belongs to the deal?"""
    price = deal // SIDES // (MAX_OF_ONE_TOKEN + 1)
    wanted = deal % SIDES // (MAX_OF_ONE_TOKEN + 1)
    for token in range(TOKENS):
        most_given = 0
        if token == price:
            most_given = deal // SIDES % (MAX_OF_ONE_TOKEN + 1)
        most_wanted = 0
        if token == wanted:
            most_wanted = deal % SIDES % (MAX_OF_ONE_TOKEN + 1)
        if state.offer.give[token] > most_given or state.offer.want[token] > most_wanted:
            return False
    for card in range(CARDS):
        if has(state.offer.give_cards, card) and card + TOKENS != price:
            return False
        if has(state.offer.want_cards, card) and card + TOKENS != wanted:
            return False
    return True


@rule
def write_slip(box: Box, state: State, out: Legal) -> None:
    """4.2: write what is still missing, then make the offer; a slip with anything else on it is torn up."""
    seat = int(state.to_act)
    deal = deal_with(box, state, seat, reader(state))
    clear(out.ids)
    if deal == NO_DEAL or not is_on_slip(state, deal):
        allow(out, A.cancel)
    elif not still_to_write(state, out, deal // SIDES, True) and not still_to_write(state, out, deal % SIDES, False):
        allow(out, A.send)


@rule
def answer_offer(box: Box, state: State, out: Legal) -> None:
    """4.2: a good offer is accepted; any other is answered by the deal the seat would propose itself, or declined where there is none."""
    seat = int(state.to_act)
    if offer_is_good(box, state, seat, ACCEPTED):
        clear(out.ids)
        allow(out, A.accept)
        return
    remove(out.ids, A.accept)
    if has(out.ids, A.counter):
        if deal_with(box, state, seat, writer(state)) == NO_DEAL:
            remove(out.ids, A.counter)
        else:
            remove(out.ids, A.decline)


@rule
def needs_land(box: Box, state: State, seat: int, land: int) -> bool:
    """5.2: is this the only free land for another card of the hand that could be played in this phase?"""
    me = state.seats[seat]
    if me.worked + 1 >= me.tokens[PEASANTS]:
        return False
    money = me.tokens[GOLD] + me.tokens[RESOURCES]
    card = first_from(me.hand, 0)
    while card >= 0:
        if card != state.card and lands_for(box, state, card) == bit(land):
            if box.card[card].type == BOUNTY or cost_of(box, state, seat, card) <= money:
                return True
        card = first_from(me.hand, card + 1)
    return False


@rule
def brings_as_much(box: Box, state: State, land: int, other: int) -> bool:
    """5.3: does the card that is being played bring on the other land what it brings on this one?"""
    card = int(state.card)
    for token in range(TOKENS):
        if yield_of(box, state, card, land, token) != yield_of(box, state, card, other, token):
            return False
    return is_at_castle(box, card, land) == is_at_castle(box, card, other)


@rule
def leave_room(box: Box, state: State, seat: int, out: Legal) -> None:
    """5.2: of two lands that bring equally much, leave free the one that alone would take another card of the hand."""
    for land in range(LANDS):
        if has(out.ids, A.on + land) and needs_land(box, state, seat, land):
            for other in range(LANDS):
                if has(out.ids, A.on + other) and brings_as_much(box, state, land, other):
                    if not needs_land(box, state, seat, other):
                        forbid(out, A.on + land)
                        break


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """Remove what a bot need not consider: offers that do not help both, lands that another card of its own needs, equal pairs of cards."""
    if state.phase == P.offer:
        other = partner(box, state, int(state.to_act))
        clear(out.ids)
        if other == NO_DEAL:
            allow(out, A.done)
        else:
            allow(out, A.offer + other)
    elif state.phase == P.compose:
        write_slip(box, state, out)
    elif state.phase == P.answer:
        answer_offer(box, state, out)
    elif state.phase == P.choose_land:
        leave_room(box, state, int(state.to_act), out)
    elif state.phase in (P.sell_second, P.swap_second):
        first = A.sell
        if state.phase == P.swap_second:
            first = A.swap
        if first_from(out.ids, first + state.other) >= 0:
            for action in range(first, first + state.other):
                out.ids[action >> 6] &= ~bit(action & 63)
