"""Moving from place to place (guide 5.2 to 5.4): what it costs, what bars the way, and paying for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.asking import ask
from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.games.sixwinters.box import FACES, NO_MOVE, POOL, RES
from sutler.games.sixwinters.rules.common import (
    K_MOVE,
    drop_asset,
    drop_pool_die,
    in_force,
    is_in,
    n_dice,
    no_options,
    offer,
    pool_size,
    pop,
    push,
    region_of,
    seat_for,
)
from sutler.games.sixwinters.rules.heroes import arrive, hit
from sutler.games.sixwinters.table import E, P
from sutler.games.sixwinters.vocabulary import BODY, DO, MAGIC_GATE, PORT, PSYCHE, operation

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, State


BY_FOOT, BY_SHIP, BY_GATE, BY_ABILITY = range(4)


# --- What it costs (guide 5.2, 14.54) ----------------------------------------------------------


@rule
def printed_price(box: Box, state: State, here: int, there: int) -> int:
    """5.2: the number on the card for the region; NO_MOVE: there is no way."""
    return int(box.location[state.location_at[here]].move[region_of(box, there)])


@rule
def is_barred_way(box: Box, state: State, here: int, there: int) -> bool:
    """14.69: a no-move place is entered and left only within its region, whatever the way."""
    if region_of(box, here) == region_of(box, there):
        return False
    return printed_price(box, state, here, there) == NO_MOVE or printed_price(box, state, there, here) == NO_MOVE


@operation("leave_cost", needs="extra_action_dice", holds=True)
@rule
def dice_price(box: Box, state: State, here: int, there: int, how: int) -> int:
    """14.54: the way's own price, then what is added for leaving and for entering, then what the weather takes off."""
    price = 0
    if how == BY_FOOT:
        price = printed_price(box, state, here, there)
    elif how == BY_SHIP:
        price = int(box.rules.port_cost)
    region = region_of(box, there)
    extra = 0
    for i in range(state.n_ruled):
        row = state.ruled[i]
        op = box.ops[row.op]
        if op.op == DO.leave_cost and row.slot == here:
            extra += op.extra
        elif op.op == DO.move_cost and (op.region_to < 0 or op.region_to == region):
            if op.from_here == 0:
                extra += op.extra
            elif row.slot == here and op.price > 0 and how == BY_FOOT:
                price = min(price, int(op.price))
    price += extra
    if price > 0 and state.move_change != 0:
        price = max(min(price, state.move_least), price + state.move_change)
    return price


@rule
def pool_price(box: Box, state: State, there: int, r: int) -> int:
    """14.13: dice of a pool that entering a region costs on top."""
    n = 0
    for i in range(state.n_ruled):
        op = box.ops[state.ruled[i].op]
        if op.op == DO.move_cost and op.extra_pool == r and op.from_here == 0:
            if op.region_to < 0 or op.region_to == region_of(box, there):
                n += 1
    return n


@operation("pool_as_action_dice", needs="resource who", holds=True)
@rule
def serves_as_die(box: Box, state: State, r: int, here: int) -> bool:
    """14.57: may dice of this pool be used as action dice by whoever is here?"""
    for i in range(state.n_ruled):
        row = state.ruled[i]
        op = box.ops[row.op]
        if op.op == DO.pool_as_action_dice and op.resource == r and row.slot == here:
            return True
    return False


@rule
def pools_serve(box: Box, state: State) -> bool:
    """14.57: may pool dice be used as action dice anywhere? Almost never, so this is asked before each die is."""
    return in_force(box, state, DO.pool_as_action_dice)


@operation("pool_pays_movement", needs="resource", may="to_region from_region", holds=True)
@rule
def pays_way(box: Box, state: State, r: int, here: int, there: int) -> bool:
    """14.31: may dice of this pool stand for action dice on this way?"""
    for i in range(state.n_ruled):
        op = box.ops[state.ruled[i].op]
        if op.op == DO.pool_pays_movement and op.resource == r:
            if op.region_to == region_of(box, there) or op.region_from == region_of(box, here):
                return True
    return serves_as_die(box, state, r, here)


@rule
def pools_matter(box: Box, state: State) -> bool:
    """Does any card in play ask for pool dice on a way, or let them pay for it?"""
    for i in range(state.n_ruled):
        op = box.ops[state.ruled[i].op]
        if op.op == DO.pool_pays_movement or op.op == DO.pool_as_action_dice:
            return True
        if op.op == DO.move_cost and op.extra_pool >= 0:
            return True
    return False


@rule
def can_afford(box: Box, state: State, h: int, there: int, how: int) -> bool:
    """5.10: enough action dice, or pool dice where they may stand for them; and the pool dice that are asked for."""
    here = int(state.heroes[h].slot)
    price = dice_price(box, state, here, there, how)
    have = n_dice(state, int(state.heroes[h].seat))
    if pools_matter(box, state):
        for r in range(RES):
            due = pool_price(box, state, there, r)
            n = pool_size(state, r)
            if due > n:
                return False
            if have < price and pays_way(box, state, r, here, there):
                have += n - due
    return have >= price


@rule
def icon_at(box: Box, state: State, slot: int) -> int:
    """1.9: the icon of the location at a slot."""
    return int(box.location[state.location_at[slot]].icon)


@rule
def has_way(box: Box, state: State, here: int, there: int, how: int) -> bool:
    """5.3, 5.4: a port or a gate at both ends, where the way needs one."""
    if how == BY_SHIP:
        return icon_at(box, state, here) == PORT and icon_at(box, state, there) == PORT
    if how == BY_GATE:
        return icon_at(box, state, here) == MAGIC_GATE and icon_at(box, state, there) == MAGIC_GATE
    return True


# --- Going (guide 5.2) -------------------------------------------------------------------------


@rule
def set_out(box: Box, state: State, h: int, there: int, how: int) -> None:
    """5.2: a character sets out: first it pays."""
    here = int(state.heroes[h].slot)
    f = push(state, K_MOVE, 0, 1, h)
    state.frames[f].chosen = there
    state.frames[f].detail = how
    state.owed = dice_price(box, state, here, there, how)
    for r in range(RES):
        state.owed_pool[r] = pool_price(box, state, there, r)


@rule
def offer_payment(box: Box, state: State, h: int, there: int) -> None:
    """5.10: the dice that may pay for the way."""
    no_options(state)
    here = int(state.heroes[h].slot)
    seat = int(state.heroes[h].seat)
    for v in range(FACES):
        if state.owed > 0 and state.seats[seat].dice[v] > 0:
            offer(state, v)
        for r in range(RES):
            if state.pools[r, v] > 0:
                spare = state.owed > 0 and pays_way(box, state, r, here, there)
                if state.owed_pool[r] > 0 or (spare and pool_size(state, r) > state.owed_pool[r]):
                    offer(state, POOL + r * FACES + v)


@rule
def is_owing(state: State) -> bool:
    """5.10: is something still to be paid?"""
    for r in range(RES):
        if state.owed_pool[r] > 0:
            return True
    return state.owed > 0


@rule
def pay_for_way(state: State, seat: int, source: int) -> None:
    """5.10: a die is paid; a pool die settles what its pool owes before it stands for an action die."""
    if source < FACES:
        state.seats[seat].dice[source] -= 1
        state.owed -= 1
        return
    r = (source - POOL) // FACES
    drop_pool_die(state, r, (source - POOL) % FACES + 1)
    if state.owed_pool[r] > 0:
        state.owed_pool[r] -= 1
    else:
        state.owed -= 1


@rule
def step_move(box: Box, state: State, events: Events, f: int) -> None:
    """5.2 to 5.4: pay, take the gate's stress, arrive."""
    frame = state.frames[f]
    h, there, how = int(frame.hero), int(frame.chosen), int(frame.detail)
    if not is_in(state, h):
        pop(state)
    elif is_owing(state):
        offer_payment(box, state, h, there)
        ask(state, P.pay, seat_for(state, h))
    elif how == BY_GATE and frame.step < 2:
        if frame.step == 0:
            frame.step = 1
            no_options(state)
            offer(state, PSYCHE)
            offer(state, BODY)
            ask(state, P.choose_track, seat_for(state, h))
        else:
            frame.step = 2
            hit(box, state, events, h, int(state.answer), int(box.rules.gate_stress))
    else:
        pop(state)
        one = state.heroes[h].character
        if how == BY_SHIP:
            tell(events, E.sailed, one, state.location_at[there])
        elif how == BY_GATE:
            tell(events, E.gated, one, state.location_at[there])
        else:
            tell(events, E.moved, one, state.location_at[there])
        arrive(box, state, events, h, there)


@rule
def spend(state: State, events: Events, seat: int, source: int, slot: int) -> None:
    """5.10: a die is spent: an action die, an asset at a place, or a pool die."""
    if source < FACES:
        state.seats[seat].dice[source] -= 1
    elif source < POOL:
        drop_asset(state, events, (source - FACES) // FACES, (source - FACES) % FACES + 1, slot)
    else:
        drop_pool_die(state, (source - POOL) // FACES, (source - POOL) % FACES + 1)
