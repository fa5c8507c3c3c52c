"""Whoever drips is hung up on within the promised time in all: a client's body, a push service's answer, a mail server's greeting."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from smtplib import SMTPException

import pytest

from sutler.web import rate_limits
from sutler.web.accounts import mailer, web_push
from sutler.web.accounts.mailer import SmtpServer
from sutler.web.game_shelf import Shelf
from sutler.web.http import slow_clients
from sutler.web.jobs.job_queue import IDLE_LANE
from sutler.web.rate_limits import TooMuch, compute_max_body_seconds, limit_body
from sutler.web.storage.store import Store
from sutler.web.table.people import turn_notices
from sutler.web.table.registry import House

from .conftest import run_apart
from .test_rate_limits import patient_house
from .test_web_push import CONTACT, Browser

DRIP_S = 0.2
LONGEST_S = 15.0
"""Far less than a dripped line takes, far more than a deadline of a second."""


@pytest.fixture
def dripping() -> Iterator[int]:
    """The port of a server that says one letter after the other and never ends its line."""
    door, over = socket.create_server(("127.0.0.1", 0)), threading.Event()

    def drip(line: socket.socket) -> None:
        with line, contextlib.suppress(OSError):
            for letter in b"HTTP/1.1 2" + b"0" * 1000:
                line.sendall(bytes([letter]))
                if over.wait(DRIP_S):
                    return

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=drip, args=(door.accept()[0],), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    yield door.getsockname()[1]
    over.set()
    door.close()


def test_a_push_service_that_drips_is_hung_up_on(dripping: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_push, "DEADLINE_S", 1.0)
    origin = f"http://127.0.0.1:{dripping}"
    notifier = turn_notices.create_notifier(Store("sqlite://"), CONTACT, trusted=(origin,))
    assert notifier is not None
    begun = time.monotonic()
    with pytest.raises(OSError, match="HTTP"):
        web_push.post_message(Browser().at(f"{origin}/me"), b"{}", notifier.signature, "topic", 0.0, notifier.trusted)
    assert time.monotonic() - begun < LONGEST_S


def test_a_mail_server_that_drips_is_hung_up_on(dripping: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailer, "DEADLINE_S", 1.0)
    begun = time.monotonic()
    with pytest.raises(SMTPException):
        SmtpServer("127.0.0.1", dripping, False, "house@example.org").send_mail("a@example.org", "subject", "text")
    assert time.monotonic() - begun < LONGEST_S


def test_who_waits_for_other_machines_holds_up_no_bot_and_no_clock() -> None:
    """Mail and notices have threads of their own; both at their slowest, whatever the house does itself is done."""
    house, gate = House(Store("sqlite://"), Shelf(), bot_pause=0.0), threading.Event()
    assert house.outgoing is not house.job_queue
    for _ in range(8):
        house.outgoing.add_job(lambda: gate.wait(60), IDLE_LANE)
    assert house.job_queue.submit_job(lambda: 7, IDLE_LANE).result(30) == 7
    gate.set()
    house.close()


def test_a_body_has_one_deadline_however_it_is_cut() -> None:
    """A letter each 50 ms comes always in time by itself; the whole does not."""

    async def letter() -> dict[str, object]:
        await asyncio.sleep(0.05)
        return {"type": "http.request", "body": b"a", "more_body": True}

    async def read() -> int:
        hear = limit_body(letter, 1000, timeout=0.5)
        for heard in range(200):
            try:
                await hear()
            except TooMuch:
                return heard
        return 200

    assert run_apart(read()) < 12


def test_a_large_body_that_keeps_coming_may_take_longer() -> None:
    assert compute_max_body_seconds(0) == rate_limits.BODY_TIMEOUT_S
    assert compute_max_body_seconds(2_200_000) > 80.0
    assert compute_max_body_seconds(1_000) < rate_limits.BODY_TIMEOUT_S + 0.1


@pytest.mark.parametrize("method", ["POST", "GET"])
def test_a_client_whose_body_drips_is_hung_up_on(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nobody reads the body: the answer is given, and the line stays open for the rest."""
    monkeypatch.setattr(rate_limits, "BODY_TIMEOUT_S", 0.5)
    monkeypatch.setattr(slow_clients, "BODY_GRACE_S", 0.5, raising=False)
    head = f"{method} /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n".encode()
    if method == "POST":
        head = head.replace(b"/healthz", b"/name").replace(
            b"Host", b"Content-Type: application/x-www-form-urlencoded\r\nHost"
        )
    begun = time.monotonic()
    with patient_house() as address, socket.create_connection(address, timeout=LONGEST_S) as line:
        line.sendall(head)
        with contextlib.suppress(ConnectionError):
            while time.monotonic() - begun < LONGEST_S:
                line.sendall(b"a")
                line.settimeout(DRIP_S)
                with contextlib.suppress(TimeoutError):
                    if line.recv(10_000) == b"":
                        break
    assert time.monotonic() - begun < LONGEST_S
