"""Creating assets out of the pool of the place (guide 5.6), and trading pool dice along the wheel (guide 5.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.sixwinters.box import FACES, RES, TRADES_MANY
from sutler.games.sixwinters.cards.vocabulary import BODY, DO, ICON, PSYCHE, operation
from sutler.games.sixwinters.phases_actions_events import A, E, P, R
from sutler.games.sixwinters.rules.actions import (
    acting,
    allow_action_dice,
    icon_at,
    pools_serve,
    serves_as_die,
    source_of,
    spend,
    why_not_act,
)
from sutler.games.sixwinters.rules.common import (
    KIND,
    in_force,
    is_in,
    on_frame,
    pool_size,
    pop,
    push,
    rank,
    region_of,
    seat_for,
)
from sutler.games.sixwinters.rules.heroes import pay_stress

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.sixwinters.records import Box, Frame, State


@operation("forbid_create_asset", needs="resource", may="region", holds=True)
@rule
def is_forbidden(box: Box, state: State, r: int, slot: int) -> bool:
    """8.9: does a scheme forbid creating assets of this resource here?"""
    for i in range(state.n_ruled):
        op = box.ops[state.ruled[i].op]
        if op.op == DO.forbid_create_asset and op.resource == r:
            if op.region < 0 or op.region == region_of(box, slot):
                return True
    return False


@rule
def lowest_in_pool(state: State, r: int, spent: int) -> int:
    """The lowest value in a pool, less the pool die that is being spent (if one is); above any die when it is empty."""
    for v in range(FACES):
        n = int(state.pools[r, v])
        if spent == FACES + r * FACES + v:
            n -= 1
        if n > 0:
            return v + 1
    return FACES + 1


@rule
def why_not_create(box: Box, state: State, seat: int, one: int) -> int:
    """5.6: the slot's pool has a die that is not higher than the action die."""
    reason = why_not_act(box, state, seat, one)
    if reason != 0:
        return reason
    slot = int(state.heroes[state.actor].slot)
    r = int(box.place[slot].resource)
    if is_forbidden(box, state, r, slot):
        return R.forbidden
    if lowest_in_pool(state, r, one) > one % FACES + 1:
        return R.pool_empty
    return 0


@rule
def allow_create(box: Box, state: State, seat: int, out: Legal) -> None:
    """5.6: the pool is looked at once; a pool die that is spent itself is asked for by itself."""
    h = acting(state, seat)
    if h == NOBODY:
        return
    slot = int(state.heroes[h].slot)
    here = int(box.place[slot].resource)
    if is_forbidden(box, state, here, slot):
        return
    allow_action_dice(state, h, out, A.create, lowest_in_pool(state, here, NOBODY))
    if not pools_serve(box, state):
        return
    for r in range(RES):
        if serves_as_die(box, state, r, slot):
            for v in range(FACES):
                one = FACES + r * FACES + v
                if state.pools[r, v] > 0 and lowest_in_pool(state, here, one) <= v + 1:
                    allow(out, A.create + one)


@rule
def do_create(box: Box, state: State, events: Events, seat: int, one: int) -> None:
    """5.6: the die is spent; then dice are taken from the pool."""
    h = int(state.actor)
    spend(state, events, seat, source_of(one), NOBODY)
    begin_creating(state, h, one % FACES + 1)


@rule
def begin_creating(state: State, h: int, value: int) -> None:
    """5.6: dice up to this value may be taken."""
    f = push(state, KIND.create, 0, 1, h)
    state.frames[f].slot = state.heroes[h].slot
    state.frames[f].chosen = value
    go_on(state)


@rule
def why_not_create_by_stress(box: Box, state: State, seat: int) -> int:
    """5.6, 14.48: at a place with a stress icon stress is taken instead of an action die; any value may be taken."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    slot = int(state.heroes[h].slot)
    if icon_at(box, state, slot) != ICON.stress:
        return R.no_stress_icon
    r = int(box.place[slot].resource)
    if is_forbidden(box, state, r, slot):
        return R.forbidden
    if pool_size(state, r) == 0:
        return R.pool_empty
    return 0


@rule
def do_create_by_stress(box: Box, state: State, events: Events, seat: int) -> None:
    """5.6: the stress is taken, then a die."""
    h = int(state.actor)
    icon = box.location[state.location_at[state.heroes[h].slot]]
    begin_creating(state, h, FACES)
    pay_stress(box, state, events, h, int(icon.icon_of), int(icon.icon_n))


@rule
def most_at_once(box: Box, state: State, h: int, slot: int) -> int:
    """14.47: how many dice one action die moves: one, or up to the rank of the skill icon."""
    one = box.location[state.location_at[slot]]
    if one.icon == ICON.skill:
        return max(1, rank(state, h, one.icon_of))
    return 1


@operation("create_asset_stress", may="psyche body", holds=True)
@on_frame("create")
@rule
def step_create(box: Box, state: State, events: Events, frame: Frame) -> None:
    """5.6, 14.49: stress that creating costs here, then the dice, as long as more may be taken."""
    h, slot = int(frame.hero), int(frame.slot)
    if frame.step == 0:
        frame.step = 1
        for i in range(state.n_ruled):
            row = state.ruled[i]
            op = box.ops[row.op]
            if op.op == DO.create_asset_stress and row.slot == slot:
                pay_stress(box, state, events, h, BODY, int(op.body))
                pay_stress(box, state, events, h, PSYCHE, int(op.psyche))
        return
    left = most_at_once(box, state, h, slot) - state.n_taken if is_in(state, h) else 0
    if frame.step == 2 or left <= 0 or lowest_in_pool(state, box.place[slot].resource, NOBODY) > frame.chosen:
        state.n_taken = 0
        state.picked = 0
        pop(state)
        return
    state.picked = frame.chosen
    ask(state, P.create, seat_for(state, h))


@rule
def why_not_take_die(box: Box, state: State, seat: int, v: int) -> int:
    """5.6: a die of the slot's pool, not higher than the action die."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    if state.pools[box.place[state.heroes[h].slot].resource, v] == 0:
        return R.no_die
    if v + 1 > state.picked:
        return R.too_high
    return 0


@rule
def create_one(box: Box, state: State, events: Events, v: int) -> None:
    """5.6: a die goes from the pool to the place: it is an asset now."""
    slot = int(state.heroes[state.actor].slot)
    r = int(box.place[slot].resource)
    state.pools[r, v] -= 1
    state.assets[slot, r, v] += 1
    state.n_taken += 1
    tell(events, E.created, state.heroes[state.actor].character, r * FACES + v, state.location_at[slot])


@rule
def do_take_die(box: Box, state: State, events: Events, seat: int, v: int) -> None:
    """5.6: one die."""
    create_one(box, state, events, v)
    go_on(state)


@operation("create_asset_all_matching", holds=True)
@rule
def why_not_take_all(box: Box, state: State, seat: int) -> int:
    """14.31: the Speaker for the East takes every die that shows the value of the action die."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    if not in_force(box, state, DO.create_asset_all_matching):
        return R.no_speaker
    if state.picked < 1 or state.n_taken > 0:
        return R.no_die
    if state.pools[box.place[state.heroes[h].slot].resource, state.picked - 1] == 0:
        return R.no_die
    return 0


@rule
def do_take_all(box: Box, state: State, events: Events, seat: int) -> None:
    """5.6: all dice of the value at once."""
    v = int(state.picked) - 1
    r = int(box.place[state.heroes[state.actor].slot].resource)
    while state.pools[r, v] > 0:
        create_one(box, state, events, v)
    state.frames[state.n_frames - 1].step = 2
    go_on(state)


@rule
def why_not_stop(box: Box, state: State, seat: int) -> int:
    """5.6, 5.7: enough, once one die has been moved."""
    if state.n_taken == 0:
        return R.take_one
    return 0


@rule
def do_stop(box: Box, state: State, events: Events, seat: int) -> None:
    """5.6, 5.7: no more dice."""
    state.frames[state.n_frames - 1].step = 2
    go_on(state)


@operation("forbid_trade", needs="resource", holds=True)
@rule
def trades_into(box: Box, state: State, r: int, into: int) -> bool:
    """5.7: does the wheel turn this way, with nothing in play that forbids it, and a die of the other kind left?"""
    if r == into or state.in_play[into] >= box.rules.dice_each:
        return False
    if box.wheel[r] >= 0:
        if box.wheel[r] != into:
            return False
    elif box.wheel[into] < 0:
        return False
    for i in range(state.n_ruled):
        op = box.ops[state.ruled[i].op]
        if op.op == DO.forbid_trade and op.resource == r:
            return False
    return True


@rule
def may_trade(box: Box, state: State, slot: int, most: int, spent: int) -> bool:
    """5.7: is there a die, not higher than that and not the one being spent, which can go into or out of the slot's pool?"""
    here = int(box.place[slot].resource)
    for r in range(RES):
        for into in range(RES):
            if r == here or into == here:
                if lowest_in_pool(state, r, spent) <= most and trades_into(box, state, r, into):
                    return True
    return False


@rule
def lowest_to_trade(box: Box, state: State, slot: int) -> int:
    """5.7: the lowest pool die that can go into or out of the slot's pool; above any die when there is none."""
    here = int(box.place[slot].resource)
    least = FACES + 1
    for r in range(RES):
        lowest = lowest_in_pool(state, r, NOBODY)
        if lowest < least:
            for into in range(RES):
                if (r == here or into == here) and trades_into(box, state, r, into):
                    least = lowest
                    break
    return least


@rule
def why_not_trade(box: Box, state: State, seat: int, one: int) -> int:
    """5.7: an action die, and a pool die that it can move."""
    reason = why_not_act(box, state, seat, one)
    if reason != 0:
        return reason
    if not may_trade(box, state, int(state.heroes[state.actor].slot), one % FACES + 1, one):
        return R.wrong_way
    return 0


@rule
def allow_trade(box: Box, state: State, seat: int, out: Legal) -> None:
    """5.7: the lowest die that can go anywhere is looked for once; a pool die that is spent itself is asked for by itself."""
    h = acting(state, seat)
    if h == NOBODY:
        return
    slot = int(state.heroes[h].slot)
    allow_action_dice(state, h, out, A.trade, lowest_to_trade(box, state, slot))
    if not pools_serve(box, state):
        return
    for r in range(RES):
        if serves_as_die(box, state, r, slot):
            for v in range(FACES):
                one = FACES + r * FACES + v
                if state.pools[r, v] > 0 and may_trade(box, state, slot, v + 1, one):
                    allow(out, A.trade + one)


@rule
def do_trade(box: Box, state: State, events: Events, seat: int, one: int) -> None:
    """5.7: the die is spent; then dice go along the wheel."""
    h = int(state.actor)
    spend(state, events, seat, source_of(one), NOBODY)
    f = push(state, KIND.trade, 0, 1, h)
    state.frames[f].slot = state.heroes[h].slot
    state.frames[f].chosen = one % FACES + 1
    go_on(state)


@on_frame("trade")
@rule
def step_trade(box: Box, state: State, frame: Frame) -> None:
    """5.7, 14.47: one die, or with a skill icon as many as the rank."""
    slot = int(frame.slot)
    most = 1
    if box.options.skill_icon == TRADES_MANY:
        most = most_at_once(box, state, int(frame.hero), slot)
    if frame.step == 2 or state.n_taken >= most or not may_trade(box, state, slot, int(frame.chosen), NOBODY):
        state.n_taken = 0
        state.picked = 0
        pop(state)
        return
    state.picked = frame.chosen
    ask(state, P.trade, seat_for(state, int(frame.hero)))


@rule
def why_not_trade_die(box: Box, state: State, seat: int, r: int, v: int, into: int) -> int:
    """5.7: a pool die not higher than the action die, one step along the wheel, into or out of the slot's pool."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    if state.pools[r, v] == 0:
        return R.no_die
    if v + 1 > state.picked:
        return R.too_high
    here = box.place[state.heroes[h].slot].resource
    if (r != here and into != here) or not trades_into(box, state, r, into):
        return R.wrong_way
    return 0


@rule
def do_trade_die(box: Box, state: State, events: Events, seat: int, r: int, v: int, into: int) -> None:
    """5.7: the die changes its kind and keeps its value."""
    state.pools[r, v] -= 1
    state.in_play[r] -= 1
    state.pools[into, v] += 1
    state.in_play[into] += 1
    state.n_taken += 1
    tell(events, E.traded, state.heroes[state.actor].character, r * FACES + v, into)
    go_on(state)
