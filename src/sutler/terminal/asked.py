"""What every command of the lab is told: the game, who plays it, how often, from which seed, and where the answer goes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sutler.terminal.errors import known_game, settings_from
from sutler.terminal.warm import show_warming

if TYPE_CHECKING:
    from sutler.bots import Bot
    from sutler.core.game import Game
    from sutler.lab.play.ray_cluster import Crew
    from sutler.lab.play.series import Progress, Series


Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Asked:
    """As it was typed. What a command asks besides, it takes beside this."""

    game: str
    bots: str
    seats: int | None
    games: int
    seed: int
    settings: list[str] = field(default_factory=list)
    box: Path | None = None
    out: Path | None = None
    ray: str | None = None

    @cached_property
    def name(self) -> str:
        """The game's name, whatever capitals were typed."""
        return known_game(self.game)

    @cached_property
    def chosen(self) -> dict[str, int | bool | str]:
        """What stood after `--set`."""
        return settings_from(self.settings)

    def names_of_bots(self) -> list[str]:
        """The bots one by one, as they were typed."""
        return [one.strip() for one in self.bots.split(",") if one.strip()]

    def load(self) -> Game:
        """The game with its box and settings."""
        from sutler.core.game import load

        return load(self.name, self.box, self.chosen)

    def series(self, threads: Crew | None = None, progress: Progress | None = None) -> Series:
        """The games to be played."""
        from sutler.bots import bots_from
        from sutler.lab.play.series import Series

        return Series(bots_from(self.bots), self.seats, self.games, self.seed, threads, progress)

    def warm(self, *versions: Game) -> None:
        """Compile the rules, saying so, once bots, seats and seed are known to be some, and try whether the games that are asked
        about end; a crew's machines do it themselves."""
        from sutler.lab.play.simulate import require_seeds, seat_bots

        game, bots = self.load(), self.series().bots
        require_seeds(game, len(seat_bots(bots, game, self.seats)), self.seed, self.games)
        if self.ray is None:
            show_warming(self.name)
            self.try_out(versions or [game], bots)

    def try_out(self, versions: Iterable[Game], bots: Sequence[str | Bot]) -> None:
        """Trouble in words where one of these is no game that ends."""
        from sutler.lab.play.dry_run import require_ending

        for one in versions:
            require_ending(one, bots, self.seats, self.seed)


def last_of(answers: Iterable[Answer]) -> Answer:
    """The last answer; Ctrl-C ends it with what is known by then."""
    found: Answer | None = None
    try:
        for so_far in answers:
            found = so_far
    except KeyboardInterrupt:
        if found is None:
            raise
    assert found is not None
    return found
