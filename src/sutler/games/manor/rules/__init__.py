"""What you may do in Medieval Manor and what it does: a file a chapter of the guide; here `legal` and `apply`."""

from __future__ import annotations

from sutler.core.bits import add, allow, allow_range, allow_set, allow_word, count, first_from, forbid
from sutler.core.rule import rule
from sutler.games.manor.box import GOODS, PAIR, STEAL_GOOD, TOKENS
from sutler.games.manor.rules.common import (
    A_ACCEPT,
    A_BUY,
    A_CANCEL,
    A_CONVERT,
    A_DECLINE,
    A_DISCARD,
    A_DONE,
    A_FEED_CROPS,
    A_FINISH,
    A_GAIN,
    A_GIVE,
    A_GIVE_CARD,
    A_GIVE_UP,
    A_GROW,
    A_KEEP,
    A_OFFER,
    A_ON,
    A_PAY_GOLD,
    A_PLACE,
    A_SELL,
    A_SEND,
    A_SPEND,
    A_STEAL_CARD,
    A_STEAL_FROM,
    A_STEAL_GOOD,
    A_SWAP,
    A_USE,
    A_WANT,
    A_WANT_CARD,
    go_on,
    may_gain,
    next_seat,
    seat_in_turn,
    start_phase,
)
from sutler.games.manor.rules.draw import do_buy, do_give_up, do_keep, do_swap, proceed_draw, start_turn
from sutler.games.manor.rules.ending import do_discard, end_turn, proceed_end
from sutler.games.manor.rules.feeding import do_feed, do_grow, least_crops, most_crops, proceed_feeding
from sutler.games.manor.rules.trade import (
    can_give,
    can_offer,
    can_want,
    clear_offer,
    do_accept,
    do_decline,
    do_offer,
    do_send,
    is_blank,
    proceed_trade,
)
from sutler.games.manor.rules.upgrade import do_spend, do_use, proceed_upgrade
from sutler.games.manor.rules.work import (
    allow_placing,
    can_be_robbed,
    can_convert,
    can_take,
    do_convert,
    do_finish,
    do_gain,
    do_lay,
    do_pay,
    do_place,
    do_sell,
    do_steal_card,
    do_steal_from,
    do_steal_good,
    end_action,
    lands_for,
    least_gold,
    most_gold,
    proceed_work,
)
from sutler.games.manor.state import (
    ANSWER,
    BUY,
    CHOOSE_LAND,
    COMPOSE,
    CONVERT,
    DRAW_PHASE,
    END_PHASE,
    FEED,
    FEEDING_PHASE,
    GIVE_UP,
    GROW,
    GROW_FEED,
    KEEP,
    LIMIT,
    MOVING,
    OFFER,
    OVER,
    PAY,
    SELL_GOOD,
    SELL_SECOND,
    SPEND,
    STEAL,
    STEAL_FROM,
    SWAP,
    SWAP_SECOND,
    TRADE_PHASE,
    UPGRADE_PHASE,
    USE,
    WORK,
    WORK_PHASE,
    holder,
)

# --- The course of a turn (guide 1.6) ----------------------------------------


@rule
def proceed(box, state, events):
    """1.6: draw, trade, work, upgrade, feed, end, until somebody has a decision to make or the game is over."""
    while state.phase == MOVING:
        seat = seat_in_turn(state)
        if state.stage == WORK_PHASE:
            proceed_work(box, state, events)
        elif state.kth >= state.n_seats:
            if state.stage == END_PHASE:
                end_turn(box, state, events)
            elif state.stage == DRAW_PHASE and box.options.offers == 0:
                start_phase(state, events, WORK_PHASE)
            else:
                start_phase(state, events, state.stage + 1)
        elif state.stage == DRAW_PHASE:
            proceed_draw(box, state, events, seat)
        elif state.stage == TRADE_PHASE:
            proceed_trade(box, state, events, seat)
        elif state.stage == UPGRADE_PHASE:
            proceed_upgrade(box, state, events, seat)
        elif state.stage == FEEDING_PHASE:
            proceed_feeding(box, state, events, seat)
        else:
            proceed_end(box, state, events, seat)


@rule
def start(box, state, events):
    """From the set-up table to the first decision."""
    go_on(state)
    start_turn(box, state, events)
    proceed(box, state, events)


# --- What is legal -----------------------------------------------------------


@rule
def allow_trade(box, state, seat, out):
    """4: the choices while an offer is written."""
    for token in range(TOKENS):
        if can_give(state, seat, token):
            allow(out, A_GIVE + token)
        if can_want(state, seat, token):
            allow(out, A_WANT + token)
    if box.options.common_hand == 0:
        mine = state.seats[seat].hand
        theirs = state.seats[state.offer.to_seat].hand
        for w in range(len(mine)):
            allow_word(out, A_GIVE_CARD + w * 64, mine[w] & ~state.offer.give_cards[w])
            allow_word(out, A_WANT_CARD + w * 64, theirs[w] & ~state.offer.want_cards[w])
    if not is_blank(state):
        allow(out, A_SEND)
    allow(out, A_CANCEL)


@rule
def legal(box, state, out):
    """Mark every action id that the seat to act may take. `out` is all zeros when called."""
    phase = state.phase
    seat = int(state.to_act)
    hand = state.seats[holder(box, seat)].hand
    if phase == WORK:
        allow_placing(box, state, seat, out)
        if count(hand) >= PAIR:
            allow_set(out, A_SELL, hand)
        allow(out, A_FINISH)
    elif phase == CHOOSE_LAND:
        allow_word(out, A_ON, lands_for(box, state, int(state.card)))
    elif phase in (SELL_SECOND, SWAP_SECOND):
        first = A_SELL
        if phase == SWAP_SECOND:
            first = A_SWAP
        allow_set(out, first, hand)
        forbid(out, first + state.other)
    elif phase == SELL_GOOD:
        for good in range(GOODS):
            if may_gain(state, good):
                allow(out, A_GAIN + good)
    elif phase == SWAP:
        allow_set(out, A_SWAP, hand)
        allow(out, A_DONE)
    elif phase == BUY:
        allow(out, A_BUY)
        allow(out, A_DONE)
    elif phase == GIVE_UP:
        for good in range(GOODS):
            if state.seats[seat].tokens[good] > 0:
                allow(out, A_GIVE_UP + good)
    elif phase == KEEP:
        allow_set(out, A_KEEP, state.aside)
    elif phase == LIMIT:
        allow_set(out, A_DISCARD, hand)
    elif phase == USE:
        upgrades = state.seats[seat].upgrades
        card = first_from(upgrades, 0)
        while card >= 0:
            if can_convert(box, state, seat, card):
                allow(out, A_USE + card)
            card = first_from(upgrades, card + 1)
        allow(out, A_DONE)
    elif phase == SPEND:
        allow_set(out, A_SPEND, hand)
    elif phase in (FEED, GROW_FEED):
        least = least_crops(state, seat)
        allow_range(out, A_FEED_CROPS + least, most_crops(state, seat) - least + 1)
    elif phase == GROW:
        allow(out, A_GROW)
        allow(out, A_DONE)
    elif phase == PAY:
        least = least_gold(state, seat)
        allow_range(out, A_PAY_GOLD + least, most_gold(state, seat) - least + 1)
    elif phase == CONVERT:
        allow(out, A_CONVERT)
        allow(out, A_DONE)
    elif phase == STEAL_FROM:
        for victim in range(state.n_seats):
            if can_be_robbed(box, state, seat, victim):
                allow(out, A_STEAL_FROM + victim)
    elif phase == STEAL:
        if box.card[state.card].steal == STEAL_GOOD:
            for good in range(GOODS):
                if can_take(state, int(state.victim), good):
                    allow(out, A_STEAL_GOOD + good)
        else:
            allow_set(out, A_STEAL_CARD, state.seats[state.victim].hand)
    elif phase == OFFER:
        for other in range(state.n_seats):
            if can_offer(box, state, seat, other):
                allow(out, A_OFFER + other)
        allow(out, A_DONE)
    elif phase == COMPOSE:
        allow_trade(box, state, seat, out)
    elif phase == ANSWER:
        allow(out, A_ACCEPT)
        allow(out, A_DECLINE)


# --- What it does ------------------------------------------------------------


@rule
def do_done(box, state, events, seat):
    """No more of what was asked: no purchase, no swap, no offer, no conversion, no new peasant."""
    if state.phase == CONVERT:
        end_action(state)
        return
    if state.phase == BUY:
        state.step = 2
        state.used = 0
    elif state.phase == OFFER:
        state.step = 1
    elif state.phase == USE or state.phase == GROW:
        state.step = 2
    else:
        next_seat(state)
    go_on(state)


@rule
def apply_trade(box, state, events, seat, action):
    """4: an action of the trade phase."""
    if action < A_GIVE:
        do_offer(box, state, events, seat, action - A_OFFER)
    elif action < A_GIVE_CARD:
        state.offer.give[action - A_GIVE] += 1
    elif action < A_WANT:
        add(state.offer.give_cards, action - A_GIVE_CARD)
    elif action < A_WANT_CARD:
        state.offer.want[action - A_WANT] += 1
    elif action < A_SEND:
        add(state.offer.want_cards, action - A_WANT_CARD)
    elif action == A_SEND:
        do_send(box, state, events, seat)
    elif action == A_CANCEL:
        clear_offer(state)
        go_on(state)
    elif action == A_ACCEPT:
        do_accept(box, state, events, seat)
    else:
        do_decline(box, state, events, seat)


@rule
def apply_work(box, state, events, seat, action):
    """5: an action of the work phase."""
    if action < A_ON:
        do_place(box, state, events, seat, action - A_PLACE)
    elif action < A_CONVERT:
        do_lay(box, state, events, seat, action - A_ON)
    elif action == A_CONVERT:
        do_convert(box, state, events, seat)
    elif action < A_STEAL_CARD:
        do_steal_from(box, state, events, seat, action - A_STEAL_FROM)
    elif action < A_STEAL_GOOD:
        do_steal_card(box, state, events, seat, action - A_STEAL_CARD)
    elif action < A_PAY_GOLD:
        do_steal_good(box, state, events, seat, action - A_STEAL_GOOD)
    elif action < A_SELL:
        do_pay(box, state, events, seat, action - A_PAY_GOLD)
    elif action < A_GAIN:
        do_sell(box, state, events, seat, action - A_SELL)
    elif action < A_FINISH:
        do_gain(box, state, events, seat, action - A_GAIN)
    else:
        do_finish(box, state, events, seat)


@rule
def apply(box, state, events, action):
    """Take a legal action for the seat to act, and go on to the next decision or the end."""
    seat = int(state.to_act)
    if A_PLACE <= action < A_USE:
        apply_work(box, state, events, seat, action)
    elif action == A_DONE:
        do_done(box, state, events, seat)
    elif action < A_OFFER:
        if action == A_BUY:
            do_buy(box, state, events, seat)
        elif action < A_KEEP:
            do_give_up(box, state, events, seat, action - A_GIVE_UP)
        elif action < A_SWAP:
            do_keep(box, state, events, seat, action - A_KEEP)
        else:
            do_swap(box, state, events, seat, action - A_SWAP)
    elif action < A_PLACE:
        apply_trade(box, state, events, seat, action)
    elif action < A_SPEND:
        do_use(box, state, events, seat, action - A_USE)
    elif action < A_FEED_CROPS:
        do_spend(box, state, events, seat, action - A_SPEND)
    elif action < A_GROW:
        do_feed(box, state, events, seat, action - A_FEED_CROPS)
    elif action == A_GROW:
        do_grow(box, state, events, seat)
    else:
        do_discard(box, state, events, seat, action - A_DISCARD)
    proceed(box, state, events)


@rule
def is_midway(box, state):
    """Has the seat to act begun something that it must carry through?"""
    return state.phase in (
        GIVE_UP,
        KEEP,
        SWAP_SECOND,
        COMPOSE,
        CHOOSE_LAND,
        PAY,
        CONVERT,
        STEAL_FROM,
        STEAL,
        SELL_SECOND,
        SELL_GOOD,
        SPEND,
        GROW_FEED,
    )


@rule
def is_over(state):
    """8.2: has the game ended?"""
    return state.phase == OVER
