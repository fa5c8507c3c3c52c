"""What one client may ask for, and how large, how often, by which name; on a clock that the tests set."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from fastapi.testclient import TestClient

from sutler.web.app import create_app
from sutler.web.http import slow_clients
from sutler.web.rate_limits import (
    MAX_BODY_BYTES,
    MAX_FILE_FORM_BYTES,
    RATES,
    Limits,
    Rate,
    TooMuch,
    classify_request,
    limit_body,
)
from sutler.web.serve import open_listening_socket
from sutler.web.table.people import joining
from sutler.web.typed_text import clean_text, make_unique_name
from web.conftest import run_apart

TWO = {"game": "manor", "seat_0": "me", "name_0": "Agnes", "seat_1": "link", "name_1": "Perrin"}


def test_so_many_at_once_and_then_one_at_a_time() -> None:
    now = [0.0]
    limits = Limits({"table": Rate(3, 10.0)}, clock=lambda: now[0])
    assert [limits.count_request("a", "table") for _ in range(4)] == [0, 0, 0, 10.0]
    assert limits.count_request("b", "table") == 0, "another client is another"
    assert limits.count_request("a", "look") == 0, "what has no rate costs nothing"
    now[0] = 10.0
    assert limits.count_request("a", "table") == 0
    assert limits.count_request("a", "table") > 0
    now[0] = 1000.0
    assert [limits.count_request("a", "table") > 0 for _ in range(4)] == [False, False, False, True], (
        "never more than so many"
    )


def test_only_so_many_clients_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    from sutler.web import rate_limits as module

    monkeypatch.setattr(module, "MAX_BUCKETS", 5)
    limits = Limits({"table": Rate(1, 10.0)}, clock=lambda: 0.0)
    for i in range(20):
        limits.count_request(str(i), "table")
    assert len(limits._buckets) == 5
    assert limits.count_request("19", "table") > 0
    assert limits.count_request("0", "table") == 0


def test_every_order_has_a_rate() -> None:
    app = create_app(warm=False)
    from .asking import routes

    for route in routes(app):
        method, path = route.split(" ")
        kind = classify_request(method, path)
        assert kind in RATES or path.startswith(("/static", "/sprite", "/games", "/healthz", "/readyz")), route
        assert method == "GET" or kind != "look", route


@pytest.fixture
def client() -> Any:
    limits = Limits({"table": Rate(2, 30.0), "word": Rate(2, 5.0), "hint": Rate(1, 5.0)}, clock=lambda: 0.0)
    app = create_app("sqlite://", bot_pause=0.0, warm=False, limits=limits, hosts=("testserver", "sutler.example"))
    with TestClient(app, follow_redirects=False) as one:
        yield one


def test_who_opens_too_many_tables_is_told_to_wait(client: TestClient) -> None:
    answers = [client.post("/tables", data=TWO) for _ in range(3)]
    assert [one.status_code for one in answers] == [303, 303, 429]
    assert answers[2].headers["retry-after"] == "30"
    assert "try again in 30 s" in answers[2].text
    assert len(client.app.state.house.store.list_tables()) == 2  # type: ignore[attr-defined]


def test_who_says_too_much_is_not_heard(client: TestClient) -> None:
    seat = client.post("/tables", data=TWO).headers["location"]
    codes = [client.post(f"{seat}/say", data={"text": f"word {i}"}).status_code for i in range(4)]
    assert codes == [200, 200, 429, 429]


def test_the_house_answers_to_its_name(client: TestClient) -> None:
    assert client.get("/healthz", headers={"host": "sutler.example:8000"}).status_code == 200
    assert client.get("/healthz", headers={"host": "evil.example"}).status_code == 421
    assert (
        client.post("/tables", data=TWO, headers={"host": "evil.example", "origin": "http://evil.example"}).status_code
        == 421
    )


def test_programs_on_this_machine_need_not_know_its_name() -> None:
    """A load balancer's or container's check, and Prometheus, ask by address; nobody else may, and for nothing else."""
    app = create_app("sqlite://", bot_pause=0.0, warm=False, hosts=["sutler.example"], metrics=True)
    here = TestClient(app, base_url="http://127.0.0.1:8000", client=("127.0.0.1", 5000))
    elsewhere = TestClient(app, base_url="http://127.0.0.1:8000", client=("192.0.2.7", 5000))
    assert [here.get(path).status_code for path in ("/healthz", "/readyz", "/metrics", "/")] == [200, 200, 200, 421]
    assert elsewhere.get("/healthz").status_code == 421
    refusal = here.get("/", headers={"host": "evil.example"}).text
    assert "sutler.example, not by evil.example" in refusal
    app.state.house.close()


def test_what_is_too_large_is_refused_before_it_is_read(client: TestClient) -> None:
    seat = client.post("/tables", data=TWO).headers["location"]
    large = client.post(f"{seat}/say", data={"text": "a" * (MAX_BODY_BYTES + 1)})
    assert large.status_code == 413
    assert client.post("/files", files={"file": ("game.json", b"x" * (MAX_FILE_FORM_BYTES + 1))}).status_code == 413

    def pieces() -> Any:  # no length is told
        for _ in range(200):
            yield b"text=" + b"a" * 1024

    told = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post(f"{seat}/say", content=pieces(), headers=told).status_code == 413
    assert client.post(f"{seat}/say", content=b"", headers={**told, "content-length": "-1"}).status_code == 413


def test_who_does_not_finish_is_not_waited_for() -> None:
    async def never() -> Any:
        await asyncio.Event().wait()

    async def ask() -> None:
        await limit_body(never, 100, timeout=0)()

    with pytest.raises(TooMuch, match="did not come"):
        run_apart(ask())


def test_a_stream_of_events_is_listened_to_for_as_long_as_one_likes() -> None:
    said = [{"type": "http.request", "body": b"", "more_body": False}, {"type": "http.disconnect"}]

    async def receive() -> Any:
        return said.pop(0)

    async def ask() -> list[str]:
        heard = limit_body(receive, 0, timeout=60)
        return [(await heard())["type"] for _ in range(2)]

    assert run_apart(ask()) == ["http.request", "http.disconnect"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("  Agnes   of\tKent ", "Agnes of Kent"),
        ("A\u202egnes\u200b", "Agnes"),
        ("\x00\x07Agnes\n", "Agnes"),
        ("\ufb01ne", "fine"),
        ("\uff21gnes", "Agnes"),
        ("Ågnes", "Ågnes"),
        ("\u3164\u2800\uffa0", ""),
        ("x" + "\u0335" * 20 + "y", "x" + "\u0335" * 3 + "y"),
    ],
)
def test_names_are_written_as_everybody_writes_them(written: str, read: str) -> None:
    assert clean_text(written) == read


def test_nobody_goes_by_anothers_name(client: TestClient) -> None:
    assert make_unique_name("agnes", ["Agnes", "Agnes 2"]) == "agnes 3"
    assert make_unique_name("x" * 24, ["x" * 24]) == "x" * 22 + " 2"
    seat = client.post("/tables", data={**TWO, "name_1": "agnes"}).headers["location"]
    room = client.app.state.house.find_seat(seat.rsplit("/", 1)[-1])[0]  # type: ignore[attr-defined]
    assert [one.name for one in room.seats] == ["Agnes", "agnes 2"]
    joining.take_seat(room, 1, "AGNES")
    assert room.seats[1].name == "AGNES 2"
    client.post(f"{seat}/rename", data={"name": "\u200bAGNES\u202e 2"})
    assert room.seats[0].name == "AGNES 2 2"
    assert client.post(f"{seat}/rename", data={"name": "\u200b \x07"}).status_code == 422


def test_there_need_be_no_lab() -> None:
    with TestClient(create_app("sqlite://", warm=False, lab=False), follow_redirects=False) as one:
        assert one.get("/lab").status_code == 404
        assert one.post("/lab", data={"game": "manor"}).status_code == 404
        assert 'href="/lab' not in one.get("/").text


def test_one_client_has_so_many_streams() -> None:
    """One more is refused; when one is closed there is room again; nobody else is concerned."""
    limits = Limits(streams=2)
    with (
        limits.count_stream("a") as first,
        limits.count_stream("a") as second,
        limits.count_stream("b") as other,
        limits.count_stream("a") as third,
    ):
        assert (first, second, third, other) == (True, True, False, True)
    with limits.count_stream("a") as again:
        assert again
    assert not limits._open


def test_a_listener_too_many_is_told() -> None:
    """By the client's own count, before the table is asked."""
    app = create_app("sqlite://", bot_pause=0.0, warm=False, limits=Limits(streams=0))
    with TestClient(app, follow_redirects=False) as client:
        seat = client.post("/tables", data=TWO).headers["location"]
        answer = client.get("/events", params={"at": seat})
    assert answer.status_code == 429
    assert "close one" in answer.text


def test_a_table_has_so_many_listeners_and_words(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from sutler.web.table.people import chat, subscribers

    monkeypatch.setattr(subscribers, "MAX_SUBSCRIBERS_OF_SEATS", 0)
    monkeypatch.setattr(chat, "MAX_MESSAGES", 1)
    seat = client.post("/tables", data=TWO).headers["location"]
    assert client.get("/events", params={"at": seat}).status_code == 429
    assert [client.post(f"{seat}/say", data={"text": "word"}).status_code for _ in range(2)] == [200, 422]


def test_a_full_house_opens_no_table(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from sutler.web.table import registry

    monkeypatch.setattr(registry, "MAX_TABLES", 1)
    codes = [client.post("/tables", data=TWO).status_code for _ in range(2)]
    assert codes == [303, 503]


def test_tables_count_for_the_day_too() -> None:
    now = [0.0]
    limits = Limits({"table": Rate(9, 1.0), "tables of a day": Rate(2, 100.0)}, clock=lambda: now[0])
    waits = [limits.count_new_table("a") for _ in range(3)]
    assert waits == [0.0, 0.0, 100.0]
    now[0] = 100.0
    assert limits.count_new_table("a") == 0.0


@contextlib.contextmanager
def patient_house() -> Iterator[Any]:
    """The address of a house that hears what is said to it as the real one does."""
    with open_listening_socket("127.0.0.1", 0) as door:
        app = create_app("sqlite://", bot_pause=0.0, warm=False)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", http=slow_clients.TimedHttpProtocol))
        keeper = threading.Thread(target=server.run, kwargs={"sockets": [door]})
        keeper.start()
        try:
            yield door.getsockname()
        finally:
            server.should_exit = True
            keeper.join(60)


def heard(address: Any, said: bytes) -> bytes:
    """What the house answers to this, the beginning; nothing when it hangs up."""
    with socket.create_connection(address, timeout=60) as line, contextlib.suppress(ConnectionError):
        line.sendall(said)
        return line.recv(100)
    return b""


def test_half_a_request_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who opens a line and says half a head, or nothing, is not waited for; who says all is answered."""
    monkeypatch.setattr(slow_clients, "HEADER_TIMEOUT_S", 0.3)
    with patient_house() as address:
        for said in (b"", b"GET /healthz HT", b"GET /healthz HTTP/1.1\r\nHost: a\r\n"):
            assert heard(address, said) == b""
        assert heard(address, b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").startswith(b"HTTP/1.1 200")


def test_a_head_without_an_end_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is said in it would be kept until its time is up, on each line that somebody opens."""
    monkeypatch.setattr(slow_clients, "HEADER_TIMEOUT_S", 600.0)
    begun = b"GET /healthz HTTP/1.1\r\nHost: a\r\n"
    with patient_house() as address:
        assert heard(address, begun + b"x: y\r\n" * 2_000 + b"\r\n").startswith(b"HTTP/1.1 200")
        assert heard(address, begun + b"x: y\r\n" * 100_000) == b""
        assert heard(address, begun + b"x: " + b"y" * 600_000) == b""


def test_the_figures_are_for_the_house_itself_and_name_nobody() -> None:
    """At /metrics, for programs on the house's own machine: by route, never by address."""
    app = create_app("sqlite://", bot_pause=0.0, warm=False, metrics=True)
    with TestClient(app, follow_redirects=False) as far:
        seat = far.post("/tables", data=TWO).headers["location"]
        far.get(seat)
        far.get(f"{seat}/now")
        assert far.get("/metrics").status_code == 404
        near = TestClient(app, client=("127.0.0.1", 5)).get("/metrics").text
    assert 'sutler_requests_total{route="/seat",status="200"} 1.0' in near
    assert 'sutler_request_seconds_count{route="/seat/now"} 1.0' in near
    assert "sutler_tables_open 1.0" in near
    assert 'sutler_errands_waiting{lane="quick"} 0.0' in near
    assert seat.rpartition("/")[2] not in near
