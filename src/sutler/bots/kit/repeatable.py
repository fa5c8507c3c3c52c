"""Bots whose decisions can be repeated, for the lab and for learners: they do not depend on the speed or load of the machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sutler.bots import Bot, bot_of_level_in, bots_of
from sutler.bots.search import SearchBot
from sutler.core.play.game import Game

ROUNDS = 40  # rounds a decision of a search that was given a time limit only


def players_of(bots: str | Sequence[str | Bot], game: Game) -> list[Bot]:
    """The bots, given as a text or a list, as they play this game in the lab: levels replaced by the game's bots, time limits by ROUNDS.

    ValueError where one is unknown.
    """
    return [_by_rounds(bot_of_level_in(one, game)) for one in bots_of(bots)]


def _by_rounds(player: Bot) -> Bot:
    """The bot, with ROUNDS in place of its time limit if it is a search by time."""
    if isinstance(player, SearchBot) and player.rounds == 0:
        return replace(player, rounds=ROUNDS)
    return player
