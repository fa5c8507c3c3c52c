"""A house for the tests: in memory for requests, on a port of its own for the browser."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import re
import secrets
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.web.app import create_app
from sutler.web.http import slow_clients
from sutler.web.jobs import guest_process
from sutler.web.jobs.guest_process import GuestProcess
from sutler.web.lobby import new_table as lobby_new_table
from sutler.web.root_path import mount_below
from sutler.web.routes.admin import KEY_NAME, hash_key
from sutler.web.table.people import turn_notices
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.table.services import Services
from sutler.web.table.teaching import hints

KEEPERS_WORD = "the word of the house"
TABLE = {"game": "manor", "seat_0": "me", "name_0": "Agnes", "seat_1": "normal", "seat_2": "normal"}


def run_apart(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run it in a thread of its own: where a browser is driven a loop is running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


@pytest.fixture(scope="session", autouse=True)
def nobody_waits() -> Iterator[None]:
    """Rules run as plain Python until they are compiled, as they do for people."""
    from sutler.core.compilation.warm import ensure_warm_in_background

    warming = ensure_warm_in_background(["manor"])
    yield
    warming.stop_compiling()


@pytest.fixture(autouse=True)
def no_luck(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first table of a test is dealt from seed 1, the next from seed 2, and so on; no browser mixes a number in.

    Keys, links and cookies are a test's own and the same in every run: a person's usual name comes from the cookie. Where a test is run
    once more they are others, for the house of the first try may still be there with its tables.
    """
    first = int(os.environ.get("SEED0", "1"))
    attempt = getattr(request.node, "execution_count", 1)
    seeds, drawn = itertools.count(first), random.Random(f"{request.node.nodeid} {first} {attempt}")
    monkeypatch.setattr(lobby_new_table, "draw_seed", lambda: next(seeds))
    monkeypatch.setattr(secrets, "_sysrand", drawn)  # what the functions of `secrets` draw from
    monkeypatch.setattr(secrets, "choice", drawn.choice)
    monkeypatch.setattr(Services, "asks_for_numbers", False)
    monkeypatch.setattr(hints, "PATIENCE", 250.0)  # a busy machine is no reason to answer otherwise


guest_process.NICENESS = 0  # the tests wait for it
GUESTS = GuestProcess(seconds=60)
"""One process tries out what visitors send to all houses of these tests; on a busy machine it may take its time."""


@pytest.fixture(scope="session", autouse=True)
def guests_leave() -> Iterator[None]:
    """The process is ended with the tests."""
    yield
    GUESTS.close()


@pytest.fixture
def app() -> FastAPI:
    """The table with a store in memory; bots do not pause."""
    one = create_app("sqlite://", bot_pause=0.0, warm=False)
    one.state.guests = GUESTS
    return one


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    """Somebody asking."""
    with TestClient(app, follow_redirects=False) as one:
        yield one


@pytest.fixture
def new_table(client: TestClient) -> Callable[..., str]:
    """Open a table; returns its address."""

    def open_one(**seats: str) -> str:
        form = {"game": "manor", **(seats or {k: v for k, v in TABLE.items() if k != "game"})}
        answer = client.post("/tables", data=form)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])

    return open_one


def house_of(room: Room) -> House:
    """The house in which a room is open."""
    house: House = room.services.room_of.__self__  # type: ignore[attr-defined]
    return house


def facts(page: str) -> dict[str, str]:
    """What the page says of itself: decision, version, eyes."""
    return dict(re.findall(r'data-(version|decision|eyes|moment|log)="([^"]*)"', page.split('id="table"')[-1][:400]))


def actions(page: str) -> list[str]:
    """The actions the page offers."""
    import html

    return [html.unescape(one) for one in re.findall(r'data-action="([^"]+)"', page)]


# --- In a browser ---------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The table on a real port, with a database file; gives its address."""
    folder: Path = tmp_path_factory.mktemp("house")
    one = served(f"sqlite:///{folder / 'tables.sqlite'}")
    with one as address:
        keeper = one.app.state.house
        keeper.store.set_value(KEY_NAME, hash_key(KEEPERS_WORD))
        keeper.notifier = turn_notices.create_notifier(keeper.store, "mailto:keeper@example.org")
        yield address


class served:
    """A server in a thread, which hears what is said as the real one does: `with served(url) as address`."""

    def __init__(
        self, database_url: str, port: int = 0, guests: GuestProcess | None = GUESTS, root_path: str = ""
    ) -> None:
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("127.0.0.1", port))
        self.port = self.socket.getsockname()[1]
        self.app = create_app(database_url, bot_pause=0.0, warm=False)
        mount_below(self.app, root_path)
        if guests is not None:
            self.app.state.guests = guests
        config = uvicorn.Config(
            self.app,
            log_level="warning",
            timeout_graceful_shutdown=1,
            http=slow_clients.TimedHttpProtocol,
            forwarded_allow_ips="127.0.0.1",
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]}, daemon=True)

    def __enter__(self) -> str:
        self.thread.start()
        tick = threading.Event()
        while not self.server.started:
            assert self.thread.is_alive(), "the server did not start"
            tick.wait(0.02)
        return f"http://127.0.0.1:{self.port}"

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(timeout=20)
        self.socket.close()


PATIENCE = 120_000
"""Milliseconds for whatever a page waits for, a first picture of a large table on a busy machine among it."""


@pytest.fixture
def visit(chromium: Any, house: str) -> Iterator[Callable[..., Any]]:
    """A new browser of one's own: `page = visit(width=360)`; `pace`: how it follows others. A broken script fails the test.

    `calm`: for somebody who asked for less motion. What is not about motion is visited so: it waits for nothing to arrive.
    """
    contexts, trouble = [], []

    def one(
        width: int = 1280, height: int = 860, dark: bool = False, pace: str = "once", calm: bool = False, **more: Any
    ) -> Any:
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if calm else "no-preference",
            base_url=house,
            **more,
        )
        context.add_cookies([{"name": "sutler_pace", "value": pace, "url": house}])
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        return page

    yield one
    for context in contexts:
        context.close()
    assert not trouble, trouble


# --- A database that processes share --------------------------------------------------------------------


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    """A PostgreSQL of the tests' own. Without one these tests are skipped, except in CI, where that is an error."""
    pytest.importorskip("psycopg", reason="no driver for PostgreSQL here: pip install 'sutler[postgres]'")
    from . import postgres as server

    yield from server.started()


@pytest.fixture
def shared_database(postgres: Any) -> str:
    """The address of a fresh database."""
    return str(postgres.database())
