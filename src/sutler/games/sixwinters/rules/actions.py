"""The actions step (guide 5): who acts, location actions, creating, trading, and being done."""

from __future__ import annotations

from sutler.core.bits import allow
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import ACTION, FACES, FREE, HEROES, N_REGIONS, RES
from sutler.games.sixwinters.rules.common import (
    K_CREATE,
    K_TRADE,
    ability_op,
    ask,
    go_on,
    has_ability,
    in_force,
    is_in,
    n_dice,
    pool_size,
    pop,
    push,
    rank,
    region_of,
    run_effect,
    seat_for,
)
from sutler.games.sixwinters.rules.effects_land import has_card
from sutler.games.sixwinters.rules.heroes import hit
from sutler.games.sixwinters.rules.land import is_in_play, matches
from sutler.games.sixwinters.rules.movement import (
    BY_FOOT,
    BY_GATE,
    BY_SHIP,
    POOL,
    can_afford,
    has_way,
    icon_at,
    is_barred_way,
    serves_as_die,
    set_out,
    spend,
)
from sutler.games.sixwinters.table import A, E, P, R
from sutler.games.sixwinters.vocabulary import BODY, DO, PSYCHE, SKILL_ICON, STRESS_ICON

MOST_STASHING = 6  # how often a slot is used in a turn: enough for any purpose, and never without end


# --- Who acts (guide 5.1) -----------------------------------------------------------------------


@rule
def acting(state, seat):
    """5.1: the character that acts; NOBODY when it is knocked out or another seat's."""
    h = int(state.actor)
    if not is_in(state, h) or state.heroes[h].seat != seat:
        return NOBODY
    return h


@rule
def why_not_step_in(box, state, seat, h):
    """5.1: any character on its feet may have the word, one after another; when it has gone round somebody must act."""
    if h == state.actor or not is_in(state, h):
        return R.not_there
    if state.n_passes >= HEROES:
        return R.passed_round
    return 0


@rule
def do_step_in(box, state, events, seat, h):
    """5.1: another character acts; whoever was done is not any more."""
    state.actor = h
    state.n_passes += 1
    for other in range(state.n_heroes):
        if state.heroes[other].seat == state.heroes[h].seat:
            state.heroes[other].is_done = 0
    go_on(state)


@rule
def why_not_done(box, state, seat, n):
    """5.9: two dice at most are saved."""
    if n > box.rules.saved_most or n > n_dice(state, seat):
        return R.too_many_saved
    return 0


@rule
def do_done(box, state, events, seat, n):
    """5.9: the seat is done, and saves so many dice for the next turn."""
    for h in range(state.n_heroes):
        if state.heroes[h].seat == seat:
            state.heroes[h].is_done = 1
            state.heroes[h].saves = n
    go_on(state)


@rule
def next_actor(state):
    """5.1: the acting character, or the next one that is not done; NOBODY when all are."""
    for k in range(state.n_heroes):
        h = (state.actor + k) % state.n_heroes
        if is_in(state, h) and state.heroes[h].is_done == 0:
            return h
    return NOBODY


# --- Moving (guide 5.2 to 5.4) --------------------------------------------------------------------


@rule
def why_not_go(box, state, seat, slot, how):
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
def why_not_move(box, state, seat, slot):
    """5.2: on foot, for the number of action dice on the card."""
    return why_not_go(box, state, seat, slot, BY_FOOT)


@rule
def do_move(box, state, events, seat, slot):
    """5.2: pay and go."""
    set_out(box, state, int(state.actor), slot, BY_FOOT)
    go_on(state)


@rule
def why_not_port(box, state, seat, slot):
    """5.3: from port to port."""
    return why_not_go(box, state, seat, slot, BY_SHIP)


@rule
def do_port(box, state, events, seat, slot):
    """5.3: pay and sail."""
    set_out(box, state, int(state.actor), slot, BY_SHIP)
    go_on(state)


@rule
def why_not_gate(box, state, seat, slot):
    """5.4: from magic gate to magic gate."""
    return why_not_go(box, state, seat, slot, BY_GATE)


@rule
def do_gate(box, state, events, seat, slot):
    """5.4: through the gate, for a point of stress."""
    set_out(box, state, int(state.actor), slot, BY_GATE)
    go_on(state)


# --- Spending an action die (guide 5.10) --------------------------------------------------------


@rule
def why_not_spend(box, state, h, one):
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
def source_of(one):
    """The source of what is spent as an action die."""
    if one < FACES:
        return one
    return one - FACES + POOL


# --- Location effects (guide 5.5, 5.8) ------------------------------------------------------------


@rule
def is_of_use(box, state, effect, h):
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
def has_target(box, state, op, h):
    """14.51: is there an obstacle to move, other than one that is here already and would stay?"""
    for card in range(box.n_obstacles):
        if is_in_play(state, card) and matches(box, card, op.tags, op.threat, op.skill):
            if op.slots != 0 or state.obstacle_at[card] != state.heroes[h].slot:
                return True
    return False


@rule
def why_not_use_location(box, state, seat, one):
    """5.5: the text with the die cube on the location, for one action die of any value."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    if not is_of_use(box, state, box.location[state.location_at[state.heroes[h].slot]].effect[ACTION], h):
        return R.no_effect
    return why_not_spend(box, state, h, one)


@rule
def allow_use_location(box, state, seat, out):
    """5.5: what the text needs is looked for once, not for every die."""
    h = acting(state, seat)
    if h == NOBODY:
        return
    if is_of_use(box, state, box.location[state.location_at[state.heroes[h].slot]].effect[ACTION], h):
        allow_spending(box, state, h, out, A.use_location)


@rule
def allow_spending(box, state, h, out, first):
    """5.10: the dice that may be spent as action dice here."""
    dice = state.seats[state.heroes[h].seat].dice
    for v in range(FACES):
        if dice[v] > 0:
            allow(out, first + v)
    for r in range(RES):
        if serves_as_die(box, state, r, int(state.heroes[h].slot)):
            for v in range(FACES):
                if state.pools[r, v] > 0:
                    allow(out, first + FACES + r * FACES + v)


@rule
def do_use_location(box, state, events, seat, one):
    """5.5: the die is spent, the text applies."""
    h = int(state.actor)
    slot = int(state.heroes[h].slot)
    spend(state, events, seat, source_of(one), slot)
    run_effect(state, box.location[state.location_at[slot]].effect[ACTION], h, slot, NOBODY)
    go_on(state)


@rule
def why_not_free_effect(box, state, seat):
    """5.8: a location's text that costs no action die."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    if not is_of_use(box, state, box.location[state.location_at[state.heroes[h].slot]].effect[FREE], h):
        return R.no_effect
    return 0


@rule
def do_free_effect(box, state, events, seat):
    """5.8: the text applies."""
    h = int(state.actor)
    slot = int(state.heroes[h].slot)
    run_effect(state, box.location[state.location_at[slot]].effect[FREE], h, slot, NOBODY)
    state.n_passes = 0
    go_on(state)


# --- Creating assets (guide 5.6) -----------------------------------------------------------------


@rule
def is_forbidden(box, state, r, slot):
    """8.9: does a scheme forbid creating assets of this resource here?"""
    for i in range(state.n_ruled):
        op = box.ops[state.ruled[i].op]
        if op.op == DO.forbid_create_asset and op.resource == r:
            if op.region < 0 or op.region == region_of(box, slot):
                return True
    return False


@rule
def lowest_in_pool(state, r, spent):
    """The lowest value in a pool, less the pool die that is being spent (if one is); above any die when it is empty."""
    for v in range(FACES):
        n = int(state.pools[r, v])
        if spent == FACES + r * FACES + v:
            n -= 1
        if n > 0:
            return v + 1
    return FACES + 1


@rule
def why_not_create(box, state, seat, one):
    """5.6: the slot's pool has a die that is not higher than the action die."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    reason = why_not_spend(box, state, h, one)
    if reason != 0:
        return reason
    slot = int(state.heroes[h].slot)
    r = int(box.place[slot].resource)
    if is_forbidden(box, state, r, slot):
        return R.forbidden
    if lowest_in_pool(state, r, one) > one % FACES + 1:
        return R.pool_empty
    return 0


@rule
def allow_create(box, state, seat, out):
    """5.6: the pool is looked at once; a pool die that is spent itself is asked for by itself."""
    h = acting(state, seat)
    if h == NOBODY:
        return
    slot = int(state.heroes[h].slot)
    here = int(box.place[slot].resource)
    if is_forbidden(box, state, here, slot):
        return
    for v in range(lowest_in_pool(state, here, NOBODY) - 1, FACES):
        if state.seats[state.heroes[h].seat].dice[v] > 0:
            allow(out, A.create + v)
    for r in range(RES):
        if serves_as_die(box, state, r, slot):
            for v in range(FACES):
                one = FACES + r * FACES + v
                if state.pools[r, v] > 0 and lowest_in_pool(state, here, one) <= v + 1:
                    allow(out, A.create + one)


@rule
def do_create(box, state, events, seat, one):
    """5.6: the die is spent; then dice are taken from the pool."""
    h = int(state.actor)
    spend(state, events, seat, source_of(one), NOBODY)
    begin_creating(state, h, one % FACES + 1)


@rule
def begin_creating(state, h, value):
    """5.6: dice up to this value may be taken."""
    f = push(state, K_CREATE, 0, 1, h)
    state.frames[f].slot = state.heroes[h].slot
    state.frames[f].a = value
    go_on(state)


@rule
def why_not_create_by_stress(box, state, seat):
    """5.6, 14.48: at a place with a stress icon stress is taken instead of an action die; any value may be taken."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    slot = int(state.heroes[h].slot)
    if icon_at(box, state, slot) != STRESS_ICON:
        return R.no_stress_icon
    r = int(box.place[slot].resource)
    if is_forbidden(box, state, r, slot):
        return R.forbidden
    if pool_size(state, r) == 0:
        return R.pool_empty
    return 0


@rule
def do_create_by_stress(box, state, events, seat):
    """5.6: the stress is taken, then a die."""
    h = int(state.actor)
    icon = box.location[state.location_at[state.heroes[h].slot]]
    begin_creating(state, h, FACES)
    hit(box, state, events, h, int(icon.icon_of), int(icon.icon_n))


@rule
def most_at_once(box, state, h, slot):
    """14.47: how many dice one action die moves: one, or up to the rank of the skill icon."""
    one = box.location[state.location_at[slot]]
    if one.icon == SKILL_ICON:
        return max(1, rank(state, h, one.icon_of))
    return 1


@rule
def step_create(box, state, events, f):
    """5.6, 14.49: stress that creating costs here, then the dice, as long as more may be taken."""
    frame = state.frames[f]
    h, slot = int(frame.hero), int(frame.slot)
    if frame.step == 0:
        frame.step = 1
        state.n_taken = 0
        for i in range(state.n_ruled):
            row = state.ruled[i]
            op = box.ops[row.op]
            if op.op == DO.create_asset_stress and row.slot == slot:
                hit(box, state, events, h, BODY, int(op.body))
                hit(box, state, events, h, PSYCHE, int(op.psyche))
        return
    left = most_at_once(box, state, h, slot) - state.n_taken if is_in(state, h) else 0
    if frame.step == 2 or left <= 0 or lowest_in_pool(state, box.place[slot].resource, NOBODY) > frame.a:
        state.n_taken = 0
        state.picked = 0
        pop(state)
        return
    state.picked = frame.a
    ask(state, P.create, seat_for(state, h))


@rule
def why_not_take_die(box, state, seat, v):
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
def create_one(box, state, events, v):
    """5.6: a die goes from the pool to the place: it is an asset now."""
    slot = int(state.heroes[state.actor].slot)
    r = int(box.place[slot].resource)
    state.pools[r, v] -= 1
    state.assets[slot, r, v] += 1
    state.n_taken += 1
    tell(events, E.created, state.heroes[state.actor].character, r * FACES + v, state.location_at[slot])


@rule
def do_take_die(box, state, events, seat, v):
    """5.6: one die."""
    create_one(box, state, events, v)
    go_on(state)


@rule
def why_not_take_all(box, state, seat):
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
def do_take_all(box, state, events, seat):
    """5.6: all dice of the value at once."""
    v = int(state.picked) - 1
    r = int(box.place[state.heroes[state.actor].slot].resource)
    while state.pools[r, v] > 0:
        create_one(box, state, events, v)
    state.frames[state.n_frames - 1].step = 2
    go_on(state)


@rule
def why_not_stop(box, state, seat):
    """5.6, 5.7: enough, once one die has been moved."""
    if state.n_taken == 0:
        return R.take_one
    return 0


@rule
def do_stop(box, state, events, seat):
    """5.6, 5.7: no more dice."""
    state.frames[state.n_frames - 1].step = 2
    go_on(state)


# --- Trading (guide 5.7) --------------------------------------------------------------------------


@rule
def trades_into(box, state, r, into):
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
def may_trade(box, state, slot, most, spent):
    """5.7: is there a die, not higher than that and not the one being spent, which can go into or out of the slot's pool?"""
    here = int(box.place[slot].resource)
    for r in range(RES):
        for into in range(RES):
            if r == here or into == here:
                if lowest_in_pool(state, r, spent) <= most and trades_into(box, state, r, into):
                    return True
    return False


@rule
def lowest_to_trade(box, state, slot):
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
def why_not_trade(box, state, seat, one):
    """5.7: an action die, and a pool die that it can move."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    reason = why_not_spend(box, state, h, one)
    if reason != 0:
        return reason
    if not may_trade(box, state, int(state.heroes[h].slot), one % FACES + 1, one):
        return R.wrong_way
    return 0


@rule
def allow_trade(box, state, seat, out):
    """5.7: the lowest die that can go anywhere is looked for once; a pool die that is spent itself is asked for by itself."""
    h = acting(state, seat)
    if h == NOBODY:
        return
    slot = int(state.heroes[h].slot)
    for v in range(lowest_to_trade(box, state, slot) - 1, FACES):
        if state.seats[state.heroes[h].seat].dice[v] > 0:
            allow(out, A.trade + v)
    for r in range(RES):
        if serves_as_die(box, state, r, slot):
            for v in range(FACES):
                one = FACES + r * FACES + v
                if state.pools[r, v] > 0 and may_trade(box, state, slot, v + 1, one):
                    allow(out, A.trade + one)


@rule
def do_trade(box, state, events, seat, one):
    """5.7: the die is spent; then dice go along the wheel."""
    h = int(state.actor)
    spend(state, events, seat, source_of(one), NOBODY)
    f = push(state, K_TRADE, 0, 1, h)
    state.frames[f].slot = state.heroes[h].slot
    state.frames[f].a = one % FACES + 1
    go_on(state)


@rule
def step_trade(box, state, events, f):
    """5.7, 14.47: one die, or with a skill icon as many as the rank."""
    frame = state.frames[f]
    slot = int(frame.slot)
    most = 1
    if box.options.skill_icon == 0:
        most = most_at_once(box, state, int(frame.hero), slot)
    if frame.step == 2 or state.n_taken >= most or not may_trade(box, state, slot, int(frame.a), NOBODY):
        state.n_taken = 0
        state.picked = 0
        pop(state)
        return
    state.picked = frame.a
    ask(state, P.trade, seat_for(state, int(frame.hero)))


@rule
def why_not_trade_die(box, state, seat, r, v, into):
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
def do_trade_die(box, state, events, seat, r, v, into):
    """5.7: the die changes its kind and keeps its value."""
    state.pools[r, v] -= 1
    state.in_play[r] -= 1
    state.pools[into, v] += 1
    state.in_play[into] += 1
    state.n_taken += 1
    tell(events, E.traded, state.heroes[state.actor].character, r * FACES + v, into)
    go_on(state)


# --- The slot on a mat (guide 9.9) ------------------------------------------------------------------


@rule
def why_not_slot(box, state, seat, k):
    """9.9: an ability that is a slot."""
    h = acting(state, seat)
    if h == NOBODY:
        return R.is_out
    if not has_ability(box, state, h, k) or ability_op(box, state, h, k) != DO.stash or box.options.stash == 0:
        return R.no_ability
    if state.heroes[h].stashed[k] >= MOST_STASHING:
        return R.enough_stashing
    return 0


@rule
def slot_resource(box, state, h, k):
    """9.9: the resource of a slot."""
    return int(box.ops[box.character[state.heroes[h].character].ability[k].effect.first].resource)


@rule
def why_not_stash(box, state, seat, k, v):
    """9.9: an asset of the slot's resource here, and the slot empty."""
    reason = why_not_slot(box, state, seat, k)
    if reason != 0:
        return reason
    h = int(state.actor)
    if state.heroes[h].stash[k] > 0:
        return R.slot_full
    if state.assets[state.heroes[h].slot, slot_resource(box, state, h, k), v] == 0:
        return R.no_asset
    return 0


@rule
def do_stash(box, state, events, seat, k, v):
    """9.9: the asset goes onto the mat."""
    one = state.heroes[state.actor]
    r = slot_resource(box, state, int(state.actor), k)
    state.assets[one.slot, r, v] -= 1
    one.stash[k] = r * FACES + v + 1
    one.stashed[k] += 1
    state.n_passes = 0


@rule
def why_not_unstash(box, state, seat, k):
    """9.9: a die in the slot."""
    reason = why_not_slot(box, state, seat, k)
    if reason == 0 and state.heroes[state.actor].stash[k] == 0:
        return R.slot_empty
    return reason


@rule
def do_unstash(box, state, events, seat, k):
    """9.9: the die becomes an asset here."""
    one = state.heroes[state.actor]
    code = int(one.stash[k]) - 1
    one.stash[k] = 0
    one.stashed[k] += 1
    state.assets[one.slot, code // FACES, code % FACES] += 1
    state.n_passes = 0
