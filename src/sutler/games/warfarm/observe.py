"""The knowledge of a seat of WARFARM beyond the open fields (guide 1.9): numbers for learners, and redeals.

Hidden are the others' hands and set Traps (but not which deck each card came from) and the decks' order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.chance import below
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.warfarm.box import DECK_NAMES, DECKS, HOLES, SEATS, TRAP, VISITING
from sutler.games.warfarm.rules.common import has_seat
from sutler.games.warfarm.rules.use import is_unlocked
from sutler.games.warfarm.state import nth_after

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.warfarm.records import Box, State

# --- Redeals (guide 1.9) ------------------------------------------------------------------


@rule
def redeal(box: Box, state: State, seat: int, luck: Any) -> None:
    """1.9: shuffle, deck by deck, what the seat cannot see: the others' hands and Traps and the deck itself."""
    for deck in range(DECKS):
        gather(box, state, seat, deck)
    for _ in range(SWEEPS * box.options.hidden_traps):
        for k in range(1, SEATS):
            swap_traps(box, state, seat, nth_after(seat, k), luck)
    for deck in range(DECKS):
        for k in range(1, SEATS):
            deal_traps(box, state, nth_after(seat, k), deck, luck)
        for k in range(1, SEATS):
            deal_hand(box, state, nth_after(seat, k), deck, luck)


SWEEPS = 3
"""How often every secret Trap is dealt again: with one Trap once is enough, more make several Traps independent of each other."""


@rule
def swap_traps(box: Box, state: State, viewer: int, seat: int, luck: Any) -> None:
    """15.9: swap a secret Trap with a card in the hand: it may be of any deck that the seat has a card from."""
    other = state.seats[seat]
    for hole in range(other.n_traps):
        first = box.deck[box.card[other.traps[hole]].deck].designs[0]
        other.hand[first] += 1
        other.traps[hole] = NOBODY
        total = 0
        for deck in range(DECKS):
            total += trap_weight(box, state, viewer, seat, deck)
        k = below(luck, total)
        for deck in range(DECKS):
            k -= trap_weight(box, state, viewer, seat, deck)
            if k < 0 and other.traps[hole] == NOBODY:
                other.traps[hole] = some_trap(box, deck)
        other.hand[box.deck[box.card[other.traps[hole]].deck].designs[0]] -= 1


@rule
def trap_weight(box: Box, state: State, viewer: int, seat: int, deck: int) -> int:
    """15.9: in how many ways one of the seat's cards from a deck can be a Trap that lies nowhere else."""
    if box.deck[deck].n_designs == 0:
        return 0
    free = 0
    for i in range(box.deck[deck].n_designs):
        card = box.deck[deck].designs[i]
        if box.card[card].type == TRAP:
            free += state.deck[card]
    for k in range(1, SEATS):
        other = state.seats[nth_after(viewer, k)]
        for hole in range(other.n_traps):
            if other.traps[hole] != NOBODY and box.card[other.traps[hole]].deck == deck:
                free -= 1
    return state.seats[seat].hand[box.deck[deck].designs[0]] * max(0, free)


@rule
def some_trap(box: Box, deck: int) -> int:
    """A design of Trap from this deck, to stand for it."""
    for i in range(box.deck[deck].n_designs):
        card = int(box.deck[deck].designs[i])
        if box.card[card].type == TRAP and box.card[card].copies > 0:
            return card
    return NOBODY


@rule
def gather(box: Box, state: State, seat: int, deck: int) -> None:
    """Gather all hidden cards of a deck; a hand keeps its count in the deck's first design, a Trap's place its deck."""
    first = int(box.deck[deck].designs[0])
    for k in range(1, SEATS):
        other = state.seats[nth_after(seat, k)]
        n = 0
        for i in range(box.deck[deck].n_designs):
            card = int(box.deck[deck].designs[i])
            n += other.hand[card]
            state.deck[card] += other.hand[card]
            other.hand[card] = 0
        if n > 0:
            other.hand[first] = n
        for hole in range(other.n_traps):
            if box.card[other.traps[hole]].deck == deck:
                state.deck[other.traps[hole]] += 1


@rule
def deal_traps(box: Box, state: State, seat: int, deck: int, luck: Any) -> None:
    """Deal face-down Traps again: any of the deck's Traps that cannot be seen elsewhere."""
    other = state.seats[seat]
    for hole in range(other.n_traps):
        if box.card[other.traps[hole]].deck == deck:
            other.traps[hole] = pull(box, state, deck, luck, True)


@rule
def deal_hand(box: Box, state: State, seat: int, deck: int, luck: Any) -> None:
    """Deal hand cards again: any cards of their deck that cannot be seen elsewhere."""
    other = state.seats[seat]
    if box.deck[deck].n_designs > 0:
        first = int(box.deck[deck].designs[0])
        n = int(other.hand[first])
        other.hand[first] = 0
        for _ in range(n):
            other.hand[pull(box, state, deck, luck, False)] += 1


@rule
def pull(box: Box, state: State, deck: int, luck: Any, is_trap: bool) -> int:
    """Draw one hidden card of a deck, at random."""
    n = 0
    for i in range(box.deck[deck].n_designs):
        card = int(box.deck[deck].designs[i])
        if not is_trap or box.card[card].type == TRAP:
            n += state.deck[card]
    k = below(luck, n)
    found = int(box.deck[deck].designs[0])
    for i in range(box.deck[deck].n_designs):
        card = int(box.deck[deck].designs[i])
        if k >= 0 and (not is_trap or box.card[card].type == TRAP):
            k -= state.deck[card]
            if k < 0:
                found = card
    state.deck[found] -= 1
    return found


# --- More than the fields say (guide 1.9, 8.2) ---------------------------------------------

BACKS, HOLES_SEEN, GUESTS = SEATS * DECKS, SEATS * HOLES, SEATS * (SEATS - 1)
OBSERVED_MORE = (
    *(f"cards in {deck}" for deck in DECK_NAMES),
    *(f"open to oneself: {deck}" for deck in DECK_NAMES),
    *(f"seat {k}: hidden cards from {deck}" for k in range(SEATS) for deck in DECK_NAMES),
    *(f"seat {k}: deck of Trap {hole + 1}, -1: not known" for k in range(SEATS) for hole in range(HOLES)),
    *(f"seat {k}: Disciples visiting the seat {j} further on" for k in range(SEATS) for j in range(1, SEATS)),
    "the observer's own seat, as actions and the view number the seats",
)
"""Seats are counted from the observer's own."""


@rule
def observe_more(box: Box, state: State, seat: int, out: Numbers, at: int) -> None:
    """1.6, 1.9, 8.2: deck sizes, what is unlocked, the decks of hidden cards, whom Disciples visit, one's own number."""
    for card in range(box.n_cards):
        out[at + int(box.card[card].deck)] += state.deck[card]
    at += DECKS
    for deck in range(DECKS):
        if is_unlocked(box, state, seat, deck):
            out[at + deck] = 1
    at += DECKS
    for k in range(SEATS):
        of = (seat + k) % SEATS
        observe_backs(box, state, seat, of, out, at + k * DECKS, at + BACKS + k * HOLES)
        for j in range(1, SEATS):
            host = (of + j) % SEATS
            out[at + BACKS + HOLES_SEEN + k * (SEATS - 1) + j - 1] = state.seats[of].spots[VISITING + host]
    out[at + BACKS + HOLES_SEEN + GUESTS] = seat


@rule
def observe_backs(box: Box, state: State, seat: int, of: int, out: Numbers, backs: int, holes: int) -> None:
    """1.9, 15.9: write how many cards of each deck a seat has in its hand, and where Traps came from; with plain backs together."""
    one = state.seats[of]
    for card in range(box.n_cards):
        out[backs + int(box.card[card].deck)] += one.hand[card]
    for hole in range(HOLES):
        out[holes + hole] = -1
    for hole in range(one.n_traps):
        deck = int(box.card[one.traps[hole]].deck)
        if box.options.hidden_traps == 1 and of != seat:
            out[backs + deck] += 1
        else:
            out[holes + hole] = deck


@rule
def see_peace(box: Box, state: State, seat: int, of: int, out: Numbers, at: int) -> None:
    """11.7: write the seats that may not attack this one, as bits counted from the observer's own."""
    for k in range(SEATS):
        if has_seat(state.seats[of].peace, (seat + k) % SEATS):
            out[at] += 1 << k
