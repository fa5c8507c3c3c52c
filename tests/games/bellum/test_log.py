"""The log of Bellum tells everything: a book kept from its lines alone agrees with the whole map."""

from __future__ import annotations

from typing import Any

import pytest

from contract.bookkeeping import assert_agrees
from contract.options import ADVANCED, OPTION_SETS
from games.bellum.bookkeeper import WarBook
from sutler.contract.helpers import load_game
from sutler.core.text.sentences import to_plain_text

WARS: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (4, {"alliance": True, **ADVANCED}),
    (3, {}),
    *((3 if "three" in options else 4, options) for options in OPTION_SETS["bellum"]),
]
STEPS = 1500


@pytest.mark.parametrize(("seats", "options"), WARS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_book_kept_from_the_log_alone_agrees(seats: int, options: dict[str, Any], seed: int) -> None:
    """Levels, leaders, tokens, cities, sieges: after every decision of whole random wars."""
    assert_agrees(WarBook, load_game("bellum", **options), seats, seed, STEPS)


def test_areas_of_one_event_are_one_line() -> None:
    """10.2, 11.1: where tokens come, go and feed is told by name, in one line each."""
    pos = assert_agrees(WarBook, load_game("bellum"), 4, 1, 200)
    lines = [to_plain_text(line.sentence) for line in pos.log(None)]
    placed = [line for line in lines if "places tokens on" in line]
    assert any(line.count(", ") > 2 for line in placed), placed[:3]
    assert len(lines) == len(pos.log(None, since=0)) < sum(one.is_for(None) for _, one in pos.told())
