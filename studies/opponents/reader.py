"""Reader of Bellum: a normal bot that knows how normal bots commit and answers it best, to test what reading them brings.

    sutler simulate bellum --bots studies/opponents/reader.py,greedy,greedy,greedy --games 1000

It computes the very mixtures that they draw from (guide 8.1; `bot/commitments.py`). What was drawn it cannot know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.bots.kit import Compiled
from sutler.core.rule import rule
from sutler.games.bellum.bot.commitments import edge_of, expected_worth, mixtures, most_of
from sutler.games.bellum.rules.common import ATTACKING, DEFENDING
from sutler.games.bellum.table import A, P

if TYPE_CHECKING:
    from sutler.bots._greedy import greedy_choice


@dataclass(frozen=True)
class Reader(Compiled):
    """Normal in all but what it commits."""

    name = "reader"

    redeals: int = 1
    nodes: int = 100


@rule
def best_commitment(box: Any, state: Any, of: Any) -> Any:
    """The commitment of one side that brings most against the other side's mixture."""
    attacker, defender = mixtures(box, state)
    others = attacker
    if of == ATTACKING:
        others = defender
    edge = edge_of(box, state)
    best = -1000.0
    chosen = 0
    for force in range(most_of(box, state, of) + 1):
        value = expected_worth(state, edge, of, force, others)
        if value > best:
            best = value
            chosen = force
    return chosen


@rule
def decide(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """Reads the other side of a battle; is greedy in all else."""
    state = scratch.world
    if state.phase == P.commit:
        return A.commit + best_commitment(box, state, ATTACKING)
    if state.phase == P.answer:
        return A.commit + best_commitment(box, state, DEFENDING)
    return greedy_choice(box, scratch, bot, luck)
