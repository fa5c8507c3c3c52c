"""Setting up (guide 4): the city tiles, which the seats place."""

from __future__ import annotations

from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import CITY, MAJOR, MINOR
from sutler.games.bellum.rules.common import TILE, ask, go_on
from sutler.games.bellum.state import PLACE, plan_of

# --- City tiles (guide 4.4) --------------------------------------------------


@rule
def wants_tile(box, state, site):
    """4.4: a city in play that has none yet; an HQ never gets one."""
    return plan_of(box, state).role[site] == CITY and state.site[site].extent == NOBODY


@rule
def can_place(box, state, size, site):
    """4.4: a tile that is left, on a city without one."""
    return MINOR <= size <= MAJOR and state.tiles[size] > 0 and wants_tile(box, state, site)


@rule
def do_place(box, state, events, size, site):
    """4.4: the tile lies; the power before this one in turn order is next."""
    state.site[site].extent = size
    state.tiles[size] -= 1
    tell(events, TILE, int(state.order[state.kth]), site, size)
    state.kth -= 1
    if state.kth < 0:
        state.kth = state.n_powers - 1
    go_on(state)


@rule
def is_prepared(box, state):
    """4.4: have all cities their tile?"""
    for site in range(box.n_sites):
        if wants_tile(box, state, site):
            return False
    return True


@rule
def proceed_preparation(box, state):
    """4.4: in reversed turn order, round and round."""
    ask(state, PLACE, int(state.order[state.kth]))
