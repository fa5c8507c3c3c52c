"""What only a game knows stands in the game's own folder: a sixth game has a cover, titles its sums and draws its dice."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient

import sutler
from sutler.core.text.sentences import Line, Speaker, Sum, Word
from sutler.web.game_shelf import Shelf
from sutler.web.sentence_html import render_sentence_html
from sutler.web.view.jinja_templates import build_sprite

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "sutler"
OWN = {
    "web/routes/forms.py": {"manor"},  # an example in a form's schema
    "cli/play_commands/games.py": {"manor"},  # an example for a first command
    "cli/developer_commands/bot.py": {"manor"},
}
"""Where a game is named as an example, and nothing depends on it."""
WORDS = {"defence", "overcome", "asset", "brightdune", "castle", "writ", "tithe"}
"""Words of single games, which were once known elsewhere, and a few more."""


@pytest.fixture
def market(monkeypatch: pytest.MonkeyPatch) -> sutler.Game:
    """The small game, quicker as it stands than compiled, on the shelf beside the five."""
    monkeypatch.setenv("SUTLER_GAMES", str(ROOT / "examples"))
    game = sutler.load("market")
    monkeypatch.setattr(game.definition.home, "interpreted", True)
    return game


@pytest.mark.usefixtures("market")
def test_it_has_a_cover() -> None:
    """Tint and place as its cover.toml says; the five stand before it in their order."""
    covers = Shelf().list_covers()
    assert [one.name for one in covers] == ["manor", "threeyears", "warfarm", "bellum", "sixwinters", "market"]
    assert [one.wash for one in covers] == ["meadow", "town", "field", "water", "frost", "road"]
    assert covers[-1].title == "Market"
    assert covers[-1].players == "2–4"


def test_each_cover_has_its_engraving() -> None:
    """In its own folder; the lobby's sprite has all of them."""
    for name in sutler.games():
        assert f'id="scene-{name}"' in (SOURCE / "games" / name / "cover.svg").read_text(encoding="utf-8")
        assert f'id="scene-{name}"' in build_sprite()


def test_it_titles_its_sums(market: sutler.Game, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its row of SUMS: with the thing in its key, without a sum where its numbers are several, and by its kind where it has no row."""

    def account(box: Any, state: Any, speaker: Speaker, kind: str, key: str) -> list[Line]:
        return [Line(("nothing",), 0, "3.2"), Line(("something",), 2, "3.2")]

    monkeypatch.setitem(market.definition._found, "account", account)
    rows = {"haggle": Sum("what {what} goes for"), "stock": Sum("All that lies there", zeros=True, apart=True)}
    monkeypatch.setitem(market.definition._found, "SUMS", rows)
    seat = client.post("/tables", data={"game": "market", "seat_0": "me", "seat_1": "me"}).headers["location"]
    haggle, stock, other = (
        client.get(f"{seat}/explain", params={"key": f"sum:{kind}:Salt"}).text for kind in ("haggle", "stock", "other")
    )
    assert "What Salt goes for" in haggle
    assert "nothing" not in haggle
    assert "All that lies there" in stock
    assert "nothing" in stock
    assert "Salt: other" in other


def test_it_draws_its_dice() -> None:
    """A kind whose names have the keys of dice beside them is told as dice, and only there."""
    speaker = Speaker({"bead": ["Amber 2"], "bead:die": ["amber:2"], "coin": ["Penny"]})
    sentence = speaker.say("{bead} for {coin}", bead=0, coin=0)
    assert sentence == (Word("die", "Amber 2", "amber:2"), " for ", Word("coin", "Penny", "Penny"))
    assert 'class="die amber"' in render_sentence_html(sentence)
    assert "#i-amber" in render_sentence_html(sentence)
    assert "<svg" not in render_sentence_html((Word("die", "3", "action:3:plain"),))


def texts(path: Path) -> set[str]:
    """The words of a file's texts and names; of Python neither comments nor docstrings."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return set(re.findall(r"[a-z]+", re.sub(r"\{#.*?#\}|<!--.*?-->|/\*.*?\*/", "", text, flags=re.DOTALL).lower()))
    tree = ast.parse(text)
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = [
        node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else getattr(node, "id", "")
        for node in ast.walk(tree)
        if id(node) not in said
    ]
    return {word for one in found for word in re.findall(r"[a-z]+", one.lower())}


def test_nothing_outside_games_knows_a_single_game() -> None:
    """Not its name, not its words: delete a game's folder, and nothing else has to change."""
    named = {"manor", "bellum", "warfarm", "threeyears", "sixwinters"}
    for layer in ("web", "lab", "bots", "cli"):
        for path in sorted((SOURCE / layer).rglob("*")):
            if path.suffix in (".py", ".html"):
                where = path.relative_to(SOURCE).as_posix()
                found = texts(path) & (named | WORDS)
                assert found <= OWN.get(where, cast("set[str]", set())), where
