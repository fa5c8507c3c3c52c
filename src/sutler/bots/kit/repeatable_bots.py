"""Bots whose decisions can be repeated, for the lab and for learners: they do not depend on the speed or load of the machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sutler.bots import Bot, replace_level_bot, to_bots
from sutler.bots.kit import is_search_by_time
from sutler.core.play.game import Game

ROUNDS = 40  # rounds a decision of a search that was given a time limit only


def build_repeatable_bots(bots: str | Sequence[str | Bot], game: Game) -> list[Bot]:
    """The bots, given as a text or a list, as they play this game in the lab: levels replaced by the game's bots, time limits by ROUNDS.

    None is marked with a level, or it would decide as at a table (TABLE_LEVELS). ValueError where one is unknown.
    """
    return [_replace_time_limit(_remove_level(replace_level_bot(one, game))) for one in to_bots(bots)]


def _remove_level(player: Any) -> Any:
    """The bot, without the mark of a level that it stands for."""
    return replace(player) if getattr(player, "level", "") else player


def _replace_time_limit(player: Any) -> Any:
    """The bot, with ROUNDS in place of its time limit if it is a search by time."""
    return replace(player, rounds=ROUNDS) if is_search_by_time(player) else player
