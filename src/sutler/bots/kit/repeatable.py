"""Bots as they play one game in the lab and for learners: the same games again, whatever the machine does meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sutler.bots import Bot, here, seated
from sutler.bots.search import SearchBot
from sutler.core.game import Game

ROUNDS = 40  # of a search that has a budget of time only


def players_of(bots: str | Sequence[str | Bot], game: Game) -> list[Bot]:
    """The bots, given by name or as objects, as they play this game; a level is the bot that the game says. ValueError: unknown."""
    return [_by_rounds(here(one, game)) for one in seated(bots)]


def _by_rounds(player: Bot) -> Bot:
    """A search by time plays differently on every machine: here it goes by rounds."""
    if isinstance(player, SearchBot) and player.rounds == 0:
        return replace(player, rounds=ROUNDS)
    return player
