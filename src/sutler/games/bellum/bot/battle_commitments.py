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
def strength_worth(state: State, power: int, strength: int) -> float:
    """The worth to a power of having this much strength left after a battle, in points of the negotiation score."""
    worth = LEVEL * strength
    if strength <= 0:
        worth -= FRAIL
    if state.powers[power].supply <= 2 and strength <= 2:
        worth -= RUINOUS
    return worth


@rule
def battle_outcome_worth(state: State, power: int, committed: int, outcome: int) -> float:
    """The worth of a battle's outcome to a power, in points; `committed`: the strength it committed (8.2, 8.7).

    `outcome`: 1 won, 0 won by a draw, -1 lost, -2 lost by a draw.
    """
    strength = int(state.powers[power].strength) - committed
    if outcome == 1:
        return strength_worth(state, power, strength + 1) + FIELD
    if outcome == 0:
        return strength_worth(state, power, strength) + FIELD
    if outcome == -2:
        return strength_worth(state, power, strength) - FIELD
    if strength < 1:
        return strength_worth(state, power, strength) - FIELD - KILL
    return strength_worth(state, power, strength - 1) - FIELD


@rule
def compute_payoff(state: State, edge: int, attack: int, defence: int, side: int) -> float:
    """The worth to one side of a battle in which the attacker commits `attack` and the defender `defence`, in points (8.1, 8.2).

    `edge`: the attacker's modifiers less the defender's; `side`: the side, ATTACKING or DEFENDING.
    """
    attacker = int(state.fight.attacker)
    defender = int(state.fight.defender)
    won = 1
    lost = -1
    if attack == 0 and defence == 0:
        mine = strength_worth(state, attacker, int(state.powers[attacker].strength))
        other = strength_worth(state, defender, int(state.powers[defender].strength))
    else:
        if attack > 0 and defence > 0 and attack + edge == defence:
            won = 0
            lost = -2
        if attack > 0 and (defence == 0 or attack + edge >= defence):
            mine = battle_outcome_worth(state, attacker, attack, won)
            other = battle_outcome_worth(state, defender, defence, lost)
        else:
            mine = battle_outcome_worth(state, attacker, attack, lost)
            other = battle_outcome_worth(state, defender, defence, won)
    if side == ATTACKING:
        return mine - BLED * other
    return other - BLED * mine


@rule
def attackers_edge(box: Box, state: State) -> int:
    """The attacker's modifiers less the defender's modifiers in the battle under way (8.6)."""
    fight = state.fight
    side = int(fight.side)
    foes = int(fight.foes)
    return attack_bonus(box, state, int(fight.attacker), side, foes) - defence_bonus(
        box, state, int(fight.defender), foes
    )


@rule
def highest_expected_commitment(box: Box, state: State, side: int) -> int:
    """The largest commitment that bots expect of one side of the battle; `side`: ATTACKING or DEFENDING (8.1)."""
    fight = state.fight
    if side == ATTACKING:
        return min(MAX_COMMITTED, most_to_commit(box, state, int(fight.attacker), int(fight.side)))
    return min(MAX_COMMITTED, most_to_commit(box, state, int(fight.defender), int(fight.foes)))


@rule
def expected_commitment_worth(state: State, edge: int, side: int, own: int, rival_mixture: Mixture) -> float:
    """The expected worth to one side of committing `own`, in points, where the other side draws its commitment from `rival_mixture`.

    `edge`: the attacker's modifiers less the defender's; `side`: the side, ATTACKING or DEFENDING.
    """
    total = 0.0
    for other in range(MAX_COMMITTED + 1):
        if rival_mixture[other] > 0.0:
            if side == ATTACKING:
                total += rival_mixture[other] * compute_payoff(state, edge, own, other, side)
            else:
                total += rival_mixture[other] * compute_payoff(state, edge, other, own, side)
    return total


@rule
def commitment_worths(state: State, edge: int, side: int, rival_mixture: Mixture) -> Mixture:
    """The expected worth to one side of each commitment from 0 to MAX_COMMITTED, in points (see `expected_commitment_worth`)."""
    return (
        expected_commitment_worth(state, edge, side, 0, rival_mixture),
        expected_commitment_worth(state, edge, side, 1, rival_mixture),
        expected_commitment_worth(state, edge, side, 2, rival_mixture),
        expected_commitment_worth(state, edge, side, 3, rival_mixture),
        expected_commitment_worth(state, edge, side, 4, rival_mixture),
        expected_commitment_worth(state, edge, side, 5, rival_mixture),
        expected_commitment_worth(state, edge, side, 6, rival_mixture),
        expected_commitment_worth(state, edge, side, 7, rival_mixture),
        expected_commitment_worth(state, edge, side, 8, rival_mixture),
        expected_commitment_worth(state, edge, side, 9, rival_mixture),
    )


@rule
def commitment_weight(worth: float, best_worth: float, commitment: int, lowest: int, highest: int) -> float:
    """The weight of one commitment in the mixed strategy of `reply_mixture`, not normalised: larger for a larger `worth`.

    It is 0 for a commitment outside `lowest` to `highest`.
    """
    if commitment < lowest or commitment > highest:
        return 0.0
    return math.exp((worth - best_worth) / STRAY)


@rule
def reply_mixture(worths: Mixture, lowest: int, highest: int) -> Mixture:
    """The mixed strategy of a side, as a chance for each commitment: the higher a commitment's worth in `worths`, the likelier it is.

    `lowest` and `highest`: the lowest and the highest commitment allowed.
    """
    best = worths[lowest]
    for k in range(lowest, highest + 1):
        best = max(best, worths[k])
    total = 0.0
    for k in range(lowest, highest + 1):
        total += commitment_weight(worths[k], best, k, lowest, highest)
    return (
        commitment_weight(worths[0], best, 0, lowest, highest) / total,
        commitment_weight(worths[1], best, 1, lowest, highest) / total,
        commitment_weight(worths[2], best, 2, lowest, highest) / total,
        commitment_weight(worths[3], best, 3, lowest, highest) / total,
        commitment_weight(worths[4], best, 4, lowest, highest) / total,
        commitment_weight(worths[5], best, 5, lowest, highest) / total,
        commitment_weight(worths[6], best, 6, lowest, highest) / total,
        commitment_weight(worths[7], best, 7, lowest, highest) / total,
        commitment_weight(worths[8], best, 8, lowest, highest) / total,
        commitment_weight(worths[9], best, 9, lowest, highest) / total,
    )


@rule
def blend_mixtures(first: Mixture, second: Mixture, second_share: float) -> Mixture:
    """The weighted mean of two mixed strategies; `second_share`: the weight of the second (0-1)."""
    return (
        first[0] + second_share * (second[0] - first[0]),
        first[1] + second_share * (second[1] - first[1]),
        first[2] + second_share * (second[2] - first[2]),
        first[3] + second_share * (second[3] - first[3]),
        first[4] + second_share * (second[4] - first[4]),
        first[5] + second_share * (second[5] - first[5]),
        first[6] + second_share * (second[6] - first[6]),
        first[7] + second_share * (second[7] - first[7]),
        first[8] + second_share * (second[8] - first[8]),
        first[9] + second_share * (second[9] - first[9]),
    )


@rule
def uniform_mixture(lowest: int, highest: int) -> Mixture:
    """The mixed strategy in which all commitments from `lowest` to `highest` are equally likely."""
    nothing = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return reply_mixture(nothing, lowest, highest)


@rule
def both_mixtures(box: Box, state: State) -> tuple[Mixture, Mixture]:
    """The mixed strategies of the attacker and of the defender in the battle under way (8.1).

    An attacker that can commit anything commits at least 1.
    """
    edge = attackers_edge(box, state)
    strong = highest_expected_commitment(box, state, ATTACKING)
    most = highest_expected_commitment(box, state, DEFENDING)
    least = min(1, strong)
    attacker = uniform_mixture(least, strong)
    defender = uniform_mixture(0, most)
    for n in range(ANSWERS):
        share = 2.0 / (n + 2.0)  # later answers count for more
        attacks = reply_mixture(commitment_worths(state, edge, ATTACKING, defender), least, strong)
        attacker = blend_mixtures(attacker, attacks, share)
        answers = reply_mixture(commitment_worths(state, edge, DEFENDING, attacker), 0, most)
        defender = blend_mixtures(defender, answers, share)
    return attacker, defender


@rule
def expected_attack_worth(box: Box, state: State) -> float:
    """The expected worth of the battle under way to the attacker, less the worth of not attacking, in points.

    The caller asks while the defender has still to commit.
    """
    edge = attackers_edge(box, state)
    a = min(MAX_COMMITTED, int(state.fight.commit[ATTACKING]))
    return expected_commitment_worth(state, edge, ATTACKING, a, both_mixtures(box, state)[1]) - compute_payoff(
        state, edge, 0, 0, ATTACKING
    )


@rule
def pick_commitment(mixture: Mixture, random_number: float) -> int:
    """The commitment that a random number picks from a mixed strategy; `random_number`: 0 to 1."""
    drawn = 0
    for k in range(MAX_COMMITTED + 1):
        if mixture[k] > 0.0:
            drawn = k
            random_number -= mixture[k]
            if random_number < 0.0:
                return drawn
    return drawn


@rule
def draw_attack_commitment(box: Box, state: State) -> int:
    """The attacker's commitment, drawn at random from its mixed strategy.

    It uses other bits of the state's random numbers than `draw_defence_commitment`.
    """
    return pick_commitment(both_mixtures(box, state)[0], float(state.rng[2]) * UNIT32)


@rule
def draw_defence_commitment(box: Box, state: State) -> int:
    """The defender's commitment, drawn from its mixed strategy with the state's random numbers."""
    return pick_commitment(both_mixtures(box, state)[1], float(state.rng[0]) * UNIT32)
