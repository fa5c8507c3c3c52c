"""What coaches say stands beside questions that their games ask, and is short."""

from __future__ import annotations

import pytest

from sutler.core.play.registry import games, load_definition
from sutler.core.text.coaching import read_coaching

MAX_SAYING_CHARS = 130
"""What the coach's slip on a phone has room for beside the advice."""


@pytest.mark.parametrize("game", games())
def test_a_coach_speaks_of_what_is_asked(game: str) -> None:
    """Five sentences or more, each about phases that there are; what is preferred is an action of the game."""
    told = load_definition(game)
    coaching, phases = read_coaching(told.folder), set(told.phases.words)
    assert len(coaching.say) >= 5
    spoken_of = [one.at for one in coaching.say] + [one.at for one in coaching.rather]
    assert {at for some in spoken_of for at in some} <= phases
    assert [one.text for one in coaching.say if len(one.text) > MAX_SAYING_CHARS] == []
    for one in coaching.rather:
        assert one.action.split()[0] in {(block.verb or name).split()[0] for name, block in told.actions.blocks.items()}


def test_a_phase_without_a_sentence_has_none() -> None:
    coaching = read_coaching(load_definition("sixwinters").folder)
    assert coaching.find_saying("over") == ""
    assert coaching.find_preference("act") is None
    assert coaching.find_preference("difficulty").action == "difficulty easy"  # type: ignore[union-attr]
