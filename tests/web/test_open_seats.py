"""Seats that anybody may take: listed in the lobby while they are free, taken once, and a table found or opened by one click."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.web.errors import Lost, Refused, Used
from sutler.web.lobby import open_seats
from sutler.web.table import clocks, moves
from sutler.web.table.registry import House
from sutler.web.table.room import Room

FORM = {"game": "manor", "seat_0": "me", "seat_1": "open", "seat_2": "open", "name_0": "Agnes", "watch": "no"}


@pytest.fixture
def house(app: FastAPI, client: TestClient) -> House:
    """The house of the client."""
    found: House = app.state.house
    return found


@pytest.fixture
def stranger(app: FastAPI) -> Iterator[TestClient]:
    """Another browser."""
    with TestClient(app, follow_redirects=False, cookies={"sutler_browser": "stranger", "sutler_name": "Wulf"}) as one:
        yield one


def opened(house: House, new_table: Callable[..., str], **more: str) -> Room:
    """The room of a new table with two open seats."""
    link = new_table(**{**FORM, **more})
    return house.get_room(house.parse_seat_link(link.rpartition("/")[2])[0])


def listed(house: House, browser: str = "") -> list[str]:
    """The tables listed with open seats."""
    house.write_listings([room.id for room in house.list_loaded_rooms()])
    return [one.row.table for one in open_seats.list_open_tables(house, browser)]


def test_a_table_is_listed_until_its_last_seat_is_taken(
    house: House, new_table: Callable[..., str], client: TestClient, stranger: TestClient
) -> None:
    """Though nobody may watch it; those who come sit down in order, and the game begins when all have come."""
    room = opened(house, new_table, newcomers="yes")
    assert room.chairs.waiting
    assert listed(house) == [room.id]
    page = stranger.get("/").text
    assert "2 seats free" in page
    assert "new players welcome" in page
    assert f'href="/open/{room.id}"' in page
    before = stranger.get(f"/open/{room.id}").text
    assert "Agnes looks for players" in before
    assert "No clock." in before
    answer = stranger.post(f"/open/{room.id}", data={"name": "Wulf"})
    assert answer.headers["location"] == f"/seat/{room.make_seat_token(1)}"
    assert stranger.get(f"/open/{room.id}").headers["location"] == f"/seat/{room.make_seat_token(1)}", (
        "who sits there goes there"
    )
    assert listed(house) == [room.id]
    assert "you wait here" in stranger.get("/").text
    open_seats.take_free_seat(house, room.id, "third", "Hilde")
    assert [plan.name for plan in room.seats] == ["Agnes", "Wulf", "Hilde"]
    assert listed(house) == []
    assert not room.chairs.waiting
    with pytest.raises(Used, match="last seat"):
        open_seats.take_free_seat(house, room.id, "fourth", "Osric")


def test_only_open_seats_are_for_anybody(house: House, new_table: Callable[..., str], stranger: TestClient) -> None:
    """A seat kept for a friend is listed nowhere, and cannot be taken by its table's name."""
    link = new_table(**{**FORM, "seat_1": "link", "seat_2": "none"})
    room = house.get_room(house.parse_seat_link(link.rpartition("/")[2])[0])
    assert listed(house) == []
    assert stranger.get(f"/open/{room.id}").status_code == 404
    assert stranger.post(f"/open/{room.id}", data={"name": "Wulf"}).status_code == 404
    with pytest.raises(Lost):
        open_seats.take_free_seat(house, room.id, "stranger", "Wulf")
    mixed = opened(house, new_table, seat_1="link")
    _, seat = open_seats.take_free_seat(house, mixed.id, "stranger", "Wulf")
    assert seat == 2, "the friend's seat stays the friend's"
    with pytest.raises(Used):
        open_seats.take_free_seat(house, mixed.id, "fourth", "Osric")


def test_a_game_that_was_begun_with_bots_is_no_longer_offered(house: House, new_table: Callable[..., str]) -> None:
    room = opened(house, new_table)
    clocks.begin_game(room, (0,), True)
    assert listed(house) == []
    with pytest.raises(Used):
        open_seats.take_free_seat(house, room.id, "stranger", "Wulf")


def test_two_who_come_at_once_get_one_seat_each(house: House, new_table: Callable[..., str]) -> None:
    """Six threads, two seats: two sit, four hear that they are too late."""
    room = opened(house, new_table)
    together, came, late = threading.Barrier(6), list[int](), list[str]()

    def come(who: str) -> None:
        together.wait()
        try:
            came.append(open_seats.take_free_seat(house, room.id, who, who)[1])
        except Used as error:
            late.append(error.text)

    threads = [threading.Thread(target=come, args=(f"browser {n}",)) for n in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(came) == [1, 2]
    assert len(late) == 4


def test_one_click_finds_somebody_or_waits(house: House, client: TestClient, stranger: TestClient) -> None:
    """The first opens a table of the fewest players and waits; the next of the same game sits down there; a third opens another."""
    client.cookies.set("sutler_name", "Agnes")
    first = client.post("/find", data={"game": "manor"})
    room, seat = house.find_seat(first.headers["location"].rpartition("/")[2])
    assert (seat, room.chairs.waiting, len(room.seats)) == (0, True, room.game.min_seats)
    assert not room.created.open_to_watch
    assert room.created.patience == open_seats.PATIENCE_S
    house.write_listings([room.id])
    again = client.post("/find", data={"game": "manor"}).headers["location"]
    assert not again.endswith(room.make_seat_token(0)), "one does not play with oneself"
    other_game = stranger.post("/find", data={"game": "warfarm"})
    assert house.find_seat(other_game.headers["location"].rpartition("/")[2])[0].created.game == "warfarm"
    found = stranger.post("/find", data={"game": "manor"})
    there, taken = house.find_seat(found.headers["location"].rpartition("/")[2])
    assert (there.id, taken, there.seats[1].name) == (room.id, 1, "Wulf")
    assert stranger.post("/find", data={"game": "chess"}).status_code == 404


def test_house_rules_are_told_and_never_found_by_one_click(
    house: House, new_table: Callable[..., str], stranger: TestClient
) -> None:
    room = opened(house, new_table, option_victory="5", clock="move", time="2 min")
    house.write_listings([room.id])
    page = stranger.get("/").text
    assert re.search(r"2 minutes for each decision[^<]*house rules", page)
    found = stranger.post("/find", data={"game": "manor"})
    assert house.find_seat(found.headers["location"].rpartition("/")[2])[0].id != room.id


def test_nobody_takes_everybodys_seats(
    house: House, new_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_seats, "MAX_WAITING", 2)
    rooms = [opened(house, new_table) for _ in range(3)]
    for room in rooms[:2]:
        open_seats.take_free_seat(house, room.id, "stranger", "Wulf")
    assert open_seats.take_free_seat(house, rooms[0].id, "stranger", "Wulf")[1] == 1, "one's own seat is no second one"
    house.write_listings([room.id for room in rooms])
    with pytest.raises(Refused, match="wait at 2 tables"):
        open_seats.take_free_seat(house, rooms[2].id, "stranger", "Wulf")


def test_a_table_at_which_nothing_happens_is_not_listed_for_ever(
    house: House, new_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(house, new_table)
    assert listed(house)
    now = house.store.now()
    monkeypatch.setattr(house.store, "now", lambda: now + open_seats.LISTED_FOR + timedelta(seconds=1))
    assert open_seats.list_open_tables(house, "") == []


def test_nothing_moves_before_all_sit(house: House, new_table: Callable[..., str]) -> None:
    """Whatever the form says: at a table with open seats one waits."""
    room = opened(house, new_table, waits="no")
    with pytest.raises(Refused):
        moves.play_action(room, (0,), 0, room.pos.actions()[0].name)


def test_the_row_survives_being_stored(house: House, new_table: Callable[..., str]) -> None:
    """The lobby's row of a table is read back as it was written, with the open seats, clock and marks."""
    room = opened(house, new_table, clock="game", time="30 min", newcomers="yes")
    house.write_listings([room.id])
    (_, row), *_rest = house.store.load_standings_with_offers(house.store.now() - open_seats.LISTED_FOR)
    offer: Any = row.offer
    assert (offer.free, offer.newcomers, offer.as_printed, offer.clock.seconds) == ((1, 2), True, True, 1800)


def test_who_presses_twice_gets_one_seat(house: House, new_table: Callable[..., str]) -> None:
    """Two orders of one browser at once, and a second free seat: the same seat is given to both."""
    room, together, came = opened(house, new_table), threading.Barrier(4), list[int]()

    def press() -> None:
        together.wait()
        came.append(open_seats.take_free_seat(house, room.id, "stranger", "Wulf")[1])

    threads = [threading.Thread(target=press) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert came == [1, 1, 1, 1]
    assert room.persons_have_come == [True, True, False]


def test_nobody_opens_tables_to_wait_at_without_end(
    house: House, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking for players opens no more tables than one may wait at."""
    monkeypatch.setattr(open_seats, "MAX_WAITING", 2)
    answers = []
    for _ in range(3):
        answers.append(client.post("/find", data={"game": "manor"}).status_code)
        house.write_listings([room.id for room in house.list_loaded_rooms()])
    assert answers == [303, 303, 422]
