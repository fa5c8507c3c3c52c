"""Levying taxes (guide 4) and the beginning of years and seasons (guide 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.threeyears.box import DRAW, SEATS, SPRING, S
from sutler.games.threeyears.phases_actions_events import E
from sutler.games.threeyears.rules.common import draw_influence, start_stage
from sutler.games.threeyears.state import seat_from_lead

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.threeyears.records import Box, State


@rule
def start_season(box: Box, state: State, events: Events) -> None:
    """3.1, 3.2: a new season; markers are back on the board and no claim card lies open."""
    if state.season == SPRING:
        tell(events, E.year, state.year + 1)
    tell(events, E.season, state.season)
    state.card = NOBODY
    for slot in range(SEATS):
        state.offer[slot] = NOBODY
        state.taker[slot] = NOBODY
        state.seats[slot].marker = 0
        state.seats[slot].claim = NOBODY
    start_stage(state, S.taxes)


@rule
def levy(box: Box, state: State, events: Events) -> None:
    """4.1: three cards each in Spring, one in the other seasons, clockwise from the lead player."""
    n = box.rules.tax_other
    if state.season == SPRING:
        n = box.rules.tax_spring
    for k in range(state.n_seats):
        seat = seat_from_lead(state, k)
        drawn = draw_influence(box, state, events, seat, int(n))
        if drawn > 0:
            tell(events, E.taxed, seat, drawn, DRAW)
