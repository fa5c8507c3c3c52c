"""Fast reading of records from Python, and rules as plain Python where they are called too seldom to be compiled.

`speed_up_access` makes fields of records quick to read where they lie. Compiled code asks a record for `data`, its bytes; NumPy would
first describe them in a string, up to 60 µs a call, which nobody reads.

A `Plain` is a copy of a record: numbers, lists and, for records within it, more `Plain`s. A view reads a thousand fields for one
picture and asks rules a hundred questions about the same position. A record makes a new Python number at each read, and each call
of compiled code costs more than most questions do. In a `Plain` a field is looked up once, and the rules run as plain Python.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar, cast

import numpy as np

from sutler.core.record import Record, Row
from sutler.core.rule import _here
from sutler.core.text.language import get_language

MAX_BOXES = 32
"""The most boxes that are kept in this form: a house has a few games, a lab some more of each."""

MAX_SETS = 16_384
"""The most sets whose members are cached: a picture asks for the same lands again and again."""

MAX_PIECES = 4_096
"""The most pieces of pictures that are cached (`cache_piece_of_view`), each about the size of one card or sheet."""

Look = TypeVar("Look", bound=Callable[..., Any])


@contextlib.contextmanager
def run_rules_plainly() -> Iterator[None]:
    """Run rules as plain Python in this thread, during a `with` block; the results are the same to the byte.

    For rules that are called once: compiling a rule that Python calls directly takes up to ten seconds, while somebody waits.
    """
    before, _here.plain = _here.plain, True
    try:
        yield
    finally:
        _here.plain = before


class Plain:
    """A copy of a record as plain Python values; lists in it are made when they are first asked for. Equal only to itself."""

    def __init__(self, row: Any) -> None:
        self._row = row

    def __getattr__(self, name: str) -> Any:
        kept = self.__dict__
        row = kept["_row"]
        if "_numbers" not in kept:  # what is asked for first brings all numbers of the record with it
            kept["_numbers"] = True
            kept.update(one for one in zip(row.dtype.names, row.item(), strict=True) if type(one[1]) in _NUMBERS)
            if name in kept:
                return kept[name]
        try:
            found = _to_plain(row[name])
        except (KeyError, ValueError):
            raise AttributeError(f"this record has no field {name!r}") from None
        setattr(self, name, found)
        return found


_NUMBERS = (int, float, bool)


class _Table(list[Any]):
    """A list of lists that can be indexed like an array: `table[row, column]`."""

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, tuple):
            found: Any = self
            for one in at:
                found = list.__getitem__(found, one)
            return found
        return list.__getitem__(self, at)


def _to_plain(value: Any) -> Any:
    """A value of a record as plain Python: a record as `Plain`, an array as a list, a number as int or float."""
    if not isinstance(value, np.ndarray):
        return Plain(value) if isinstance(value, np.void) else value.item()
    if value.dtype.names is not None:
        return _Table(_to_plain(row) for row in value) if value.ndim > 1 else [Plain(row) for row in value]
    return _wrap_nested_lists(value.tolist(), value.ndim)


def _wrap_nested_lists(rows: list[Any], deep: int) -> list[Any]:
    """A list of numbers, or of lists nested `deep` levels as `_Table`s."""
    if deep == 1:
        return rows
    return _Table(rows if deep == 2 else [_wrap_nested_lists(row, deep - 1) for row in rows])


def read_rows(owner: Any, name: str, n: int) -> tuple[tuple[Any, ...], ...]:
    """The first `n` records of the list `name` of a Plain, each as a tuple of its numbers; faster than reading field by field."""
    return tuple(map(tuple, owner._row[name][:n].tolist()))


def list_set_members(words: Iterable[Any]) -> tuple[int, ...]:
    """The numbers in a bit set (`core.bits`), ascending, like `bits.members`, but cached: faster where the same set is asked for often."""
    return _list_cached_members(tuple(map(int, words)))


@functools.lru_cache(maxsize=MAX_SETS)
def _list_cached_members(words: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers in a bit set, given as a tuple of its words; cached."""
    return tuple(64 * place + i for place, word in enumerate(words) for i in range(word.bit_length()) if word >> i & 1)


_kept: dict[int, tuple[bytes, Plain]] = {}


def read_box_plainly(box: Any) -> Plain:
    """The box as a `Plain`, converted once and kept until the box's bytes change."""
    data, kept = box.tobytes(), _kept.get(id(box))
    if kept is None or kept[0] != data:
        if len(_kept) >= MAX_BOXES:
            _kept.clear()
        kept = _kept[id(box)] = data, Plain(np.frombuffer(data, box.dtype)[0])
    return kept[1]


def with_plain_records(look: Look) -> Look:
    """Decorate a function `look(box, state, …)` so that it gets both as `Plain`, and rules run as plain Python meanwhile.

    It may change nothing: whatever it writes goes into the copy and is lost.
    """

    @functools.wraps(look)
    def look_at_plain_records(box: Any, state: Any, *args: Any, **named: Any) -> Any:
        with run_rules_plainly():
            return look(read_box_plainly(box), Plain(state), *args, **named)

    return cast("Look", look_at_plain_records)


def _join_bytes(rows: list[Plain]) -> bytes:
    """The bytes of these records, one after the other."""
    return b"".join([row._row.tobytes() for row in rows])


def cache_piece_of_view(look: Look) -> Look:
    """Decorator: cache what `look(box, names, *made_of)` returns, by its arguments and the reader's language; records by their bytes.

    For a piece of a picture that depends on these alone and that few decisions change: it is shared by two seats, and by the pictures
    before and after a decision. The cached object itself is returned, so nobody may write into it.
    """
    known: dict[Any, tuple[Any, Any, Any]] = {}

    @functools.wraps(look)
    def look_up_or_compute(box: Any, names: Any, *made_of: Any) -> Any:
        key = (
            id(box),
            id(names),
            get_language(),
            *[_join_bytes(one) if isinstance(one, list) else one for one in made_of],
        )
        found = known.get(key)
        if found is None:
            if len(known) >= MAX_PIECES:
                known.clear()
            found = known[key] = (
                look(box, names, *made_of),
                box,
                names,
            )  # both kept alive, so that their ids stay theirs
        return found[0]

    return cast("Look", look_up_or_compute)


# --- Records where they lie ---

_BYTE = np.dtype("u1")


def _get_memory(row: Any) -> Any:
    """The memory of a record, as a buffer."""
    return np.frombuffer(row, _BYTE)


class _Read:
    """A descriptor that reads the field of this name from any record that has one, so that different records may share a name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, row: Any, kind: type) -> Any:
        try:
            return row[self.name]
        except (TypeError, KeyError, ValueError):
            raise AttributeError(f"this record has no field {self.name!r}") from None


def speed_up_access(*records: Record) -> None:
    """Speed up access to these records, and to all records in them, from now on."""
    Row.data = property(_get_memory)  # type: ignore[assignment]
    for one in records:
        for field in one.fields:
            if field.name not in vars(Row):
                setattr(Row, field.name, _Read(field.name))
            if isinstance(field.type, Record):
                speed_up_access(field.type)
