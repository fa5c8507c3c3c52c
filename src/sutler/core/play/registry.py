"""The registry of games: every folder of `sutler.games`, and those of other installed packages and of $SUTLER_GAMES.

A shelf is a folder of games: those that $SUTLER_GAMES names, and the packages that an installed distribution declares as entry
points of the group `sutler.games`. A game from elsewhere is imported as `sutler.games.<name>` like any other, so nothing in it
has to know where it lies.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sutler.core.definition import Definition

GAMES = Path(__file__).parents[2] / "games"


@cache
def _find_installed_shelves() -> tuple[Path, ...]:
    """The shelves (folders of games) that installed distributions declare as entry points; found without importing them."""
    specs = [importlib.util.find_spec(one.value) for one in entry_points(group="sutler.games")]
    return tuple(Path(place) for spec in specs if spec for place in spec.submodule_search_locations or ())


def _find_game_folders() -> dict[str, Path]:
    """{name: folder} of all games on all shelves; of two with one name the first counts."""
    named = [Path(one).resolve() for one in os.environ.get("SUTLER_GAMES", "").split(os.pathsep) if one]
    found: dict[str, Path] = {}
    for shelf in (GAMES, *named, *_find_installed_shelves()):
        for path in sorted(shelf.glob("*/box.toml")):
            if (path.parent / "__init__.py").exists():
                found.setdefault(path.parent.name, path.parent)
    return found


def games() -> list[str]:
    """The names of all games that are ready to be played, in alphabetical order.

    A folder with an UNFINISHED.md, which says what is missing, is not listed unless $SUTLER_UNFINISHED is set; `load` has
    it by name either way.
    """
    everything = os.environ.get("SUTLER_UNFINISHED", "") not in ("", "0")
    return sorted(name for name, folder in _find_game_folders().items() if everything or not is_unfinished(folder))


def is_unfinished(folder: Path) -> bool:
    """Is the game in this folder still being built: has it an UNFINISHED.md?"""
    return (folder / "UNFINISHED.md").exists()


def find_game_folder(name: str) -> Path:
    """The folder of the game of this name; KeyError with a sentence when there is no such game."""
    folders = _find_game_folders()
    if name not in folders:
        raise KeyError(f"there is no game {name!r}; there are {', '.join(sorted(folders))}")
    return folders[name]


def load_definition(name: str) -> Definition:
    """The `Definition` of the game of this name, imported; KeyError with a sentence when there is no such game."""
    folder = find_game_folder(name)
    package = importlib.import_module("sutler.games")
    if folder.parent != GAMES and str(folder.parent) not in package.__path__:
        package.__path__.append(str(folder.parent))
    found: Definition = importlib.import_module(f"sutler.games.{name}").GAME
    return found
