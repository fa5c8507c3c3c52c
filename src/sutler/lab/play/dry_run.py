"""Trial games of a changed box: one that cannot be played to its end is refused in words."""

from __future__ import annotations

from collections.abc import Sequence

from sutler.bots import Bot
from sutler.core.play.game import Game
from sutler.core.play.position import Stuck
from sutler.lab.play.simulate import play_games, seat_bots
from sutler.lab.stats.estimates import count_of

MAX_TRIAL_DECISIONS = 200_000
"""The most decisions of a trial game: nearly twice as many as the longest game known to end."""
TRIAL_GAMES = 3
TRIAL_BOTS = ("random", "greedy")
"""Bots that try a box themselves; for all others, which take longer, greedy does."""


def require_ending(game: Game, bots: Sequence[str | Bot], seats: int | None, seed: int) -> None:
    """ValueError where a box or options that were changed lead nowhere, or none of the first games has an end within FAR decisions."""
    if not (game.edit or game.settings or game.changed_options()):
        return  # a printed game ends
    players = seat_bots(bots, game, seats)
    if not all(str(getattr(one, "name", one)) in TRIAL_BOTS for one in players):
        players = ["greedy"] * len(players)
    for k in range(TRIAL_GAMES):
        try:
            rows, _ = play_games(game, players, seed + k, most=MAX_TRIAL_DECISIONS)
        except Stuck as error:
            raise ValueError(f"{error}; what was changed cannot be played so: turn some of it back") from None
        if rows["finished"].all():
            return
    raise ValueError(
        f"{game.title}: with what was changed none of the first {count_of(TRIAL_GAMES, 'game')} has ended after "
        f"{MAX_TRIAL_DECISIONS:,} decisions; turn some of it back, or change what ends the game"
    )
