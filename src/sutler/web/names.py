"""Names and texts that people type: one form of each letter, nothing unseen, no longer than they may be."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Annotated

from pydantic import BeforeValidator, StringConstraints

LONGEST_NAME = 24
BLANK = "\u115f\u1160\u2800"
"""Letters that are drawn as nothing."""
MOST_MARKS = 3
"""Accents over one letter; more would be drawn over other lines."""


def plain_text(text: str) -> str:
    """Words as everybody writes them: one form of each letter, nothing that cannot be seen, few accents, single spaces."""
    usual = _in_measure(unicodedata.normalize("NFKC", text))
    return " ".join("".join(" " if c.isspace() else c for c in usual if c.isspace() or _is_seen(c)).split())


def _in_measure(text: str) -> str:
    out, marks = [], 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= MOST_MARKS:
            out.append(character)
    return "".join(out)


def _is_seen(character: str) -> bool:
    return character not in BLANK and not unicodedata.category(character).startswith("C")


def apart(name: str, others: Iterable[str]) -> str:
    """A name that nobody else at the table has: with a number behind it, if it must be."""
    taken = {other.casefold() for other in others}
    found, number = name, 2
    while found.casefold() in taken:
        behind = f" {number}"
        found, number = name[: LONGEST_NAME - len(behind)].rstrip() + behind, number + 1
    return found


Name = Annotated[
    str, BeforeValidator(lambda text: plain_text(str(text))[:LONGEST_NAME].strip()), StringConstraints(min_length=1)
]
Talk = Annotated[
    str, BeforeValidator(lambda text: plain_text(str(text))), StringConstraints(min_length=1, max_length=500)
]
