"""Operations on dice (guide 13.5, 9.11): assets, pools, action dice, and what is paid with them or with stress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.chance import die
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask
from sutler.games.sixwinters.box import ALL, ANY_NUMBER, CHOICE, FACES, POOL, RES, SLOTS, SPY_LEVEL, TO, WHICH
from sutler.games.sixwinters.cards.vocabulary import BODY, ESPIONAGE, PSYCHE, WHO, operation
from sutler.games.sixwinters.phases_actions_events import E, P
from sutler.games.sixwinters.rules.common import (
    choose_if_several,
    choose_one,
    drop_asset,
    drop_pool_die,
    here,
    heroes_at,
    is_in,
    n_options,
    no_options,
    noted,
    offer,
    offer_pool,
    pool_size,
    roll_action_dice,
    roll_asset,
    seat_for,
    take_from_supply,
    threat_level,
)
from sutler.games.sixwinters.rules.effects.land import find_place, n_matching_at
from sutler.games.sixwinters.rules.heroes import pay_stress
from sutler.games.sixwinters.rules.land import difficulty, is_in_play, is_in_scope, matches, take_die_off
from sutler.games.sixwinters.state import ON_CARDS

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, Frame, Op, State


# --- Assets (guide 1.5) --------------------------------------------------------------------------


@operation("add_asset", needs="resource at", may="count location_tags regions", tags="gains_dice")
@rule
def op_add_asset(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """1.5: assets are rolled here, at each place named, or where players choose."""
    if op.to == TO.here or op.to == TO.choice:
        if not find_place(box, state, op, frame):
            return False
        if state.answer >= 0:
            for _ in range(op.count_of):
                roll_asset(box, state, events, op.resource, int(state.answer))
        return True
    for slot in range(SLOTS):
        location = state.location_at[slot]
        if op.slots >> slot & 1 and (op.places == 0 or box.location[location].tags & op.places != 0):
            for _ in range(op.count_of):
                roll_asset(box, state, events, op.resource, slot)
    return True


@rule
def lowest_asset(box: Box, state: State, op: Op, at: int) -> int:
    """14.55: the lowest value among the assets meant; 0 when there is none."""
    for v in range(FACES):
        for slot in range(SLOTS):
            if is_in_scope(box, op, slot, at):
                for r in range(RES):
                    if op.resources >> r & 1 and state.assets[slot, r, v] > 0:
                        return v + 1
    return 0


@rule
def offer_asset_places(box: Box, state: State, op: Op, at: int, value: int) -> None:
    """13.5: the places that hold an asset meant (of a value, if one is given)."""
    no_options(state)
    for slot in range(SLOTS):
        if is_in_scope(box, op, slot, at):
            for r in range(RES):
                for v in range(FACES):
                    if op.resources >> r & 1 and state.assets[slot, r, v] > 0 and (value == 0 or v + 1 == value):
                        offer(state, slot)


@rule
def offer_assets(state: State, slot: int, resources: int, value: int) -> None:
    """The assets at a place, as sources."""
    no_options(state)
    for r in range(RES):
        for v in range(FACES):
            if resources >> r & 1 and state.assets[slot, r, v] > 0 and (value == 0 or v + 1 == value):
                offer(state, FACES + r * FACES + v)


@operation("remove_assets", needs="scope count", may="resource resources which")
@rule
def op_remove_assets(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """13.5: every asset meant goes to the supply, or as many as said: players choose the place and the die."""
    at = here(state, frame)
    if op.count_of == ALL:
        remove_all(box, state, events, op, at)
        return True
    if frame.step == 2:
        code = int(state.answer) - FACES
        drop_asset(state, events, code // FACES, code % FACES + 1, int(frame.chosen))
        frame.todo += 1
        frame.step = 0
    value = 0
    if op.which == WHICH.lowest:
        value = lowest_asset(box, state, op, at)
    if frame.step == 0:
        offer_asset_places(box, state, op, at, value)
        if frame.todo >= op.count_of or n_options(state) == 0:
            no_options(state)
            return True
        if not choose_if_several(state, frame, P.choose_slot, NOBODY):
            return False
    frame.chosen = state.answer
    offer_assets(state, int(frame.chosen), op.resources, value)
    choose_if_several(state, frame, P.choose_die, NOBODY)
    return False


@rule
def remove_all(box: Box, state: State, events: Events, op: Op, at: int) -> None:
    """13.5: all assets meant go to the supply."""
    for slot in range(SLOTS):
        if is_in_scope(box, op, slot, at):
            for r in range(RES):
                if op.resources >> r & 1:
                    for v in range(FACES):
                        while state.assets[slot, r, v] > 0:
                            drop_asset(state, events, r, v + 1, slot)


@operation("reroll_assets", needs="scope")
@rule
def op_reroll_assets(box: Box, state: State, events: Events, op: Op, frame: Frame) -> None:
    """13.5: every asset meant is rolled again."""
    at = here(state, frame)
    for slot in range(SLOTS):
        if is_in_scope(box, op, slot, at):
            for r in range(RES):
                held = 0
                for v in range(FACES):
                    held += int(state.assets[slot, r, v]) << (4 * v)
                    state.assets[slot, r, v] = 0
                for v in range(FACES):
                    for _ in range(held >> (4 * v) & 15):
                        new = int(die(state, FACES))
                        state.assets[slot, r, new - 1] += 1
                        tell(events, E.asset_rerolled, r * FACES + v, state.location_at[slot], new)


# --- Pools (guide 1.4) -----------------------------------------------------------------------------


@rule
def applies(box: Box, state: State, op: Op, frame: Frame) -> bool:
    """13.5: the condition of an operation on a pool."""
    at = here(state, frame)
    if op.if_tags != 0 and (at < 0 or n_matching_at(box, state, at, op.if_tags) == 0):
        return False
    return op.if_nobody == 0 or at < 0 or heroes_at(state, at) == 0


@operation("pool_remove", needs="resource which", may="count if_obstacle_here if_no_character_here")
@rule
def op_pool_remove(box: Box, state: State, events: Events, op: Op, frame: Frame) -> None:
    """13.5: all dice of a pool, or its lowest or highest, go to the supply."""
    if not applies(box, state, op, frame):
        return
    n = 0
    for k in range(FACES):
        v = k + 1
        if op.which == WHICH.highest:
            v = FACES - k
        while state.pools[op.resource, v - 1] > 0 and (op.which == WHICH.all or n < op.count_of):
            drop_pool_die(state, events, op.resource, v)
            n += 1


@operation("pool_set", needs="resource value")
@rule
def op_pool_set(state: State, events: Events, op: Op) -> None:
    """13.5: every die of a pool is set to a value."""
    n = pool_size(state, op.resource)
    for v in range(FACES):
        state.pools[op.resource, v] = 0
    state.pools[op.resource, op.value - 1] = n
    if n > 0:
        tell(events, E.pool_set, op.resource, op.value)


@rule
def offer_values(state: State) -> None:
    """Any value of a die."""
    no_options(state)
    for v in range(FACES):
        offer(state, v)


@operation("pool_add", needs="resource", may="count value optional")
@rule
def op_pool_add(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """13.5: a die comes into a pool, set as players choose or rolled."""
    if op.value == CHOICE and frame.step == 0:
        if state.in_play[op.resource] >= box.rules.dice_each:
            return True
        offer_values(state)
        state.may_decline = op.optional
        return choose_one(state, frame, P.choose_value, NOBODY)
    for _ in range(op.count_of):
        v = int(state.answer)
        if op.value != CHOICE:
            v = op.value - 1
            if op.value == 0:
                v = die(state, FACES) - 1
        if v >= 0 and take_from_supply(box, state, events, op.resource):
            state.pools[op.resource, v] += 1
            tell(events, E.pool_gained, op.resource * FACES + v)
    return True


@operation("pool_to_assets", needs="resource at", may="count optional")
@rule
def op_pool_to_assets(state: State, events: Events, op: Op, frame: Frame) -> bool:
    """13.5: dice of a pool become assets here, as many as players like, or as said."""
    slot = here(state, frame)
    if slot < 0:
        return True
    if frame.step == 1:
        if state.answer < 0:
            return True
        state.pools[op.resource, state.answer] -= 1
        state.assets[slot, op.resource, state.answer] += 1
        tell(events, E.pool_placed, op.resource * FACES + state.answer, state.location_at[slot])
        frame.todo += 1
    no_options(state)
    offer_pool(state, op.resource, 0)
    if n_options(state) == 0 or (op.count_of < ANY_NUMBER and frame.todo >= op.count_of):
        no_options(state)
        return True
    frame.step = 1
    state.may_decline = max(op.optional, 1 if op.count_of == ANY_NUMBER else 0)
    ask(state, P.choose_value, seat_for(state, int(frame.hero)))
    return False


@operation("pool_to_card", needs="resource which", may="count")
@rule
def op_pool_to_card(state: State, events: Events, op: Op, frame: Frame) -> None:
    """13.5: the lowest die of a pool is laid on the obstacle."""
    for v in range(FACES):
        if state.pools[op.resource, v] > 0 and state.n_on_cards < ON_CARDS and is_in_play(state, frame.obstacle):
            state.pools[op.resource, v] -= 1
            state.die_on[state.n_on_cards] = frame.obstacle
            state.die_is[state.n_on_cards] = op.resource * FACES + v
            state.n_on_cards += 1
            tell(events, E.laid_on, op.resource * FACES + v, frame.obstacle)
            return


@operation("card_dice_to_assets", needs="resource at")
@rule
def op_card_dice(state: State, events: Events, frame: Frame) -> None:
    """13.5: dice on the obstacle become assets here."""
    slot = here(state, frame)
    i = 0
    while i < state.n_on_cards:
        if state.die_on[i] == frame.obstacle and slot >= 0:
            state.assets[slot, state.die_is[i] // FACES, state.die_is[i] % FACES] += 1
            tell(events, E.taken_off, state.die_is[i], frame.obstacle, state.location_at[slot])
            take_die_off(state, i)
        else:
            i += 1


# --- Action dice (guide 5) ----------------------------------------------------------------------


@operation("gain_action_die", needs="who count", tags="gains_dice")
@rule
def op_gain_action_die(state: State, events: Events, op: Op, frame: Frame) -> None:
    """13.5: new action dice are rolled: for this character's seat, or for each player (14.72)."""
    if op.who == WHO.each_player:
        for seat in range(state.n_seats):
            if seat_is_up(state, seat):
                roll_action_dice(state, events, seat, op.count_of, E.dice_gained)
    elif is_in(state, frame.hero):
        roll_action_dice(state, events, int(state.heroes[frame.hero].seat), op.count_of, E.dice_gained)


@rule
def seat_is_up(state: State, seat: int) -> bool:
    """9.3: has this seat a character on its feet?"""
    for h in range(state.n_heroes):
        if state.heroes[h].seat == seat and is_in(state, h):
            return True
    return False


@operation("discard_action_die", needs="who count which")
@rule
def op_discard_action_die(state: State, events: Events, op: Op) -> None:
    """13.5: each player discards the lowest action dice."""
    for seat in range(state.n_seats):
        n = 0
        dice = 0
        for k in range(FACES):
            v = k
            if op.which == WHICH.highest:
                v = FACES - 1 - k
            while state.seats[seat].dice[v] > 0 and n < op.count_of:
                state.seats[seat].dice[v] -= 1
                dice += noted(v + 1)
                n += 1
        if n > 0:
            tell(events, E.dice_lost, seat, dice)


@operation("pay_stress", needs="who", may="psyche body")
@rule
def op_pay_stress(box: Box, state: State, events: Events, op: Op, frame: Frame, f: int) -> bool:
    """9.4: stress as a price."""
    if frame.step == 0:
        frame.step = 1
        pay_stress(box, state, events, int(frame.hero), BODY, int(op.body))
        pay_stress(box, state, events, int(frame.hero), PSYCHE, int(op.psyche))
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


@operation("exchange_assets", needs="pay gain", may="who", tags="changes_dice")
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
def op_pay_pool(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """9.11, 14.28: pool dice are spent: so many, or more in total than the difficulty of an obstacle that is named first."""
    if frame.step == 0 and op.price == 1:
        aim = box.ops[frame.op + 1]
        no_options(state)
        for card in range(box.n_obstacles):
            if is_in_play(state, card) and matches(box, state, card, aim.tags, aim.threat, aim.skill):
                if difficulty(box, state, card) < pool_total(state, op.resource):
                    offer(state, card)
        if n_options(state) == 0:
            frame.left = 1
        return choose_one(state, frame, P.choose_obstacle, int(frame.hero))
    if frame.step == 1:
        frame.target = state.answer + 1
    elif frame.step == 2:
        v = (int(state.answer) - POOL) % FACES + 1
        drop_pool_die(state, events, op.resource, v)
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


@operation("trade_two_for_one")
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
        drop_pool_die(state, events, r, code % FACES + 1)
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
        v = int(die(state, FACES)) - 1
        state.pools[state.answer, v] += 1
        tell(events, E.pool_gained, state.answer * FACES + v)
    return True
