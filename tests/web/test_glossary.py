"""One thing has one name: in prompts, choices, logs, guides, lessons, covers and pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sutler
from sutler.core.play.registry import games, load_definition
from sutler.core.text.translatable_texts import iter_messages

SOURCE = Path(sutler.__file__).parent
OTHERWISE = {
    "": {r"gentle bots?": "easy bot", r"steady bots?": "normal bot", r"strong bots?": "hard bot", "standing orders?": "automatic answer"},
    "manor": {r"laurels": "victory tokens"},
}  # fmt: skip
"""Names that a thing does not have, of the house ("") and of games, with the one that it has."""


def faults(game: str, text: str) -> list[str]:
    """Words of a text that call something by another name."""
    wrong = OTHERWISE[""] | OTHERWISE.get(game, {})
    found = [(word, right) for word, right in wrong.items() if re.search(rf"\b{word}\b", text, re.IGNORECASE)]
    return [f"{word}: say {right!r} in {text[:80]!r}" for word, right in found]


@pytest.mark.parametrize("game", games())
def test_a_game_calls_a_thing_by_one_name(game: str) -> None:
    """In every text of its tables, box, guide, lessons and coach, and in its primer."""
    told = load_definition(game)
    texts = [text for _source, _context, text in iter_messages(told)]
    primer = (told.folder / "lessons" / "primer.html").read_text(encoding="utf-8")
    texts += re.findall(r'_\("((?:[^"\\]|\\.)*)"', primer)
    assert len(texts) > 100
    assert [fault for text in texts for fault in faults(game, text)] == []


def test_the_house_calls_a_thing_by_one_name() -> None:
    """In what its pages and scripts say."""
    pages = [
        *(SOURCE / "web").rglob("*.html"),
        *(SOURCE / "web" / "static").glob("*.js"),
        *(SOURCE / "web").rglob("*.py"),
    ]
    texts = [
        text for one in pages for text in re.findall(r'\b_\(\s*"((?:[^"\\]|\\.)*)"', one.read_text(encoding="utf-8"))
    ]
    assert len(texts) > 200
    assert [fault for text in texts for fault in faults("", text)] == []


def test_another_name_is_found() -> None:
    assert faults("manor", "The most Laurels win.") == ["laurels: say 'victory tokens' in 'The most Laurels win.'"]
    assert faults("bellum", "The most Laurels win.") == []
