"""Why bots prefer one position of WARFARM to another: the parts of `evaluate`, each with its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.rule import rule
from sutler.games.warfarm.bot.evaluate import (
    cards_worth,
    evaluate,
    farm_worth,
    force_worth,
    overflow,
    prospects,
    rivals,
    time_to_come,
)
from sutler.games.warfarm.bot.worth import all_tokens
from sutler.games.warfarm.table import P

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.warfarm.records import Box, State

REASONS = (
    ("it leaves you the bigger farm", "it leaves you the smaller farm"),
    ("it leaves you more tokens", "it leaves you fewer tokens"),
    ("it leaves you stronger units and guards", "it leaves you weaker units and guards"),
    ("it keeps the better cards", "it leaves you the poorer cards"),
    ("it loses you less at the limits", "it loses you more at the limits"),
    ("it brings you nearer to a victory", "it takes you further from a victory"),
    ("it keeps the others back", "it helps another"),
    ("it decides the game for you", "it decides the game against you"),
)
"""The words for each part that `reckon` computes: of the position that has more of it, and of the one that has less."""


@rule
def reckon(box: Box, state: State, seat: int, out: Numbers) -> None:
    """The parts of `evaluate`, in the order of `REASONS`; they add up to it."""
    for part in range(len(REASONS)):
        out[part] = 0.0
    time = time_to_come(box, state)
    if state.phase == P.over or state.seats[seat].is_alive == 0:
        out[7] = evaluate(box, state, seat)
        return
    out[0] = farm_worth(box, state, seat)
    out[1] = all_tokens(box, state, seat)
    out[2] = force_worth(box, state, seat, time)
    out[3] = cards_worth(box, state, seat, time)
    out[4] = -overflow(state, seat)
    out[5] = prospects(box, state, seat)
    out[6] = -rivals(box, state, seat, time)
