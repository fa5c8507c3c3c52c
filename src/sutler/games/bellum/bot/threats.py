"""Threats to a power before its next turn, for bots: the chance that neighbours attack.

`undisturbed_forecast.py` computes the next turn if nobody interferes; this module estimates whether somebody does.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import POWERS, S
from sutler.games.bellum.hexes import intersection, is_not_empty
from sutler.games.bellum.rules.battle import group_of
from sutler.games.bellum.rules.common import pair_of
from sutler.games.bellum.rules.strength import attack_bonus, defence_bonus, is_linked_to_any, most_to_commit
from sutler.games.bellum.state import place_in_order, where_is

if TYPE_CHECKING:
    from sutler.games.bellum.bot.map_survey import Stands, Survey
    from sutler.games.bellum.records import Box, State

CHANCE = 0.72  # chance that an enemy attacks a power that it stands next to and can beat
_ZERO = np.uint64(0)
POINT_SURENESS = 5.0  # steepness of the logistic curve, for each point of strength above what suffices


@rule
def has_battle_before(state: State, other_power: int, power: int) -> bool:
    """Does `other_power` have a battle phase before the next turn of `power` (7.1)?"""
    if state.stage == S.preparation:
        return False
    if other_power == state.power:
        return bool(state.stage <= S.battle)
    n = int(state.n_powers)
    if power == state.power:
        return bool(state.stage > S.battle)
    away = (place_in_order(state, other_power) - state.kth + n) % n
    return away < (place_in_order(state, power) - state.kth + n) % n


@rule
def find_leader_near(box: Box, state: State, power: int, other_power: int) -> int:
    """A leader of `power` that stands next to a leader of `other_power`; NOBODY if none does (8.3)."""
    for k in range(2):
        leader = 2 * power + k
        if where_is(state, leader) != NOBODY and is_linked_to_any(box, state, leader, pair_of(other_power)):
            return leader
    return NOBODY


@rule
def attack_chance(box: Box, state: State, power: int, other_power: int) -> float:
    """The chance (0-1) that `other_power` attacks `power` before the next turn of `power` (8.3 to 8.6)."""
    if state.powers[other_power].strength == 0 or not has_battle_before(state, other_power, power):
        return 0.0
    leader = find_leader_near(box, state, power, other_power)
    if leader == NOBODY:
        return 0.0
    group = group_of(box, state, other_power, power, leader)
    side = group & pair_of(other_power)
    foes = group & pair_of(power)
    edge = attack_bonus(box, state, other_power, side, foes) - defence_bonus(box, state, power, foes)
    margin = most_to_commit(box, state, other_power, side) + edge - int(state.powers[power].strength)
    return CHANCE / (1.0 + math.exp(-POINT_SURENESS * (margin + 0.5)))


@rule
def are_leaders_adjacent(stands: Stands, power: int, other_power: int) -> bool:
    """Does a leader of `power` stand next to a leader of `other_power` (8.3)?"""
    if stands.touches[power] & stands.touches[other_power] != _ZERO:
        return True
    return is_not_empty(intersection(stands.near[power], stands.leaders[other_power]))


@rule
def dangerous_attack_chance(box: Box, state: State, power: int, seen: Survey, stands: Stands) -> float:
    """The chance (0-1) that an enemy that may win attacks the power before the power's next turn (8.3)."""
    peace = 1.0
    enemies = seen.enemies[power]
    for other in range(POWERS):
        if enemies >> other & 1 and are_leaders_adjacent(stands, power, other):
            peace *= 1.0 - attack_chance(box, state, power, other)
    return 1.0 - peace
