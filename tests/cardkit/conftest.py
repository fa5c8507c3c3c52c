"""Card games for the tests: each file lies on the shelf of one test only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sutler.cardkit.installed_card_games import card_game
from sutler.core.play.game import Game

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], Game]:
    """`loaded(file)`: the game of a file, in plain Python: quicker as it stands than compiled."""

    def load(file: Path) -> Game:
        monkeypatch.setenv("SUTLER_GAMES", str(EXAMPLES))
        game = card_game(file)
        monkeypatch.setattr(game.definition.home, "interpreted", True)
        return game

    return load
