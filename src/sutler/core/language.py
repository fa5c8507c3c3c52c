"""The language somebody reads in.

Texts are written in English where they are told, and put into the reader's language where they are shown: on a page or in a terminal.
States, logs and files hold numbers and the names of the box, so two people at one table may read two languages. Each folder with texts
has a catalogue a language: the house `sutler/languages/de.po`, a game `games/manor/languages/de.po`. What has no text in a language is
shown in English. `tools/languages.py` reads the texts from the sources; docs/translating.md says how a language or a game is added.
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
"""Those that a person may read in, each by its own name for itself."""
_reads: ContextVar[str] = ContextVar("language", default=ENGLISH)


def language() -> str:
    """The language of whoever reads what is made just now."""
    return _reads.get()


def read_in(wanted: str) -> None:
    """From here on this is the reader's language, for this request or this program; English where it is none that is known."""
    _reads.set(wanted if wanted in LANGUAGES else ENGLISH)


@contextlib.contextmanager
def reading(wanted: str) -> Iterator[None]:
    """The same for a while."""
    before = _reads.set(wanted if wanted in LANGUAGES else ENGLISH)
    try:
        yield
    finally:
        _reads.reset(before)


@functools.lru_cache(maxsize=256)
def wished(accepted: str) -> str:
    """The language a browser asks for ("de-AT,de;q=0.9,en;q=0.5"): the one it likes best among those that are here."""
    liked = []
    for place, one in enumerate(accepted[:400].split(",")):
        found = re.fullmatch(r"\s*([A-Za-z]{1,8})(?:-[\w-]*)?\s*(?:;\s*q=([01](?:\.\d{1,3})?))?\s*", one)
        if found and found[1].lower() in LANGUAGES and float(found[2] or 1) > 0:
            liked.append((-float(found[2] or 1), place, found[1].lower()))
    return min(liked)[2] if liked else ENGLISH


def of_system(named: str) -> str:
    """The language that LANG names: "de_DE.UTF-8" is German."""
    short = re.split(r"[_.@-]", named.lower())[0]
    return short if short in LANGUAGES else ENGLISH


class Tongue:
    """The texts of one folder, the house's or a game's, in every language it has; what it lacks is asked of `other`.

    Called with an English text it gives the reader's: `_("{name} is to decide.", name=name)`. Fields stand in braces; `context` tells
    apart what is one word in English and two elsewhere ("card": what cards are called).
    """

    def __init__(self, folder: Path, other: Tongue | None = None) -> None:
        self.folder = folder
        self.other = other

    def __call__(self, text: str, context: str = "", /, **fields: object) -> str:
        told = text if _reads.get() == ENGLISH else self._found(text, context)
        return told.format(**fields) if fields else told

    def many(self, one: str, other: str, n: int, /, **fields: object) -> str:
        """The text for so many things; `n` is a field of it."""
        return self.form(one, other, n).format(n=n, **fields)

    def form(self, one: str, other: str, n: int) -> str:
        """The same with its fields still in braces."""
        return (one if n == 1 else other) if _reads.get() == ENGLISH else self._counted(one, other, n)

    def plural(self, n: int) -> int:
        """Which of a language's forms stands with this number: in English and German 0 for one thing, 1 for any other."""
        if _reads.get() == ENGLISH:
            return int(n != 1)
        return int(getattr(self._book(), "plural", lambda number: number != 1)(n))

    def speaks(self) -> bool:
        """Has this folder texts in the reader's language?"""
        return _reads.get() == ENGLISH or self._path().exists()

    def of_scripts(self, wanted: str) -> dict[str, str]:
        """The texts that scripts of the page say, by their English ones."""
        path = self.folder / "languages" / f"{wanted}.po"
        if not path.exists():
            return {}
        from babel.messages.pofile import read_po

        with path.open("rb") as file:
            told = [one for one in read_po(file, locale=wanted) if one.id and one.string and not one.fuzzy]
        return {str(one.id): str(one.string) for one in told if any(at.endswith(".js") for at, _ in one.locations)}

    def _path(self) -> Path:
        return self.folder / "languages" / f"{_reads.get()}.po"

    def _book(self) -> NullTranslations:
        return read(self._path())

    def _found(self, text: str, context: str) -> str:
        book = self._book()
        said = book.pgettext(context, text) if context else book.gettext(text) if text else ""
        return self.other._found(text, context) if said == text and self.other else said

    def _counted(self, one: str, other: str, n: int) -> str:
        said = self._book().ngettext(one, other, n)
        return self.other._counted(one, other, n) if said in (one, other) and self.other else said


@functools.cache
def read(path: Path) -> NullTranslations:
    """A catalogue as it is looked up in, from its source; an empty one where there is none. Texts marked as unsure are left out."""
    if not path.exists():
        return gettext.NullTranslations()
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    made = io.BytesIO()
    with path.open("rb") as file:
        write_mo(made, read_po(file, locale=path.stem))
    made.seek(0)
    return gettext.GNUTranslations(made)


HOUSE = Tongue(Path(__file__).parent.parent)
"""The texts of the house: of all that is no game."""
_ = HOUSE
many = HOUSE.many


@functools.cache
def tongue_of(folder: Path) -> Tongue:
    """The texts of a game's folder, and behind them those of the house."""
    return Tongue(folder, HOUSE)


def listed(words: Sequence[str]) -> str:
    """Several things in a row: "Agnes, Perrin and Osric"."""
    if len(words) < 2:
        return "".join(words)
    return HOUSE("{some} and {last}", some=", ".join(words[:-1]), last=words[-1])
