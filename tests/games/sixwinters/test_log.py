"""The log of Six Winters tells everything: a book kept from its lines alone agrees with every number on the table."""

from __future__ import annotations

from typing import Any

import pytest

from contract.bookkeeping import assert_agrees
from contract.options import EASY_END, EASY_MISSIONS, EASY_YEARS
from games.sixwinters.bookkeeper import CampaignBook
from sutler.contract.helpers import load_game
from sutler.core.play.game import Game, load

CAMPAIGNS: list[tuple[int, dict[str, Any]]] = [
    (1, {"solo": "passes"}),
    (1, {}),
    (2, {}),
    (3, {**EASY_YEARS, "unreachable": True, "overflow": True}),
    (4, EASY_MISSIONS),
    (2, EASY_END),
]
STEPS = 1500


def game_of(options: dict[str, Any]) -> Game:
    """The game with these options; those that are lists and tables are loaded anew."""
    return load("sixwinters", **options) if "box" in options else load_game("sixwinters", **options)


@pytest.mark.parametrize(("seats", "options"), CAMPAIGNS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_book_kept_from_the_log_alone_agrees(seats: int, options: dict[str, Any], seed: int) -> None:
    """Tracks, pools, assets, action dice, obstacles, people, schemes: after every decision of whole random campaigns."""
    assert_agrees(CampaignBook, game_of(options), seats, seed, STEPS)
