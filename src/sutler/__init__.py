"""Five tabletop games about feeding people while a war goes on, from one set of rules.

import sutler
game = sutler.load("manor")
pos = game.new(seats=3, seed=7)
pos.play(pos.actions()[0])
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from sutler.bots import Bot as Bot
    from sutler.bots import bot as bot
    from sutler.bots import bot_from as bot_from
    from sutler.core.actions import Action as Action
    from sutler.core.box import BoxError as BoxError
    from sutler.core.game import Game as Game
    from sutler.core.game import load as load
    from sutler.core.gamefile import GameFileError as GameFileError
    from sutler.core.illegal import IllegalAction as IllegalAction
    from sutler.core.position import Position as Position
    from sutler.core.position import Stuck as Stuck
    from sutler.core.registry import games as games
    from sutler.core.replay import read_game_file as read_game_file
    from sutler.core.seat import SeatView as SeatView
    from sutler.core.sentences import Choice as Choice
    from sutler.core.sentences import Prompt as Prompt
    from sutler.core.sentences import Refusal as Refusal
    from sutler.interop.vector import vector as vector
    from sutler.lab.play.export import export as export
    from sutler.lab.play.query import Query as Query
    from sutler.lab.play.simulate import simulate as simulate
    from sutler.lab.studies.compare import Certainty as Certainty
    from sutler.lab.studies.compare import Comparison as Comparison
    from sutler.lab.studies.compare import compare as compare

_WHERE = {
    "games": "core.registry",
    "load": "core.game",
    "Game": "core.game",
    "Position": "core.position",
    "Action": "core.actions",
    "SeatView": "core.seat",
    "Prompt": "core.sentences",
    "Choice": "core.sentences",
    "Refusal": "core.sentences",
    "IllegalAction": "core.illegal",
    "Stuck": "core.position",
    "BoxError": "core.box",
    "GameFileError": "core.gamefile",
    "read_game_file": "core.replay",
    "Bot": "bots",
    "bot": "bots",
    "bot_from": "bots",
    "simulate": "lab.play.simulate",
    "compare": "lab.studies.compare",
    "Comparison": "lab.studies.compare",
    "Certainty": "lab.studies.compare",
    "Query": "lab.play.query",
    "export": "lab.play.export",
    "vector": "interop.vector",
}

__all__ = [*_WHERE, "__version__"]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is first asked for: `sutler --help` needs no compiler."""
    if name == "__version__":
        from sutler.version import installed_version

        return installed_version()
    if name not in _WHERE:
        raise AttributeError(f"module 'sutler' has no attribute {name!r}")
    return getattr(importlib.import_module(f"sutler.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    """The names that an editor or a prompt offers."""
    return sorted(__all__)
