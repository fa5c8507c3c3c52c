"""A bot for Bellum, the reader: it plays like a normal bot, but its commitments are the best response to how normal bots commit.

It serves to measure how much can be gained by predicting them.

    sutler simulate bellum --bots studies/opponents/reader.py,greedy,greedy,greedy --games 1000

It computes the probabilities with which normal bots commit each force (guide 8.1; `bot/battle_commitments.py`), but not what was drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.bots.kit import Compiled
from sutler.core.rule import rule
from sutler.games.bellum.bot.battle_commitments import (
    attackers_edge,
    both_mixtures,
    expected_commitment_worth,
    highest_expected_commitment,
)
from sutler.games.bellum.phases_actions_events import A, P
from sutler.games.bellum.rules.common import ATTACKING, DEFENDING

if TYPE_CHECKING:
    from sutler.bots._greedy import greedy_choice


@dataclass(frozen=True)
class Reader(Compiled):
    """The normal bot with another choice of commitments."""

    name = "reader"

    redeals: int = 1
    nodes: int = 100


@rule
def best_commitment(box: Any, state: Any, of: Any) -> Any:
    """The force that side `of` commits for the highest expected worth against the other side's probabilities."""
    attacker, defender = both_mixtures(box, state)
    others = attacker
    if of == ATTACKING:
        others = defender
    edge = attackers_edge(box, state)
    best = -1000.0
    chosen = 0
    for force in range(highest_expected_commitment(box, state, of) + 1):
        value = expected_commitment_worth(state, edge, of, force, others)
        if value > best:
            best = value
            chosen = force
    return chosen


@rule
def decide(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """The action: in battles the best commitment, in all other decisions the greedy bot's choice."""
    state = scratch.world
    if state.phase == P.commit:
        return A.commit + best_commitment(box, state, ATTACKING)
    if state.phase == P.answer:
        return A.commit + best_commitment(box, state, DEFENDING)
    return greedy_choice(box, scratch, bot, luck)
