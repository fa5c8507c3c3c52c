"""The parameters of a game that a designer can change: numbers among its options and in its box, as `--set` and `--over` name them."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from sutler.core.files.box import read_options
from sutler.core.play.game import load
from sutler.core.play.registry import load_definition

NO_BOX = ("game", "options", "option")  # tables with facts about the game, and with options, which have plain names
MAX_NAMES_LISTED = 12  # names of parameters in an error message


def list_number_names(name: str, max_names: int | None = None) -> list[str]:
    """The names of all numbers of the game `name` that can be changed, at most `max_names`.

    They are the numeric options, the numbers that the box prints, and those defaults of tables (not of single cards) that it leaves
    out.
    """
    found = load_definition(name)
    options = [option.name for option in read_options(found.printed, name).values() if option.kind == "number"]
    tables = {key: one for key, one in load(name).sheet.model_dump().items() if isinstance(one, Mapping)}
    inside = [".".join(path) for box in (found.printed, tables) for path in iter_number_paths(box)]
    return list(dict.fromkeys([*options, *(one for one in inside if one.partition(".")[0] not in NO_BOX)]))[:max_names]


def unknown_parameter_error(name: str, key: str, reason: str) -> ValueError:
    """A ValueError for a parameter that cannot be set: the reason, names that are spelled alike, and names that exist."""
    there = list(dict.fromkeys([*read_options(load_definition(name).printed, name), *list_number_names(name)]))
    if key.casefold() in (one.casefold() for one in there):
        return ValueError(reason)
    near = difflib.get_close_matches(key, there, n=3, cutoff=0.6)
    near = near or [one for one in there if key.casefold() in one.casefold()][:MAX_NAMES_LISTED]
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    listed = ", ".join(dict.fromkeys(there[:MAX_NAMES_LISTED]))
    return ValueError(
        f"{name} has no parameter {key!r} ({reason}).{hint} There are {len(there)}, such as {listed} (all: sutler box show {name})"
    )


def iter_number_paths(entry: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path to each whole number in a box, through tables and through lists of entries with names."""
    if isinstance(entry, Mapping):
        for key, value in entry.items():
            yield from iter_number_paths(value, (*path, str(key)))
    elif isinstance(entry, list):
        for value in entry:
            if isinstance(value, Mapping) and isinstance(value.get("name"), str):
                yield from iter_number_paths(value, (*path, value["name"]))
    elif isinstance(entry, int) and not isinstance(entry, bool):
        yield path


def build_example_edit(name: str) -> str:
    """An edit of the box as TOML, to begin from: the first number of the first card is raised by 1.

    Where no card has a number it is the first number of the box.
    """
    printed = load_definition(name).printed
    found = [path for path in iter_number_paths(printed) if path[0] not in ("game", "options")]
    path = min(found, key=lambda path: (path[0] != "card", not isinstance(printed[path[0]], list)))
    entry: Any = printed[path[0]]
    if isinstance(entry, list):
        entry = next(one for one in entry if one.get("name") == path[1])
        head, rest = f"[[{path[0]}]]\nname = {json.dumps(path[1])}\n", path[2:]
    else:
        head, rest = f"[{path[0]}]\n", path[1:]
    for step in rest:
        entry = entry[step]
    return f"{head}{'.'.join(rest)} = {entry + 1}\n"
