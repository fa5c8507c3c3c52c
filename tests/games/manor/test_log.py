"""The log of Medieval Manor tells everything: a book kept from its lines alone agrees with the whole table."""

from __future__ import annotations

from typing import Any

import pytest

from contract.bookkeeping import assert_agrees
from contract.options import OPTION_SETS
from games.manor.bookkeeper import ManorBook
from sutler.contract.helpers import load_game

MANORS: list[tuple[int, dict[str, Any]]] = [
    *((seats, options) for options in OPTION_SETS["manor"] for seats in (2, 4)),
    (3, {"common_hand": True}),
    (6, {"buys": 3, "swaps": 3, "start_upgrades": 3}),
    (5, {"offers": 0, "hardship_deck": True, "start_cards": 5}),
]
STEPS = 1500


@pytest.mark.parametrize(("seats", "options"), MANORS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_book_kept_from_the_log_alone_agrees(seats: int, options: dict[str, Any], seed: int) -> None:
    """Tokens, hands, piles, the map, what each has done in the turn: after every decision of whole random games."""
    assert_agrees(ManorBook, load_game("manor", **options), seats, seed, STEPS)
