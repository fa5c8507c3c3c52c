"""Hidden information in WARFARM (guide 1.9): what a seat may know of it, as numbers, and how it is dealt again at random (redeals).

Hidden are the others' hands and set Traps (but not the deck of each card), and the order of the decks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.chance import below
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.warfarm.box import DECK_NAMES, DECKS, HOLES, SEATS, TRAP, VISITING
from sutler.games.warfarm.rules.common import has_seat
from sutler.games.warfarm.rules.use import is_unlocked
from sutler.games.warfarm.state import nth_seat_after

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.warfarm.records import Box, State

# --- Redeals (guide 1.9) ------------------------------------------------------------------


@rule
def redeal(box: Box, state: State, seat: int, luck: Any) -> None:
    """Deal again at random, in place and deck by deck, all cards that a seat cannot see: the others' hands and Traps, and the decks (1.9).

    `luck` is a source of random numbers, here and in the functions below.
    """
    for deck in range(DECKS):
        gather_hidden_cards(box, state, seat, deck)
    for _ in range(N_TRAP_SWEEPS * box.options.hidden_traps):
        for k in range(1, SEATS):
            swap_traps(box, state, seat, nth_seat_after(seat, k), luck)
    for deck in range(DECKS):
        for k in range(1, SEATS):
            deal_traps(box, state, nth_seat_after(seat, k), deck, luck)
        for k in range(1, SEATS):
            deal_hand(box, state, nth_seat_after(seat, k), deck, luck)


N_TRAP_SWEEPS = 3
"""The number of times that every secret Trap is dealt anew: more than once, to make several Traps independent of each other."""


@rule
def swap_traps(box: Box, state: State, viewer: int, seat: int, luck: Any) -> None:
    """Exchange at random each secret Trap of `seat` with a card of its hand, in place.

    Where Traps are secret, `viewer` cannot know of which deck a Trap is: it may be of any from which `seat` has a card (15.9).
    """
    other = state.seats[seat]
    for hole in range(other.n_traps):
        first = box.deck[box.card[other.traps[hole]].deck].designs[0]
        other.hand[first] += 1
        other.traps[hole] = NOBODY
        total = 0
        for deck in range(DECKS):
            total += count_ways_to_be_trap(box, state, viewer, seat, deck)
        k = below(luck, total)
        for deck in range(DECKS):
            k -= count_ways_to_be_trap(box, state, viewer, seat, deck)
            if k < 0 and other.traps[hole] == NOBODY:
                other.traps[hole] = first_trap_design(box, deck)
        other.hand[box.deck[box.card[other.traps[hole]].deck].designs[0]] -= 1


@rule
def count_ways_to_be_trap(box: Box, state: State, viewer: int, seat: int, deck: int) -> int:
    """The weight of a deck when a secret Trap of a seat is redrawn: its cards from the deck, times the Traps not seen elsewhere (15.9)."""
    if box.deck[deck].n_designs == 0:
        return 0
    free = 0
    for i in range(box.deck[deck].n_designs):
        card = box.deck[deck].designs[i]
        if box.card[card].type == TRAP:
            free += state.deck[card]
    for k in range(1, SEATS):
        other = state.seats[nth_seat_after(viewer, k)]
        for hole in range(other.n_traps):
            if other.traps[hole] != NOBODY and box.card[other.traps[hole]].deck == deck:
                free -= 1
    return state.seats[seat].hand[box.deck[deck].designs[0]] * max(0, free)


@rule
def first_trap_design(box: Box, deck: int) -> int:
    """The first design of Trap from this deck, used to stand for all of them; NOBODY if the deck has none."""
    for i in range(box.deck[deck].n_designs):
        card = int(box.deck[deck].designs[i])
        if box.card[card].type == TRAP and box.card[card].copies > 0:
            return card
    return NOBODY


@rule
def gather_hidden_cards(box: Box, state: State, seat: int, deck: int) -> None:
    """Take all cards of a deck that `seat` cannot see out of hands, Traps and deck, to be dealt again at random.

    Each hand keeps the number of its cards in the count of the deck's first design, and the place of each Trap keeps a card of the
    deck.
    """
    first = int(box.deck[deck].designs[0])
    for k in range(1, SEATS):
        other = state.seats[nth_seat_after(seat, k)]
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
    """Deal again at random the face-down Traps that a seat has from one deck: any Traps of the deck that are not seen elsewhere."""
    other = state.seats[seat]
    for hole in range(other.n_traps):
        if box.card[other.traps[hole]].deck == deck:
            other.traps[hole] = draw_hidden_card(box, state, deck, luck, True)


@rule
def deal_hand(box: Box, state: State, seat: int, deck: int, luck: Any) -> None:
    """Deal again at random the hand cards that a seat has from one deck: any cards of the deck that are not seen elsewhere."""
    other = state.seats[seat]
    if box.deck[deck].n_designs > 0:
        first = int(box.deck[deck].designs[0])
        n = int(other.hand[first])
        other.hand[first] = 0
        for _ in range(n):
            other.hand[draw_hidden_card(box, state, deck, luck, False)] += 1


@rule
def draw_hidden_card(box: Box, state: State, deck: int, luck: Any, is_trap: bool) -> int:
    """The design of a card drawn at random from a deck's hidden cards, among Traps only if `is_trap`; the card is taken out."""
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

N_BACKS, N_HOLES_SEEN, N_GUESTS = SEATS * DECKS, SEATS * HOLES, SEATS * (SEATS - 1)
OBSERVED_MORE = (
    *(f"cards in {deck}" for deck in DECK_NAMES),
    *(f"open to oneself: {deck}" for deck in DECK_NAMES),
    *(f"seat {k}: hidden cards from {deck}" for k in range(SEATS) for deck in DECK_NAMES),
    *(f"seat {k}: deck of Trap {hole + 1}, -1: not known" for k in range(SEATS) for hole in range(HOLES)),
    *(f"seat {k}: Disciples visiting the seat {j} further on" for k in range(SEATS) for j in range(1, SEATS)),
    "the observer's own seat, as actions and the view number the seats",
)
"""The features that `observe_more` writes, in order; seats are counted from the observer's own."""


@rule
def observe_more(box: Box, state: State, seat: int, out: Numbers, index: int) -> None:
    """Write the features of OBSERVED_MORE into `out`, from `index` on: decks, hidden cards, visits (1.6, 1.9, 8.2)."""
    for card in range(box.n_cards):
        out[index + int(box.card[card].deck)] += state.deck[card]
    index += DECKS
    for deck in range(DECKS):
        if is_unlocked(box, state, seat, deck):
            out[index + deck] = 1
    index += DECKS
    for k in range(SEATS):
        of = (seat + k) % SEATS
        observe_backs(box, state, seat, of, out, index + k * DECKS, index + N_BACKS + k * HOLES)
        for j in range(1, SEATS):
            host = (of + j) % SEATS
            out[index + N_BACKS + N_HOLES_SEEN + k * (SEATS - 1) + j - 1] = state.seats[of].spots[VISITING + host]
    out[index + N_BACKS + N_HOLES_SEEN + N_GUESTS] = seat


@rule
def observe_backs(
    box: Box, state: State, seat: int, owner: int, out: Numbers, backs_index: int, traps_index: int
) -> None:
    """Write `owner`'s number of cards of each deck into `out` from `backs_index` on, its Traps' decks from `traps_index` on (1.9).

    With secret Traps (15.9), those of another seat are counted among the hand cards.
    """
    one = state.seats[owner]
    for card in range(box.n_cards):
        out[backs_index + int(box.card[card].deck)] += one.hand[card]
    for hole in range(HOLES):
        out[traps_index + hole] = -1
    for hole in range(one.n_traps):
        deck = int(box.card[one.traps[hole]].deck)
        if box.options.hidden_traps == 1 and owner != seat:
            out[backs_index + deck] += 1
        else:
            out[traps_index + hole] = deck


@rule
def observe_element_peace(box: Box, state: State, seat: int, owner: int, out: Numbers, index: int) -> None:
    """Write into `out`, at `index`, the seats that may not attack `owner` (11.7), as a bit set counted from the observer's own seat."""
    for k in range(SEATS):
        if has_seat(state.seats[owner].peace, (seat + k) % SEATS):
            out[index] += 1 << k
