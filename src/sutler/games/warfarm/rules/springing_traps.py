"""Traps that lie before a seat, and those that answer at once: Martyrdom and Ascetic Monk (guide 10.1, 10.3, 13.3, 13.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.warfarm.box import DECKS, MARTYRDOM
from sutler.games.warfarm.phases_actions_events import E
from sutler.games.warfarm.rules.cards import draw_card, take_up_trap
from sutler.games.warfarm.rules.goods import gain_all

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.warfarm.records import Box, State


@rule
def hole_of(box: Box, state: State, seat: int, does: int) -> int:
    """10.1: where a seat has set a Trap of this kind; NOBODY when it has none."""
    me = state.seats[seat]
    for hole in range(me.n_traps):
        if box.card[me.traps[hole]].does == does:
            return hole
    return NOBODY


@rule
def has_from(box: Box, state: State, seat: int, deck: int) -> bool:
    """1.9: has a seat a card of this deck in its hand or face down before it? Everybody has seen it drawn."""
    me = state.seats[seat]
    for i in range(box.deck[deck].n_designs):
        if me.hand[box.deck[deck].designs[i]] > 0:
            return True
    for hole in range(me.n_traps):
        if box.card[me.traps[hole]].deck == deck:
            return True
    return False


@rule
def may_hold(box: Box, state: State, seat: int, does: int) -> bool:
    """10.3: can the others not rule out that one of a seat's face-down Traps is of this kind?"""
    me = state.seats[seat]
    if box.options.hidden_traps == 1:
        for deck in range(DECKS):
            if (int(box.deck[deck].traps) >> int(does)) & 1 == 1 and has_from(box, state, seat, deck):
                return me.n_traps > 0
        return False
    for hole in range(me.n_traps):
        if (int(box.deck[box.card[me.traps[hole]].deck].traps) >> int(does)) & 1 == 1:
            return True
    return False


# --- Springing (guide 10.1) -----------------------------------------------------------


@rule
def spring(box: Box, state: State, events: Events, seat: int, does: int) -> int:
    """10.1: the Trap is turned face up and goes to the discards. Returns the card."""
    hole = hole_of(box, state, seat, does)
    card = take_up_trap(box, state, seat, hole)
    state.discards[card] += 1
    tell(events, E.sprung, seat, card, hole)
    return card


@rule
def call_trap(box: Box, state: State, events: Events, seat: int, does: int) -> None:
    """10.1: Martyrdom or Ascetic Monk answers at once; with option 15.7 its owner is asked first."""
    if box.options.traps_optional == 1:
        if may_hold(box, state, seat, does):
            if does == MARTYRDOM:
                state.martyrs[seat] += 1
            else:
                state.monks[seat] += 1
    elif hole_of(box, state, seat, does) != NOBODY:
        answer(box, state, events, seat, does)
        while springs_too(box, state, seat, does):
            answer(box, state, events, seat, does)


@rule
def springs_too(box: Box, state: State, seat: int, does: int) -> bool:
    """10.2, 15.19: has the seat another Trap of this kind, which springs for the same event?"""
    if box.options.traps_optional == 1 or box.options.one_of_alike == 1:
        return False
    return hole_of(box, state, seat, does) != NOBODY


@rule
def answer(box: Box, state: State, events: Events, seat: int, does: int) -> None:
    """13.3, 13.7: what Martyrdom and Ascetic Monk bring."""
    card = spring(box, state, events, seat, does)
    gain_all(box, state, events, seat, card, 1)
    for deck in range(DECKS):
        for _ in range(box.card[card].draws[deck]):
            draw_card(box, state, events, seat, deck)
