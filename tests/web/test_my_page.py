"""A person's page, and the code by which they go on from another device."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.web.accounts import device_transfer
from sutler.web.errors import Refused, Used
from sutler.web.events import SeatPlan
from sutler.web.routes.my_page import tallies
from sutler.web.storage.listing_row import Standing
from sutler.web.storage.store import Store

TABLE = {"game": "manor", "seat_0": "me", "name_0": "Agnes", "seat_1": "me", "name_1": "Perrin"}
NOW = datetime(2026, 1, 1, tzinfo=UTC)


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
    code = device_transfer.new_code(store, secret)
    with store.engine.connect() as connection:
        kept = str(connection.exec_driver_sql("SELECT name, value FROM house").fetchall())
    assert code not in kept
    assert code.replace("-", "") not in kept
    assert secret not in kept
    assert secret.encode().hex() not in kept
    time[0] = NOW + timedelta(seconds=device_transfer.LASTS + 1)
    with pytest.raises(Used, match="ten minutes"):
        device_transfer.redeemed(store, code, "")
    late = device_transfer.new_code(store, secret)
    time[0] += timedelta(seconds=2 * device_transfer.LASTS)
    fresh = device_transfer.new_code(store, secret)
    with store.engine.connect() as connection:
        left = connection.exec_driver_sql("SELECT count(*) FROM house WHERE name LIKE 'way %'").scalar()
    assert left == 1, f"{late} is gone"
    misread = fresh.translate(str.maketrans("olb", "018"))
    assert device_transfer.redeemed(store, misread, "") == secret
    for wrong in ("", "abcde", "abcde-fghij", "é" * 10):
        with pytest.raises(Used):
            device_transfer.redeemed(store, wrong, "")
    with pytest.raises(Refused):
        device_transfer.new_code(store, "x" * 65)


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
    found = tallies(over, {"a": [0], "b": [0], "c": [0], "d": [0], "e": [0, 1]})
    assert [(one.title, one.played, one.won, one.shared) for one in found] == [("Manor", 3, 1, 1), ("Bellum", 1, 1, 0)]


def test_the_page_says_what_waits(app: FastAPI) -> None:
    with TestClient(app, follow_redirects=False) as one:
        one.get("/")
        assert "Nothing waits for you" in page_of(one)
        seat = one.post("/tables", data=TABLE).headers["location"]
        waiting = page_of(one).split('id="open"')[0]
        assert seat in waiting
        assert "your turn" in waiting
