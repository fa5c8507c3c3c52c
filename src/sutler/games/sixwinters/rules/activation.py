"""Activation (guide 8.2, 8.3): locations and obstacles in season, slot by slot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, has
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import ACTIVATION, SLOTS
from sutler.games.sixwinters.cards.vocabulary import RESOURCE_ICON, WINTER
from sutler.games.sixwinters.rules.common import (
    let_choose,
    no_options,
    offer,
    region_of,
    roll_asset,
    run_effect,
    to_part,
)
from sutler.games.sixwinters.rules.difficulty import difficulty
from sutler.games.sixwinters.rules.land import move_obstacle, top_season
from sutler.games.sixwinters.rules.turn import n_new_obstacles
from sutler.games.sixwinters.state import OBSTACLES_PART
from sutler.games.sixwinters.table import E, P

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, State


@rule
def step_activate(box: Box, state: State, events: Events) -> None:
    """8.2: region by region, slot by slot: the location, then its obstacles. `k` counts the slots."""
    if state.k >= SLOTS:
        to_part(state, OBSTACLES_PART)
        state.n_due = n_new_obstacles(box, state)
        return
    slot = int(state.k)
    region = region_of(box, slot)
    if slot % 3 == 0 and state.sub == 0:
        state.season_now = top_season(box, state, region)
    if state.season_now != WINTER and state.season_now != box.place[slot].season:
        next_slot(state)
    elif state.sub == 0:
        wake_location(box, state, events, slot)
    else:
        wake_obstacle(box, state, events, slot)


@rule
def next_slot(state: State) -> None:
    """8.2: on to the next slot."""
    state.k += 1
    state.sub = 0


@rule
def wake_location(box: Box, state: State, events: Events, slot: int) -> None:
    """8.2: the location's icon and its text; if nothing lies here, an obstacle of the region comes (8.3)."""
    state.sub = 1
    state.woken_slots |= 1 << slot
    one = box.location[state.location_at[slot]]
    tell(events, E.woken, state.location_at[slot])
    if one.icon == RESOURCE_ICON:
        roll_asset(box, state, events, int(one.icon_of), slot)
    if state.season_now != WINTER and state.head[slot] == NOBODY:
        state.sub = 2
    run_effect(state, one.effect[ACTIVATION], NOBODY, slot, NOBODY)


@rule
def wake_obstacle(box: Box, state: State, events: Events, slot: int) -> None:
    """8.2, 14.58, 14.67: the next obstacle here that has not been activated this turn."""
    if state.sub >= 2:
        draw_near(box, state, events, slot)
        return
    card = int(state.head[slot])
    while card >= 0 and has(state.woken, card):
        card = int(state.after[card])
    if card < 0:
        next_slot(state)
        return
    add(state.woken, card)
    if box.obstacle[card].effect[ACTIVATION].n > 0:
        tell(events, E.obstacle_woken, card)
    run_effect(state, box.obstacle[card].effect[ACTIVATION], NOBODY, slot, card)


@rule
def draw_near(box: Box, state: State, events: Events, slot: int) -> None:
    """8.3, 14.58: the region's obstacle of highest difficulty moves here and does not activate; ties: players choose."""
    if state.sub == 2:
        offer_hardest(box, state, region_of(box, slot))
        state.sub = 3
        if not let_choose(state, P.choose_obstacle, NOBODY):
            return
    if state.answer >= 0:
        move_obstacle(box, state, events, int(state.answer), slot)
        add(state.woken, int(state.answer))
    next_slot(state)


@rule
def offer_hardest(box: Box, state: State, region: int) -> None:
    """8.3: the obstacles of highest difficulty in a region."""
    no_options(state)
    most = 0
    for slot in range(SLOTS):
        if region_of(box, slot) == region:
            card = int(state.head[slot])
            while card >= 0:
                n = difficulty(box, state, card)
                if n > most:
                    most = n
                    no_options(state)
                if n == most:
                    offer(state, card)
                card = int(state.after[card])
