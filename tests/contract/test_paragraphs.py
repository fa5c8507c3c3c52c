"""Every paragraph of every guide has a test whose docstring begins with its number."""

import ast
import re
from pathlib import Path

import pytest

from contract.cases import GAMES, loaded

TESTS = Path(__file__).parent.parent / "games"
NUMBER = re.compile(r"\b\d+\.\d+\b")


def named_by_tests(game: str) -> set[str]:
    """The paragraphs that stand before the first colon of a test's docstring."""
    found: set[str] = set()
    for path in (TESTS / game).glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                head, colon, _ = (ast.get_docstring(node) or "").partition(":")
                if colon and re.match(r"\d+\.\d+", head):
                    found |= set(NUMBER.findall(head))
    return found


@pytest.mark.parametrize(
    "game", [game for game in GAMES if (TESTS / game).is_dir()]
)  # examples have theirs beside them
def test_every_paragraph_has_a_test(game: str) -> None:
    """A paragraph without a test is a rule that nobody has tried."""
    numbers = {paragraph.number for paragraph in loaded(game).guide.paragraphs}
    named = named_by_tests(game)
    assert numbers - named == set(), "paragraphs without a test"
    assert named - numbers == set(), "tests of paragraphs that are not in the guide"
