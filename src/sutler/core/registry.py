"""Which games there are: every folder of `sutler.games`, found by looking."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sutler.core.game import Definition, Game

GAMES = Path(__file__).parent.parent / "games"


def games() -> list[str]:
    """The names of all games, in alphabetical order."""
    return sorted(path.parent.name for path in GAMES.glob("*/box.toml") if (path.parent / "__init__.py").exists())


def definition(name: str) -> Definition:
    """A game's definition; KeyError in words when there is no such game."""
    if name not in games():
        raise KeyError(f"there is no game {name!r}; there are {', '.join(games())}")
    found: Definition = importlib.import_module(f"sutler.games.{name}").GAME
    return found


def load(
    name: str,
    box: str | Path | Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    **options: Any,
) -> Game:
    """A game with its rules, a box (a TOML file laid over the printed one) and options; BoxError says what is wrong."""
    from sutler.core.game import Game

    return Game(definition(name), box, options, settings)
