"""Groups of bots that play among themselves, with the games whose events are logged and the games of side tables.

A designer's questions are asked of one group; a game's ladder names others, against which every answer is held.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from sutler.bots import Bot, bots_of
from sutler.bots.kit import is_compiled, packed
from sutler.bots.kit.repeatable import players_of
from sutler.core.play.game import Game
from sutler.lab.play.event_stream import Watched
from sutler.lab.play.provenance import bot_in_words, describe
from sutler.lab.play.simulate import Progress, simulate

MIN_SIDE_TABLE_GAMES = 20
"""The least number of games at a side table, however small its part of those asked for."""


def names_of_bots(bots: Sequence[str | Bot]) -> str:
    """The names of bots, with every setting that is not the usual one."""
    return ", ".join(dict.fromkeys(bot_in_words(describe(one)) for one in bots_of(bots)))


@dataclass(frozen=True)
class Group:
    """Bots at one table, one kind or several, and the games they play."""

    bots: Sequence[str | Bot]
    watch: Callable[[], Watched]
    """A function that plays the group's games of the table asked about and logs them; called when they are first needed."""
    seed: int
    tell: Progress
    part: int = 1
    """The divisor of the games asked for: the group plays this many times fewer."""

    @property
    def name(self) -> str:
        """The name of the group, for reports."""
        return names_of_bots(self.bots)

    @cached_property
    def watched(self) -> Watched:
        """The games of the table that is asked about, with their events."""
        return self.watch()

    def plays(self, game: Game) -> bool:
        """Can these bots play this version? One that was learned with another box cannot."""
        try:
            players = players_of(self.bots, game)
            packed(players, game) if is_compiled(players) else None
        except ValueError:
            return False
        return True

    def games(self, n: int) -> int:
        """The number of games it plays where `n` are asked for: its part of them, but MIN_SIDE_TABLE_GAMES unless fewer were asked for."""
        return max(min(MIN_SIDE_TABLE_GAMES, n), n // self.part)

    def unchanged_games(self, n: int) -> pl.DataFrame:
        """The group's part of the first n of the logged games."""
        return self.watched.table.head(self.games(n))

    def play(self, game: Game, seats: int, n: int) -> pl.DataFrame:
        """The games of a version at a table of `seats` seats, from the same seeds."""
        return simulate(game, self._seated(seats), self.games(n), self.seed, progress=self.tell, seats=seats)

    def count(self, game: Game, seats: int, n: int) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The games of a version at a table of `seats` seats, and a second table that counts events by kind."""
        players = self._seated(seats)
        return simulate(game, players, self.games(n), self.seed, events=True, progress=self.tell, seats=seats)

    def _seated(self, seats: int) -> list[str | Bot]:
        """The bots, one after another where there are more seats."""
        return [self.bots[seat % len(self.bots)] for seat in range(seats)]
