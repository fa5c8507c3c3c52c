"""What a bot of Six Winters need not think about: of the choices that are open, those that a player would look at.

Most decisions have one that needs no thought (the cheapest die pays, an asset that fits goes onto the card, a fight that is as
good as won is fought before dice are spent), and bots that weigh every choice would look at hundreds of positions for nothing.
"""

from __future__ import annotations

from sutler.core.bits import allow, clear, first_from, forbid, has, is_empty
from sutler.core.rule import rule
from sutler.games.sixwinters.box import CELLS, FACES, HEROES, NEVER, OBSTACLES, RES, SLOTS
from sutler.games.sixwinters.plan import (
    AT_HAND,
    FAR,
    TO_CREATE,
    TO_ROLL,
    dice_to_go,
    is_wanted,
    last_value,
    may_be_next,
    next_die,
    progress_of,
    safety,
    stress_to_come,
)
from sutler.games.sixwinters.rules.abilities import user
from sutler.games.sixwinters.rules.common import (
    K_ABILITY,
    ability_op,
    heroes_at,
    n_assets,
    n_dice,
    pool_size,
    threat_level,
)
from sutler.games.sixwinters.rules.effects_ability import ASSETS_HERE
from sutler.games.sixwinters.rules.land import difficulty, n_stress_dice
from sutler.games.sixwinters.rules.movement import BY_FOOT, dice_price
from sutler.games.sixwinters.rules.overcome import n_reactions
from sutler.games.sixwinters.table import A, P
from sutler.games.sixwinters.vocabulary import DO

URGE = (
    1.0,
    0.3,
    0.9,
    1.1,
    0.8,
    2.0,
)  # how much a threat tag matters, by resource: Sorcery may lose the campaign at once
FIGHT_OVER = 1.2  # a fight is worth it for a threat tag too many
FIGHT_TAG = 1.0
FIGHT_ANY = 0.5
FIGHT_WANTED = 8.0
FIGHT_DEED = 1.0
PER_STRESS = 0.16
FALL = 6.0  # what a knock-out costs
BRAVE = 0.72  # of what those who fight can take
ROUNDS = 3
STEP_PRICE = 0.45  # an action die spent on the way
SPARE_PRICE = 0.08  # one of those that could not be saved anyhow
TOMORROW = 0.4  # a place for the next die, reached with nothing left to create it
PULL = 0.75  # a fight that waits elsewhere
HARVEST = 0.3  # a pool die that could be taken there: pools fill up again every turn, what is left in them is lost
CALM = 0.25  # of what those who fight can take: with less stress than that to come nobody spends dice to react


@rule
def only(out, action):
    """This and nothing else."""
    clear(out.ids)
    allow(out, action)


@rule
def drop_all(out, first, n):
    """None of these."""
    for action in range(first, first + n):
        forbid(out, action)


# --- Progress cards -------------------------------------------------------------------------


@rule
def best_put(box, state, h, due, out):
    """The asset to put on the card now: one that brings it nearer its end, of the kind that lies there most; -1: none."""
    one = state.heroes[h]
    slot = int(one.slot)
    chosen = -1
    most = 0
    for cell in range(CELLS):
        if may_be_next(box, one, cell):
            for v in range(FACES):
                if box.card[one.card].need[cell, v] < due:
                    for r in range(RES):
                        n = int(state.assets[slot, r, v])
                        action = A.put + (cell * RES + r) * FACES + v
                        if n > most and has(out.ids, action):
                            most = n
                            chosen = action
    return chosen


@rule
def best_shared(box, state, h, out):
    """An asset for the card that all fill together; -1: none."""
    for code in range(RES * FACES):
        if has(out.ids, A.put_shared + code):
            return A.put_shared + code
    return -1


# --- Fighting ------------------------------------------------------------------------------------


@rule
def prize(box, state, card, who):
    """What it is worth to be rid of an obstacle."""
    worth = FIGHT_ANY
    for r in range(RES):
        n = int(box.obstacle[card].threats[r])
        if n > 0:
            if state.tags[r] > box.rules.tags_free:
                worth += FIGHT_OVER * URGE[r] * n
            else:
                worth += FIGHT_TAG * URGE[r] * n
    if is_wanted(state, card):
        worth += FIGHT_WANTED
    for h in range(state.n_heroes):
        if who >> h & 1:
            c = int(state.heroes[h].character)
            if box.obstacle[card].tags & box.character[c].deeds != 0:
                if state.people[c].achievements < box.character[c].n_achievements:
                    worth += FIGHT_DEED
    return worth


@rule
def fight_worth(box, state, card, who, so_far):
    """What a fight may bring, less what it may cost; below 0 it is not fought."""
    last = last_value(box, state, who, card, so_far)
    rounds = (last + FACES - 1) // FACES
    if last >= NEVER or rounds > ROUNDS:
        return -1.0
    stress = stress_to_come(box, state, card, last)
    left = safety(box, state, who, card)
    danger = stress / max(1.0, left)
    worth = prize(box, state, card, who) - PER_STRESS * stress
    if danger > BRAVE:
        worth -= FALL * (danger - BRAVE)
    return worth


@rule
def best_fight(box, state, h, out):
    """The obstacle here that is best overcome now; -1: none."""
    best = 0.0
    chosen = -1
    slot = int(state.heroes[h].slot)
    who = heroes_at(state, slot)
    card = int(state.head[slot])
    while card >= 0:
        if has(out.ids, A.overcome + card):
            worth = fight_worth(box, state, card, who, 0)
            if worth > best:
                best = worth
                chosen = A.overcome + card
        card = int(state.after[card])
    return chosen


# --- Where to go ---------------------------------------------------------------------------------


@rule
def pull(box, state, h, slot):
    """What fights a place promises to somebody who comes there."""
    best = 0.0
    who = heroes_at(state, slot) | 1 << h
    card = int(state.head[slot])
    while card >= 0:
        worth = fight_worth(box, state, card, who, 0)
        if worth < 1.0 and box.obstacle[card].difficulty >= 20 and is_wanted(state, card):
            worth = 1.5  # somebody has to be there first
        best += max(0.0, worth)
        card = int(state.after[card])
    return best


@rule
def best_move(box, state, h, due, here, out):
    """The place to walk to, for the next die of the card or for a fight; -1: none is worth its price."""
    best = 0.1
    chosen = -1
    dice = n_dice(state, int(state.heroes[h].seat))
    spare = max(0, dice - 2)
    at = int(state.heroes[h].slot)
    stay = HARVEST * min(dice, pool_size(state, int(box.place[at].resource)))
    if dice >= 3:
        stay += PULL * pull(box, state, h, at)
    for slot in range(SLOTS):
        if has(out.ids, A.move + slot):
            price = dice_price(box, state, at, slot, BY_FOOT)
            worth = -SPARE_PRICE * min(price, spare) - STEP_PRICE * max(0, price - spare)
            if due < NEVER and dice - price > 0:
                worth += here - next_die(box, state, h, slot, due)
            elif due < NEVER:
                worth += TOMORROW * (here - next_die(box, state, h, slot, due))
            worth += HARVEST * min(dice - price, pool_size(state, int(box.place[slot].resource))) - stay
            if dice - price >= 2:
                worth += PULL * pull(box, state, h, slot)
            if worth > best:
                best = worth
                chosen = A.move + slot
    return chosen


# --- The actions step -----------------------------------------------------------------------------------


@rule
def gains_dice(op):
    """Does an ability bring more than the die that it costs?"""
    return op == DO.explode or op == DO.split or op == DO.gain_action_die or op == DO.add_asset


@rule
def changes_dice(op):
    """Does it bring another die for the one that it costs?"""
    return op == DO.convert or op == DO.shift or op == DO.flip or op == DO.change_asset or op == DO.exchange_assets


@rule
def keep_creating(box, state, h, top, first, out):
    """For each die of the pool here the lowest action die that takes it; and the action of stress, if it is here."""
    r = int(box.place[state.heroes[h].slot].resource)
    low = 0
    for v in range(FACES):
        if first >> v & 1:
            useful = False
            for w in range(low, v + 1):
                useful = useful or state.pools[r, w] > 0
            if useful:
                allow(out, A.create + v)
            low = v + 1


@rule
def dice_that(out, block):
    """The action dice that a block of actions may be done with, as bits."""
    found = 0
    for v in range(FACES):
        if has(out.ids, block + v):
            found |= 1 << v
    return found


@rule
def abilities_that(box, state, h, out, stuck):
    """The abilities worth a thought, as bits: those that bring dice; when the next die is missing those that change one."""
    found = 0
    for k in range(10):
        if has(out.ids, A.ability + k):
            op = ability_op(box, state, h, k)
            if gains_dice(op) or op == DO.convert or (stuck and changes_dice(op)):
                found |= 1 << k
            elif op == DO.reroll and stuck and n_assets(state, int(state.heroes[h].slot)) > 0:
                found |= 1 << k
    return found


@rule
def effects_that(out):
    """The campaign effects that may be used, as bits."""
    found = 0
    for k in range(24):
        if has(out.ids, A.effect + k):
            found |= 1 << k
    return found


@rule
def most_saved(out):
    """Done, with as many dice saved as may be."""
    for n in range(2, 0, -1):
        if has(out.ids, A.done + n):
            return A.done + n
    return A.done + 0


@rule
def prune_act(box, state, out):
    """5.1: put, fight, create, walk, use what brings dice; when nothing of it is left, done."""
    h = int(state.actor)
    one = state.heroes[h]
    done = most_saved(out)
    if one.card < 0 or one.slot < 0:
        due, here = NEVER, FAR
    else:
        due = dice_to_go(box, state, h)
        here = next_die(box, state, h, int(one.slot), due)
        if here <= AT_HAND:
            action = best_put(box, state, h, due, out)
            if action >= 0:
                only(out, action)
                return
    action = best_fight(box, state, h, out)
    if action < 0 and state.shared >= 0:
        action = best_shared(box, state, h, out)
    if action >= 0:
        only(out, action)
        return
    dice = n_dice(state, int(one.seat))
    creates = dice_that(out, A.create)
    uses = dice_that(out, A.use_location)
    powers = abilities_that(box, state, h, out, here >= TO_ROLL)
    effects = effects_that(out)
    by_stress = has(out.ids, A.create_by_stress) and one.stress[0] > 1 and one.stress[1] > 1
    move = -1
    if here >= TO_CREATE + 0.25 and dice > 0:
        move = best_move(box, state, h, due, here, out)
    clear(out.ids)
    if move >= 0:
        allow(out, move)
    if creates != 0 and (here < TO_ROLL or dice > 1):
        keep_creating(box, state, h, 0, creates, out)
    if by_stress and here < TO_ROLL:
        allow(out, A.create_by_stress)
    if uses != 0 and dice > 2:
        allow(out, first_of(A.use_location, uses))
    for k in range(24):
        if effects >> k & 1:
            allow(out, A.effect + k)
        if powers >> k & 1:
            allow(out, A.ability + k)
    if is_empty(out.ids):
        allow(out, done)


@rule
def first_of(block, bits):
    """The lowest of a block's actions among these."""
    for v in range(FACES):
        if bits >> v & 1:
            return block + v
    return block


# --- Paying, creating -------------------------------------------------------------------------------------


@rule
def prune_pay(box, state, out):
    """5.10: the lowest die pays for a way; an ability is paid with the lowest die unless the value matters."""
    f = int(state.n_frames) - 1
    first = int(first_from(out.ids, 0))
    if f >= 0 and state.frames[f].kind == K_ABILITY:
        op = ability_op(box, state, int(state.frames[f].hero), int(state.frames[f].a))
        if changes_dice(op) or op == DO.split:
            return
    only(out, first)


@rule
def prune_create(box, state, out):
    """5.6: taking more is better than stopping."""
    forbid(out, A.stop)
    if is_empty(out.ids):
        allow(out, A.stop)


# --- Overcoming ----------------------------------------------------------------------------------------


@rule
def short_of(box, state):
    """How much the unspent dice of all who fight fall short of the difficulty in this round; below 0: they are more."""
    over = state.over
    card = int(over.obstacle)
    due = difficulty(box, state, card) - over.total
    for v in range(FACES):
        due -= progress_of(box, state, int(over.joined), int(box.obstacle[card].skill), v)
    return due


@rule
def n_reacting(state):
    """How many dice lie in the reaction pools."""
    n = 0
    for h in range(HEROES):
        if state.over.joined >> h & 1:
            for source in range(42):
                n += state.over.react[h, source]
    return n


@rule
def prune_allocate(box, state, out):
    """7.3: a low die into the reaction pool while enough is left; an asset to the progress when that makes it enough."""
    seat = int(state.to_act)
    h = user(state, seat)
    card = int(state.over.obstacle)
    if h < 0 or card < 0:
        return
    short = short_of(box, state)
    rank = int(state.people[state.heroes[h].character].skills[box.obstacle[card].skill])
    if short <= 0:
        who = int(state.over.joined)
        last = last_value(box, state, who, card, int(state.over.total))
        stress = stress_to_come(box, state, card, last)
        low = 1
        if stress > CALM * safety(box, state, who, card):
            low = 3
        for v in range(low):
            if has(out.ids, A.react + v) and short + v + 1 + rank <= 0:
                if n_reacting(state) < n_stress_dice(box, state, card):
                    only(out, A.react + v)
                    return
    elif is_wanted(state, card):
        for v in range(FACES - 1, -1, -1):
            for r in range(RES):
                if has(out.ids, A.add + r * FACES + v):
                    only(out, A.add + r * FACES + v)
                    return
    if has(out.ids, A.roll):
        only(out, A.roll)


@rule
def prune_cancel(box, state, out):
    """7.5: the highest stress die that would be taken, with the highest die that can."""
    over = state.over
    last = min(FACES, last_value(box, state, int(over.joined), int(over.obstacle), int(over.total)))
    for v in range(last - 1, -1, -1):
        if over.rolled[v] > 0:
            for w in range(v, -1, -1):
                if n_reactions(state, w) > 0 and has(out.ids, A.cancel + v * FACES + w):
                    only(out, A.cancel + v * FACES + w)
                    return
    only(out, A.enough)


@rule
def prune_again(box, state, out):
    """7.8: on, as long as it is worth it."""
    over = state.over
    if fight_worth(box, state, int(over.obstacle), int(over.joined), int(over.total)) > 0.0 and has(out.ids, A.again):
        only(out, A.again)
    else:
        only(out, A.give_up)


# --- The scheme, the session's end -----------------------------------------------------------------------


@rule
def prune_scheme(box, state, out):
    """8.8: a die that would work is cancelled with the lowest that can; one that does nothing stays."""
    v = state.sub % FACES + 1
    works = v <= threat_level(box, state, int(box.scheme[state.scheme].resource))
    first = int(first_from(out.ids, A.pay))
    if works and first >= 0 and first < A.pay + 78:
        only(out, first)
    else:
        only(out, A.let_be)


@rule
def prune_settle(box, state, out):
    """11.1: the lowest die that is enough, else the highest."""
    frame = state.frames[state.n_frames - 1]
    due = difficulty(box, state, int(frame.obstacle)) - frame.a
    high = -1
    high_v = 0
    enough = -1
    enough_v = FACES + 1
    for source in range(FACES, 78):
        if has(out.ids, A.pay + source):
            v = source % FACES + 1
            if v > high_v:
                high, high_v = source, v
            if v >= due and v < enough_v:
                enough, enough_v = source, v
    if enough >= 0:
        only(out, A.pay + enough)
    elif high >= 0:
        only(out, A.pay + high)


@rule
def prune_clear(box, state, out):
    """11.1: dice are cleared away anyhow: what can be paid off is."""
    card = int(first_from(out.ids, A.clear_obstacle))
    if 0 <= card < A.clear_obstacle + OBSTACLES:
        forbid(out, A.go_on)


@rule
def prune(box, state, out):
    """What a bot looks at."""
    phase = state.phase
    if phase == P.act:
        prune_act(box, state, out)
    elif phase == P.pay:
        prune_pay(box, state, out)
    elif phase == P.create:
        prune_create(box, state, out)
    elif phase == P.join:
        only(out, A.join)
    elif phase == P.allocate:
        prune_allocate(box, state, out)
    elif phase == P.cancel:
        prune_cancel(box, state, out)
    elif phase == P.again:
        prune_again(box, state, out)
    elif phase == P.scheme:
        prune_scheme(box, state, out)
    elif phase == P.settle:
        prune_settle(box, state, out)
    elif phase == P.clear:
        prune_clear(box, state, out)
    elif phase == P.serve:
        forbid(out, A.discard_card)
    elif phase == P.choose_pool:
        if has(out.ids, A.which_pool + ASSETS_HERE):
            only(out, A.which_pool + ASSETS_HERE)
    elif phase == P.reroll:
        prune_reroll(box, state, out)


@rule
def prune_reroll(box, state, out):
    """9.4: every die of the pool is rolled again: what lies there fits nothing."""
    first = int(first_from(out.ids, A.reroll_die))
    if 0 <= first < A.reroll_die + 42:
        only(out, first)
