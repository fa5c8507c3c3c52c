"""Operations that are a price (guide 9.4, 9.11): stress, assets and pool dice that abilities and campaign effects cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.chance import die
from sutler.core.rule import rule
from sutler.games.sixwinters.box import FACES, POOL, RES, SPY_LEVEL
from sutler.games.sixwinters.rules.common import (
    choose_if_several,
    choose_one,
    drop_asset,
    drop_pool_die,
    n_options,
    no_options,
    offer,
    offer_pool,
    pool_size,
    roll_asset,
    take_from_supply,
    threat_level,
)
from sutler.games.sixwinters.rules.difficulty import difficulty, matches
from sutler.games.sixwinters.rules.effects_dice import offer_assets
from sutler.games.sixwinters.rules.heroes import hit
from sutler.games.sixwinters.rules.land import is_in_play
from sutler.games.sixwinters.table import P
from sutler.games.sixwinters.vocabulary import BODY, ESPIONAGE, PSYCHE, operation

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, Frame, Op, State


@operation("pay_stress", needs="who", may="psyche body")
@rule
def op_pay_stress(box: Box, state: State, events: Events, op: Op, frame: Frame, f: int) -> bool:
    """9.4: stress as a price."""
    if frame.step == 0:
        frame.step = 1
        hit(box, state, events, int(frame.hero), BODY, int(op.body))
        hit(box, state, events, int(frame.hero), PSYCHE, int(op.psyche))
        if state.n_frames > f + 1:
            return False
    return True


@operation("pay_asset", needs="resource value")
@rule
def op_pay_asset(state: State, events: Events, op: Op, frame: Frame) -> None:
    """9.11: an asset of this value at the character's place is spent."""
    slot = int(frame.slot)
    if state.assets[slot, op.resource, op.value - 1] > 0:
        drop_asset(state, events, op.resource, int(op.value), slot)
    else:
        frame.left = 1


@operation("exchange_assets", needs="pay gain", may="who", tags="dice changes")
@rule
def op_exchange(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """9.11: assets of one resource are spent, players choose which; others are rolled in their place."""
    slot = int(frame.slot)
    if frame.step == 1:
        code = int(state.answer) - FACES
        drop_asset(state, events, code // FACES, code % FACES + 1, slot)
        frame.todo += 1
        frame.step = 0
    if frame.todo < op.count_of:
        offer_assets(state, slot, 1 << int(op.resource), 0)
        if n_options(state) == 0:
            return True
        choose_if_several(state, frame, P.choose_die, int(frame.hero))
        return False
    for _ in range(op.gains):
        roll_asset(box, state, events, op.gain, slot)
    return True


@rule
def pool_total(state: State, r: int) -> int:
    """1.4: the values of a pool's dice together."""
    total = 0
    for v in range(FACES):
        total += (v + 1) * state.pools[r, v]
    return total


@operation("pay_pool", needs="resource", may="count total_above")
@rule
def op_pay_pool(box: Box, state: State, op: Op, frame: Frame) -> bool:
    """9.11, 14.28: pool dice are spent: so many, or more in total than the difficulty of an obstacle that is named first."""
    if frame.step == 0 and op.price == 1:
        aim = box.ops[frame.op + 1]
        no_options(state)
        for card in range(box.n_obstacles):
            if is_in_play(state, card) and matches(box, card, aim.tags, aim.threat, aim.skill):
                if difficulty(box, state, card) < pool_total(state, op.resource):
                    offer(state, card)
        if n_options(state) == 0:
            frame.left = 1
        return choose_one(state, frame, P.choose_obstacle, int(frame.hero))
    if frame.step == 1:
        frame.target = state.answer + 1
    elif frame.step == 2:
        v = (int(state.answer) - POOL) % FACES + 1
        drop_pool_die(state, op.resource, v)
        frame.todo += 1
        if op.price == 1:
            frame.todo += v - 1
    if is_paid(box, state, op, frame):
        return True
    no_options(state)
    offer_pool(state, op.resource, POOL + op.resource * FACES)
    frame.step = 1
    return choose_one(state, frame, P.choose_die, int(frame.hero))


@rule
def is_paid(box: Box, state: State, op: Op, frame: Frame) -> bool:
    """14.28: is the price of a campaign effect paid? `todo` counts the dice, or adds up their values."""
    if op.price == 1:
        return frame.todo > difficulty(box, state, int(frame.target) - 1)
    due = int(op.count_of)
    if due == SPY_LEVEL:
        due = threat_level(box, state, ESPIONAGE)
    return frame.todo >= due


@operation("trade_two_for_one", tags="dice")
@rule
def op_two_for_one(box: Box, state: State, events: Events, frame: Frame) -> bool:
    """13.5: two dice of one pool go to the supply, one is rolled into the next on the wheel; out of Sorcery into any."""
    if frame.step == 0:
        no_options(state)
        for r in range(RES):
            if pool_size(state, r) >= 2:
                offer_pool(state, r, POOL + r * FACES)
        return choose_one(state, frame, P.choose_die, int(frame.hero))
    if frame.step <= 2:
        code = int(state.answer) - POOL
        r = code // FACES
        frame.chosen = r
        drop_pool_die(state, r, code % FACES + 1)
        no_options(state)
        if frame.step == 1:
            offer_pool(state, r, POOL + r * FACES)
            return choose_one(state, frame, P.choose_die, int(frame.hero))
        if box.wheel[r] < 0:
            for other in range(RES):
                if other != r:
                    offer(state, other)
            return choose_one(state, frame, P.choose_resource, int(frame.hero))
        state.answer = box.wheel[r]
    if take_from_supply(box, state, events, int(state.answer)):
        state.pools[state.answer, die(state, FACES) - 1] += 1
    return True
