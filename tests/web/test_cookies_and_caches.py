"""Cookies that only this house over https can set, files that stay only under their own digest, words that leave the disk when erased."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.web import serve
from sutler.web.app import create_app
from sutler.web.events import Said
from sutler.web.http import cookies
from sutler.web.http.middleware import SECURITY_HEADERS
from sutler.web.routes.admin import KEY_NAME, hash_key
from sutler.web.table.people import chat
from sutler.web.tokens import hash_browser
from sutler.web.view import jinja_templates

from .conftest import KEEPERS_WORD, TABLE, house_of

HTTPS = "https://testserver"


def over_https(app: FastAPI) -> TestClient:
    return TestClient(app, base_url=HTTPS, follow_redirects=False)


# --- Cookies ---------------------------------------------------------------------------------------------


def test_over_https_every_cookie_is_secure_and_names_are_protected(app: FastAPI) -> None:
    app.state.house.store.set_value(KEY_NAME, hash_key(KEEPERS_WORD))
    one = over_https(app)
    told = []
    for answer in (
        one.post("/tables", data=TABLE),
        one.post("/name", data={"name": "Agnes"}),
        one.get("/language/de"),
        one.post("/admin", data={"word": KEEPERS_WORD}),
    ):
        told += answer.headers.get_list("set-cookie")
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
    assert {cookie.partition("=")[0] for cookie in told} == {
        "__Host-sutler_browser",
        "sutler_name",
        "sutler_language",
        "__Secure-sutler_admin",
    }
    for cookie in told:
        assert "; Secure" in cookie, cookie
        if cookie.startswith("__Host-"):
            assert "Path=/;" in cookie + ";"
            assert "Domain" not in cookie
    assert one.get("/admin").status_code == 200
    assert one.get("/me/data").json()["tables"], "known again"


def test_over_https_a_cookie_under_its_plain_name_is_not_believed(app: FastAPI) -> None:
    """Another house of the same domain, or somebody on the way, could have put it there."""
    one = over_https(app)
    one.post("/tables", data=TABLE)
    mine = one.cookies["__Host-sutler_browser"]
    other = over_https(app)
    other.cookies.set("sutler_browser", mine)
    assert other.get("/me/data").status_code == 404
    other.cookies.set("__Host-sutler_browser", mine)
    assert other.get("/me/data").json()["tables"]


def test_over_http_names_are_plain_and_nothing_is_promised(client: TestClient) -> None:
    answer = client.post("/tables", data=TABLE)
    assert {cookie.partition("=")[0] for cookie in answer.headers.get_list("set-cookie")} == {
        "sutler_browser",
        "sutler_name",
    }
    assert "secure" not in str(answer.headers).lower()
    assert "strict-transport-security" not in answer.headers


def test_cookies_are_translated_letter_by_letter() -> None:
    given = [(b"cookie", b"sutler_browser=evil; __Host-sutler_browser=me==; x=1;y"), (b"host", b"a")]
    assert cookies.restore_plain_cookie_names(given) == [(b"cookie", b"sutler_browser=me==; x=1; y"), (b"host", b"a")]
    assert cookies.protect_response_cookies(
        [(b"set-cookie", b"a=1; Secure"), (b"set-cookie", b"sutler_browser=x; Path=/")]
    ) == [
        (b"set-cookie", b"a=1; Secure"),
        (b"set-cookie", b"__Host-sutler_browser=x; Path=/; Secure"),
    ]


# --- Caches ----------------------------------------------------------------------------------------------

FILES = (
    lambda: jinja_templates.static_url("table.js"),
    lambda: jinja_templates.sprite_url(),
    lambda: jinja_templates.sprite_url("manor"),
    lambda: jinja_templates.board_file_urls("manor")["css"],
)


@pytest.mark.parametrize("address", FILES)
def test_only_a_file_under_its_own_digest_stays(client: TestClient, address: Any) -> None:
    right = address()
    assert "immutable" in client.get(right).headers["cache-control"]
    for wrong in (right[:-1] + ("0" if right[-1] != "0" else "1"), right.partition("?")[0], right + "&v=1"):
        assert client.get(wrong).headers["cache-control"] == "no-cache", wrong


def test_words_of_scripts_stay_under_their_digest_only(client: TestClient) -> None:
    page = client.get("/", headers={"accept-language": "de"}).text
    address = page.partition('src="/words/')[2].partition('"')[0]
    assert "immutable" in client.get(f"/words/{address}").headers["cache-control"]
    assert client.get("/words/de.js?v=1").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["/static/nothere.js?v=1", "/sprite/none.svg?v=1", "/games/manor/none.js?v=1"])
def test_what_is_not_there_is_never_kept(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["cache-control"] == "no-store"


def test_refusals_carry_the_headers_of_every_answer(app: FastAPI) -> None:
    strict = create_app("sqlite://", warm=False, hosts=("sutler.example",))
    one = TestClient(strict, base_url="http://sutler.example", follow_redirects=False, raise_server_exceptions=False)
    answers = [
        one.get("/", headers={"host": "evil.example"}),
        one.post("/tables", headers={"origin": "http://evil.example"}),
        one.post("/name", content=b"", headers={"content-length": "999999999"}),
        one.get("/nowhere"),
    ]
    assert [answer.status_code for answer in answers] == [421, 403, 413, 404]
    for answer in answers:
        for name, value in SECURITY_HEADERS.items():
            assert answer.headers[name] == value, (answer.status_code, name)
    strict.state.house.close()


# --- Names of this machine ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "hosts", "answers_to"),
    [
        ("127.0.0.1", (), serve.LOOPBACK_NAMES),
        ("::1", (), serve.LOOPBACK_NAMES),
        ("0.0.0.0", (), ()),
        ("127.0.0.1", ("play.example",), ()),
    ],
)
def test_a_house_on_this_machine_only_answers_to_its_names(
    monkeypatch: pytest.MonkeyPatch, host: str, hosts: tuple[str, ...], answers_to: tuple[str, ...], tmp_path: Path
) -> None:
    """A page of the web may have its own name lead to 127.0.0.1, and would read lobby and lab."""
    told: dict[str, Any] = {}

    def made(*_: Any, **more: Any) -> Any:
        told.update(more)
        raise KeyError("enough")

    monkeypatch.setattr(serve, "create_app", made)
    monkeypatch.setattr(serve, "open_listening_socket", lambda *_: __import__("socket").socket())
    monkeypatch.setattr(serve.socket.socket, "getsockname", lambda self: (host, 8000), raising=False)
    with pytest.raises(KeyError, match="enough"):
        serve.serve(host, database_url=f"sqlite:///{tmp_path}/t.sqlite", site=serve.Site(hosts))
    assert told["answers_to"] == answers_to
    assert tuple(told["hosts"]) == hosts


def test_names_of_this_machine_are_answered_and_others_refused() -> None:
    app = create_app("sqlite://", warm=False, answers_to=serve.LOOPBACK_NAMES)
    one = TestClient(app)
    for name in ("localhost:8000", "127.0.0.1:8000", "[::1]:8000"):
        assert one.get("/healthz", headers={"host": name}).status_code == 200, name
    assert one.get("/healthz", headers={"host": "evil.example"}).status_code == 421
    assert app.state.hosts == (), "it goes by no name: passkeys and mail need one"
    app.state.house.close()


# --- What is kept of oneself ---------------------------------------------------------------------------------


def test_a_person_downloads_and_erases_what_is_theirs(client: TestClient, app: FastAPI) -> None:
    assert client.get("/me/data").status_code == 404
    seat = client.post("/tables", data={**TABLE, "name_0": "Agnesia"}).headers["location"]
    client.post(f"{seat}/say", data={"text": "a sentence of mine"})
    mine = client.get("/me/data")
    assert "attachment" in mine.headers["content-disposition"]
    assert "Agnesia" in mine.text
    assert "a sentence of mine" in mine.text
    assert 'href="/me/data"' in client.get("/me").text
    assert client.post("/me/forget").status_code == 422, "the box must be ticked"
    who = hash_browser(client.cookies["sutler_browser"])
    gone = client.post("/me/forget", data={"sure": "yes"})
    assert gone.status_code == 303
    assert "sutler_browser" not in client.cookies
    assert app.state.house.store.load_seats_of_browser(who) == {}
    room = app.state.house.list_loaded_rooms()[0]
    kept = json.dumps([one.event.model_dump(mode="json") for one in app.state.house.store.load_events(room.id)])
    assert "Agnesia" not in kept
    assert "a sentence of mine" not in kept


@pytest.mark.parametrize("way", ["forget", "remove"])
def test_words_that_are_gone_stand_in_no_file(tmp_path: Path, way: str) -> None:
    """Not in the database's free pages, nor in its journal, while the house is open."""
    app = create_app(f"sqlite:///{tmp_path}/tables.sqlite", bot_pause=0.0, warm=False)
    with TestClient(app, follow_redirects=False) as one:
        one.post("/tables", data={**TABLE, "seat_1": "link", "seat_2": "link", "name_0": "Agnesia"})
        room = app.state.house.list_loaded_rooms()[0]
        for i in range(60):
            chat.add_chat_line(room, Said(seat=0, name="Agnesia", text=f"a sentence of mine, number {i}"))
        assert found(tmp_path, b"a sentence of mine") >= 60
        if way == "forget":
            one.post("/me/forget", data={"sure": "yes"})
        else:
            house_of(room).remove_table(room.id)
        assert found(tmp_path, b"a sentence of mine") == 0
        assert found(tmp_path, b"Agnesia") == 0


def found(folder: Path, words: bytes) -> int:
    return sum(path.read_bytes().count(words) for path in folder.iterdir() if path.is_file())
