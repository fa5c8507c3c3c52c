"""The turn (guide 4, 8.1 to 8.6, 10.1): event, actions, refresh, activation slot by slot, new obstacles, threats, time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import add, clear, has
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.sixwinters.box import ABILITIES, MOMENT, N_REGIONS, PASSES, RES, SLOTS, TURNS, UNTIL
from sutler.games.sixwinters.cards.vocabulary import DO, ICON, WINTER, operation
from sutler.games.sixwinters.phases_actions_events import E, P
from sutler.games.sixwinters.rules.actions import next_actor
from sutler.games.sixwinters.rules.common import (
    clear_dice,
    fill_pool,
    is_in,
    let_choose,
    n_dice,
    no_options,
    offer,
    push,
    region_of,
    roll_action_dice,
    roll_asset,
    run_effect,
    seat_for,
    to_part,
)
from sutler.games.sixwinters.rules.effects.dice import seat_is_up
from sutler.games.sixwinters.rules.heroes import clear_ability
from sutler.games.sixwinters.rules.land import (
    difficulty,
    move_obstacle,
    n_showing,
    place_new,
    refill_staging,
    top_season,
)
from sutler.games.sixwinters.rules.tracks import change_threat, feed_scheme
from sutler.games.sixwinters.state import OPEN, PART, on_part

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, State


# --- The season's event (guide 4.2) -----------------------------------------------------------------


@on_part("event")
@rule
def step_event(box: Box, state: State, events: Events) -> None:
    """4.2, 14.26: first what missions do in every such step, then the event for the number of piles that show the season."""
    if state.k == 0:
        state.k = 1
        state.turn_no += 1
        state.actor = 0
        state.n_passes = 0
        for h in range(state.n_heroes):
            state.heroes[h].is_done = 0
            state.heroes[h].saves = 0
        season = int(box.season[state.space])
        tell(events, E.bonus_turn if box.bonus[state.space] == 1 else E.turn, state.turn_no, season)
        state.symbols = n_showing(box, state, season)
        run_effect(state, box.event[season, state.symbols], NOBODY, NOBODY, NOBODY)
        tell(events, E.event, season * (N_REGIONS + 1) + state.symbols, state.symbols, season)
        every_turn(box, state)
    else:
        to_part(state, PART.actions)


@operation("each_seasonal_event", needs="ops", runs=False)
@rule
def every_turn(box: Box, state: State) -> None:
    """14.26: what a mission repeats in each seasonal event step; it goes before the event."""
    for k in range(2):
        task = state.tasks[k]
        if task.mission >= 0 and task.result == OPEN:
            for side in range(task.difficult + 1):
                setup = box.mission[task.mission].setup[side]
                for i in range(setup.first, setup.first + setup.n):
                    op = box.ops[i]
                    if op.op == DO.each_seasonal_event:
                        f = push(state, 0, int(op.first[0]), int(op.n[0]), NOBODY)
                        state.frames[f].slot = NOBODY


# --- The actions step (guide 5.1) -------------------------------------------------------------------


@on_part("actions")
@rule
def step_actions(state: State) -> None:
    """5.1, 9.12: until everybody is done, the acting character as long as it likes; with nobody left you watch the turn pass."""
    h = next_actor(state)
    if h != NOBODY:
        state.actor = h
        ask(state, P.act, seat_for(state, h))
    elif is_anybody_in(state):
        to_part(state, PART.refresh)
    else:
        ask(state, P.watch, seat_for(state, NOBODY))


@rule
def is_anybody_in(state: State) -> bool:
    """9.12: is any character still on its feet?"""
    for h in range(state.n_heroes):
        if is_in(state, h):
            return True
    return False


@rule
def do_watch(box: Box, state: State, events: Events, seat: int) -> None:
    """9.12: the turn goes on without anybody."""
    to_part(state, PART.refresh)
    go_on(state)


# --- Refresh (guide 8.1) -----------------------------------------------------------------------------


@rule
def n_new_dice(box: Box, state: State, seat: int) -> int:
    """8.1: how many action dice a seat gets; alone with two characters they share theirs."""
    if not seat_is_up(state, seat):
        return 0
    if state.n_seats == 1 and box.options.solo != PASSES:
        return int(box.rules.shared_dice)
    return int(box.rules.action_dice[state.n_seats])


@on_part("refresh")
@rule
def step_refresh(box: Box, state: State, events: Events) -> None:
    """8.1: abilities are cleared, pools filled, saved action dice and the new ones rolled together."""
    for h in range(state.n_heroes):
        for k in range(ABILITIES):
            clear_ability(state, h, k)
    for r in range(RES):
        fill_pool(box, state, events, r)
    for seat in range(state.n_seats):
        saved = 0
        for h in range(state.n_heroes):
            if state.heroes[h].seat == seat:
                saved = max(saved, int(state.heroes[h].saves))
        saved = min(saved, n_dice(state, seat))
        clear_dice(state, seat)
        if seat_is_up(state, seat):
            roll_action_dice(state, events, seat, saved + n_new_dice(box, state, seat), E.turn_dice)
    state.move_change = 0
    state.move_least = 0
    to_part(state, PART.activate)
    state.season_now = NOBODY
    clear(state.woken)
    state.woken_slots = 0


# --- New obstacles (guide 8.5) -------------------------------------------------------------------------


@rule
def n_new_obstacles(box: Box, state: State) -> int:
    """8.5, 12.1: as many as the back of the progress pile shows; in the one-player variant only in half of the turns."""
    if state.n_seats == 1 and box.options.solo == PASSES and box.bonus[state.space] != state.pass_no:
        return 0
    return int(box.new_obstacles[state.stage_no])


@on_part("obstacles")
@rule
def step_obstacles(box: Box, state: State, events: Events) -> None:
    """8.5: one after another, each at the bottom staged card's slot; then the staged cards are refilled."""
    if state.n_due > 0:
        state.n_due -= 1
        place_new(box, state, events)
        return
    refill_staging(box, state, events)
    to_part(state, PART.threats)


# --- Threats (guide 8.6, 8.7) ------------------------------------------------------------


@on_part("threats")
@rule
def step_threats(box: Box, state: State, events: Events) -> None:
    """8.6, 8.7: tags beyond two raise their threats; then each tag of the scheme's resource lays a die on it."""
    for r in range(RES):
        over = int(state.tags[r]) - int(box.rules.tags_free)
        if over > 0 and box.track[r].has_threats == 1:
            tell(events, E.tagged, r, state.tags[r])
            change_threat(box, state, events, r, over)
    if state.scheme >= 0:
        r = int(box.scheme[state.scheme].resource)
        feed_scheme(box, state, events, r, int(state.tags[r]))
    if state.scheme >= 0 and box.bonus[state.space] == 1:
        to_part(state, PART.trigger)
    else:
        to_part(state, PART.time)


# --- Time (guide 10.1) --------------------------------------------------------------------------------


@on_part("time")
@rule
def step_time(box: Box, state: State, events: Events) -> None:
    """10.1: the next space; a bonus space only if a pile shows its season. Past the last one the session ends."""
    before = box.season[state.space]
    state.space += 1
    while state.space < TURNS and box.bonus[state.space] == 1:
        if n_showing(box, state, box.season[state.space]) > 0:
            break
        state.space += 1
    if state.space >= TURNS:
        state.space = TURNS - 1
        no_relief(state, events, UNTIL.session_end)
        to_part(state, PART.clear)
        return
    no_relief(state, events, UNTIL.turn_end if box.season[state.space] == before else UNTIL.season_end)
    to_part(state, PART.event)


@rule
def no_relief(state: State, events: Events, until: int) -> None:
    """14.57: what took stress off ends with the turn, the season or the session, as its card says."""
    for track in range(2):
        if state.reduced_until[track] <= until:
            if state.reduced[track] > 0:
                tell(events, E.relief_ended, track)
            state.reduced[track] = 0
            state.reduced_until[track] = 0


@on_part("activate")
@rule
def step_activate(box: Box, state: State, events: Events) -> None:
    """8.2: region by region, slot by slot: the location, then its obstacles. `k` counts the slots."""
    if state.k >= SLOTS:
        to_part(state, PART.obstacles)
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
    if one.icon == ICON.resource:
        roll_asset(box, state, events, int(one.icon_of), slot)
    if state.season_now != WINTER and state.head[slot] == NOBODY:
        state.sub = 2
    run_effect(state, one.effect[MOMENT.activation], NOBODY, slot, NOBODY)


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
    if box.obstacle[card].effect[MOMENT.activation].n > 0:
        tell(events, E.obstacle_woken, card)
    run_effect(state, box.obstacle[card].effect[MOMENT.activation], NOBODY, slot, card)


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
