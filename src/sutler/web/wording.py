"""Sentences as HTML in the reader's language: fragments with marks, escaped text, and the catalogues of games' translations."""

from __future__ import annotations

import functools
import hashlib
import html
import json
from typing import Any

from markupsafe import Markup

from sutler.core.play.registry import folder_of, games
from sutler.core.text.language import ENGLISH, HOUSE, Tongue, language, tongue_of
from sutler.web.root_path import root


def words(sentence: Any, icons: bool = False) -> Markup:
    """A sentence (text, or fragments) as HTML markup. `icons`: are goods drawn as their symbols?"""
    return Markup(words_html(sentence, icons))


def words_html(sentence: Any, icons: bool = False) -> str:
    """A sentence (text, or fragments) as a plain string of HTML, for callers that join many. `icons`: are goods drawn as their symbols?"""
    if sentence is None:
        return ""
    if isinstance(sentence, str):
        return escaped(sentence)
    return "".join(escaped(part) if isinstance(part, str) else _word(part, icons) for part in sentence)


def _word(part: Any, icons: bool) -> str:
    """One fragment of a sentence as HTML. `icons`: are goods drawn as their symbols?"""
    kind, text, key = str(part.kind), escaped(str(part.text)), escaped(str(part.key or part.text))
    if kind == "seat":
        return f'<b class="who s{int(key) % 6 + 1 if key.isdigit() else 1}">{text}</b>'
    if kind in ("num", "n"):
        return f"<b>{text}</b>"
    if kind == "em":
        return f"<i>{text}</i>"
    if kind in ("phase", "stage"):
        return text
    if kind == "die":  # "technology:5", or "action:3:plain" for one without a symbol
        colour, value, *plain_die = key.split(":")
        drawn = "" if plain_die else f'<svg class="icon" aria-hidden="true"><use href="#i-{colour}"/></svg>'
        return f'<span class="die {colour}" role="img" aria-label="{text}">{drawn}<b>{value}</b></span>'
    if kind in ("good", "token"):
        if icons:
            drawn = f'<svg class="icon" role="img" aria-label="{text}"><use href="#good-{key}"/></svg>'
            return f'<span class="{key}">{drawn}</span>'
        return f'<span data-explain="good:{key}">{text}</span>'
    return f'<i class="w-{escaped(kind)}" data-explain="{escaped(kind)}:{key}">{text}</i>'


def number_text(number: float) -> str:
    """A number without ".0", and with a true minus sign: 9 for 9.0, 9.5 for 9.5."""
    text = f"{number:.1f}".removesuffix(".0")
    return text.replace("-", "−")


def escaped(text: str) -> str:
    """The text escaped for HTML and for attributes."""
    return html.escape(text, quote=True)


def plain(sentence: Any) -> str:
    """A sentence (text, or fragments) as plain text, not escaped."""
    if sentence is None:
        return ""
    return sentence if isinstance(sentence, str) else "".join(str(getattr(part, "text", part)) for part in sentence)


@functools.cache
def catalogue_of_template(name: str) -> Tongue:
    """The translations for a template: those of its game if it lies in a game's folder, else those of the site."""
    try:
        return tongue_of(folder_of(name.partition("/")[0]))
    except KeyError:
        return HOUSE


def texts_of(game: str) -> Tongue:
    """The translations of a game, for texts of its box: `texts_of("manor")(option.label)`."""
    return catalogue_of_template(game)


# --- Texts of the page's scripts --------------------------------------------------------------------------


@functools.cache
def script_words(wanted: str) -> str:
    """A script that sets `window.sutlerWords`, the translated texts of all scripts; "" if there are none. `wanted`: the language.

    For a text that both the site and a game translate, the site's translation is used.
    """
    texts = {key: text for game in games() for key, text in texts_of(game).script_texts(wanted).items()}
    texts |= HOUSE.script_texts(wanted)
    if not texts:
        return ""
    return f"window.sutlerWords = {json.dumps(texts, ensure_ascii=False, sort_keys=True)};\n"


@functools.cache
def _script_path(wanted: str) -> str:
    """The path of the script with translated texts; "" if there are none. `wanted`: the language."""
    body = script_words(wanted)
    return f"/words/{wanted}.js?v={hashlib.sha256(body.encode()).hexdigest()[:10]}" if body else ""


def words_script() -> str:
    """The address of the script with translated texts (`script_words`); "" in English, where scripts hold their own texts."""
    path = _script_path(language()) if language() != ENGLISH else ""
    return path and root() + path
