"""Trading (guide 5.7): pool dice along the wheel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.asking import ask, go_on
from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import FACES, RES, TRADES_MANY
from sutler.games.sixwinters.rules.actions import acting, allow_action_dice, source_of, why_not_act
from sutler.games.sixwinters.rules.common import K_TRADE, pop, push, seat_for
from sutler.games.sixwinters.rules.creating import lowest_in_pool, most_at_once
from sutler.games.sixwinters.rules.movement import pools_serve, serves_as_die, spend
from sutler.games.sixwinters.table import A, E, P, R
from sutler.games.sixwinters.vocabulary import DO, operation

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.sixwinters.records import Box, State


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
    f = push(state, K_TRADE, 0, 1, h)
    state.frames[f].slot = state.heroes[h].slot
    state.frames[f].chosen = one % FACES + 1
    go_on(state)


@rule
def step_trade(box: Box, state: State, events: Events, f: int) -> None:
    """5.7, 14.47: one die, or with a skill icon as many as the rank."""
    frame = state.frames[f]
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
