"""Sentences as HTML in the reader's language: fragments with marks, escaped text, and the catalogues of games' translations."""

from __future__ import annotations

import functools
import hashlib
import html
import json
from typing import Any

from markupsafe import Markup

from sutler.core.play.registry import find_game_folder, games
from sutler.core.text.language import ENGLISH, HOUSE, Tongue, get_language, load_tongue
from sutler.web.root_path import get_root_path


def render_sentence(sentence: Any, icons: bool = False) -> Markup:
    """A sentence (text, or fragments) as HTML markup. `icons`: are goods drawn as their symbols?"""
    return Markup(render_sentence_html(sentence, icons))


def render_sentence_html(sentence: Any, icons: bool = False) -> str:
    """A sentence (text, or fragments) as a plain string of HTML, for callers that join many. `icons`: are goods drawn as their symbols?"""
    if sentence is None:
        return ""
    if isinstance(sentence, str):
        return escape_html(sentence)
    return "".join(escape_html(part) if isinstance(part, str) else _render_fragment(part, icons) for part in sentence)


def _render_fragment(part: Any, icons: bool) -> str:
    """One fragment of a sentence as HTML. `icons`: are goods drawn as their symbols?"""
    kind, text, key = str(part.kind), escape_html(str(part.text)), escape_html(str(part.key or part.text))
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
    return f'<i class="w-{escape_html(kind)}" data-explain="{escape_html(kind)}:{key}">{text}</i>'


def format_number(number: float) -> str:
    """A number without ".0", and with a true minus sign: 9 for 9.0, 9.5 for 9.5."""
    text = f"{number:.1f}".removesuffix(".0")
    return text.replace("-", "−")


def escape_html(text: str) -> str:
    """The text escaped for HTML and for attributes."""
    return html.escape(text, quote=True)


def to_plain_text(sentence: Any) -> str:
    """A sentence (text, or fragments) as plain text, not escaped."""
    if sentence is None:
        return ""
    return sentence if isinstance(sentence, str) else "".join(str(getattr(part, "text", part)) for part in sentence)


@functools.cache
def find_template_catalogue(name: str) -> Tongue:
    """The translations for a template: those of its game if it lies in a game's folder, else those of the site."""
    try:
        return load_tongue(find_game_folder(name.partition("/")[0]))
    except KeyError:
        return HOUSE


def get_game_texts(game: str) -> Tongue:
    """The translations of a game's texts; called with a text of its box: `get_game_texts("manor")(option.label)`."""
    return find_template_catalogue(game)


# --- Texts of the page's scripts --------------------------------------------------------------------------


@functools.cache
def build_script_words(language_code: str) -> str:
    """A script that sets `window.sutlerWords`, the translated texts of all scripts; "" if there are none. `language_code`: the language.

    For a text that both the site and a game translate, the site's translation is used.
    """
    texts = {key: text for game in games() for key, text in get_game_texts(game).script_texts(language_code).items()}
    texts |= HOUSE.script_texts(language_code)
    if not texts:
        return ""
    return f"window.sutlerWords = {json.dumps(texts, ensure_ascii=False, sort_keys=True)};\n"


@functools.cache
def _build_script_path(language_code: str) -> str:
    """The path of the script with translated texts; "" if there are none. `language_code`: the language."""
    body = build_script_words(language_code)
    return f"/words/{language_code}.js?v={hashlib.sha256(body.encode()).hexdigest()[:10]}" if body else ""


def get_script_words_url() -> str:
    """The address of the script with translated texts (`build_script_words`); "" in English, where scripts hold their own texts."""
    path = _build_script_path(get_language()) if get_language() != ENGLISH else ""
    return path and get_root_path() + path
