"""Rule coverage: random games reach every kind of action and tell every kind of event."""

import pytest

import sutler
from contract.options import OPTION_SETS
from sutler.contract.cases import GAMES
from sutler.contract.helpers import walk
from sutler.core.rule import PLAIN_ONLY

NEVER: dict[str, set[str]] = {
    # two leaders at one siege, and nobody with anything left
    "bellum": {"ultimatum", "gave_ultimatum", "war_wins"},
    # a campaign effect that random play seldom gains, an obstacle gone in the middle of its overcome, an event that no printed card has
    "sixwinters": {"pool_placed", "out_of_reach", "ways_dearer"},
    "threeyears": {"look_writ", "looked_writ", "saw_writ"},  # random players reveal their Writs at once
    # for people only; and more Miracles lie on a table at its limit than random players ever come to show
    "warfarm": {"surrender", "surrendered", "drop_miracle", "dropped_miracle"},
}
"""Kinds that random play cannot be expected to reach, by game, each with a test of its own."""

DECISIONS = 12_000
ROUNDS = 16  # of all option sets, until everything has been seen


@pytest.mark.skipif(PLAIN_ONLY, reason="tens of thousands of decisions want compiled rules")
@pytest.mark.parametrize("game", GAMES)
def test_every_kind_is_reached(game: str) -> None:
    """Each block of the action table is played and each kind of event is told in a few random games."""
    played: set[str] = set()
    told: set[str] = set()
    d = sutler.load(game).definition
    never = NEVER.get(game, set())
    for seed in range(ROUNDS):
        for options in OPTION_SETS.get(game, [{}]):
            rules = sutler.load(game, **options)
            for seats in range(rules.min_seats, rules.max_seats + 1) if rules.max_seats <= 4 else (3,):
                try:
                    pos = rules.new(seats, seed=seed)
                except sutler.BoxError:  # options for tables of another size
                    continue
                for _ in walk(pos, seed=seed, most=DECISIONS):
                    pass
                played |= {rules.action_names[decision.action].block for decision in pos.decisions}
                told |= {event.kind for _, event in pos.told()}
        if set(d.actions.blocks) <= played | never and set(d.events.events) <= told | never:
            break
    assert set(d.actions.blocks) - played - never == set()
    assert set(d.events.events) - told - never == set()
    assert never <= set(d.actions.blocks) | set(d.events.events)
    assert not never & (played | told), "an exception that is none any more"
