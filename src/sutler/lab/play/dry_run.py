"""Trial games of a changed box: a box whose games cannot be played to their end is refused with an explanation."""

from __future__ import annotations

from collections.abc import Sequence

from sutler.bots import Bot
from sutler.core.play.game import Game
from sutler.core.play.position import Stuck
from sutler.lab.play.simulate import play_games, seat_bots
from sutler.lab.stats.estimates import format_count_with_noun

MAX_TRIAL_DECISIONS = 200_000
"""The number of decisions after which a trial game is stopped: nearly twice those of the longest game known to end."""
TRIAL_GAMES = 3
TRIAL_BOTS = ("random", "greedy")
"""Bots that play the trial games themselves; greedy bots replace all others, which take longer."""


def require_games_end(game: Game, bots: Sequence[str | Bot], seats: int | None, seed: int) -> None:
    """Raise ValueError where a changed box or changed options make a game stuck, or no trial game ends.

    At most TRIAL_GAMES games are played, each up to MAX_TRIAL_DECISIONS decisions. An unchanged game is not tried.
    """
    if not (game.edit or game.settings or game.changed_options()):
        return  # the unchanged game is known to end
    players = seat_bots(bots, game, seats)
    if not all(str(getattr(one, "name", one)) in TRIAL_BOTS for one in players):
        players = ["greedy"] * len(players)
    for k in range(TRIAL_GAMES):
        try:
            rows, _ = play_games(game, players, seed + k, max_decisions=MAX_TRIAL_DECISIONS)
        except Stuck as error:
            raise ValueError(f"{error}; what was changed cannot be played so: turn some of it back") from None
        if rows["finished"].all():
            return
    raise ValueError(
        f"{game.title}: with what was changed none of the first {format_count_with_noun(TRIAL_GAMES, 'game')} has ended after "
        f"{MAX_TRIAL_DECISIONS:,} decisions; turn some of it back, or change what ends the game"
    )
