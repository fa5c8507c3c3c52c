"""Groups of bots that play among themselves, with their logged games and the further games that questions need.

A designer's questions are answered from the games of one group. A game may name further groups, from weak to strong bots, and the
answers are compared with theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from sutler.bots import Bot, to_bots
from sutler.bots.kit import is_compiled, pack_bots
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.core.play.game import Game
from sutler.lab.play.event_logs import LoggedGames
from sutler.lab.play.provenance import bot_to_dict, describe_bot
from sutler.lab.play.simulate import Progress, simulate

MIN_SIDE_TABLE_GAMES = 20
"""The least number of games that a group plays of another version or with another number of seats."""


def format_bot_names(bots: Sequence[str | Bot]) -> str:
    """The names of different bots in one text, each with every setting that differs from its default."""
    return ", ".join(dict.fromkeys(describe_bot(bot_to_dict(one)) for one in to_bots(bots)))


@dataclass(frozen=True)
class Group:
    """The bots that sit together at one table, and the games they play."""

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
        return format_bot_names(self.bots)

    @cached_property
    def watched(self) -> LoggedGames:
        """The group's logged games, with their events, of the query's version and number of seats."""
        return self.watch()

    def can_play(self, game: Game) -> bool:
        """Can these bots play this version of the game? A bot that learned from another box cannot."""
        try:
            players = build_repeatable_bots(self.bots, game)
            pack_bots(players, game) if is_compiled(players) else None
        except ValueError:
            return False
        return True

    def count_games_to_play(self, requested: int) -> int:
        """The number of games that this group plays where `requested` games are asked for.

        It is `requested` divided by the group's divisor, but at least MIN_SIDE_TABLE_GAMES, and never more than `requested`.
        """
        return max(min(MIN_SIDE_TABLE_GAMES, requested), requested // self.divisor)

    def list_unchanged_games(self, requested: int) -> pl.DataFrame:
        """The first rows of the table of logged games, as many as `count_games_to_play(requested)`; they are games of the unchanged box."""
        return self.watched.table.head(self.count_games_to_play(requested))

    def play_games(self, game: Game, seats: int, requested: int) -> pl.DataFrame:
        """A table of this group's games of a version of the game with `seats` seats, from the group's seed.

        `requested`: the number asked for, as in `count_games_to_play`.
        """
        return simulate(
            game,
            self._bots_by_seat(seats),
            self.count_games_to_play(requested),
            self.seed,
            progress=self.tell,
            seats=seats,
        )

    def play_and_count_events(self, game: Game, seats: int, requested: int) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Two tables: this group's games of a version with `seats` seats, and how often each kind of event happened in them."""
        players = self._bots_by_seat(seats)
        return simulate(
            game, players, self.count_games_to_play(requested), self.seed, events=True, progress=self.tell, seats=seats
        )

    def _bots_by_seat(self, seats: int) -> list[str | Bot]:
        """The bots for `seats` seats, repeated in order where there are more seats than bots."""
        return [self.bots[seat % len(self.bots)] for seat in range(seats)]
