"""The table of Three Years of War in the terminal."""

import io
import random

import pytest
from rich.console import Console

import sutler
from sutler.games.threeyears.text import terminal

GAME = sutler.load("threeyears")


def drawn(pos, seat):
    console = Console(file=io.StringIO(), width=150, highlight=False)
    console.print(terminal.draw(pos.view(seat)))
    return console.file.getvalue()


@pytest.mark.parametrize("seats", [2, 5])
def test_every_moment_can_be_drawn(seats):
    """1.14, 3.2: claims, interludes, tracks and one's own hand, at every kind of decision; nobody else's cards."""
    pos = GAME.new(seats=seats, seed=4)
    rng = random.Random(seats)
    while not pos.over:
        if rng.random() < 0.2:
            view = pos.view(pos.seat)
            text = drawn(pos, pos.seat)
            assert f"Year {view['year']} of 3" in text
            assert all(card["name"] in text for card in view["hand"])
            if view["interlude"]:
                assert view["interlude"]["name"] in text
            assert "holds" not in drawn(pos, None)
        pos.play(rng.choice(pos.legal_ids()))
    assert "Year 3 of 3" in drawn(pos, 0)
