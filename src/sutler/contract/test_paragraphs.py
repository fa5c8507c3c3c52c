"""Every paragraph of every guide has a test whose docstring begins with the paragraph's number.

A game's tests lie in `tests/games/NAME`, or in `tests`, of the nearest folder above it that has one.
"""

import ast
import re
from pathlib import Path

import pytest

from sutler.contract.cases import GAMES, load_game

NUMBER = re.compile(r"\b\d+\.\d+\b")


def find_test_folder(game: str) -> Path | None:
    """The folder of a game's own tests; None where they were not installed with it."""
    folder = load_game(game).folder
    for above in list(folder.parents)[:4]:
        for place in (above / "tests" / "games" / game, above / "tests"):
            if any(place.glob("test_*.py")) or (place.name == game and place.is_dir()):
                return place
    return None


def find_paragraphs_named_by_tests(folder: Path) -> set[str]:
    """The numbers of paragraphs before the first colon in the docstrings of a folder's tests."""
    found: set[str] = set()
    for path in folder.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                head, colon, _ = (ast.get_docstring(node) or "").partition(":")
                if colon and re.match(r"\d+\.\d+", head):
                    found |= set(NUMBER.findall(head))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_paragraph_has_a_test(game: str) -> None:
    """Each paragraph of a game's guide is named by a test, and tests name no other paragraphs."""
    folder = find_test_folder(game)
    if folder is None:
        pytest.skip(f"the tests of {game} were not installed with it")
    numbers = {paragraph.number for paragraph in load_game(game).guide.paragraphs}
    named = find_paragraphs_named_by_tests(folder)
    assert numbers - named == set(), "paragraphs without a test"
    assert named - numbers == set(), "tests of paragraphs that are not in the guide"
