"""A table that begins later than printed: in the form, at the table, after a restart, and at the rematch."""

from __future__ import annotations

from typing import Any

import pytest

from sutler.web.lobby import new_table

from .conftest import facts

pytestmark = pytest.mark.compiled
SEATS = {
    "game": "sixwinters",
    "seat_0": "me",
    "name_0": "Agnes",
    "seat_1": "me",
    "name_1": "Perrin",
    "option_stash": "1",
}
LATER = {**SEATS, "option_start_year": "2", "before": "normal"}


def room_at(app: Any, client: Any, form: dict[str, str], **files: Any) -> Any:
    """The room behind the table that this form opens."""
    answer = client.post("/tables", data=form, files=files or None, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    assert facts(client.get(answer.headers["location"]).text)["decision"] == "0"
    return list(app.state.house._alive.values())[-1]


def test_the_form_asks_what_came_before(client: Any) -> None:
    """Where a game can begin later, and nowhere else."""
    assert 'name="before"' in client.get("/?game=sixwinters").text
    assert 'name="before"' not in client.get("/?game=manor").text


def test_a_table_begins_where_bots_have_come(app: Any, client: Any) -> None:
    """The second year, with the first in the journal; it is the same when the table is opened again from what was kept."""
    room = room_at(app, client, LATER)
    assert int(room.pos.state.year) == 2
    assert [page["year"] for page in room.pos.view(0)["journal"]] == [1]
    assert room.created.before == "normal"
    assert room.game.changed_options() == {}
    again = type(room).load_from_events(app.state.house.services, room.id, app.state.house.store.load_events(room.id))
    assert again.pos.to_bytes() == room.pos.to_bytes()
    other = room_at(app, client, LATER)
    assert other.pos.to_bytes() != room.pos.to_bytes(), "another table, another campaign"


def test_settings_may_say_the_year(app: Any, client: Any) -> None:
    """A file with `start_year = 2`, and the form with who has played until then."""
    settings = ("late.toml", b'start_year = 2\ndifficulty = "easy"\n', "application/toml")
    room = room_at(app, client, {**SEATS, "before": "easy"}, settings=settings)
    assert int(room.pos.state.year) == 2
    assert room.pos.view(0)["journal"][0]["level"] == "easy"
    assert room.game.changed_options() == {"difficulty": "easy"}


def test_the_next_table_begins_as_late_with_another_past(app: Any, client: Any) -> None:
    """A rematch is dealt anew, and so is what lies before it."""
    room = room_at(app, client, LATER)
    following = new_table.open_rematch(app.state.house, room, (0,))
    assert int(following.pos.state.year) == 2
    assert following.created.before == "normal"
    assert following.pos.to_bytes() != room.pos.to_bytes()


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({**SEATS, "before": "normal"}, "First year: nothing lies before 1"),
        ({**LATER, "before": "./mine.py"}, "not &#39;./mine.py&#39;"),
        ({**SEATS, "game": "manor", "before": "normal"}, "nothing lies before that bots could play"),
    ],
)
def test_what_cannot_be_is_told(app: Any, client: Any, form: dict[str, str], words: str) -> None:
    """In words, and no table is opened."""
    answer = client.post("/tables", data=form, follow_redirects=False)
    assert answer.status_code == 422
    assert words in answer.text
    assert not app.state.house._alive


def test_a_position_has_its_own_past(client: Any) -> None:
    """Both at once cannot be."""
    file = ("mine.toml", b'game = "sixwinters"\nseats = 2\n[state]\nyear = 3\n', "application/toml")
    answer = client.post("/tables", data=LATER, files={"position": file}, follow_redirects=False)
    assert answer.status_code == 422
    assert "no bots can play what lies before it" in answer.text


def test_nobody_waits_for_plain_python(app: Any, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the rules are being compiled bots would take minutes for a year: it is said, and nothing stands still."""
    game = app.state.house.shelf.load_game("sixwinters")
    monkeypatch.setattr(game.definition.home, "interpreted", True)
    answer = client.post("/tables", data=LATER, follow_redirects=False)
    assert answer.status_code == 422
    assert "still being made ready" in answer.text
