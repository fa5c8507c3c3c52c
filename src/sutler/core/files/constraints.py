"""Checks of a box beyond its form: the constraints that the rules of a game take for granted, and which file a fault comes from.

A game's sheet lists them as `SOUND`, each a `Constraint`: what must hold, in words, and a function that finds where it does not.
`Origins` finds the file that holds the entry which a message is about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from sutler.core.names import did_you_mean

ENTRY = re.compile(r'^\[\[(?P<key>[\w.]+)\]\](?: "(?P<name>.*?)")?')
FIELD = re.compile(r"^(?:\[(?P<table>\w+)\]|field (?P<path>[\w.]+))")


@dataclass(frozen=True)
class Constraint:
    """One check of a box. `words`: what must hold. `broken(sheet, box)`: yields each place where it fails (see `format_entry_place`)."""

    words: str
    broken: Callable[[Any, Any], Iterable[str]]


def format_entry_place(key: str, name: str, field: str = "") -> str:
    """The place of a fault in words, an entry and its field: `[[card]] "Wheat", field gain`. `key`: the list that the entry is in."""
    return f'[[{key}]] "{name}"' + (f", field {field}" if field else "")


def list_repeated(values: Iterable[Any]) -> list[Any]:
    """The values that occur more than once, each of them once."""
    return [value for value, n in Counter(values).items() if n > 1]


def has_falling_step(numbers: Sequence[int]) -> bool:
    """Is any number smaller than the one before it?"""
    return any(after < before for before, after in pairwise(numbers))


@cache
def list_drawn_icons(board: Path) -> frozenset[str]:
    """The names of the icons that are drawn for a game, in the `icons.svg` of its board."""
    return frozenset(re.findall(r'id="i-([^"]+)"', (board / "icons.svg").read_text(encoding="utf-8")))


def cards_without_picture(board: Path) -> Callable[[Any, Any], Iterator[str]]:
    """A check (for `Constraint.broken`) that finds cards whose icon is not drawn in the `icons.svg` of the folder `board`."""

    def find_undrawn(sheet: Any, box: Any) -> Iterator[str]:
        drawn = list_drawn_icons(board) if any(card.icon for card in sheet.card) else frozenset()
        for card in sheet.card:
            if card.icon and card.icon not in drawn:
                meant = did_you_mean(card.icon, sorted(drawn)).removeprefix("; ")
                yield f"{format_entry_place('card', card.name, 'icon')}, {card.icon!r}{meant and f' ({meant})'}"

    return find_undrawn


def find_broken_constraints(sheet: Any, box: Any) -> Iterator[str]:
    """Yield "place: words" for each place where the sheet or the box breaks one of the game's constraints."""
    for one in getattr(sheet, "SOUND", ()):
        for place in one.broken(sheet, box):
            yield f"{place}: {one.words}"


class Origins:
    """The sources of a box's content: the printed file, an edit of it, and settings; used to name the source of a fault.

    `printed`, `file`: the names of the printed box and of the edit. `edit`: the edit's data.
    """

    def __init__(self, printed: str, file: str = "", edit: Mapping[str, Any] | None = None) -> None:
        self.printed, self.file, self.edit = printed, file or printed, edit or {}
        self.settings: list[str] = []

    def find_source(self, fault: str) -> str:
        """The file or setting that a fault comes from, found by the entry or field with which the fault's message begins."""
        if found := ENTRY.match(fault):
            return self._find_source_of_entry(found["key"].partition(".")[0], found["name"])
        if found := FIELD.match(fault):
            return self._find_source_of_entry(*(found["table"] or found["path"]).partition(".")[::2])
        return self.file

    def add_source(self, fault: str) -> str:
        """A fault's message with the name of its file in front; unchanged for a fault of an option, which comes from no file."""
        return fault if fault.startswith("option ") else f"{self.find_source(fault)}: {fault}"

    def is_edited(self, key: str) -> bool:
        """Is the list or table `key` changed by an edit of the box?"""
        return self.file != self.printed and key in self.edit

    def _find_source_of_entry(self, key: str, name: str | None) -> str:
        """The name of the file, or the setting, that the entry `name` of the list or table `key` comes from."""
        for setting in self.settings:
            head, _, rest = setting.partition(".")
            if head == key and (not name or rest.casefold().startswith(name.casefold())):
                return f"setting {setting}"
        if self.file == self.printed or key not in self.edit:
            return self.file if self.file == self.printed else f"{self.file}, laid over {self.printed}"
        entries = self.edit[key]
        tables = [one for one in entries if isinstance(one, Mapping)] if isinstance(entries, list) else []
        named = [one.get("name", one.get("resource", one.get("region"))) for one in tables]
        if name and any(named) and name not in named:
            return f"{self.file}, laid over {self.printed}"
        return self.file
