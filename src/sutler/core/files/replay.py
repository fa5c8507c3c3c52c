"""Replays of game files, exact to the last byte of the state; GameFileError says where a game differs under today's rules."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sutler.core.files.box import BoxError, read_options
from sutler.core.files.gamefile import MARK_DECISIONS, GameFile, GameFileError, parse_game_file
from sutler.core.play.game import Game
from sutler.core.play.position import IllegalAction, Position
from sutler.core.play.registry import games, load_definition
from sutler.core.play.sealed_luck import mix_seed


@dataclass(frozen=True)
class Break:
    """The point at which the replay of a kept game begins to differ, because rules or box have changed."""

    decision: int
    """The number of decisions that could be replayed before the break."""
    agreed: int
    """The number of decisions for which a fingerprint in the file proves that the replay was exact."""
    reason: str
    rule: str = ""

    def __str__(self) -> str:
        return f"decision {self.decision + 1}: {self.reason}" + (f" ({self.rule})" if self.rule else "")


def replay_from_text(text: str, source: str = "the file") -> Position:
    """Replay a game file's text and return the last position; GameFileError names `source`."""
    return replay(parse_game_file(text, source), source)


def replay(file: GameFile, source: str = "the file") -> Position:
    """Replay a game file and return the last position; GameFileError if the replay differs from the kept game in any byte."""
    pos, broken = replay_to_break(file, source)
    if broken is not None:
        raise GameFileError(f"{source}: {broken}")
    return pos


def replay_to_break(file: GameFile, source: str = "the file") -> tuple[Position, Break | None]:
    """Replay a game file under its own box as far as possible; returns (position reached, the break or None)."""
    pos = build_first_position(file, source)
    marks = {number * MARK_DECISIONS: mark for number, mark in enumerate(file.marks)}
    broken = play_actions(pos, file.actions, marks, dict(file.again))
    if broken is None and pos.digest() != file.digest:
        last = max([n for n in marks if n <= len(pos.decisions)], default=0)
        broken = Break(
            len(pos.decisions), last, f"played again it ends elsewhere ({pos.digest()}, the file says {file.digest})"
        )
    return pos, broken


def play_actions(
    pos: Position, actions: Sequence[str], digests: Mapping[int, str], undo_numbers: Mapping[int, int]
) -> Break | None:
    """Play these actions; returns the break where an action is no longer legal or a fingerprint differs, else None.

    `digests`: {number of decisions: fingerprint of the state}.
    `undo_numbers`: {number of decisions: number of the undo}, where luck was reseeded.
    """
    agreed = 0
    for action in actions:
        made = len(pos.decisions)
        if made in undo_numbers:
            pos.reseed_after_undo(undo_numbers[made])
        if made in digests:
            if pos.digest() != digests[made]:
                return Break(made, agreed, "from here on the game is not what it was: the rules have changed since")
            agreed = made
        try:
            pos.play(action)
        except IllegalAction as error:
            return Break(made, agreed if digests else made, f"{action!r}: {error.reason}", error.rule)
    made = len(pos.decisions)
    if made in undo_numbers:
        pos.reseed_after_undo(undo_numbers[made])
    return None


def find_options_played(file: GameFile, printed: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a kept game, by name, that differ from the defaults of today's printed box (`printed`).

    That is: those the file names, those whose default was another in the file's own box, and those that box did not declare yet.
    BoxError where the options of its box are none.
    """
    if not file.box:
        return file.options
    found: dict[str, Any] = {}
    declared = read_options(file.box, "the file's box")
    for name, one in read_options(printed, "box.toml").items():
        was = declared[name].default if name in declared else one.before
        if was is not None and was != one.default:
            found[name] = was
    return {**found, **file.options}


def build_first_position(file: GameFile, source: str) -> Position:
    """The first position of a game file, under its own box; GameFileError when there is no such game any more."""
    if file.game not in games():
        raise GameFileError(f"{source}: there is no game {file.game!r} here")
    if file.numbers and file.seed != mix_seed(file.drawn or 0, file.seal, [number for _, number in file.numbers]):
        raise GameFileError(f"{source}: field seed: it is not what field drawn and the players' numbers make together")
    rules = load_definition(file.game)
    try:
        game = Game(rules, file.box_edit or None, find_options_played(file, rules.printed), file.settings)
    except BoxError as error:
        if not file.box:
            raise GameFileError(f"{source}: {error}") from None
        game = None
    try:
        if game is None or (file.box and game.box_hash != file.box_hash):
            game = Game(rules, None, file.options, None, whole=file.box)
        if game.box_hash != file.box_hash:
            raise GameFileError(
                f"{source}: played with another box ({file.box_hash}, here {game.box_hash}); the cards have changed since"
            )
        if file.opening:
            pos = game.from_bytes(base64.b64decode(file.opening, validate=True), file.names)
            pos.seed = file.seed
            return pos
        return game.new(file.seats, file.seed, names=file.names)
    except GameFileError:
        raise
    except ValueError as error:
        raise GameFileError(f"{source}: {error}") from None


def read_game_file(path: str | Path) -> Position:
    """Read a game file and replay it; GameFileError says what is wrong."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GameFileError(f"{path}: cannot be read ({error})") from None
    return replay_from_text(text, str(path))
