"""Whoever keeps the house sees its tables and load, and can say what is kept about a person and forget it. Nobody else can."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from sutler.cli import app as cli
from sutler.web.accounts import moderation
from sutler.web.accounts.privacy import FORGOTTEN_NAME
from sutler.web.errors import Lost, Refused
from sutler.web.events import Created, Said, SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.routes.admin import KEY_NAME, hash_key
from sutler.web.storage.store import Store
from sutler.web.table import moves
from sutler.web.table.people import chat
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.tokens import hash_browser

WORDS = "the word of the house"


@pytest.fixture
def browser(app: FastAPI, client: TestClient, new_table: Callable[..., str]) -> str:
    """Agnes has opened a table and spoken there; a hash of her cookie."""
    seat = new_table(seat_0="me", name_0="Agnes", seat_1="link", name_1="Perrin")
    assert client.post(f"{seat}/say", data={"text": "Bread for all!"}).status_code == 200
    app.state.house.store.set_value(KEY_NAME, hash_key(WORDS))
    return hash_browser(client.cookies["sutler_browser"])


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
    for word in ("", "another", hash_key(WORDS)):
        client.cookies.set("sutler_admin", word)
        assert client.get("/admin").status_code == 403
        assert "Agnes" not in client.get("/admin").text
        assert client.post("/admin", data={"word": word or "x"}).status_code == 403
        assert client.get(f"/admin/people/{browser}").status_code == 404
        assert client.post(f"/admin/people/{browser}/forget").status_code == 404
        assert client.post("/admin/bans", data={"who": browser}).status_code == 404
        assert client.post("/admin/bans/lift", data={"who": browser}).status_code == 404
        assert client.post(f"/admin/tables/{app.state.house.list_loaded_rooms()[0].id}/remove").status_code == 404
    assert app.state.house.store.load_seats_of_browser(browser), "nothing was done"


def test_a_house_that_made_no_word_lets_nobody_in(client: TestClient) -> None:
    client.cookies.set("sutler_admin", "")
    assert client.get("/admin").status_code == 403
    assert client.post("/admin", data={"word": ""}).status_code in (403, 422)


def test_the_keeper_sees_tables_load_and_people(app: FastAPI, client: TestClient, browser: str) -> None:
    page = keeper(app).get("/admin")
    assert page.status_code == 200
    assert "Medieval Manor" in page.text
    assert "<dt>tables</dt><dd>1</dd>" in page.text
    assert f"/admin/people/{browser}" in page.text


@pytest.mark.parametrize("find", ["agnes", "MANOR", "nobody of that name"])
def test_tables_are_found_by_what_is_known_of_them(app: FastAPI, browser: str, find: str) -> None:
    page = keeper(app).get("/admin", params={"find": find}).text
    assert (f"/admin/people/{browser}" in page) == (not find.startswith("nobody"))
    assert ("No table fits that." in page) == find.startswith("nobody")
    assert f"/admin/people/{browser}" in keeper(app).get("/admin", params={"find": browser[:8]}).text


def test_what_is_kept_about_a_person_is_told(app: FastAPI, client: TestClient, browser: str) -> None:
    told = keeper(app).get(f"/admin/people/{browser}").json()
    (table,) = told["tables"].values()
    assert (table["game"], table["seats"], table["names"]) == ("manor", [0], ["Agnes"])
    assert [one["text"] for one in table["words"]] == ["Bread for all!"]


def test_a_person_is_forgotten_and_the_game_goes_on(app: FastAPI, client: TestClient, browser: str) -> None:
    house = app.state.house
    ((table, _),) = house.store.load_seats_of_browser(browser).items()
    room = house.get_room(table)
    chat.add_chat_line(room, Said(seat=None, name="a watcher", text="I stay."))
    moves.play_action(room, (room.pos.seat or 0,), 0, room.pos.actions()[0].name)
    before, seat = room.pos.to_bytes(), f"/seat/{room.make_seat_token(0)}"
    assert keeper(app).post(f"/admin/people/{browser}/forget").status_code == 303
    assert house.store.load_seats_of_browser(browser) == {}
    kept = " ".join(one.event.model_dump_json() for one in house.store.load_events(table))
    assert "Agnes" not in kept
    assert "Bread" not in kept
    assert "I stay." in kept
    assert room.seats[0].name == FORGOTTEN_NAME
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
    assert store.get_value(KEY_NAME) == hash_key(words[1]) != hash_key(words[0])
    assert words[1] not in str(store.get_value(KEY_NAME))
    store.close()


# --- Bans -----------------------------------------------------------------------------------------------


def test_a_person_is_banned_for_a_time_until_the_ban_is_lifted(
    app: FastAPI, client: TestClient, browser: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, admin = app.state.house, keeper(app)
    seat = f"/seat/{house.list_loaded_rooms()[0].make_seat_token(0)}"
    assert client.get(seat).status_code == 200
    assert admin.post("/admin/bans", data={"who": browser, "hours": "2"}).status_code == 303
    refused = client.get(seat)
    assert refused.status_code == 403
    assert "has banned you until 20" in refused.text
    assert client.post(f"{seat}/say", data={"text": "Let me in!"}).status_code == 403
    assert client.get("/events", params={"at": seat}).status_code == 403
    assert TestClient(app).get(seat).status_code == 200, "another browser may come in"
    page = admin.get("/admin").text
    assert f"person {browser}" in page
    assert "<p>banned <code>" in page
    assert admin.post("/admin/bans/lift", data={"who": f"person {browser}"}).status_code == 303
    assert client.get(seat).status_code == 200
    assert admin.post("/admin/bans/lift", data={"who": browser}).status_code == 404
    assert [deed.what for deed in moderation.load_newest_entries(house.store)] == ["ban lifted", "banned"]


def test_a_time_ends_by_itself(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    house = app.state.house
    moderation.ban(house.store, "192.0.2.7", 1.0)
    house.ban_list.refresh()
    assert house.ban_list.find_ban_reason("192.0.2.7", "")
    later = moderation.datetime.now(moderation.UTC) + moderation.timedelta(hours=1.01)

    class Later(moderation.datetime):
        @classmethod
        def now(cls, tz: object = None) -> moderation.datetime:
            return later

    monkeypatch.setattr(moderation, "datetime", Later)
    assert house.ban_list.find_ban_reason("192.0.2.7", "") == ""
    assert moderation.load_bans(house.store) == {}


def test_addresses_and_nets_are_shut_out(app: FastAPI) -> None:
    house = app.state.house
    for who, inside, outside in (
        ("192.0.2.7", "192.0.2.7", "192.0.2.8"),
        ("198.51.100.0/24", "198.51.100.200", "198.51.101.1"),
        ("2001:db8::/32", "2001:db8::1", "2001:db9::1"),
    ):
        moderation.ban(house.store, who)
        house.ban_list.refresh()
        assert house.ban_list.find_ban_reason(inside, "") == "The administrator of this server has banned you."
        assert house.ban_list.find_ban_reason(outside, "") == ""
    assert house.ban_list.find_ban_reason("testclient", "") == "", "what is no address is nobody's"


@pytest.mark.parametrize("who", ["", "everybody", "192.0.2", "0123", "f" * 12, "' OR 1=1"])
def test_who_is_nobody_is_told_in_words(app: FastAPI, who: str) -> None:
    with pytest.raises(Refused):
        moderation.ban(app.state.house.store, who)
    assert moderation.load_newest_entries(app.state.house.store) == []


@pytest.mark.parametrize("hours", ["0", "-1", "nan", "inf", "1e9"])
def test_a_time_must_be_one(app: FastAPI, browser: str, hours: str) -> None:
    answer = keeper(app).post("/admin/bans", data={"who": "192.0.2.7", "hours": hours})
    assert answer.status_code == 422
    assert moderation.load_bans(app.state.house.store) == {}


# --- Taken away -----------------------------------------------------------------------------------------


def test_a_table_is_taken_away_and_nothing_of_it_stays(app: FastAPI, client: TestClient, browser: str) -> None:
    house: House = app.state.house
    room = house.list_loaded_rooms()[0]
    seat, admin = f"/seat/{room.make_seat_token(0)}", keeper(app)
    assert admin.post(f"/admin/tables/{room.id}/remove").status_code == 303
    assert client.get(seat).status_code == 404
    assert client.get(f"/watch/{room.id}").status_code == 404
    assert room.id not in client.get("/").text
    assert {one.event.kind for one in house.store.load_events(room.id)} == {"removed"}
    assert house.store.load_seats_of_browser(browser) == {}
    assert house.store.list_tables() == []
    assert admin.post(f"/admin/tables/{room.id}/remove").status_code == 404
    assert [(deed.what, deed.about) for deed in moderation.load_newest_entries(house.store)] == [("removed", room.id)]
    with pytest.raises(Lost):
        chat.add_chat_line(room, Said(seat=0, name="Agnes", text="Still here?"))
    assert {one.event.kind for one in house.store.load_events(room.id)} == {"removed"}


def opened(store: Store, *kinds: str) -> tuple[House, Room]:
    house = House(store, Shelf(), bot_pause=0.0)
    seats = [SeatPlan.model_validate({"kind": kind, "name": f"Seat {i}"}) for i, kind in enumerate(kinds)]
    return house, house.open_table(Created(game="manor", seed=4, seats=tuple(seats)))


def test_an_open_house_hears_of_what_the_command_did(tmp_path: Path) -> None:
    """Nobody writes on at a table that is gone, even where it has not been heard yet."""
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    house, room = opened(Store(url), "me", "me")
    behind, other = opened(Store(url), "me", "me")
    stale = behind.get_room(room.id)
    moves.play_action(room, (room.pos.seat or 0,), 0, room.pos.actions()[0].name)
    run = CliRunner().invoke
    for words in (["remove", room.id], ["ban", "192.0.2.7", "--hours", "3"]):
        done = run(cli, ["admin", "--database", url, *words])
        assert done.exit_code == 0, done.output
    for late in (room, stale):
        with pytest.raises(Lost):
            chat.add_chat_line(late, Said(seat=0, name="Agnes", text="Still here?"))
    assert house.ban_list.find_ban_reason("192.0.2.7", "") == ""
    house.ban_list.refresh()
    assert room.gone
    assert house.find_loaded_room(room.id) is None
    assert house.ban_list.find_ban_reason("192.0.2.7", "")
    book = run(cli, ["admin", "--database", url, "book"]).output
    assert "banned: address 192.0.2.7" in book
    assert f"removed {room.id}" in book
    listed = run(cli, ["admin", "--database", url, "tables"]).output
    assert other.id in listed
    assert room.id not in listed
    assert run(cli, ["admin", "--database", url, "lift", "192.0.2.7"]).exit_code == 0
    for wrong in (["remove", room.id], ["lift", "192.0.2.7"], ["ban", "nobody"]):
        assert run(cli, ["admin", "--database", url, *wrong]).exit_code == 2
    house.close()
    behind.close()


def test_bots_of_a_table_that_is_gone_think_no_further() -> None:
    house, room = opened(Store("sqlite://"), "bot", "bot")
    house.remove_table(room.id)
    before = room.decision
    house.job_queue.close()
    assert room.decision in (before, before + 1), "one decision may have been under way; it is not kept"
    assert {one.event.kind for one in house.store.load_events(room.id)} == {"removed"}


def test_a_damaged_table_can_be_taken_away(app: FastAPI) -> None:
    house: House = app.state.house
    house.store.append_events("abcdefghijkl", 0, [Said(seat=None, name="a", text="b")])
    house.remove_table("abcdefghijkl")
    with pytest.raises(Lost):
        house.get_room("abcdefghijkl")


def test_a_table_opens_into_its_people_by_name(app: FastAPI, browser: str) -> None:
    """Each with their number and a way to their other tables; reports have their place on the page though none waits."""
    page = keeper(app).get("/admin").text
    assert f"Agnes <small>person <code>{browser[:8]}</code></small>" in page
    assert f'href="/admin?find={browser}"' in page
    assert "No report waits for you." in page
    assert "All tables" in page
    assert "1 table found" in keeper(app).get(f"/admin?find={browser}").text


def test_no_more_than_25_tables_lie_open(app: FastAPI, browser: str) -> None:
    """The others are folded away below them."""
    house: House = app.state.house
    plan = Created(game="manor", seed=1, seats=(SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="bot", name="Perrin")))
    rooms = [house.open_table(plan) for _ in range(26)]
    house.write_listings([room.id for room in rooms])
    page = keeper(app).get("/admin").text
    assert "2 older" in page
    assert page.partition('class="more-tables"')[2].count('details name="table"') == 2
