"""Pydantic's validation errors put into plain words, with a suggestion for an unknown word."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from sutler.core.names import did_you_mean

EXPECTED = {
    "int": "a whole number is expected",
    "float": "a number is expected",
    "bool": "true or false is expected",
    "string": "a text in quotes is expected",
    "list": "a list in [ ] is expected",
    "dict": "a table in { } is expected",
    "model": "a table in { } is expected",
    "dataclass": "a table in { } is expected",
    "tuple": "a list in [ ] is expected",
}


def describe_fault(model: type[BaseModel], fault: Mapping[str, Any]) -> str:
    """One of Pydantic's errors (a row of `ValidationError.errors()`) in plain words, with the value that was given."""
    kind, given, said = str(fault["type"]), fault.get("input"), fault.get("ctx", {})
    if kind == "extra_forbidden":
        name = str(fault["loc"][-1])
        return f"there is no such field{did_you_mean(name, list_fields_at_location(model, fault['loc'][:-1]))}"
    if kind == "missing":
        return "it is missing"
    if kind == "literal_error":
        words = list_allowed_words_at_location(model, fault["loc"]) or re.findall(
            "'([^']*)'", str(said.get("expected"))
        )
        listed = ", ".join(repr(one) for one in words) if words else str(said.get("expected"))
        return f"{given!r} is none of {listed}{did_you_mean(given, words) if isinstance(given, str) else ''}"
    if kind == "value_error":
        return str(fault["msg"]).removeprefix("Value error, ")
    return _describe_size_fault(kind, said, given) or _describe_type_fault(kind, given) or str(fault["msg"])


def _describe_size_fault(kind: str, said: Mapping[str, Any], given: Any) -> str:
    """A fault of a number or length out of bounds, in words; "" for other kinds. `said`: Pydantic's context with the bounds."""
    if kind in ("greater_than_equal", "greater_than"):
        return f"{given!r} is too small: {'at least' if kind.endswith('equal') else 'more than'} {said.get('ge', said.get('gt'))}"
    if kind in ("less_than_equal", "less_than"):
        return f"{given!r} is too large: {'at most' if kind.endswith('equal') else 'less than'} {said.get('le', said.get('lt'))}"
    if kind in ("too_short", "string_too_short"):
        return f"too few: at least {said.get('min_length')}, {said.get('actual_length', len(given or ()))} are there"
    if kind in ("too_long", "string_too_long"):
        return f"too many: at most {said.get('max_length')}, {said.get('actual_length', len(given or ()))} are there"
    return ""


def _describe_type_fault(kind: str, given: Any) -> str:
    """A fault of a value of the wrong type, in words; "" for other kinds."""
    first = kind.split("_")[0]
    if first not in EXPECTED or not kind.endswith(("_type", "_parsing", "_from_float", "_attributes_type")):
        return ""
    shown = repr(given)
    return f"{EXPECTED[first]}, not {shown if len(shown) <= 60 else shown[:57] + '…'}"


# --- The model at a place ------------------------------------------------------------------------------


def _list_types(kind: Any) -> list[Any]:
    """The types that an annotation may be, without its bounds."""
    if get_origin(kind) is Annotated:
        return _list_types(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        return [part for one in get_args(kind) for part in _list_types(one)]
    return [kind]


def _is_model(kind: Any) -> bool:
    """Is this type a model of Pydantic?"""
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _list_types_below(kinds: Sequence[Any], step: int | str) -> list[Any]:
    """The types of the value that one step of an error's path leads to, from a value of one of the types `kinds`.

    They are `kinds` unchanged where the step leads nowhere but names the type that Pydantic tried.
    """
    found: list[Any] = []
    for kind in kinds:
        if isinstance(step, int) and get_origin(kind) is list:
            found += _list_types(get_args(kind)[0])
        elif get_origin(kind) is dict:
            found += _list_types(get_args(kind)[1])
        elif _is_model(kind):
            for name, told in kind.model_fields.items():
                if step in (name, told.alias):
                    found += _list_types(told.annotation)
    return found or list(kinds)


def _list_types_at(model: type[BaseModel], loc: Sequence[int | str]) -> list[Any]:
    """The types that the value at a path of the file may have."""
    kinds: list[Any] = [model]
    for step in loc:
        kinds = _list_types_below(kinds, step)
    return kinds


def list_fields_at_location(model: type[BaseModel], loc: Sequence[int | str]) -> list[str]:
    """The names of the fields that the table at a path (`loc`) of a file may have, for suggestions."""
    return [
        told.alias or name
        for kind in _list_types_at(model, loc)
        if _is_model(kind)
        for name, told in kind.model_fields.items()
    ]


def list_allowed_words_at_location(model: type[BaseModel], loc: Sequence[int | str]) -> list[str]:
    """The words that may stand at a path (`loc`) of a file, where it is a choice among words."""
    return [str(word) for kind in _list_types_at(model, loc) if get_origin(kind) is Literal for word in get_args(kind)]
