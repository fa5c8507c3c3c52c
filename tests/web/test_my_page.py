"""A person's page, and the code by which they go on from another device."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.web.accounts import device_transfer, mail_links, passkeys
from sutler.web.accounts.encryption import decrypt, encrypt, stretch_secret
from sutler.web.errors import Refused, Used
from sutler.web.events import SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.lobby import lobby_page
from sutler.web.routes.my_page import list_best_turns, tally_results
from sutler.web.storage.listing_row import BestTurn, Standing
from sutler.web.storage.schema import EXPIRING
from sutler.web.storage.store import Store
from sutler.web.table import best_turns, moves
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.tokens import hash_browser

TABLE = {"game": "manor", "seat_0": "me", "name_0": "Agnes", "seat_1": "me", "name_1": "Perrin"}
NOW = datetime(2026, 1, 1, tzinfo=UTC)
PEOPLE = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="link", name="Perrin"))


def page_of(client: TestClient) -> str:
    return client.get("/me").text


def test_a_code_takes_a_person_along_once(app: FastAPI) -> None:
    with TestClient(app, follow_redirects=False) as desk, TestClient(app, follow_redirects=False) as phone:
        seat = desk.post("/tables", data=TABLE).headers["location"]
        phone.get("/")
        other = phone.post("/tables", data=TABLE).headers["location"]
        code = re.search(r'id="code"><b>([a-z2-7-]+)</b>', desk.post("/me/code").text)
        assert code is not None
        assert seat not in page_of(phone)
        assert phone.post("/me/here", data={"code": f" {code[1].upper()} "}).status_code == 303
        assert phone.cookies["sutler_browser"] == desk.cookies["sutler_browser"]
        for client in (desk, phone):
            assert seat in page_of(client), "the same person"
            assert other in page_of(client), "with the tables of both"
        again = desk.post("/me/here", data={"code": code[1]})
        assert again.status_code == 410
        assert "works once" in again.text


def test_a_code_is_forgotten_and_the_house_cannot_read_it() -> None:
    time = [NOW]
    store = Store("sqlite://", lambda: time[0])
    secret = "s" * 32
    code = device_transfer.create_code(store, secret)
    with store.engine.connect() as connection:
        kept = str(connection.exec_driver_sql("SELECT name, value FROM house").fetchall())
    assert code not in kept
    assert code.replace("-", "") not in kept
    assert secret not in kept
    assert secret.encode().hex() not in kept
    time[0] = NOW + timedelta(seconds=device_transfer.CODE_TTL_S + 1)
    with pytest.raises(Used, match="ten minutes"):
        device_transfer.redeem_code(store, code, "")
    late = device_transfer.create_code(store, secret)
    time[0] += timedelta(seconds=2 * device_transfer.CODE_TTL_S)
    fresh = device_transfer.create_code(store, secret)
    with store.engine.connect() as connection:
        left = connection.exec_driver_sql("SELECT count(*) FROM house WHERE name LIKE 'way %'").scalar()
    assert left == 1, f"{late} is gone"
    misread = fresh.translate(str.maketrans("olb", "018"))
    assert device_transfer.redeem_code(store, misread, "") == secret
    for wrong in ("", "abcde", "abcde-fghij", "é" * 10):
        with pytest.raises(Used):
            device_transfer.redeem_code(store, wrong, "")
    with pytest.raises(Refused):
        device_transfer.create_code(store, "x" * 65)


def test_what_expires_is_deleted_by_time() -> None:
    """Codes, links by mail and challenges go when their time has passed, though nobody asks for another; what stays for good stays."""
    time = [NOW]
    store = Store("sqlite://", lambda: time[0])
    device_transfer.create_code(store, "s" * 32)
    store.set_value("mail 1", f"{(NOW + timedelta(minutes=20)).isoformat()} told")
    store.set_value("ask 1", (NOW + timedelta(minutes=5)).isoformat())
    store.set_value("motto", "2020: an older text")
    store.get_server_key()

    def left() -> list[str]:
        with store.engine.connect() as connection:
            names = connection.exec_driver_sql("SELECT name FROM house ORDER BY name").scalars()
            return [name.partition(" ")[0] for name in names]

    for minutes, names in ((4, ["ask", "key", "mail", "motto", "way"]), (6, ["key", "mail", "motto", "way"])):
        time[0] = NOW + timedelta(minutes=minutes)
        store.drop_expired()
        assert left() == names
    time[0] = NOW + timedelta(hours=1)
    house = House(store, Shelf())
    house.resume_tables()
    until = monotonic() + 20
    while len(left()) > 2 and monotonic() < until:
        sleep(0.05)
    found = left()
    house.close()
    assert found == ["key", "motto"]


def test_each_kind_that_expires_is_known_to_the_store() -> None:
    """What is remembered for minutes has a name that the deletion by time looks for."""
    kinds = {device_transfer.NAME_PREFIX, mail_links.NAME_PREFIX, passkeys.NAME_PREFIX}
    assert kinds == set(EXPIRING)


def test_encryption_says_nothing_to_another_secret() -> None:
    """Nor to a text that was changed, and twice the same is kept in two ways."""
    kept = encrypt(b"a" * 24, "cookie")
    assert decrypt(b"a" * 24, kept) == "cookie"
    assert kept != encrypt(b"a" * 24, "cookie")
    salt, _, token = kept.partition(".")
    for secret, text in (
        (b"b" * 24, kept),
        (b"a" * 24, f"{salt}.{token[:-8]}AAAAAAA="),
        (b"a" * 24, f"{salt[:-4]}AAA=.{token}"),
    ):
        with pytest.raises(ValueError, match="does not open it"):
            decrypt(secret, text)
    assert stretch_secret("abcdefghij", b"house") != stretch_secret("abcdefghij", b"other")


def test_what_was_kept_before_is_read_and_kept_better() -> None:
    """A passkey's or an address's cookie from before migration 0009 opens; a way on from there, too."""
    handle, first, second = b"h" * 64, "c" * 32, "d" * 32

    def veiled(secret: bytes, said: bytes) -> str:
        return bytes(a ^ b for a, b in zip(said, hashlib.sha512(b"veil/" + secret).digest(), strict=False)).hex()

    old = f"{veiled(handle, first.encode())} {veiled(first.encode(), second.encode())}"
    assert device_transfer.decrypt_cookie_chain(old, handle) == second
    assert device_transfer.decrypt_cookie_chain(f"{old} {encrypt(second.encode(), 'e' * 32)}", handle) == "e" * 32


def standing(table: str, *winners: int, seats: int = 3, game: str = "manor") -> Standing:
    plans = tuple(SeatPlan(kind="me" if i == 0 else "bot", name=f"Seat {i}") for i in range(seats))
    return Standing(table=table, game=game, title=game.title(), seats=plans, winners=winners, over=True)


def test_results_are_counted_by_game() -> None:
    over = [
        standing("a", 0),
        standing("b", 1),
        standing("c", 0, 2),
        standing("d", 0, game="bellum"),
        standing("e", 1, seats=2),
    ]
    found = tally_results(over, {"a": [0], "b": [0], "c": [0], "d": [0], "e": [0, 1]})
    assert [(one.title, one.played, one.won, one.shared) for one in found] == [("Manor", 3, 1, 1), ("Bellum", 1, 1, 0)]


def test_the_page_says_what_waits(app: FastAPI) -> None:
    with TestClient(app, follow_redirects=False) as one:
        one.get("/")
        assert "Waiting for you" not in page_of(one)
        seat = one.post("/tables", data=TABLE).headers["location"]
        waiting = page_of(one).split('id="open"')[0]
        assert seat in waiting
        assert "your turn" in waiting


# --- Results, best turns, another game with the same people --------------------------------------------------


@pytest.fixture
def three(app: FastAPI) -> Iterator[list[TestClient]]:
    """Three browsers."""
    with TestClient(app, follow_redirects=False) as one:
        others = [TestClient(app, follow_redirects=False) for _ in range(2)]
        yield [one, *others]


def play_short_game(app: FastAPI, people: list[TestClient]) -> Room:
    """A game of these three of one round."""
    host, *others = people
    form = {
        "game": "warfarm",
        "seat_0": "me",
        "name_0": "Agnes",
        "seat_1": "link",
        "seat_2": "link",
        "option_max_rounds": "1",
    }
    seat = host.post("/tables", data=form).headers["location"]
    room: Room = app.state.house.find_seat(seat.rpartition("/")[2])[0]
    for invited, name, other in zip(
        dict.fromkeys(re.findall(r"/invited/\w+", host.get(seat).text)), ("Wulf", "Hilde"), others, strict=False
    ):
        other.get("/")
        other.post(invited, data={"name": name})
    return room


def finish(room: Room) -> None:
    """Play a table to its end at random."""
    luck = random.Random(3)
    while not room.pos.over:
        moves.play_action(room, (room.pos.seat or 0,), room.decision, luck.choice(room.pos.actions()).name)


def browser_of(client: TestClient) -> str:
    return hash_browser(str(client.cookies["sutler_browser"]))


def test_a_finished_game_is_played_again_with_the_same_people(app: FastAPI, three: list[TestClient]) -> None:
    """Whoever presses it first opens the table; it stands in everybody's lobby at once, and the others come to the same one."""
    agnes, wulf, _hilde = three
    room = play_short_game(app, three)
    assert [plan.name for plan in room.seats] == ["Agnes", "Wulf", "Hilde"]
    assert all(room.persons_have_come)
    before = agnes.post("/me/again", data={"table": room.id})
    assert before.status_code == 422, "while it is played there is nothing to play again"
    finish(room)
    page = agnes.get("/me").text
    assert "Play WARFARM again with Wulf and Hilde" in page
    assert f'name="table" value="{room.id}"' in page
    house: House = app.state.house
    there = agnes.post("/me/again", data={"table": room.id}).headers["location"]
    again, seat = house.find_seat(there.rpartition("/")[2])
    assert again.created.after == room.id
    assert again.seats[seat].name == "Agnes"
    for person in three:
        assert again.id in house.store.load_seats_of_browser(browser_of(person)), "before they have looked"
    own = f"/seat/{again.make_seat_token(house.store.load_seats_of_browser(browser_of(wulf))[again.id][0])}"
    house.write_listings([again.id])
    assert own in wulf.get("/").text
    assert wulf.post("/me/again", data={"table": room.id}).headers["location"] == own
    finish(again)
    third = house.find_seat(wulf.post("/me/again", data={"table": room.id}).headers["location"].rpartition("/")[2])[0]
    assert third.created.after == again.id, "where that game is over too, the next one"


def test_only_who_played_there_plays_again(app: FastAPI, three: list[TestClient], client: TestClient) -> None:
    room = play_short_game(app, three)
    finish(room)
    client.get("/")
    assert client.post("/me/again", data={"table": room.id}).status_code == 404
    assert client.post("/me/again", data={"table": "a" * 12}).status_code == 404
    assert TestClient(app, follow_redirects=False).post("/me/again", data={"table": room.id}).status_code == 422


def test_each_game_has_a_line_of_its_results(app: FastAPI, three: list[TestClient]) -> None:
    """A place for each game, the newest last, which opens that game."""
    room = play_short_game(app, three)
    finish(room)
    house: House = app.state.house
    places = [int(place) for place in room.pos.places()]
    for seat, person in enumerate(three):
        page = person.get("/me").text
        line = page.partition('class="places"')[2].partition("</ol>")[0]
        assert f"Place {places[seat]} of 3" in line
        assert f'href="/seat/{room.make_seat_token(seat)}"' in line
        assert ('class="won"' in line) == (places[seat] == 1)
    assert house.store.load_standings([room.id])[0][1].places == tuple(places)


class Planted:
    """A finished game of two in which each moment's chances to win are planted."""

    def __init__(self, places: list[int], at: int = 0) -> None:
        self.number, self._places = at, places
        self.game = SimpleNamespace(definition=SimpleNamespace(COOPERATIVE=False))

    def at(self, decision: int) -> Planted:
        return Planted(self._places, decision)

    def for_seat(self, seat: int) -> Planted:
        return self

    def places(self) -> list[int]:
        return self._places

    def view(self, seat: int | None) -> dict[str, Any]:
        return {"turn": self.number + 1, "phases": [("work", "Work")], "phase": "work"}


def test_the_best_turn_is_the_one_after_which_the_chance_rose_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end counts as 100 for the winner and as nothing for others; a rise of less than five in a hundred is not told of."""
    curve = {0: 0.30, 2: 0.34, 4: 0.71, 6: 0.90}
    monkeypatch.setattr(best_turns, "estimate_win_chances", lambda then: [curve[then.number], 1 - curve[then.number]])

    def find(places: list[int], turns: list[int]) -> Any:
        return best_turns.find_best_turn(cast("Any", Planted(places)), 0, turns)

    assert find([1, 2], [0, 2, 4, 6]) == BestTurn(seat=0, decision=2, turn=3, phase="Work", before=34, after=71)
    assert find([1, 2], [0, 2]) == BestTurn(seat=0, decision=2, turn=3, phase="Work", before=34, after=100)
    assert find([2, 1], [0, 2]) is None
    assert find([1, 1], [0, 2]) == BestTurn(seat=0, decision=2, turn=3, phase="Work", before=34, after=50), "shared"
    assert find([1, 2], []) is None
    assert best_turns.list_turns([(0, 5), (0, 6), (1, 5), (0, 7), (1, 1), (1, 2)], 0) == [0, 3]


def test_best_turns_are_found_when_a_game_is_over(
    app: FastAPI, three: list[TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, behind everybody's back; they stand in the table's row afterwards."""
    house: House = app.state.house
    jobs: list[Any] = []
    found = (BestTurn(seat=0, decision=1, before=20, after=60),)
    monkeypatch.setattr(best_turns, "may_be_analysed", lambda room: room.pos.over)
    monkeypatch.setattr(best_turns, "find_best_turns", lambda room: found)
    room = play_short_game(app, three)
    monkeypatch.setattr(house.job_queue, "add_job", lambda job, *_, **__: jobs.append(job))
    house.queue_listing(room)
    house.write_listings([room.id])
    finish(room)
    house.queue_listing(room)
    house.write_listings([room.id])
    for job in jobs:
        job()
    searches = len(jobs)
    house.queue_listing(room)
    house.write_listings([room.id])
    assert house.store.load_standings([room.id])[0][1].best_turns == found
    assert [job for job in jobs[searches:] if "best" in str(job)] == [], "it is not searched again"
    assert "?moment=1" in three[0].get("/me").text


def test_best_turns_stand_on_ones_own_page_and_open_the_game_there() -> None:
    standing = Standing(
        table="t",
        game="manor",
        title="Medieval Manor",
        over=True,
        seats=PEOPLE,
        places=(1, 2),
        winners=(0,),
        best_turns=(
            BestTurn(seat=0, decision=17, turn=3, phase="Work", before=20, after=55),
            BestTurn(seat=1, decision=5, turn=1, phase="Work", before=10, after=90),
        ),
    )
    row = lobby_page.Row("t", "/seat/x", "Medieval Manor", "", "Perrin", PEOPLE, None, False, "", True, "", 0, NOW)
    (turn,) = list_best_turns([standing], {"t": [0]}, [row])
    assert (turn.href, turn.before, turn.after, turn.others) == ("/seat/x?moment=17", 20, 55, "Perrin")
    assert turn.when == "turn 3, Work"
    assert list_best_turns([standing], {"t": [0, 1]}, [row]) == [], "one who played all seats has beaten nobody"
