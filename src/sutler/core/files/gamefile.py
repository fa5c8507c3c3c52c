"""Game files: a whole game as JSON, small enough to mail and enough to play it again to the byte.

A game is exactly its box, its options, its seed and its actions. The file also keeps the result and a fingerprint of
the last state, so that a reader whose rules play differently says so instead of showing another game (`core.files.replay`).
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

FORMAT = 1
MARK_DECISIONS = 25
"""The number of decisions between two fingerprints of the state in a game file; they show where a replay begins to differ."""
MAX_BYTES = 8_000_000


class GameFileError(ValueError):
    """A game file that cannot be read or replayed; the message says what is wrong and where."""


class GameFile(BaseModel):
    """The content of a game file."""

    model_config = ConfigDict(extra="forbid")

    sutler: int
    version: str = ""
    game: str
    box_hash: str
    box_edit: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    box: dict[str, Any] = {}  # the complete box; older files have none
    rules: str = ""  # a fingerprint of the rules
    options: dict[str, Any] = {}
    seats: int
    names: list[str] = []
    seed: int
    opening: str = ""  # a scenario's first state, in base 64; empty: set up from the seed
    actions: list[str]
    again: list[tuple[int, int]] = []  # (decisions made, number of the undo): where luck was reseeded after an undo
    marks: list[str] = []  # fingerprints of the state, one before each MARK_DECISIONS decisions
    nonce: str = ""  # the seal was made from this and the seed
    seal: str = ""  # shown at the table when the game began
    drawn: int | None = None  # the sealed seed, where players' numbers were mixed into it
    numbers: list[tuple[int, str]] = []  # (seat, number) in the order in which they were given
    result: list[dict[str, float]] = []
    digest: str


def compute_digest(state: bytes) -> str:
    """A short fingerprint of a state's bytes."""
    return hashlib.sha256(state).hexdigest()[:16]


def format_game_file(file: GameFile) -> str:
    """A game file as text."""
    return json.dumps(file.model_dump(), ensure_ascii=False, indent=1) + "\n"


def parse_game_file(text: str, source: str = "the file") -> GameFile:
    """The game file in a text; GameFileError says what is wrong, and names `source`."""
    if len(text) > MAX_BYTES:
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
        return GameFile.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(step) for step in first["loc"])
        raise GameFileError(f"{source}: field {where}: {first['msg']}") from None
