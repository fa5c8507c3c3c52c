"""How hard an obstacle is (guide 1.11, 7.1, 7.2, 7.4): difficulty, stress dice, and what bars it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import FACES, RES, SCOPE_ALL, SCOPE_HERE
from sutler.games.sixwinters.rules.common import region_of, threat_level
from sutler.games.sixwinters.vocabulary import DO, operation

if TYPE_CHECKING:
    from sutler.games.sixwinters.records import Box, Op, State


@rule
def matches(box: Box, card: int, tags: int, threat: int, skill: int) -> bool:
    """14.1: has an obstacle one of these tags, this threat tag, this skill? What is not named is not asked."""
    one = box.obstacle[card]
    if tags != 0 and one.tags & tags == 0:
        return False
    if threat >= 0 and one.threats[threat] == 0:
        return False
    return skill < 0 or one.skill == skill


@rule
def difficulty(box: Box, state: State, card: int) -> int:
    """1.11: an obstacle's difficulty as it stands: printed, the players', and what cards in play add."""
    total = int(box.obstacle[card].difficulty) + int(box.rules.harder[state.n_seats])
    for i in range(state.n_ruled):
        kind = box.ops[state.ruled[i].op].op
        if kind == DO.difficulty or kind == DO.difficulty_self:
            total += added_by(box, state, i, card)
    return total


@operation("difficulty", needs="by scope", may="tags threat", holds=True)
@operation("difficulty_self", needs="plus", holds=True)
@rule
def added_by(box: Box, state: State, i: int, card: int) -> int:
    """1.11: what one card in play (the i-th of those that rule) adds to an obstacle's difficulty."""
    row = state.ruled[i]
    op = box.ops[row.op]
    if op.op == DO.difficulty and adds_to(box, op, row.slot, card, int(state.obstacle_at[card])):
        return int(op.by)
    total = 0
    if op.op == DO.difficulty_self and row.obstacle == card:
        for k in range(state.n_on_cards):
            if state.die_on[k] == card:
                total += state.die_is[k] % FACES + 1
    return total


@rule
def is_in_scope(box: Box, op: Op, slot: int, at: int) -> bool:
    """13.5: does an operation reach this place, from where it lies?"""
    if op.scope == SCOPE_ALL:
        return True
    if op.scope == SCOPE_HERE:
        return slot == at
    return region_of(box, slot) == region_of(box, at)


@rule
def adds_to(box: Box, op: Op, source: int, card: int, slot: int) -> bool:
    """Does a modifier from a source's slot apply to an obstacle at another?"""
    return matches(box, card, op.tags, op.threat, NOBODY) and is_in_scope(box, op, slot, source)


@operation("stress_pool_sum", needs="resources", holds=True)
@rule
def n_stress_dice(box: Box, state: State, card: int) -> int:
    """7.4: as many as the highest threat level among its tags; a few cards say otherwise."""
    for i in range(state.n_ruled):
        row = state.ruled[i]
        if row.obstacle == card and box.ops[row.op].op == DO.stress_pool_sum:
            total = 0
            for r in range(RES):
                if box.ops[row.op].resources >> r & 1:
                    total += threat_level(box, state, r)
            return total
    most = 0
    for r in range(RES):
        if box.obstacle[card].threats[r] > 0:
            most = max(most, threat_level(box, state, r))
    return most


@operation("forbid_overcome", needs="threat", holds=True)
@rule
def is_barred(box: Box, state: State, card: int) -> bool:
    """7.1: does a card in play forbid overcoming this one?"""
    for i in range(state.n_ruled):
        op = box.ops[state.ruled[i].op]
        if op.op == DO.forbid_overcome and op.threat >= 0 and box.obstacle[card].threats[op.threat] > 0:
            return True
    return False


@operation("no_teamwork", holds=True)
@rule
def is_for_one(box: Box, state: State, card: int) -> bool:
    """7.2: an obstacle that characters may not overcome together."""
    for i in range(state.n_ruled):
        row = state.ruled[i]
        if row.obstacle == card and box.ops[row.op].op == DO.no_teamwork:
            return True
    return False
