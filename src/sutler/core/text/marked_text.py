"""Sentences with marked parts that stand for things (a seat, a card, a good); shown as plain text, or marked up on the page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A part of a sentence that stands for a thing: its kind ("seat", "card"), its text, its key (index or name)."""

    kind: str
    text: str
    key: str = ""

    def __str__(self) -> str:
        return self.text


Fragment = str | Word
Sentence = tuple[Fragment, ...]


def to_plain_text(sentence: Sentence) -> str:
    """A sentence as plain text."""
    return "".join(str(part) for part in sentence)


def sentence(*parts: Fragment) -> Sentence:
    """A sentence from its parts; empty strings are left out."""
    return tuple(part for part in parts if part != "")
