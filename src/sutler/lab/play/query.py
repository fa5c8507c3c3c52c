"""Queries: the game, bots, seats and number of games with which a study of the lab is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sutler.bots import Bot, parse_bots
from sutler.core.play.game import Game, load

if TYPE_CHECKING:
    from sutler.lab.play.ray_cluster import Crew

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Query:
    """The game, bots, seats and number of games of a study, made once from a command line, a form or in Python, and never changed.

    `game`: a name or a loaded game. `bots`: one for each seat; a single one sits in all of `seats` (None: the game's best number). `games`:
    how many of each version that is compared, for some studies at most; None: as many as the study usually plays. `seed`: of the first
    game; each next game's is one more. `threads`: a number of this machine's threads, or a cluster; None: all threads. `progress(done,
    most)` is called as games are done. `box`: an edit laid over the printed box. `settings`: options and numbers of the box, by name.
    """

    game: str | Game = ""
    bots: Sequence[str | Bot] = ("greedy",)
    seats: int | None = None
    games: int | None = None
    seed: int = 1
    threads: int | Crew | None = None
    progress: Progress | None = None
    box: Path | Mapping[str, Any] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Split the bots at commas where they are given as one text."""
        if isinstance(self.bots, str):
            object.__setattr__(self, "bots", tuple(parse_bots(self.bots)))

    @cached_property
    def version(self) -> Game:
        """The loaded game with this query's box and settings. BoxError where the box or a setting does not fit."""
        return self.game if isinstance(self.game, Game) else load(self.game, self.box, self.settings)

    def load_edited_game(self, settings: Mapping[str, Any]) -> Game:
        """The loaded game with further settings. BoxError where one of them does not fit."""
        if isinstance(self.game, Game):
            own = {**self.game.settings, **self.game.changed_options()}
            return load(self.game.name, self.game.edit or None, {**own, **settings})
        return load(self.game, self.box, {**self.settings, **settings})

    @classmethod
    def from_game(cls, game: str | Game | Query) -> Query:
        """The query for a game, with default bots; a query is returned as it is."""
        return game if isinstance(game, Query) else cls(game)

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.game if isinstance(self.game, str) else self.game.name

    def get_games_or(self, default: int) -> int:
        """The number of games asked for, or `default` where the query leaves it open."""
        return default if self.games is None else self.games

    @property
    def n_seats(self) -> int:
        """The number of seats: that of the bots where there are several, else the one asked for, else the game's best number."""
        if len(self.bots) > 1:
            return len(self.bots)
        return self.version.best_seats if self.seats is None else self.seats

    @property
    def games_per_rotation(self) -> int:
        """The number of games after which every bot has sat in every seat; 1 where all bots are equal."""
        return 1 if all(one == self.bots[0] for one in self.bots) else self.n_seats

    def report_progress(self, done: int, max_games: int) -> None:
        """Report that `done` of at most `max_games` games are done, where the query has a progress callback."""
        if self.progress:
            self.progress(done, max_games)
