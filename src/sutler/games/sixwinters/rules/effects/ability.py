"""Operations of characters' abilities (guide 9.4, 13.6): they speak of the die that was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import remove
from sutler.core.chance import die
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask
from sutler.games.sixwinters.box import FACES, POOL, RES, SLOTS, STAGED_OBSTACLES
from sutler.games.sixwinters.cards.vocabulary import WHO, operation
from sutler.games.sixwinters.phases_actions_events import E, P, R
from sutler.games.sixwinters.rules.actions import BY_ABILITY, can_afford, is_barred_way, set_out
from sutler.games.sixwinters.rules.common import (
    advance,
    answered,
    choose_if_several,
    choose_one,
    drop_pool_die,
    is_in,
    no_options,
    offer,
    offer_pool,
    seat_for,
    set_asset,
    take_from_supply,
)
from sutler.games.sixwinters.rules.effects.land import offer_places
from sutler.games.sixwinters.rules.heroes import arrive

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, Frame, Op, State


OWN_DICE, ASSETS_HERE = 0, 1


# --- The die that was paid (guide 9.4) -------------------------------------------------------


@rule
def paid_value(frame: Frame) -> int:
    """The value of the die that was paid."""
    return int(frame.paid) % FACES + 1


@rule
def paid_resource(frame: Frame) -> int:
    """The resource of the asset that was paid; NOBODY for an action die."""
    if frame.paid < FACES:
        return NOBODY
    return (int(frame.paid) - FACES) // FACES


@rule
def gain_same(box: Box, state: State, events: Events, frame: Frame, v: int) -> None:
    """9.4: a die of the same kind as the one paid, showing v: an action die, or an asset of its resource here."""
    r = paid_resource(frame)
    if r == NOBODY:
        state.seats[state.heroes[frame.hero].seat].dice[v - 1] += 1
        tell(events, E.die_gained, state.heroes[frame.hero].character, v)
    else:
        set_asset(box, state, events, r, v, int(frame.slot))


@operation("convert", needs="to", tags="ability changes_dice")
@rule
def op_convert(box: Box, state: State, events: Events, op: Op, frame: Frame) -> None:
    """9.4: the die becomes the dice shown."""
    for i in range(FACES):
        if op.faces[i] > 0:
            gain_same(box, state, events, frame, int(op.faces[i]))


@operation("shift", needs="by", tags="ability changes_dice")
@rule
def op_shift(box: Box, state: State, events: Events, op: Op, frame: Frame) -> None:
    """9.4: a die so much higher or lower."""
    gain_same(box, state, events, frame, paid_value(frame) + int(op.by))


@operation("flip", tags="ability changes_dice")
@rule
def op_flip(box: Box, state: State, events: Events, frame: Frame) -> None:
    """9.4: the opposite face."""
    gain_same(box, state, events, frame, FACES + 1 - paid_value(frame))


@operation("split", needs="kind", tags="ability gains_dice")
@rule
def op_split(box: Box, state: State, events: Events, frame: Frame) -> bool:
    """9.4: two dice whose values add up to the one paid."""
    v = paid_value(frame)
    if frame.step == 0:
        no_options(state)
        for part in range(1, v // 2 + 1):
            offer(state, part - 1)
        if not choose_if_several(state, frame, P.choose_value, int(frame.hero)):
            return False
    gain_same(box, state, events, frame, int(state.answer) + 1)
    gain_same(box, state, events, frame, v - int(state.answer) - 1)
    return True


@operation("change_asset", needs="to value", tags="ability changes_dice")
@rule
def op_change_asset(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """9.4: an asset of the resource named, or of any, with the same value."""
    if frame.step == 0:
        no_options(state)
        for r in range(RES):
            if op.resources >> r & 1 and state.in_play[r] < box.rules.dice_each:
                offer(state, r)
        if not choose_if_several(state, frame, P.choose_resource, int(frame.hero)):
            return False
    if state.answer >= 0:
        set_asset(box, state, events, int(state.answer), paid_value(frame), int(frame.slot))
    return True


@operation("pool_to_action_die", needs="resource", may="value", tags="ability")
@rule
def op_pool_to_action_die(state: State, events: Events, op: Op, frame: Frame) -> bool:
    """9.4: a die of the pool goes to the supply, and an action die shows its value."""
    if frame.step == 0:
        no_options(state)
        offer_pool(state, op.resource, 0)
        if not choose_if_several(state, frame, P.choose_value, int(frame.hero)):
            return False
    if state.answer >= 0:
        drop_pool_die(state, events, op.resource, int(state.answer) + 1)
        state.seats[state.heroes[frame.hero].seat].dice[state.answer] += 1
        tell(events, E.die_gained, state.heroes[frame.hero].character, state.answer + 1)
    return True


# --- Rolling (guide 9.4) ----------------------------------------------------------------------


@rule
def n_in_pool(state: State, frame: Frame, pool: int) -> int:
    """9.4: how many dice lie in one of a character's two pools: its unspent action dice, the assets here."""
    n = 0
    for v in range(FACES):
        if pool == OWN_DICE:
            n += state.seats[state.heroes[frame.hero].seat].dice[v]
        else:
            for r in range(RES):
                n += state.assets[frame.slot, r, v]
    return n


@rule
def find_pool(box: Box, state: State, op: Op, frame: Frame) -> bool:
    """9.4: which of the two pools. False while players choose; `frame.chosen` then is it, NOBODY if both are empty."""
    if frame.step == 0:
        no_options(state)
        for pool in range(2):
            if op.pools >> pool & 1 and n_in_pool(state, frame, pool) > 0:
                offer(state, pool)
        if not choose_if_several(state, frame, P.choose_pool, int(frame.hero)):
            return False
    if frame.step == 1:
        frame.chosen = state.answer
        frame.step = 2
    return True


@operation("reroll", needs="pools", tags="ability")
@rule
def op_reroll(box: Box, state: State, events: Events, op: Op, frame: Frame, f: int) -> bool:
    """9.4: any dice of one pool are rolled again, players choose which."""
    if not find_pool(box, state, op, frame):
        return False
    if frame.chosen < 0:
        return True
    if frame.step == 2:
        frame.step = 3
        state.picked = f
        ask(state, P.reroll, seat_for(state, int(frame.hero)))
        return False
    seat = int(state.heroes[frame.hero].seat)
    for source in range(POOL):
        for _ in range(state.chosen[source]):
            v = die(state, FACES) - 1
            tell(events, E.die_rerolled, state.heroes[frame.hero].character, source, v + 1)
            if source < FACES:
                state.seats[seat].dice[v] += 1
            else:
                state.assets[frame.slot, (source - FACES) // FACES, v] += 1
        state.chosen[source] = 0
    state.picked = 0
    return True


@rule
def why_not_reroll_die(box: Box, state: State, seat: int, source: int) -> int:
    """9.4: a die of the pool chosen."""
    frame = state.frames[state.picked]
    if source < FACES:
        if frame.chosen != OWN_DICE or state.seats[seat].dice[source] == 0:
            return R.no_die
    else:
        code = source - FACES
        if frame.chosen != ASSETS_HERE or frame.slot < 0 or state.assets[frame.slot, code // FACES, code % FACES] == 0:
            return R.no_die
    return 0


@rule
def do_reroll_die(box: Box, state: State, events: Events, seat: int, source: int) -> None:
    """9.4: the die is taken in hand."""
    frame = state.frames[state.picked]
    if source < FACES:
        state.seats[seat].dice[source] -= 1
    else:
        code = source - FACES
        state.assets[frame.slot, code // FACES, code % FACES] -= 1
    state.chosen[source] += 1
    tell(events, E.taken_up, state.heroes[frame.hero].character, source)


@rule
def why_not_roll_now(box: Box, state: State, seat: int) -> int:
    """9.4: at least one die."""
    for source in range(POOL):
        if state.chosen[source] > 0:
            return 0
    return R.choose_some


@rule
def do_roll_now(box: Box, state: State, events: Events, seat: int) -> None:
    """9.4: the dice in hand are rolled."""
    answered(state, 0)


@operation("explode", needs="value pools", tags="ability gains_dice")
@rule
def op_explode(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """9.4: for each die of the value in one pool one more of its kind is rolled into it, and again for each new one."""
    if not find_pool(box, state, op, frame):
        return False
    if frame.chosen == OWN_DICE:
        seat = int(state.heroes[frame.hero].seat)
        due = int(state.seats[seat].dice[op.value - 1])
        while due > 0:
            due -= 1
            v = die(state, FACES)
            state.seats[seat].dice[v - 1] += 1
            tell(events, E.die_gained, state.heroes[frame.hero].character, v)
            if v == op.value:
                due += 1
    elif frame.chosen == ASSETS_HERE:
        for r in range(RES):
            due = int(state.assets[frame.slot, r, op.value - 1])
            while due > 0 and take_from_supply(box, state, events, r):
                due -= 1
                v = die(state, FACES)
                state.assets[frame.slot, r, v - 1] += 1
                tell(events, E.asset_added, r * FACES + v - 1, state.location_at[frame.slot])
                if v == op.value:
                    due += 1
    return True


# --- Moving and staging --------------------------------------------------------------------


@operation("move_character", needs="who to")
@rule
def op_move_character(box: Box, state: State, events: Events, op: Op, frame: Frame, f: int) -> bool:
    """9.4: the character goes to one of the places named, or another one comes to it."""
    if op.who == WHO.other:
        return fetch_character(state, box, events, frame)
    if not is_in(state, frame.hero):
        return True
    if frame.step == 0:
        offer_ways(box, state, op, frame)
        if not choose_if_several(state, frame, P.choose_slot, int(frame.hero)):
            return False
    if state.answer >= 0:
        there = int(state.answer)
        hero = int(frame.hero)
        advance(state, f)
        set_out(box, state, hero, there, BY_ABILITY)
        return False
    return True


@rule
def offer_ways(box: Box, state: State, op: Op, frame: Frame) -> None:
    """9.4, 14.54, 14.69: the places named, but where it is, where there is no way, and where it cannot pay the way out."""
    offer_places(box, state, op, frame)
    h = int(frame.hero)
    at = int(state.heroes[h].slot)
    for slot in range(SLOTS):
        if slot == at or is_barred_way(box, state, at, slot) or not can_afford(box, state, h, slot, BY_ABILITY):
            remove(state.options, slot)


@rule
def fetch_character(state: State, box: Box, events: Events, frame: Frame) -> bool:
    """9.4: another character comes here; a card moves it, so nothing bars the way (14.69)."""
    if frame.step == 0:
        no_options(state)
        for h in range(state.n_heroes):
            if h != frame.hero and is_in(state, h) and state.heroes[h].slot != frame.slot:
                offer(state, h)
        if not choose_if_several(state, frame, P.choose_hero, int(frame.hero)):
            return False
    if state.answer >= 0:
        tell(events, E.moved, state.heroes[state.answer].character, state.location_at[frame.slot])
        arrive(box, state, events, int(state.answer), int(frame.slot))
    return True


@operation("rearrange_staging", may="optional")
@rule
def op_rearrange(state: State, events: Events, op: Op, frame: Frame) -> bool:
    """9.4: the four staged cards in any order: 24 of them, counted from the present one."""
    if frame.step == 0:
        no_options(state)
        for k in range(24):
            offer(state, k)
        state.may_decline = op.optional
        return choose_one(state, frame, P.choose_order, int(frame.hero))
    if state.answer >= 0:
        permute(state, int(state.answer))
        for i in range(STAGED_OBSTACLES):
            if state.staged[i] >= 0:
                tell(events, E.rearranged, state.staged[i], i + 1)
    return True


@rule
def permute(state: State, k: int) -> None:
    """9.4: the k-th order: the card for each place is one of those not yet laid."""
    for at in range(STAGED_OBSTACLES - 1):
        n = 1
        for left in range(2, STAGED_OBSTACLES - at):
            n *= left
        j = at + k // n
        k %= n
        held = state.staged[j]
        for i in range(j, at, -1):
            state.staged[i] = state.staged[i - 1]
        state.staged[at] = held
