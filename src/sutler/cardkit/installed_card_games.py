"""Installing card games: a file becomes a game folder that Sutler finds, in this process and those it starts.

The folder lies in the cache, a new one for each state of the file. The game has the name of the file: `harvest.toml` is the game `harvest`.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import shutil
import sys
from pathlib import Path

from sutler.cardkit.game_file_reader import parse_card_game
from sutler.cardkit.game_folder_source import build_game_files
from sutler.core.files.box import BoxError
from sutler.core.play.game import Game, load
from sutler.core.play.registry import find_game_folder, games
from sutler.core.rule import find_cache_root

BOARD_FOLDER = Path(__file__).with_name("board")
SHELVES_VARIABLE = "SUTLER_GAMES"
KEPT_STATES = 6
"""The number of states of one file whose game folders are kept, because a table may still be open on an older state."""


def derive_game_name(file: Path) -> str:
    """The name of the game in a file, from the name of the file: small letters and digits. BoxError if the name has no letters."""
    name = re.sub(r"[^a-z0-9]", "", file.stem.lower()).lstrip("0123456789")
    if not name:
        raise BoxError(f"{file}: give the file a name with letters, such as harvest.toml; the game is called by it")
    return name


def find_states_folder(file: Path) -> Path:
    """The cache folder with a file's game folders, one for each version of the file's content."""
    mark = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:12]
    return find_cache_root() / "cards" / mark


def install_card_game(file: Path) -> str:
    """Make a game folder of a card game's file and return the game's name; this process and those it starts find it from now on.

    BoxError tells all faults of the file. If an older state of the file was on the shelf, the game of the new state replaces it.
    """
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise BoxError(f"{file}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BoxError(f"{file}: cannot be read as text ({error})") from None
    game, name, shelves = parse_card_game(text, str(file)), derive_game_name(file), find_states_folder(file)
    files = build_game_files(name, game, text)
    files |= {f"board/{path.name}": path.read_text(encoding="utf-8") for path in sorted(BOARD_FOLDER.iterdir())}
    shelf = shelves / hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:12]
    others = [
        one for one in os.environ.get(SHELVES_VARIABLE, "").split(os.pathsep) if one and Path(one).parent != shelves
    ]
    os.environ[SHELVES_VARIABLE] = os.pathsep.join(others)
    if name in games():
        raise BoxError(
            f"{file}: there is a game called {name!r} already ({find_game_folder(name)}); give the file another name"
        )
    _write_game_folder(shelf / name, files)
    os.environ[SHELVES_VARIABLE] = os.pathsep.join([*others, str(shelf)])
    _unload_older_game(name, shelf)
    return name


def _write_game_folder(folder: Path, files: dict[str, str]) -> None:
    """Write a game's folder if it is missing, and delete those of the file's oldest versions (KEPT_STATES are kept)."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            made = path.with_name(f".{path.name}.{os.getpid()}")
            made.write_text(text, encoding="utf-8")
            made.replace(path)
    states = sorted(
        filter(Path.is_dir, folder.parent.parent.iterdir()), key=lambda one: one.stat().st_mtime, reverse=True
    )
    for old in states[KEPT_STATES:]:
        if old != folder.parent:
            shutil.rmtree(old, ignore_errors=True)


def _unload_older_game(name: str, shelf: Path) -> None:
    """Make this process import the game's newest folder, by removing modules of an older version from `sys.modules`."""
    package = importlib.import_module("sutler.games")
    stale = [
        one for one in package.__path__ if Path(one) != shelf and Path(one).is_relative_to(find_cache_root() / "cards")
    ]
    for one in stale:
        if (Path(one) / name).exists() or not Path(one).exists():
            package.__path__.remove(one)
    module = sys.modules.get(f"sutler.games.{name}")
    if module is not None and Path(str(module.__file__)).parent.parent != shelf:
        for known in [
            known for known in sys.modules if known == module.__name__ or known.startswith(f"{module.__name__}.")
        ]:
            del sys.modules[known]
        if getattr(package, name, None) is module:
            delattr(package, name)
    importlib.invalidate_caches()


def card_game(file: str | Path) -> Game:
    """The game of a card game's file, loaded as `sutler.load` loads it. BoxError lists all faults of the file."""
    return load(install_card_game(Path(file)))
