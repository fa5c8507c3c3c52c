"""What every question of the lab has in common: who plays, at how many seats, how many games, from which seed, and on
what.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sutler.bots import Bot, bots_from

if TYPE_CHECKING:
    from sutler.lab.play.ray_cluster import Crew

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Series:
    """Games to be played for an answer.

    `bots`: one a seat, or one that sits in all `seats` (default: the game's best number). `games`: of each version
    asked about, or at most; None for the question's default. `threads`: threads of this machine, or a crew of other
    machines. `progress(done, most)` is called now and then.
    """

    bots: Sequence[str | Bot] = ("greedy",)
    seats: int | None = None
    games: int | None = None
    seed: int = 1
    threads: int | Crew | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        """Split a text of bot names at its commas."""
        if isinstance(self.bots, str):
            object.__setattr__(self, "bots", tuple(bots_from(self.bots)))

    def beside(self, bots: Sequence[str | Bot] = (), seats: int | None = None) -> Series | None:
        """These games at a second table with other bots or another number of seats; None where neither is given."""
        if not bots and seats is None:
            return None
        return replace(self, bots=bots or self.bots, seats=self.seats if seats is None else seats)

    def tell(self, done: int, most: int) -> None:
        """Report progress to the callback, if there is one."""
        if self.progress:
            self.progress(done, most)


USUAL = Series()
