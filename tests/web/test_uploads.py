"""Files of one's own at a new table: a box and a position, and what is told of bad ones."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sutler.web.table.lobby_row import build_standing

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
    again = type(room).load_from_events(app.state.house.services, room.id, app.state.house.store.load_events(room.id))
    assert again.game.box_hash == room.game.box_hash != app.state.house.shelf.load_game("manor").box_hash
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
    assert app.state.house.store.list_tables() == []


def at_the_door(client: Any, name: str, data: bytes, game: str = "manor") -> Any:
    return client.post("/files", data={"game": game}, files={"file": (name, data)}, follow_redirects=False)


def sent_back(page: str) -> dict[str, str]:
    """What the filled-in form would send of its file, and the game it is for."""
    import html

    form = page.split('<form class="setup"')[1].split("</form>")[0]
    told = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    told |= {
        name: html.unescape(text) for name, text in re.findall(r'<textarea hidden name="(\w+)">(.*?)<', form, re.S)
    }
    return told


@pytest.mark.parametrize(("name", "data"), [("mine.toml", POSITION), ("last.TOML", POSITION)])
def test_a_position_at_the_door_fills_in_the_form(app: Any, client: Any, name: str, data: bytes) -> None:
    """The form has the file's game and seats; sent as it is, it opens a table that begins there."""
    answer = at_the_door(client, name, data, game="warfarm")
    assert answer.status_code == 200, answer.text
    form = sent_back(answer.text)
    assert form["game"] == "manor"
    assert answer.text.count('value="none" checked') == answer.text.count('id="place-') - 2
    began = client.post("/tables", data=SEATS | form, follow_redirects=False)
    assert began.status_code == 303, began.text
    (room,) = app.state.house._alive.values()
    assert room.pos.view(0)["seats"][0]["hand"] == ["Wheat"]


def test_a_box_at_the_door_finds_its_game(app: Any, client: Any) -> None:
    """A box says no game: it is for the one that is chosen if it fits that, else for the one it fits."""
    form = sent_back(at_the_door(client, "mine.toml", BOX, game="warfarm").text)
    assert form["game"] == "manor"
    assert client.post("/tables", data=SEATS | form, follow_redirects=False).status_code == 303
    (room,) = app.state.house._alive.values()
    assert room.game.edit["card"][0]["gain"] == {"crops": 7}


def test_a_scenario_is_quoted_in_the_form(client: Any) -> None:
    """Its text is in the page, and no markup of it."""
    title = POSITION.replace(b"seats = 2", b"seats = 2\ntitle = '</textarea><script>alert(1)</script>'")
    page = at_the_door(client, "<b>.toml", title).text
    assert "<script>alert" not in page
    assert "<b>.toml" not in page


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "nothing is in this file"),
        (b"[[card", "this is no TOML"),
        (b"\xff", "no text in UTF-8"),
        (b'[[card]]\nname = "Nobody"\n', "Nobody"),
        (b'game = "whist"\nseats = 2\n', "whist"),
        (b'game = "manor"\nseats = "two"\n', "seats"),
        (b'game = "manor"\nseats = 2\nextra = 1\n', "extra"),
    ],
)
def test_what_is_none_is_refused_at_the_door_in_words(app: Any, client: Any, data: bytes, words: str) -> None:
    answer = at_the_door(client, "mine.toml", data)
    assert answer.status_code in (404, 422)
    assert words in answer.text
    assert not app.state.house._alive


# --- Settings, lessons, playthroughs --------------------------------------------------------------------

SETTINGS = b'"card.Wheat.gain.crops" = 9\nvictory = 20\n'


def test_settings_at_the_door_fill_in_the_form(app: Any, client: Any) -> None:
    form = sent_back(at_the_door(client, "mine.toml", SETTINGS, game="warfarm").text)
    assert form["game"] == "manor"
    assert client.post("/tables", data=SEATS | form, follow_redirects=False).status_code == 303
    (room,) = app.state.house._alive.values()
    assert room.game.settings == {"card.Wheat.gain.crops": 9}
    assert room.game.changed_options() == {"victory": 20}
    again = type(room).load_from_events(app.state.house.services, room.id, app.state.house.store.load_events(room.id))
    assert again.game.box_hash == room.game.box_hash != app.state.house.shelf.load_game("manor").box_hash
    assert again.pos.to_bytes() == room.pos.to_bytes()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'"card.Wheat.gain.crops" = "many"\n', "crops"),
        (b'"card.Whaet.gain.crops" = 3\n', "Whaet"),
        (b"no_such = 3\n", "no_such"),
        (BOX, "settings are lines"),
    ],
)
def test_bad_settings_are_told_in_words(app: Any, client: Any, data: bytes, words: str) -> None:
    answer = opened(client, settings=data)
    assert answer.status_code == 422
    assert "mine-settings.toml" in answer.text
    assert words in answer.text
    if data != BOX:
        assert at_the_door(client, "mine.toml", data).status_code == 422
    assert app.state.house.store.list_tables() == []


def lesson() -> str:
    from sutler.core.play.registry import find_game_folder

    return (find_game_folder("manor") / "lessons" / "first.toml").read_text(encoding="utf-8")


def test_a_lesson_of_ones_own_is_taught(app: Any, client: Any) -> None:
    """Its own sentences are said, its steps are taken, and it is there again after a restart."""
    text = lesson().replace('title = "', 'title = "My own: ', 1)
    answer = at_the_door(client, "mine.toml", text.encode())
    assert answer.status_code == 303, answer.text
    (room,) = app.state.house._alive.values()
    seat = str(answer.headers["location"])
    assert seat == f"/seat/{room.make_seat_token(room.list_seats_of_same_link(0)[0])}"
    page = client.get(seat).text
    assert "My own: " in page
    assert client.post(f"{seat}/lesson", data={"do": "show", "step": "1"}).status_code in (200, 422)
    again = type(room).load_from_events(app.state.house.services, room.id, app.state.house.store.load_events(room.id))
    assert again.created.script["title"].startswith("My own: ")
    assert build_standing(again).lesson == "own"


@pytest.mark.parametrize(
    ("was", "becomes", "words"),
    [
        ("wait = [", 'wait = ["dance", ', "field wait"),
        ('game = "manor"', 'game = "whist"', "whist"),
        ("seats = ", "seats = 9", ""),
        ("say = ", "sya = ", "step 1"),
        ("minutes = ", 'minutes = "x" #', "minutes"),
    ],
)
def test_a_bad_lesson_is_told_by_file_step_and_field(app: Any, client: Any, was: str, becomes: str, words: str) -> None:
    answer = at_the_door(client, "mine.toml", lesson().replace(was, becomes, 1).encode())
    assert answer.status_code == 422, answer.text
    assert "mine.toml" in answer.text
    assert words in answer.text
    assert app.state.house.store.list_tables() == []


PLAYS = Path(__file__).parent.parent / "golden"


@pytest.mark.parametrize("name", ["random-manor-2", "rulebook-manor-wheat", "random-manor-common-hand"])
def test_a_playthrough_is_laid_out(app: Any, client: Any, name: str) -> None:
    from sutler.core.files.golden import parse_golden_file

    text = (PLAYS / f"{name}.play").read_text(encoding="utf-8")
    answer = at_the_door(client, f"{name}.play", text.encode())
    assert answer.status_code == 303, answer.text
    (room,) = app.state.house._alive.values()
    assert [action for _, action in room.actions] == [
        one for one in parse_golden_file(text).lines if not one.startswith("#")
    ]
    assert client.get(answer.headers["location"]).status_code == 200
    again = type(room).load_from_events(app.state.house.services, room.id, app.state.house.store.load_events(room.id))
    assert again.pos.to_bytes() == room.pos.to_bytes()


HEAD = "game manor   seats 2   seed 1\n"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "line 1"),
        (b"\xff", "utf-8"),
        (b"game whist   seats 2   seed 1\n", "whist"),
        (b"game manor   seats 99   seed 1\n", "99"),
        (b"game manor   seats 2   seed " + b"9" * 60, "seed"),
        (HEAD.encode() + b"option victory = many\n", "victory"),
        (HEAD.encode() + b"position ../../../../etc/passwd\n", "field position"),
        (HEAD.encode() + b"  1  seat 0  dance  of 3\n", "decision 1, &#39;dance&#39;"),
    ],
)
def test_a_bad_playthrough_is_told_in_words(app: Any, client: Any, data: bytes, words: str) -> None:
    answer = at_the_door(client, "mine.play", data)
    assert answer.status_code == 422, answer.text
    assert "mine.play" in answer.text
    assert words in answer.text
    assert app.state.house.store.list_tables() == []
