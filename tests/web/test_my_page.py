"""A person's page, and the code by which they go on from another device."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime, timedelta
from time import monotonic, sleep

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.web.accounts import device_transfer, mail_links, passkeys
from sutler.web.accounts.encryption import decrypt, encrypt, stretch_secret
from sutler.web.errors import Refused, Used
from sutler.web.events import SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.routes.my_page import tally_results
from sutler.web.storage.listing_row import Standing
from sutler.web.storage.schema import EXPIRING
from sutler.web.storage.store import Store
from sutler.web.table.registry import House

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
