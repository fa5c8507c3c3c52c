"""Sentences as markup for the page, in the reader's language: marked parts, quoted text, a game's own texts."""

from __future__ import annotations

import functools
import html
from typing import Any

from markupsafe import Markup

from sutler.core.language import HOUSE, Tongue, tongue_of
from sutler.core.registry import folder_of


def words(sentence: Any, icons: bool = False) -> Markup:
    """A sentence (text, or fragments) as markup; with `icons`, goods are shown as their symbols."""
    return Markup(words_html(sentence, icons))


def words_html(sentence: Any, icons: bool = False) -> str:
    """The same as a plain string, for places that put many together."""
    if sentence is None:
        return ""
    if isinstance(sentence, str):
        return quoted(sentence)
    return "".join(quoted(part) if isinstance(part, str) else _word(part, icons) for part in sentence)


def _word(part: Any, icons: bool) -> str:
    kind, text, key = str(part.kind), quoted(str(part.text)), quoted(str(part.key or part.text))
    if kind == "seat":
        return f'<b class="who s{int(key) % 6 + 1 if key.isdigit() else 1}">{text}</b>'
    if kind in ("num", "n"):
        return f"<b>{text}</b>"
    if kind == "em":
        return f"<i>{text}</i>"
    if kind in ("phase", "stage"):
        return text
    if kind in ("die", "asset"):  # a die of a game that draws them: "technology:5", "action:3"
        colour, _, value = key.lower().replace(" ", ":").partition(":")
        drawn = "" if colour == "action" else f'<svg class="icon" aria-hidden="true"><use href="#i-{colour}"/></svg>'
        return f'<span class="die {colour}" role="img" aria-label="{text}">{drawn}<b>{value}</b></span>'
    if kind in ("good", "token"):
        if icons:
            drawn = f'<svg class="icon" role="img" aria-label="{text}"><use href="#good-{key}"/></svg>'
            return f'<span class="{key}">{drawn}</span>'
        return f'<span data-explain="good:{key}">{text}</span>'
    return f'<i class="w-{quoted(kind)}" data-explain="{quoted(kind)}:{key}">{text}</i>'


def quoted(text: str) -> str:
    """Text made safe for markup and for attributes."""
    return html.escape(text, quote=True)


def plain(sentence: Any) -> str:
    """A sentence without marks."""
    if sentence is None:
        return ""
    return sentence if isinstance(sentence, str) else "".join(str(getattr(part, "text", part)) for part in sentence)


@functools.cache
def tongue_of_template(name: str) -> Tongue:
    """A template of a game's folder speaks from the game's catalogue, all others from the house's."""
    try:
        return tongue_of(folder_of(name.partition("/")[0]))
    except KeyError:
        return HOUSE


def texts_of(game: str) -> Tongue:
    """What a game's box says, in the reader's language: `texts_of("manor")(option.label)`."""
    return tongue_of_template(game)
