"""The strength that bots commit in a battle (guide 8.1): both sides choose in secret, so each draws from a mixture.

The mixtures are close to an equilibrium: each side answers what the other has done so far on the average, some rounds long (fictitious
play). So hardly anything is gained by knowing them: a defender who knows the attacker's mixture gains about 0.2 points a battle by
the best answer to it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sutler.core.rule import rule
from sutler.games.bellum.rules.common import ATTACKING, DEFENDING
from sutler.games.bellum.rules.strength import attack_bonus, defence_bonus, most_to_commit

if TYPE_CHECKING:
    from sutler.games.bellum.records import Box, State

Mixture = tuple[float, float, float, float, float, float, float, float, float, float]
"""How likely each commitment from 0 to MAX_COMMITTED is; or what each brings."""
MAX_COMMITTED = 9  # a bot commits no more, and expects no more
LEVEL = 0.42  # a point of strength
FRAIL = 5.6  # strength 0
RUINOUS = 1.0  # not enough strength to live a turn without supply
FIELD = 5.1  # to keep one's place, or to take the other's
KILL = 1.8  # a leader removed
BLED = 0.88  # what the other loses counts so much
STRAY = 0.3  # how far an answer strays from the best choice
ANSWERS = 12  # rounds of fictitious play
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
def expected(state: State, edge: int, of: int, mine: int, others: Mixture) -> float:
    """The expected outcome, for one side, of committing `mine` against the other side's mixture."""
    total = 0.0
    for other in range(MAX_COMMITTED + 1):
        if others[other] > 0.0:
            if of == ATTACKING:
                total += others[other] * payoff(state, edge, mine, other, of)
            else:
                total += others[other] * payoff(state, edge, other, mine, of)
    return total


@rule
def outcomes(state: State, edge: int, of: int, others: Mixture) -> Mixture:
    """`expected` for each commitment from 0 to MAX_COMMITTED."""
    return (
        expected(state, edge, of, 0, others),
        expected(state, edge, of, 1, others),
        expected(state, edge, of, 2, others),
        expected(state, edge, of, 3, others),
        expected(state, edge, of, 4, others),
        expected(state, edge, of, 5, others),
        expected(state, edge, of, 6, others),
        expected(state, edge, of, 7, others),
        expected(state, edge, of, 8, others),
        expected(state, edge, of, 9, others),
    )


@rule
def weight(outcome: float, best: float, k: int, least: int, most: int) -> float:
    """How likely a commitment `k` of this outcome is, not normalised; 0 outside the limits."""
    if k < least or k > most:
        return 0.0
    return math.exp((outcome - best) / STRAY)


@rule
def answer_to(outcome: Mixture, least: int, most: int) -> Mixture:
    """The mixture of a side to which its commitments bring these outcomes: the better one is, the likelier."""
    best = outcome[least]
    for k in range(least, most + 1):
        best = max(best, outcome[k])
    total = 0.0
    for k in range(least, most + 1):
        total += weight(outcome[k], best, k, least, most)
    return (
        weight(outcome[0], best, 0, least, most) / total,
        weight(outcome[1], best, 1, least, most) / total,
        weight(outcome[2], best, 2, least, most) / total,
        weight(outcome[3], best, 3, least, most) / total,
        weight(outcome[4], best, 4, least, most) / total,
        weight(outcome[5], best, 5, least, most) / total,
        weight(outcome[6], best, 6, least, most) / total,
        weight(outcome[7], best, 7, least, most) / total,
        weight(outcome[8], best, 8, least, most) / total,
        weight(outcome[9], best, 9, least, most) / total,
    )


@rule
def blend(some: Mixture, others: Mixture, share: float) -> Mixture:
    """A mixture of two mixtures, the second with this share."""
    return (
        some[0] + share * (others[0] - some[0]),
        some[1] + share * (others[1] - some[1]),
        some[2] + share * (others[2] - some[2]),
        some[3] + share * (others[3] - some[3]),
        some[4] + share * (others[4] - some[4]),
        some[5] + share * (others[5] - some[5]),
        some[6] + share * (others[6] - some[6]),
        some[7] + share * (others[7] - some[7]),
        some[8] + share * (others[8] - some[8]),
        some[9] + share * (others[9] - some[9]),
    )


@rule
def even_mixture(least: int, most: int) -> Mixture:
    """The mixture in which each commitment within the limits is equally likely."""
    nothing = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return answer_to(nothing, least, most)


@rule
def mixtures(box: Box, state: State) -> tuple[Mixture, Mixture]:
    """8.1: the mixtures of the attacker and the defender. An attacker that may commit something commits something."""
    edge = edge_of(box, state)
    strong = most_of(box, state, ATTACKING)
    most = most_of(box, state, DEFENDING)
    least = min(1, strong)
    attacker = even_mixture(least, strong)
    defender = even_mixture(0, most)
    for n in range(ANSWERS):
        share = 2.0 / (n + 2.0)  # later answers count for more
        attacks = answer_to(outcomes(state, edge, ATTACKING, defender), least, strong)
        attacker = blend(attacker, attacks, share)
        answers = answer_to(outcomes(state, edge, DEFENDING, attacker), 0, most)
        defender = blend(defender, answers, share)
    return attacker, defender


@rule
def prospect(box: Box, state: State) -> float:
    """While the defender still chooses: what the attacker may expect of what it has committed, compared with no battle."""
    edge = edge_of(box, state)
    a = min(MAX_COMMITTED, int(state.fight.commit[ATTACKING]))
    return expected(state, edge, ATTACKING, a, mixtures(box, state)[1]) - payoff(state, edge, 0, 0, ATTACKING)


@rule
def draw(mixture: Mixture, chance: float) -> int:
    """The commitment that a number between 0 and 1 draws from a mixture."""
    drawn = 0
    for k in range(MAX_COMMITTED + 1):
        if mixture[k] > 0.0:
            drawn = k
            chance -= mixture[k]
            if chance < 0.0:
                return drawn
    return drawn


@rule
def attack(box: Box, state: State) -> int:
    """The commitment of the attacker, drawn from its mixture with the luck of the redeal at hand; other luck than the defender's."""
    return draw(mixtures(box, state)[0], float(state.rng[2]) * UNIT32)


@rule
def defence(box: Box, state: State) -> int:
    """The commitment of the defender, drawn from its mixture with the luck of the redeal at hand."""
    return draw(mixtures(box, state)[1], float(state.rng[0]) * UNIT32)
