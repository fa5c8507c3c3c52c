"""Passages: short pieces of many games, kept as checks of all that each decision does, a few characters a decision.

    passage 3   {"map": "printed"}   seats 4
    begins c-qBf>26ab5...
    412 Qf aZ3 kk0f
    17 b- - 9

A passage begins in the middle of a game, from a state that is kept (its bytes, packed). Each line is a decision: the action's
number; a check of what could be done; one of each event told; one of each value of the record that changed. Every eighth
decision, and the last, also checks all refusals, points and places. What a position is worth to a bot is no part of it, since
that is tuned and no rule. So whatever a change of
the rules does, in options and at tables that a playthrough to be read hardly comes to, is noticed; `difference` tells in words
where it first shows. `make golden` prints them anew; `tools/passages.py GAME` chooses others.
"""

from __future__ import annotations

import base64
import json
import string
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import sutler
from contract.options import OPTION_SETS
from sutler.core.play.game import Game
from sutler.core.play.position import Position
from sutler.core.tables import NOT_NOW

FOLDER = Path(__file__).parent.parent / "golden" / "passages"
LETTERS = string.digits + string.ascii_letters + "+="
EVERY = 8  # decisions, then refusals and points are looked at too: they take long in plain Python
ROUNDED = 6  # digits of points


@dataclass(frozen=True)
class Passage:
    """Options, seats, the state it begins from, and its lines: decisions with their checks.

    The options as they are, or the number of one of the game's `OPTION_SETS`.
    """

    options: dict[str, Any] | int
    seats: int
    state: bytes
    lines: tuple[str, ...]

    @property
    def actions(self) -> list[int]:
        """The decisions, as numbers of actions."""
        return [int(line.split()[0]) for line in self.lines]

    def begin(self, game: str) -> Position:
        """The position it begins from. ValueError when the state is none of this game any more."""
        return rules(game, self.options).from_bytes(self.state)


def rules(game: str, options: dict[str, Any] | int) -> Game:
    """A game with these options, or with those of an option set."""
    return loaded(game, json.dumps(OPTION_SETS[game][options] if isinstance(options, int) else options))


@cache
def loaded(game: str, options: str) -> Game:
    """A game with options that are kept as text."""
    return sutler.load(game, **json.loads(options))


def read(path: Path) -> list[Passage]:
    """The passages of a file."""
    found = []
    for part in path.read_text(encoding="utf-8").split("passage ")[1:]:
        head, begins, *lines = part.strip().splitlines()
        _, options, seats = head.split("   ")
        state = zlib.decompress(base64.b85decode(begins.removeprefix("begins ")))
        found.append(Passage(json.loads(options), int(seats.removeprefix("seats ")), state, tuple(lines)))
    return found


def written(passages: Iterable[Passage]) -> str:
    """The text of a file of passages."""
    out = []
    for number, one in enumerate(passages, 1):
        begins = base64.b85encode(zlib.compress(one.state, 9)).decode()
        out += [f"passage {number}   {json.dumps(one.options)}   seats {one.seats}", f"begins {begins}", *one.lines]
    return "\n".join([*out, ""])


# --- Checks ---------------------------------------------------------------------------------


def check(what: Any, letters: int = 1) -> str:
    """So many letters that are others when `what` is another thing, as good as always."""
    number = zlib.crc32(repr(what).encode())
    return "".join(LETTERS[number >> 6 * i & 63] for i in range(letters))


def offered(pos: Position) -> list[str]:
    """What may be done, by name."""
    return [pos.game.action_names[i].name for i in pos.legal_ids()]


def refused(pos: Position) -> list[str]:
    """Why the rest may not be done, where there is more to be said than that it is not asked."""
    d = pos.game.definition
    names = pos.game.action_names
    reasons = [int(d.why_not(pos.game.box, pos.state, i)) for i in range(len(names))]
    return [f"{names[i].name}: {d.REFUSALS.names[reason]}" for i, reason in enumerate(reasons) if reason > NOT_NOW]


def points(pos: Position) -> list[str]:
    """Points and places of all seats."""
    return [str(round(x, ROUNDED)) for x in (*pos.scores(), *pos.places())]


def line_of(pos: Position, action: int, more: bool) -> tuple[str, list[list[str]]]:
    """Take an action: its line, and in words what each part of the line stands for."""
    layout = pos.game.definition.state
    before, could = layout.copy(pos.state), offered(pos)
    events = [f"{told.kind} {told.args} to {told.audience}" for told in pos.play(action)]
    changes = layout.list_changes(before, pos.state)
    parts = [check(could, 2), "".join(map(check, events)) or "-", "".join(map(check, changes)) or "-"]
    words = [could, events, changes]
    if more:
        rest = [[] if pos.over else refused(pos), points(pos)]
        parts += [check(one, 2) for one in rest]
        words += rest
    return " ".join([str(action), *parts]), words


def played(pos: Position, actions: list[int]) -> list[str]:
    """The lines of a passage as the rules are now; it ends early where an action has become illegal."""
    lines = []
    for number, action in enumerate(actions, 1):
        if pos.why_not(action) is not None:
            break
        lines.append(line_of(pos, action, number % EVERY == 0 or number == len(actions))[0])
    return lines


# --- Comparing ------------------------------------------------------------------------------

PARTS = ("what may be done", "what is told", "what changes", "why the rest may not be done", "points and places")


def difference(game: str, passage: Passage) -> str:
    """Where a passage first goes another way than it is kept, in words; empty when it goes the same way."""
    try:
        pos = passage.begin(game)
    except ValueError as error:
        return f"it cannot begin: {error}"
    for number, (action, line) in enumerate(zip(passage.actions, passage.lines, strict=True), 1):
        where = f"decision {number}, {pos.game.action_names[action].name!r} by seat {pos.seat}"
        if refusal := pos.why_not(action):
            return f"{where}: it may not be done any more: {refusal.text}"
        now, words = line_of(pos, action, len(line.split()) > 4)
        if now != line:
            return f"{where}: {_first(line.split()[1:], now.split()[1:], words)}"
    return ""


def _first(kept: list[str], now: list[str], words: list[list[str]]) -> str:
    """The first part of a line that differs, with what stands there now."""
    part = next(i for i, (old, new) in enumerate(zip_longest(kept, now)) if old != new)
    told = words[part]
    if part not in (1, 2):
        return f"{PARTS[part]} differs; it is now: {'; '.join(one for one in told if one)}"
    olds, news = (one.replace("-", "") for one in (kept[part], now[part]))
    at = next(i for i, (old, new) in enumerate(zip_longest(olds, news)) if old != new)
    here = f"number {at + 1} is now: {told[at]}" if at < len(told) else f"only {len(told)} are left of {len(olds)}"
    return f"{PARTS[part]} differs; {here}. All of it now: {'; '.join(told)}"


def reprinted(game: str, path: Path) -> str:
    """A file's text with what the rules do now: a passage ends early where its action has become illegal. ValueError when a
    state is none of this game any more; `tools/passages.py` then chooses others.
    """
    out = []
    for one in read(path):
        try:
            pos = one.begin(game)
        except ValueError as error:
            raise ValueError(f"{path.name}: choose others (python tools/passages.py {game}): {error}") from error
        out.append(Passage(one.options, one.seats, one.state, tuple(played(pos, one.actions))))
    return written(one for one in out if one.lines)
