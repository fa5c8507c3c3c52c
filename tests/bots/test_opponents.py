"""An opponent written against one weakness of normal bots (studies/opponents/trader.py) wins no more than its share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sutler
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.lab.play.simulate import play_games

OPPONENTS = Path(sutler.__file__).parents[2] / "studies" / "opponents"
GAMES = 200


def share(opponent: str) -> float:
    """The share of games of Manor that an opponent wins alone among three normal bots, seats rotated."""
    game = sutler.load("manor")
    players = build_repeatable_bots([str(OPPONENTS / opponent), "normal", "normal", "normal"], game)
    results, _ = play_games(game, players, seed=1, games=GAMES)
    first = results["places"][:, :4] == 1
    mine = results["bots"][:, :4] == 0
    return float(((first & mine).sum(axis=1) / np.maximum(1, first.sum(axis=1))).mean())


@pytest.mark.compiled
@pytest.mark.parametrize("dear", [0.5, 2.0])
def test_who_trades_everything_with_everybody_gains_nothing_by_it(dear: float) -> None:
    """Manor 4.2: before bots asked one rule of every deal it won 43 to 56 games of a hundred; of 1,000 it wins 21 and 25."""
    assert share(f"trader.py:Trader:dear={dear}") < 0.35
