"""A record as plain Python reads it fastest: numbers, lists and, for records within it, more of the same.

A view reads a thousand fields for one picture and asks rules a hundred questions about the same position. Each field of a
record is made into a Python number anew, and each call of compiled code costs more than most questions do. Read plainly, a
field is looked up once, and rules run as the plain Python that they are.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

import numpy as np

from sutler.core.plain_mode import as_written

BOXES = 32
"""How many boxes are kept as they were read: a house has a few games, a lab some more of each."""

SETS = 16_384
"""Of so many sets the members are kept: a picture asks for the same lands again and again."""

PIECES = 4_096
"""So many pieces of pictures are kept (`unchanged`); each holds as much as one card or sheet says."""

Look = TypeVar("Look", bound=Callable[..., Any])


class Plain:
    """A copy of a record whose numbers are read all at once, its lists as they are asked for. Two are equal only if they are one."""

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
            found = _read(row[name])
        except (KeyError, ValueError):
            raise AttributeError(f"this record has no field {name!r}") from None
        setattr(self, name, found)
        return found


_NUMBERS = (int, float, bool)


class _Table(list[Any]):
    """Rows of rows, which may be asked as an array is: `table[row, column]`."""

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, tuple):
            found: Any = self
            for one in at:
                found = list.__getitem__(found, one)
            return found
        return list.__getitem__(self, at)


def _read(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return Plain(value) if isinstance(value, np.void) else value.item()
    if value.dtype.names is not None:
        return _Table(_read(row) for row in value) if value.ndim > 1 else [Plain(row) for row in value]
    return _tables(value.tolist(), value.ndim)


def _tables(rows: list[Any], deep: int) -> list[Any]:
    """A list of numbers; lists of lists so `deep` as tables."""
    if deep == 1:
        return rows
    return _Table(rows if deep == 2 else [_tables(row, deep - 1) for row in rows])


def rows_of(owner: Any, name: str, n: int) -> tuple[tuple[Any, ...], ...]:
    """The first n rows of a list of records, each as its numbers: where a picture wants them all, sooner than one by one."""
    return tuple(map(tuple, owner._row[name][:n].tolist()))


def members_of(words: Iterable[Any]) -> tuple[int, ...]:
    """The numbers in a set of bits (`core.bits`), ascending: what `bits.members` says, sooner where the same set is asked for often."""
    return _members(tuple(map(int, words)))


@functools.lru_cache(maxsize=SETS)
def _members(words: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(64 * place + i for place, word in enumerate(words) for i in range(word.bit_length()) if word >> i & 1)


_kept: dict[int, tuple[bytes, Plain]] = {}


def box_read(box: Any) -> Plain:
    """The box, read once for all pictures; what has changed in it since is noticed."""
    data, kept = box.tobytes(), _kept.get(id(box))
    if kept is None or kept[0] != data:
        if len(_kept) >= BOXES:
            _kept.clear()
        kept = _kept[id(box)] = data, Plain(np.frombuffer(data, box.dtype)[0])
    return kept[1]


def read_plainly(look: Look) -> Look:
    """Hand `look(box, state, …)` both read plainly, and let rules run as plain Python while it looks.

    It may change nothing: what it would write goes into the copy and is lost.
    """

    @functools.wraps(look)
    def looked(box: Any, state: Any, *args: Any, **named: Any) -> Any:
        with as_written():
            return look(box_read(box), Plain(state), *args, **named)

    return cast("Look", looked)


def _bytes_of(rows: list[Plain]) -> bytes:
    return b"".join([row._row.tobytes() for row in rows])


def unchanged(look: Look) -> Look:
    """Keep what `look(box, names, *made_of)` says as long as it is made of the same: records in a list count by their bytes.

    For a piece of a picture that is made of these alone and that few decisions change: two seats share it, and so do the
    pictures before and after. It is handed out again as it is, so nobody may write into it.
    """
    known: dict[Any, tuple[Any, Any, Any]] = {}

    @functools.wraps(look)
    def looked(box: Any, names: Any, *made_of: Any) -> Any:
        key = id(box), id(names), *[_bytes_of(one) if isinstance(one, list) else one for one in made_of]
        found = known.get(key)
        if found is None:
            if len(known) >= PIECES:
                known.clear()
            found = known[key] = look(box, names, *made_of), box, names  # both held, so that their ids stay theirs
        return found[0]

    return cast("Look", looked)
