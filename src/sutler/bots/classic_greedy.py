"""The greedy bot as it first was: it judges by a game's `classic.py`, kept beside its `bot/evaluate.py`, where there is one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.bots.kit import Compiled
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import greedy_choice


@dataclass(frozen=True)
class ClassicGreedy(Compiled):
    """One move ahead, by the judgement of the game's first release: what newer bots are measured against."""

    name = "classic-greedy"

    redeals: int = 1
    nodes: int = 200


@rule
def decide(box: Any, desk: Any, bot: Any, luck: Any) -> Any:
    """The greedy decision; the `greedy_choice` given to this template uses the first release's judgement."""
    return greedy_choice(box, desk, bot, luck)
