"""Every paragraph of a guide comes from a printed heading, or says of what kind of ours it is: the table in the game's README."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import sutler
from sutler.core.play.registry import find_game_folder

PRINTED = [name for name in sutler.games() if find_game_folder(name).is_relative_to(Path(sutler.__file__).parent)]
"""The games of a printed rulebook; a game of somebody's own, beside them on the shelf, has only its guide."""
OURS = {"ruling", "option", "house rule", "reconstruction", "for ease of play", "words of the card files"}
"""What a row in slant may say that its paragraphs are, where print has no heading for them."""
FIRST_COLUMNS = ("printed heading", "the rulebook")
SECOND_COLUMNS = ("guide", "the guide", "paragraphs")


def paragraphs(game: str) -> list[str]:
    """The numbers of all paragraphs of a guide."""
    return re.findall(
        r"^\*\*(\d+\.\d+)\*\*", (find_game_folder(game) / "guide.md").read_text(encoding="utf-8"), re.MULTILINE
    )


def rows(game: str) -> Iterator[tuple[str, str]]:
    """Heading and paragraphs of each row of the README's table."""
    text = (find_game_folder(game) / "README.md").read_text(encoding="utf-8")
    for table in re.findall(r"((?:^\|.*\n)+)", text, re.MULTILINE):
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()]
        if cells[0][0] in FIRST_COLUMNS and cells[0][1] in SECOND_COLUMNS:
            yield from ((row[0], row[1]) for row in cells[2:])


def named(cell: str, every: list[str]) -> list[str]:
    """The paragraphs that a cell names: `5.2`, `5.2 to 5.4`, `8.2–8.4`, or a whole chapter, `4`."""
    found = []
    for part in re.split(r",|;|\band\b", cell.replace("chapter ", "")):
        if run := re.fullmatch(r"(\d+)\.(\d+)(?: to |–)(?:\d+\.)?(\d+)", part.strip()):
            found += [f"{run[1]}.{n}" for n in range(int(run[2]), int(run[3]) + 1)]
        elif re.fullmatch(r"\d+", part.strip()):
            found += [one for one in every if one.startswith(f"{part.strip()}.")]
        elif part.strip():
            found.append(part.strip())
    return found


@pytest.mark.parametrize("game", PRINTED)
def test_every_paragraph_comes_from_somewhere(game: str) -> None:
    """From a printed heading, or it is marked as a ruling, an option or another thing of ours; and no row names what is not there."""
    every = paragraphs(game)
    tied = {one for _, cell in rows(game) for one in named(cell, every)}
    assert tied - set(every) == set(), "rows name paragraphs that the guide does not have"
    assert [one for one in every if one not in tied] == [], "paragraphs without a printed heading"


@pytest.mark.parametrize("game", PRINTED)
def test_what_is_ours_says_what_it_is(game: str) -> None:
    """A row in slant is one of a few kinds."""
    marked = {heading.strip("*").casefold() for heading, _ in rows(game) if heading.startswith("*")}
    assert marked <= OURS, marked - OURS
