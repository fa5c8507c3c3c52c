"""A forecast of the rest of a season of Three Years of War, for bots: how the bidding goes on, and which claim card a seat gets.

The seat that holds the influence total expects the best claim card; a seat that would have to act again expects what the others leave. Its
place in the draft is the number of seats likely to outlast it in the bidding, and the cards it plays until then are a cost. While no seat
has passed, it may be the first to pass, and take a Despair with the worst claim card.

`viewer` is the seat whose knowledge is used, `share` the share (0 to 1) of their full worth that tracks still have.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sutler.core.bits import count, count_both
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.threeyears.bot.worth import (
    NUMBERS_NOW,
    claim_in_slot_worth,
    hand_worth,
    icons_worth,
    share_of_seasons_left,
    worth_at_draft_place,
    worths_of_free_claims,
)
from sutler.games.threeyears.box import SEASONS, S
from sutler.games.threeyears.state import n_seats_passed

if TYPE_CHECKING:
    from sutler.games.threeyears.bot.worth import Numbers
    from sutler.games.threeyears.records import Box, State

# How long a seat stays in the bidding: the chance to outlast another seat is logistic in the difference of `bidding_stamina`.
OVER_TOTAL = 0.12  # for each icon in the seat's best season beyond the influence total
HOLDER = 11.0  # for the seat that holds the total: the others must act, so it almost surely outlasts them
# The icons in the best season of a hand that the viewer does not see; set high, as a feared rather than an expected number.
GUESS, GUESS_PER_CARD = 0.5, 2.2
# The cards that a seat still plays, for each rival with whom it is even which of them passes first.
STRUGGLE, STRUGGLE_PER_ICON = 2.1, 0.034
DREAD = 0.70  # the share of a Despair's cost that the risk of passing first costs
DOUBLE = 0.20  # the extra worth of a two-icon card, in points


@rule
def highest_reachable_bid(box: Box, state: State, seat: int, viewer: int) -> float:
    """The highest total that a seat could bid with the season it has most of (5.4, 5.5); estimated where `viewer` does not see the hand."""
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
def holds_influence_total(state: State, seat: int) -> bool:
    """Did this seat set the influence total: is it the last one before the bidder that has not passed?"""
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
def bidding_stamina(box: Box, state: State, seat: int, viewer: int) -> float:
    """An estimate of how long a seat can stay in the bidding.

    The difference between two seats is the log odds that one outlasts the other.
    """
    n = OVER_TOTAL * (highest_reachable_bid(box, state, seat, viewer) - state.total)
    if holds_influence_total(state, seat):
        n += HOLDER
    return n


@rule
def bid_worth(box: Box, state: State, seat: int, viewer: int, share_left: float) -> float:
    """The expected worth of the season to a seat that is still bidding, in points.

    It is the worth of the claim card it will probably get, less the worth of the cards it will play and the risk of passing first.
    """
    place = 0.0
    cards = 0.0
    is_last = 1.0
    mine = bidding_stamina(box, state, seat, viewer)
    for other in range(state.n_seats):
        if other != seat and state.seats[other].marker == 0:
            ahead = mine - bidding_stamina(box, state, other, viewer)
            outlasts = 1.0 / (1.0 + math.exp(max(-30.0, min(30.0, ahead))))
            place += outlasts
            is_last *= outlasts
            cards += (STRUGGLE + STRUGGLE_PER_ICON * state.total) * 4.0 * outlasts * (1.0 - outlasts)
    n = 1.0 * count(state.seats[seat].hand)
    cost = (hand_worth(NUMBERS_NOW, n) - hand_worth(NUMBERS_NOW, max(0.0, n - cards))) * share_of_seasons_left(
        box, state
    )
    if n_seats_passed(state) == 0:
        cost += is_last * DREAD * box.mean_despair * box.rules.first_pass_despair
    low = int(place)
    worths = worths_of_free_claims(box, state, NUMBERS_NOW, seat, share_left)
    high = worth_at_draft_place(worths, low)
    if place > low:
        high += (place - low) * (worth_at_draft_place(worths, low + 1) - high)
    return high - cost


@rule
def n_drafting_before(state: State, seat: int) -> int:
    """The number of seats that take a claim card before this seat does, which has a marker and no card yet (7.1)."""
    n = 0
    for other in range(state.n_seats):
        marker = state.seats[other].marker
        if other != seat and state.seats[other].claim == NOBODY and marker < state.seats[seat].marker:
            if marker > 0 or state.stage == S.influence:
                n += 1
    return n


@rule
def is_bidding(state: State, seat: int) -> bool:
    """Is a seat still in the bidding of this season?"""
    me = state.seats[seat]
    return state.stage < S.claims and me.claim == NOBODY and me.marker == 0


@rule
def settled_claim_worth(box: Box, state: State, weights: Numbers, seat: int, share_left: float) -> float:
    """The expected worth of this season's claim card to a seat that no longer bids, in points; `weights`: a row of NUMBERS."""
    me = state.seats[seat]
    if state.stage == S.claims:
        if me.marker > state.kth + 1 or (me.marker == state.kth + 1 and state.step < 2):
            return claim_in_slot_worth(box, state, weights, seat, int(me.claim), share_left)
        if state.actor == seat:
            return icons_worth(box, state, weights, seat, state.due, share_left)
        return 0.0
    if state.stage > S.claims:
        return 0.0
    if me.claim != NOBODY:
        return claim_in_slot_worth(box, state, weights, seat, int(me.claim), share_left)
    return worth_at_draft_place(
        worths_of_free_claims(box, state, weights, seat, share_left), n_drafting_before(state, seat)
    )


@rule
def claim_worth(box: Box, state: State, seat: int, viewer: int, share_left: float) -> float:
    """The expected worth of this season's claim card to a seat, in points, whether it still bids or not."""
    if is_bidding(state, seat):
        return bid_worth(box, state, seat, viewer, share_left)
    return settled_claim_worth(box, state, NUMBERS_NOW, seat, share_left)


@rule
def double_cards_worth(box: Box, state: State, seat: int) -> float:
    """The worth of the two-icon cards in a seat's hand, in points, beyond that of cards in general."""
    doubles = 0
    for season in range(SEASONS):
        doubles += count_both(state.seats[seat].hand, box.of_shape[season, 1])
    return DOUBLE * doubles
