"""What `make mutants` changes, and what is said of changes that make no difference."""

import sys
from pathlib import Path

import pytest

import sutler

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import mutations  # noqa: E402


@pytest.mark.parametrize("game", sutler.games())
def test_what_makes_no_difference_is_still_there(game: str) -> None:
    """Each change has a name of its own, and each entry of the list speaks of one that could be made today."""
    every = mutations.mutants_of(game)
    assert len(set(map(str, every))) == len(every)
    for entry in mutations.listed(game):
        assert mutations.meant(every, entry), f"no such change any more: {entry}"
    assert len(mutations.without_same(game, every)) < len(every) or not mutations.listed(game)


def test_one_of_several_changes_that_are_told_in_the_same_words() -> None:
    """By the text of its line, and by its number among those."""
    source = """
@rule
def step(a):
    a.x = 0
    a.y = 0 + 0
"""
    maker = mutations._Maker("rules.py", source, {})
    maker.visit(mutations.ast.parse(source))
    entry = {"file": "rules.py", "rule": "step", "change": "0 -> 1"}
    columns = [
        [(one.line, one.column) for one in mutations.meant(maker.found, entry | more)]
        for more in ({}, {"nth": 1}, {"line": "a.y = 0 + 0"}, {"line": "a.y = 0 + 0", "nth": 2})
    ]
    assert columns == [[(4, 11), (5, 11), (5, 15)], [(4, 11)], [(5, 11), (5, 15)], [(5, 15)]]
