"""Playing a game file again, to the byte; GameFileError says where it goes another way."""

from __future__ import annotations

import base64
from pathlib import Path

from sutler.core.box import BoxError
from sutler.core.game import Game
from sutler.core.gamefile import GameFile, GameFileError, parsed
from sutler.core.position import IllegalAction, Position
from sutler.core.registry import definition, games


def loads(text: str, source: str = "the file") -> Position:
    """Play a game file's text again."""
    return replayed(parsed(text, source), source)


def replayed(file: GameFile, source: str = "the file") -> Position:
    """Play a game file again."""
    if file.game not in games():
        raise GameFileError(f"{source}: there is no game {file.game!r} here")
    try:
        game = Game(definition(file.game), file.box_edit or None, file.options, file.settings)
    except BoxError as error:
        raise GameFileError(f"{source}: {error}") from None
    if game.box_hash != file.box_hash:
        raise GameFileError(
            f"{source}: played with another box ({file.box_hash}, here {game.box_hash}); the cards have changed since"
        )
    try:
        if file.opening:
            pos = game.from_bytes(base64.b64decode(file.opening, validate=True), file.names)
            pos.seed = file.seed
        else:
            pos = game.new(file.seats, file.seed, names=file.names)
    except ValueError as error:
        raise GameFileError(f"{source}: {error}") from None
    for number, action in enumerate(file.actions, 1):
        try:
            pos.play(action)
        except IllegalAction as error:
            raise GameFileError(f"{source}: decision {number}, {action!r}: {error}") from None
    if pos.digest() != file.digest:
        raise GameFileError(f"{source}: played again it ends elsewhere ({pos.digest()}, the file says {file.digest})")
    return pos


def read_game_file(path: str | Path) -> Position:
    """Read a game file and play it again; GameFileError says what is wrong."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GameFileError(f"{path}: cannot be read ({error})") from None
    return loads(text, str(path))
