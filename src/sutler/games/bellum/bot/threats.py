"""Threats to a power before its next turn, for bots: neighbours attack where they stand, and march to where its tokens lie.

`forecast.py` computes what the next turn brings if nobody interferes; this computes how much of it is safe if they do.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import POWERS, S
from sutler.games.bellum.hexes import both, is_any
from sutler.games.bellum.rules.battle import group_of
from sutler.games.bellum.rules.common import pair_of
from sutler.games.bellum.rules.strength import attack_bonus, defence_bonus, is_linked_to_any, most_to_commit
from sutler.games.bellum.state import place_in_order, where_is

if TYPE_CHECKING:
    from sutler.games.bellum.bot.survey import Stands, Survey
    from sutler.games.bellum.records import Box, State

CHANCE = 0.72  # how likely an enemy that stands next to it attacks a power that it can beat
_ZERO = np.uint64(0)
POINT_SURENESS = 5.0  # how much surer it is for each point of strength above that


@rule
def is_next_before(state: State, other: int, power: int) -> bool:
    """7.1: has another power a battle phase before this power's next turn?"""
    if state.stage == S.preparation:
        return False
    if other == state.power:
        return bool(state.stage <= S.battle)
    n = int(state.n_powers)
    if power == state.power:
        return bool(state.stage > S.battle)
    away = (place_in_order(state, other) - state.kth + n) % n
    return away < (place_in_order(state, power) - state.kth + n) % n


@rule
def near_leader(box: Box, state: State, power: int, other: int) -> int:
    """8.3: one of the power's leaders that stands next to one of the other's; NOBODY: none does."""
    for k in range(2):
        leader = 2 * power + k
        if where_is(state, leader) != NOBODY and is_linked_to_any(box, state, leader, pair_of(other)):
            return leader
    return NOBODY


@rule
def attack_of(box: Box, state: State, power: int, other: int) -> float:
    """8.3 to 8.6: how likely the other power, which stands next to it, attacks before the power's next turn."""
    if state.powers[other].strength == 0 or not is_next_before(state, other, power):
        return 0.0
    leader = near_leader(box, state, power, other)
    if leader == NOBODY:
        return 0.0
    group = group_of(box, state, other, power, leader)
    side = group & pair_of(other)
    foes = group & pair_of(power)
    edge = attack_bonus(box, state, other, side, foes) - defence_bonus(box, state, power, foes)
    margin = most_to_commit(box, state, other, side) + edge - int(state.powers[power].strength)
    return CHANCE / (1.0 + math.exp(-POINT_SURENESS * (margin + 0.5)))


@rule
def is_near(stands: Stands, power: int, other: int) -> bool:
    """8.3: does one of the power's leaders stand next to one of the other's?"""
    if stands.touches[power] & stands.touches[other] != _ZERO:
        return True
    return is_any(both(stands.near[power], stands.leaders[other]))


@rule
def danger(box: Box, state: State, power: int, seen: Survey, stands: Stands) -> float:
    """8.3: how likely the power is attacked, before its next turn, by an enemy that may beat it."""
    peace = 1.0
    enemies = seen.enemies[power]
    for other in range(POWERS):
        if enemies >> other & 1 and is_near(stands, power, other):
            peace *= 1.0 - attack_of(box, state, power, other)
    return 1.0 - peace
