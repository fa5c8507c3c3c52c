"""Groups of bots that play among themselves, with their logged games and the further games that questions need.

A designer's questions are answered from the games of one group. A game may name further groups, from weak to strong bots, and the
answers are compared with theirs.
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
from sutler.lab.play.event_stream import LoggedGames
from sutler.lab.play.provenance import bot_in_words, describe
from sutler.lab.play.simulate import Progress, simulate

MIN_SIDE_TABLE_GAMES = 20
"""The least number of games that a group plays of another version or with another number of seats."""


def names_of_bots(bots: Sequence[str | Bot]) -> str:
    """The distinct names of bots in one text, each with every setting that differs from its default."""
    return ", ".join(dict.fromkeys(bot_in_words(describe(one)) for one in bots_of(bots)))


@dataclass(frozen=True)
class Group:
    """Bots that sit at one table, of one kind or of several, and the games they play."""

    bots: Sequence[str | Bot]
    watch: Callable[[], LoggedGames]
    """A function that plays and logs the group's games of the query's version; it is called when they are first needed."""
    seed: int
    tell: Progress
    divisor: int = 1
    """Where `n` games are asked for, this group plays n / divisor."""

    @property
    def name(self) -> str:
        """The name of the group, for reports."""
        return names_of_bots(self.bots)

    @cached_property
    def watched(self) -> LoggedGames:
        """The group's logged games of the query's version and number of seats, with their events."""
        return self.watch()

    def plays(self, game: Game) -> bool:
        """Can these bots play this version of the game? A bot that learned from another box cannot."""
        try:
            players = players_of(self.bots, game)
            packed(players, game) if is_compiled(players) else None
        except ValueError:
            return False
        return True

    def games(self, n: int) -> int:
        """The number of games this group plays where `n` are asked for: n / divisor, but at least MIN_SIDE_TABLE_GAMES or `n` itself."""
        return max(min(MIN_SIDE_TABLE_GAMES, n), n // self.divisor)

    def unchanged_games(self, n: int) -> pl.DataFrame:
        """The first `games(n)` rows of the table of logged games, which are games of the unchanged box."""
        return self.watched.table.head(self.games(n))

    def play(self, game: Game, seats: int, n: int) -> pl.DataFrame:
        """A table of this group's games of a version of the game with `seats` seats, from the group's seed; `n` as in `games`."""
        return simulate(game, self._seated(seats), self.games(n), self.seed, progress=self.tell, seats=seats)

    def count(self, game: Game, seats: int, n: int) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Two tables: this group's games of a version with `seats` seats, and how often each kind of event happened in them."""
        players = self._seated(seats)
        return simulate(game, players, self.games(n), self.seed, events=True, progress=self.tell, seats=seats)

    def _seated(self, seats: int) -> list[str | Bot]:
        """The bots for `seats` seats; they are repeated in order where there are more seats than bots."""
        return [self.bots[seat % len(self.bots)] for seat in range(seats)]
