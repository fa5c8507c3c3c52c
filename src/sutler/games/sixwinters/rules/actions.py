"""The actions step (guide 5.1 to 5.5, 5.8 to 5.10): who acts, moving and paying for it, spending a die, what a location offers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.sixwinters.box import FACES, HEROES, MOMENT, N_REGIONS, NO_MOVE, POOL, RES, SLOTS
from sutler.games.sixwinters.cards.vocabulary import BODY, DO, ICON, PSYCHE, operation
from sutler.games.sixwinters.phases_actions_events import A, E, P, R
from sutler.games.sixwinters.rules.common import (
    KIND,
    drop_asset,
    drop_pool_die,
    in_force,
    is_in,
    n_dice,
    no_options,
    offer,
    on_frame,
    pool_size,
    pop,
    push,
    region_of,
    run_effect,
    seat_for,
)
from sutler.games.sixwinters.rules.effects.land import has_card
from sutler.games.sixwinters.rules.heroes import arrive, pay_stress
from sutler.games.sixwinters.rules.land import is_in_play, matches

if TYPE_CHECKING:
    from sutler.core.typing import Events, Legal
    from sutler.games.sixwinters.records import Box, Effect, Frame, Op, State


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
    return can_afford_beside(box, state, h, there, how, NOBODY)


@rule
def can_afford_beside(box: Box, state: State, h: int, there: int, how: int, source: int) -> bool:
    """5.10, 14.73: can the way be paid when the die `source` is spent already? NOBODY: none is."""
    here = int(state.heroes[h].slot)
    price = dice_price(box, state, here, there, how)
    have = n_dice(state, int(state.heroes[h].seat))
    if 0 <= source < FACES:
        have -= 1
    if pools_matter(box, state):
        for r in range(RES):
            due = pool_price(box, state, there, r)
            n = pool_size(state, r)
            if source >= POOL and (source - POOL) // FACES == r:
                n -= 1
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
        return icon_at(box, state, here) == ICON.port and icon_at(box, state, there) == ICON.port
    if how == BY_GATE:
        return icon_at(box, state, here) == ICON.magic_gate and icon_at(box, state, there) == ICON.magic_gate
    return True


# --- Going (guide 5.2) -------------------------------------------------------------------------


@rule
def set_out(box: Box, state: State, h: int, there: int, how: int) -> None:
    """5.2: a character sets out: first it pays."""
    here = int(state.heroes[h].slot)
    f = push(state, KIND.move, 0, 1, h)
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
def spend_die(state: State, events: Events, seat: int, v: int) -> None:
    """5.10: an unspent action die is spent."""
    state.seats[seat].dice[v] -= 1
    tell(events, E.die_spent, seat, v + 1)


@rule
def pay_for_way(state: State, events: Events, seat: int, source: int) -> None:
    """5.10: a die is paid; a pool die settles what its pool owes before it stands for an action die."""
    if source < FACES:
        spend_die(state, events, seat, source)
        state.owed -= 1
        return
    r = (source - POOL) // FACES
    drop_pool_die(state, events, r, (source - POOL) % FACES + 1)
    if state.owed_pool[r] > 0:
        state.owed_pool[r] -= 1
    else:
        state.owed -= 1


@on_frame("move")
@rule
def step_move(box: Box, state: State, events: Events, frame: Frame) -> None:
    """5.2 to 5.4: pay, take the gate's stress, arrive."""
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
            pay_stress(box, state, events, h, int(state.answer), int(box.rules.gate_stress))
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
        spend_die(state, events, seat, source)
    elif source < POOL:
        drop_asset(state, events, (source - FACES) // FACES, (source - FACES) % FACES + 1, slot)
    else:
        drop_pool_die(state, events, (source - POOL) // FACES, (source - POOL) % FACES + 1)


# --- Who acts (guide 5.1) -----------------------------------------------------------------------


@rule
def acting(state: State, seat: int) -> int:
    """5.1: the character that acts; NOBODY when it is knocked out or another seat's."""
    h = int(state.actor)
    if not is_in(state, h) or state.heroes[h].seat != seat:
        return NOBODY
    return h


@rule
def why_not_step_in(box: Box, state: State, seat: int, h: int) -> int:
    """5.1: any character on its feet may have the word, one after another; when it has gone round somebody must act."""
    if h == state.actor or not is_in(state, h):
        return R.not_there
    if state.n_passes >= HEROES:
        return R.passed_round
    return 0


@rule
def do_step_in(box: Box, state: State, events: Events, seat: int, h: int) -> None:
    """5.1: another character acts; whoever was done is not any more."""
    state.actor = h
    state.n_passes += 1
    tell(events, E.acts, state.heroes[h].character)
    for other in range(state.n_heroes):
        if state.heroes[other].seat == state.heroes[h].seat:
            state.heroes[other].is_done = 0
    go_on(state)


@rule
def why_not_done(box: Box, state: State, seat: int, n: int) -> int:
    """5.9: two dice at most are saved."""
    if n > box.rules.saved_most or n > n_dice(state, seat):
        return R.too_many_saved
    return 0


@rule
def do_done(box: Box, state: State, events: Events, seat: int, n: int) -> None:
    """5.9: the seat is done, and saves so many dice for the next turn."""
    for h in range(state.n_heroes):
        if state.heroes[h].seat == seat:
            state.heroes[h].is_done = 1
            state.heroes[h].saves = n
    tell(events, E.seat_done, seat, n)
    go_on(state)


@rule
def next_actor(state: State) -> int:
    """5.1: the acting character, or the next one that is not done; NOBODY when all are."""
    for k in range(state.n_heroes):
        h = (state.actor + k) % state.n_heroes
        if is_in(state, h) and state.heroes[h].is_done == 0:
            return h
    return NOBODY


# --- Moving (guide 5.2 to 5.4) --------------------------------------------------------------------


@rule
def why_not_go(box: Box, state: State, seat: int, slot: int, how: int) -> int:
    """5.2 to 5.4: another place, with a way there that can be paid."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    at = int(state.heroes[h].slot)
    if at == slot:
        return R.is_here
    if not has_way(box, state, at, slot, how):
        if how == BY_SHIP:
            return R.no_port
        return R.no_gate
    if is_barred_way(box, state, at, slot):
        return R.no_way
    if not can_afford(box, state, h, slot, how):
        return R.no_dice
    return 0


@rule
def allow_ways(box: Box, state: State, seat: int, out: Legal, first: int, how: int) -> None:
    """5.2 to 5.4: whether there is a port or a gate here, and whether pool dice matter, is asked once, not for every place."""
    h = acting(state, seat)
    if h == NOBODY:
        return
    at = int(state.heroes[h].slot)
    if not has_way(box, state, at, at, how):
        return
    have = n_dice(state, seat)
    with_pools = pools_matter(box, state)
    region = NOBODY
    price = 0
    for slot in range(SLOTS):
        if slot != at and has_way(box, state, at, slot, how) and not is_barred_way(box, state, at, slot):
            if with_pools:
                if can_afford(box, state, h, slot, how):
                    allow(out, first + slot)
                continue
            if region_of(box, slot) != region:  # a way's price is the same for all places of a region (14.54)
                region = region_of(box, slot)
                price = dice_price(box, state, at, slot, how)
            if have >= price:
                allow(out, first + slot)


@rule
def why_not_move(box: Box, state: State, seat: int, slot: int) -> int:
    """5.2: on foot, for the number of action dice on the card."""
    return why_not_go(box, state, seat, slot, BY_FOOT)


@rule
def allow_move(box: Box, state: State, seat: int, out: Legal) -> None:
    """As above."""
    allow_ways(box, state, seat, out, A.move, BY_FOOT)


@rule
def do_move(box: Box, state: State, events: Events, seat: int, slot: int) -> None:
    """5.2: pay and go."""
    set_out(box, state, int(state.actor), slot, BY_FOOT)
    go_on(state)


@rule
def why_not_port(box: Box, state: State, seat: int, slot: int) -> int:
    """5.3: from port to port."""
    return why_not_go(box, state, seat, slot, BY_SHIP)


@rule
def allow_port(box: Box, state: State, seat: int, out: Legal) -> None:
    """As above."""
    allow_ways(box, state, seat, out, A.port, BY_SHIP)


@rule
def do_port(box: Box, state: State, events: Events, seat: int, slot: int) -> None:
    """5.3: pay and sail."""
    set_out(box, state, int(state.actor), slot, BY_SHIP)
    go_on(state)


@rule
def why_not_gate(box: Box, state: State, seat: int, slot: int) -> int:
    """5.4: from magic gate to magic gate."""
    return why_not_go(box, state, seat, slot, BY_GATE)


@rule
def allow_gate(box: Box, state: State, seat: int, out: Legal) -> None:
    """As above."""
    allow_ways(box, state, seat, out, A.gate, BY_GATE)


@rule
def do_gate(box: Box, state: State, events: Events, seat: int, slot: int) -> None:
    """5.4: through the gate, for a point of stress."""
    set_out(box, state, int(state.actor), slot, BY_GATE)
    go_on(state)


# --- Spending an action die (guide 5.10) --------------------------------------------------------


@rule
def why_not_spend(box: Box, state: State, h: int, one: int) -> int:
    """5.10: an unspent action die of this value, or a pool die that may be used as one here."""
    if one < FACES:
        if state.seats[state.heroes[h].seat].dice[one] == 0:
            return R.no_die
        return 0
    r = (one - FACES) // FACES
    if state.pools[r, (one - FACES) % FACES] == 0 or not serves_as_die(box, state, r, int(state.heroes[h].slot)):
        return R.no_die
    return 0


@rule
def why_not_act(box: Box, state: State, seat: int, one: int) -> int:
    """5.1, 5.10: a character that acts, and a die that it may spend."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    return why_not_spend(box, state, h, one)


@rule
def source_of(one: int) -> int:
    """The source of what is spent as an action die."""
    if one < FACES:
        return one
    return one - FACES + POOL


# --- Location effects (guide 5.5, 5.8) ------------------------------------------------------------


@rule
def is_of_use(box: Box, state: State, effect: Effect, h: int) -> bool:
    """14.73: would an effect find what it needs?"""
    if effect.n == 0:
        return False
    for i in range(effect.first, effect.first + effect.n):
        op = box.ops[i]
        if op.op == DO.move_obstacle and not has_target(box, state, op, h):
            return False
        if op.op == DO.shift_stress:
            one = state.heroes[h]
            if one.stress[op.track] <= 1 or one.stress[op.track_to] >= FACES:
                return False
        if op.op == DO.discard_deck_top or op.op == DO.discard_top_to_deck_top:
            found = False
            for region in range(N_REGIONS):
                if op.deck == region or op.deck == N_REGIONS:
                    found = found or has_card(state, region, op.look == 0)
            if not found:
                return False
    return True


@rule
def has_target(box: Box, state: State, op: Op, h: int) -> bool:
    """14.51: is there an obstacle to move, other than one that is here already and would stay?"""
    for card in range(box.n_obstacles):
        if is_in_play(state, card) and matches(box, state, card, op.tags, op.threat, op.skill):
            if op.slots != 0 or state.obstacle_at[card] != state.heroes[h].slot:
                return True
    return False


@rule
def why_not_use_location(box: Box, state: State, seat: int, one: int) -> int:
    """5.5: the text with the die cube on the location, for one action die of any value."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    if not is_of_use(box, state, box.location[state.location_at[state.heroes[h].slot]].effect[MOMENT.action], h):
        return R.no_effect
    return why_not_spend(box, state, h, one)


@rule
def allow_use_location(box: Box, state: State, seat: int, out: Legal) -> None:
    """5.5: what the text needs is looked for once, not for every die."""
    h = acting(state, seat)
    if h == NOBODY:
        return
    if is_of_use(box, state, box.location[state.location_at[state.heroes[h].slot]].effect[MOMENT.action], h):
        allow_spending(box, state, h, out, A.use_location)


@rule
def allow_action_dice(state: State, h: int, out: Legal, first: int, least: int) -> None:
    """5.10: the unspent action dice of at least this value."""
    dice = state.seats[state.heroes[h].seat].dice
    for v in range(least - 1, FACES):
        if dice[v] > 0:
            allow(out, first + v)


@rule
def allow_spending(box: Box, state: State, h: int, out: Legal, first: int) -> None:
    """5.10: the dice that may be spent as action dice here."""
    allow_action_dice(state, h, out, first, 1)
    if not pools_serve(box, state):
        return
    for r in range(RES):
        if serves_as_die(box, state, r, int(state.heroes[h].slot)):
            for v in range(FACES):
                if state.pools[r, v] > 0:
                    allow(out, first + FACES + r * FACES + v)


@rule
def do_use_location(box: Box, state: State, events: Events, seat: int, one: int) -> None:
    """5.5: the die is spent, the text applies."""
    h = int(state.actor)
    slot = int(state.heroes[h].slot)
    tell(events, E.location_used, state.heroes[h].character, state.location_at[slot])
    spend(state, events, seat, source_of(one), slot)
    run_effect(state, box.location[state.location_at[slot]].effect[MOMENT.action], h, slot, NOBODY)
    go_on(state)


@rule
def why_not_free_effect(box: Box, state: State, seat: int) -> int:
    """5.8: a location's text that costs no action die."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    if not is_of_use(box, state, box.location[state.location_at[state.heroes[h].slot]].effect[MOMENT.free], h):
        return R.no_effect
    return 0


@rule
def do_free_effect(box: Box, state: State, events: Events, seat: int) -> None:
    """5.8: the text applies."""
    h = int(state.actor)
    slot = int(state.heroes[h].slot)
    tell(events, E.location_free, state.heroes[h].character, state.location_at[slot])
    run_effect(state, box.location[state.location_at[slot]].effect[MOMENT.free], h, slot, NOBODY)
    state.n_passes = 0
    go_on(state)
