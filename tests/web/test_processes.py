"""Two processes that serve pages, two that decide for bots, one PostgreSQL: some are killed (SIGKILL), and nobody notices."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import pytest

from sutler.web.events import Acted
from sutler.web.storage.store import Store

from .conftest import TABLE, actions, facts
from .test_shared import LONG, until

DECISIONS = 20
"""So far the game is played."""


class Process:
    """`sutler serve` or `sutler worker`, in a process of its own; it has said that it is ready."""

    def __init__(self, *words: str) -> None:
        plain = os.environ | {"SUTLER_PLAIN": "1"}  # it plays some twenty moves: nothing is worth compiling
        self.it = subprocess.Popen(
            [sys.executable, "-m", "sutler.cli", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=plain,
        )

    def ready(self) -> str:
        """What it says first."""
        assert self.it.stdout is not None
        return self.it.stdout.readline()

    def kill(self) -> None:
        """At once, without a word."""
        self.it.send_signal(signal.SIGKILL)
        self.it.wait(LONG)

    def close(self) -> None:
        """Whatever it does."""
        if self.it.poll() is None:
            self.kill()
        assert self.it.stdout is not None
        self.it.stdout.close()


class Web(Process):
    """One that serves pages."""

    def __init__(self, url: str) -> None:
        super().__init__("serve", "--port", "0", "--database", url, "--no-bots", "--no-lab", "--no-limits")

    def ready(self) -> str:
        """Its port, in the line that says where the table stands."""
        while "http://127.0.0.1:" not in (said := super().ready()):
            assert said, "the house has closed without a word of where it stands"
        self.port = int(said.partition("http://127.0.0.1:")[2].partition("/")[0])
        return str(self.port)

    def send(self, method: str, path: str, form: dict[str, object] | None = None) -> http.client.HTTPConnection:
        """A request, whose answer nobody has heard yet."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        head = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
        line.request(method, path, urlencode(form or {}), head)
        return line

    def ask(self, method: str, path: str, form: dict[str, object] | None = None) -> tuple[int, str, str]:
        """Status, where it leads, and what it says."""
        line = self.send(method, path, form)
        answer = line.getresponse()
        told = answer.status, answer.headers.get("location", ""), answer.read().decode()
        line.close()
        return told


@pytest.fixture
def start() -> Iterator[Callable[..., None]]:
    """Processes that start side by side."""
    begun: list[Process] = []

    def all_of(*processes: Process) -> None:
        begun.extend(processes)
        for one in processes:
            assert one.ready()

    yield all_of
    for one in begun:
        one.close()


class Person:
    """Somebody who plays on, now through this process, now through that; and remembers what was acknowledged."""

    def __init__(self, web: Web) -> None:
        status, self.seat, page = web.ask("POST", "/tables", {"game": "manor", **TABLE})
        assert status == 303, page
        self.acknowledged = 0

    def look(self, web: Web) -> tuple[int, list[str]]:
        """How many decisions were made, and what is offered."""
        status, _, page = web.ask("GET", f"{self.seat}/now")
        assert status == 200, page
        return int(facts(page)["decision"]), actions(page)

    def my_turn(self, web: Web) -> tuple[int, str]:
        """Wait until the bots have decided: the decision, and an action."""
        seen: list[tuple[int, list[str]]] = [(0, [])]

        def offered() -> bool:
            seen[0] = self.look(web)
            return bool(seen[0][1]) and seen[0][0] >= self.acknowledged

        until(offered)
        return seen[0][0], seen[0][1][0]

    def play(self, web: Web) -> int:
        """A move, which is acknowledged; how many there are then."""
        decision, action = self.my_turn(web)
        status, _, page = web.ask("POST", f"{self.seat}/play", {"decision": decision, "action": action})
        assert status == 200, page
        self.acknowledged = decision + 1
        return self.acknowledged


def test_whoever_is_killed_nothing_is_lost_and_nothing_twice(shared_database: str, start: Callable[..., None]) -> None:
    webs = [Web(shared_database) for _ in range(2)]
    workers = [Process("worker", shared_database) for _ in range(2)]
    start(*webs, *workers)
    person = Person(webs[0])
    for i in range(3):
        person.play(webs[i % 2])
    workers[0].kill()  # while it may be deciding: the move it answers has just been acknowledged
    for i in range(2):
        person.play(webs[i % 2])
    decision, action = person.my_turn(webs[0])
    cut = webs[0].send("POST", f"{person.seat}/play", {"decision": decision, "action": action})
    webs[0].kill()  # while it may be writing; whether it was kept, nobody was told
    cut.close()
    while person.acknowledged < DECISIONS:
        person.play(webs[1])
    store = Store(shared_database)
    (table,) = store.list_tables()
    events = store.load_events(table)
    store.close()
    moves = [one.event.decision for one in events if isinstance(one.event, Acted)]
    assert moves == list(range(len(moves))), "every decision once, in order"
    assert len(moves) >= person.acknowledged
    assert [one.seq for one in events] == list(range(len(events)))
