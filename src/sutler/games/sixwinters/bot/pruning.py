"""Pruning in Six Winters: of the legal actions, bots consider only those that a player would think about.

Most decisions have an obvious answer (the cheapest die pays, an asset that fits goes onto the card, a fight that is as good as won comes
before other uses of the dice), and a bot that weighs every choice would evaluate hundreds of positions for nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow, clear, first_from, forbid, has, is_empty
from sutler.core.rule import rule
from sutler.games.sixwinters.bot.card_and_fight_costs import (
    AT_HAND,
    can_be_next_cell,
    is_last_session_of_part,
    n_dice_to_complete,
    next_cell_bits,
    next_die_cost,
    next_value_bits,
)
from sutler.games.sixwinters.bot.fights import (
    best_fight_action,
    fights_worth_at,
    prune_another_round,
    prune_cancelling,
    prune_setting_dice,
)
from sutler.games.sixwinters.bot.legal_action_bits import highest_action, keep_only, legal_bits_in_block, lowest_action
from sutler.games.sixwinters.bot.pruning_between_sessions import (
    prune_advancement,
    prune_clearing,
    prune_difficulty,
    prune_obstacle_payment,
    prune_scheme_answer,
)
from sutler.games.sixwinters.bot.weights import LAST_WEIGHTS, WEIGHTS
from sutler.games.sixwinters.box import CELLS, EFFECTS, FACES, NO_END, RES, SLOTS
from sutler.games.sixwinters.cards.vocabulary import DO
from sutler.games.sixwinters.phases_actions_events import A, P
from sutler.games.sixwinters.rules.actions import BY_FOOT, BY_GATE, BY_SHIP, dice_price, why_not_done, why_not_step_in
from sutler.games.sixwinters.rules.common import KIND, ability_row, heroes_at, n_assets, n_dice, pool_size
from sutler.games.sixwinters.rules.effects.ability import ASSETS_HERE

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.sixwinters.bot.weights import Numbers
    from sutler.games.sixwinters.records import Box, State


STEP_PRICE = 1.42  # the cost of an action die spent on the way
SPARE_PRICE = 0.102  # the cost of an action die that could not be saved anyway
TOMORROW = 0.357  # the share of the gain that counts if no die is left to create the asset in this turn
GATE_PRICE = 0.369  # the cost of a point of stress
PULL = 1.35  # the weight of the fights at a place
HARVEST = (
    0.113  # the worth of a pool die that could be taken: pools are filled anew every turn, what is left in them is lost
)


# --- Progress cards -------------------------------------------------------------------------


@rule
def best_put_action(box: Box, state: State, hero: int, n_due: int, out: Legal) -> int:
    """The action that puts an asset on the card of character `hero` and brings it nearer to its end; -1 if there is none.

    Of several assets, the one that the place has most of is taken. `n_due`: how many dice the card still needs.
    """
    one = state.heroes[hero]
    slot = int(one.slot)
    chosen = -1
    most = 0
    for cell in range(CELLS):
        if can_be_next_cell(box, one, cell):
            for v in range(FACES):
                if box.card[one.card].need[cell, v] < n_due:
                    for r in range(RES):
                        n = int(state.assets[slot, r, v])
                        action = A.put + (cell * RES + r) * FACES + v
                        if n > most and has(out.ids, action):
                            most = n
                            chosen = action
    return chosen


@rule
def first_shared_put_action(box: Box, state: State, hero: int, out: Legal) -> int:
    """The first legal action that puts an asset on the card that all players fill together; -1 if there is none."""
    for code in range(RES * FACES):
        if has(out.ids, A.put_shared + code):
            return A.put_shared + code
    return -1


# --- Where to go ---------------------------------------------------------------------------------


@rule
def best_move_action(
    box: Box,
    state: State,
    weights: Numbers,
    hero: int,
    n_due: int,
    cost_here: float,
    block: int,
    way: int,
    out: Legal,
) -> int:
    """The best action that moves character `hero`, to find the next die of its card or to fight; -1 if none is worth its price.

    `n_due`: how many dice the card still needs; `cost_here`: the cost of the next die without moving; `block`: the first action of this
    way of moving; `way`: BY_FOOT, BY_SHIP or BY_GATE.
    """
    best = 0.1
    chosen = -1
    if legal_bits_in_block(out, block, SLOTS) == 0:
        return chosen
    dice = n_dice(state, int(state.heroes[hero].seat))
    spare = max(0, dice - 2)
    at = int(state.heroes[hero].slot)
    cells = 0
    values = 0
    if n_due < NO_END:
        cells = next_cell_bits(box, state.heroes[hero])
        values = next_value_bits(box, state.heroes[hero], n_due, cells)
    stay = HARVEST * min(dice, pool_size(state, int(box.place[at].resource)))
    stay += PULL * fights_worth_at(box, state, at, heroes_at(state, at))
    others = heroes_at(state, at) & ~(1 << hero)
    if others != 0:
        stay -= PULL * fights_worth_at(box, state, at, others)
    for slot in range(SLOTS):
        if has(out.ids, block + slot):
            price = dice_price(box, state, at, slot, way)
            worth = -SPARE_PRICE * min(price, spare) - STEP_PRICE * max(0, price - spare) - stay
            if way == BY_GATE:
                worth -= GATE_PRICE
            if n_due < NO_END:
                gain = cost_here - next_die_cost(box, state, weights, hero, slot, cells, values)
                if dice - price <= 0:
                    gain *= TOMORROW
                worth += gain
            worth += HARVEST * min(dice - price, pool_size(state, int(box.place[slot].resource)))
            there = heroes_at(state, slot)
            worth += PULL * fights_worth_at(box, state, slot, there | 1 << hero)
            if there != 0:
                worth -= PULL * fights_worth_at(box, state, slot, there)
            if worth > best:
                best = worth
                chosen = block + slot
    return chosen


# --- The actions step -----------------------------------------------------------------------------------


@rule
def two_of(box: Box, state: State, out: Legal) -> bool:
    """Allow in `out` two legal actions of the actions step, if two are found quickly; return whether they were (5.1, 5.9).

    A bot asks for a position it only looks at, to learn whether there is a choice. The two are being done with fewer or more dice
    saved, or being done and letting another character act.
    """
    if state.phase != P.act or why_not_done(box, state, int(state.to_act), 0) != 0:
        return False
    second = -1
    if why_not_done(box, state, int(state.to_act), 1) == 0:
        second = A.done + 1
    else:
        for h in range(state.n_heroes):
            if why_not_step_in(box, state, int(state.to_act), h) == 0:
                second = A.step_in + h
    if second < 0:
        return False
    allow(out, A.done)
    allow(out, second)
    return True


@rule
def keep_useful_creating(box: Box, state: State, hero: int, create_bits: int, out: Legal) -> None:
    """Allow in `out`, for each useful value of the pool at character `hero`'s place, the lowest action die that takes a die of it.

    `create_bits`: legal, as bits.
    """
    r = int(box.place[state.heroes[hero].slot].resource)
    low = 0
    for v in range(FACES):
        if create_bits >> v & 1:
            useful = False
            for w in range(low, v + 1):
                useful = useful or state.pools[r, w] > 0
            if useful:
                allow(out, A.create + v)
            low = v + 1


@rule
def useful_ability_bits(box: Box, state: State, hero: int, out: Legal, is_stuck: int, can_spare_die: int) -> int:
    """The abilities of character `hero` that are worth considering, as a bit set.

    Those that gain dice, and those that change a die when it helps. `is_stuck`: the next die of the card is not to be had;
    `can_spare_die`: a die may be spent on it.
    """
    found = 0
    for k in range(10):
        if has(out.ids, A.ability + k):
            op = box.ops[ability_row(box, state, hero, k)]
            changes = can_spare_die and (op.op == DO.convert or (is_stuck and op.changes_dice == 1))
            if op.gains_dice == 1 or changes:
                found |= 1 << k
            elif (
                op.op == DO.reroll and is_stuck and can_spare_die and n_assets(state, int(state.heroes[hero].slot)) > 0
            ):
                found |= 1 << k
    return found


@rule
def done_action_saving_most(out: Legal) -> int:
    """The legal action of being done that saves the most dice."""
    for n in range(2, 0, -1):
        if has(out.ids, A.done + n):
            return A.done + n
    return A.done + 0


@rule
def dice_due_and_next_cost(box: Box, state: State, weights: Numbers, hero: int) -> tuple[int, float]:
    """(the dice that the card of character `hero` still needs, the cost in action dice of the next one if the character stays)."""
    one = state.heroes[hero]
    if one.card < 0 or one.slot < 0:
        return NO_END, weights.another_place
    due = n_dice_to_complete(box, state, hero)
    cells = next_cell_bits(box, one)
    return due, next_die_cost(box, state, weights, hero, int(one.slot), cells, next_value_bits(box, one, due, cells))


@rule
def obvious_action(
    box: Box, state: State, weights: Numbers, hero: int, n_due: int, cost_here: float, out: Legal
) -> int:
    """The action that needs no comparison; -1 if there is none.

    It puts an asset that fits, begins a fight that is worth it, or fills the shared card. `n_due`: how many dice the card still needs;
    `cost_here`: the cost of the next die at this place.
    """
    if cost_here <= AT_HAND:
        action = best_put_action(box, state, hero, n_due, out)
        if action >= 0:
            return action
    action = best_fight_action(box, state, weights, hero, out)
    if action < 0 and state.shared >= 0:
        action = first_shared_put_action(box, state, hero, out)
    return action


@rule
def keep_useful_actions(
    box: Box,
    state: State,
    weights: Numbers,
    hero: int,
    cost_here: float,
    can_spare_die: bool,
    ability_bits: int,
    ways: tuple[int, int, int, int],
    out: Legal,
) -> None:
    """Keep in `out` only the useful actions: moves, abilities, creating assets, effects; being done if none of them is left.

    `ability_bits`: the useful abilities as a bit set; `ways`: the best actions of walking, sailing, gate and trade, -1 for none;
    `can_spare_die`: a die may be spent on creating.
    """
    one = state.heroes[hero]
    done = done_action_saving_most(out)
    creates = legal_bits_in_block(out, A.create, FACES)
    uses = legal_bits_in_block(out, A.use_location, FACES)
    effects = legal_bits_in_block(out, A.effect, EFFECTS)
    by_stress = has(out.ids, A.create_by_stress) and one.stress[0] > 1 and one.stress[1] > 1
    clear(out.ids)
    for way in ways:
        if way >= 0:
            allow(out, way)
    if creates != 0 and can_spare_die:
        keep_useful_creating(box, state, hero, creates, out)
    if by_stress and cost_here < weights.to_roll:
        allow(out, A.create_by_stress)
    if uses != 0 and n_dice(state, int(one.seat)) > 2:
        allow(out, lowest_action(A.use_location, uses))
    for k in range(EFFECTS):
        if effects >> k & 1:
            allow(out, A.effect + k)
        if ability_bits >> k & 1:
            allow(out, A.ability + k)
    if is_empty(out.ids):
        allow(out, done)


@rule
def next_hero_of_seat(state: State, hero: int, out: Legal) -> int:
    """The next character of the seat that may act instead of `hero`, while nobody has passed the turn on; -1 if none (5.1)."""
    if state.n_passes == 0:
        for k in range(1, state.n_heroes):
            other = (hero + k) % int(state.n_heroes)
            if state.heroes[other].seat == state.heroes[hero].seat and has(out.ids, A.step_in + other):
                return other
    return -1


@rule
def let_other_hero_act(box: Box, state: State, weights: Numbers, cost_here: float, other_hero: int, out: Legal) -> None:
    """Let a seat's other character act before the seat is done, if the next die of that character's card costs less (5.9).

    Being done ends the turn of both characters of a seat. `cost_here`: the cost of the next die for the acting one.
    """
    if legal_bits_in_block(out, A.done, 3) != 0:
        keep_only(out, A.step_in + other_hero)
    elif dice_due_and_next_cost(box, state, weights, other_hero)[1] < cost_here:
        allow(out, A.step_in + other_hero)


@rule
def prune_actions_step(box: Box, state: State, weights: Numbers, out: Legal) -> None:
    """Keep in `out` the actions worth considering in the actions step (5.1).

    They put an asset, fight, create, move, or use what gains dice; being done is kept when none of them is left.
    """
    h = int(state.actor)
    due, here = dice_due_and_next_cost(box, state, weights, h)
    action = obvious_action(box, state, weights, h, due, here, out)
    if action >= 0:
        keep_only(out, action)
        return
    other = next_hero_of_seat(state, h, out)
    dice = n_dice(state, int(state.heroes[h].seat))
    spare = dice > box.rules.saved_most or here < weights.to_trade
    powers = useful_ability_bits(box, state, h, out, here >= weights.to_trade, spare)
    walk = best_move_action(box, state, weights, h, due, here, A.move, BY_FOOT, out)
    sail = best_move_action(box, state, weights, h, due, here, A.port, BY_SHIP, out)
    gate = best_move_action(box, state, weights, h, due, here, A.gate, BY_GATE, out)
    trade = -1
    trades = legal_bits_in_block(out, A.trade, FACES)
    if trades != 0 and dice > 1 and weights.to_trade <= here < weights.to_roll:
        trade = highest_action(A.trade, trades)
    keep_useful_actions(box, state, weights, h, here, spare, powers, (walk, sail, gate, trade), out)
    if other >= 0:
        let_other_hero_act(box, state, weights, here, other, out)


# --- Paying, creating -------------------------------------------------------------------------------------


@rule
def prune_payment(box: Box, state: State, out: Legal) -> None:
    """Keep in `out` only the payment with the lowest die, unless the die's value matters to the ability that is paid for (5.10)."""
    f = int(state.n_frames) - 1
    first = int(first_from(out.ids, 0))
    if f >= 0 and state.frames[f].kind == KIND.ability:
        op = box.ops[ability_row(box, state, int(state.frames[f].hero), int(state.frames[f].chosen))]
        if op.changes_dice == 1 or op.op == DO.split:
            return
    keep_only(out, first)


@rule
def prune_creating(box: Box, state: State, out: Legal) -> None:
    """Forbid in `out` to stop creating assets while another die can be taken (5.6)."""
    forbid(out, A.stop)
    if is_empty(out.ids):
        allow(out, A.stop)


# --- The other steps ----------------------------------------------------------------------------------


@rule
def prune_reroll(box: Box, state: State, out: Legal) -> None:
    """Keep in `out` only the choice of every die of the pool for a reroll, since none of them fits (9.4)."""
    first = int(first_from(out.ids, A.reroll_die))
    if 0 <= first < A.reroll_die + 42:
        keep_only(out, first)


@rule
def prune_simple_phase(box: Box, state: State, weights: Numbers, out: Legal) -> None:
    """Keep in `out` the actions worth considering, in a phase in which a bot need not plan ahead."""
    phase = state.phase
    if phase == P.pay:
        prune_payment(box, state, out)
    elif phase == P.create:
        prune_creating(box, state, out)
    elif phase == P.join:
        keep_only(out, A.join)
    elif phase == P.allocate:
        prune_setting_dice(box, state, out)
    elif phase == P.cancel:
        prune_cancelling(box, state, out)
    elif phase == P.again:
        prune_another_round(box, state, weights, out)
    elif phase == P.scheme:
        prune_scheme_answer(box, state, out)
    elif phase == P.settle:
        prune_obstacle_payment(box, state, out)
    elif phase == P.clear:
        prune_clearing(box, state, out)
    elif phase == P.serve:
        forbid(out, A.discard_card)
    elif phase == P.choose_pool:
        if has(out.ids, A.which_pool + ASSETS_HERE):
            keep_only(out, A.which_pool + ASSETS_HERE)
    elif phase == P.reroll:
        prune_reroll(box, state, out)


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """Keep in `out` only the actions that a bot considers."""
    phase = state.phase
    if phase == P.act and is_last_session_of_part(box, state):
        prune_actions_step(box, state, LAST_WEIGHTS, out)
    elif phase == P.act:
        prune_actions_step(box, state, WEIGHTS, out)
    elif phase == P.advance:
        prune_advancement(box, state, out)
    elif phase == P.difficulty:
        prune_difficulty(box, state, out)
    else:
        prune_simple_phase(box, state, WEIGHTS, out)
