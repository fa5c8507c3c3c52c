"""Names and texts that people type: normalised, without invisible characters, and of limited length."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Annotated

from pydantic import BeforeValidator, StringConstraints

MAX_NAME_CHARS = 24
BLANK_CHARS = "\u115f\u1160\u2800"
"""Characters that Unicode counts as letters or signs but that are drawn as nothing."""
MAX_ACCENTS = 3
"""The most combining accents on one letter; more would be drawn over other lines."""


def clean_text(text: str) -> str:
    """The text in normal form (NFKC), without invisible characters and surplus accents, with single spaces."""
    normal = _limit_accents(unicodedata.normalize("NFKC", text))
    return " ".join("".join(" " if c.isspace() else c for c in normal if c.isspace() or _is_visible(c)).split())


def _limit_accents(text: str) -> str:
    """The text with at most MAX_ACCENTS combining accents on each letter."""
    out, marks = [], 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= MAX_ACCENTS:
            out.append(character)
    return "".join(out)


def _is_visible(character: str) -> bool:
    """Is this character drawn as something?"""
    return character not in BLANK_CHARS and not unicodedata.category(character).startswith("C")


def make_unique_name(name: str, others: Iterable[str]) -> str:
    """The name, with a number appended if one of `others` has it already (upper and lower case count as equal)."""
    taken = {other.casefold() for other in others}
    found, number = name, 2
    while found.casefold() in taken:
        behind = f" {number}"
        found, number = name[: MAX_NAME_CHARS - len(behind)].rstrip() + behind, number + 1
    return found


Name = Annotated[
    str, BeforeValidator(lambda text: clean_text(str(text))[:MAX_NAME_CHARS].strip()), StringConstraints(min_length=1)
]
Talk = Annotated[
    str, BeforeValidator(lambda text: clean_text(str(text))), StringConstraints(min_length=1, max_length=500)
]
