"""The course of an effect (guide 13): each operation finds its rule by its number; one that waits for a choice goes on later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.rule import rule
from sutler.games.sixwinters.cards.vocabulary import DO
from sutler.games.sixwinters.rules.common import advance, pop
from sutler.games.sixwinters.rules.effects.ability import (
    op_change_asset,
    op_convert,
    op_explode,
    op_flip,
    op_move_character,
    op_pool_to_action_die,
    op_rearrange,
    op_reroll,
    op_shift,
    op_split,
)
from sutler.games.sixwinters.rules.effects.campaign import op_kill, op_reserve_action, op_severing, unlock
from sutler.games.sixwinters.rules.effects.dice import (
    op_add_asset,
    op_card_dice,
    op_discard_action_die,
    op_gain_action_die,
    op_pool_add,
    op_pool_remove,
    op_pool_set,
    op_pool_to_assets,
    op_pool_to_card,
    op_remove_assets,
    op_reroll_assets,
)
from sutler.games.sixwinters.rules.effects.land import op_place_location, op_place_location_from_reserve
from sutler.games.sixwinters.rules.effects.obstacles import (
    op_add_to_deck,
    op_burn_from_deck,
    op_burn_obstacles,
    op_discard_obstacles,
    op_discard_top,
    op_move_obstacle,
    op_move_self,
    op_peek,
    op_place_from_reserve,
    op_place_new,
    op_place_obstacle,
    op_top_back,
)
from sutler.games.sixwinters.rules.effects.people import (
    op_condition,
    op_condition_for_skill,
    op_free_move,
    op_person,
    op_recover,
    op_set_action_die,
    op_set_stress_die,
    op_shift_stress,
    op_skill_up,
    op_stress,
)
from sutler.games.sixwinters.rules.effects.price import (
    op_exchange,
    op_pay_asset,
    op_pay_pool,
    op_pay_stress,
    op_two_for_one,
)
from sutler.games.sixwinters.rules.effects.who import op_choice
from sutler.games.sixwinters.rules.heroes import leave_campaign
from sutler.games.sixwinters.rules.land import discard, is_in_play
from sutler.games.sixwinters.rules.scheme import burn_scheme
from sutler.games.sixwinters.rules.tracks import change_progress, change_threat
from sutler.games.sixwinters.state import recount
from sutler.games.sixwinters.table import E

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, State


NOT_MINE = 2
"""What a group of operations says of one that it does not know; else whether the operation is done."""


@rule
def run_people(box: Box, state: State, events: Events, f: int, op: int) -> int:
    """Characters (guide 13.2)."""
    if op == DO.stress:
        return int(op_stress(box, state, events, f))
    if op == DO.condition:
        return int(op_condition(box, state, events, f))
    if op == DO.recover_condition:
        return int(op_recover(box, state, events, f))
    if op == DO.condition_for_skill:
        return int(op_condition_for_skill(box, state, events, f))
    if op == DO.set_stress_die:
        return int(op_set_stress_die(box, state, events, f))
    if op == DO.shift_stress:
        return int(op_shift_stress(box, state, events, f))
    if op == DO.skill_up:
        return int(op_skill_up(box, state, events, f))
    if op == DO.base_stress_up:
        return int(op_person(box, state, events, f))
    if op == DO.clear_condition:
        return int(op_person(box, state, events, f))
    if op == DO.pay_stress:
        return int(op_pay_stress(box, state, events, f))
    if op == DO.set_action_die:
        return int(op_set_action_die(box, state, events, f))
    if op == DO.free_move:
        return int(op_free_move(box, state, events, f))
    return NOT_MINE


@rule
def run_land(box: Box, state: State, events: Events, f: int, op: int) -> int:
    """Obstacles and locations (guide 13.3, 13.4)."""
    if op == DO.move_self:
        return int(op_move_self(box, state, events, f))
    if op == DO.move_obstacle:
        return int(op_move_obstacle(box, state, events, f))
    if op == DO.discard_obstacles:
        return int(op_discard_obstacles(box, state, events, f))
    if op == DO.place_obstacle:
        return int(op_place_obstacle(box, state, events, f))
    if op == DO.place_new_obstacle:
        return int(op_place_new(box, state, events, f))
    if op == DO.place_obstacle_from_reserve:
        return int(op_place_from_reserve(box, state, events, f))
    if op == DO.add_to_deck:
        return int(op_add_to_deck(box, state, events, f))
    if op == DO.burn_obstacles:
        return int(op_burn_obstacles(box, state, events, f))
    if op == DO.burn_from_deck:
        return int(op_burn_from_deck(box, state, events, f))
    if op == DO.peek_and_discard:
        return int(op_peek(box, state, events, f))
    if op == DO.discard_deck_top:
        return int(op_discard_top(box, state, events, f))
    if op == DO.discard_top_to_deck_top:
        return int(op_top_back(box, state, events, f))
    if op == DO.place_location:
        return int(op_place_location(box, state, events, f))
    if op == DO.place_location_from_reserve:
        return int(op_place_location_from_reserve(box, state, events, f))
    return NOT_MINE


@rule
def run_dice(box: Box, state: State, events: Events, f: int, op: int) -> int:
    """Dice (guide 13.5)."""
    if op == DO.add_asset:
        return int(op_add_asset(box, state, events, f))
    if op == DO.remove_assets:
        return int(op_remove_assets(box, state, events, f))
    if op == DO.reroll_assets:
        return int(op_reroll_assets(box, state, events, f))
    if op == DO.exchange_assets:
        return int(op_exchange(box, state, events, f))
    if op == DO.pay_asset:
        return int(op_pay_asset(box, state, events, f))
    if op == DO.pay_pool:
        return int(op_pay_pool(box, state, events, f))
    if op == DO.pool_remove:
        return int(op_pool_remove(box, state, events, f))
    if op == DO.pool_set:
        return int(op_pool_set(box, state, events, f))
    if op == DO.pool_add:
        return int(op_pool_add(box, state, events, f))
    if op == DO.pool_to_assets:
        return int(op_pool_to_assets(box, state, events, f))
    if op == DO.pool_to_card:
        return int(op_pool_to_card(box, state, events, f))
    if op == DO.card_dice_to_assets:
        return int(op_card_dice(box, state, events, f))
    if op == DO.gain_action_die:
        return int(op_gain_action_die(box, state, events, f))
    if op == DO.discard_action_die:
        return int(op_discard_action_die(box, state, events, f))
    if op == DO.trade_two_for_one:
        return int(op_two_for_one(box, state, events, f))
    return NOT_MINE


@rule
def run_ability(box: Box, state: State, events: Events, f: int, op: int) -> int:
    """Abilities (guide 13.6)."""
    if op == DO.reroll:
        return int(op_reroll(box, state, events, f))
    if op == DO.explode:
        return int(op_explode(box, state, events, f))
    if op == DO.convert:
        return int(op_convert(box, state, events, f))
    if op == DO.shift:
        return int(op_shift(box, state, events, f))
    if op == DO.flip:
        return int(op_flip(box, state, events, f))
    if op == DO.split:
        return int(op_split(box, state, events, f))
    if op == DO.change_asset:
        return int(op_change_asset(box, state, events, f))
    if op == DO.pool_to_action_die:
        return int(op_pool_to_action_die(box, state, events, f))
    if op == DO.move_character:
        return int(op_move_character(box, state, events, f))
    if op == DO.rearrange_staging:
        return int(op_rearrange(box, state, events, f))
    return NOT_MINE


@rule
def run_campaign(box: Box, state: State, events: Events, f: int, op: int) -> int:
    """The campaign (guide 13.7)."""
    if op == DO.gain_reserve_action:
        return int(op_reserve_action(box, state, events, f))
    if op == DO.kill_character:
        return int(op_kill(box, state, events, f))
    if op == DO.severing_die:
        return int(op_severing(box, state, events, f))
    if op == DO.choice:
        return int(op_choice(box, state, events, f))
    if op == DO.choose_one:
        return int(op_choice(box, state, events, f))
    return NOT_MINE


@rule
def run_plain(box: Box, state: State, events: Events, f: int, op: int) -> int:
    """Operations of one line: tracks, and what happens to the campaign as a whole (guide 13.7)."""
    row = box.ops[state.frames[f].op]
    card = int(state.frames[f].obstacle)
    if op == DO.threat:
        change_threat(box, state, events, int(row.resource), int(row.by))
    elif op == DO.progress:
        change_progress(box, state, events, int(row.resource), int(row.by))
    elif op == DO.discard_self:
        if is_in_play(state, card):
            discard(box, state, events, card)
    elif op == DO.reduce_stress:
        state.reduced[row.track] = row.by
        state.reduced_until[row.track] = row.until
    elif op == DO.move_cost:
        state.move_change += row.change
        state.move_least = row.minimum
    elif op == DO.unlock_character:
        unlock(box, state, events, int(row.character))
    elif op == DO.campaign_effect:
        state.effects |= 1 << int(row.number)
        recount(box, state)
        tell(events, E.effect_gained, row.number)
    elif op == DO.burn_scheme:
        burn_scheme(box, state, events)
    elif op == DO.burn_character:
        leave_campaign(box, state, events, int(row.character))
    elif op == DO.campaign_won:
        state.outcome = 1
    elif op == DO.campaign_lost:
        state.outcome = 2
    return 1


@rule
def run_op(box: Box, state: State, events: Events, f: int) -> int:
    """One operation: 1 when it is done, 0 when it waits for a choice or for what it has begun."""
    op = int(box.ops[state.frames[f].op].op)
    done = int(run_people(box, state, events, f, op))
    if done == NOT_MINE:
        done = int(run_land(box, state, events, f, op))
    if done == NOT_MINE:
        done = int(run_dice(box, state, events, f, op))
    if done == NOT_MINE:
        done = int(run_ability(box, state, events, f, op))
    if done == NOT_MINE:
        done = int(run_campaign(box, state, events, f, op))
    if done == NOT_MINE:
        done = int(run_plain(box, state, events, f, op))
    return done


@rule
def step_effect(box: Box, state: State, events: Events, f: int) -> None:
    """13: the next operation of an effect, or the effect is over."""
    if state.frames[f].left <= 0 or state.outcome != 0:
        pop(state)
    elif run_op(box, state, events, f) == 1:
        advance(state, f)
