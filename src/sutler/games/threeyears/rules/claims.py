"""Drafting and resolving claims (guide 7)."""

from __future__ import annotations

from sutler.core.bits import first_from
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.threeyears.rules.common import DRAFTED, RESOLVING, ask, go_on, next_in_turn, start_stage
from sutler.games.threeyears.rules.icons import add_icons, begin_icons
from sutler.games.threeyears.rules.stakes import clear_stakes
from sutler.games.threeyears.state import CLAIMING, DRAFT, INTERLUDE, WINDOW, writs_of

# Steps of one seat's claim.
OPENING, OPEN, RESOLVED = range(3)


@rule
def holder_of_marker(state, marker):
    """Who holds this claim marker."""
    for seat in range(state.n_seats):
        if state.seats[seat].marker == marker:
            return seat
    return NOBODY


@rule
def proceed_draft(box, state, events):
    """7.1: in the order of the markers; the last takes what is left."""
    if state.kth >= state.n_seats:
        start_stage(state, CLAIMING)
        return
    seat = holder_of_marker(state, state.kth + 1)
    if state.kth == state.n_seats - 1:
        for slot in range(state.n_seats):
            if state.taker[slot] == NOBODY:
                do_draft(state, events, seat, slot)
                return
    ask(state, DRAFT, seat)


@rule
def do_draft(state, events, seat, slot):
    """7.1: take a claim card with its stakes."""
    state.taker[slot] = seat
    state.seats[seat].claim = slot
    tell(events, DRAFTED, seat, state.offer[slot])
    next_in_turn(state)
    go_on(state)


@rule
def proceed_claims(box, state, events):
    """7.2: in the same order, one seat's claim wholly before the next."""
    if state.kth >= state.n_seats:
        clear_stakes(state)
        start_stage(state, INTERLUDE)
        return
    seat = holder_of_marker(state, state.kth + 1)
    if state.step == OPENING:
        if writs_of(state, seat) > 0:
            ask(state, WINDOW, seat)
        else:
            state.step = OPEN
    elif state.step == OPEN:
        open_claim(box, state, events, seat)
        state.step = RESOLVED
    else:
        next_in_turn(state)


@rule
def open_claim(box, state, events, seat):
    """7.3: the icons of the card and of the stakes on it."""
    slot = int(state.seats[seat].claim)
    tell(events, RESOLVING, seat, state.offer[slot])
    add_icons(state, box.claim[state.offer[slot]].icons)
    stakes = state.tied[slot]
    card = first_from(stakes, 0)
    while card >= 0:
        add_icons(state, box.card[card].icons)
        card = first_from(stakes, card + 1)
    begin_icons(state, seat)
