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
    peasants_worth,
    stores_worth,
    turns_left,
    upgrades_worth,
    victory_gains,
    weight_of_lead,
    worth_within_hand_limit,
)
from sutler.games.manor.box import CARDS, SEATS, TOKENS, VICTORY, S
from sutler.games.manor.rules.ending import hand_limit
from sutler.games.manor.scoring import end_value
from sutler.games.manor.table import P

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
    ("worth", "f8"),  # `holdings`
    set_of("card", "hand", CARDS),
    set_of("card", "upgrades", CARDS),
)
NOTES = record("Notes", field("seats", SEAT_NOTE, SEATS))


@rule
def are_equal_sets(some: Bits, others: Bits) -> bool:
    """Are two sets of cards equal?"""
    for w in range(len(some)):
        if some[w] != others[w]:
            return False
    return True


@rule
def is_as_noted(state: State, seat: int, note: Noted) -> bool:
    """Are a seat's tokens and its progress in the turn those of the note? Cards and turns are compared elsewhere (`update_card_sums`)."""
    me = state.seats[seat]
    changed = (state.stage ^ note.stage) | (me.has_passed ^ note.has_passed)
    changed |= (me.worked ^ note.worked) | (me.extra_next ^ note.extra_next)
    for token in range(TOKENS):
        changed |= me.tokens[token] ^ note.tokens[token]
    return changed == 0


@rule
def update_card_sums(box: Box, state: State, seat: int, turns: float, note: Noted) -> bool:
    """Bring the sums over a seat's cards in its note up to date. Returns whether cards or the number of turns left had changed."""
    me = state.seats[seat]
    is_new = note.is_known == 0 or note.turns != turns
    note.is_known = 1
    note.turns = turns
    changed = is_new
    if is_new or not are_equal_sets(me.upgrades, note.upgrades):
        assign(note.upgrades, me.upgrades)
        note.limit = hand_limit(box, state, seat)
        note.at_the_end = end_value(box, state, seat)
        note.gains = victory_gains(box, me.upgrades)
        note.works = upgrades_worth(box, state, seat, turns)
        changed = True
    if is_new or not are_equal_sets(me.hand, note.hand):
        assign(note.hand, me.hand)
        note.cards = count(me.hand)
        note.in_hand = cards_worth(box, me.hand, turns)
        changed = True
    return changed


@rule
def note_tokens(state: State, seat: int, note: Noted) -> None:
    """Copy a seat's tokens and its progress in the turn into its note."""
    me = state.seats[seat]
    note.stage = state.stage
    note.has_passed = me.has_passed
    note.worked = me.worked
    note.extra_next = me.extra_next
    for token in range(TOKENS):
        note.tokens[token] = me.tokens[token]


@rule
def update_note(box: Box, state: State, seat: int, turns: float, note: Noted) -> None:
    """Bring `worth` and `at_hand` of a seat's note up to date; only what has changed is computed, and summed in the order of `holdings`."""
    if not update_card_sums(box, state, seat, turns, note) and is_as_noted(state, seat, note):
        return
    note_tokens(state, seat, note)
    victory = float(state.seats[seat].tokens[VICTORY])
    worth = victory + note.at_the_end + stores_worth(box, state, seat) + peasants_worth(box, state, seat, turns)
    worth += food_worth(box, state, seat, turns) + note.works
    hand = worth_within_hand_limit(state, seat, note.in_hand, note.cards, note.limit)
    note.worth = worth + (hand + NEXT_CARD * state.seats[seat].extra_next)
    note.at_hand = victory
    if state.stage < S.upgrade:
        note.at_hand = victory + note.gains


@rule
def evaluate_noting(box: Box, state: State, seat: int, notes: Notes) -> float:
    """The value of a position to a seat, equal to `evaluate`, computed from the notes of all seats, which are updated."""
    if box.options.common_hand == 1:
        return evaluate(box, state, seat)
    if state.phase == P.over:
        return final_lead(box, state, seat)
    turns = turns_left(box, state)
    best = -1000.0
    most = 0.0
    for other in range(state.n_seats):
        note = notes.seats[other]
        update_note(box, state, other, turns, note)
        most = max(most, note.at_hand)
        if other != seat:
            best = max(best, note.worth)
    if most >= box.options.victory:  # the game ends with this turn: `evaluate` counts otherwise then
        return evaluate(box, state, seat)
    return (notes.seats[seat].worth - BEST_OTHER * best) * weight_of_lead(turns)
