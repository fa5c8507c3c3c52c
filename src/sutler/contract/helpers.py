"""Helpers for tests of games: `given` lays out a position, `offered` names the legal actions, `play` takes actions.

pos = given("manor", phase="work", seats=[{"hand": ["Wheat"]}], lies={"Fertile Fields": "Corn"})
assert "place Wheat" in offered(pos)
play(pos, "place Wheat", "on Good Fields")
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import sutler
from sutler.core.events import Told
from sutler.core.files.scenario import Scenario
from sutler.core.play.game import Game, build_scenario_position
from sutler.core.play.position import Position


def given(game: str | Game, n: int = 2, seed: int = 0, options: dict[str, Any] | None = None, **state: Any) -> Position:
    """A position for `n` seats, set up from the seed and then changed by `state`, which holds the fields of a scenario file's [state]."""
    rules = load_game(game, **(options or {})) if isinstance(game, str) else game
    return build_scenario_position(rules, Scenario(game=rules.name, seats=n, state=state), seed)


def load_game(name: str, **options: Any) -> Game:
    """The game of this name with these options, loaded once and cached."""
    return _load_cached_game(name, tuple(sorted(options.items())))


@cache
def _load_cached_game(name: str, options: tuple[tuple[str, Any], ...]) -> Game:
    """The game with these options, given as (name, value) pairs; loaded once."""
    return sutler.load(name, **dict(options))


def offered(pos: Position) -> set[str]:
    """The names of the legal actions."""
    return {action.name for action in pos.actions()}


def play(pos: Position, *actions: str) -> list[Told]:
    """Take actions by name, one after the other, and return all events; asserts that `why_not` refuses no action that is legal."""
    told: list[Told] = []
    for name in actions:
        action = pos.action(name)
        d, out = pos.game.definition, pos.legal_ids()
        reason = int(d.why_not(pos.game.box, pos.state, action.id)) if action.id in out else 0
        assert reason == 0, (name, d.REFUSALS[reason])
        told += pos.play(action)
    return told


def said(pos: Position, told: list[Told]) -> list[str]:
    """The sentences of events, as plain text."""
    return ["".join(str(part) for part in pos.speaker.tell(one)) for one in told]


def walk(pos: Position, seed: int = 0, most: int = 100_000) -> Iterator[Position]:
    """Play at random, and yield the position first and after every decision, to the end of the game or for `most` decisions.

    It is the same object each time; copy it to keep it.
    """
    luck = random.Random(seed)
    yield pos
    for _ in range(most):
        if pos.over:
            return
        pos.play(luck.choice(pos.legal_ids()))
        yield pos
