"""Links by mail: a person is known again on another device; nobody learns whose address is known, and a stolen link opens nothing."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.web.accounts import device_transfer, mail_links, privacy
from sutler.web.accounts.mailer import SmtpServer, smtp_server_from_env
from sutler.web.app import create_app
from sutler.web.errors import Refused
from sutler.web.rate_limits import Limits, Rate
from sutler.web.storage.schema import HOUSE, MAILS
from sutler.web.tokens import hash_browser

from .mailserver import MailServer

HOST = "play.example"
TABLE = {"game": "manor", "seat_0": "me", "name_0": "Agnes", "seat_1": "me", "name_1": "Perrin"}
AGNES = "agnes@mail.example"
LINK = re.compile(r"^https://play\.example(/me/mail/\S+)", re.M)
SENT = "If mail reaches this address, a link is on its way."


@pytest.fixture
def server() -> Iterator[MailServer]:
    with MailServer() as one:
        yield one


@pytest.fixture
def app(server: MailServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FastAPI]:
    monkeypatch.setattr(mail_links, "SCRYPT_N", 2)
    monkeypatch.setenv("SUTLER_MAIL", f"smtp://127.0.0.1:{server.port}")
    monkeypatch.setenv("SUTLER_MAIL_FROM", "sutler@play.example")
    one = create_app(f"sqlite:///{tmp_path}/tables.sqlite", bot_pause=0.0, warm=False, hosts=[HOST])
    yield one
    one.state.house.close()


def device(app: FastAPI, base: str = f"https://{HOST}") -> TestClient:
    client = TestClient(app, base_url=base, follow_redirects=False)
    client.get("/")
    return client


def link_for(client: TestClient, server: MailServer, address: str = AGNES, **headers: str) -> str:
    """Ask for a link, and read the mail."""
    answer = client.post("/me/mail", data={"address": address}, headers=headers)
    assert answer.status_code == 200, answer.text
    assert SENT in answer.text
    found = LINK.search(server.next().get_content())
    assert found is not None
    return found[1]


def kept_by(client: TestClient, server: MailServer, address: str = AGNES) -> None:
    assert client.post(link_for(client, server, address), data={"bring": "yes"}).status_code == 303


def cookie(client: TestClient) -> str:
    return str(client.cookies.get("__Host-sutler_browser"))


# --- What it is for ---------------------------------------------------------------------------------


def test_a_link_brings_a_person_back_with_tables_and_settings(app: FastAPI, server: MailServer) -> None:
    desk, phone = device(app), device(app)
    desk.cookies.set("sutler_theme", "candle", domain=HOST)
    seat = desk.post("/tables", data=TABLE).headers["location"]
    other = phone.post("/tables", data=TABLE | {"name_0": "Wulf"}).headers["location"]
    kept_by(desk, server)
    assert "A mail address" in desk.get("/me").text
    assert seat not in phone.get("/me").text
    link, before = link_for(phone, server, " Agnes@Mail.Example "), cookie(phone)
    assert 'name="bring"' in phone.get(link).text
    assert cookie(phone) == before, "looking does nothing: mail programs look at links before people do"
    assert phone.post(link, data={"bring": "yes"}).headers["location"] == "/me"
    assert cookie(phone) == cookie(desk) != before
    assert phone.cookies.get("sutler_theme") == "candle"
    for client in (desk, phone):
        assert seat in client.get("/me").text
        assert other in client.get("/me").text, "what was played there comes along"


def test_whoever_has_never_been_here_may_ask_at_once(app: FastAPI, server: MailServer) -> None:
    desk, new = device(app), TestClient(app, base_url=f"https://{HOST}", follow_redirects=False)
    kept_by(desk, server)
    assert new.get("/me").status_code == 200
    assert new.post(link_for(new, server), data={}).status_code == 303
    assert cookie(new) == cookie(desk)


def test_what_was_played_there_may_stay_behind_and_one_may_leave(app: FastAPI, server: MailServer) -> None:
    desk, borrowed = device(app), device(app)
    assert borrowed.post("/me/passkeys/leave").status_code == 422, "nothing would lead back"
    theirs = borrowed.post("/tables", data=TABLE).headers["location"]
    kept_by(desk, server)
    assert borrowed.post(link_for(borrowed, server), data={}).status_code == 303
    assert cookie(borrowed) == cookie(desk)
    assert theirs not in desk.get("/me").text
    assert "/me/passkeys/leave" in borrowed.get("/me").text
    assert borrowed.post("/me/passkeys/leave").status_code == 303
    assert "__Host-sutler_browser" not in borrowed.cookies


def test_whoever_goes_on_as_somebody_else_takes_the_address_along(app: FastAPI, server: MailServer) -> None:
    store = app.state.house.store
    desk, laptop, phone = device(app), device(app), device(app)
    kept_by(desk, server)
    code = device_transfer.create_code(store, cookie(laptop))
    assert desk.post("/me/here", data={"code": code}).status_code == 303
    assert cookie(desk) == cookie(laptop)
    assert phone.post(link_for(phone, server), data={}).status_code == 303
    assert cookie(phone) == cookie(laptop)


def test_an_address_is_removed_by_its_owner_alone(app: FastAPI, server: MailServer) -> None:
    store = app.state.house.store
    desk, stranger = device(app), device(app)
    kept_by(desk, server)
    (one,) = mail_links.list_addresses(store, cookie(desk))
    assert stranger.post("/me/mail/remove", data={"address": one.id}).status_code == 303
    assert mail_links.list_addresses(store, cookie(desk)) == [one]
    assert desk.post("/me/mail/remove", data={"address": one.id}).status_code == 303
    assert mail_links.list_addresses(store, cookie(desk)) == []
    assert stranger.post(link_for(stranger, server), data={}).status_code == 303
    assert cookie(stranger) != cookie(desk), "it is a new address now"


def test_three_addresses_are_enough(app: FastAPI, server: MailServer) -> None:
    desk = device(app)
    for i in range(mail_links.MAX_ADDRESSES):
        kept_by(desk, server, f"agnes{i}@mail.example")
    assert desk.post(link_for(desk, server, "one.more@mail.example"), data={}).status_code == 422
    kept_by(desk, server, "agnes0@mail.example")  # one that is kept may be used as before


# --- What a stranger learns --------------------------------------------------------------------------


def test_who_asks_is_told_the_same_whether_the_address_is_known_or_not(app: FastAPI, server: MailServer) -> None:
    kept_by(device(app), server)
    stranger = device(app)
    answers = [stranger.post("/me/mail", data={"address": one}).text for one in (AGNES, "nobody@mail.example")]
    assert answers[0] == answers[1]
    letters = [server.next() for _ in answers]
    texts = {LINK.sub("", str(one.get_content())) for one in letters}
    assert len(texts) == 1, "and so is who reads the mail, until the link is opened in the browser that asked"


def test_a_link_works_once_soon_and_only_where_it_was_asked_for(
    app: FastAPI, server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, thief = device(app), device(app)
    kept_by(desk, server)
    link = link_for(desk, server)
    for other in (link, "/me/mail/nonsense"):
        assert thief.get(other).status_code == 410
        assert thief.post(other, data={}).status_code == 410
    assert cookie(thief) != cookie(desk)
    assert desk.post(link, data={}).status_code == 303
    assert desk.get(link).status_code == 410
    assert desk.post(link, data={}).status_code == 410, "a second time"
    late = link_for(desk, server)
    store, later = app.state.house.store, datetime.now(UTC) + timedelta(seconds=mail_links.LINK_TTL_S + 1)
    monkeypatch.setattr(store, "now", lambda: later)
    assert desk.get(late).status_code == 410
    assert desk.post(late, data={}).status_code == 410, "too late"


def test_of_two_who_open_a_link_at_the_same_moment_one_comes_in(app: FastAPI, server: MailServer) -> None:
    store, desk = app.state.house.store, device(app)
    token, browser = link_for(desk, server).rpartition("/")[2], cookie(desk)
    found: list[str] = []
    start = threading.Barrier(2)

    def open_it() -> None:
        start.wait()
        try:
            mail_links.open_link(store, token, browser, {})
            found.append("in")
        except mail_links.Used:
            found.append("too late")

    both = [threading.Thread(target=open_it) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert sorted(found) == ["in", "too late"]


def test_the_link_leads_to_the_houses_own_name_whatever_a_request_says(app: FastAPI, server: MailServer) -> None:
    desk = device(app)
    forged = {"host": "evil.example", "x-forwarded-host": "evil.example"}
    assert desk.post("/me/mail", data={"address": AGNES}, headers=forged).status_code == 421
    link_for(desk, server, **{"x-forwarded-host": "evil.example"})  # it is the house's, or it would not be found


def test_the_database_and_the_log_know_no_address_and_no_link(
    app: FastAPI, server: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    store, desk = app.state.house.store, device(app)
    kept_by(desk, server)
    open_link = link_for(desk, server).rpartition("/")[2]
    with store.engine.connect() as connection:
        kept = repr([connection.execute(table.select()).all() for table in (MAILS, HOUSE)])
    for secret in ("agnes", "mail.example", open_link, cookie(desk)):
        assert secret not in kept
        assert secret not in caplog.text


def test_what_the_mail_server_says_of_an_address_is_not_noted(app: FastAPI, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    desk = device(app)
    with MailServer(refuses=f"550 <{AGNES}> is nobody") as refusing:
        app.state.postman = mail_links.LinkMailer(SmtpServer("127.0.0.1", refusing.port, False, "sutler@play.example"))
        assert SENT in desk.post("/me/mail", data={"address": AGNES}).text
        refusing.hung_up.get(timeout=60)
    app.state.house.outgoing.close()  # what was begun is done, and noted
    assert "a mail could not be sent: SMTPRecipientsRefused" in caplog.text
    assert "agnes" not in caplog.text


# --- How much -----------------------------------------------------------------------------------------


def test_nobody_is_flooded_and_nobody_is_told_of_it(app: FastAPI, server: MailServer) -> None:
    app.state.postman.limits = Limits(rates={"address": Rate(2, 60.0), "house": Rate(4, 60.0)}, clock=lambda: 0.0)
    clients = [device(app) for _ in range(3)]
    for one in clients:  # the third one's mail is not sent, and they hear the same
        assert SENT in one.post("/me/mail", data={"address": AGNES}).text
    assert SENT in clients[0].post("/me/mail", data={"address": "perrin@mail.example"}).text
    assert {server.next()["to"] for _ in range(3)} == {AGNES, "perrin@mail.example"}
    assert server.letters.empty()
    full = clients[0].post("/me/mail", data={"address": "osric@mail.example"})
    assert full.status_code == 429
    assert "sends no more mail just now" in full.text


def test_one_client_asks_for_few(server: MailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_links, "SCRYPT_N", 2)
    limits = Limits(clock=lambda: 0.0)
    app = create_app("sqlite://", bot_pause=0.0, warm=False, hosts=[HOST], limits=limits)
    client = device(app)
    asked = [client.post("/me/mail", data={"address": AGNES}).status_code for _ in range(6)]
    assert asked == [404] * 5 + [429], "this house sends none, and asking counts all the same"


NO_ADDRESSES = ["", "agnes", "@mail.example", "agnes@", "agnes@localhost", "a b@mail.example", "a,b@mail.example"]
NO_ADDRESSES += ["agnes@mail.example\r\nBcc: all@x.example", "agnes@mail..example", "<agnes@mail.example>"]
NO_ADDRESSES += ["ägnes@mail.example", "a" * 65 + "@mail.example"]


@pytest.mark.parametrize("text", NO_ADDRESSES)
def test_what_is_no_address_is_refused_in_words(app: FastAPI, server: MailServer, text: str) -> None:
    with pytest.raises(Refused, match="no mail address"):
        mail_links.parse_address(text)
    answer = device(app).post("/me/mail", data={"address": text})
    assert answer.status_code == 422
    assert server.said == []


def test_letters_of_other_alphabets_are_written_as_the_net_writes_them() -> None:
    assert mail_links.parse_address("Agnes@Bäckerei.example") == "agnes@xn--bckerei-5wa.example"


# --- What is kept -------------------------------------------------------------------------------------


def test_what_is_told_about_a_person_and_forgotten(app: FastAPI, server: MailServer) -> None:
    store, desk = app.state.house.store, device(app)
    desk.cookies.set("sutler_theme", "day", domain=HOST)
    kept_by(desk, server)
    person = hash_browser(cookie(desk))
    (told,) = privacy.collect_personal_data(store, person)["mail addresses"]
    assert set(told) == {"made", "used", "settings"}
    assert told["settings"]["theme"] == "day"
    privacy.delete_personal_data(store, person)
    assert privacy.collect_personal_data(store, person)["mail addresses"] == []
    phone = device(app)
    assert phone.post(link_for(phone, server), data={}).status_code == 303
    assert cookie(phone) != cookie(desk)


# --- By whom it is sent -------------------------------------------------------------------------------


def test_a_house_that_names_nobody_sends_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert smtp_server_from_env({}) is None
    monkeypatch.delenv("SUTLER_MAIL", raising=False)
    client = device(create_app("sqlite://", bot_pause=0.0, warm=False, hosts=[HOST]))
    assert "/me/mail" not in client.get("/me").text
    for method, path in (("POST", "/me/mail"), ("GET", "/me/mail/x"), ("POST", "/me/mail/x")):
        assert client.request(method, path, data={"address": AGNES}).status_code == 404


def test_a_house_that_knows_no_name_of_its_own_sends_none(app: FastAPI) -> None:
    """Or a link would lead wherever a request says that the house is."""
    nameless = create_app("sqlite://", bot_pause=0.0, warm=False)
    nameless.state.postman = app.state.postman
    for base in ("https://192.0.2.7", f"https://{HOST}"):
        client = device(nameless, base)
        page = client.get("/me")
        assert page.status_code == 200
        assert "Send me a link" not in page.text
        assert client.post("/me/mail", data={"address": AGNES}).status_code == 404


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"SUTLER_MAIL": "mail.example"}, "names no mail server"),
        ({"SUTLER_MAIL": "https://mail.example"}, "names no mail server"),
        ({"SUTLER_MAIL": "smtp://mail.example:99999"}, "names no mail server"),
        ({"SUTLER_MAIL": "smtps://a:b@mail.example"}, "belongs into SUTLER_MAIL_PASSWORD"),
        ({"SUTLER_MAIL": "smtps://mail.example"}, "says no address"),
        (
            {"SUTLER_MAIL": "smtps://mail.example", "SUTLER_MAIL_FROM": "a@b.example\nBcc: c@d.example"},
            "says no address",
        ),
        ({"SUTLER_MAIL": "smtps://a@mail.example", "SUTLER_MAIL_FROM": "a@b.example"}, "says no password"),
    ],
)
def test_settings_that_cannot_be_used_are_told_in_words(settings: dict[str, str], told: str) -> None:
    with pytest.raises(ValueError, match=told) as error:
        smtp_server_from_env(settings)
    assert "a:b" not in str(error.value)


def test_settings_are_read() -> None:
    told = {
        "SUTLER_MAIL": "smtps://me%40x@mail.example",
        "SUTLER_MAIL_FROM": "a@b.example",
        "SUTLER_MAIL_PASSWORD": "p",
    }
    assert smtp_server_from_env(told) == SmtpServer("mail.example", 465, True, "a@b.example", "me@x", "p")
    assert "'p'" not in repr(smtp_server_from_env(told))


def test_nothing_is_said_over_an_open_line_to_another_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with MailServer() as server:
        elsewhere = SmtpServer("127.0.0.1", server.port, False, "a@b.example", "user", "password")
        monkeypatch.setattr(SmtpServer, "is_local", False)
        with pytest.raises(Exception, match="STARTTLS"):
            elsewhere.send_mail(AGNES, "Hello", "Text")
        server.hung_up.get(timeout=60)
        assert [line.split()[0].upper() for line in server.said] == ["EHLO"]


def test_a_mail_server_that_wants_a_password_is_told_it(server: MailServer) -> None:
    SmtpServer("127.0.0.1", server.port, False, "a@b.example", "user", "password").send_mail(
        AGNES, "Grüße", "Text – mit Strich"
    )
    letter = server.next()
    assert letter["subject"] == "Grüße"
    assert "mit Strich" in letter.get_content()
    assert any(line.startswith("AUTH PLAIN") for line in server.said)


def test_a_letter_is_written_in_the_language_of_who_asks(app: FastAPI, server: MailServer) -> None:
    client: Any = device(app)
    client.headers["accept-language"] = "de"
    answer = client.post("/me/mail", data={"address": AGNES})
    assert "ein Link unterwegs" in answer.text
    letter = server.next()
    assert letter["subject"] == "Dein Link zu Sutler"
    assert "zwanzig Minuten" in letter.get_content()
