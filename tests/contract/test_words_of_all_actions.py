"""Every action of a game's table has words, legal or not, in every language: who clicks what cannot be done is told why."""

from __future__ import annotations

import pytest

from sutler.contract.cases import GAMES
from sutler.contract.helpers import walk
from sutler.core.play.game import load
from sutler.core.text.language import LANGUAGES, use_language

DECISIONS, EVERY = 120, 40


@pytest.mark.parametrize("tongue", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_action_has_words(game: str, tongue: str) -> None:
    """Also those for cards that this box does not have."""
    with use_language(tongue):
        for n, pos in enumerate(walk(load(game).new(seed=4), 4, DECISIONS)):
            if n % EVERY == 0 and not pos.over:
                for action in range(pos.game.definition.actions.n):
                    pos.choice(action)
