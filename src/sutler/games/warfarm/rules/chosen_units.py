"""Units chosen for Burnt Offering, The Call and the plagues (guide 13.6 to 13.11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.warfarm.box import (
    CARD_FARMER,
    CARD_SOLDIER,
    CARD_WORKER,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    N_SPOTS,
    PLAIN_SPOTS,
    RETURNING,
    SEATS,
    TRAP_SOLDIER,
    WORKERS,
)
from sutler.games.warfarm.phases_actions_events import A, E, P
from sutler.games.warfarm.rules.cards import is_like_earlier, is_trap_like_earlier
from sutler.games.warfarm.rules.common import end_job, is_opponent, note_loss
from sutler.games.warfarm.rules.goods import add_units, gain_all, remove_unit
from sutler.games.warfarm.rules.losses import kill
from sutler.games.warfarm.state import (
    DECK_JOB,
    OFFER_JOB,
    PEACE_JOB,
    PLAGUE_JOB,
    SEIZE_JOB,
    THING_JOB,
    n_units,
    n_units_at,
    nth_seat_after,
)

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.warfarm.records import Box, State


@rule
def is_on_board(spot: int) -> bool:
    """13.6: units that can be seen on a board; not Soldiers returning or Explorers away."""
    return spot < RETURNING or spot >= PLAIN_SPOTS


@rule
def can_pick(box: Box, state: State, seat: int, owner: int, spot: int) -> bool:
    """13.6, 13.9, 13.11, 12.10, 9.1: may this unit be chosen for what is going on?"""
    if n_units_at(state, owner, spot) <= 0:
        return False
    if state.phase == P.offering:
        return is_on_board(spot)
    if state.phase == P.call:
        return owner != seat and is_on_board(spot)
    return owner == seat


@rule
def allow_units(box: Box, state: State, owner: int, out: Legal, with_absent: int) -> None:
    """Mark a seat's units, one of each kind and place."""
    me = state.seats[owner]
    first = A.unit + owner * N_SPOTS
    for spot in range(RETURNING):
        if me.spots[spot] > 0:
            allow(out, first + spot)
    if with_absent:
        for spot in range(RETURNING, PLAIN_SPOTS):
            if me.spots[spot] > 0:
                allow(out, first + spot)
    for slot in range(me.n_table):
        n = me.posts[GUARD_SOLDIERS, slot] + me.posts[GUARD_FARMERS, slot] + me.posts[WORKERS, slot]
        if n > 0 and not is_like_earlier(state, owner, slot):
            if me.posts[GUARD_SOLDIERS, slot] > 0:
                allow(out, first + CARD_SOLDIER + slot)
            if me.posts[GUARD_FARMERS, slot] > 0:
                allow(out, first + CARD_FARMER + slot)
            if me.posts[WORKERS, slot] > 0:
                allow(out, first + CARD_WORKER + slot)
    for hole in range(me.n_traps):
        if me.trap_guards[hole] > 0 and not is_trap_like_earlier(box, state, owner, hole, False):
            allow(out, first + TRAP_SOLDIER + hole)


@rule
def n_on_boards(state: State, seat: int, is_everybody: bool) -> int:
    """13.6, 13.11: is there any unit left to choose, the own ones included or not?"""
    n = 0
    for owner in range(SEATS):
        if is_everybody or owner != seat:
            me = state.seats[owner]
            n += n_units(state, owner)
            for spot in range(RETURNING, PLAIN_SPOTS):
                n -= me.spots[spot]
    return n


@rule
def do_pick(box: Box, state: State, events: Events, seat: int, owner: int, spot: int) -> None:
    """A unit has been chosen for Burnt Offering, The Call, or a Miracle's toll."""
    if state.phase == P.offering:
        kill(box, state, events, owner, spot, seat)
        tell(events, E.killed, seat, 1, owner, spot)
    elif state.phase == P.call:
        unit = remove_unit(box, state, owner, spot)
        add_units(state, seat, unit, 1)
        note_loss(box, state, owner, 1, seat)
        tell(events, E.taken, seat, 1, owner, spot)
    else:
        kill(box, state, events, owner, spot, state.active)
        tell(events, E.lost, owner, spot)
    state.left -= 1
    go_on(state)


@rule
def do_enough(box: Box, state: State, events: Events, seat: int) -> None:
    """13.6: spare the rest."""
    state.left = 0
    go_on(state)


# --- Cards at work ------------------------------------------------------------------------


@rule
def proceed_plague(box: Box, state: State, events: Events, seat: int) -> None:
    """13.9, 13.10: each opponent in turn order loses units of its choice, then receives its tokens."""
    if state.turn_k >= SEATS:
        state.turn_k = 0
        end_job(state)
        return
    other = nth_seat_after(seat, state.turn_k)
    if is_opponent(state, seat, other):
        if state.left > 0 and n_units(state, other) > 0:
            ask(state, P.lose, other)
            return
        gain_all(box, state, events, other, int(state.card), 1)
    state.turn_k += 1
    state.left = box.card[state.card].count


@rule
def proceed_card(box: Box, state: State, events: Events, seat: int) -> None:
    """A card at work asks its owner, or has done its work."""
    job = state.job
    if job == THING_JOB:
        ask(state, P.choose_thing, seat)
    elif job == DECK_JOB:
        ask(state, P.choose_deck, seat)
    elif job == SEIZE_JOB:
        ask(state, P.seize, seat)
    elif job == PEACE_JOB:
        ask(state, P.make_peace, seat)
    elif job == PLAGUE_JOB:
        proceed_plague(box, state, events, seat)
    elif job == OFFER_JOB:
        if state.left > 0 and n_on_boards(state, seat, True) > 0:
            ask(state, P.offering, seat)
        else:
            end_job(state)
    else:
        if state.left > 0 and n_on_boards(state, seat, False) > 0:
            ask(state, P.call, seat)
        else:
            end_job(state)
