"""Game files: a whole game as JSON, small enough to mail and enough to play it again to the byte.

A game is exactly its box, its options, its seed and its actions. The file also keeps the result and a fingerprint of
the last state, so that a reader whose rules play differently says so instead of showing another game.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from sutler.core.box import BoxError
from sutler.core.game import Game, IllegalAction, Position
from sutler.core.registry import definition, games

FORMAT = 1
MOST_BYTES = 8_000_000


class GameFileError(ValueError):
    """A game file that cannot be read or played again: says what is wrong and where."""


class GameFile(BaseModel):
    """What a game file holds."""

    model_config = ConfigDict(extra="forbid")

    sutler: int
    version: str = ""
    game: str
    box_hash: str
    box_edit: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    options: dict[str, Any] = {}
    seats: int
    names: list[str] = []
    seed: int
    opening: str = ""  # a scenario's first state, in base 64; empty: set up from the seed
    actions: list[str]
    result: list[dict[str, float]] = []
    digest: str


def file_of(pos: Position) -> GameFile:
    """A position's game file."""
    import sutler

    game = pos.game
    opening = "" if pos.from_seed else base64.b64encode(pos.opening_state).decode()
    result = [{"place": row["place"], "score": row["score"]} for row in pos.result()] if pos.over else []
    return GameFile(
        sutler=FORMAT,
        version=sutler.__version__,
        game=game.name,
        box_hash=game.box_hash,
        box_edit=game.edit,
        settings=game.settings,
        options=game.changed_options(),
        seats=pos.n_seats,
        names=pos.names,
        seed=pos.seed,
        opening=opening,
        actions=[game.action_names[decision.action].name for decision in pos.decisions],
        result=result,
        digest=pos.digest(),
    )


def dumps(pos: Position) -> str:
    """A position's game file as text, one action a line."""
    return json.dumps(file_of(pos).model_dump(), ensure_ascii=False, indent=1) + "\n"


def write_game(pos: Position, path: Path) -> None:
    """Write the game file."""
    path.write_text(dumps(pos), encoding="utf-8")


def loads(text: str, source: str = "the file") -> Position:
    """Play a game file's text again; GameFileError says where it fails."""
    if len(text) > MOST_BYTES:
        raise GameFileError(f"{source}: too large for a game file")
    try:
        raw = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise GameFileError(f"{source}: not a game file: {error}") from None
    if not isinstance(raw, dict) or "sutler" not in raw:
        raise GameFileError(f"{source}: not a game file: the field 'sutler' is missing")
    if raw["sutler"] != FORMAT:
        raise GameFileError(f"{source}: written in format {raw['sutler']!r}; this version reads format {FORMAT}")
    try:
        file = GameFile.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(step) for step in first["loc"])
        raise GameFileError(f"{source}: field {where}: {first['msg']}") from None
    return replayed(file, source)


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
