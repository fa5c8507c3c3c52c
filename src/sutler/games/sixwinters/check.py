"""The checks of a state of Six Winters: counts of dice, cards, people and places that must always hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import (
    ABILITIES,
    FACES,
    HEROES,
    N_REGIONS,
    OBSTACLES,
    POOL,
    RES,
    SEATS,
    SLOTS,
    SPACES,
    STAGED_OBSTACLES,
    STAGES,
    YEARS,
)
from sutler.games.sixwinters.cards.vocabulary import SORCERY
from sutler.games.sixwinters.phases_actions_events import F, P
from sutler.games.sixwinters.state import CARD_AT, DRAW, FRAMES, MAX_RULINGS, PART, PILES, RESERVE

if TYPE_CHECKING:
    from sutler.games.sixwinters.records import Box, State


@rule
def check(box: Box, state: State) -> int:
    """The number, in FAULTS, of the first fault found in a state; 0 for none.

    The fields that `recount` computes are compared by the engine.
    """
    if not 0 <= state.to_act < state.n_seats:
        return F.seat_missing
    if not 0 <= state.phase <= P.over:
        return F.no_phase
    for r in range(RES):
        if not (1 <= state.progress[r] <= SPACES and 1 <= state.threat[r] <= SPACES):
            return F.track_off
        if state.in_play[r] != n_dice_in_play(state, r) or state.in_play[r] > box.rules.dice_each:
            return F.supply
    for seat in range(SEATS):
        for v in range(FACES):
            if state.seats[seat].dice[v] < 0:
                return F.action_dice
    if not 0 <= state.n_frames <= FRAMES or state.n_ruled > MAX_RULINGS:
        return F.stack_off
    if not (1 <= state.year <= YEARS and 0 <= state.space < 8 and 0 <= state.part <= PART.tidy):
        return F.time_off
    fault = find_obstacle_fault(box, state)
    if fault == 0:
        fault = find_card_fault(box, state)
    if fault == 0:
        fault = find_people_fault(box, state)
    return fault


@rule
def n_dice_in_play(state: State, resource: int) -> int:
    """The number of dice of a resource that are not in the supply; -1 if a count of dice is negative (1.4)."""
    n = 0
    for v in range(FACES):
        one = state.pools[resource, v]
        if one < 0:
            return -1
        n += one
        for slot in range(SLOTS):
            if state.assets[slot, resource, v] < 0:
                return -1
            n += state.assets[slot, resource, v]
        n += state.chosen[6 + resource * FACES + v]
        for h in range(HEROES):
            n += state.over.react[h, 6 + resource * FACES + v] + state.over.add[h, resource * FACES + v]
    for v in range(FACES + 1):
        if state.scheme_dice[resource, v] < 0:
            return -1
        n += state.scheme_dice[resource, v]
    for i in range(state.n_on_cards):
        if state.die_is[i] // FACES == resource:
            n += 1
    for i in range(state.shared_n):
        if state.shared_die[i] // FACES == resource:
            n += 1
    if resource == SORCERY and state.severing > 0:
        n += 1
    return n + n_dice_on_mats(state, resource)


@rule
def n_dice_on_mats(state: State, resource: int) -> int:
    """The number of dice of a resource that lie on progress cards, on abilities and in slots of the mats."""
    n = 0
    for h in range(HEROES):
        one = state.heroes[h]
        for i in range(one.n_path):
            if one.path_die[i] // FACES == resource:
                n += 1
        for k in range(ABILITIES):
            if one.used[k] > FACES and one.used[k] <= POOL and (one.used[k] - 1 - FACES) // FACES == resource:
                n += 1
            if one.stash[k] > 0 and (one.stash[k] - 1) // FACES == resource:
                n += 1
    return n


@rule
def find_obstacle_fault(box: Box, state: State) -> int:
    """The number, in FAULTS, of the fault that an obstacle is not in exactly one place, or a chain of obstacles is broken; 0 for none."""
    n = 0
    for pile in range(PILES):
        card = state.head[pile]
        while card >= 0:
            if card >= box.n_obstacles or state.obstacle_at[card] != pile or n > OBSTACLES:
                return F.chain_broken
            n += 1
            card = state.after[card]
    for region in range(N_REGIONS):
        for i in range(state.n_draw[region]):
            if state.obstacle_at[state.draw[region, i]] != DRAW + region:
                return F.obstacle_lost
            n += 1
        if not state.n_known[region] <= state.n_seen[region] <= state.n_draw[region]:
            return F.obstacle_lost
    for card in range(box.n_obstacles):
        if state.obstacle_at[card] >= RESERVE:
            n += 1
    if n != box.n_obstacles:
        return F.obstacle_lost
    if state.over.obstacle >= 0 and not 0 <= state.obstacle_at[state.over.obstacle] < SLOTS:
        return F.overcome_off
    return 0


@rule
def find_card_fault(box: Box, state: State) -> int:
    """The number, in FAULTS, of the fault that a location or a progress card is not where the state says it is; 0 for none."""
    for slot in range(SLOTS):
        if not 0 <= state.location_at[slot] < box.n_locations:
            return F.location_lost
        for other in range(slot):
            if state.location_at[other] == state.location_at[slot]:
                return F.location_lost
    staged = 0
    for i in range(STAGED_OBSTACLES):
        card = state.staged[i]
        if card >= 0:
            staged += 1
            if state.card_at[card] != CARD_AT.stage:
                return F.card_lost
    held = 0
    for h in range(HEROES):
        if state.heroes[h].card >= 0:
            held += 1
            if state.card_at[state.heroes[h].card] != CARD_AT.hero:
                return F.card_lost
    for card in range(box.n_cards):
        if state.card_at[card] == CARD_AT.stage:
            staged -= 1
        if state.card_at[card] == CARD_AT.hero:
            held -= 1
    if staged != 0 or held != 0 or not 1 <= state.stage_no <= STAGES:
        return F.card_lost
    return 0


@rule
def find_people_fault(box: Box, state: State) -> int:
    """The number, in FAULTS, of the fault that a stress die, a character's place or a mission is out of range; 0 for none."""
    for h in range(state.n_heroes):
        one = state.heroes[h]
        if not NOBODY <= one.slot < SLOTS or (one.out == 1 and one.slot != NOBODY):
            return F.hero_off
        if one.character >= 0 and state.people[one.character].hero != h:
            return F.hero_off
        for track in range(2):
            if one.character >= 0 and (not 0 <= one.box_no[track] <= 3 or not 0 <= one.stress[track] <= FACES):
                return F.stress_off
    for k in range(2):
        if not NOBODY <= state.tasks[k].mission < box.n_missions:
            return F.mission_off
    return 0
