"""Files of one's own at a new table: a box and a position, and what is told of bad ones."""

from __future__ import annotations

import re
from typing import Any

import pytest

from .conftest import facts

SEATS = {"game": "manor", "seat_0": "me", "name_0": "Agnes", "seat_1": "me", "name_1": "Perrin"}
BOX = b'[[card]]\nname = "Wheat"\ngain = { crops = 7 }\n\n[[card]]\nname = "Banditry"\nremove = true\n'
POSITION = b"""
game = "manor"
seats = 2
[state]
phase = "work"
to_act = 0
[[state.seats]]
hand = ["Wheat"]
tokens = { crops = 3, peasants = 3 }
[[state.seats]]
hand = []
"""


def opened(client: Any, **files: bytes) -> Any:
    attached = {key: (f"mine-{key}.toml", data, "application/toml") for key, data in files.items()}
    return client.post("/tables", data=SEATS, files=attached, follow_redirects=False)


def test_a_box_of_ones_own_is_played_and_kept(app: Any, client: Any) -> None:
    """The table plays with it, and so does whoever opens it again from what was kept."""
    answer = opened(client, box=BOX)
    assert answer.status_code == 303
    (room,) = app.state.house._alive.values()
    assert room.game.edit["card"][0]["gain"] == {"crops": 7}
    again = type(room).from_events(app.state.house, room.id, app.state.house.store.events(room.id))
    assert again.game.box_hash == room.game.box_hash != app.state.house.shelf.game("manor").box_hash
    assert again.pos.state.tobytes() == room.pos.state.tobytes()


def test_a_position_begins_a_game(app: Any, client: Any) -> None:
    """What the file says lies there; the luck to come is the table's."""
    answer = opened(client, box=BOX, position=POSITION)
    assert answer.status_code == 303
    page = client.get(answer.headers["location"]).text
    assert facts(page)["decision"] == "0"
    (room,) = app.state.house._alive.values()
    assert room.pos.view(0)["seats"][0]["hand"] == ["Wheat"]
    assert room.pos.view(0)["cards"]["Wheat"]["gain"]["crops"] == 7
    assert room.pos.view(0)["seats"][0]["crops"] == 3


@pytest.mark.parametrize(
    ("which", "data", "words"),
    [
        ("box", b"[[card", r"mine-box\.toml: this is no TOML"),
        ("box", b"\xff\xfe", r"mine-box\.toml: this is no text"),
        ("box", b"#" * 200_001, r"mine-box\.toml: this file is too large"),
        ("box", b'[[card]]\nname = "Wheat"\ngain = { corps = 7 }\n', r"mine-box\.toml.*Wheat.*corps"),
        ("box", b"[rules]\nno_such = 1\n", r"mine-box\.toml.*no_such"),
        ("box", POSITION, r"mine-box\.toml: this is a position"),
        ("position", BOX, r"mine-position\.toml: this is no position"),
        ("position", POSITION.replace(b'"manor"', b'"bellum"'), r"mine-position\.toml.*field game"),
        ("position", POSITION.replace(b"seats = 2", b"seats = 3", 1), r"mine-position\.toml.*field seats"),
        ("position", POSITION.replace(b'["Wheat"]', b'["Whaet"]'), r"mine-position\.toml.*hand.*Whaet"),
        ("position", POSITION.replace(b"peasants = 3", b"peasants = 0"), r"mine-position\.toml.*\[state\]"),
        ("position", b"seats = " + b"[" * 5000, r"mine-position\.toml"),
    ],
)
def test_a_bad_file_is_told_in_words_and_nothing_is_kept(
    app: Any, client: Any, which: str, data: bytes, words: str
) -> None:
    """File, entry and field; and no table is left behind."""
    answer = opened(client, **{which: data})
    assert answer.status_code == 422
    told = re.sub("<[^>]*>", " ", answer.text).replace("&#39;", "'")
    assert re.search(words, told, re.DOTALL), told
    assert app.state.house.store.tables() == []
