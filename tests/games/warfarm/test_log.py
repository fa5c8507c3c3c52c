"""The log of WARFARM tells everything: a book kept from its lines alone agrees with the whole table."""

from __future__ import annotations

from typing import Any

import pytest

from contract.bookkeeping import assert_agrees
from contract.options import ARMED_FARMS, OPTION_SETS, RICH_FARMS
from games.warfarm.bookkeeper import FarmBook
from games.warfarm.farms import A, farms, owns
from sutler.contract.helpers import load_game, offered, play
from sutler.core.play.game import load

FARMS: list[dict[str, Any]] = [
    *OPTION_SETS["warfarm"],
    {"unlock_once": True, "karma_turn": True, "fire_stacks": True, "workers_idle": True, **RICH_FARMS},
    {"traps_optional": True, "karma_breaks_peace": True, "peace_for_good": True, "crews_idle": True, **ARMED_FARMS},
    {"hand_limit_only": True, "one_of_alike": True, "life_breaks_peace": True, **RICH_FARMS, **ARMED_FARMS},
]
STEPS = 1000


@pytest.mark.parametrize("options", FARMS)
@pytest.mark.parametrize("seed", [1, 3])
def test_a_book_kept_from_the_log_alone_agrees(options: dict[str, Any], seed: int) -> None:
    """Tokens, units at every place, cards, discards, what the turn has counted: after every decision of whole random games."""
    game = load("warfarm", **options) if any("." in one for one in options) else load_game("warfarm", **options)
    assert_agrees(FarmBook, game, 3, seed, STEPS)


def test_a_deck_stays_unlocked_though_the_soldier_goes_at_once() -> None:
    """15.5, 12.3: the third Soldier unlocks Military II, and is taken by a Trap in the same decision: the log tells both."""
    farm = {"land": 9, "soldiers": 2, "farmers": 1, "steel": 1}
    pos = farms("build", farm, {"traps": ["Forced Reinforcement"]}, options={"unlock_once": True})
    book = FarmBook(pos.game.new(3, seed=1))
    book.state, book.has_begun = pos.state.copy(), True
    deck = pos.game.names["deck"].index("Military II")
    assert not int(pos.state.seats[A].opened) >> deck & 1
    for action in ("build Soldier", "end building"):
        if action in offered(pos):
            book.note(play(pos, action))
    assert owns(pos, A, n_soldiers=2)
    assert int(pos.state.seats[A].opened) >> deck & 1
    assert book.differences(pos) == []
