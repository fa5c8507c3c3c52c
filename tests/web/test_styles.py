"""A game's style sheet comes after the table's: what it says of a class of its own must not reach the shell around the board."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sutler
from sutler.core.play.registry import games

WEB = Path(sutler.__file__).parent / "web"
GAMES = Path(sutler.__file__).parent / "games"


def classes(*pages: Path) -> set[str]:
    """Every class that these templates write out."""
    found: set[str] = set()
    for page in pages:
        for value in re.findall(r'class="([^"]*)"', page.read_text()):
            found |= set(re.sub(r"\{[{%].*?[}%]\}", " ", value).split())
    return found


def bare(sheet: Path) -> set[str]:
    """The classes to which this sheet gives a rule wherever they stand: `.act { … }`."""
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)
    selectors = [one.strip() for rule in re.findall(r"([^{}]+)\{", text) for one in rule.split(",")]
    return {one[1:] for one in selectors if re.fullmatch(r"\.[\w-]+", one)}


@pytest.mark.parametrize("name", games())
def test_a_game_styles_none_of_the_shells_classes(name):
    """Six Winters' `.act` made every act that one follows twenty pixels wide."""
    parts = set((WEB / "templates" / "parts").glob("*.html")) - {
        WEB / "templates" / "parts" / "progress.html"
    }  # the Lab's
    shell = classes(WEB / "templates" / "table.html", *parts)
    meant = {"choices", "offered", "pinned", "spotless", "lesson"}  # their room on that board
    assert not bare(GAMES / name / "board" / "board.css") & (shell - meant)


def test_the_shells_own_sections_are_styled_by_section():
    """The line that is lost is a section: a mission that was lost is not."""
    assert {"lost"} & bare(WEB / "static" / "sutler.css") == set()


def test_nothing_rises_under_the_pointer_for_whoever_wants_less_motion():
    """What rises at once leaves the pointer that lies at its edge, falls, and rises again, for ever."""
    sheets = [*WEB.glob("static/*.css"), *GAMES.glob("*/board/*.css")]
    rules = [rule for sheet in sheets for rule in re.findall(r"[^{}]*:hover[^{}]*\{[^{}]*\}", sheet.read_text())]
    rising = [rule for rule in rules if re.search(r"\btranslate: 0 ", rule)]
    assert len(rising) >= 4
    assert [rule for rule in rising if "var(--rise)" not in rule] == []


@pytest.mark.parametrize("name", games())
def test_no_script_of_the_house_takes_a_class_of_a_board_away(name):
    """`held` marked an order that is on its way, and was taken from every die, marker and leader when it had arrived."""
    scripts = "".join(one.read_text() for one in sorted((WEB / "static").glob("*.js")))
    taken = set(re.findall(r'querySelectorAll\("\.([\w-]+)"\)\) one\.classList\.remove\("\1"\)', scripts))
    assert "sending" in taken, "the scripts are read"
    pages = (one.read_text() for one in (GAMES / name / "board").glob("*.html"))
    values = (value for page in pages for value in re.findall(r'class="([^"]*)"', page))
    assert not taken & {word for value in values for word in re.findall(r"[\w-]+", value)}


def test_a_buttons_class_is_not_that_of_a_counted_line():
    """The button of several equal choices ("×3") ended in the log's sign for lines that were told more than once."""
    sheet = (WEB / "static" / "sutler.css").read_text()
    assert ".alike::after" in sheet
    assert "times" not in bare(WEB / "static" / "sutler.css")
    assert ".times::after" not in sheet
