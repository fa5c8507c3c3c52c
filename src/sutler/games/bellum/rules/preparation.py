"""Setting up (guide 4): the city tiles, which the seats place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import go_on
from sutler.games.bellum.box import CITY, MAJOR, MINOR, SITES
from sutler.games.bellum.phases_actions_events import A, E, P, R
from sutler.games.bellum.rules.common import ask_power
from sutler.games.bellum.state import plan_of

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.bellum.records import Box, State

# --- City tiles (guide 4.4) --------------------------------------------------


@rule
def wants_tile(box: Box, state: State, site: int) -> bool:
    """4.4: a city in play that has none yet; an HQ never gets one."""
    return plan_of(box, state).role[site] == CITY and state.site[site].extent == NOBODY


@rule
def why_not_place(box: Box, state: State, seat: int, size: int, site: int) -> int:
    """4.4: a tile that is left, on a city without one."""
    if site >= box.n_sites or plan_of(box, state).role[site] != CITY:
        return R.no_city
    if state.site[site].extent != NOBODY:
        return R.has_tile
    if not MINOR <= size <= MAJOR:
        return R.no_ruin
    if state.tiles[size] == 0:
        return R.no_tile
    return R.fine


@rule
def allow_place(box: Box, state: State, seat: int, out: Legal) -> None:
    """4.4: the same, all at once."""
    for size in range(MINOR, MAJOR + 1):
        if state.tiles[size] > 0:
            for site in range(box.n_sites):
                if wants_tile(box, state, site):
                    allow(out, A.place + size * SITES + site)


@rule
def do_place(box: Box, state: State, events: Events, seat: int, size: int, site: int) -> None:
    """4.4: the tile lies; the power before this one in turn order is next."""
    state.site[site].extent = size
    state.tiles[size] -= 1
    tell(events, E.tile, int(state.order[state.kth]), site, size)
    state.kth -= 1
    if state.kth < 0:
        state.kth = state.n_powers - 1
    go_on(state)


@rule
def is_prepared(box: Box, state: State) -> bool:
    """4.4: have all cities their tile?"""
    for site in range(box.n_sites):
        if wants_tile(box, state, site):
            return False
    return True


@rule
def proceed_preparation(box: Box, state: State) -> None:
    """4.4: in reversed turn order, round and round."""
    ask_power(state, P.place, int(state.order[state.kth]))
