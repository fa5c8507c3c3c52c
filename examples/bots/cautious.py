"""Cautious: as greedy, but now and then, by a setting, it lets the second best do. Compiled with each game it plays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.bots.kit import Compiled
from sutler.core.bits import count, first_from, remove
from sutler.core.chance import below
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import best_of, greedy_values


@dataclass(frozen=True)
class Cautious(Compiled):
    """One move ahead; one decision in `every` goes to the second best of the sensible actions."""

    name = "cautious"

    every: int = 4
    redeals: int = 1
    nodes: int = 100


@rule
def decide(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """`scratch.world` is a redeal of what the seat knows, `scratch.out` holds the legal actions."""
    n = greedy_values(box, scratch, bot, luck)
    options = scratch.greedy.options
    if n == 1:
        return first_from(options.ids, 0)
    best = best_of(scratch.greedy.value, options, luck, 0.0)
    if below(luck, int(bot.own[0])) == 0 and count(options.ids) > 1:
        remove(options.ids, best)
        return best_of(scratch.greedy.value, options, luck, 0.0)
    return best
