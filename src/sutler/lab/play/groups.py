"""Bots that play among themselves, and their games: those that are watched, and those at tables beside.

A designer's questions are asked of one group; a game's ladder names others, against which every answer is held.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from sutler.bots import Bot, bot_from
from sutler.bots.kit import is_compiled, packed
from sutler.bots.kit.repeatable import players_of
from sutler.core.game import Game
from sutler.lab.play.event_stream import Watched
from sutler.lab.play.provenance import bot_in_words, describe
from sutler.lab.play.simulate import Progress, simulate

MIN_SIDE_TABLE_GAMES = 20
"""Games at a table beside the first, however small a part of those asked for that table has."""


def names_of_bots(bots: Sequence[str | Bot]) -> str:
    """Who plays, with every setting that is not the usual one."""
    return ", ".join(
        dict.fromkeys(bot_in_words(describe(bot_from(one) if isinstance(one, str) else one)) for one in bots)
    )


@dataclass(frozen=True)
class Group:
    """One kind of bots, or several that sit at one table, and what they play."""

    bots: Sequence[Bot]
    watch: Callable[[], Watched]
    """Its games of the table that is asked about, played when they are first asked for."""
    seed: int
    tell: Progress
    part: int = 1
    """So many times fewer games than those asked about."""

    @property
    def name(self) -> str:
        """What it is called."""
        return names_of_bots(self.bots)

    @cached_property
    def watched(self) -> Watched:
        """The games of the table that is asked about."""
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
        """How many it plays where so many are asked for: its part of them, FEWEST unless fewer were."""
        return max(min(MIN_SIDE_TABLE_GAMES, n), n // self.part)

    def as_it_is(self, n: int) -> pl.DataFrame:
        """Its part of the first n of the games that are watched."""
        return self.watched.table.head(self.games(n))

    def play(self, game: Game, seats: int, n: int) -> pl.DataFrame:
        """Its part of n games at another table, from the same seeds."""
        return simulate(game, self._seated(seats), self.games(n), self.seed, progress=self.tell, seats=seats)

    def count(self, game: Game, seats: int, n: int) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The same, and how often each kind of event was told."""
        players = self._seated(seats)
        return simulate(game, players, self.games(n), self.seed, events=True, progress=self.tell, seats=seats)

    def _seated(self, seats: int) -> list[Bot]:
        """The bots, one after another where there are more seats."""
        return [self.bots[seat % len(self.bots)] for seat in range(seats)]
