"""The log of Three Years of War tells everything: a book kept from its lines alone agrees with the whole table."""

from __future__ import annotations

from typing import Any

import pytest

from contract.bookkeeping import assert_agrees
from contract.options import OPTION_SETS
from games.threeyears.bookkeeper import WarBook
from sutler.contract.helpers import load_game
from sutler.core.play.game import load

TABLES: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (5, {"own_targets": False}),
    (3, {"exchange_once": True, "strict_fewest": True}),
    *((4, options) for options in OPTION_SETS["threeyears"]),
]
STEPS = 1500


@pytest.mark.parametrize(("seats", "options"), TABLES)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_book_kept_from_the_log_alone_agrees(seats: int, options: dict[str, Any], seed: int) -> None:
    """Tracks, tokens, cards, claims and stakes: after every decision of whole random games."""
    game = load("threeyears", **options) if "box" in options else load_game("threeyears", **options)
    pos = assert_agrees(WarBook, game, seats, seed, STEPS)
    assert pos.over
