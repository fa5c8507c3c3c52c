"""What the table says: questions that name the thing asked about, and a log whose words are the board's."""

from __future__ import annotations

import random

from games.sixwinters.scene import Scene
from sutler.core.game import load
from sutler.core.text import plain
from sutler.games.sixwinters.vocabulary import RESOURCES


def test_3_9_the_log_tells_the_dice_rolled_into_each_pool():
    """3.9, 8.1: so many dice of that pool, and of no other: what the log says is what lies there."""
    pos, luck = load("sixwinters").new(2, 7), random.Random(7)
    before = [0] * len(RESOURCES)
    filled = 0
    while not filled:
        told = pos.play(luck.choice(pos.actions()))
        rolled = [one for one in told if one.kind == "pool_filled"]
        for one in rolled:
            before[one.part("resource")] += one.part("n")
        filled += len(rolled)
    assert before == [int(pool.sum()) for pool in pos.state.pools]
    assert len(rolled) == len(RESOURCES)


def test_5_10_the_question_names_the_way_that_is_paid_for():
    pos = Scene().heroes("Keel at Eastkeep", "Fuscus at Boar's Peak").dice([2, 3], [4]).go()
    pos.play("move to The Empire espionage")
    asked = pos.prompt(0)
    assert "pay for the way to Whitehold." in plain(asked.text)
    assert plain(asked.help) == "1 die still to pay."


def test_9_4_the_question_names_the_ability_that_is_paid_for():
    pos = Scene().heroes("Thea at Eastkeep", "Fuscus at Boar's Peak").dice([4, 4, 3], [4]).pools(sorcery=[4, 2]).go()
    pos.play(next(one for one in pos.actions() if one.block == "ability" and one.args[0] == 0))
    asked = pos.prompt(0)
    assert plain(asked.text).endswith("what does Thea pay with?")
    assert plain(asked.help) == pos.game.names["ability_text"][pos.game.names["character"].index("Thea") * 3]
