"""Interludes (guide 9): the four events, the windows for Writs before them, and the hand limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, allow, count, first_from, has, remove
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.threeyears.box import (
    AS_MANY,
    BATTLE,
    CARDS,
    FEWER,
    FIRST,
    FOOD,
    GOLD,
    HOLDINGS,
    LAST_PLACE,
    MARKETPLACE,
    MORE,
    REAPING,
    ROWS,
    SECOND,
    WINTER,
    S,
)
from sutler.games.threeyears.phases_actions_events import A, E, P, R
from sutler.games.threeyears.rules.common import clear_shy, is_shy, next_in_turn, start_stage
from sutler.games.threeyears.rules.gains import take_despair
from sutler.games.threeyears.rules.icons import add_icons, begin_icons
from sutler.games.threeyears.rules.taxes import start_season
from sutler.games.threeyears.state import n_cards_of_kind, seat_from_lead, writs_of

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.threeyears.records import Box, State

# Steps of one seat in an event.
FRESH, ACTED = range(2)


@rule
def turn_up_event(box: Box, state: State, events: Events) -> None:
    """9.1: the top card of the event's deck."""
    for seat in range(state.n_seats):
        state.seats[seat].standing = NOBODY
    state.card = state.interludes[state.season, state.year]
    tell(events, E.interlude, state.season, state.season * CARDS + state.card)


@rule
def proceed_interlude(box: Box, state: State, events: Events) -> None:
    """9.1: turn the card up, let Writs be revealed, then resolve it seat by seat."""
    if state.card == NOBODY:
        turn_up_event(box, state, events)
        state.kth = -state.n_seats
    elif state.kth < 0:
        proceed_window(state)
    elif state.season == BATTLE:
        proceed_battle(box, state, events)
    elif state.kth >= state.n_seats:
        end_interlude(box, state, events)
    elif state.season == MARKETPLACE:
        proceed_market(box, state, events, seat_from_lead(state, state.kth))
    elif state.season == REAPING:
        proceed_reaping(box, state, events, seat_from_lead(state, state.kth))
    else:
        proceed_bitter(box, state, events, seat_from_lead(state, state.kth))


@rule
def proceed_window(state: State) -> None:
    """8.7: once round from the lead player, and again until nobody reveals.

    `kth` counts up to 0, `used` says that somebody did.
    """
    seat = seat_from_lead(state, state.kth + state.n_seats)
    if writs_of(state, seat) > 0:
        ask(state, P.window, seat)
    else:
        end_window_turn(state, False)


@rule
def end_window_turn(state: State, has_revealed: int) -> None:
    """8.7: the next seat is asked; after a round with a Writ in it, all are asked again."""
    go_on(state)
    if has_revealed:
        state.used = 1
    state.kth += 1
    if state.kth == 0:
        if state.used == 1:
            state.kth = -state.n_seats
        state.used = 0


@rule
def end_interlude(box: Box, state: State, events: Events) -> None:
    """9.1, 9.8: the card is out of the game; after Winter the hands are checked."""
    if state.season == WINTER:
        start_stage(state, S.hand_limit)
    else:
        state.season += 1
        start_season(box, state, events)


# --- Marketplace (guide 9.2) -----------------------------------------------------


@rule
def can_buy(box: Box, state: State, seat: int, row: int) -> bool:
    """9.2: each row once, for its price in gold."""
    price = box.market[state.card].rows[row].price
    return not int(state.used) >> row & 1 and state.seats[seat].tracks[GOLD] >= price


@rule
def proceed_market(box: Box, state: State, events: Events, seat: int) -> None:
    """9.2: a seat buys row by row until it is done or nothing is left that it could buy."""
    for row in range(ROWS):
        if can_buy(box, state, seat, row):
            ask(state, P.market, seat)
            return
    if writs_of(state, seat) > 0 and state.used != (1 << ROWS) - 1:
        ask(state, P.market, seat)
    else:
        next_in_turn(state)


@rule
def why_not_buy(box: Box, state: State, seat: int, row: int) -> int:
    """9.2: not twice from one merchant, and not without the gold."""
    if state.phase != P.market:
        return R.fine
    if int(state.used) >> row & 1:
        return R.bought_already
    if not can_buy(box, state, seat, row):
        return R.too_dear
    return R.fine


@rule
def do_buy(box: Box, state: State, events: Events, seat: int, row: int) -> None:
    """9.2: pay, and the purchase takes effect at once."""
    price = int(box.market[state.card].rows[row].price)
    state.seats[seat].tracks[GOLD] -= price
    state.used |= 1 << row
    tell(events, E.bought, seat, price)
    add_icons(state, box.market[state.card].rows[row].gain)
    begin_icons(state, seat)
    go_on(state)


# --- Field of Battle (guide 9.3, 9.4) ---------------------------------------------


@rule
def rank_seats(box: Box, state: State, events: Events) -> None:
    """9.3, 9.4: all on the highest value are first, all on the next second; if any are left, the lowest are last."""
    track = box.battle[state.card].compare
    most = -1
    next_most = -1
    least = 1 << 20
    for seat in range(state.n_seats):
        n = state.seats[seat].tracks[track]
        if n > most:
            next_most = most
            most = n
        elif n < most and n > next_most:
            next_most = n
        least = min(least, n)
    for seat in range(state.n_seats):
        me = state.seats[seat]
        n = me.tracks[track]
        me.standing = NOBODY
        if n == most:
            me.standing = FIRST
        elif n == next_most:
            me.standing = SECOND
        elif n == least:
            me.standing = LAST_PLACE
    for result in range(LAST_PLACE + 1):
        for k in range(state.n_seats):
            seat = seat_from_lead(state, k)
            if state.seats[seat].standing == result:
                tell_rank(events, result, seat, track)


@rule
def tell_rank(events: Events, result: int, seat: int, track: int) -> None:
    """9.3, 9.4: who is first, second or last."""
    if result == FIRST:
        tell(events, E.first, seat, track)
    elif result == SECOND:
        tell(events, E.second, seat, track)
    else:
        tell(events, E.last, seat, track)


@rule
def proceed_battle(box: Box, state: State, events: Events) -> None:
    """9.3: rewards from left to right, each clockwise from the lead player; ranks are fixed before any of them."""
    if state.kth == 0 and state.step == FRESH:
        rank_seats(box, state, events)
        state.step = ACTED
    result = state.kth // state.n_seats
    if result > LAST_PLACE:
        end_interlude(box, state, events)
        return
    seat = seat_from_lead(state, state.kth - result * state.n_seats)
    state.kth += 1
    if state.seats[seat].standing == result:
        card = box.battle[state.card]
        if result == FIRST:
            add_icons(state, card.first)
        elif result == SECOND:
            add_icons(state, card.second)
        else:
            add_icons(state, card.last)
        begin_icons(state, seat)


# --- Reaping What Was Sown (guide 9.5, 9.6) -------------------------------------------


@rule
def has_surplus(box: Box, state: State, seat: int) -> bool:
    """9.5: more food than the resource on the card?"""
    me = state.seats[seat]
    return me.tracks[FOOD] > me.tracks[box.reaping[state.card].compare]


@rule
def is_exchange_left(box: Box, state: State) -> bool:
    """9.6, 11.6: one exchange a comparison, or by option one in all."""
    return box.options.exchange_once == 0 or state.used == 0


@rule
def can_exchange(box: Box, state: State, seat: int, offer: int) -> bool:
    """9.6: a surplus, and the food that the exchange costs."""
    card = box.reaping[state.card]
    if offer >= card.n_offers or not is_exchange_left(box, state):
        return False
    return has_surplus(box, state, seat) and state.seats[seat].tracks[FOOD] >= card.pay_food


@rule
def proceed_reaping(box: Box, state: State, events: Events, seat: int) -> None:
    """9.5: compare food; more may exchange and compares again, less takes a Despair; a Writ may come first (8.7)."""
    me = state.seats[seat]
    compare = box.reaping[state.card].compare
    if me.tracks[FOOD] > me.tracks[compare]:
        if can_exchange(box, state, seat, 0) or (writs_of(state, seat) > 0 and is_exchange_left(box, state)):
            ask(state, P.reap, seat)
            return
        end_harvest(box, state, events, seat)
    elif me.tracks[FOOD] == me.tracks[compare]:
        if writs_of(state, seat) > 0:
            ask(state, P.reap, seat)
            return
        end_harvest(box, state, events, seat)
    else:
        if writs_of(state, seat) > 0 and not is_shy(state, seat, FOOD):
            ask(state, P.last_chance, seat)
            return
        me.standing = FEWER
        tell(events, E.hunger, seat, compare)
        take_despair(state, events, seat)
    clear_shy(state)
    next_in_turn(state)


@rule
def end_harvest(box: Box, state: State, events: Events, seat: int) -> None:
    """9.5: done, with more food than the resource or as much."""
    if has_surplus(box, state, seat):
        state.seats[seat].standing = MORE
        tell(events, E.surplus, seat, box.reaping[state.card].compare)
    else:
        state.seats[seat].standing = AS_MANY
        tell(events, E.level, seat, box.reaping[state.card].compare)


@rule
def why_not_exchange(box: Box, state: State, seat: int, offer: int) -> int:
    """9.5, 9.6, 11.6: an offer of the card, a surplus, and the food it costs."""
    if state.phase != P.reap:
        return R.fine
    if offer >= box.reaping[state.card].n_offers:
        return R.no_offer
    if not has_surplus(box, state, seat):
        return R.no_surplus
    if not is_exchange_left(box, state):
        return R.exchanged_already
    if not can_exchange(box, state, seat, offer):
        return R.no_food
    return R.fine


@rule
def do_exchange(box: Box, state: State, events: Events, seat: int, offer: int) -> None:
    """9.6: hand the food in and take one side of the card; then compare again."""
    card = box.reaping[state.card]
    state.seats[seat].tracks[FOOD] -= card.pay_food
    state.used = 1
    tell(events, E.exchanged, seat, card.pay_food)
    add_icons(state, card.offers[offer])
    begin_icons(state, seat)
    go_on(state)


# --- The Bitter Months (guide 9.7) ------------------------------------------------------


@rule
def compare_holdings(box: Box, state: State, events: Events, seat: int) -> None:
    """9.7: has the seat more holdings than the resource on the card, as many, or fewer?"""
    me = state.seats[seat]
    compare = box.bitter[state.card].compare
    if me.tracks[HOLDINGS] > me.tracks[compare]:
        me.standing = MORE
        tell(events, E.sheltered, seat, compare)
    elif me.tracks[HOLDINGS] == me.tracks[compare]:
        me.standing = AS_MANY
        tell(events, E.crowded, seat, compare)
    else:
        me.standing = FEWER
        tell(events, E.exposed, seat, compare)


@rule
def proceed_bitter(box: Box, state: State, events: Events, seat: int) -> None:
    """9.7, 11.7: compare holdings, by option everybody's at once, and apply the row."""
    me = state.seats[seat]
    card = box.bitter[state.card]
    if box.options.compare_at_once == 0:
        compare_holdings(box, state, events, seat)
    elif state.kth == 0:
        for k in range(state.n_seats):
            compare_holdings(box, state, events, seat_from_lead(state, k))
    if me.standing == MORE:
        add_icons(state, card.more)
    elif me.standing == AS_MANY:
        add_icons(state, card.equal)
    else:
        add_icons(state, card.fewer)
    next_in_turn(state)
    begin_icons(state, seat)


# --- The hand limit (guide 9.8) -----------------------------------------------------------


@rule
def is_over_limit(box: Box, state: State, seat: int) -> bool:
    """9.8: more influence cards than may be kept over the winter?"""
    return count(state.seats[seat].hand) > box.rules.hand_limit


@rule
def why_not_discard(box: Box, state: State, seat: int, kind: int) -> int:
    """9.8: a card of this kind in hand."""
    if kind >= box.n_kinds or n_cards_of_kind(box, state, seat, kind) == 0:
        return R.not_held
    return R.fine


@rule
def allow_discard(box: Box, state: State, seat: int, out: Legal) -> None:
    """9.8: each kind of card in hand."""
    hand = state.seats[seat].hand
    card = first_from(hand, 0)
    while card >= 0:
        allow(out, A.discard + int(box.card[card].kind))
        card = first_from(hand, card + 1)


@rule
def proceed_limit(box: Box, state: State, events: Events) -> None:
    """9.8: clockwise from the lead player, each discards down to nine; then the year is over."""
    if state.kth >= state.n_seats:
        end_year(box, state, events)
        return
    seat = seat_from_lead(state, state.kth)
    if is_over_limit(box, state, seat):
        ask(state, P.limit, seat)
    else:
        next_in_turn(state)


@rule
def do_discard(box: Box, state: State, events: Events, seat: int, kind: int) -> None:
    """9.8: a card of this kind, face up onto the discard pile."""
    hand = state.seats[seat].hand
    card = first_from(box.kind[kind].cards, 0)
    while not has(hand, card):
        card = first_from(box.kind[kind].cards, card + 1)
    remove(hand, card)
    add(state.discards, card)
    tell(events, E.dropped, seat, card)
    go_on(state)


@rule
def end_year(box: Box, state: State, events: Events) -> None:
    """3.1: the next year, or the end of the war."""
    if state.year + 1 >= box.options.years:
        start_stage(state, S.end)
    else:
        state.year += 1
        state.season = 0
        start_season(box, state, events)
