"""The leader phase (guide 12): marches of one to three areas, and removed leaders coming back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import go_on
from sutler.games.bellum.box import LANDS, POWERS
from sutler.games.bellum.hexes import (
    NONE,
    contains,
    difference,
    intersection,
    is_not_empty,
    n_hexes,
    neighbours_of,
    read_hexes,
    single_hex,
    union,
)
from sutler.games.bellum.phases_actions_events import A, E, P, R
from sutler.games.bellum.rules.city import break_sieges
from sutler.games.bellum.rules.common import allow_areas, ask_power
from sutler.games.bellum.rules.influence import enemy_reach, free_reach
from sutler.games.bellum.state import all_leaders, is_enemy, plan_of, tokens_of, where_is

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import Box, State

MOST_CALLS = 2
"""The other leader may be called, and the first called back; then both are asked at once, so that nothing goes on for ever."""

# --- Steps (guide 12.1, 12.2) ------------------------------------------------


@rule
def halting_areas(box: Box, state: State, power: int) -> Hexes:
    """12.2: an enemy's token, or the reach of an enemy's leader, HQ or city, stops a leader; free cities by option."""
    found = enemy_reach(box, state, power)
    if box.options.free_cities_stop == 1:
        found = union(found, free_reach(box, state))
    for other in range(POWERS):
        if is_enemy(box, state, power, other):
            found = union(found, tokens_of(state, other))
    return found


@rule
def reach_from(box: Box, state: State, power: int, start: Hexes) -> Hexes:
    """12.1: where up to three steps lead. `left[n]` are the areas from which n more steps may be taken."""
    open_land = difference(read_hexes(plan_of(box, state).land), all_leaders(state))
    halts = halting_areas(box, state, power)
    own = difference(intersection(open_land, tokens_of(state, power)), halts)
    abroad = difference(difference(open_land, halts), own)
    steps = int(box.rules.steps)
    further = int(box.rules.steps_abroad)
    with3 = NONE
    with2 = NONE
    with1 = NONE
    with0 = NONE
    if steps == 3:
        with3 = start
    elif steps == 2:
        with2 = start
    else:
        with1 = start
    for n in range(steps, 0, -1):
        if n == 3:
            near = intersection(neighbours_of(box, with3), open_land)
        elif n == 2:
            near = intersection(neighbours_of(box, with2), open_land)
        else:
            near = intersection(neighbours_of(box, with1), open_land)
        with0 = union(with0, intersection(near, halts))
        into_own = intersection(near, own)
        into_abroad = intersection(near, abroad)
        if n - 1 == 2:
            with2 = union(with2, into_own)
        elif n - 1 == 1:
            with1 = union(with1, into_own)
        else:
            with0 = union(with0, into_own)
        left = min(n - 1, further)
        if left == 2:
            with2 = union(with2, into_abroad)
        elif left == 1:
            with1 = union(with1, into_abroad)
        else:
            with0 = union(with0, into_abroad)
    return intersection(union(union(with2, with1), with0), open_land)


@rule
def reach_of(box: Box, state: State, leader: int) -> Hexes:
    """12.1: where a leader on the board could march now."""
    return reach_from(box, state, leader >> 1, single_hex(where_is(state, leader)))


# --- The first turn (guide 12.3) ---------------------------------------------


@rule
def is_at_home(box: Box, state: State, leader: int) -> bool:
    """12.3: does the leader still stand in the HQ?"""
    home = plan_of(box, state).hq[leader >> 1]
    return home != NOBODY and where_is(state, leader) == box.site_hex[home]


@rule
def exits(box: Box, state: State, power: int) -> Hexes:
    """12.3: free land next to the HQ."""
    plan = plan_of(box, state)
    home = int(plan.hq[power])
    return difference(intersection(read_hexes(plan.around[home]), read_hexes(plan.land)), all_leaders(state))


@rule
def destinations(box: Box, state: State, leader: int) -> Hexes:
    """12.1, 12.3, 12.5: where this leader may be sent now: a march, standing still, or back to the HQ's country."""
    power = leader >> 1
    at = where_is(state, leader)
    if at == NOBODY:
        return exits(box, state, power)
    goals = reach_from(box, state, power, single_hex(at))
    if not is_at_home(box, state, leader):
        return union(goals, single_hex(at))
    mate = leader ^ 1
    if is_at_home(box, state, mate) and n_hexes(exits(box, state, power)) == 1:
        spared = difference(goals, exits(box, state, power))  # the first out must not shut the other in
        if is_not_empty(spared):
            return spared
    return goals


# --- Order and returning (guide 12.4, 12.5) ----------------------------------


@rule
def may_move(box: Box, state: State, leader: int) -> bool:
    """12.4: on the board and not moved yet; none once removed leaders return.

    Standing still needs no room, leaving home does.
    """
    if state.moved >> leader & 1 or where_is(state, leader) == NOBODY or state.is_returning == 1:
        return False
    return not is_at_home(box, state, leader) or is_not_empty(destinations(box, state, leader))


@rule
def may_return(box: Box, state: State, leader: int) -> bool:
    """12.5: removed, with a free area at the HQ; only instead of any march."""
    if where_is(state, leader) != NOBODY or (state.moved != 0 and state.is_returning == 0):
        return False
    return is_not_empty(destinations(box, state, leader))


@rule
def is_in_hand(box: Box, state: State, leader: int) -> bool:
    """12.4: the leader in hand; who has called to and fro may send either."""
    if leader == state.mover:
        return True
    if leader >> 1 != state.power or state.calls < MOST_CALLS or state.moved != 0:
        return False
    return may_move(box, state, leader) or may_return(box, state, leader)


@rule
def why_not_lead(box: Box, state: State, seat: int, leader: int) -> int:
    """12.4, 12.5: call the other leader before anything has happened, and call the first one back."""
    if state.seat_of[leader >> 1] != seat:
        return R.not_yours
    if state.phase != P.move:
        return R.fine
    if leader >> 1 != state.power or leader == state.mover:
        return R.other_moves
    if state.moved >> leader & 1:
        return R.has_moved
    if state.calls >= MOST_CALLS:
        return R.has_called
    if may_move(box, state, leader) or may_return(box, state, leader):
        return R.fine
    return why_not_out(box, state, leader)


@rule
def do_lead(box: Box, state: State, events: Events, seat: int, leader: int) -> None:
    """12.4: the other leader instead."""
    state.mover = leader
    state.calls += 1


@rule
def why_not_out(box: Box, state: State, leader: int) -> int:
    """12.4, 12.5: why a leader that has not moved cannot be sent at all."""
    if where_is(state, leader) == NOBODY and state.moved != 0 and state.is_returning == 0:
        return R.returning
    if where_is(state, leader) != NOBODY and state.is_returning == 1:
        return R.returning
    return R.no_way


@rule
def why_not_move(box: Box, state: State, seat: int, leader: int, area: int) -> int:
    """12.1 to 12.5, 14.8: a march, standing still, or back to the country of the HQ."""
    if state.seat_of[leader >> 1] != seat:
        return R.not_yours
    if not contains(read_hexes(box.land), area):
        return R.no_land
    if not contains(read_hexes(plan_of(box, state).land), area):
        return R.closed
    if state.phase != P.move:
        return R.fine
    if state.moved >> leader & 1:
        return R.has_moved
    if not is_in_hand(box, state, leader):
        if leader >> 1 == state.power and where_is(state, leader) == NOBODY and not may_return(box, state, leader):
            return why_not_out(box, state, leader)
        return R.other_moves
    if contains(destinations(box, state, leader), area):
        return R.fine
    if contains(all_leaders(state), area):
        return R.occupied
    if where_is(state, leader) == NOBODY:
        return R.not_at_home
    if is_at_home(box, state, leader) and contains(read_hexes(box.near[where_is(state, leader)]), area):
        return R.shut_in
    return R.too_far


@rule
def allow_move(box: Box, state: State, seat: int, out: Legal) -> None:
    """12.1: the same, all at once."""
    for k in range(2):
        leader = 2 * int(state.power) + k
        if is_in_hand(box, state, leader):
            allow_areas(out, A.move + leader * LANDS, destinations(box, state, leader))


@rule
def do_move(box: Box, state: State, events: Events, seat: int, leader: int, area: int) -> None:
    """12.1, 12.5: only where it ends matters; a siege left behind is broken (9.5)."""
    was = where_is(state, leader)
    state.powers[leader >> 1].leader[leader & 1] = area
    state.moved |= 1 << leader
    if was == NOBODY:
        state.is_returning = 1
        tell(events, E.returned, leader, area)
    elif was != area:
        tell(events, E.moved, leader, area)
    break_sieges(box, state, events)
    go_on(state)


@rule
def why_not_end_moves(box: Box, state: State, seat: int) -> int:
    """12.3, 12.4: leaders may stand still, but not in the HQ when there is a way out."""
    if state.phase != P.move:
        return R.fine
    for k in range(2):
        leader = 2 * int(state.power) + k
        if where_is(state, leader) != NOBODY and is_at_home(box, state, leader) and may_move(box, state, leader):
            return R.must_leave
    return R.fine


@rule
def do_end_moves(box: Box, state: State, events: Events, seat: int) -> None:
    """12.4: the turn is over."""
    state.step = 1
    go_on(state)


@rule
def proceed_march(box: Box, state: State) -> bool:
    """12: the next leader that may move or return; True when nobody is left."""
    first = 2 * int(state.power)
    if state.step == 0:
        for returning in range(2):
            for k in range(2):
                leader = first + k
                is_free = may_return(box, state, leader) if returning else may_move(box, state, leader)
                if is_free:
                    state.mover = leader
                    ask_power(state, P.move, int(state.power))
                    return False
    state.mover = NOBODY
    state.moved = 0
    state.is_returning = 0
    state.calls = 0
    return True
