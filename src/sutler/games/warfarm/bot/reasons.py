"""The coach's reasons for preferring one position of WARFARM to another: the parts of `evaluate`, with words for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.rule import rule
from sutler.games.warfarm.bot.evaluate import (
    cards_worth,
    cost_beyond_limits,
    evaluate,
    farm_worth,
    force_worth,
    game_left_by_farms_and_armies,
    rivals_worth,
    victory_prospects_worth,
)
from sutler.games.warfarm.bot.worth import tokens_worth
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
"""Two sentences for each part that `reckon` computes: said of the position that has more of the part, and of the one that has less."""


@rule
def reckon(box: Box, state: State, seat: int, out: Numbers) -> None:
    """Write the parts of `evaluate` into `out`, in the order of REASONS; they add up to it."""
    for part in range(len(REASONS)):
        out[part] = 0.0
    game_left = game_left_by_farms_and_armies(box, state)
    if state.phase == P.over or state.seats[seat].is_alive == 0:
        out[7] = evaluate(box, state, seat)
        return
    out[0] = farm_worth(box, state, seat)
    out[1] = tokens_worth(box, state, seat)
    out[2] = force_worth(box, state, seat, game_left)
    out[3] = cards_worth(box, state, seat, game_left)
    out[4] = -cost_beyond_limits(state, seat)
    out[5] = victory_prospects_worth(box, state, seat)
    out[6] = -rivals_worth(box, state, seat, game_left)
