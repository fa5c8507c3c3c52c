"""What tests of the tools that search for numbers of a judgement share."""

from __future__ import annotations

import pytest

import sutler


@pytest.fixture(scope="module")
def plain_manor() -> sutler.Game:
    """Medieval Manor in plain Python: quicker than compiling it with its numbers told."""
    game = sutler.load("manor")
    game.definition.home.interpreted = True
    return game
