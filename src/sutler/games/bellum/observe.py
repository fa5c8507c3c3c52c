"""The knowledge of a seat of Bellum: everything but a commitment, until both sides have committed (guide 8.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.chance import below
from sutler.core.rule import rule
from sutler.games.bellum.phases_actions_events import P
from sutler.games.bellum.rules.common import ATTACKING
from sutler.games.bellum.rules.strength import most_to_commit

if TYPE_CHECKING:
    from sutler.games.bellum.records import Box, State


OBSERVED_MORE = ("the observer's own seat, as the view numbers the seats",)
"""The meanings of the numbers that `observe_more` writes; in all other numbers, seats are counted from the observer's own."""


@rule
def observe_more(box: Box, state: State, seat: int, out: Any, index: int) -> None:
    """Write the observer's own seat into `out` at index `index` (4.2)."""
    out[index] = seat


@rule
def knows_commitment(box: Box, state: State, seat: int, side: int) -> bool:
    """Does the seat know the commitment of this side? Until the defender has committed too, only the attacker knows its own (8.1)."""
    return state.phase != P.answer or state.seat_of[state.fight.attacker] == seat


@rule
def redeal(box: Box, state: State, seat: int, luck: Any) -> None:
    """Draw again at random, in place, each commitment that is made and not yet shown, except the seat's own (8.1).

    `luck`: a source of random numbers.
    """
    if state.phase == P.answer and state.seat_of[state.fight.attacker] != seat:
        most = most_to_commit(box, state, int(state.fight.attacker), int(state.fight.side))
        state.fight.commit[ATTACKING] = below(luck, most + 1)
