"""The feed phase (guide 11; pillage 14.5): tilting tokens for strength."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow_range, allow_word
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.core.tables import go_on
from sutler.games.bellum.box import FEEDS, POWERS
from sutler.games.bellum.hexes import (
    NONE,
    contains,
    difference,
    first_hex,
    intersection,
    is_not_empty,
    n_hexes,
    neighbours_of,
    read_hexes,
    single_hex,
    store_hexes,
    union,
    without_first,
)
from sutler.games.bellum.phases_actions_events import A, E, P, R
from sutler.games.bellum.rules.common import allow_areas, ask_power, next_stage
from sutler.games.bellum.rules.influence import enemy_leaders, free_reach
from sutler.games.bellum.rules.supply import range_of
from sutler.games.bellum.state import is_enemy, plan_of, tokens_of

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import Box, State

# --- How many (guide 11.1) ---------------------------------------------------


@rule
def can_feed(state: State, power: int) -> Hexes:
    """11.1: own upright tokens on areas in range."""
    return intersection(read_hexes(state.powers[power].upright), read_hexes(state.in_range))


@rule
def feeds_at_most(state: State, power: int) -> int:
    """11.1: no more than the supply level, and no more than there are; those tilted already count."""
    there = n_hexes(can_feed(state, power)) + state.n_fed
    return min(min(int(state.powers[power].supply), there), FEEDS - 1)


@rule
def feeds_at_least(state: State, power: int) -> int:
    """11.1: as many as the strength level, when that is possible."""
    return min(int(state.fed_from), feeds_at_most(state, power))


# --- Tilting -----------------------------------------------------------------


@rule
def tilt(state: State, events: Events, power: int, area: int) -> None:
    """Lay one token on its side."""
    tell(events, E.tilted, power, area)
    me = state.powers[power]
    store_hexes(me.upright, difference(read_hexes(me.upright), single_hex(area)))
    store_hexes(state.fed, union(read_hexes(state.fed), single_hex(area)))
    state.n_fed += 1


@rule
def why_not_tilt(box: Box, state: State, seat: int, area: int) -> int:
    """11.1: an own upright token in range, within the supply level."""
    power = int(state.power)
    if state.phase != P.feed:
        return R.fine
    if not contains(read_hexes(state.powers[power].upright), area):
        return R.no_token
    if not contains(can_feed(state, power), area):
        return R.token_far
    if state.n_fed >= feeds_at_most(state, power):
        return R.supply_spent
    return R.fine


@rule
def allow_tilt(box: Box, state: State, seat: int, out: Legal) -> None:
    """11.1: the same, all at once."""
    power = int(state.power)
    if state.n_fed < feeds_at_most(state, power):
        areas = can_feed(state, power)
        allow_areas(out, A.tilt, areas)
        allow_word(out, A.tilt + 128, areas[2])


@rule
def do_tilt(box: Box, state: State, events: Events, seat: int, area: int) -> None:
    """11.1: this token feeds."""
    tilt(state, events, int(state.power), area)


@rule
def border_of(box: Box, state: State, power: int) -> Hexes:
    """11.4: areas that may be lost first: next to an enemy's token or leader, or to a free city."""
    found = enemy_leaders(box, state, power)
    for other in range(POWERS):
        if is_enemy(box, state, power, other):
            found = union(found, tokens_of(state, other))
    return union(neighbours_of(box, found), free_reach(box, state))


@rule
def tilt_first(state: State, events: Events, power: int, some: Hexes, total: int) -> None:
    """Tilt tokens of this set, in order, until so many are tilted."""
    left = intersection(can_feed(state, power), some)
    while is_not_empty(left) and state.n_fed < total:
        tilt(state, events, power, first_hex(left))
        left = without_first(left)


@rule
def why_not_feed(box: Box, state: State, seat: int, total: int) -> int:
    """11.1: stop at this number: enough, possible, and not less than is tilted already."""
    if state.phase != P.feed:
        return R.fine
    if total > feeds_at_most(state, int(state.power)):
        return R.feed_less
    if total < feeds_at_least(state, int(state.power)):
        return R.feed_more
    if total < state.n_fed:
        return R.fed_already
    return R.fine


@rule
def allow_feed(box: Box, state: State, seat: int, out: Legal) -> None:
    """11.1: the same, all at once."""
    least = max(feeds_at_least(state, int(state.power)), int(state.n_fed))
    allow_range(out, A.feed + least, feeds_at_most(state, int(state.power)) - least + 1)


@rule
def do_feed(box: Box, state: State, events: Events, seat: int, total: int) -> None:
    """11.1, 11.4: so many in all; which of them is settled by the border, then by the order of the map."""
    power = int(state.power)
    if state.n_fed < total:
        tilt_first(state, events, power, border_of(box, state, power), total)
        tilt_first(state, events, power, read_hexes(plan_of(box, state).areas), total)
    end_feeding(box, state, events, power)


@rule
def end_feeding(box: Box, state: State, events: Events, power: int) -> None:
    """11.2: strength follows the fed; with pillage the country may still be laid waste (14.5)."""
    state.step = 2
    go_on(state)
    if box.options.pillage == 1 and is_not_empty(can_pillage(box, state, power)):
        ask_power(state, P.pillage, power)


# --- Pillage (guide 14.5) ----------------------------------------------------


@rule
def can_pillage(box: Box, state: State, power: int) -> Hexes:
    """14.5: own tokens on land in range, upright or tilted."""
    return intersection(
        intersection(tokens_of(state, power), read_hexes(state.in_range)), read_hexes(plan_of(box, state).land)
    )


@rule
def why_not_pillage(box: Box, state: State, seat: int, area: int) -> int:
    """14.5: an own token on land in range."""
    power = int(state.power)
    if state.phase != P.pillage or contains(can_pillage(box, state, power), area):
        return R.fine
    if contains(tokens_of(state, power), area):
        return R.pillage_far
    return R.nothing_to_pillage


@rule
def allow_pillage(box: Box, state: State, seat: int, out: Legal) -> None:
    """14.5: the same, all at once."""
    allow_areas(out, A.pillage, can_pillage(box, state, int(state.power)))


@rule
def do_pillage(box: Box, state: State, events: Events, seat: int, area: int) -> None:
    """14.5: the token gives way to a pillage token for good."""
    power = int(state.power)
    me = state.powers[power]
    store_hexes(me.upright, difference(read_hexes(me.upright), single_hex(area)))
    store_hexes(me.tilted, difference(read_hexes(me.tilted), single_hex(area)))
    store_hexes(state.fed, difference(read_hexes(state.fed), single_hex(area)))
    store_hexes(state.pillaged, union(read_hexes(state.pillaged), single_hex(area)))
    tell(events, E.pillaged, power, area)
    state.n_pillaged += 1
    if not is_not_empty(can_pillage(box, state, power)):
        go_on(state)


@rule
def do_end_pillage(box: Box, state: State, events: Events, seat: int) -> None:
    """14.5: no more of it."""
    go_on(state)


# --- Strength (guide 11.2, 11.3) ---------------------------------------------


@rule
def strength_after(box: Box, strength: int, fed: int) -> int:
    """11.2: as many as were fed, but never more than 2 up or down, and never below 0."""
    most = int(box.rules.most_change)
    return max(0, min(max(fed, strength - most), strength + most))


@rule
def settle_feeding(box: Box, state: State, events: Events, power: int) -> None:
    """11.2, 11.3: the new strength; what was tilted before this phase comes upright."""
    me = state.powers[power]
    fed = int(state.n_fed) + int(state.n_pillaged)
    me.strength = strength_after(box, int(state.fed_from), fed)
    tell(events, E.fed, power, int(state.n_fed), int(state.fed_from), int(me.strength))
    store_hexes(me.upright, union(read_hexes(me.upright), read_hexes(me.tilted)))
    store_hexes(me.tilted, read_hexes(state.fed))
    clear_feeding(state)


@rule
def clear_feeding(state: State) -> None:
    """The slips of this phase are thrown away."""
    state.n_fed = 0
    state.n_pillaged = 0
    state.fed_from = 0
    store_hexes(state.fed, NONE)
    store_hexes(state.in_range, NONE)


@rule
def proceed_feed(box: Box, state: State, events: Events) -> None:
    """11: ask only where there is a choice."""
    power = int(state.power)
    if state.step == 0:
        state.step = 1
        if not is_not_empty(read_hexes(state.in_range)):  # a quiet year, without influence phase (7.2)
            store_hexes(state.in_range, range_of(box, state, power))
        state.fed_from = state.powers[power].strength
        most = feeds_at_most(state, power)
        if most == 0 or (feeds_at_least(state, power) == most and n_hexes(can_feed(state, power)) == most):
            do_feed(box, state, events, int(state.to_act), most)
        else:
            ask_power(state, P.feed, power)
    else:
        settle_feeding(box, state, events, power)
        next_stage(state)
