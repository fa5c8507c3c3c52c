"""The strength that bots commit in a battle (guide 8.1), drawn from a mixture, as both sides choose in secret.

The attacker first answers a defender who might choose anything; the defender answers that attacker, and the attacker answers that
defender. Each answer is a mixture: the better a choice, the likelier.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sutler.core.rule import rule
from sutler.games.bellum.rules.common import ATTACKING, DEFENDING
from sutler.games.bellum.rules.strength import attack_bonus, defence_bonus, most_to_commit

if TYPE_CHECKING:
    from sutler.games.bellum.records import Box, State

Thoughts = tuple[float, float, float, float, float, float, float, float, float, float]
MAX_COMMITTED = 9  # a bot commits no more, and expects no more
LEVEL = 0.42  # a point of strength
FRAIL = 5.6  # strength 0
RUINOUS = 1.0  # not enough strength to live a turn without supply
FIELD = 5.1  # to keep one's place, or to take the other's
KILL = 1.8  # a leader removed
BLED = 0.88  # what the other loses counts so much
LOOSE = 1.3  # how far a mixture strays from the best choice
UNIT32 = 1.0 / 4294967296.0


@rule
def kept_strength(state: State, power: int, strength: int) -> float:
    """The worth to a power of this strength after a battle."""
    worth = LEVEL * strength
    if strength <= 0:
        worth -= FRAIL
    if state.powers[power].supply <= 2 and strength <= 2:
        worth -= RUINOUS
    return worth


@rule
def after_battle(state: State, power: int, paid: int, outcome: int) -> float:
    """8.2, 8.7: the worth of a battle to a power that committed `paid`; outcome: 1 won, 0 won by a draw, -1 lost, -2 lost by a draw."""
    strength = int(state.powers[power].strength) - paid
    if outcome == 1:
        return kept_strength(state, power, strength + 1) + FIELD
    if outcome == 0:
        return kept_strength(state, power, strength) + FIELD
    if outcome == -2:
        return kept_strength(state, power, strength) - FIELD
    if strength < 1:
        return kept_strength(state, power, strength) - FIELD - KILL
    return kept_strength(state, power, strength - 1) - FIELD


@rule
def payoff(state: State, edge: int, a: int, d: int, of: int) -> float:
    """8.1, 8.2: the worth of the two commitments to the attacker or the defender; `edge`: the attacker's modifiers less the defender's."""
    attacker = int(state.fight.attacker)
    defender = int(state.fight.defender)
    won = 1
    lost = -1
    if a == 0 and d == 0:
        mine = kept_strength(state, attacker, int(state.powers[attacker].strength))
        other = kept_strength(state, defender, int(state.powers[defender].strength))
    else:
        if a > 0 and d > 0 and a + edge == d:
            won = 0
            lost = -2
        if a > 0 and (d == 0 or a + edge >= d):
            mine = after_battle(state, attacker, a, won)
            other = after_battle(state, defender, d, lost)
        else:
            mine = after_battle(state, attacker, a, lost)
            other = after_battle(state, defender, d, won)
    if of == ATTACKING:
        return mine - BLED * other
    return other - BLED * mine


@rule
def edge_of(box: Box, state: State) -> int:
    """8.6: the attacker's modifiers less the defender's."""
    fight = state.fight
    side = int(fight.side)
    foes = int(fight.foes)
    return attack_bonus(box, state, int(fight.attacker), side, foes) - defence_bonus(
        box, state, int(fight.defender), foes
    )


@rule
def most_of(box: Box, state: State, of: int) -> int:
    """8.1: the most that one side is expected to commit."""
    fight = state.fight
    if of == ATTACKING:
        return min(MAX_COMMITTED, most_to_commit(box, state, int(fight.attacker), int(fight.side)))
    return min(MAX_COMMITTED, most_to_commit(box, state, int(fight.defender), int(fight.foes)))


@rule
def first_thought(state: State, edge: int, most: int, a: int) -> float:
    """How likely an attacker commits `a` who expects any defence; not normalised."""
    if a == 0:
        return 0.0
    total = 0.0
    for d in range(most + 1):
        total += payoff(state, edge, a, d, ATTACKING)
    return math.exp(total / (most + 1) / LOOSE)


@rule
def first_thoughts(state: State, edge: int, most: int) -> Thoughts:
    """`first_thought` for each commitment from 0 to the limit; each is used many times."""
    return (
        first_thought(state, edge, most, 0),
        first_thought(state, edge, most, 1),
        first_thought(state, edge, most, 2),
        first_thought(state, edge, most, 3),
        first_thought(state, edge, most, 4),
        first_thought(state, edge, most, 5),
        first_thought(state, edge, most, 6),
        first_thought(state, edge, most, 7),
        first_thought(state, edge, most, 8),
        first_thought(state, edge, most, 9),
    )


@rule
def second_thought(state: State, edge: int, strong: int, d: int, first: Thoughts) -> float:
    """How likely a defender commits `d` who expects an attacker of `first_thoughts`; not normalised."""
    total = 0.0
    weight = 0.0
    for a in range(1, strong + 1):
        likely = first[a]
        total += likely * payoff(state, edge, a, d, DEFENDING)
        weight += likely
    if weight == 0.0:
        return 1.0
    return math.exp(total / weight / LOOSE)


@rule
def third_thought(state: State, edge: int, most: int, strong: int, a: int) -> float:
    """The expected outcome, for an attacker, of committing `a` against a defender of `second_thought`."""
    first = first_thoughts(state, edge, most)
    total = 0.0
    weight = 0.0
    for d in range(most + 1):
        likely = second_thought(state, edge, strong, d, first)
        total += likely * payoff(state, edge, a, d, ATTACKING)
        weight += likely
    return total / weight


@rule
def prospect(box: Box, state: State) -> float:
    """While the defender still chooses: what the attacker may expect of what it has committed, compared with no battle."""
    edge = edge_of(box, state)
    strong = most_of(box, state, ATTACKING)
    most = most_of(box, state, DEFENDING)
    a = int(state.fight.commit[ATTACKING])
    return third_thought(state, edge, most, strong, a) - payoff(state, edge, 0, 0, ATTACKING)


@rule
def defence(box: Box, state: State) -> int:
    """The commitment of the defender, drawn from its mixture with the luck of the redeal at hand."""
    edge = edge_of(box, state)
    strong = most_of(box, state, ATTACKING)
    most = most_of(box, state, DEFENDING)
    first = first_thoughts(state, edge, most)
    total = 0.0
    for d in range(most + 1):
        total += second_thought(state, edge, strong, d, first)
    left = total * (float(state.rng[0]) * UNIT32)
    for d in range(most):
        left -= second_thought(state, edge, strong, d, first)
        if left < 0.0:
            return d
    return most
