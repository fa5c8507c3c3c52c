"""Names and texts that people type: normalised, without invisible characters, and of limited length."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Annotated

from pydantic import BeforeValidator, StringConstraints

MAX_NAME_CHARS = 24
BLANK_CHARS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800") | {
    chr(code) for code in (*range(0xFE00, 0xFE0F), *range(0xE0100, 0xE01F0))
}
"""Characters that Unicode counts as letters, accents or signs but that are drawn as nothing."""
AS_PICTURE = "\ufe0f"
"""The character that asks for a sign before it to be drawn as a picture. Drawn as nothing itself, so it stays behind signs only."""
ACCENTS = ("Mn", "Me")
"""Categories of characters that are drawn over the letter before them."""
MAX_ACCENTS = 3
"""The most combining accents on one letter; more would be drawn over other lines."""


def clean_text(text: str) -> str:
    """The text in normal form (NFKC), without invisible characters and surplus accents, with single spaces."""
    normal = unicodedata.normalize("NFKC", text)
    seen = "".join(" " if c.isspace() else c for c in normal if c.isspace() or _is_visible(c))
    return " ".join(_limit_accents(seen).split())


def _limit_accents(text: str) -> str:
    """The text with at most MAX_ACCENTS combining accents on each letter, and none where there is no letter before them.

    Accents are told by their category: many that are drawn above or around a letter have no combining class.
    """
    out, marks, before = list[str](), MAX_ACCENTS, ""
    for character in text:
        if character == AS_PICTURE and unicodedata.category(before or " ") != "So":
            continue
        marks = marks + 1 if unicodedata.category(character) in ACCENTS else 0
        if character.isspace():
            marks = MAX_ACCENTS  # the next accent would stand on nothing
        if marks <= MAX_ACCENTS:
            out.append(character)
        before = character
    return "".join(out)


def _is_visible(character: str) -> bool:
    """Is a letter or sign drawn for this character?"""
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
