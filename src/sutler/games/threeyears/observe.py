"""Hidden information in Three Years of War (guide 1.14): what a seat may know of it, and how it is dealt again at random (redeals).

Hidden are the hands of others, the decks, the numbers on face-down Despair (from their owner too) and the Writs of others.
A seat remembers what it has seen as a scout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.core.bits import (
    add,
    assign,
    bit,
    clear,
    count,
    count_both,
    first_from,
    has,
    lowest,
    merge,
    nth,
    nth_bit,
    popcount,
    remove,
    take_away,
)
from sutler.core.chance import below
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.threeyears.box import CARDS, DESPAIRS, ICON_NAMES, ICONS, SEASONS, SEATS, WRITS
from sutler.games.threeyears.phases_actions_events import P
from sutler.games.threeyears.rules.influence import nth_of_both
from sutler.games.threeyears.rules.scouting import n_upcoming
from sutler.games.threeyears.state import owner_of_despair, owner_of_writ

if TYPE_CHECKING:
    from sutler.core.typing import Bits, Numbers, Row, Word
    from sutler.games.threeyears.records import Box, State

# --- For learners -----------------------------------------------------------------

OBSERVED_MORE = (
    *(f"cards in the hand of seat {k} from the observer's own" for k in range(SEATS)),
    *(f"what Despair token {token + 1} costs; -1: unknown" for token in range(DESPAIRS)),
    *(f"which Writ token {token + 1} is; -1: unknown" for token in range(WRITS)),
    *(f"{icon} on claim card {slot + 1} and its stakes" for slot in range(SEATS) for icon in ICON_NAMES),
    *(
        f"card {place + 1} of interlude deck {event + 1}; -1: unknown"
        for event in range(SEASONS)
        for place in range(CARDS)
    ),
)


@rule
def observe_more(box: Box, state: State, seat: int, out: Numbers, index: int) -> None:
    """Write the features of OBSERVED_MORE into `out`, from `index` on: sizes of hands, and what the seat has seen face down (1.14)."""
    for k in range(state.n_seats):
        out[index + k] = count(state.seats[(seat + k) % state.n_seats].hand)
    index += SEATS
    for token in range(DESPAIRS):
        out[index + token] = -1
        if knows_despair(state, seat, token):
            out[index + token] = state.despair_face[token]
    index += DESPAIRS
    for token in range(WRITS):
        out[index + token] = -1
        if knows_writ(state, seat, token):
            out[index + token] = state.writ_face[token]
    index += WRITS
    for slot in range(SEATS):
        if state.offer[slot] != NOBODY:
            for icon in range(ICONS):
                out[index + icon] = n_icons_in_slot(box, state, slot, icon)
        index += ICONS
    for event in range(SEASONS):
        for place in range(CARDS):
            out[index + place] = -1
            if knows_interlude(box, state, seat, event, place):
                out[index + place] = state.interludes[event, place]
        index += CARDS


@rule
def n_icons_in_slot(box: Box, state: State, slot: int, icon: int) -> int:
    """The number of times an icon stands on the claim card in a slot and on the stakes on it (7.3)."""
    n = int(box.claim[state.offer[slot]].icons[icon])
    card = first_from(state.tied[slot], 0)
    while card >= 0:
        n += box.card[card].symbols[icon]
        card = first_from(state.tied[slot], card + 1)
    return n


@rule
def knows_despair(state: State, seat: int, token: int) -> bool:
    """Does a seat know the number on a Despair token, because it saw it as a scout (8.8) or the game is over (10.3)?"""
    if state.phase == P.over:
        return has(state.dispelled, token) or owner_of_despair(state, token) != NOBODY
    return has(state.seats[seat].seen_despair, token)


@rule
def knows_writ(state: State, seat: int, token: int) -> bool:
    """Does a seat know the kind of a Writ, because the Writ is its own (1.9) or it saw it as a scout (8.8)?"""
    return owner_of_writ(state, token) == seat or has(state.seats[seat].seen_writs, token)


@rule
def knows_interlude(box: Box, state: State, seat: int, event: int, place: int) -> bool:
    """Does a seat know a card of an event's deck, because it was turned up (9.1) or the seat saw it as a scout (8.8)?"""
    n = int(box.n_cards[event])
    if place >= n:
        return False
    return place < n - n_upcoming(box, state, event) or bool(int(state.seats[seat].seen_cards[event]) >> place & 1)


@rule
def knows_picker(box: Box, state: State, seat: int, owner: int) -> bool:
    """May a seat see the set of cards that `owner` is choosing? Until the set is complete, only the owner may (5.8)."""
    return state.phase != P.pick or state.to_act == seat


# --- Redealing what a seat cannot know (guide 1.14) ---------------------------


@rule
def redeal(box: Box, state: State, seat: int, luck: Any) -> None:
    """Deal again at random, in place, everything that a seat cannot know: others' hands, face-down tokens, interlude cards.

    The result agrees with all that the seat knows. `luck` is a source of random numbers, here and in the functions below.
    """
    redeal_hands(box, state, seat, luck)
    redeal_despair(state, seat, luck)
    redeal_writs(state, seat, luck)
    redeal_interludes(box, state, seat, luck)


@rule
def redeal_hands(box: Box, state: State, seat: int, luck: Any) -> None:
    """Deal again at random the hands of the other seats and the deck, from all cards that lie in them.

    A seat that is choosing a set keeps the cards chosen so far, and first draws the cards that the set still needs.
    """
    for other in range(state.n_seats):
        if other != seat:
            merge(state.deck, state.seats[other].hand)  # all hands return to the deck before any is dealt anew
    picker = NOBODY
    if state.phase == P.pick and state.to_act != seat:
        picker = int(state.to_act)
        take_away(state.deck, state.picked)
        hand = state.seats[picker].hand
        n = count(hand)
        assign(hand, state.picked)
        draw_for_set(box, state, hand, luck)
        draw_hand_up_to(state, hand, n, luck)
    for other in range(state.n_seats):
        if other != seat and other != picker:
            hand = state.seats[other].hand
            n = count(hand)
            clear(hand)
            draw_hand_up_to(state, hand, n, luck)


@rule
def draw_hand_up_to(state: State, hand: Bits, n_cards: int, luck: Any) -> None:
    """Move random cards from the deck to a hand until the hand holds `n_cards` cards."""
    for _ in range(n_cards - count(hand)):
        card = nth(state.deck, below(luck, count(state.deck)))
        remove(state.deck, card)
        add(hand, card)


@rule
def draw_for_set(box: Box, state: State, hand: Bits, luck: Any) -> None:
    """Draw into a hand, at random, the cards that the set being chosen still needs: double and single cards of its season."""
    start = int(box.first_kind[state.suit])
    stop = int(box.first_kind[state.suit + 1])
    for pips in range(2, 0, -1):
        wanted = int(state.twos)
        first = int(state.kind)
        if pips == 1:
            wanted = int(state.ones)
            if state.twos > 0:
                first = start
        for _ in range(wanted):
            n = 0
            for kind in range(first, stop):
                if box.kind[kind].pips == pips:
                    n += count_both(state.deck, box.kind[kind].cards)
            k = below(luck, n)
            for kind in range(first, stop):
                if box.kind[kind].pips == pips:
                    n = count_both(state.deck, box.kind[kind].cards)
                    if 0 <= k < n:
                        card = nth_of_both(state.deck, box.kind[kind].cards, k)
                        remove(state.deck, card)
                        add(hand, card)
                    k -= n


@rule
def redeal_despair(state: State, seat: int, luck: Any) -> None:
    """Deal again at random the numbers on Despair tokens that a seat has not seen, in the pile or before any seat."""
    hidden = state.despairs[0]
    for other in range(state.n_seats):
        hidden |= state.seats[other].despair[0]
    redeal_faces(state.despair_face, hidden & ~state.seats[seat].seen_despair[0], luck)


@rule
def redeal_writs(state: State, seat: int, luck: Any) -> None:
    """Deal again at random the kinds of Writs that a seat has not seen, in the pile and before other seats."""
    hidden = state.writs[0]
    for other in range(state.n_seats):
        if other != seat:
            hidden |= state.seats[other].writs[0]
    redeal_faces(state.writ_face, hidden & ~state.seats[seat].seen_writs[0], luck)


@rule
def redeal_faces(faces: Row[int], hidden: Word, luck: Any) -> None:
    """Shuffle, in place, the hidden values (faces) of the tokens or cards at the places in the bit set `hidden`.

    The faces are sorted first, so that the result does not depend on their order.
    """
    sort_faces(faces, hidden)
    while hidden != 0:
        a = lowest(hidden)
        b = nth_bit(hidden, below(luck, popcount(hidden)))
        hidden &= ~bit(a)
        swap_faces(faces, a, b)


@rule
def sort_faces(faces: Row[int], hidden: Word) -> None:
    """Sort, in place, the hidden values (faces) at the places in the bit set `hidden`, in ascending order."""
    face = 0
    while hidden != 0:
        left = hidden
        while left != 0:
            place = lowest(left)
            left &= ~bit(place)
            if faces[place] == face:
                front = lowest(hidden)
                hidden &= ~bit(front)
                swap_faces(faces, front, place)
        face += 1


@rule
def swap_faces(faces: Row[int], place: int, other_place: int) -> None:
    """Swap the faces at the places `place` and `other_place`."""
    held = faces[place]
    faces[place] = faces[other_place]
    faces[other_place] = held


@rule
def redeal_interludes(box: Box, state: State, seat: int, luck: Any) -> None:
    """Shuffle the face-down interlude cards that a seat has not seen, each deck for itself."""
    for event in range(SEASONS):
        n = int(box.n_cards[event])
        hidden = np.uint64(0)
        for place in range(n - n_upcoming(box, state, event), n):
            if not int(state.seats[seat].seen_cards[event]) >> place & 1:
                hidden |= bit(place)
        redeal_faces(state.interludes[event], hidden, luck)
