"""Rule coverage: random games reach every kind of action and tell every kind of event."""

import pytest

import sutler

from contract.cases import GAMES
from helpers import walk

OPTION_SETS: dict[str, list[dict[str, object]]] = {
    "manor": [{}, {"hardship_deck": True, "victory": 8}, {"no_map": True, "victory": 8}],
}
"""Options that some kinds of action or event need."""

NEVER: dict[str, set[str]] = {}
"""Kinds that random play cannot be expected to reach, by game, each with a test of its own."""

DECISIONS = 12_000


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_is_reached(game: str) -> None:
    """Each block of the action table is played and each kind of event is told in a few random games."""
    played: set[str] = set()
    told: set[str] = set()
    for options in OPTION_SETS.get(game, [{}]):
        rules = sutler.load(game, **options)
        pos = rules.new(min(3, rules.max_seats), seed=2)  # with three, whom to aim at is a choice
        for _ in walk(pos, seed=3, most=DECISIONS):
            pass
        played |= {rules.action_names[decision.action].block for decision in pos.decisions}
        told |= {event.kind for _, event in pos.told()}
    d = rules.definition
    never = NEVER.get(game, set())
    assert set(d.actions.blocks) - played - never == set()
    assert set(d.events.events) - told - never == set()
    assert never <= set(d.actions.blocks) | set(d.events.events)
    assert not never & (played | told), "an exception that is none any more"
