"""Whoever keeps the house sees its tables and load, and can say what is kept about a person and forget it. Nobody else can."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from sutler.cli import app as cli
from sutler.web.adminpages import WORD, hashed
from sutler.web.links import browser_hash
from sutler.web.people import NOBODY
from sutler.web.protocol import Said
from sutler.web.store import Store

WORDS = "the word of the house"


@pytest.fixture
def browser(app: FastAPI, client: TestClient, new_table: Callable[..., str]) -> str:
    """Agnes has opened a table and spoken there; a hash of her cookie."""
    seat = new_table(seat_0="me", name_0="Agnes", seat_1="link", name_1="Perrin")
    assert client.post(f"{seat}/say", data={"text": "Bread for all!"}).status_code == 200
    app.state.house.store.remember(WORD, hashed(WORDS))
    return browser_hash(client.cookies["sutler_browser"])


def keeper(app: FastAPI) -> TestClient:
    """Somebody with the word."""
    one = TestClient(app, follow_redirects=False)
    answer = one.post("/admin", data={"word": f" {WORDS} "})
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    one.cookies.set("sutler_admin", f'"{WORDS}"', path="/admin")
    return one


def test_strangers_find_nothing(app: FastAPI, client: TestClient, browser: str) -> None:
    for word in ("", "another", hashed(WORDS)):
        client.cookies.set("sutler_admin", word)
        assert client.get("/admin").status_code == 403
        assert "Agnes" not in client.get("/admin").text
        assert client.post("/admin", data={"word": word or "x"}).status_code == 403
        assert client.get(f"/admin/people/{browser}").status_code == 404
        assert client.post(f"/admin/people/{browser}/forget").status_code == 404
    assert app.state.house.store.seats_of(browser), "nothing was done"


def test_a_house_that_made_no_word_lets_nobody_in(client: TestClient) -> None:
    client.cookies.set("sutler_admin", "")
    assert client.get("/admin").status_code == 403
    assert client.post("/admin", data={"word": ""}).status_code in (403, 422)


def test_the_keeper_sees_tables_load_and_people(app: FastAPI, client: TestClient, browser: str) -> None:
    page = keeper(app).get("/admin")
    assert page.status_code == 200
    assert "Medieval Manor" in page.text
    assert "1 tables" in page.text
    assert f"/admin/people/{browser}" in page.text


def test_what_is_kept_about_a_person_is_told(app: FastAPI, client: TestClient, browser: str) -> None:
    told = keeper(app).get(f"/admin/people/{browser}").json()
    (table,) = told["tables"].values()
    assert (table["game"], table["seats"], table["names"]) == ("manor", [0], ["Agnes"])
    assert [one["text"] for one in table["words"]] == ["Bread for all!"]


def test_a_person_is_forgotten_and_the_game_goes_on(app: FastAPI, client: TestClient, browser: str) -> None:
    house = app.state.house
    ((table, _),) = house.store.seats_of(browser).items()
    room = house.room(table)
    room.say(Said(seat=None, name="a watcher", text="I stay."))
    room.act((room.pos.seat or 0,), 0, room.pos.actions()[0].name)
    before, seat = room.pos.to_bytes(), f"/seat/{room.token(0)}"
    assert keeper(app).post(f"/admin/people/{browser}/forget").status_code == 303
    assert house.store.seats_of(browser) == {}
    kept = " ".join(one.event.model_dump_json() for one in house.store.events(table))
    assert "Agnes" not in kept
    assert "Bread" not in kept
    assert "I stay." in kept
    assert room.seats[0].name == NOBODY
    assert room.pos.to_bytes() == before
    page = client.get(seat)
    assert page.status_code == 200
    assert "Agnes" not in page.text


def test_the_command_makes_a_new_word_each_time(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    words = []
    for _ in range(2):
        done = CliRunner().invoke(cli, ["admin", "--database", url])
        assert done.exit_code == 0, done.output
        words.append(done.output.split()[-1])
    store = Store(url)
    assert store.remembered(WORD) == hashed(words[1]) != hashed(words[0])
    assert words[1] not in str(store.remembered(WORD))
    store.close()
