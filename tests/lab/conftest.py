"""What several tests of the lab play on."""

from __future__ import annotations

from pathlib import Path

import pytest

import sutler


@pytest.fixture
def market(monkeypatch: pytest.MonkeyPatch) -> sutler.Game:
    """The little game of the examples, as plain Python."""
    monkeypatch.setenv("SUTLER_GAMES", str(Path(__file__).parents[2] / "examples"))
    game = sutler.load("market", rounds=5)
    game.definition.home.interpreted = True
    return game
