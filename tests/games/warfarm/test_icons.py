"""A unit has one picture: the log shows the same as the board, the cards and the guide."""

from __future__ import annotations

import re

from sutler.games.warfarm import GAME

BOARD = (GAME.folder / "board" / "board.html").read_text()
PICTURES = dict(re.findall(r'"(\w+)": \("([\w-]+)", named\("\w+", "\w+"\)\)', BOARD))
"""What the board draws each thing as."""


def test_the_log_shows_units_as_the_board_does():
    """2.3, 3.3–3.6, 7.5, 8.1: who comes, goes, farms and prays is drawn as it stands on the land."""
    drawn = {
        "returned": "soldier",
        "came_back": "explorer",
        "explores": "explorer",
        "farmed": "farmer",
        "prayed": "disciple",
        "raided": "disciple",
        "sent": "disciple",
        "burnt": "fire",
    }
    events = GAME.events.events
    assert {name: events[name].icon for name in drawn} == {name: PICTURES[unit] for name, unit in drawn.items()}


def test_no_second_picture_is_packed():
    """What the page loads holds each unit's picture, and none that another picture has replaced."""
    packed = set(re.findall(r'id="i-([\w-]+)"', (GAME.folder / "board" / "icons.svg").read_text()))
    assert set(PICTURES.values()) <= packed
    assert not packed & {"pikeman", "spyglass"}
