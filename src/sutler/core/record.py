"""Fixed-size records: a game's box and its state, field by field.

`record("Seat", ("coins", "i2"), cards("hand", N_CARDS))` gives a `Record`; its `dtype` is one of `Row`s, so that
`state.seats[2].coins += 1` reads and writes the same memory compiled or as plain Python.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sutler.core.bits import members, words

HEADER: tuple[tuple[Any, ...], ...] = (
    ("phase", "i1", (), "phase"),
    ("to_act", "i1", (), "seat"),
    ("n_seats", "i1"),
    ("rng", "u4", 4, None, None, "nobody"),
)
"""The first fields of every state: the decision at hand, whose it is, the number of seats, the generator."""

NOBODY = -1
"""The number that stands for no seat, no card, no place."""


class Row(np.void):  # type: ignore[misc]  # the stubs call it final; NumPy itself derives np.record from it
    """A record whose fields are attributes; each read takes a third of the time of NumPy's own `np.record`.

    Views and plain rules read thousands of fields for one picture.
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except (KeyError, ValueError):
            raise AttributeError(f"this record has no field {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in (self.dtype.names or ()):
            raise AttributeError(f"this record has no field {name!r}")
        self[name] = value


@dataclass(frozen=True)
class Field:
    """One field of a record, with names for people and files.

    `of` says what its numbers stand for ("card", "seat"), `by` what its first index counts ("token", "land"), `seen_by` who
    may know it (see `core.learners.observation`); of a set that nobody sees, `counted` shows how many it holds.
    """

    name: str
    type: str | Record
    shape: tuple[int, ...] = ()
    of: str | None = None
    by: str | None = None
    seen_by: str = "everybody"
    counted: bool = False
    named: str | None = None
    bits: str | None = None
    each: int = 0
    is_set: bool = False
    size: int = 0

    @property
    def format(self) -> tuple[Any, ...]:
        """The field as NumPy describes it: name, type and, for an array, shape."""
        base = self.type.struct if isinstance(self.type, Record) else self.type
        return (self.name, base, self.shape) if self.shape else (self.name, base)


def field(
    name: str,
    type: str | Record,
    shape: int | tuple[int, ...] = (),
    of: str | None = None,
    by: str | None = None,
    seen_by: str = "everybody",
    named: str | None = None,
    bits: str | None = None,
    each: int = 0,
) -> Field:
    """A field of a NumPy type string or another Record, and its shape.

    of, by, seen_by: see `Field`. named: the kind ("card") whose names files may write instead of its numbers. bits: the kind whose
    names files write for its bits; in an array each element takes the next `each` names.
    """
    outer = (shape,) if isinstance(shape, int) else shape
    return Field(name, type, outer, of, by, seen_by, named=named or of, bits=bits, each=each)


def set_of(
    of: str,
    name: str,
    n: int,
    shape: int | tuple[int, ...] = (),
    by: str | None = None,
    seen_by: str = "everybody",
    counted: bool = False,
) -> Field:
    """A field that holds a set of numbers below n (see `core.bits`)."""
    outer = (shape,) if isinstance(shape, int) else shape
    return Field(name, "u8", (*outer, words(n)), of, by, seen_by, counted, is_set=True, size=n)


class Record:
    """The layout of a record. dtype: the NumPy type that rules read; fields: with names and meanings, for people and files."""

    def __init__(self, name: str, fields: tuple[Field, ...]) -> None:
        self.name = name
        self.fields = fields
        for one in fields:
            if hasattr(Row, one.name) or keyword.iskeyword(one.name) or one.name.startswith("_"):
                raise ValueError(f"{name}.{one.name}: NumPy or Python already uses this name; choose another")
        if len({one.name for one in fields}) < len(fields):
            raise ValueError(f"{name}: two fields have the same name")
        self.struct = np.dtype([one.format for one in fields], align=True)  # aligned: faster, and graphics cards insist
        self.dtype = _to_row_dtype(self.struct)

    def __repr__(self) -> str:
        return f"<Record {self.name}, {self.dtype.itemsize} bytes>"

    def new(self) -> Any:
        """A record of zeros."""
        return np.zeros(1, self.dtype)[0]

    def from_bytes(self, data: bytes) -> Any:
        """A record from the bytes of `to_bytes`; ValueError when the length is wrong."""
        if len(data) != self.dtype.itemsize:
            raise ValueError(f"{self.name}: {self.dtype.itemsize} bytes expected, {len(data)} given")
        return np.frombuffer(bytearray(data), self.dtype)[0]

    def copy(self, value: Any) -> Any:
        """A copy that shares nothing with the original."""
        return self.from_bytes(value.tobytes())

    def iter_values(self, value: Any, path: str = "", names: Any = None) -> Iterator[tuple[str, Field, Any]]:
        """Yield every plain value in the record as (path, field, value); a set is one value, an array one for each element.

        With `names`, indexes that count something named are written by name: `tokens[crops]`.
        """
        for one in self.fields:
            here = f"{path}.{one.name}" if path else one.name
            shape = one.shape[:-1] if one.is_set else one.shape
            yield from _iter_elements(one, getattr(value, one.name), shape, here, one.by, names)

    def list_changes(self, before: Any, after: Any, names: Any = None) -> list[str]:
        """The changes between two records, as `seats[0].coins 3->1` and `seats[0].hand -Wheat`; `names(of, i)` gives words for numbers."""
        told = []
        for (path, one, old), (_, _, new) in zip(
            self.iter_values(before, names=names), self.iter_values(after, names=names), strict=True
        ):
            if one.is_set:
                was, now = set(members(old)), set(members(new))
                for sign, changed in (("-", was - now), ("+", now - was)):
                    told += [f"{path} {sign}{_format_index(names, one, i)}" for i in sorted(changed)]
            elif old != new:
                told.append(f"{path} {_format_index(names, one, old)}->{_format_index(names, one, new)}")
        return told


def _to_row_dtype(struct: Any) -> Any:
    """The NumPy type of a record, with the same layout, whose records and inner records are `Row`s."""
    if struct.subdtype is not None:
        return np.dtype((_to_row_dtype(struct.subdtype[0]), struct.subdtype[1]))
    if struct.names is None:
        return struct
    layout: Any = {
        "names": list(struct.names),
        "formats": [_to_row_dtype(struct.fields[name][0]) for name in struct.names],
        "offsets": [struct.fields[name][1] for name in struct.names],
        "itemsize": struct.itemsize,
    }
    return np.dtype((Row, np.dtype(layout, align=struct.isalignedstruct)))


def _format_index(names: Any, one: Field, number: Any) -> str:
    """An index of a field as text: the name of the thing that it counts, else the number."""
    if one.of is None or names is None or number == NOBODY:
        return str(number)
    return str(names(one.of, int(number)))


def _iter_elements(
    one: Field, value: Any, shape: tuple[int, ...], path: str, by: str | None, names: Any
) -> Iterator[tuple[str, Field, Any]]:
    """Yield (path, field, value) of a field's elements. `shape`, `by`: the remaining dimensions, and what the first counts."""
    if shape:
        for i in range(shape[0]):
            index = names(by, i) if names is not None and by not in (None, "seat") else i
            yield from _iter_elements(one, value[i], shape[1:], f"{path}[{index}]", None, names)
    elif isinstance(one.type, Record):
        yield from one.type.iter_values(value, path, names)
    else:
        yield path, one, value


def record(name: str, *fields: Field | tuple[Any, ...]) -> Record:
    """A record layout from fields or plain tuples (name, type[, shape[, of]])."""
    return Record(name, tuple(one if isinstance(one, Field) else field(*one) for one in fields))


def copy_into(target: Any, source: Any) -> None:
    """Copy every field of the record `source` into the record `target`."""
    for name in target.dtype.names:
        target[name] = source[name]


def build_weights(kind: Record, **told: Any) -> Any:
    """A row of a record of weights, with every field given by name; TypeError names those that are missing or unknown."""
    fields = {one.name for one in kind.fields}
    if wrong := sorted(fields ^ set(told)):
        raise TypeError(f"{kind.name}: each number is told once; missing or unknown: {', '.join(wrong)}")
    row = kind.new()
    for name, value in told.items():
        setattr(row, name, value)
    return row
