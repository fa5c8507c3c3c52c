"""A changed box is tried before the games: one that nobody can play to its end is told in words, not found out hours later."""

from __future__ import annotations

from collections.abc import Sequence

from sutler.bots import Bot
from sutler.core.game import Game
from sutler.core.position import Stuck
from sutler.lab.play.simulate import played, seating
from sutler.lab.stats.measures import many

FAR = 200_000
"""Decisions: nearly twice as many as the longest game known to end."""
TRIES = 3
BY_ITSELF = ("random", "greedy")
"""Bots that try a box themselves; for all others, which take longer, greedy does."""


def must_end(game: Game, bots: Sequence[str | Bot], seats: int | None, seed: int) -> None:
    """ValueError where a box or options that were changed lead nowhere, or none of the first games has an end within FAR decisions."""
    if not (game.edit or game.settings or game.changed_options()):
        return  # a printed game ends
    players = seating(bots, game, seats)
    if not all(str(getattr(one, "name", one)) in BY_ITSELF for one in players):
        players = ["greedy"] * len(players)
    for k in range(TRIES):
        try:
            rows, _ = played(game, players, seed + k, most=FAR)
        except Stuck as error:
            raise ValueError(f"{error}; what was changed cannot be played so: turn some of it back") from None
        if rows["finished"].all():
            return
    raise ValueError(
        f"{game.title}: with what was changed none of the first {many(TRIES, 'game')} has ended after {FAR:,} decisions; turn some "
        "of it back, or change what ends the game"
    )
