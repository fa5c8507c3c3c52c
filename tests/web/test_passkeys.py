"""Passkeys: a person is known again on another device; whoever brings something else is nobody."""

from __future__ import annotations

import copy
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.web.accounts import device_transfer, passkeys, privacy
from sutler.web.app import create_app
from sutler.web.errors import RequestError
from sutler.web.storage.schema import HOUSE, PASSKEYS
from sutler.web.storage.store import Store
from sutler.web.tokens import hash_browser

pytest.importorskip("webauthn", reason="what checks passkeys is not installed: pip install 'sutler[passkey]'")
from webauthn.helpers import bytes_to_base64url

from .authenticator import PRESENT, Authenticator

HOST = "play.example"
ORIGIN = f"https://{HOST}"
TABLE = {"game": "manor", "seat_0": "me", "name_0": "Agnes", "seat_1": "me", "name_1": "Perrin"}


@pytest.fixture
def app() -> FastAPI:
    return create_app("sqlite://", bot_pause=0.0, warm=False, hosts=[HOST])


def device(app: FastAPI, base: str = ORIGIN) -> TestClient:
    return TestClient(app, base_url=base, follow_redirects=False)


def token() -> Authenticator:
    return Authenticator(ORIGIN, HOST)


def kept_by(client: TestClient, key: Authenticator, called: str = "") -> Any:
    wanted = client.post("/me/passkeys/offer").json()
    return client.post("/me/passkeys", json={"credential": key.make(wanted), "called": called})


def sign_in(client: TestClient, key: Authenticator, **more: Any) -> Any:
    asked = client.post("/me/passkeys/question").json()
    return client.post("/me/passkeys/enter", json={"credential": key.answer(asked), **more})


def cookie(client: TestClient) -> str:
    return str(client.cookies.get("__Host-sutler_browser", domain=HOST) or client.cookies["__Host-sutler_browser"])


# --- What it is for ---------------------------------------------------------------------------------


def test_a_passkey_brings_a_person_back_with_tables_and_settings(app: FastAPI) -> None:
    desk, phone, key = device(app), device(app), token()
    desk.cookies.set("sutler_theme", "candle", domain=HOST)
    seat = desk.post("/tables", data=TABLE).headers["location"]
    assert kept_by(desk, key, "my stick").status_code == 200
    assert "my stick" in desk.get("/me").text
    phone.get("/")
    other = phone.post("/tables", data=TABLE | {"name_0": "Wulf"}).headers["location"]
    before = cookie(phone)
    assert seat not in phone.get("/me").text
    assert sign_in(phone, key).json() == {"to": "/me"}
    assert cookie(phone) == cookie(desk) != before
    assert phone.cookies.get("sutler_theme") == "candle"
    assert phone.cookies.get("sutler_name") == "Agnes"
    for client in (desk, phone):
        assert seat in client.get("/me").text
        assert other in client.get("/me").text, "what was played there comes along"


def test_what_was_played_there_may_stay_behind(app: FastAPI) -> None:
    desk, borrowed, key = device(app), device(app), token()
    desk.post("/tables", data=TABLE)
    kept_by(desk, key)
    borrowed.get("/")
    theirs = borrowed.post("/tables", data=TABLE).headers["location"]
    assert sign_in(borrowed, key, bring=False).status_code == 200
    assert theirs not in desk.get("/me").text
    assert borrowed.post("/me/passkeys/leave").status_code == 303
    assert "__Host-sutler_browser" not in borrowed.cookies
    assert borrowed.post("/me/passkeys/leave").status_code == 422, "nobody is there any more"


def test_several_passkeys_and_one_removed(app: FastAPI) -> None:
    desk, first, second = device(app), token(), token()
    desk.get("/")
    kept_by(desk, first)
    again = desk.post("/me/passkeys/offer").json()
    assert [one["id"] for one in again["excludeCredentials"]] == [bytes_to_base64url(first.id)]
    kept_by(desk, second)
    found = re.findall(r'name="key" value="([0-9a-f]{64})"', desk.get("/me").text)
    assert len(found) == 2
    stranger = device(app)
    stranger.get("/")
    assert stranger.post("/me/passkeys/remove", data={"key": found[0]}).status_code == 303
    assert len(passkeys.list_passkeys(app.state.house.store, cookie(desk))) == 2, "not another's"
    assert desk.post("/me/passkeys/remove", data={"key": found[0]}).status_code == 303
    assert sign_in(device(app), first).status_code == 403
    assert sign_in(device(app), second).status_code == 200


def test_whoever_went_on_as_another_is_found_by_their_old_passkeys(app: FastAPI) -> None:
    """A browser with a passkey types another's code, and that one signs in with a third's: all lead to the last."""
    store = app.state.house.store
    keys, devices = [token(), token(), token()], [device(app) for _ in range(3)]
    for one, key in zip(devices, keys, strict=True):
        one.get("/")
        kept_by(one, key)
    a, b, c = devices
    code = device_transfer.create_code(store, cookie(b))
    assert a.post("/me/here", data={"code": code}).status_code == 303
    assert cookie(a) == cookie(b)
    assert sign_in(b, keys[2]).status_code == 200
    assert cookie(b) == cookie(c)
    for key in keys:
        fresh = device(app)
        assert sign_in(fresh, key).status_code == 200
        assert cookie(fresh) == cookie(c)
    assert len(passkeys.list_passkeys(store, cookie(c))) == 3


def test_what_is_kept_of_passkeys_is_told_and_forgotten(app: FastAPI) -> None:
    desk, key, store = device(app), token(), app.state.house.store
    desk.post("/tables", data=TABLE)
    kept_by(desk, key, "my stick")
    person = hash_browser(cookie(desk))
    (told,) = privacy.collect_personal_data(store, person)["passkeys"]
    assert (told["called"], told["site"], told["used"]) == ("my stick", HOST, None)
    app.state.house.forget_person(person)
    assert privacy.collect_personal_data(store, person)["passkeys"] == []
    assert sign_in(device(app), key).status_code == 403


def test_the_database_alone_opens_nothing(app: FastAPI) -> None:
    desk, key, store = device(app), token(), app.state.house.store
    desk.get("/")
    kept_by(desk, key)
    desk.post("/me/passkeys/question")
    with store.engine.connect() as connection:
        rows = str(connection.execute(PASSKEYS.select()).fetchall()) + str(
            connection.execute(HOUSE.select()).fetchall()
        )
    for secret in (cookie(desk), cookie(desk).encode().hex(), key.handle):
        assert secret not in rows


# --- Attacks ----------------------------------------------------------------------------------------


def test_a_challenge_answers_once_and_soon(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, key, store = device(app), token(), app.state.house.store
    desk.get("/")
    wanted = desk.post("/me/passkeys/offer").json()
    made = key.make(wanted)
    assert desk.post("/me/passkeys", json={"credential": made}).status_code == 200
    assert desk.post("/me/passkeys", json={"credential": made}).status_code == 410, "replayed"
    asked = desk.post("/me/passkeys/question").json()
    answer = key.answer(asked)
    assert desk.post("/me/passkeys/enter", json={"credential": answer}).status_code == 200
    assert desk.post("/me/passkeys/enter", json={"credential": answer}).status_code == 410, "replayed"
    late = key.answer(desk.post("/me/passkeys/question").json())
    now = datetime.now(UTC) + timedelta(seconds=passkeys.CHALLENGE_TTL_S + 1)
    monkeypatch.setattr(store, "now", lambda: now)
    assert desk.post("/me/passkeys/enter", json={"credential": late}).status_code == 410


def test_a_challenge_is_this_browsers_and_for_one_end(app: FastAPI) -> None:
    desk, thief, key = device(app), device(app), token()
    for one in (desk, thief):
        one.get("/")
    kept_by(desk, key)
    answer = key.answer(desk.post("/me/passkeys/question").json())
    assert thief.post("/me/passkeys/enter", json={"credential": answer}).status_code == 410, "asked of another browser"
    to_enter = desk.post("/me/passkeys/question").json()
    made = token().make({"user": {"id": "AA"}, "challenge": to_enter["challenge"]})
    assert desk.post("/me/passkeys", json={"credential": made}).status_code == 410, "asked to another end"
    invented = key.answer({"challenge": "A" * 43})
    assert desk.post("/me/passkeys/enter", json={"credential": invented}).status_code == 410


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"origin": "https://evil.example"}, "another site"),
        ({"origin": f"http://{HOST}"}, "without TLS"),
        ({"origin": f"{ORIGIN}:8443"}, "another port"),
        ({"site": "evil.example"}, "signed for another site"),
        ({"flags": PRESENT}, "nobody looked who uses it"),
        ({"flags": 0}, "nobody was there"),
    ],
)
def test_what_was_not_signed_here_opens_nothing(app: FastAPI, change: dict[str, Any], why: str) -> None:
    desk, key = device(app), token()
    desk.get("/")
    bad = Authenticator(**{"origin": ORIGIN, "site": HOST} | change)
    assert kept_by(desk, bad).status_code == 403, why
    kept_by(desk, key)
    for name, value in change.items():
        setattr(key, name, value)
    assert sign_in(device(app), key).status_code == 403, why


def test_a_count_that_stands_still_opens_nothing(app: FastAPI) -> None:
    desk, key = device(app), token()
    desk.get("/")
    kept_by(desk, key)
    copied = copy.copy(key)
    key.counter = 6
    assert sign_in(device(app), key).status_code == 200
    assert sign_in(device(app), copied).status_code == 403, "a copy of the key that counts behind"
    copied.counter = 6
    assert sign_in(device(app), copied).status_code == 403, "the same number again"


def test_anothers_passkey_is_not_taken_over(app: FastAPI) -> None:
    desk, thief, key = device(app), device(app), token()
    for one in (desk, thief):
        one.get("/")
    kept_by(desk, key)
    forged = token()
    forged.id = key.id
    assert kept_by(thief, forged).status_code == 422, "its number is taken"
    forged.handle = key.handle
    assert sign_in(device(app), forged).status_code == 403, "signed with another key"
    mine = token()
    kept_by(thief, mine)
    mine.handle = key.handle
    assert sign_in(thief, mine).status_code == 403, "another person's secret uncovers nothing here"
    assert cookie(thief) != cookie(desk)


def test_whoever_is_shut_out_stays_so(app: FastAPI) -> None:
    from sutler.web.accounts import moderation

    desk, key, house = device(app), token(), app.state.house
    desk.get("/")
    kept_by(desk, key)
    moderation.ban(house.store, hash_browser(cookie(desk)))
    house.ban_list.refresh()
    fresh = device(app)
    assert sign_in(fresh, key).status_code == 200
    assert fresh.get("/me").status_code == 403


@pytest.mark.parametrize(
    "sent", [{}, {"response": 1}, {"response": {"clientDataJSON": "x"}}, {"response": {}, "id": []}]
)
def test_anything_else_is_refused_in_words(app: FastAPI, sent: dict[str, Any]) -> None:
    client = device(app)
    client.get("/")
    for path in ("/me/passkeys", "/me/passkeys/enter"):
        answer = client.post(path, json={"credential": sent}, headers={"hx-request": "true"})
        assert answer.status_code == 403
        assert "does not fit" in answer.text


# --- Where there are none ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "host", "origin"),
    [
        ((HOST,), HOST, ORIGIN),
        ((HOST.upper(),), f"{HOST}:443", ORIGIN),
        ((), "localhost:8000", "http://localhost:8000"),
        ((), HOST, None),
        ((), "127.0.0.1:8000", None),
        (("192.0.2.7",), "192.0.2.7", None),
        ((HOST,), "evil.example", None),
        ((), "[", None),
        ((), "", None),
    ],
)
def test_passkeys_are_good_where_the_house_has_a_name(names: tuple[str, ...], host: str, origin: str | None) -> None:
    site = passkeys.find_site(names, host)
    assert (site and site.origin) == origin


def test_a_house_without_a_name_says_so() -> None:
    client = device(create_app("sqlite://", warm=False))
    page = client.get("/me").text
    assert "Passkeys need HTTPS and a name" in page
    assert "Keep with a passkey" not in page
    assert client.post("/me/passkeys/offer").status_code == 404
    assert client.post("/me/passkeys/enter", json={"credential": {}}).status_code == 404


def test_a_house_without_the_library_says_nothing_of_it(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passkeys, "are_passkeys_available", lambda: False)
    one = device(app)
    assert "passkey" not in one.get("/me").text
    assert one.post("/me/passkeys/question").status_code == 404


def test_of_two_with_the_same_count_one_is_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    store, site, key = Store("sqlite://"), passkeys.Site(HOST, ORIGIN), token()
    browser = "s" * 32
    import json

    passkeys.store_passkey(
        store, site, browser, key.make(json.loads(passkeys.create_registration_options(store, site, browser, "Agnes")))
    )
    answer = key.answer(json.loads(passkeys.create_sign_in_options(store, site, "x")))
    import webauthn

    verify = webauthn.verify_authentication_response

    def meanwhile(**what: Any) -> Any:
        found = verify(**what)
        store.run_in_transaction(lambda connection: connection.execute(PASSKEYS.update().values(counter=1)))
        return found

    monkeypatch.setattr(webauthn, "verify_authentication_response", meanwhile)
    with pytest.raises(RequestError, match="at the same moment"):
        passkeys.sign_in(store, site, "x", answer)


# --- In a browser -----------------------------------------------------------------------------------


@pytest.mark.browser
def test_a_real_browser_keeps_and_uses_one(chromium: Any, house: str) -> None:
    """Chromium's virtual authenticator makes a passkey on one device, and opens the same person on another."""
    base = house.replace("127.0.0.1", "localhost")
    contexts = [chromium.new_context(base_url=base) for _ in range(2)]
    desk, phone = (one.new_page() for one in contexts)
    lines = [one.new_cdp_session(page) for one, page in zip(contexts, (desk, phone), strict=True)]
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    ids = []
    for line in lines:
        line.send("WebAuthn.enable")
        ids.append(line.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"])
    try:
        desk.goto("/")
        desk.request.post("/tables", form=TABLE, max_redirects=0, headers={"Origin": base})
        desk.goto("/me")
        assert desk.get_by_text("makes and uses no passkeys").is_hidden()
        desk.get_by_label("A name for it").fill("my desk")
        desk.get_by_role("button", name="Keep with a passkey").click()
        desk.get_by_text("not used yet").wait_for()
        desk.get_by_role("button", name="Keep with a passkey").click()
        desk.get_by_text("keeps a passkey of yours already").wait_for()
        (key,) = lines[0].send("WebAuthn.getCredentials", {"authenticatorId": ids[0]})["credentials"]
        phone.goto("/me")
        phone.get_by_role("button", name="Sign in with a passkey").click()
        phone.get_by_text("No passkey was given").wait_for()
        lines[1].send("WebAuthn.addCredential", {"authenticatorId": ids[1], "credential": key})
        phone.get_by_role("button", name="Sign in with a passkey").click()
        phone.get_by_text("my desk").wait_for()
        assert phone.locator("#waiting ~ ul li").count() == 1
        cookies = [{c["name"]: c["value"] for c in one.cookies()}["sutler_browser"] for one in contexts]
        assert cookies[0] == cookies[1]
    finally:
        for one in contexts:
            one.close()
