"""A forecast of the rest of a season of Three Years of War, for bots: how the bidding goes on, and which claim it ends with.

The seat that holds the total expects the best of the claims; a seat that would have to act again expects what the others leave it.
Its place in the draft is the number of those likely to outlast it, and what it plays until then costs cards; while nobody has
passed, it may be the first to pass and take a Despair with the worst of the claims.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sutler.core.bits import count, count_both
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.threeyears.bot.worth import (
    NUMBERS_NOW,
    free_worths,
    hand_worth,
    icons_worth,
    nth_best,
    seasons_left,
    slot_worth,
)
from sutler.games.threeyears.box import SEASONS, S
from sutler.games.threeyears.state import n_passed

if TYPE_CHECKING:
    from sutler.games.threeyears.bot.worth import Numbers
    from sutler.games.threeyears.records import Box, State

# How long a seat holds out beside another: chances are logistic in the difference.
OVER_TOTAL = 0.12  # for each icon in its best season beyond what the total asks for
HOLDER = 11.0  # if the total is its own: the others have to act, and it almost surely holds out
# Icons in the best season of a hand that one does not see: feared rather than expected.
GUESS, GUESS_PER_CARD = 0.5, 2.2
# Cards that a seat still plays, for each other with whom it is even which of them goes first.
STRUGGLE, STRUGGLE_PER_ICON = 2.1, 0.034
DREAD = 0.70  # how much of a Despair it is to be likely to pass first
DOUBLE = 0.20  # a card with two icons, besides


@rule
def reach(box: Box, state: State, seat: int, viewer: int) -> float:
    """5.4, 5.5: the total that a seat could bid with the cards of its best season; hands not seen are guessed."""
    hand = state.seats[seat].hand
    if seat != viewer:
        return GUESS + GUESS_PER_CARD * count(hand)
    best = 0
    for season in range(SEASONS):
        icons = count_both(hand, box.of_shape[season, 0]) + 2 * count_both(hand, box.of_shape[season, 1])
        if icons > 0 and season == state.season:
            icons += 1
        best = max(best, icons)
    return 1.0 * best


@rule
def is_holder(state: State, seat: int) -> bool:
    """Is the influence total this seat's? Then it is the last before the bidder that is still in."""
    if count(state.seats[seat].shown) == 0:
        return False
    at = int(state.bidder)
    for _ in range(state.n_seats):
        at -= 1
        if at < 0:
            at = int(state.n_seats) - 1
        if state.seats[at].marker == 0 and at != state.bidder:
            return at == seat
    return False


@rule
def stamina(box: Box, state: State, seat: int, viewer: int) -> float:
    """An estimate of how long a seat can stay in the bidding."""
    n = OVER_TOTAL * (reach(box, state, seat, viewer) - state.total)
    if is_holder(state, seat):
        n += HOLDER
    return n


@rule
def bid_worth(box: Box, state: State, seat: int, viewer: int, share: float) -> float:
    """The expected worth of a seat that still bids: its likely claim, less the cards it plays for that and the risk of passing first."""
    place = 0.0
    cards = 0.0
    is_last = 1.0
    mine = stamina(box, state, seat, viewer)
    for other in range(state.n_seats):
        if other != seat and state.seats[other].marker == 0:
            ahead = mine - stamina(box, state, other, viewer)
            outlasts = 1.0 / (1.0 + math.exp(max(-30.0, min(30.0, ahead))))
            place += outlasts
            is_last *= outlasts
            cards += (STRUGGLE + STRUGGLE_PER_ICON * state.total) * 4.0 * outlasts * (1.0 - outlasts)
    n = 1.0 * count(state.seats[seat].hand)
    cost = (hand_worth(NUMBERS_NOW, n) - hand_worth(NUMBERS_NOW, max(0.0, n - cards))) * seasons_left(box, state)
    if n_passed(state) == 0:
        cost += is_last * DREAD * box.mean_despair * box.rules.first_pass_despair
    low = int(place)
    worths = free_worths(box, state, NUMBERS_NOW, seat, share)
    high = nth_best(worths, low)
    if place > low:
        high += (place - low) * (nth_best(worths, low + 1) - high)
    return high - cost


@rule
def n_before(state: State, seat: int) -> int:
    """7.1: how many of those without a claim take theirs before a seat with a marker does."""
    n = 0
    for other in range(state.n_seats):
        marker = state.seats[other].marker
        if other != seat and state.seats[other].claim == NOBODY and marker < state.seats[seat].marker:
            if marker > 0 or state.stage == S.influence:
                n += 1
    return n


@rule
def is_bidding(state: State, seat: int) -> bool:
    """Is the seat still bidding, without a claim of this season?"""
    me = state.seats[seat]
    return state.stage < S.claims and me.claim == NOBODY and me.marker == 0


@rule
def claim_due(box: Box, state: State, by: Numbers, seat: int, share: float) -> float:
    """The expected worth of this season's claim cards to a seat that no longer bids."""
    me = state.seats[seat]
    if state.stage == S.claims:
        if me.marker > state.kth + 1 or (me.marker == state.kth + 1 and state.step < 2):
            return slot_worth(box, state, by, seat, int(me.claim), share)
        if state.actor == seat:
            return icons_worth(box, state, by, seat, state.due, share)
        return 0.0
    if state.stage > S.claims:
        return 0.0
    if me.claim != NOBODY:
        return slot_worth(box, state, by, seat, int(me.claim), share)
    return nth_best(free_worths(box, state, by, seat, share), n_before(state, seat))


@rule
def claim_worth(box: Box, state: State, seat: int, viewer: int, share: float) -> float:
    """The expected worth of this season's claim cards to a seat."""
    if is_bidding(state, seat):
        return bid_worth(box, state, seat, viewer, share)
    return claim_due(box, state, NUMBERS_NOW, seat, share)


@rule
def quality(box: Box, state: State, seat: int) -> float:
    """The worth of the cards of a hand beyond their number: those with two icons."""
    doubles = 0
    for season in range(SEASONS):
        doubles += count_both(state.seats[seat].hand, box.of_shape[season, 1])
    return DOUBLE * doubles
