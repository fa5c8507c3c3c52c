"""Reasons why bots prefer one position of Six Winters to another: the parts of `evaluate`, each with its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.rule import rule as part
from sutler.games.sixwinters.bot.evaluate import (
    BEGIN,
    CAMPAIGN_WON,
    TURN,
    YEAR,
    effects_worth,
    heroes_worth,
    land_worth,
    people_worth,
    tracks_worth,
)
from sutler.games.sixwinters.bot.mission_value import missions_worth
from sutler.games.sixwinters.bot.plan import turns_left
from sutler.games.sixwinters.bot.weights import WEIGHTS
from sutler.games.sixwinters.scoring import total
from sutler.games.sixwinters.state import OUTCOME
from sutler.games.sixwinters.table import P

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.sixwinters.records import Box, State

REASONS = (
    ("it brings more score", "it brings less score"),
    ("it is better for progress and threats", "it is worse for progress and threats"),
    ("it is better for the missions", "it is worse for the missions"),
    (
        "it leaves the characters better placed, with better dice",
        "it leaves the characters worse placed, with poorer dice",
    ),
    ("it is better against the obstacles", "it is worse against the obstacles"),
    ("it is better for what the characters become", "it is worse for what the characters become"),
    ("it gains an effect of the campaign", "it loses an effect of the campaign"),
    ("it saves time", "it takes time"),
)
"""The words for each part that `reckon` computes: for the position that has more of the part, and for the one that has less."""


@part
def reckon(box: Box, state: State, seat: int, out: Numbers) -> None:
    """Write the parts of `evaluate` into `out`, in points and in the order of `REASONS`; their sum is the evaluation."""
    for k in range(len(REASONS)):
        out[k] = 0.0
    out[0] = 1.0 * total(box, state)
    if state.outcome == OUTCOME.won:
        out[0] += CAMPAIGN_WON
        return
    if state.phase == P.over:
        return
    left = turns_left(box, state)
    out[1] = tracks_worth(box, state, WEIGHTS, left)
    out[2] = missions_worth(box, state, WEIGHTS, left)
    out[3] = heroes_worth(box, state, WEIGHTS, left)
    out[4] = land_worth(box, state)
    out[5] = people_worth(box, state, WEIGHTS)
    out[6] = effects_worth(state)
    out[7] = -BEGIN - YEAR * (state.year - 1) - TURN * state.turn_no
