"""The log: times, levels, numbers of requests, JSON; and nothing in it by which somebody could sit down in another's place."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy.exc import IntegrityError
from typer.testing import CliRunner

from sutler.cli import app as command_line
from sutler.web import serve
from sutler.web.accounts import mail_links
from sutler.web.accounts.mailer import SmtpServer
from sutler.web.app import create_app
from sutler.web.http import log_lines
from sutler.web.http.log_lines import LogSettings, redact_secrets
from sutler.web.lobby import lobby_page
from sutler.web.storage.schema import HOUSE
from sutler.web.tokens import draw_browser_id, make_invitation_token, make_seat_token

from .conftest import GUESTS, KEEPERS_WORD, actions, facts
from .test_rate_limits import TWO

SAID, MAIL = "meet me at the granary at nine", "agnes@mail.example"
ADMIN_WORD = "Zs3-" + "kT9_" * 7


class Lines(io.StringIO):
    """What the log has been told, line by line."""

    def parsed(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]


@pytest.fixture(params=[True, False], ids=["json", "text"])
def written(request: pytest.FixtureRequest) -> Iterator[Lines]:
    """The lines that are written at level debug: of libraries warnings only."""
    stream, root, own = Lines(), logging.getLogger(), logging.getLogger("sutler")
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LogSettings(as_json=request.param).create_formatter())
    before = root.level, own.level
    server = logging.getLogger("uvicorn")  # a server that ran in this process before keeps its lines to itself
    kept = server.propagate
    server.propagate = True
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    own.setLevel(logging.DEBUG)
    yield stream
    root.removeHandler(handler)
    root.setLevel(before[0])
    own.setLevel(before[1])
    server.propagate = kept


@pytest.fixture
def app() -> FastAPI:
    one = create_app("sqlite://", bot_pause=0.0, warm=False, hosts=("play.example",))
    one.state.guests = GUESTS
    server = SmtpServer("127.0.0.1", 1, False, "sutler@play.example")
    one.state.postman = mail_links.LinkMailer(server)
    return one


def test_no_line_holds_a_link_a_cookie_a_mail_address_or_a_word_that_was_said(
    app: FastAPI, written: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table, an invitation, a move, words, a link by mail that cannot be sent, the keeper's door, and programs that stumble."""
    here = {"origin": "https://play.example"}
    with TestClient(app, "https://play.example", False, headers=here, follow_redirects=False) as desk:
        at = desk.post("/tables", data=TWO).headers["location"]
        invited = re.findall(r"/invited/\w+", desk.get(at).text)[0]
        friend = TestClient(app, "https://play.example", headers=here, follow_redirects=False)
        assert friend.get(invited).status_code == 200
        assert friend.post(invited, data={"name": "Perrin"}).status_code == 303
        decided = 0
        for page in (desk.get(at).text, friend.get(friend.post(invited).headers.get("location", at)).text):
            if found := actions(page):
                played = desk.post(f"{at}/play", data={"decision": facts(page)["decision"], "action": found[0]})
                decided += played.status_code == 200
        assert desk.post(f"{at}/say", data={"text": SAID}).status_code < 400
        desk.post("/me/mail", data={"address": MAIL})
        desk.post("/admin", data={"word": ADMIN_WORD})
        desk.post(f"{at}/play", content=b"\xff" * 30, headers={"content-type": "application/json"})
        cookie = desk.cookies["__Host-sutler_browser"]
        token, house = at.rpartition("/")[2], app.state.house

        def stumble(*_: object, **__: object) -> None:
            try:
                store = house.store
                store.run_in_transaction(
                    lambda one: one.execute(HOUSE.insert(), [{"name": token, "value": cookie}] * 2)
                )
            except IntegrityError as error:
                raise KeyError(f"{at} {invited} {cookie} of {MAIL}") from error

        monkeypatch.setattr(lobby_page, "render_lobby", stumble)
        broken = desk.get("/")
        assert broken.status_code == 500
        number = broken.headers[log_lines.REQUEST_ID_HEADER]
        assert number in broken.text, "a person can say which request it was"
        house.outgoing.close()
        with pytest.raises(KeyError) as told:
            stumble()
        logging.getLogger("uvicorn.error").error("Exception in ASGI application\n", exc_info=told.value)
    text = written.getvalue()
    assert "a mail could not be sent" in text
    assert "POST /seat/play 4" in text
    assert re.search(f"{number}.*GET / 500|GET / 500.*{number}", text), "and the keeper finds it"
    assert "IntegrityError" in text
    assert "line" in text, "where it happened"
    secrets = {"a link": token, "an invitation": invited[9:], "a cookie": cookie, "the keeper's word": ADMIN_WORD}
    secrets |= {"a mail address": MAIL, "words": SAID, "a name": "Agnes", "the word": KEEPERS_WORD}
    assert [name for name, secret in secrets.items() if secret in text] == []


def test_every_line_has_its_time_level_and_request(
    app: FastAPI, written: Lines, request: pytest.FixtureRequest
) -> None:
    with TestClient(app, "http://play.example") as desk:
        numbers = [desk.get("/healthz").headers[log_lines.REQUEST_ID_HEADER] for _ in range(2)]
    assert len(set(numbers)) == 2
    if "text" in request.node.name:
        found = re.findall(r"^(\S+)Z INFO sutler.access (\w+): GET /healthz 200, [\d.]+ ms$", written.getvalue(), re.M)
        assert [number for _, number in found] == numbers
        assert all(datetime.fromisoformat(at) for at, _ in found)
        return
    lines = [one for one in written.parsed() if one["logger"] == "sutler.access"]
    assert [one["request"] for one in lines] == numbers
    for one in lines:
        assert str(one["time"]).endswith("Z")
        assert datetime.fromisoformat(str(one["time"])).tzinfo
        assert (one["level"], one["method"], one["route"], one["status"]) == ("info", "GET", "/healthz", 200)
        assert float(str(one["ms"])) >= 0


@pytest.mark.parametrize("n", range(50))
def test_links_and_cookies_are_known_wherever_they_stand(n: int) -> None:
    key, table = bytes([n] * 32), "abcdefgh2345"
    for secret in (make_seat_token(key, table, n % 6), make_invitation_token(key, table, n % 6), draw_browser_id()):
        for text in (f"/seat/{secret}/act", f"KeyError: {secret!r}", f"sutler_browser={secret}; x=1", f"<{secret}>"):
            assert secret not in redact_secrets(text)


def test_what_is_no_secret_stays() -> None:
    text = '  File "/opt/sutler/lib/python3.12/site-packages/sutler/web/table/registry.py", line 12, in rewrite_all_unreadable_listings'
    assert redact_secrets(text) == text
    told = "1 validation error\n  Input should be 1 [type=x, input_value='my dear', input_type=str]"
    assert redact_secrets(told) == "1 validation error\n  Input should be 1 [type=x, input_value=…, input_type=str]"


def test_level_and_form_are_chosen_on_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[object] = []
    monkeypatch.setattr(serve, "serve", lambda *given: None)
    monkeypatch.setattr(LogSettings, "apply", lambda self: found.append(self))
    runs = [[], ["--log-level", "info", "--log-json"]]
    assert [CliRunner().invoke(command_line, ["serve", *more]).exit_code for more in runs] == [0, 0]
    assert found == [LogSettings("warning", False), LogSettings("info", True)]
    assert CliRunner().invoke(command_line, ["serve", "--log-level", "chatty"]).exit_code == 2
