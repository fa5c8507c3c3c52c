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
    from sutler.bots import bot as bot
    from sutler.core.box import BoxError as BoxError
    from sutler.core.game import Game as Game
    from sutler.core.game import load as load
    from sutler.core.position import IllegalAction as IllegalAction
    from sutler.core.position import Position as Position
    from sutler.core.registry import games as games
    from sutler.core.replay import read_game_file as read_game_file
    from sutler.interop.vector import vector as vector
    from sutler.lab.simulate import simulate as simulate

_WHERE = {
    "games": "core.registry",
    "load": "core.game",
    "Game": "core.game",
    "Position": "core.position",
    "IllegalAction": "core.position",
    "BoxError": "core.box",
    "read_game_file": "core.replay",
    "bot": "bots",
    "simulate": "lab.simulate",
    "vector": "interop.vector",
}

__all__ = [*_WHERE, "__version__"]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is first asked for: `sutler --help` needs no compiler."""
    if name == "__version__":
        return _version()
    if name not in _WHERE:
        raise AttributeError(f"module 'sutler' has no attribute {name!r}")
    return getattr(importlib.import_module(f"sutler.{_WHERE[name]}"), name)


def _version() -> str:
    """The tag it was built from; between two tags, the next version's so-manieth step."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("sutler")
    except PackageNotFoundError:  # run from its sources, never installed
        return "0.0.0"
