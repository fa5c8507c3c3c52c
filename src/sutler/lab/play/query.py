"""Queries: the record of game, bots, seats and games that every study of the lab is asked with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sutler.bots import Bot, bots_from
from sutler.core.play.game import Game, load

if TYPE_CHECKING:
    from sutler.lab.play.ray_cluster import Crew

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Query:
    """The game, bots, seats and games of a study. Made once, from a command line, a form of the page or in Python, and handed on unchanged.

    `game`: a name, or a game that is loaded. `bots`: one a seat; one alone sits in all of `seats` (None: as many as are best
    for the game). `games`: of each version that is asked about, or at most so many; None: as many as the study usually
    plays. `seed`: of the first game; the next one's is one more. `box`: an edit laid over the printed box. `settings`:
    options and numbers of the box, by name. `threads`: how many of this machine, or a cluster's; None: all of them.
    `progress(done, most)` is called now and then.
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
        """Bots in one text, with commas between, are several."""
        if isinstance(self.bots, str):
            object.__setattr__(self, "bots", tuple(bots_from(self.bots)))

    @cached_property
    def version(self) -> Game:
        """The game with its box and settings. BoxError where the box or a setting does not fit."""
        return self.game if isinstance(self.game, Game) else load(self.game, self.box, self.settings)

    def edited(self, settings: Mapping[str, Any]) -> Game:
        """The version with more settings. BoxError where one does not fit."""
        if isinstance(self.game, Game):
            own = {**self.game.settings, **self.game.changed_options()}
            return load(self.game.name, self.game.edit or None, {**own, **settings})
        return load(self.game, self.box, {**self.settings, **settings})

    @classmethod
    def of(cls, game: str | Game | Query) -> Query:
        """The query itself, or one about this game with the usual bots."""
        return game if isinstance(game, Query) else cls(game)

    @property
    def name(self) -> str:
        """The game's name."""
        return self.game if isinstance(self.game, str) else self.game.name

    def games_or(self, usual: int) -> int:
        """The number of games asked for, `usual` where that was left open."""
        return usual if self.games is None else self.games

    @property
    def n_seats(self) -> int:
        """The number of seats: one for each bot, or as asked for, or the game's best number."""
        if len(self.bots) > 1:
            return len(self.bots)
        return self.version.best_seats if self.seats is None else self.seats

    @property
    def rotation(self) -> int:
        """The number of games after which each bot has sat in each seat."""
        return 1 if all(one == self.bots[0] for one in self.bots) else self.n_seats

    def tell(self, done: int, most: int) -> None:
        """Report progress to `progress`, if there is one."""
        if self.progress:
            self.progress(done, most)
