"""What all chapters of Bellum share: the small steps of a turn, and sets of areas on the mask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow_word
from sutler.core.rule import rule
from sutler.core.tables import ask

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import State

ATTACKING, DEFENDING = range(2)
"""Whose commitment: `fight.commit[ATTACKING]`."""


@rule
def pair_of(power: int) -> int:
    """Both leaders of a power, as bits."""
    return 3 << (2 * int(power))


@rule
def allow_areas(out: Legal, first: int, areas: Hexes) -> None:
    """Allow an action for every area of a set; a land block has room for two words of them."""
    allow_word(out, first, areas[0])
    allow_word(out, first + 64, areas[1])


@rule
def ask_power(state: State, phase: int, power: int) -> None:
    """Stop: the seat that leads this power has a decision to make."""
    ask(state, phase, state.seat_of[power])


@rule
def next_stage(state: State) -> None:
    """7.1: the next phase of the turn."""
    state.stage += 1
    state.step = 0
