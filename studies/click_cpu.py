"""Measure the processor time that a click costs the server, independent of the machine's load.

    python studies/click_cpu.py [--game manor] [--clicks 220] [--seats 3] [--set offers=0] [--language de] [--profile OUT]
    python studies/click_cpu.py --bot easy --tables 60 [--digest]

Runs the application in this process, with its database on the disk and without a network. People sit at one table; the seat to move sends
a random action, and every page fetches what it does not show yet. With `--bot`, as on a full server, there are many tables with a person
and a bot each, which take turns, and pages ask as in `load.py`. Prints milliseconds of processor time for a click (the move and the
clicker's new picture), a bot's decision and a spectator's picture. `--profile` writes a profile by Python function
(`python -m pstats OUT`). `--digest` prints a hash of everything that was sent, to compare two versions. Run `sutler warm` before, or play
in plain Python with SUTLER_PLAIN=1.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import functools
import hashlib
import itertools
import math
import random
import re
import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlencode

import anyio.to_thread

from sutler.web.app import create_app
from sutler.web.events import Created, SeatPlan
from sutler.web.table.people import joining
from sutler.web.table.room import Room

LOG, PARTS = re.compile(r'data-log="([^"]*)"'), re.compile(r'data-parts="([^"]*)"')
Costs = dict[str, list[tuple[float, int]]]
"""For each kind of request: (milliseconds of processor time, bytes sent)."""
People = Callable[[int, "hashlib._Hash"], Awaitable[Costs]]
"""An async function (number of clicks, hash of what is sent) that plays clicks and returns their costs."""
NAMES = ("Agnes", "Perrin", "Osric", "Maud", "Hugh", "Joan")


class Page:
    """A browser's page at a table: its path, and what it shows."""

    def __init__(self, app: Any, path: str, wanted: str) -> None:
        self.app, self.path, self.wanted = app, path, wanted
        self.log = self.parts = ""
        self.sent = hashlib.sha256()
        """Hash of everything it received."""

    async def ask(self, method: str, what: str, form: dict[str, object] | None = None) -> tuple[float, int]:
        """Send a request and read the page: (milliseconds of processor time, bytes of the answer)."""
        begun = time.process_time()
        status, body = await self._sent(method, what, form)
        took = 1000 * (time.process_time() - begun)
        assert status == 200, (status, body[:400])
        self.sent.update(body)
        picture = body.decode()
        self.log, self.parts = LOG.findall(picture)[0], PARTS.findall(picture)[0]
        return took, len(body)

    async def _sent(self, method: str, what: str, form: dict[str, object] | None) -> tuple[int, bytes]:
        body = urlencode(form or {}).encode()
        headers = {
            "host": "127.0.0.1",
            "hx-request": "true",
            "accept-language": self.wanted,
            "sutler-log": self.log,
            "sutler-parts": self.parts,
            "content-type": "application/x-www-form-urlencoded",
            "content-length": str(len(body)),
        }
        path, _, query = f"{self.path}{what}".partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 80),
            "state": {},
        }
        told: list[Any] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            told.append(message)

        await self.app(scope, receive, send)
        return told[0]["status"], b"".join(one.get("body", b"") for one in told[1:])


async def play(
    room: Room, pages: list[Page], onlooker: Page, rng: random.Random, clicks: int, sent: hashlib._Hash
) -> Costs:
    """Play random clicks at one table; returns the costs of the clicks, and of the pictures that the other pages then fetch."""
    costs: Costs = {"click": [], "look": []}
    for page in (*pages, onlooker):
        page.sent = sent
        await page.ask("GET", "")
    while len(costs["click"]) < clicks and (seat := room.pos.seat) is not None:
        action = rng.choice(room.pos.actions()).name
        costs["click"].append(await pages[seat].ask("POST", "/play", {"action": action, "decision": room.decision}))
        costs["look"].append(await onlooker.ask("GET", "/now"))
        for other in pages:
            if other is not pages[seat]:
                costs["look"].append(await other.ask("GET", "/now"))
    return costs


async def play_against_bots(
    tables: list[tuple[Room, Page]], rng: random.Random, clicks: int, sent: hashlib._Hash
) -> Costs:
    """Play at the tables in turn: the person acts if it is their turn, then the bot, then the page fetches the picture."""
    costs: Costs = {"click": [], "bot": [], "look": [], "line of the lobby": []}
    for room, page in tables:
        page.sent = sent
        await page.ask("GET", "")
        answer(room, {"bot": [], "line of the lobby": []})
    in_turn = itertools.cycle(tables)
    while len(costs["click"]) < clicks:
        room, page = next(in_turn)
        since = room.decision
        if room.pos.seat == 0:
            action = rng.choice(room.pos.actions()).name
            form = {"action": action, "decision": since, "eyes": 0}
            costs["click"].append(await page.ask("POST", "/play", form))
        since = room.decision
        answer(room, costs)
        if room.decision > since:
            costs["look"].append(await page.ask("GET", f"/now?eyes=0&since={since}&at_once=true"))
    return costs


def answer(room: Room, costs: Costs) -> None:
    """Run all queued jobs in this thread: a bot's decisions, and lines of the lobby."""
    while (taken := room.services.jobs.line.take_due_job(math.inf)) is not None:
        before, begun = room.decision, time.process_time()
        taken[0]()
        costs["bot" if room.decision > before else "line of the lobby"].append(
            (1000 * (time.process_time() - begun), 0)
        )


def cost_line(what: str, costs: list[tuple[float, int]]) -> str:
    """A line with mean, median, 99th percentile and mean bytes sent for a kind of request."""
    times = sorted(took for took, _ in costs)
    late = times[min(len(times) - 1, int(0.99 * len(times)))]
    sent = statistics.mean(size for _, size in costs) / 1000
    mean, half = statistics.mean(times), statistics.median(times)
    return f"{what} ({len(times)}): mean {mean:.2f} ms, p50 {half:.2f}, p99 {late:.2f}; sent {sent:.1f} kB"


def main() -> int:
    """Play and print the costs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", default="manor")
    parser.add_argument("--clicks", type=int, default=220)
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--language", default="en")
    parser.add_argument("--set", nargs="*", default=[], metavar="OPTION=VALUE", help="options of the game")
    parser.add_argument("--bot", help="tables of a person and a bot of this level")
    parser.add_argument("--tables", type=int, default=20, help="number of these tables")
    parser.add_argument("--digest", action="store_true", help="print a hash of everything sent")
    parser.add_argument("--profile", metavar="OUT", help="write a profile (slows everything down)")
    asked = parser.parse_args()
    options: dict[str, Any] = {name: int(value) for name, _, value in (one.partition("=") for one in asked.set)}
    if asked.digest:
        secrets.token_bytes = random.Random(asked.seed).randbytes
        secrets.token_hex = lambda n=32: secrets.token_bytes(n).hex()
    sent = hashlib.sha256()
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(f"sqlite:///{folder}/tables.sqlite", bot_pause=0.0, warm=False, lab=False)
        app.state.house.job_queue.workers = 0  # queued jobs run in this thread
        rng = random.Random(asked.seed)
        people = at_full_tables(app, asked, options, rng) if asked.bot else at_one_table(app, asked, options, rng)
        asyncio.run(people(20, sent))  # loads templates and compiled rules
        profile = cProfile.Profile(time.process_time) if asked.profile else None
        costs = asyncio.run(measured(profile, people, asked.clicks, sent))
        if profile is not None:
            profile.dump_stats(asked.profile)
        app.state.house.close()
    print(
        f"{asked.game}, {asked.language}: "
        + "; ".join(cost_line(f"a {what}", found) for what, found in costs.items() if found)
    )
    if asked.bot:
        every = sum(took for found in costs.values() for took, _ in found)
        print(f"all together {every / len(costs['click']):.2f} ms a click")
    if asked.digest:
        print(f"all that was sent: {sent.hexdigest()[:16]}")
    return 0


def at_one_table(app: Any, asked: argparse.Namespace, options: dict[str, Any], rng: random.Random) -> People:
    """Open one table with people in all seats and a spectator; returns the function that plays there."""
    seats = tuple(SeatPlan(kind="link", name=name) for name in NAMES[: asked.seats])
    room = app.state.house.open_table(Created(game=asked.game, seed=asked.seed, seats=seats, options=options))
    for seat, plan in enumerate(seats):
        joining.take_seat(room, seat, plan.name)
    pages = [Page(app, f"/seat/{room.make_seat_token(seat)}", asked.language) for seat in range(asked.seats)]
    return functools.partial(play, room, pages, Page(app, f"/watch/{room.id}", asked.language), rng)


def at_full_tables(app: Any, asked: argparse.Namespace, options: dict[str, Any], rng: random.Random) -> People:
    """Open many tables with a person and a bot at each; returns the function that plays there."""
    seats = (SeatPlan(kind="me", name=NAMES[0]), SeatPlan(kind="bot", name=NAMES[1], level=asked.bot))
    tables = []
    for number in range(asked.tables):
        room = app.state.house.open_table(
            Created(game=asked.game, seed=asked.seed + number, seats=seats, options=options)
        )
        tables.append((room, Page(app, f"/seat/{room.make_seat_token(0)}", asked.language)))
    return functools.partial(play_against_bots, tables, rng)


async def measured(profile: cProfile.Profile | None, people: People, clicks: int, sent: hashlib._Hash) -> Costs:
    """Play the clicks and return their costs; under the profiler, if one is given, with all work in this thread, since it sees one only."""
    if profile is None:
        return await people(clicks, sent)

    async def on_the_spot(job: Callable[..., Any], *given: Any, **_more: Any) -> Any:
        return job(*given)

    anyio.to_thread.run_sync = on_the_spot
    profile.enable()
    try:
        return await people(clicks, sent)
    finally:
        profile.disable()


if __name__ == "__main__":
    sys.exit(main())
