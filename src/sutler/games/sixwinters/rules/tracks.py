"""The tracks (guide 2.1, 8.6): threats rise and fall, progress is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import FACES, RES, SPACES
from sutler.games.sixwinters.rules.common import fill_pool, threat_level
from sutler.games.sixwinters.rules.missions import look_at_missions
from sutler.games.sixwinters.rules.scheme import feed_scheme
from sutler.games.sixwinters.state import OUTCOME
from sutler.games.sixwinters.table import E
from sutler.games.sixwinters.vocabulary import MILITARY, SORCERY

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, State


@rule
def change_threat(box: Box, state: State, events: Events, r: int, by: int) -> None:
    """14.6: a threat marker moves; a step beyond the last space is a die on the scheme instead, nothing in year one."""
    if box.track[r].has_threats == 0:
        return
    for _ in range(by):
        if state.threat[r] < SPACES:
            state.threat[r] += 1
            tell(events, E.threat_rose, r, state.threat[r])
        elif state.scheme >= 0:
            feed_scheme(box, state, events, r, 1)
    if by < 0:
        state.threat[r] = max(1, state.threat[r] + by)
        tell(events, E.threat_fell, r, state.threat[r])
    if (
        box.options.critical == 1
        and by > 0
        and (r == MILITARY or r == SORCERY)
        and threat_level(box, state, r) == FACES
    ):
        state.outcome = OUTCOME.lost


@rule
def beyond(box: Box, state: State, r: int) -> int:
    """12.5: where a step goes that a full track cannot take: along the wheel; from Sorcery to the lowest track."""
    at = int(r)
    for _ in range(RES):
        at = int(box.wheel[at])
        if at < 0:
            break
        if state.progress[at] < SPACES:
            return at
    best = NOBODY
    for other in range(RES):
        if state.progress[other] < SPACES and (best < 0 or state.progress[other] < state.progress[best]):
            best = other
    return best


@rule
def change_progress(box: Box, state: State, events: Events, r: int, by: int) -> None:
    """2.1, 14.4, 14.5, 14.7: a progress marker moves; a raised track fills its pool at once."""
    for _ in range(by):
        at = int(r)
        if state.progress[at] == SPACES and box.options.overflow == 1:
            at = beyond(box, state, at)
        if at < 0 or state.progress[at] == SPACES:
            tell(events, E.wasted, r)
        else:
            state.progress[at] += 1
            tell(events, E.raised, at, state.progress[at])
            fill_pool(box, state, events, at)
    if by < 0:
        state.progress[r] = max(1, state.progress[r] + by)
        tell(events, E.lowered, r, state.progress[r])
    look_at_missions(box, state, events)
