"""Being told of one's turn: what is sent, covered as the standards say, to whom, when, and where this machine never asks."""

from __future__ import annotations

import base64
import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from fastapi.testclient import TestClient
from sqlalchemy import create_engine
from typer.testing import CliRunner

from sutler.core.play.standing_order_answers import find_possible_answers
from sutler.web.accounts import device_transfer, privacy, web_push
from sutler.web.app import create_app
from sutler.web.errors import Refused, TooMany
from sutler.web.events import ClockPlan
from sutler.web.storage.store import MIGRATIONS, Store
from sutler.web.table import clocks, standing_orders
from sutler.web.table.people import subscribers, turn_notices
from sutler.web.table.room import Room
from sutler.web.tokens import hash_browser

from .conftest import run_apart
from .test_company import House as House
from .test_company import Time, Waiting, act, act_as, do, house, table, time  # noqa: F401  (two are fixtures)

CONTACT = "mailto:keeper@example.org"


@dataclass
class Browser:
    """A browser as a push service knows it: it can read what was covered for it."""

    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = b"sixteen letters."

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def reads(self, body: bytes) -> bytes:
        """RFC 8188 and 8291, read backwards; not a line of it is the house's own."""
        salt, length = body[:16], body[20]
        theirs, sealed = body[21 : 21 + length], body[21 + length :]
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        secret = self.private.exchange(ec.ECDH(), point)

        def drawn(salt: bytes, secret: bytes, info: bytes, n: int) -> bytes:
            return HKDF(hashes.SHA256(), n, salt, info).derive(secret)

        key = drawn(self.auth, secret, b"WebPush: info\x00" + self.public + theirs, 32)
        nonce = drawn(salt, key, b"Content-Encoding: nonce\x00", 12)
        plain = AESGCM(drawn(salt, key, b"Content-Encoding: aes128gcm\x00", 16)).decrypt(nonce, sealed, None)
        padded = plain.rstrip(b"\x00")
        assert padded.endswith(b"\x02"), "the last record ends with a 2"
        return padded[:-1]

    def at(self, endpoint: str) -> web_push.Subscription:
        return web_push.Subscription(endpoint, self.public, self.auth)


class Service:
    """A push service on this machine: what it was sent, and what it answers."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, str], bytes]] = []
        self.answers = 201
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                service.sent.append((self.path, {k.casefold(): v for k, v in self.headers.items()}, body))
                self.send_response(service.answers)
                self.send_header("Location", f"{service.origin}/elsewhere")
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *_: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()


@pytest.fixture
def service() -> Iterator[Service]:
    one = Service()
    yield one
    one.server.shutdown()
    one.server.server_close()
    one.thread.join()


@pytest.fixture
def ringing(house: House, service: Service) -> House:  # noqa: F811
    """A house that tells people of their turns, by the service on this machine, which it would never ask otherwise."""
    house.notifier = turn_notices.create_notifier(house.store, CONTACT, trusted=(service.origin,))
    return house


def sits(house: House, room: Room, seat: int, browser: str, where: web_push.Subscription) -> None:  # noqa: F811
    """This browser has sat at the seat, and wants to be told."""
    house.store.record_seats(browser, room.id, room.list_seats_of_same_link(seat))
    turn_notices.store_subscription(house.store, browser, where)


def later(room: Room, time: Time) -> None:  # noqa: F811
    time.goes(turn_notices.NOTICE_DELAY_S + 1)
    do(room)


# --- What is sent -------------------------------------------------------------------------------------------


def unlettered(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def test_a_message_is_covered_as_the_standard_covers_it() -> None:
    """RFC 8291, 5: the test's browser reads the standard's own example, and so it may judge ours."""
    private = ec.derive_private_key(
        int.from_bytes(unlettered("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big"), ec.SECP256R1()
    )
    example = (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    browser = Browser(private, unlettered("BTBZMqHH6r4Tts7J_aSIgg"))
    assert browser.reads(unlettered(example)) == b"When I grow up, I want to be a watermelon"
    ours = web_push.encrypt_message(b"It is your turn.", browser.at("https://push.example/1"))
    assert browser.reads(ours) == b"It is your turn."
    assert ours != web_push.encrypt_message(b"It is your turn.", browser.at("https://push.example/1")), (
        "covered anew each time"
    )


def test_the_house_signs_what_it_sends_and_keeps_its_key() -> None:
    """RFC 8292: a token for the service's origin, good for half a day, which the key that browsers were told verifies."""
    store = Store("sqlite://")
    one = turn_notices.create_notifier(store, CONTACT)
    again = turn_notices.create_notifier(store, CONTACT)
    other = turn_notices.create_notifier(Store("sqlite://"), CONTACT)
    assert one is not None
    assert again is not None
    assert other is not None
    assert one.public == again.public != other.public
    told = one.signature.authorization_header("https://push.example:443/a/b?c", 1_000_000.0)
    token, key = (part.split("=", 1)[1] for part in told.removeprefix("vapid ").split(", "))
    head, body, sign = token.split(".")
    assert json.loads(unlettered(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(unlettered(body)) == {"aud": "https://push.example:443", "exp": 1_043_200, "sub": CONTACT}
    r, s = (int.from_bytes(half, "big") for half in (unlettered(sign)[:32], unlettered(sign)[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unlettered(key))
    public.verify(encode_dss_signature(r, s), f"{head}.{body}".encode(), ec.ECDSA(hashes.SHA256()))
    assert key == one.public


# --- When ---------------------------------------------------------------------------------------------------


def test_one_message_when_a_turn_has_begun_and_nobody_looks(ringing: House, service: Service, time: Time) -> None:  # noqa: F811
    """It names the game and nothing else; nothing in it leads to the seat, and nothing more comes while the turn lasts."""
    room, browser = table(ringing), Browser()
    sits(ringing, room, 1, "perrin", browser.at(f"{service.origin}/perrin"))
    act_as(room, 0)
    act_as(room, 1)
    later(room, time)
    [(path, headers, body)] = service.sent
    assert path == "/perrin"
    told = json.loads(browser.reads(body))
    assert told == {"game": "Medieval Manor", "tag": headers["topic"]}
    assert headers["content-encoding"] == "aes128gcm"
    assert int(headers["ttl"]) > 0
    assert headers["authorization"].startswith("vapid t=")
    assert len(headers["topic"]) <= 32
    assert room.id not in f"{headers}{told}"
    assert room.make_seat_token(1) not in f"{headers}{told}"
    while room.pos.seat == 1:
        act(room)
    act_as(room, 1)
    assert len(service.sent) == 1
    later(room, time)
    assert len(service.sent) == 2, "another turn, another message"
    assert json.loads(browser.reads(service.sent[1][2])) == told


def test_whoever_looks_is_not_told(ringing: House, service: Service, time: Time) -> None:  # noqa: F811
    room = table(ringing)
    sits(ringing, room, 1, "perrin", Browser().at(f"{service.origin}/perrin"))

    async def looks() -> None:
        with subscribers.register_page(room, (1,)):
            act_as(room, 1)
            later(room, time)

    run_apart(looks())
    assert not service.sent


def test_nobody_is_told_who_has_nothing_to_decide(ringing: House, service: Service, time: Time) -> None:  # noqa: F811
    """The turn is over again; a bot plays for them; an order answers; somebody behind the same screen has just moved."""
    room = table(ringing, clock=ClockPlan(per="move", seconds=60, then="bot"))
    sits(ringing, room, 1, "perrin", Browser().at(f"{service.origin}/perrin"))
    act_as(room, 1)
    while room.pos.seat == 1:
        act(room)
    later(room, time)
    assert not service.sent, "it is Agnes' turn again"
    act_as(room, 1)
    time.goes(61)
    clocks.enforce_time_limit(room)
    do(room)
    assert not service.sent, "a bot plays on"
    clocks.take_back_seats(room, (1,))
    act_as(room, 1)
    turn_notices.notify_seat(ringing, room.id, 1, room.decision)
    assert len(service.sent) == 1, "now it is his again"
    moment = next(one for one in answering_moments(room) if one)
    standing_orders.set_order(room, (1,), 1, moment, True)
    turn_notices.notify_seat(ringing, room.id, 1, room.decision)
    assert len(service.sent) == 1, "answered as he ordered"


def answering_moments(room: Room) -> Iterator[str]:
    """The game goes on until an order would answer what Perrin is asked: which one."""
    for _ in range(200):
        if room.pos.seat == 1:
            yield from find_possible_answers(room.pos)
        act(room)


# --- To whom ---------------------------------------------------------------------------------------------------


def test_a_browser_that_is_gone_is_forgotten(ringing: House, service: Service, time: Time) -> None:  # noqa: F811
    """404 and 410 drop it; anything else does not, and a service that answers nothing holds nobody up."""
    room, browser = table(ringing), Browser()
    where = browser.at(f"{service.origin}/perrin")
    sits(ringing, room, 1, "perrin", where)
    for answer in (500, 302, 429):
        service.answers = answer
        turn_notices.send_notice(ringing, where, b"{}", "topic")
        assert turn_notices.load_subscriptions_of_seats(ringing.store, room.id, (1,)) == [where]
    assert {path for path, _, _ in service.sent} == {"/perrin"}, "nobody follows where an answer leads"
    service.answers = 410
    turn_notices.send_notice(ringing, where, b"{}", "topic")
    assert turn_notices.load_subscriptions_of_seats(ringing.store, room.id, (1,)) == []
    service.server.server_close()
    turn_notices.send_notice(ringing, where, b"{}", "topic")


def test_a_person_may_be_rung_in_few_places_and_leave_them_out(ringing: House) -> None:
    store, browser = ringing.store, Browser()
    room = table(ringing)
    store.record_seats("perrin", room.id, (1,))
    for i in range(turn_notices.MAX_BROWSERS_EACH):
        turn_notices.store_subscription(store, "perrin", browser.at(f"https://push.example/{i}"))
    with pytest.raises(TooMany):
        turn_notices.store_subscription(store, "perrin", browser.at("https://push.example/more"))
    turn_notices.store_subscription(store, "perrin", browser.at("https://push.example/0"))
    turn_notices.delete_subscription(store, "somebody else", "https://push.example/0")
    assert len(turn_notices.load_subscriptions_of_seats(store, room.id, (1,))) == turn_notices.MAX_BROWSERS_EACH
    turn_notices.delete_subscription(store, "perrin", "https://push.example/0")
    assert len(turn_notices.load_subscriptions_of_seats(store, room.id, (1,))) == turn_notices.MAX_BROWSERS_EACH - 1
    assert turn_notices.load_subscriptions_of_seats(store, room.id, (0,)) == []
    assert privacy.collect_personal_data(store, "perrin")["bells"][0]["service"] == "push.example"
    assert "push.example/1" not in json.dumps(privacy.collect_personal_data(store, "perrin"))
    privacy.delete_personal_data(store, "perrin")
    assert privacy.collect_personal_data(store, "perrin")["bells"] == []


def test_whoever_goes_on_elsewhere_is_rung_there_too(ringing: House) -> None:
    store = ringing.store
    room = table(ringing)
    store.record_seats(hash_browser("old"), room.id, (1,))
    turn_notices.store_subscription(store, hash_browser("old"), Browser().at("https://push.example/1"))
    device_transfer.move_person(store, "old", "new")
    assert privacy.collect_personal_data(store, hash_browser("new"))["bells"]
    assert len(turn_notices.load_subscriptions_of_seats(store, room.id, (1,))) == 1


# --- Where nobody is asked --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example/1",
        "https://push.example:8443/1",
        "https://name:word@push.example/1",
        "ftp://push.example/1",
        "https:///1",
        "https://push.example:nine/1",
        "https://push.example/" + "x" * web_push.MAX_ENDPOINT_CHARS,
        "/me",
    ],
)
def test_what_is_no_address_for_messages(endpoint: str) -> None:
    browser = Browser()
    with pytest.raises(Refused):
        web_push.parse_subscription(
            endpoint, web_push.encode_base64url(browser.public), web_push.encode_base64url(browser.auth)
        )
    web_push.parse_subscription(
        "https://push.example/1", web_push.encode_base64url(browser.public), web_push.encode_base64url(browser.auth)
    )
    for public, auth in ((b"\x04" + b"x" * 64, browser.auth), (browser.public, b"short"), (b"", b"")):
        with pytest.raises(Refused):
            web_push.parse_subscription(
                "https://push.example/1", web_push.encode_base64url(public), web_push.encode_base64url(auth)
            )


INSIDE = (
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"),
    *(
        "255.255.255.255",
        "::1",
        "fe80::1",
        "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "2002:7f00:1::",
    ),
)


@pytest.mark.parametrize("address", INSIDE)
def test_no_address_of_this_network_is_asked(
    address: str,
    monkeypatch: pytest.MonkeyPatch,
    ringing: House,
) -> None:
    """A name that leads home, also beside an open address: the line is never opened, and nothing is told of why."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    found = [(family, socket.SOCK_STREAM, 6, "", (one, 443)) for one in ("93.184.215.14", address)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    opened: list[Any] = []
    monkeypatch.setattr(socket, "create_connection", lambda *where, **_: opened.append(where))
    with pytest.raises(web_push.NotPublic):
        web_push.resolve_public_address("push.example", 443)
    turn_notices.send_notice(ringing, Browser().at("https://push.example/1"), b"{}", "topic")
    assert opened == []


def test_the_line_goes_to_the_very_address_that_was_looked_at(monkeypatch: pytest.MonkeyPatch, ringing: House) -> None:
    """A name that leads elsewhere the second time it is asked for leads nowhere: it is asked for once."""
    asked: list[str] = []

    def names(host: str, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14" if len(asked) == 1 else "127.0.0.1", 443))]

    opened: list[Any] = []

    def line(where: tuple[str, int], *_: Any) -> Any:
        opened.append(where)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", names)
    monkeypatch.setattr(socket, "create_connection", line)
    turn_notices.send_notice(ringing, Browser().at("https://push.example/1"), b"{}", "topic")
    assert asked == ["push.example"]
    assert opened == [("93.184.215.14", 443)]


# --- Asked for, over the house's pages ----------------------------------------------------------------------------


def test_a_page_asks_for_messages_and_leaves_them(service: Service) -> None:
    app = create_app("sqlite://", bot_pause=0.0, warm=False)
    with TestClient(app, follow_redirects=False) as client:
        client.get("/")
        bell = {
            "endpoint": f"{service.origin}/me",
            "public": web_push.encode_base64url(Browser().public),
            "auth": web_push.encode_base64url(b"x" * 16),
        }
        assert client.post("/me/bell", json=bell).status_code == 404, "this house tells nobody"
        assert "data-bell" not in client.get("/me").text
        app.state.house.notifier = notifier = turn_notices.create_notifier(app.state.house.store, CONTACT)
        assert notifier is not None
        assert f'data-key="{notifier.public}"' in client.get("/me").text
        assert client.post("/me/bell", json=bell).status_code == 422, "an address on this machine"
        outside = {**bell, "endpoint": "https://push.example/me"}
        assert client.post("/me/bell", json=outside).status_code == 204
        who = hash_browser(client.cookies["sutler_browser"])
        assert privacy.collect_personal_data(app.state.house.store, who)["bells"]
        assert client.post("/me/bell/off", json={"endpoint": outside["endpoint"]}).status_code == 204
        assert not privacy.collect_personal_data(app.state.house.store, who)["bells"]
        worker = client.get("/bell-worker.js")
        assert worker.headers["content-type"].startswith("text/javascript")
        seat = client.post("/tables", data={"game": "manor", "seat_0": "me", "seat_1": "normal"}).headers["location"]
        assert "data-bell" in client.get(seat).text
        client.cookies.clear()
        assert client.post("/me/bell", json=outside).status_code == 422, "nobody knows whose turn that would be"


def test_a_database_of_before_gets_its_table(tmp_path: Path) -> None:
    """A house from before there were bells, opened by this one."""
    from alembic import command
    from alembic.config import Config

    url = f"sqlite:///{tmp_path / 'old.sqlite'}"
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with create_engine(url).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0005")
    turn_notices.store_subscription(Store(url), "perrin", Browser().at("https://push.example/1"))
    assert privacy.collect_personal_data(Store(url), "perrin")["bells"]


def test_whoever_keeps_the_house_says_so(tmp_path: Path) -> None:
    """`sutler admin push`: a contact that services can write to, kept for every process; `off` ends it."""
    from sutler.cli import app as cli

    url = f"sqlite:///{tmp_path / 'house.sqlite'}"

    def push(contact: str) -> int:
        return CliRunner().invoke(cli, ["admin", "--database", url, "push", contact]).exit_code

    assert push("somebody") == 2
    assert turn_notices.create_notifier(Store(url), Store(url).get_value(turn_notices.CONTACT) or "") is None
    assert push(CONTACT) == 0
    found = turn_notices.create_notifier(Store(url), Store(url).get_value(turn_notices.CONTACT) or "")
    assert found is not None
    assert found.signature.contact == CONTACT
    assert push("off") == 0
    assert turn_notices.create_notifier(Store(url), Store(url).get_value(turn_notices.CONTACT) or "") is None
