"""Why bots prefer one position of Medieval Manor to another: the parts of `evaluate`, each with its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.rule import rule
from sutler.games.manor.bot.evaluate import (
    LAST_SHARE,
    OTHERS,
    best_last,
    best_other,
    cards_to_come,
    clinched,
    ends_now,
    final_lead,
    last_meals,
    last_stores,
    last_won,
    meals,
    people,
    stores,
    turns_left,
    weight_of_lead,
    won_so_far,
    works,
)
from sutler.games.manor.table import P

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.manor.records import Box, State

REASONS = (
    ("it brings you more victory", "it brings you less victory"),
    ("it leaves you more goods", "it leaves you fewer goods"),
    ("it leaves you more hands and actions", "it leaves you fewer hands and actions"),
    ("it feeds your people better", "it leaves your people hungrier"),
    ("it leaves you the better upgrades", "it leaves you the poorer upgrades"),
    ("it keeps the better hand", "it leaves you the poorer hand"),
    ("it keeps the others back", "it helps another"),
    ("it is better for who wins when the game ends", "it is worse for who wins when the game ends"),
)
"""What `reckon` puts into each place, said of the position that has more of it, and of the one that has less."""


@rule
def reckon_last(box: Box, state: State, seat: int, out: Numbers) -> None:
    """The parts where the game ends with this turn."""
    weight = weight_of_lead(0.0)
    out[0] = weight * last_won(box, state, seat)
    out[1] = weight * last_stores(box, state, seat)
    out[2] = weight * LAST_SHARE * people(box, state, seat, 0.0)
    out[3] = weight * last_meals(box, state, seat)
    out[4] = weight * LAST_SHARE * works(box, state, seat, 0.0)
    out[5] = weight * LAST_SHARE * cards_to_come(box, state, seat, 0.0)
    out[6] = -weight * OTHERS * best_last(box, state, seat)
    out[7] = clinched(box, state, seat)


@rule
def reckon(box: Box, state: State, seat: int, out: Numbers) -> None:
    """The parts of `evaluate`, in the order of `REASONS`; they add up to it."""
    for part in range(len(REASONS)):
        out[part] = 0.0
    if state.phase == P.over:
        out[7] = final_lead(box, state, seat)
        return
    if ends_now(box, state):
        reckon_last(box, state, seat, out)
        return
    turns = turns_left(box, state)
    weight = weight_of_lead(turns)
    out[0] = weight * won_so_far(box, state, seat)
    out[1] = weight * stores(box, state, seat)
    out[2] = weight * people(box, state, seat, turns)
    out[3] = weight * meals(box, state, seat, turns)
    out[4] = weight * works(box, state, seat, turns)
    out[5] = weight * cards_to_come(box, state, seat, turns)
    out[6] = -weight * OTHERS * best_other(box, state, seat, turns)
