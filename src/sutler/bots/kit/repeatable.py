"""Repeatable bots: for the lab and for learners, a bot decides alike in every run, whatever the load of the machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sutler.bots import Bot, bot_of_level_in, bots_of
from sutler.bots.search import SearchBot
from sutler.core.play.game import Game

ROUNDS = 40  # of a search that has a budget of time only


def players_of(bots: str | Sequence[str | Bot], game: Game) -> list[Bot]:
    """The bots, given by name or as objects, as they play this game; a level is the bot that the game says. ValueError: unknown."""
    return [_by_rounds(bot_of_level_in(one, game)) for one in bots_of(bots)]


def _by_rounds(player: Bot) -> Bot:
    """The bot with a number of rounds in place of its time limit: a search by time plays differently on every machine."""
    if isinstance(player, SearchBot) and player.rounds == 0:
        return replace(player, rounds=ROUNDS)
    return player
