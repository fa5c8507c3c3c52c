"""The ends of the game (guide 13.1 to 13.3) and the end of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.games.bellum.phases_actions_events import E, P
from sutler.games.bellum.scoring import does_war_win
from sutler.games.bellum.state import BY_PEACE, BY_RUIN, BY_SIEGES

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.bellum.records import Box, State


@rule
def end_by_sieges(state: State, events: Events, power: int) -> None:
    """13.1: every enemy HQ has been besieged; the game is won at once."""
    state.winner = power
    state.ending = BY_SIEGES
    state.phase = P.over
    tell(events, E.by_sieges, power)


@rule
def end_by_ruin(box: Box, state: State, events: Events, power: int) -> None:
    """13.2: a power ends its turn with supply 0 and strength 0."""
    state.powers[power].is_broken = 1
    state.ending = BY_RUIN
    state.phase = P.over
    tell(events, E.by_ruin, power)
    tell_war(box, state, events)


@rule
def end_by_peace(box: Box, state: State, events: Events) -> None:
    """13.3: the marker has reached the last year."""
    state.ending = BY_PEACE
    state.phase = P.over
    tell(events, E.by_peace)
    tell_war(box, state, events)


@rule
def tell_war(box: Box, state: State, events: Events) -> None:
    """13.6: say so when the war is the only winner."""
    if does_war_win(box, state):
        tell(events, E.war_wins)
