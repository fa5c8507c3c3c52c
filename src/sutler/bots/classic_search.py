"""The searching bot as it first was: it judges by a game's `classic.py`, its courses end wherever their horizon does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sutler.bots.kit import Compiled, Settings
from sutler.bots.kit.records import scale_of
from sutler.bots.search import SearchBot
from sutler.core.game import Game
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._search import search_choice


@dataclass(frozen=True)
class ClassicSearch(Compiled):
    """A search of `rounds` rounds by the judgement of the game's first release: the baseline for newer searches."""

    name = "classic-search"

    rounds: int = 40

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise ValueError("classic-search: rounds from 1")

    def packed(self, game: Game) -> Any:
        """The row of a search's settings, in parts of what was a clear lead then."""
        row, now = Settings.packed(SearchBot(rounds=self.rounds), game), scale_of(game.definition)
        then = getattr(game.definition.classic, "SCALE", now)
        row.kind, row.warmth, row.own[0] = self.kind, row.warmth * then / now, then
        return row

    def fitted(self, game: Game) -> Any:
        """While rules run as plain Python one round, by the greedy values: nobody waits at the table for plain Python to search."""
        return replace(self, rounds=1).packed(game) if game.definition.home.interpreted else self.packed(game)


@rule
def decide(box: Any, desk: Any, bot: Any, luck: Any) -> Any:
    """The search's decision; the `search_choice` given to this template uses the first release's judgement."""
    return search_choice(box, desk, bot, luck)
