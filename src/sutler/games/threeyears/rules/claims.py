"""Drafting and resolving claims (guide 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow, first_from
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.threeyears.box import S
from sutler.games.threeyears.phases_actions_events import A, E, P, R
from sutler.games.threeyears.rules.common import next_in_turn, start_stage
from sutler.games.threeyears.rules.icons import add_icons, begin_icons
from sutler.games.threeyears.rules.stakes import clear_stakes, slot_of
from sutler.games.threeyears.state import writs_of

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.threeyears.records import Box, State

# Steps of one seat's claim.
OPENING, OPEN, RESOLVED = range(3)


@rule
def holder_of_marker(state: State, marker: int) -> int:
    """Who holds this claim marker."""
    for seat in range(state.n_seats):
        if state.seats[seat].marker == marker:
            return seat
    return NOBODY


@rule
def proceed_draft(box: Box, state: State, events: Events) -> None:
    """7.1: in the order of the markers; the last takes what is left, asked about its Writs before the first claim (8.7)."""
    if state.kth >= state.n_seats:
        start_stage(state, S.claims)
        return
    seat = holder_of_marker(state, state.kth + 1)
    if state.kth == state.n_seats - 1:
        if state.step == OPENING and writs_of(state, seat) > 0:
            ask(state, P.window, seat)
            return
        for slot in range(state.n_seats):
            if state.taker[slot] == NOBODY:
                do_draft(box, state, events, seat, int(state.offer[slot]))
                return
    ask(state, P.draft, seat)


@rule
def why_not_draft(box: Box, state: State, seat: int, claim: int) -> int:
    """5.1, 7.1: a claim card on the board that nobody has taken."""
    slot = slot_of(state, claim)
    if slot == NOBODY:
        return R.not_offered
    if state.taker[slot] != NOBODY:
        return R.taken
    return R.fine


@rule
def allow_draft(box: Box, state: State, seat: int, out: Legal) -> None:
    """7.1: the claim cards that nobody has taken."""
    for slot in range(state.n_seats):
        if state.taker[slot] == NOBODY:
            allow(out, A.draft + int(state.offer[slot]))


@rule
def do_draft(box: Box, state: State, events: Events, seat: int, claim: int) -> None:
    """7.1: take a claim card with its stakes."""
    slot = slot_of(state, claim)
    state.taker[slot] = seat
    state.seats[seat].claim = slot
    tell(events, E.drafted, seat, state.offer[slot])
    next_in_turn(state)
    go_on(state)


@rule
def proceed_claims(box: Box, state: State, events: Events) -> None:
    """7.2: in the same order, one seat's claim wholly before the next."""
    if state.kth >= state.n_seats:
        clear_stakes(state, events)
        start_stage(state, S.interlude)
        return
    seat = holder_of_marker(state, state.kth + 1)
    if state.step == OPENING:
        if writs_of(state, seat) > 0:
            ask(state, P.window, seat)
        else:
            state.step = OPEN
    elif state.step == OPEN:
        open_claim(box, state, events, seat)
        state.step = RESOLVED
    else:
        next_in_turn(state)


@rule
def open_claim(box: Box, state: State, events: Events, seat: int) -> None:
    """7.3: the icons of the card and of the stakes on it."""
    slot = int(state.seats[seat].claim)
    tell(events, E.resolving, seat, state.offer[slot])
    add_icons(state, box.claim[state.offer[slot]].icons)
    stakes = state.tied[slot]
    card = first_from(stakes, 0)
    while card >= 0:
        add_icons(state, box.card[card].symbols)
        card = first_from(stakes, card + 1)
    begin_icons(state, seat)
