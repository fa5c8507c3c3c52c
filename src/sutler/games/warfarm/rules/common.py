"""What all chapters of WARFARM share: steps and questions, who is an opponent, what is lost (guide 1.8, 12.10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import go_on
from sutler.games.warfarm.box import MOST_COUNTED

if TYPE_CHECKING:
    from sutler.games.warfarm.records import Box, State

# --- Steps and questions (guide 1.8) ------------------------------------------


@rule
def enter(state: State, step: int) -> None:
    """1.8: the next step of the turn."""
    state.step = step
    state.part = 0


@rule
def end_asking(state: State) -> None:
    """The active seat has done in this step what it wanted; now the Traps."""
    state.part = 1
    state.trap_k = 0
    go_on(state)


@rule
def start_job(state: State, job: int, card: int) -> None:
    """A card begins to work."""
    state.job = job
    state.card = card


@rule
def end_job(state: State) -> None:
    """The card at work has done its work."""
    state.job = 0
    state.card = NOBODY
    state.victim = NOBODY
    state.left = 0
    state.times = 0


@rule
def stir(state: State) -> None:
    """15.2: something has happened in this round."""
    state.is_stirred = 1


# --- Seats (guide 1.1, 11.7) ---------------------------------------------------


@rule
def has_seat(bits: int, seat: int) -> bool:
    """Is a seat among those of a set kept as bits?"""
    return (int(bits) >> int(seat)) & 1 == 1


@rule
def is_opponent(state: State, seat: int, other: int) -> bool:
    """1.1: another seat that is still in the game."""
    return other != seat and state.seats[other].is_alive == 1


@rule
def is_at_peace(state: State, seat: int, other: int) -> bool:
    """11.7: is the seat bound not to attack the other?"""
    return has_seat(state.seats[other].peace, seat)


@rule
def note_loss(box: Box, state: State, seat: int, n: int, by: int) -> None:
    """12.10: what a seat loses in a round is counted, in its own turn too (but see 15.10), and through whom it went.

    What goes through its own doing counts and accuses nobody.
    """
    if box.options.karma_turn == 0 or seat != state.active:
        state.lost[seat] = min(int(state.lost[seat]) + int(n), MOST_COUNTED)
        if by not in (NOBODY, seat):
            state.robber[seat] = by
