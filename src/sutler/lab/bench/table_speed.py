"""How long the answers take that a table asks of a game for every click: what is seen, what is asked, what may be done."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from sutler.core.game import Game
from sutler.core.position import Position

QUERIES: dict[str, Callable[[Position, int], object]] = {
    "view": lambda pos, _: pos.view(pos.seat),
    "prompt": lambda pos, _: pos.prompt(pos.seat),
    "choices": lambda pos, _: pos.choices(pos.seat),
    "can_undo": lambda pos, _: pos.can_undo(),
    "why_not": lambda pos, action: pos.why_not(action),
}
"""By name, of a position; the number is that of any action at all."""
WARM_UP_DECISIONS = 80
"""Decisions that nobody measures: in the first ones machine code is loaded."""


def response_times(game: Game, seats: int, decisions: int = 500, part: float = 0.99) -> dict[str, tuple[float, ...]]:
    """Milliseconds of the processor by what was asked, ascending up to this part of all, over so many random decisions."""
    luck = random.Random(1)
    took: dict[str, list[float]] = {name: [] for name in QUERIES}
    for number, pos in enumerate(_played(game, seats, decisions + WARM_UP_DECISIONS, luck)):
        action = luck.randrange(len(game.action_names))
        for name, ask in QUERIES.items():
            begun = time.thread_time()
            ask(pos, action)
            if number >= WARM_UP_DECISIONS:
                took[name].append(1000 * (time.thread_time() - begun))
    return {name: tuple(sorted(each)[: max(1, round(part * len(each)))]) for name, each in took.items()}


def _played(game: Game, seats: int, decisions: int, luck: random.Random) -> Iterator[Any]:
    """Positions of random games, one after every decision."""
    pos, seed = game.new(seats, 1), 1
    for _ in range(decisions):
        if pos.over:
            seed += 1
            pos = game.new(seats, seed)
        pos.play(luck.choice(pos.legal_ids()))
        yield pos
