"""The reader's language, and the translated texts of a folder (of one game, or of everything outside the games).

Texts are written in English in the sources, and translated where they are shown: on a page or in a terminal. States, logs and files
hold numbers and the names of the box, so two people at one table may read two languages. Each folder with texts has a catalogue for
each language: the house `sutler/languages/de.po`, a game `games/manor/languages/de.po`. A text without a translation is shown in
English. `tools/languages.py` reads the texts from the sources; docs/translating.md says how a language or a game is added.
"""

from __future__ import annotations

import contextlib
import functools
import gettext
import io
import re
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import NullTranslations

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch"}
"""The languages that can be chosen, each with its own name for itself."""
_reads: ContextVar[str] = ContextVar("language", default=ENGLISH)


def get_language() -> str:
    """The code of the current reader's language."""
    return _reads.get()


def set_language(wanted: str) -> None:
    """Set the reader's language for this request or this program, by its code; English if the code is unknown."""
    _reads.set(wanted if wanted in LANGUAGES else ENGLISH)


@contextlib.contextmanager
def use_language(wanted: str) -> Iterator[None]:
    """Set the reader's language inside a `with` block."""
    before = _reads.set(wanted if wanted in LANGUAGES else ENGLISH)
    try:
        yield
    finally:
        _reads.reset(before)


@functools.lru_cache(maxsize=256)
def choose_preferred_language(accepted: str) -> str:
    """The code of the language that fits a browser's Accept-Language header ("de-AT,de;q=0.9,en;q=0.5") best; English if none does."""
    liked = []
    for place, one in enumerate(accepted[:400].split(",")):
        found = re.fullmatch(r"\s*([A-Za-z]{1,8})(?:-[\w-]*)?\s*(?:;\s*q=([01](?:\.\d{1,3})?))?\s*", one)
        if found and found[1].lower() in LANGUAGES and float(found[2] or 1) > 0:
            liked.append((-float(found[2] or 1), place, found[1].lower()))
    return min(liked)[2] if liked else ENGLISH


def parse_locale(named: str) -> str:
    """The language code for a value of the variable LANG: "de" for "de_DE.UTF-8"; English if the language is unknown."""
    short = re.split(r"[_.@-]", named.lower())[0]
    return short if short in LANGUAGES else ENGLISH


NUMBER_FIELD = "{n}"
NUMBERED = re.compile(r"(?P<what>.*\D)(?P<n>\d+)")
"""A text that ends in a number: "card 37" is translated by the text "card {n}" where it has no translation of its own."""


class Tongue:
    """The translated texts of one folder, a game's or the house's, in every language it has.

    Called with an English text it returns the text in the reader's language: `_("{name} is to decide.", name=name)`. Fields stand in
    braces; `context` tells apart two meanings of one English text (with "card" it is the name of a card).
    """

    def __init__(self, folder: Path, other: Tongue | None = None) -> None:
        self.folder = folder
        self.other = other

    def __call__(self, text: str, context: str = "", /, **fields: object) -> str:
        """The text in the reader's language, its fields filled in."""
        told = text if _reads.get() == ENGLISH else self._find_translation(text, context)
        return told.format(**fields) if fields else told

    def many(self, one: str, other: str, n: int, /, **fields: object) -> str:
        """The text for n things in the reader's language, in the right plural form, with its fields, `n` among them, filled in."""
        return self.plural_form(one, other, n).format(n=n, **fields)

    def plural_form(self, one: str, other: str, n: int) -> str:
        """The text for n things in the reader's language, in the right plural form, with its fields still in braces."""
        return (one if n == 1 else other) if _reads.get() == ENGLISH else self._find_plural(one, other, n)

    def get_plural_index(self, n: int) -> int:
        """The index of the language's plural form for n: in English and German 0 for one thing, 1 for any other number."""
        if _reads.get() == ENGLISH:
            return int(n != 1)
        return int(getattr(self._load_catalogue(), "plural", lambda number: number != 1)(n))

    def has_reader_language(self) -> bool:
        """Does this folder have texts in the reader's language?"""
        return _reads.get() == ENGLISH or self._get_catalogue_path().exists()

    def script_texts(self, wanted: str) -> dict[str, str]:
        """{English text: its translation} of the texts that the page's scripts use, in the language of the code `wanted`."""
        path = self.folder / "languages" / f"{wanted}.po"
        if not path.exists():
            return {}
        from babel.messages.pofile import read_po

        with path.open("rb") as file:
            told = [one for one in read_po(file, locale=wanted) if one.id and one.string and not one.fuzzy]
        return {str(one.id): str(one.string) for one in told if any(at.endswith(".js") for at, _ in one.locations)}

    def _get_catalogue_path(self) -> Path:
        """The path of this folder's catalogue in the reader's language."""
        return self.folder / "languages" / f"{_reads.get()}.po"

    def _load_catalogue(self) -> NullTranslations:
        """The catalogue of this folder in the reader's language."""
        return read_catalogue(self._get_catalogue_path())

    def _find_translation(self, text: str, context: str) -> str:
        """The translation of a text here or in `other`; the text itself if there is none."""
        book = self._load_catalogue()
        said = book.pgettext(context, text) if context else book.gettext(text) if text else ""
        if said == text and context and (numbered := NUMBERED.fullmatch(text)):
            pattern = numbered["what"] + NUMBER_FIELD
            told = book.pgettext(context, pattern)
            said = said if told == pattern else told.format(n=numbered["n"])
        return self.other._find_translation(text, context) if said == text and self.other else said

    def _find_plural(self, one: str, other: str, n: int) -> str:
        """The translated form for n things, here or in `other`; the English one if there is none."""
        said = self._load_catalogue().ngettext(one, other, n)
        return self.other._find_plural(one, other, n) if said in (one, other) and self.other else said


@functools.cache
def read_catalogue(path: Path) -> NullTranslations:
    """The catalogue in a `.po` file, without texts marked as fuzzy; an empty one where there is no file."""
    if not path.exists():
        return gettext.NullTranslations()
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    made = io.BytesIO()
    with path.open("rb") as file:
        write_mo(made, read_po(file, locale=path.stem))
    made.seek(0)
    return gettext.GNUTranslations(made)


HOUSE = Tongue(Path(__file__).parents[2])
"""The texts of the house, that is, of everything outside the games."""
_ = HOUSE
many = HOUSE.many


@functools.cache
def load_tongue(folder: Path) -> Tongue:
    """The texts of a game's folder; those it lacks are looked up in the house's."""
    return Tongue(folder, HOUSE)


def join_with_and(words: Sequence[str]) -> str:
    """Words joined for a sentence in the reader's language: "Agnes, Perrin and Osric"."""
    if len(words) < 2:
        return "".join(words)
    return HOUSE("{some} and {last}", some=", ".join(words[:-1]), last=words[-1])
