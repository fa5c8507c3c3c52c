"""A cache of evaluations: values computed for each seat in one position that serve in the next, since most actions change only one seat.

A seat's note holds what the seat owned, what that was worth, and the sums over its cards. A seat that owns the same at the same time is
worth the same; where only tokens have changed, only those are evaluated again. With a common hand (9.5) the hand limit depends on all
seats, so nothing is cached. A test compares the result with `evaluate`, to the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import assign, count
from sutler.core.record import field, record, set_of
from sutler.core.rule import rule
from sutler.games.manor.bot.evaluate import (
    BEST_OTHER,
    NEXT_CARD,
    cards_worth,
    evaluate,
    final_lead,
    food_worth,
    goods_worth_with_conversion,
    n_turns_left,
    peasants_worth,
    upgrades_worth,
    victory_gains,
    weight_of_lead,
    worth_within_hand_limit,
)
from sutler.games.manor.box import CARDS, SEATS, TOKENS, VICTORY, S
from sutler.games.manor.phases_actions_events import P
from sutler.games.manor.rules.ending import hand_limit
from sutler.games.manor.scoring import end_victory

if TYPE_CHECKING:
    from sutler.core.typing import Bits
    from sutler.games.manor.records import Box, Noted, Notes, State

SEAT_NOTE = record(
    "Noted",
    ("is_known", "i1"),
    ("stage", "i1"),
    ("has_passed", "i1"),
    ("worked", "i2"),
    ("extra_next", "i2"),
    field("tokens", "i2", TOKENS),
    ("limit", "i2"),  # the hand limit with these upgrades
    ("cards", "i2"),  # the number of cards in the hand
    ("at_the_end", "i4"),  # victory tokens that these upgrades add when the game ends
    ("gains", "f8"),  # victory tokens that these upgrades bring in a turn
    ("works", "f8"),  # the worth of these upgrades (`upgrades_worth`)
    ("in_hand", "f8"),  # the worth of the hand without a limit (`cards_worth`)
    ("turns", "f8"),
    ("at_hand", "f8"),  # `victory_at_hand`
    ("worth", "f8"),  # `total_worth`
    set_of("card", "hand", CARDS),
    set_of("card", "upgrades", CARDS),
)
NOTES = record("Notes", field("seats", SEAT_NOTE, SEATS))


@rule
def are_equal_sets(cards: Bits, other_cards: Bits) -> bool:
    """Are two sets of cards equal?"""
    for w in range(len(cards)):
        if cards[w] != other_cards[w]:
            return False
    return True


@rule
def is_cached_state_valid(state: State, seat: int, cached: Noted) -> bool:
    """Are a seat's tokens and progress in the turn as they were when its values were cached?

    The seat's cards are compared by `update_cached_card_sums`.
    """
    me = state.seats[seat]
    changed = (state.stage ^ cached.stage) | (me.has_passed ^ cached.has_passed)
    changed |= (me.worked ^ cached.worked) | (me.extra_next ^ cached.extra_next)
    for token in range(TOKENS):
        changed |= me.tokens[token] ^ cached.tokens[token]
    return changed == 0


@rule
def update_cached_card_sums(box: Box, state: State, seat: int, turns: float, cached: Noted) -> bool:
    """Bring the cached sums over a seat's cards up to date; return whether its cards or the number of turns left had changed."""
    me = state.seats[seat]
    is_new = cached.is_known == 0 or cached.turns != turns
    cached.is_known = 1
    cached.turns = turns
    changed = is_new
    if is_new or not are_equal_sets(me.upgrades, cached.upgrades):
        assign(cached.upgrades, me.upgrades)
        cached.limit = hand_limit(box, state, seat)
        cached.at_the_end = end_victory(box, state, seat)
        cached.gains = victory_gains(box, me.upgrades)
        cached.works = upgrades_worth(box, state, seat, turns)
        changed = True
    if is_new or not are_equal_sets(me.hand, cached.hand):
        assign(cached.hand, me.hand)
        cached.cards = count(me.hand)
        cached.in_hand = cards_worth(box, me.hand, turns)
        changed = True
    return changed


@rule
def cache_tokens(state: State, seat: int, cached: Noted) -> None:
    """Copy a seat's tokens and progress in the turn into the seat's cache entry."""
    me = state.seats[seat]
    cached.stage = state.stage
    cached.has_passed = me.has_passed
    cached.worked = me.worked
    cached.extra_next = me.extra_next
    for token in range(TOKENS):
        cached.tokens[token] = me.tokens[token]


@rule
def update_cached_worth(box: Box, state: State, seat: int, turns: float, cached: Noted) -> None:
    """Bring the total worth (`worth`) and the victory at hand (`at_hand`) in a seat's cache entry up to date.

    Only what has changed is computed, and it is summed in the order of `total_worth`.
    """
    if not update_cached_card_sums(box, state, seat, turns, cached) and is_cached_state_valid(state, seat, cached):
        return
    cache_tokens(state, seat, cached)
    victory = float(state.seats[seat].tokens[VICTORY])
    worth = (
        victory
        + cached.at_the_end
        + goods_worth_with_conversion(box, state, seat)
        + peasants_worth(box, state, seat, turns)
    )
    worth += food_worth(box, state, seat, turns) + cached.works
    hand = worth_within_hand_limit(state, seat, cached.in_hand, cached.cards, cached.limit)
    cached.worth = worth + (hand + NEXT_CARD * state.seats[seat].extra_next)
    cached.at_hand = victory
    if state.stage < S.upgrade:
        cached.at_hand = victory + cached.gains


@rule
def evaluate_noting(box: Box, state: State, seat: int, notes: Notes) -> float:
    """The value of a position to a seat, equal to `evaluate`, computed from the cache entries of all seats, which are updated."""
    if box.options.common_hand == 1:
        return evaluate(box, state, seat)
    if state.phase == P.over:
        return final_lead(box, state, seat)
    turns = n_turns_left(box, state)
    best = -1000.0
    most = 0.0
    for other in range(state.n_seats):
        note = notes.seats[other]
        update_cached_worth(box, state, other, turns, note)
        most = max(most, note.at_hand)
        if other != seat:
            best = max(best, note.worth)
    if most >= box.options.victory:  # the game ends with this turn: `evaluate` counts otherwise then
        return evaluate(box, state, seat)
    return (notes.seats[seat].worth - BEST_OTHER * best) * weight_of_lead(turns)
