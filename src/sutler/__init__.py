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
    from sutler.core.actions import IllegalAction as IllegalAction
    from sutler.core.files.box import BoxError as BoxError
    from sutler.core.files.gamefile import GameFileError as GameFileError
    from sutler.core.files.replay import read_game_file as read_game_file
    from sutler.core.play.game import Game as Game
    from sutler.core.play.game import load as load
    from sutler.core.play.position import Position as Position
    from sutler.core.play.position import Stuck as Stuck
    from sutler.core.play.registry import games as games
    from sutler.core.play.seat import SeatView as SeatView
    from sutler.core.text.sentences import Choice as Choice
    from sutler.core.text.sentences import Prompt as Prompt
    from sutler.core.text.sentences import Refusal as Refusal
    from sutler.interop.vector import vector as vector
    from sutler.lab.play.decision_files import spec_in as spec_in
    from sutler.lab.play.export import export as export
    from sutler.lab.play.query import Query as Query
    from sutler.lab.play.simulate import simulate as simulate
    from sutler.lab.studies.compare import Certainty as Certainty
    from sutler.lab.studies.compare import Comparison as Comparison
    from sutler.lab.studies.compare import compare as compare

_WHERE = {
    "games": "core.play.registry",
    "load": "core.play.game",
    "Game": "core.play.game",
    "Position": "core.play.position",
    "Action": "core.actions",
    "SeatView": "core.play.position",
    "Prompt": "core.text.sentences",
    "Choice": "core.text.sentences",
    "Refusal": "core.text.sentences",
    "IllegalAction": "core.actions",
    "Stuck": "core.play.position",
    "BoxError": "core.files.box",
    "GameFileError": "core.files.gamefile",
    "read_game_file": "core.files.replay",
    "Bot": "bots",
    "bot": "bots",
    "bot_from": "bots",
    "simulate": "lab.play.simulate",
    "compare": "lab.studies.compare",
    "Comparison": "lab.studies.compare",
    "Certainty": "lab.studies.compare",
    "Query": "lab.play.query",
    "export": "lab.play.export",
    "spec_in": "lab.play.decision_files",
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
