"""No two choices of a decision read alike: who sees them side by side must know which is which."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from sutler.core.play.game import load
from sutler.core.text.sentences import to_plain_text

DECISIONS = 250


@pytest.mark.parametrize("game", ["manor", "bellum", "threeyears", "warfarm", "sixwinters"])
def test_no_two_choices_of_a_decision_read_alike(game: str) -> None:
    one = load(game)
    pos, luck, alike = one.new(max(2, one.min_seats), 3), random.Random(3), set[tuple[str, str]]()
    for _ in range(DECISIONS):
        if pos.over:
            break
        told = Counter((to_plain_text(choice.label), to_plain_text(choice.effect)) for choice in pos.choices())
        alike |= {words for words, n in told.items() if n > 1}
        pos.play(luck.choice(pos.actions()))
    assert alike == set()
