"""What all chapters of Three Years of War share: action ids, events, asking, drawing influence cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, assign, clear, count, first_from, nth, remove
from sutler.core.chance import below
from sutler.core.events import tell, tell_to
from sutler.core.rule import rule
from sutler.games.threeyears.phases_actions_events import E

if TYPE_CHECKING:
    from sutler.core.typing import Bits, Events
    from sutler.games.threeyears.records import Box, State

# --- Steps (guide 3) -----------------------------------------------------------


@rule
def start_stage(state: State, stage: int) -> None:
    """3.2: the next phase of the season begins with the lead player, or with marker 1."""
    state.stage = stage
    state.kth = 0
    state.step = 0
    state.used = 0


@rule
def next_in_turn(state: State) -> None:
    """The next seat's go."""
    state.kth += 1
    state.step = 0
    state.used = 0


# --- Influence cards (guide 4.2) -------------------------------------------------


@rule
def draw_influence(box: Box, state: State, events: Events, seat: int, n: int) -> int:
    """4.2: so many cards to the hand; an empty deck is made anew from the discards. Returns how many there were.

    Nobody knows the order of the deck, so a card drawn at random from it is its top card.
    """
    for drawn in range(n):
        left = count(state.deck)
        if left == 0:
            assign(state.deck, state.discards)
            clear(state.discards)
            left = count(state.deck)
            if left == 0:
                return drawn
            tell(events, E.reshuffled)
        card = nth(state.deck, below(state, left))
        remove(state.deck, card)
        add(state.seats[seat].hand, card)
        tell_to(events, 1 << int(seat), E.dealt, seat, card, 0, 0, 0)
    return n


@rule
def draw_next(tokens: Bits) -> int:
    """Take the next token out of a supply that has one. The pile was shuffled once, so its order is luck enough."""
    token = first_from(tokens, 0)
    remove(tokens, token)
    return token


@rule
def draw_at_random(state: State, tokens: Bits) -> int:
    """Take any token of a set that is not empty."""
    token = nth(tokens, below(state, count(tokens)))
    remove(tokens, token)
    return token


@rule
def is_shy(state: State, seat: int, track: int) -> bool:
    """8.7: has this seat said that it bears the next loss of this resource rather than reveal a Writ?"""
    return bool(int(state.shy[seat]) >> int(track) & 1)


@rule
def clear_shy(state: State) -> None:
    """8.7: the losses are over; what comes next is asked for anew."""
    for seat in range(state.n_seats):
        state.shy[seat] = 0


@rule
def bit_of(seat: int) -> int:
    """A seat as one bit of a small number."""
    return 1 << int(seat)
