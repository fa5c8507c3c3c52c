"""What a click costs the house: milliseconds of a processor, whatever else the machine does.

    python tools/click_cost.py [--game manor] [--clicks 220] [--seats 3] [--set offers=0] [--language de] [--profile OUT]
    python tools/click_cost.py --bot easy --tables 60 [--digest]

A house in this process, its database on the disk; people at one table, whose pages ask as a browser does: whoever decides sends a
random action, and every page is sent what it does not show yet. With `--bot` as at a full house: a person and a bot at each of many
tables, which take turns; the bot's answers, and the picture with them, as `load.py` asks for it. No network: what is told is the
application's own work, for the click (the move, and the clicker's new picture), for a bot's decision, for a picture of somebody who
looks on, and of that by calls of Python where `--profile` names a file (`python -m pstats OUT`). `--digest` tells whether all that
was sent is the same as elsewhere. Run `sutler warm` before, or play in plain Python with SUTLER_PLAIN=1.
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
from sutler.web.table import joining
from sutler.web.table.room import Room

LOG, PARTS = re.compile(r'data-log="([^"]*)"'), re.compile(r'data-parts="([^"]*)"')
Costs = dict[str, list[tuple[float, int]]]
"""What each thing cost, and what was sent: milliseconds of a processor, bytes."""
People = Callable[[int, "hashlib._Hash"], Awaitable[Costs]]
"""Play so many clicks."""
NAMES = ("Agnes", "Perrin", "Osric", "Maud", "Hugh", "Joan")


class Page:
    """A browser's page at a table: where it is, and what it shows."""

    def __init__(self, app: Any, path: str, wanted: str) -> None:
        self.app, self.path, self.wanted = app, path, wanted
        self.log = self.parts = ""
        self.sent = hashlib.sha256()
        """Of all that it was sent."""

    async def ask(self, method: str, what: str, form: dict[str, object] | None = None) -> tuple[float, int]:
        """Ask and look: (milliseconds of a processor, bytes of the answer)."""
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
    room: Room, pages: list[Page], onlooker: Page, luck: random.Random, clicks: int, sent: hashlib._Hash
) -> Costs:
    """So many random clicks: what each cost, and what the picture cost that another page asked for then."""
    costs: Costs = {"click": [], "look": []}
    for page in (*pages, onlooker):
        page.sent = sent
        await page.ask("GET", "")
    while len(costs["click"]) < clicks and (seat := room.pos.seat) is not None:
        action = luck.choice(room.pos.actions()).name
        costs["click"].append(await pages[seat].ask("POST", "/play", {"action": action, "decision": room.decision}))
        costs["look"].append(await onlooker.ask("GET", "/now"))
        for other in pages:
            if other is not pages[seat]:
                costs["look"].append(await other.ask("GET", "/now"))
    return costs


async def play_against_bots(
    tables: list[tuple[Room, Page]], luck: random.Random, clicks: int, sent: hashlib._Hash
) -> Costs:
    """The tables take turns: whoever sits there acts if it is their turn, then the bot, then the page asks for the news."""
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
            action = luck.choice(room.pos.actions()).name
            form = {"action": action, "decision": since, "eyes": 0}
            costs["click"].append(await page.ask("POST", "/play", form))
        since = room.decision
        answer(room, costs)
        if room.decision > since:
            costs["look"].append(await page.ask("GET", f"/now?eyes=0&since={since}&at_once=true"))
    return costs


def answer(room: Room, costs: Costs) -> None:
    """What stands in line is done, here and now: a bot's decisions, and the lobby's lines."""
    while (taken := room.house.errands.line.take(math.inf)) is not None:
        before, begun = room.decision, time.process_time()
        taken[0]()
        costs["bot" if room.decision > before else "line of the lobby"].append(
            (1000 * (time.process_time() - begun), 0)
        )


def told(what: str, costs: list[tuple[float, int]]) -> str:
    """The mean, the median and the hundredth worst, and what was sent."""
    times = sorted(took for took, _ in costs)
    late = times[min(len(times) - 1, int(0.99 * len(times)))]
    sent = statistics.mean(size for _, size in costs) / 1000
    mean, half = statistics.mean(times), statistics.median(times)
    return f"{what} ({len(times)}): mean {mean:.2f} ms, p50 {half:.2f}, p99 {late:.2f}; sent {sent:.1f} kB"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", default="manor")
    parser.add_argument("--clicks", type=int, default=220)
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--language", default="en")
    parser.add_argument("--set", nargs="*", default=[], metavar="OPTION=VALUE", help="options of the game")
    parser.add_argument("--bot", help="tables of a person and a bot of this level")
    parser.add_argument("--tables", type=int, default=20, help="so many of these")
    parser.add_argument(
        "--digest", action="store_true", help="a few letters of all that was sent, the same for the same pages"
    )
    parser.add_argument("--profile", metavar="OUT", help="write down where the time goes (everything is slower then)")
    asked = parser.parse_args()
    options: dict[str, Any] = {name: int(value) for name, _, value in (one.partition("=") for one in asked.set)}
    if asked.digest:
        secrets.token_bytes = random.Random(asked.seed).randbytes
        secrets.token_hex = lambda n=32: secrets.token_bytes(n).hex()
    sent = hashlib.sha256()
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(f"sqlite:///{folder}/tables.sqlite", bot_pause=0.0, warm=False, lab=False)
        app.state.house.errands.workers = 0  # what stands in line is done in turn, by this thread
        luck = random.Random(asked.seed)
        people = at_full_tables(app, asked, options, luck) if asked.bot else at_one_table(app, asked, options, luck)
        asyncio.run(people(20, sent))  # templates and machine code are loaded once
        profile = cProfile.Profile(time.process_time) if asked.profile else None
        costs = asyncio.run(measured(profile, people, asked.clicks, sent))
        if profile is not None:
            profile.dump_stats(asked.profile)
        app.state.house.close()
    print(
        f"{asked.game}, {asked.language}: "
        + "; ".join(told(f"a {what}", found) for what, found in costs.items() if found)
    )
    if asked.bot:
        every = sum(took for found in costs.values() for took, _ in found)
        print(f"all together {every / len(costs['click']):.2f} ms a click")
    if asked.digest:
        print(f"all that was sent: {sent.hexdigest()[:16]}")
    return 0


def at_one_table(app: Any, asked: argparse.Namespace, options: dict[str, Any], luck: random.Random) -> People:
    """People at one table, and somebody who looks on."""
    seats = tuple(SeatPlan(kind="link", name=name) for name in NAMES[: asked.seats])
    room = app.state.house.open(Created(game=asked.game, seed=asked.seed, seats=seats, options=options))
    for seat, plan in enumerate(seats):
        joining.join(room, seat, plan.name)
    pages = [Page(app, f"/seat/{room.token(seat)}", asked.language) for seat in range(asked.seats)]
    return functools.partial(play, room, pages, Page(app, f"/watch/{room.id}", asked.language), luck)


def at_full_tables(app: Any, asked: argparse.Namespace, options: dict[str, Any], luck: random.Random) -> People:
    """A person and a bot at each table."""
    seats = (SeatPlan(kind="me", name=NAMES[0]), SeatPlan(kind="bot", name=NAMES[1], level=asked.bot))
    tables = []
    for number in range(asked.tables):
        room = app.state.house.open(Created(game=asked.game, seed=asked.seed + number, seats=seats, options=options))
        tables.append((room, Page(app, f"/seat/{room.token(0)}", asked.language)))
    return functools.partial(play_against_bots, tables, luck)


async def measured(profile: cProfile.Profile | None, people: People, clicks: int, sent: hashlib._Hash) -> Costs:
    """Play; watched over by the profiler where one is wanted: it sees one thread only, so pages are drawn in that."""
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
