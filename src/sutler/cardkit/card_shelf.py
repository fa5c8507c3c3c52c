"""Card games on a shelf: a file becomes a folder that Sutler finds, here and in every process that this one begins.

The folder lies in the cache and is written again whenever the file, or the kit, has changed. Its name is the file's: `harvest.toml` is
the game `harvest`.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from sutler.cardkit.declaration import card_game_of
from sutler.cardkit.game_source import files_of
from sutler.core.box import BoxError
from sutler.core.game import Game, load
from sutler.core.registry import folder_of, games
from sutler.core.rule import cache_root

BOARD = Path(__file__).with_name("board")
SHELVES = "SUTLER_GAMES"


def is_card_game(name: str) -> bool:
    """Is this the name of a card game's file?"""
    return name.endswith(".toml")


def name_of(file: Path) -> str:
    """The name of the game in a file: its own, in small letters and digits."""
    name = re.sub(r"[^a-z0-9]", "", file.stem.lower()).lstrip("0123456789")
    if not name:
        raise BoxError(f"{file}: give the file a name with letters, such as harvest.toml; the game is called by it")
    return name


def shelf_of(file: Path) -> Path:
    """The folder in which a file's game lies, one for each file."""
    mark = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:12]
    return cache_root() / "cards" / mark


def put_on_shelf(file: Path) -> str:
    """Make a game of a card game's file, and let this process and those it begins find it; returns its name. BoxError tells all faults."""
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise BoxError(f"{file}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BoxError(f"{file}: cannot be read as text ({error})") from None
    game, name, shelf = card_game_of(text, str(file)), name_of(file), shelf_of(file)
    shelves = [one for one in os.environ.get(SHELVES, "").split(os.pathsep) if one]
    if str(shelf) not in shelves:
        if name in games():
            raise BoxError(f"{file}: there is a game called {name!r} already ({folder_of(name)}); give the file another name")
        os.environ[SHELVES] = os.pathsep.join([*shelves, str(shelf)])
    write_folder(shelf / name, files_of(name, game, text))
    return name


def write_folder(folder: Path, files: dict[str, str]) -> None:
    """Write a game's folder; a file that is as it should be is left alone."""
    files = files | {f"board/{path.name}": path.read_text(encoding="utf-8") for path in sorted(BOARD.glob("board.*"))}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        made = path.with_name(f".{path.name}.{os.getpid()}")
        made.write_text(text, encoding="utf-8")
        made.replace(path)


def card_game(file: str | Path) -> Game:
    """The game that a card game's file says, as `sutler.load` gives others. BoxError tells all faults of the file."""
    return load(put_on_shelf(Path(file)))
