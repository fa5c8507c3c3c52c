"""The strength that bots commit in a battle: both sides choose in secret, so each draws from a mixed strategy (guide 8.1).

The mixed strategies are close to an equilibrium, computed by fictitious play: for some rounds, each side answers the average of the other's
choices so far. So knowing them gains little: the best answer of a defender who knows the attacker's mixture gains about 0.2 points a
battle.
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
"""A number for each commitment from 0 to MAX_COMMITTED: its chance (0-1), or the worth of choosing it, in points."""
MAX_COMMITTED = 9  # a bot commits no more, and expects no more
LEVEL = 0.42  # a point of strength
FRAIL = 5.6  # strength 0
RUINOUS = 1.0  # not enough strength to live a turn without supply
FIELD = 5.1  # holding the field after a battle
KILL = 1.8  # a leader removed
BLED = 0.88  # the weight of the other side's gains and losses
STRAY = 0.3  # temperature of an answer, in points: higher for answers that stray further from the best choice
ANSWERS = 12  # rounds of fictitious play
UNIT32 = 1.0 / 4294967296.0


@rule
def kept_strength(state: State, power: int, strength: int) -> float:
    """The worth to a power of having this strength after a battle, in points."""
    worth = LEVEL * strength
    if strength <= 0:
        worth -= FRAIL
    if state.powers[power].supply <= 2 and strength <= 2:
        worth -= RUINOUS
    return worth


@rule
def after_battle(state: State, power: int, paid: int, outcome: int) -> float:
    """The worth of a battle's outcome to a power that committed `paid`, in points (8.2, 8.7).

    `outcome`: 1 won, 0 won by a draw, -1 lost, -2 lost by a draw.
    """
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
    """The worth to one side of the attacker committing `a` and the defender `d`, in points (8.1, 8.2).

    `edge`: the attacker's modifiers less the defender's; `of`: the side, ATTACKING or DEFENDING.
    """
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
    """The attacker's modifiers less the defender's (8.6)."""
    fight = state.fight
    side = int(fight.side)
    foes = int(fight.foes)
    return attack_bonus(box, state, int(fight.attacker), side, foes) - defence_bonus(
        box, state, int(fight.defender), foes
    )


@rule
def most_of(box: Box, state: State, of: int) -> int:
    """The most that a side of the battle is expected to commit; `of`: ATTACKING or DEFENDING (8.1)."""
    fight = state.fight
    if of == ATTACKING:
        return min(MAX_COMMITTED, most_to_commit(box, state, int(fight.attacker), int(fight.side)))
    return min(MAX_COMMITTED, most_to_commit(box, state, int(fight.defender), int(fight.foes)))


@rule
def expected_worth(state: State, edge: int, of: int, mine: int, others: Mixture) -> float:
    """The expected worth to one side of committing `mine` against the other side's mixture, in points.

    `edge`: the attacker's modifiers less the defender's; `of`: the side, ATTACKING or DEFENDING.
    """
    total = 0.0
    for other in range(MAX_COMMITTED + 1):
        if others[other] > 0.0:
            if of == ATTACKING:
                total += others[other] * payoff(state, edge, mine, other, of)
            else:
                total += others[other] * payoff(state, edge, other, mine, of)
    return total


@rule
def worths_of_commitments(state: State, edge: int, of: int, others: Mixture) -> Mixture:
    """The expected worth to one side of each commitment from 0 to MAX_COMMITTED, in points (see `expected_worth`)."""
    return (
        expected_worth(state, edge, of, 0, others),
        expected_worth(state, edge, of, 1, others),
        expected_worth(state, edge, of, 2, others),
        expected_worth(state, edge, of, 3, others),
        expected_worth(state, edge, of, 4, others),
        expected_worth(state, edge, of, 5, others),
        expected_worth(state, edge, of, 6, others),
        expected_worth(state, edge, of, 7, others),
        expected_worth(state, edge, of, 8, others),
        expected_worth(state, edge, of, 9, others),
    )


@rule
def answer_weight(outcome: float, best: float, k: int, least: int, most: int) -> float:
    """The weight of commitment `k` in an answer, not normalised: higher for a higher worth `outcome`; 0 outside `least` to `most`."""
    if k < least or k > most:
        return 0.0
    return math.exp((outcome - best) / STRAY)


@rule
def answer_to(outcome: Mixture, least: int, most: int) -> Mixture:
    """The mixture of a side for which each commitment has the worth in `outcome`: the higher its worth, the likelier it is.

    `least` and `most`: the lowest and the highest commitment allowed.
    """
    best = outcome[least]
    for k in range(least, most + 1):
        best = max(best, outcome[k])
    total = 0.0
    for k in range(least, most + 1):
        total += answer_weight(outcome[k], best, k, least, most)
    return (
        answer_weight(outcome[0], best, 0, least, most) / total,
        answer_weight(outcome[1], best, 1, least, most) / total,
        answer_weight(outcome[2], best, 2, least, most) / total,
        answer_weight(outcome[3], best, 3, least, most) / total,
        answer_weight(outcome[4], best, 4, least, most) / total,
        answer_weight(outcome[5], best, 5, least, most) / total,
        answer_weight(outcome[6], best, 6, least, most) / total,
        answer_weight(outcome[7], best, 7, least, most) / total,
        answer_weight(outcome[8], best, 8, least, most) / total,
        answer_weight(outcome[9], best, 9, least, most) / total,
    )


@rule
def blend(some: Mixture, others: Mixture, share: float) -> Mixture:
    """The weighted mean of two mixtures; `share`: the weight of the second (0-1)."""
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
    """The mixture in which all commitments from `least` to `most` are equally likely."""
    nothing = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return answer_to(nothing, least, most)


@rule
def mixtures(box: Box, state: State) -> tuple[Mixture, Mixture]:
    """The mixtures of the attacker and of the defender; an attacker that can commit anything commits at least 1 (8.1)."""
    edge = edge_of(box, state)
    strong = most_of(box, state, ATTACKING)
    most = most_of(box, state, DEFENDING)
    least = min(1, strong)
    attacker = even_mixture(least, strong)
    defender = even_mixture(0, most)
    for n in range(ANSWERS):
        share = 2.0 / (n + 2.0)  # later answers count for more
        attacks = answer_to(worths_of_commitments(state, edge, ATTACKING, defender), least, strong)
        attacker = blend(attacker, attacks, share)
        answers = answer_to(worths_of_commitments(state, edge, DEFENDING, attacker), 0, most)
        defender = blend(defender, answers, share)
    return attacker, defender


@rule
def attackers_gain(box: Box, state: State) -> float:
    """The expected worth of a battle to the attacker, compared with no battle, in points; asked while the defender still chooses."""
    edge = edge_of(box, state)
    a = min(MAX_COMMITTED, int(state.fight.commit[ATTACKING]))
    return expected_worth(state, edge, ATTACKING, a, mixtures(box, state)[1]) - payoff(state, edge, 0, 0, ATTACKING)


@rule
def commitment_at(mixture: Mixture, chance: float) -> int:
    """The commitment that a mixture assigns to a random number `chance` from 0 to 1."""
    drawn = 0
    for k in range(MAX_COMMITTED + 1):
        if mixture[k] > 0.0:
            drawn = k
            chance -= mixture[k]
            if chance < 0.0:
                return drawn
    return drawn


@rule
def drawn_attack(box: Box, state: State) -> int:
    """The commitment of the attacker, drawn from its mixture with other bits of the state's random numbers than the defender's."""
    return commitment_at(mixtures(box, state)[0], float(state.rng[2]) * UNIT32)


@rule
def drawn_defence(box: Box, state: State) -> int:
    """The commitment of the defender, drawn from its mixture with the state's random numbers."""
    return commitment_at(mixtures(box, state)[1], float(state.rng[0]) * UNIT32)
