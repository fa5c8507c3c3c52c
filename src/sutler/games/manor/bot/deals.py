"""The deals that bots propose and accept in Medieval Manor (guide 4): the thing a seat wants most of another, and the best payment for it.

Bots propose only one kind of thing for one kind of thing, at most three of each; longer lists would take too much time. Every deal is
judged by one rule, `is_deal_good`, whether a bot proposes it, answers it or counters it. An offer is written action by action, and the deal
is computed again for each action; the result is the same each time, because it depends only on the position.

A thing is a number below THINGS: a token, or TOKENS plus a card. A side of a deal is one number, its side code:
thing * (MAX_OF_ONE_TOKEN + 1) + count. A deal is one number too: side code of the payment * N_SIDE_CODES + side code of what is wanted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, allow, bit, clear, first_from, forbid, has, remove
from sutler.core.rule import rule
from sutler.games.manor.bot.evaluate import (
    BEST_OTHER,
    evaluate,
    is_last_turn,
    n_turns_left,
    total_worth,
    weight_of_lead,
)
from sutler.games.manor.box import BOUNTY, CARDS, GOLD, LANDS, PEASANTS, RESOURCES, TOKENS, VICTORY
from sutler.games.manor.phases_actions_events import A, P
from sutler.games.manor.rules.common import may_gain
from sutler.games.manor.rules.trade import n_to_trade, reader, writer
from sutler.games.manor.rules.work import cost_of, is_at_castle, lands_for, yield_of

if TYPE_CHECKING:
    from sutler.core.typing import Bits, Legal
    from sutler.games.manor.records import Box, State

THINGS = TOKENS + CARDS  # the number of things that an offer may name: tokens, then cards
MAX_OF_ONE_TOKEN = 3  # the most tokens of one kind on a side of a deal that a bot proposes
N_SIDE_CODES = THINGS * (MAX_OF_ONE_TOKEN + 1)
NO_DEAL = -1
MIN_GAIN_OF_TRADE = 0.226  # the least by which a thing is worth more to the asker than to its owner, in victory
MIN_GAIN_OF_ASKER = 0.317  # the least that a deal must bring the seat that proposes it, in victory tokens
MIN_GAIN_OF_ACCEPTER = 0.26  # the least that a deal must bring the seat that accepts it
VICTORY_IN_TRADE = 1.0  # the worth of a victory token in trade beyond what `evaluate` counts, which is tuned on games without such sales
FAIR_SHARE = 0.5  # the least that a deal must bring a seat, as a share (0 to 1) of what it brings the other


@rule
def max_tradable_number(box: Box, state: State, seat: int, thing: int) -> int:
    """The largest number of a thing that a bot lets a seat put on one side of an offer (4.1, 4.3); for a card 0 or 1."""
    if thing >= TOKENS:
        return int(box.options.common_hand == 0 and has(state.seats[seat].hand, thing - TOKENS))
    if not may_gain(state, thing):
        return 0
    return max(0, min(MAX_OF_ONE_TOKEN, n_to_trade(state, seat, thing)))


@rule
def tradable_worth(box: Box, state: State, seat: int, turns: float) -> float:
    """The worth of all that a seat owns, as bots judge it in trades, in victory tokens.

    Victory tokens count extra, because they bring the end nearer. `turns` is the number of turns that the game still takes.
    """
    return total_worth(box, state, seat, turns) + VICTORY_IN_TRADE * state.seats[seat].tokens[VICTORY]


@rule
def lead_in_trade(box: Box, state: State, seat: int) -> float:
    """The lead of a seat over the best other seat by `tradable_worth`, in victory tokens; `evaluate` if the game ends with this turn."""
    if is_last_turn(box, state):
        return evaluate(box, state, seat)
    turns = n_turns_left(box, state)
    best = -1000.0
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, tradable_worth(box, state, other, turns))
    return (tradable_worth(box, state, seat, turns) - BEST_OTHER * best) * weight_of_lead(turns)


@rule
def is_deal_good(box: Box, state: State, seat: int, other: int, mine: float, theirs: float, min_gain: float) -> bool:
    """Is the deal between `seat` and `other`, already carried out in this state, good for `seat`?

    `mine` and `theirs` are `lead_in_trade` of the two seats before the deal. The deal must bring `seat` more than `min_gain`, and at
    least FAIR_SHARE of what it brings `other`: a seat can trade with as many others as sit at the table.
    """
    gain = lead_in_trade(box, state, seat) - mine
    return gain > min_gain and gain >= FAIR_SHARE * (lead_in_trade(box, state, other) - theirs)


@rule
def next_tradable_thing(state: State, seat: int, thing: int) -> int:
    """The next thing after `thing` that a seat may own, tokens before the cards of its hand; THINGS if there is no further one."""
    if thing + 1 < TOKENS:
        return thing + 1
    card = first_from(state.seats[seat].hand, thing + 1 - TOKENS)
    if card < 0:
        return THINGS
    return TOKENS + card


@rule
def move_thing(state: State, giver: int, taker: int, thing: int, n: int) -> None:
    """Move `n` of a thing from the seat `giver` to the seat `taker`, in place and without the rules, to judge a deal by its result."""
    if thing >= TOKENS:
        remove(state.seats[giver].hand, thing - TOKENS)
        add(state.seats[taker].hand, thing - TOKENS)
    else:
        state.seats[giver].tokens[thing] -= n
        state.seats[taker].tokens[thing] += n


@rule
def joint_worth_after_move(box: Box, state: State, seat: int, other: int, thing: int, n: int, turns: float) -> float:
    """The worth of what two seats own together, in victory tokens, after `n` of a thing went from `other` to `seat`."""
    move_thing(state, other, seat, thing, n)
    worth = tradable_worth(box, state, seat, turns) + tradable_worth(box, state, other, turns)
    move_thing(state, seat, other, thing, n)
    return worth


@rule
def best_payment(box: Box, state: State, seat: int, other: int, mine: float, theirs: float) -> int:
    """The payment that `seat` should offer for what `other` has just given it, as a code for one side of an offer.

    NO_DEAL if no payment is good for both. `mine` and `theirs` are `lead_in_trade` of both seats before the deal.
    """
    best = -1000.0
    found = NO_DEAL
    thing = 0
    while thing < THINGS:
        for n in range(1, max_tradable_number(box, state, seat, thing) + 1):
            move_thing(state, seat, other, thing, n)
            if is_deal_good(box, state, other, seat, theirs, mine, MIN_GAIN_OF_ACCEPTER):
                if is_deal_good(box, state, seat, other, mine, theirs, MIN_GAIN_OF_ASKER):
                    value = lead_in_trade(box, state, seat)
                    if value > best:
                        best = value
                        found = thing * (MAX_OF_ONE_TOKEN + 1) + n
            move_thing(state, other, seat, thing, n)
        thing = next_tradable_thing(state, seat, thing)
    return found


@rule
def best_deal_with(box: Box, state: State, seat: int, other: int) -> int:
    """The deal that `seat` would propose to `other`, coded as one number; NO_DEAL if none is good for both.

    It asks for the thing that `seat` wants most and offers the best payment.
    """
    turns = n_turns_left(box, state)
    before = tradable_worth(box, state, seat, turns) + tradable_worth(box, state, other, turns)
    most = MIN_GAIN_OF_TRADE
    wanted = NO_DEAL
    thing = 0
    while thing < THINGS:
        for n in range(1, max_tradable_number(box, state, other, thing) + 1):
            value = joint_worth_after_move(box, state, seat, other, thing, n, turns) - before
            if value > most:
                most = value
                wanted = thing * (MAX_OF_ONE_TOKEN + 1) + n
        thing = next_tradable_thing(state, other, thing)
    if wanted == NO_DEAL:
        return NO_DEAL
    mine = lead_in_trade(box, state, seat)
    theirs = lead_in_trade(box, state, other)
    thing = wanted // (MAX_OF_ONE_TOKEN + 1)
    n = wanted % (MAX_OF_ONE_TOKEN + 1)
    move_thing(state, other, seat, thing, n)
    price = best_payment(box, state, seat, other, mine, theirs)
    move_thing(state, seat, other, thing, n)
    if price == NO_DEAL or price // (MAX_OF_ONE_TOKEN + 1) == thing:
        return NO_DEAL
    return price * N_SIDE_CODES + wanted


@rule
def move_cards(state: State, giver: int, taker: int, cards: Bits) -> None:
    """Move a set of cards from the hand of `giver` to that of `taker`, in place and without the rules, to judge a deal by its result."""
    card = first_from(cards, 0)
    while card >= 0:
        move_thing(state, giver, taker, TOKENS + card, 1)
        card = first_from(cards, card + 1)


@rule
def is_offer_good(box: Box, state: State, seat: int, min_gain: float) -> bool:
    """Is the offer on the table good for `seat`, which is to answer it (4.2): does it bring more than `min_gain` victory tokens?"""
    other = writer(state)
    mine = lead_in_trade(box, state, seat)
    theirs = lead_in_trade(box, state, other)
    for token in range(TOKENS):
        move_thing(state, other, seat, token, int(state.offer.give[token]) - int(state.offer.want[token]))
    move_cards(state, other, seat, state.offer.give_cards)
    move_cards(state, seat, other, state.offer.want_cards)
    is_good = is_deal_good(box, state, seat, other, mine, theirs, min_gain)
    for token in range(TOKENS):
        move_thing(state, seat, other, token, int(state.offer.give[token]) - int(state.offer.want[token]))
    move_cards(state, seat, other, state.offer.give_cards)
    move_cards(state, other, seat, state.offer.want_cards)
    return is_good


@rule
def next_trade_partner(box: Box, state: State, seat: int) -> int:
    """The next seat with which a deal is good for both; NO_DEAL if there is none.

    Each further offer of a turn goes to a later seat.
    """
    for step in range(1 + state.seats[seat].n_offers, state.n_seats):
        other = int((seat + step) % state.n_seats)
        if best_deal_with(box, state, seat, other) != NO_DEAL:
            return other
    return NO_DEAL


@rule
def allow_missing_part(state: State, out: Legal, side_code: int, is_given: bool) -> bool:
    """Does one side of the offer still lack a part of the intended deal? If so, allow in `out` the action that adds the part.

    `side_code` encodes what belongs on that side; `is_given`: is it the side of what is given, not of what is wanted?
    """
    thing = side_code // (MAX_OF_ONE_TOKEN + 1)
    if thing >= TOKENS:
        card = thing - TOKENS
        if is_given and not has(state.offer.give_cards, card):
            allow(out, A.give_card + card)
            return True
        if not is_given and not has(state.offer.want_cards, card):
            allow(out, A.want_card + card)
            return True
        return False
    if is_given and state.offer.give[thing] < side_code % (MAX_OF_ONE_TOKEN + 1):
        allow(out, A.give + thing)
        return True
    if not is_given and state.offer.want[thing] < side_code % (MAX_OF_ONE_TOKEN + 1):
        allow(out, A.want + thing)
        return True
    return False


@rule
def does_slip_fit_deal(state: State, deal: int) -> bool:
    """Does the offer that is being written contain only things that belong to the intended deal?"""
    price = deal // N_SIDE_CODES // (MAX_OF_ONE_TOKEN + 1)
    wanted = deal % N_SIDE_CODES // (MAX_OF_ONE_TOKEN + 1)
    for token in range(TOKENS):
        most_given = 0
        if token == price:
            most_given = deal // N_SIDE_CODES % (MAX_OF_ONE_TOKEN + 1)
        most_wanted = 0
        if token == wanted:
            most_wanted = deal % N_SIDE_CODES % (MAX_OF_ONE_TOKEN + 1)
        if state.offer.give[token] > most_given or state.offer.want[token] > most_wanted:
            return False
    for card in range(CARDS):
        if has(state.offer.give_cards, card) and card + TOKENS != price:
            return False
        if has(state.offer.want_cards, card) and card + TOKENS != wanted:
            return False
    return True


@rule
def allow_next_slip_action(box: Box, state: State, out: Legal) -> None:
    """Allow in `out` the one action that a bot takes while it writes an offer (4.2).

    It adds what is missing, sends the complete offer, or tears up a wrong one.
    """
    seat = int(state.to_act)
    deal = best_deal_with(box, state, seat, reader(state))
    clear(out.ids)
    if deal == NO_DEAL or not does_slip_fit_deal(state, deal):
        allow(out, A.cancel)
    elif not allow_missing_part(state, out, deal // N_SIDE_CODES, True) and not allow_missing_part(
        state, out, deal % N_SIDE_CODES, False
    ):
        allow(out, A.send)


@rule
def allow_best_answer(box: Box, state: State, out: Legal) -> None:
    """Leave in `out` only a bot's answer to an offer (4.2): accept it if it is good, else make a counteroffer, or decline."""
    seat = int(state.to_act)
    if is_offer_good(box, state, seat, MIN_GAIN_OF_ACCEPTER):
        clear(out.ids)
        allow(out, A.accept)
        return
    remove(out.ids, A.accept)
    if has(out.ids, A.counter):
        if best_deal_with(box, state, seat, writer(state)) == NO_DEAL:
            remove(out.ids, A.counter)
        else:
            remove(out.ids, A.decline)


@rule
def needs_land(box: Box, state: State, seat: int, land: int) -> bool:
    """Is `land` the only free land on which another card of the seat's hand could still be played in this phase (5.2)?"""
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
def yields_as_much_on(box: Box, state: State, land: int, other_land: int) -> bool:
    """Does the card that is being played yield as much on `other_land` as on `land` (5.3)?"""
    card = int(state.card)
    for token in range(TOKENS):
        if yield_of(box, state, card, land, token) != yield_of(box, state, card, other_land, token):
            return False
    return is_at_castle(box, card, land) == is_at_castle(box, card, other_land)


@rule
def keep_needed_lands_free(box: Box, state: State, seat: int, out: Legal) -> None:
    """Forbid in `out` a land that another card of the hand needs, if the card being played yields as much on another land (5.2)."""
    for land in range(LANDS):
        if has(out.ids, A.on + land) and needs_land(box, state, seat, land):
            for other in range(LANDS):
                if has(out.ids, A.on + other) and yields_as_much_on(box, state, land, other):
                    if not needs_land(box, state, seat, other):
                        forbid(out, A.on + land)
                        break


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """Remove from `out` the actions that bots need not consider.

    These are bad offers, lands that another card needs, and pairs of cards in reverse order.
    """
    if state.phase == P.offer:
        other = next_trade_partner(box, state, int(state.to_act))
        clear(out.ids)
        if other == NO_DEAL:
            allow(out, A.done)
        else:
            allow(out, A.offer + other)
    elif state.phase == P.compose:
        allow_next_slip_action(box, state, out)
    elif state.phase == P.answer:
        allow_best_answer(box, state, out)
    elif state.phase == P.choose_land:
        keep_needed_lands_free(box, state, int(state.to_act), out)
    elif state.phase in (P.sell_second, P.swap_second):
        first = A.sell
        if state.phase == P.swap_second:
            first = A.swap
        if first_from(out.ids, first + state.other) >= 0:
            for action in range(first, first + state.other):
                out.ids[action >> 6] &= ~bit(action & 63)
