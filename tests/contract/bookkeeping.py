"""A second account of a game, kept from its log alone: the mechanism that every game's book shares.

A game's book knows what the lines of its log say and what is printed, never a rule. `RecordBook` keeps a state of its own, so that
every field that everybody sees is compared with the game's, but for those in `COURSE`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

import numpy as np

from sutler.core.events import Told
from sutler.core.play.game import Game
from sutler.core.play.position import Position
from sutler.core.record import HEADER, Field

GOING_ON = tuple(name for name, *_ in HEADER)
"""What every game's record begins with: whose turn it is, and luck."""


def field_of(path: str) -> str:
    """`seats[0].dice[3]` is the field `seats.dice`."""
    return ".".join(part.partition("[")[0] for part in path.split("."))


def is_among(path: str, fields: Iterable[str]) -> bool:
    """Is this value one of these fields, or inside one of them?"""
    field = field_of(path)
    return any(field == one or field.startswith(f"{one}.") for one in fields)


def add(members: Any, number: int) -> None:
    """Put a number into a set of the record."""
    members[number >> 6] |= np.uint64(1 << (number & 63))


def discard(members: Any, number: int) -> None:
    """Take a number out of a set of the record."""
    members[number >> 6] &= np.uint64(~(1 << (number & 63)) & (1 << 64) - 1)


def has(members: Any, number: int) -> bool:
    """Is a number in a set of the record?"""
    return bool(int(members[number >> 6]) >> (number & 63) & 1)


def move(whence: Any, to: Any) -> None:
    """Everything in the first set goes into the second."""
    to |= whence
    whence[:] = 0


def place(record: Any, path: str, value: Any) -> None:
    """Write a value where a path of the record leads."""
    *way, last = [int(step) if step.isdigit() else step for step in path.replace("[", ".").replace("]", "").split(".")]
    for step in way:
        record = record[step]
    record[last] = value


class Book:
    """What a log tells, line by line: `_kind(*parts)` writes down an event of that kind; others are named in CHANGES_NOTHING."""

    CHANGES_NOTHING: ClassVar[str] = ""
    """The kinds of events, with spaces between, that change no field of the book: a new kind wants a method, or a place here."""

    def note(self, told: Iterable[Told]) -> None:
        """Go on with these lines."""
        for one in told:
            write = getattr(self, f"_{one.kind}", None)
            if write is not None:
                write(*one.args)
            self.before = one.kind

    before = ""
    """The kind of the line before the present one."""

    def differences(self, pos: Position) -> list[str]:
        """What the state has otherwise than the book, each in words; nothing when they agree."""
        return [
            f"{what}: {told!r} in the log, {there!r} there" for what, told, there in self._both(pos) if told != there
        ]

    def _both(self, pos: Position) -> Iterator[tuple[str, Any, Any]]:
        """Each thing by name, in the book and in the state."""
        raise NotImplementedError


class RecordBook(Book):
    """A book that is a state of the game: set up as the game was, then changed by the lines of its log alone."""

    COURSE: ClassVar[tuple[str, ...]] = ()
    """Fields that say only what is going on: what of a decision is made, whose turn it is; what comes of them is told."""
    OWNED: ClassVar[tuple[str, ...]] = ()
    """Fields that their owner alone sees, and whose owner is told of every change."""

    def __init__(self, pos: Position) -> None:
        self.box, self.state = pos.game.box, pos.game.blank(pos.n_seats, pos.seed)
        pos.game.definition.setup(self.box, self.state)
        self.masks: dict[Any, Any] = {}
        self.begin()
        self.note(pos.opening)

    def begin(self) -> None:
        """What else the book keeps."""

    def differences(self, pos: Position) -> list[str]:
        """What the state has otherwise than the book, in words; that all bytes which are compared are equal is soon seen."""
        mask = self.masks.get(self.moment())
        if mask is None:
            mask = self.masks[self.moment()] = self._mask(pos)
        one, other = (np.frombuffer(state.tobytes(), np.uint8) for state in (self.state, pos.state))
        return super().differences(pos) if ((one ^ other) & mask).any() else []

    def moment(self) -> Any:
        """What `compares` depends on, besides the field."""

    def _mask(self, pos: Position) -> Any:
        """The bytes of a state that are compared, as ones."""
        marked = pos.game.blank(pos.n_seats, 0)
        for path, one, value in pos.game.definition.STATE.iter_values(marked):
            every = ~np.zeros_like(value)
            place(marked, path, every if self.compares(path, one) else ~every)
        return np.frombuffer(marked.tobytes(), np.uint8)

    def _both(self, pos: Position) -> Iterator[tuple[str, Any, Any]]:
        layout = pos.game.definition.STATE
        for (path, one, told), (_, _, there) in zip(
            layout.iter_values(self.state), layout.iter_values(pos.state), strict=True
        ):
            if self.compares(path, one):
                yield (path, told.tolist(), there.tolist()) if one.is_set else (path, int(told), int(there))

    def compares(self, path: str, one: Field) -> bool:
        """Is this value told by the log?"""
        known = one.seen_by == "everybody" or is_among(path, self.OWNED)
        return known and not is_among(path, (*GOING_ON, *self.COURSE))


def assert_agrees(book: type[Book], game: Game, seats: int, seed: int, steps: int) -> Position:
    """Play a game at random; after every decision compare the book, and ask the game's check. Returns the position that was reached."""
    pos, luck = game.new(seats, seed), random.Random(seed)
    kept: Any = book(pos)
    assert not kept.differences(pos), kept.differences(pos)[:3]
    for n in range(steps):
        if pos.over:
            break
        action = luck.choice(pos.actions())
        told = pos.play(action)
        kept.note(told)
        wrong = kept.differences(pos)
        assert not wrong, (n, action.name, [one.kind for one in told], wrong[:3])
        fault = int(game.definition.check(game.box, pos.state))
        assert not fault, (n, action.name, game.definition.FAULTS[fault])
    return pos
