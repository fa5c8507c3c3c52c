"""Scouting (guide 8.8): looking at interlude cards to come and at tokens that lie face down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, allow, count, count_both, first_from, has
from sutler.core.events import tell, tell_to
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.threeyears.box import (
    CARDS,
    SCOUT,
    SEASONS,
)
from sutler.games.threeyears.phases_actions_events import A, E, P, R
from sutler.games.threeyears.rules.common import bit_of
from sutler.games.threeyears.state import owner_of_despair, owner_of_writ

if TYPE_CHECKING:
    from sutler.core.typing import Bits, Events, Legal
    from sutler.games.threeyears.records import Box, State

# --- Scouting (guide 8.8) ---------------------------------------------------------------


@rule
def begin_scouting(box: Box, state: State, events: Events, seat: int) -> None:
    """8.8: take a token, then as many looks as you own tokens; by option 11.9 for all Scout symbols together."""
    me = state.seats[seat]
    n = 1
    if box.options.scouts_together == 1:
        n = int(state.due[SCOUT])
    taken = min(n, int(state.scouts))
    state.due[SCOUT] -= n
    state.scouts -= taken
    me.scouts += taken
    if taken < n:
        tell(events, E.none_left, SCOUT, seat)
    if taken == 0:
        return
    state.looks = taken * me.scouts
    for event in range(SEASONS):
        state.depth[event] = 0
    tell(events, E.scouted, seat, taken, int(state.looks))
    if can_look(box, state, seat):
        ask(state, P.look, seat)
    else:
        end_scouting(state)


@rule
def n_upcoming(box: Box, state: State, event: int) -> int:
    """8.8: how many cards of an interlude deck are still face down."""
    turned = int(state.year)
    if state.season > event or (state.season == event and state.card != NOBODY):
        turned += 1
    return int(box.n_cards[event]) - turned


@rule
def place_to_see(box: Box, state: State, event: int) -> int:
    """8.8: the place, in the deck as it was set up, of the card that a look would show."""
    return int(box.n_cards[event]) - n_upcoming(box, state, event) + int(state.depth[event])


@rule
def can_look_event(box: Box, state: State, event: int) -> bool:
    """8.8: is there a card left in this deck that this scouting has not shown?"""
    return state.depth[event] < n_upcoming(box, state, event)


@rule
def has_unseen_despair(state: State, seat: int, other: int) -> bool:
    """8.8: has somebody a Despair token that this seat has not seen?"""
    return count_both(state.seats[other].despair, state.seats[seat].seen_despair) < count(state.seats[other].despair)


@rule
def has_unseen_writ(state: State, seat: int, other: int) -> bool:
    """8.8: has another seat a Writ that this seat has not seen?"""
    them = state.seats[other]
    return other != seat and count_both(them.writs, state.seats[seat].seen_writs) < count(them.writs)


@rule
def why_not_look_event(box: Box, state: State, seat: int, event: int) -> int:
    """8.8: a deck with a card left that this scouting has not shown."""
    if not can_look_event(box, state, event):
        return R.no_more_cards
    return R.fine


@rule
def why_not_look_despair(box: Box, state: State, seat: int, token: int) -> int:
    """8.8: a Despair token before anybody, the seat itself too, that it has not seen."""
    if owner_of_despair(state, token) == NOBODY:
        return R.not_lying
    if has(state.seats[seat].seen_despair, token):
        return R.all_seen
    return R.fine


@rule
def why_not_look_writ(box: Box, state: State, seat: int, token: int) -> int:
    """8.8: a Writ before another seat that this one has not seen; its own it knows."""
    owner = owner_of_writ(state, token)
    if owner == NOBODY:
        return R.not_lying
    if owner == seat:
        return R.own_writ_known
    if has(state.seats[seat].seen_writs, token):
        return R.all_seen
    return R.fine


@rule
def allow_look_despair(box: Box, state: State, seat: int, out: Legal) -> None:
    """8.8: every Despair token that the seat has not seen."""
    for other in range(state.n_seats):
        allow_unseen(out, A.look_despair, state.seats[other].despair, state.seats[seat].seen_despair)


@rule
def allow_look_writ(box: Box, state: State, seat: int, out: Legal) -> None:
    """8.8: every Writ of another seat that it has not seen."""
    for other in range(state.n_seats):
        if other != seat:
            allow_unseen(out, A.look_writ, state.seats[other].writs, state.seats[seat].seen_writs)


@rule
def allow_unseen(out: Legal, first_id: int, tokens: Bits, seen: Bits) -> None:
    """8.8: a look at each of these tokens that has not been seen."""
    token = first_from(tokens, 0)
    while token >= 0:
        if not has(seen, token):
            allow(out, first_id + token)
        token = first_from(tokens, token + 1)


@rule
def can_look(box: Box, state: State, seat: int) -> bool:
    """8.8: is there anything hidden to look at?"""
    for event in range(SEASONS):
        if can_look_event(box, state, event):
            return True
    for other in range(state.n_seats):
        if has_unseen_despair(state, seat, other) or has_unseen_writ(state, seat, other):
            return True
    return False


@rule
def do_look_event(box: Box, state: State, events: Events, seat: int, event: int) -> None:
    """8.8: the next card of an interlude deck; it goes back as it lay."""
    place = place_to_see(box, state, event)
    state.depth[event] += 1
    state.seats[seat].seen_cards[event] |= 1 << place
    tell(events, E.looked_event, seat, state.depth[event], event)
    tell_to(events, bit_of(seat), E.saw_card, event * CARDS + int(state.interludes[event, place]), 0, 0, 0, 0)
    end_look(box, state, seat)


@rule
def do_look_despair(box: Box, state: State, events: Events, seat: int, token: int) -> None:
    """8.8: the Despair token that was pointed at."""
    add(state.seats[seat].seen_despair, token)
    tell(events, E.looked_despair, seat, token, owner_of_despair(state, token))
    tell_to(events, bit_of(seat), E.saw_despair, state.despair_face[token], 0, 0, 0, 0)
    end_look(box, state, seat)


@rule
def do_look_writ(box: Box, state: State, events: Events, seat: int, token: int) -> None:
    """8.8: the Writ that was pointed at."""
    add(state.seats[seat].seen_writs, token)
    tell(events, E.looked_writ, seat, token, owner_of_writ(state, token))
    tell_to(events, bit_of(seat), E.saw_writ, state.writ_face[token], 0, 0, 0, 0)
    end_look(box, state, seat)


@rule
def end_look(box: Box, state: State, seat: int) -> None:
    """8.8: the next look, if one is left and there is something to see."""
    state.looks -= 1
    if state.looks <= 0 or not can_look(box, state, seat):
        end_scouting(state)


@rule
def end_scouting(state: State) -> None:
    """8.8: looks may be left unused."""
    state.looks = 0
    for event in range(SEASONS):
        state.depth[event] = 0
    go_on(state)
