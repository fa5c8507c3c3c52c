"""Faults of a card game's file: each with its line, its entry and its field, and the nearest right word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sutler.core.names import did_you_mean


@dataclass(frozen=True)
class Place:
    """A place in the file: a table ("action"), the number of the entry (from 0; -1: a single table), the entry's name, and a field."""

    table: str = ""
    number: int = -1
    name: str = ""
    field: str = ""

    def at_field(self, field: str) -> Place:
        """The place of a field of the same entry, or of a field within the field that this place names."""
        return Place(self.table, self.number, self.name, f"{self.field}.{field}" if self.field else field)

    def __str__(self) -> str:
        if not self.table:
            return f"field {self.field}" if self.field else "the file"
        called = f' "{self.name}"' if self.name else f" number {self.number + 1}"
        entry = f"[[{self.table}]]{called}" if self.number >= 0 else f"[{self.table}]"
        return f"{entry}, field {self.field}" if self.field else entry


class Faults:
    """The faults found in one file; listed in the order of its lines."""

    def __init__(self, source: str, text: str) -> None:
        self.source, self.lines = source, text.splitlines()
        self._found: dict[str, int] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    def add_fault(self, place: Place, message: str, near: str = "") -> None:
        """Note a fault at a place; `near` is a word of the file that helps to find the line."""
        line = self.find_line(place, near)
        where = f"{self.source}, line {line}" if line else self.source
        self._found.setdefault(f"{where}: {place}: {message}", line)

    def add_unknown_word(self, place: Place, what: str, word: str, known: Iterable[str]) -> None:
        """Note a fault: `word` is unknown as a `what`. The message names the nearest known word, or all of them."""
        listed = list(known)
        near = did_you_mean(word, listed)
        there = f" (there {'is' if len(listed) == 1 else 'are'} {', '.join(listed)})" if listed and not near else ""
        self.add_fault(place, f"there is no {what} {word!r}{near}{there}", word)

    def format_all(self) -> str:
        """The faults as text, one per line, in the order of the file."""
        return "\n".join(sorted(self._found, key=lambda fault: self._found[fault]))

    def find_line(self, place: Place, near: str = "") -> int:
        """The line of a place, from 1: of the word `near` in the entry, else of the field, else of the entry; 0 for the whole file."""
        if not place.table:
            return next((i for i, line in enumerate(self.lines, 1) if near and near in line), 0)
        header = rf"\s*\[\[\s*{re.escape(place.table)}\s*\]\]" if place.number >= 0 else rf"\s*\[\s*{place.table}\s*\]"
        starts = [i for i, line in enumerate(self.lines) if re.match(header, line)]
        wanted = max(place.number, 0)
        if wanted >= len(starts):
            return 0
        start = starts[wanted]
        end = next((i for i in range(start + 1, len(self.lines)) if re.match(r"\s*\[", self.lines[i])), len(self.lines))
        first, *rest = place.field.split(".")
        at = next((i for i in range(start, end) if re.match(rf'\s*"?{re.escape(first)}"?\s*=', self.lines[i])), start)
        for word in (*rest, near):  # from the field on, look for the next line with each of the words that follow it
            at = next(
                (i for i in range(at, end) if word and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", self.lines[i])), at
            )
        return at + 1


FIELD_WORDS = {
    **dict.fromkeys(("from", "to", "refill", "again", "empty"), "place"),
    "of": "kind of card",
    "icon": "picture",
    "who": "word for who",
    "at": "word for when",
    "card": "card",
}
"""The kind of thing that a field names, for messages; other fields are called by their own name."""


class Table:
    """One table of the file.

    Each field that is read is checked; `add_unread_field_faults` reports fields that were never read.
    """

    def __init__(self, faults: Faults, place: Place, data: Any) -> None:
        self.faults, self.place = faults, place
        self.data: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        self._asked: set[str] = set()
        if not isinstance(data, Mapping):
            faults.add_fault(place, f"a table in braces is expected, such as {{ start = 5 }}, not {data!r}")

    def __contains__(self, field: str) -> bool:
        return field in self.data

    def add_fault(self, field: str, words: str, near: str = "") -> None:
        """Note a fault of a field, or of the whole table if `field` is ""."""
        self.faults.add_fault(self.place.at_field(field) if field else self.place, words, near)

    def read_raw(self, field: str, default: Any = None) -> Any:
        """The value of a field, unchecked; `default` if the field is missing."""
        self._asked.add(field)
        return self.data.get(field, default)

    def read_text(self, field: str, default: str | None = "") -> str:
        """The text of a field, without spaces around it. Notes a fault if it is no text, or missing while `default` is None."""
        value = self.read_raw(field)
        if value is None:
            if default is None:
                self.add_fault(field if field != "name" else "", f"{field} is missing")
            return default or ""
        if not isinstance(value, str) or not value.strip():
            self.add_fault(field, f'words in quotes are expected, such as "Market", not {value!r}')
            return default or ""
        return value.strip()

    def read_number(self, field: str, default: int | None = None, low: int = 0, high: int = 9999) -> int:
        """The whole number of a field, from `low` to `high`. Notes a fault if it is none, or missing while `default` is None."""
        value = self.read_raw(field)
        if value is None:
            if default is None:
                self.add_fault(field, "a whole number is missing here")
            return default or 0
        if isinstance(value, bool) or not isinstance(value, int):
            quoted = " (without quotation marks)" if isinstance(value, str) and value.strip().isdigit() else ""
            self.add_fault(field, f"a whole number is expected{quoted}, not {value!r}")
            return default or 0
        if not low <= value <= high:
            self.add_fault(field, f"{value} is outside {low} to {high}")
        return value

    def read_flag(self, field: str, default: bool = False) -> bool:
        """The truth value of a field; `default` if it is missing. Notes a fault for other values."""
        value = self.read_raw(field, default)
        if not isinstance(value, bool):
            self.add_fault(field, f"true or false is expected (without quotes), not {value!r}")
            return default
        return value

    def read_word(self, field: str, words: Iterable[str], default: str | None) -> str:
        """The text of a field that must be one of `words`; `default` if it is missing. Notes a fault for other values."""
        known = list(words)
        value = self.read_text(field, default)
        if value and value not in known and value != default:
            self.faults.add_unknown_word(
                self.place.at_field(field), f"{FIELD_WORDS.get(field, field)} called", value, known
            )
            return known[0] if known else ""
        return value

    def read_list(self, field: str) -> list[Any]:
        """The list in a field; [] if it is missing or no list, which is noted as a fault."""
        value = self.read_raw(field, [])
        if not isinstance(value, list):
            such = '["…"]' if field in ("ties", "phases") else '[{ op = "gain", coins = 2 }]'
            self.add_fault(field, f"a list in square brackets is expected, such as {such}, not {value!r}")
            return []
        return value

    def read_table(self, field: str) -> Mapping[str, Any]:
        """The table in a field; empty if it is missing or no table, which is noted as a fault."""
        value = self.read_raw(field, {})
        if not isinstance(value, Mapping):
            self.add_fault(field, f"a table in braces is expected, such as {{ coins = 2 }}, not {value!r}")
            return {}
        return value

    def add_unread_field_faults(self, more: Iterable[str] = ()) -> None:
        """Note a fault for each field that was neither read nor is among `more`."""
        known = sorted(self._asked | set(more))
        for field in self.data:
            if field not in known:
                near = did_you_mean(field, known)
                there = "" if near else f" (there are {', '.join(known)})"
                self.add_fault(field, f"nothing here is called {field!r}{near}{there}")
