"""Setting up Bellum: alliances, powers and turn order, leaders and tokens, random city tiles (guide 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.chance import below
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import (
    ALL_ALLIED,
    CITY,
    CUT,
    MAJOR,
    MINOR,
    NO_ALLIES,
    ONE_ALLIANCE,
    POWERS,
    SITES,
    STANDARD,
    THREE_CUT,
    TILES_RANDOM,
    S,
)
from sutler.games.bellum.hexes import read_hexes, store_hexes
from sutler.games.bellum.state import ally_of, clear_fight, plan_of

if TYPE_CHECKING:
    from sutler.games.bellum.records import Box, State


@rule
def setup(box: Box, state: State) -> None:
    """Set up a game: powers, turn order, leaders and tokens (4). `n_seats` and `rng` are set before, all else is zero."""
    state.plan = STANDARD
    if state.n_seats == 3 and box.options.three == THREE_CUT:
        state.plan = CUT
    state.power = NOBODY
    state.winner = NOBODY
    state.leading = NOBODY
    state.mover = NOBODY
    clear_fight(state)
    choose_alliances(box, state)
    draw_powers(box, state)
    for power in range(POWERS):
        place_power(box, state, power)
    plan = plan_of(box, state)
    for site in range(SITES):
        slot = state.site[site]
        slot.extent = NOBODY
        slot.holder = NOBODY
        slot.besieger = NOBODY
    for size in range(MINOR, MAJOR + 1):
        state.tiles[size] = box.rules.city_tiles[size - MINOR]
    if box.options.city_tiles == TILES_RANDOM:
        for site in range(box.n_sites):
            if plan.role[site] == CITY:
                deal_random_tile(state, site)
    state.stage = S.preparation
    state.kth = state.n_powers - 1  # tiles are placed in reversed turn order


@rule
def choose_alliances(box: Box, state: State) -> None:
    """Decide which powers are allied at this table (14.1, 14.2)."""
    state.allied = NO_ALLIES
    if state.n_seats == 2 or (state.n_seats == 4 and box.options.alliance == 1):
        state.allied = ALL_ALLIED
    if state.n_seats == 3 and box.options.three != THREE_CUT:
        state.allied = ONE_ALLIANCE
        state.leading = box.leads_pair
        if box.leads_pair == NOBODY:
            state.leading = below(state, POWERS)


@rule
def draw_powers(box: Box, state: State) -> None:
    """Assign powers to seats and the order of turns, at random unless the table wants a fixed order (4.2)."""
    plan = plan_of(box, state)
    for power in range(POWERS):
        state.order[power] = NOBODY
        state.seat_of[power] = NOBODY
    state.n_powers = 0
    for power in range(POWERS):
        if plan.in_play[power] == 1:
            state.order[state.n_powers] = power
            state.n_powers += 1
    if box.options.drawn == 1:
        shuffle_turn_order(state)
    seat = 0
    for k in range(state.n_powers):
        power = int(state.order[k])
        if state.seat_of[power] == NOBODY:
            state.seat_of[power] = seat
            ally = ally_of(box, state, power)
            if ally != NOBODY and state.n_seats < 4:
                state.seat_of[ally] = seat
            seat += 1
    if box.options.drawn == 1:
        shuffle_turn_order(state)


@rule
def shuffle_turn_order(state: State) -> None:
    """Shuffle the turn order of the powers in play."""
    for i in range(state.n_powers - 1, 0, -1):
        j = below(state, i + 1)
        held = state.order[i]
        state.order[i] = state.order[j]
        state.order[j] = held


@rule
def place_power(box: Box, state: State, power: int) -> None:
    """Place a power's leaders and token in its HQ and tokens on all areas next to it, and set its supply and strength (4.3)."""
    me = state.powers[power]
    plan = plan_of(box, state)
    me.leader[0] = NOBODY
    me.leader[1] = NOBODY
    if plan.in_play[power] == 1:
        home = int(plan.hq[power])
        me.supply = box.rules.start_supply
        me.strength = box.rules.start_strength
        me.leader[0] = box.site_hex[home]
        me.leader[1] = box.site_hex[home]
        store_hexes(me.upright, read_hexes(plan.around[home]))


@rule
def deal_random_tile(state: State, site: int) -> None:
    """Give a city one of the tiles that are left, at random (4.5)."""
    left = 0
    for size in range(MINOR, MAJOR + 1):
        left += state.tiles[size]
    k = below(state, left)
    for size in range(MINOR, MAJOR + 1):
        if 0 <= k < state.tiles[size]:
            state.site[site].extent = size
        k -= int(state.tiles[size])
    state.tiles[state.site[site].extent] -= 1
