"""Events as rows of integers: the log, the animation and the lab's statistics all read these."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sutler.core.names import Numbers
from sutler.core.record import record
from sutler.core.rule import rule

CAPACITY = 1024
N_PARTS = 5
EVERYBODY = -1
AMOUNT, COUNT = "n", "count"
"""In the sentence of an event: the part that `summed` adds up, and the number of equal events that one line tells."""

EVENT = record("Event", ("kind", "i2"), ("audience", "i2"), ("parts", "i4", N_PARTS))
EVENTS = record("Events", ("kinds", "i2"), ("n_told", "i4"), ("rows", EVENT, CAPACITY))
"""The buffer that rules write events into. It keeps events whose kind is below `kinds`: ALL keeps every event, the number of
endings only these (they are numbered first, for games of which only the result is wanted), and 0 none (search).
"""
ALL = 32767


@rule
def _write(events: Any, audience: Any, kind: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> None:
    """Append an event to the buffer, if the buffer keeps events."""
    if events.n_told < CAPACITY:
        row = events.rows[events.n_told]
        row.kind = kind
        row.audience = audience
        row.parts[0] = a
        row.parts[1] = b
        row.parts[2] = c
        row.parts[3] = d
        row.parts[4] = e
    events.n_told += 1


@rule
def tell_to(events: Any, audience: Any, kind: Any, a: Any = 0, b: Any = 0, c: Any = 0, d: Any = 0, e: Any = 0) -> None:
    """Record an event for the seats whose bits are set in `audience` (EVERYBODY: all, watchers too)."""
    if kind < events.kinds:
        _write(events, audience, kind, a, b, c, d, e)


@rule
def tell(events: Any, kind: Any, a: Any = 0, b: Any = 0, c: Any = 0, d: Any = 0, e: Any = 0) -> None:
    """Record an event for everybody."""
    if kind < events.kinds:
        _write(events, EVERYBODY, kind, a, b, c, d, e)


@dataclass(frozen=True)
class Event:
    """A kind of event: the paragraph behind it and its sentence, such as "{seat} takes {card} from {victim:seat}".

    A part in braces is `name` or `name:kind` (the kind defaults to the name; `n` is a count); `{n:#good|goods}` only picks the form of
    the word. `tell` hands over the parts in the order in which they stand in the sentence. `icon` may name an icon of the game; `heading`
    marks lines that open a new section of the log; `ending` marks the events that say that the game is over, and how.

    Events of one kind that follow each other may be one line of the log. `listed`: those that differ in the last part only, of which the
    line lists the last parts ("{power} feeds from {hex}": three areas, one line). `summed`: those that differ in the part `n` only, of
    which the line tells the sum ("{seat} gains {n} {token}"). A sentence with `{count}`, which is no part, is one line for equal events
    and tells how many they are ("{seat} gives up {count} {token}").
    """

    rule: str
    text: str
    icon: str = ""
    heading: bool = False
    ending: bool = False
    listed: bool = False
    summed: bool = False

    @property
    def is_counted(self) -> bool:
        """Does the sentence contain the number of equal events it covers?"""
        return "{count}" in self.text

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """(name, kind) of each part in order."""
        named = []
        for _, spec, kind, _ in string.Formatter().parse(self.text):
            if spec not in (None, COUNT) and not (kind or "").startswith("#"):
                named.append((str(spec), kind or re.sub(r"\d+$", "", str(spec))))
        return tuple(named)


@dataclass(frozen=True)
class Told:
    """One event of a game as it was read back: its kind, the seats that may know of it, and its named parts."""

    kind: str
    event: Event
    audience: int
    args: tuple[int, ...]

    def is_for(self, seat: int | None) -> bool:
        """May this seat (None: a watcher) know of it?"""
        if self.audience == EVERYBODY:
            return True
        return seat is not None and bool(self.audience >> seat & 1)

    def get_part(self, name: str) -> int:
        """The value of a named part."""
        return self.args[[one for one, _ in self.event.parts].index(name)]

    def shares_log_line_with(self, other: Told) -> bool:
        """Can one line of the log cover two events: same kind and readers, and different only in what the line sums or lists?"""
        if self.kind != other.kind or self.audience != other.audience:
            return False
        if self.event.listed:
            return self.args[:-1] == other.args[:-1]
        return self.adds_up_with(other)

    def adds_up_with(self, other: Told) -> bool:
        """Can both events be added up: same kind and readers, a line that states a sum or a count, and different only in what is summed?"""
        if self.kind != other.kind or self.audience != other.audience:
            return False
        if not (self.event.summed or self.event.is_counted):
            return False
        summed = [i for i, (name, _) in enumerate(self.event.parts) if self.event.summed and name == AMOUNT]
        return all(i in summed or mine == its for i, (mine, its) in enumerate(zip(self.args, other.args, strict=True)))


class EventTable:
    """The kinds of events of one game. `E = EVENTS.numbers` numbers them by name: `tell(events, E.harvest, seat, n)`."""

    def __init__(self, **events: Event) -> None:
        self.events = events
        self.endings = [name for name, event in events.items() if event.ending]
        self.names = self.endings + [name for name, event in events.items() if not event.ending]
        self.numbers = Numbers("event", self.names)
        for name, event in events.items():
            if len(event.parts) > N_PARTS:
                raise ValueError(f"event {name}: at most {N_PARTS} parts")
            if event.summed and AMOUNT not in dict(event.parts):
                raise ValueError(f"event {name}: no part {AMOUNT} to sum")

    def read_events(self, buffer: Any) -> Iterator[Told]:
        """The events in a buffer. RuntimeError when more were recorded than it holds."""
        n = int(buffer.n_told)
        if n > CAPACITY:
            raise RuntimeError(f"{n} events in one move, {CAPACITY} fit: the buffer must grow")
        for i in range(n):
            row = buffer.rows[i]
            name = self.names[int(row.kind)]
            event = self.events[name]
            yield Told(name, event, int(row.audience), tuple(int(x) for x in row.parts[: len(event.parts)]))


def new_event_buffer(on: bool = True) -> Any:
    """An empty event buffer; `on=False`: one that keeps nothing."""
    events = EVENTS.new()
    events.kinds = ALL if on else 0
    return events


def drain_events(table: EventTable, buffer: Any) -> list[Told]:
    """The events in a buffer; the buffer is emptied."""
    told = list(table.read_events(buffer))
    buffer.n_told = 0
    return told


SILENT: Any = np.zeros(1, EVENTS.dtype)[0]
"""An event buffer that keeps nothing."""
