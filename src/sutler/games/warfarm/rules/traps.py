"""Traps (guide 10): which spring when a step is over, whose comes first, and holding them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.warfarm.box import (
    AMBUSH,
    AWAY,
    CARDS,
    DECKS,
    EXPLORER,
    KARMA,
    MARTYRDOM,
    MONK,
    REINFORCEMENT,
    SEATS,
    SOLDIER,
)
from sutler.games.warfarm.phases_actions_events import E, P, R
from sutler.games.warfarm.rules.cards import draw_card
from sutler.games.warfarm.rules.common import is_at_peace, is_opponent, note_loss
from sutler.games.warfarm.rules.goods import add_units, own_spot_of, remove_unit
from sutler.games.warfarm.rules.karma import start_karma
from sutler.games.warfarm.rules.springing_traps import answer, hole_of, may_hold, spring, springs_too
from sutler.games.warfarm.state import KARMA_JOB, nth_seat_after

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.warfarm.records import Box, State

# --- When a step is over (guide 10.1, 10.2) ---------------------------------------------------


@rule
def is_triggered(box: Box, state: State, seat: int, does: int) -> bool:
    """12.3, 12.7, 12.10: has the active seat done what this Trap of the seat waits for?"""
    if not is_opponent(state, state.active, seat):
        return False
    if does == REINFORCEMENT:
        return state.n_built > 0 and state.seats[state.active].goods[SOLDIER] > 0
    if does == AMBUSH:
        for deck in range(DECKS):
            if state.seats[state.active].spots[AWAY + deck] > 0:
                return True
        return False
    robber = int(state.robber[seat])
    if robber == NOBODY or state.seats[robber].is_alive == 0:
        return False
    if box.options.karma_breaks_peace == 0 and is_at_peace(state, seat, robber):
        return False
    return state.lost[seat] > karma_bar(box)


@rule
def karma_bar(box: Box) -> int:
    """12.10: a loss up to this is borne."""
    bar = 0
    for card in range(CARDS):
        if box.card[card].does == KARMA:
            bar = int(box.card[card].above)
    return bar


@rule
def next_trap(box: Box, state: State, events: Events, does: int) -> bool:
    """10.2: the Traps of one kind, from the active seat on. True while an owner is asked or strikes back."""
    while state.trap_k < SEATS - 1:
        state.trap_k += 1
        seat = nth_seat_after(state.active, state.trap_k)
        if is_triggered(box, state, seat, does):
            if box.options.traps_optional == 1:
                if may_hold(box, state, seat, does):
                    state.trap_does = does
                    ask(state, P.trap, seat)
                    return True
            elif hole_of(box, state, seat, does) >= 0:
                set_off(box, state, events, seat, does)
                if state.job == KARMA_JOB:
                    return True
    return False


@rule
def set_off(box: Box, state: State, events: Events, seat: int, does: int) -> None:
    """12.3, 12.7, 12.10: the Trap works; an equal one of the next seat stays where it is, Karma alone springs for each."""
    if does != KARMA:
        state.trap_k = SEATS
    if does == REINFORCEMENT:
        reinforce(box, state, events, seat)
        while springs_too(box, state, seat, does) and state.seats[state.active].goods[SOLDIER] > 0:
            reinforce(box, state, events, seat)
    elif does == AMBUSH:
        spring(box, state, events, seat, does)
        ambush(box, state, events, seat)
    else:
        start_karma(box, state, events, seat)


@rule
def reinforce(box: Box, state: State, events: Events, seat: int) -> None:
    """12.3: one of the Soldiers becomes the Trap's owner's."""
    spring(box, state, events, seat, REINFORCEMENT)
    spot = own_spot_of(box, state, state.active, SOLDIER)
    remove_unit(box, state, state.active, spot)
    note_loss(box, state, int(state.active), 1, seat)
    add_units(state, seat, SOLDIER, 1)
    tell(events, E.taken, seat, 1, state.active, spot)


@rule
def ambush(box: Box, state: State, events: Events, seat: int) -> None:
    """12.7: the Explorers die; each brings the Trap's owner a card from its deck, unlocked or not."""
    them = state.seats[state.active]
    for deck in range(DECKS):
        n = int(them.spots[AWAY + deck])
        if n > 0:
            them.spots[AWAY + deck] = 0
            them.goods[EXPLORER] -= n
            note_loss(box, state, int(state.active), n, seat)
            tell(events, E.killed, seat, n, state.active, AWAY + deck)
            for _ in range(n):
                draw_card(box, state, events, seat, deck)


# --- Holding back (guide 10.3) ------------------------------------------------------------------


@rule
def ask_at_once(box: Box, state: State) -> bool:
    """10.3: with option 15.7, Martyrdom and Ascetic Monk wait for their owner's word. True when somebody is asked."""
    for k in range(SEATS):
        seat = nth_seat_after(state.active, k)
        if state.martyrs[seat] > 0 or state.monks[seat] > 0:
            state.trap_does = MONK
            if state.martyrs[seat] > 0:
                state.trap_does = MARTYRDOM
            if state.seats[seat].is_alive == 1 and may_hold(box, state, seat, state.trap_does):
                ask(state, P.trap, seat)
                return True
            forget_call(state, seat)
    return False


@rule
def forget_call(state: State, seat: int) -> None:
    """10.3: one call of Martyrdom or Ascetic Monk is settled."""
    if state.trap_does == MARTYRDOM:
        state.martyrs[seat] -= 1
    else:
        state.monks[seat] -= 1


@rule
def why_not_reveal(box: Box, state: State, seat: int) -> int:
    """10.3: one's own Trap of the kind that is waited for. Who might have it is asked as well, and can only hold back."""
    if state.phase == P.trap and hole_of(box, state, seat, int(state.trap_does)) < 0:
        return R.no_trap
    return R.fine


@rule
def do_reveal(box: Box, state: State, events: Events, seat: int) -> None:
    """10.3: the owner springs the Trap."""
    does = int(state.trap_does)
    go_on(state)
    if does == MARTYRDOM or does == MONK:
        forget_call(state, seat)
        answer(box, state, events, seat, does)
    else:
        set_off(box, state, events, seat, does)


@rule
def do_keep(box: Box, state: State, events: Events, seat: int) -> None:
    """10.3: the owner holds it back."""
    if state.trap_does == MARTYRDOM or state.trap_does == MONK:
        forget_call(state, seat)
    go_on(state)
