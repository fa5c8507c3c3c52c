"""Entries of a box declared once: from the Pydantic model that checks `box.toml`, the record that rules read, and conversions both ways.

`CARD = record_of(CardEntry, ("lands", "u8"))` makes the record, `write_entry(box.card[i], entry)` writes an entry into it. Rules then read
a card by the file's names: `steal = { what = "card", count = 2 }` is `card.steal.what` and `card.steal.count`.

| in the entry | in the record |
|---|---|
| a number with its bounds | `i2`, or `i4` where the bounds ask for it |
| yes or no | `i1` |
| one of some words, `Literal["bounty", "upgrade"]` | `i1`, the word's index; `NOBODY` for `None` |
| a list of such words | `u8`, one bit for each word |
| `Amounts` | a row of numbers |
| a number by such words, `dict[Literal["road", "river"], Price]` | a row of numbers too; 0 for a word not named |
| another entry | a record within |
| an entry or `None` | a record within, whose field `there` is 0 for `None` |
| a list of entries, `Field(max_length=3)` | that many records; `n_rows` is the list's length, unless it is fixed |
| any other words | nothing: they are for people |

`read_entry(CardEntry, box.card[i])` reads it back for a view.
"""

from __future__ import annotations

import types
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import numpy as np
from pydantic.fields import FieldInfo

from sutler.core.files.box import Entry
from sutler.core.record import NOBODY, Field, Record, field, record

INTEGERS = ("i2", "i4")
One = TypeVar("One", bound=Entry)


class Amounts(Entry):
    """Counted things by name, such as `{ gold = 2 }`: in a record a row of numbers, in the order of the fields."""

    def row(self) -> list[int]:
        """The amounts as numbers, in the order of the fields."""
        return [getattr(self, name) for name in type(self).model_fields]


@cache
def record_of(entry: type[Entry], *more: Field | tuple[Any, ...]) -> Record:
    """The record type for a model of entries, named without its "Entry" (`CardEntry` makes a `Card`).

    `more`: further fields, whose values the game's packing computes.
    """
    own = (one for name, told in entry.model_fields.items() for one in _build_fields(f"{entry.__name__}.{name}", told))
    return record(entry.__name__.removesuffix("Entry"), *own, *more)


def without_amounts(entry: One) -> One:
    """A copy of an entry with every amount set to zero; name, kind and price are kept."""
    if isinstance(entry, Amounts):
        return type(entry)()
    changed: dict[str, Any] = {}
    for name in type(entry).model_fields:
        value = getattr(entry, name)
        if isinstance(value, Entry):
            changed[name] = without_amounts(value)
        elif isinstance(value, list) and any(isinstance(one, Entry) for one in value):
            changed[name] = [without_amounts(one) for one in value]
    return entry.model_copy(update=changed)


def write_entry(row: Any, entry: Entry) -> None:
    """Write an entry of the box into its record `row`."""
    for name, told in type(entry).model_fields.items():
        if name not in row.dtype.names:
            continue
        kind, value = _strip_bounds(told.annotation), getattr(entry, name)
        if not _is_list_of_entries_or_numbers(kind):
            _write_value(row, name, kind, value)
            continue
        if f"n_{name}" in row.dtype.names:
            row[f"n_{name}"] = len(value)
        for i, one in enumerate(value):
            _write_value(row[name], i, _strip_bounds(get_args(kind)[0]), one)


def read_entry(entry: type[Entry], row: Any) -> dict[str, Any]:
    """{field: value} of an entry, read back from its record `row`, without texts; for views.

    The result is cached and must not be changed.
    """
    return dict(_read_entry_cached(entry, row.dtype, row.tobytes()))


@lru_cache(maxsize=2048)
def _read_entry_cached(entry: type[Entry], layout: Any, data: bytes) -> dict[str, Any]:
    """The fields of an entry read back from a record's bytes; each distinct record is read once."""
    found, row = dict[str, Any](), np.frombuffer(data, layout)[0]
    for name, kind, each in _list_field_types(entry):
        if name not in row.dtype.names:
            continue
        value = row[name]
        if each is None:
            found[name] = _read_value(kind, value)
            continue
        n = row[f"n_{name}"] if f"n_{name}" in row.dtype.names else len(value)
        found[name] = [_read_value(each, one) for one in value[:n]]
    return found


@cache
def _list_field_types(entry: type[Entry]) -> list[tuple[str, Any, Any]]:
    """(field, type, type of a list's items or None) for each field of an entry."""
    kinds = [(name, _strip_bounds(told.annotation)) for name, told in entry.model_fields.items()]
    return [
        (name, kind, _strip_bounds(get_args(kind)[0]) if _is_list_of_entries_or_numbers(kind) else None)
        for name, kind in kinds
    ]


def choose_integer_type(numbers: Collection[int]) -> str:
    """The smallest type of INTEGERS that holds all these numbers."""
    low, high = min(numbers), max(numbers)
    return next(one for one in INTEGERS if np.iinfo(one).min <= low and high <= np.iinfo(one).max)


# --- One field ----------------------------------------------------------------


def _strip_bounds(kind: Any) -> Any:
    """A type annotation without its bounds and without `None`."""
    if get_origin(kind) is Annotated:
        return _strip_bounds(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        return _strip_bounds(next(one for one in get_args(kind) if one is not types.NoneType))
    return kind


def _is_choice_of_words(kind: Any) -> bool:
    """Is this type a choice among some words (`Literal`)?"""
    return get_origin(kind) is Literal


def _is_list_of_entries_or_numbers(kind: Any) -> bool:
    """Is this type a list of entries or of numbers? A list of words is none, since it is stored as a bit set."""
    return get_origin(kind) is list and not _is_choice_of_words(get_args(kind)[0])


def _list_bounds(told: FieldInfo, *names: str) -> list[int]:
    """The values of a field's constraints with these names, such as "ge", "le" or "max_length"."""
    return [int(getattr(one, name)) for one in told.metadata for name in names if hasattr(one, name)]


def _build_fields(where: str, told: FieldInfo) -> Iterator[Field]:
    """Yield the record fields that hold one field of an entry. `where`: the field's path, whose last part names them; `told`: its model."""
    name, kind = where.rpartition(".")[2], _strip_bounds(told.annotation)
    if kind is str or kind == list[str]:
        return
    if not _is_list_of_entries_or_numbers(kind):
        yield field(name, *_choose_type_and_shape(where, told, ()))
        return
    (most,) = _list_bounds(told, "max_length")
    if most not in _list_bounds(told, "min_length"):
        yield field(f"n_{name}", "i1")
    yield field(name, *_choose_type_and_shape(where, FieldInfo.from_annotation(get_args(kind)[0]), (most,)))


def _choose_type_and_shape(where: str, told: FieldInfo, shape: tuple[int, ...]) -> tuple[str | Record, tuple[int, ...]]:
    """(record type, shape) that hold a field of an entry; `shape`: the dimensions of the list around it."""
    kind = _strip_bounds(told.annotation)
    if kind is bool or _is_choice_of_words(kind):
        return "i1", shape
    if get_origin(kind) is list:
        return "u8", shape
    if kind is int:
        return _choose_number_type(where, told), shape
    if get_origin(kind) is dict:
        words, number = get_args(kind)
        return _choose_number_type(where, FieldInfo.from_annotation(number)), (*shape, len(get_args(words)))
    if issubclass(kind, Amounts):
        return _choose_number_type(where, *kind.model_fields.values()), (*shape, len(kind.model_fields))
    inner = record_of(kind)
    if kind is not told.annotation:
        inner = record(inner.name, ("there", "i1"), *inner.fields)
    return inner, shape


def _choose_number_type(where: str, *told: FieldInfo) -> str:
    """The smallest integer type that holds the numbers of these fields."""
    bounds = [bound for one in told for bound in _list_bounds(one, "ge", "le")]
    if len(bounds) < 2 * len(told):
        raise TypeError(f"{where}: a number of an entry says its bounds, ge and le")
    return choose_integer_type(bounds)


def _write_value(row: Any, key: str | int, kind: Any, value: Any) -> None:
    """Write a value of this type into the field or index `key` of a record."""
    if isinstance(value, Amounts):
        row[key] = value.row()
    elif isinstance(value, Entry):
        write_entry(row[key], value)
        if "there" in row[key].dtype.names:
            row[key]["there"] = 1
    elif _is_choice_of_words(kind):
        row[key] = NOBODY if value is None else get_args(kind).index(value)
    elif value is None:  # an entry that is not there has no words either: index 0 would name the first one
        for name, told in kind.model_fields.items():
            if _is_choice_of_words(_strip_bounds(told.annotation)):
                row[key][name] = NOBODY
    elif isinstance(value, dict):
        row[key] = [value.get(word, 0) for word in get_args(get_args(kind)[0])]
    elif isinstance(value, list):
        row[key] = sum(1 << get_args(get_args(kind)[0]).index(word) for word in set(value))
    else:
        row[key] = value


def _read_value(kind: Any, value: Any) -> Any:
    """Read back a value that `_write_value` wrote."""
    if _is_choice_of_words(kind):
        return None if value == NOBODY else get_args(kind)[value]
    if get_origin(kind) is list:
        return [word for i, word in enumerate(get_args(get_args(kind)[0])) if int(value) >> i & 1]
    if get_origin(kind) is dict:
        return {word: int(n) for word, n in zip(get_args(get_args(kind)[0]), value, strict=True) if n}
    if kind in (bool, int):
        return kind(value)
    if issubclass(kind, Amounts):
        return {word: int(n) for word, n in zip(kind.model_fields, value, strict=True) if n}
    return None if "there" in value.dtype.names and not value["there"] else read_entry(kind, value)
