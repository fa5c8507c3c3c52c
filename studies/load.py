"""How long people wait at a full house: tables with a person and a bot each, played over this machine's loopback.

    python studies/load.py [--tables 50,200,500] [--seconds 30] [--think 8] [--game manor] [--bot easy]
    python studies/load.py --postgres --web 2 --workers 2

A house is started on free ports with a database of its own, and one waits until it has loaded its rules: one process on a file, or
with `--postgres` so many that serve pages and so many that decide for bots, on a PostgreSQL that is started for it (`make
database` installs one), where a page's clicks go to one process and its news come from another. At each table a
simulated person listens as a browser does, thinks for a while, takes an action that is offered, and fetches the new picture
when the table says that something has changed. Told: how long a click took, as the clients saw it and as the house did
(`/metrics`, by steps); how long until the bots had answered and it could be seen; what of a core the house needed, its
memory; and how late the clients themselves were, which run on the same cores. Everything is bounded: tables,
time, and nothing is asked twice. Run `sutler warm` before: rules that are compiled meanwhile count among the clicks.
"""

import argparse
import asyncio
import contextlib
import html
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

CHOICES = re.compile(r'id="choices".*?</section>', re.DOTALL)
PARTS = re.compile(r'data-parts="([^"]*)"')
ACTION = re.compile(r'data-action="([^"]+)"')
VERSION = re.compile(r'data-version="([^"]+)"')
DECISION = re.compile(r'data-decision="(\d+)"')
QUIET = ("done", "pass", "keep", "decline", "end", "cancel", "skip")
PAGE = 4096
CALM = 3
"""Seconds in a row in which a house that nobody asks anything needs next to no processor: it has loaded all its rules."""
NAP = 0.01
TICKS = os.sysconf("SC_CLK_TCK")
STEPS = re.compile(r'^sutler_request_seconds_bucket\{le="([^"]+)",route="[^"]*/play"\} (\S+)$', re.MULTILINE)


@dataclass
class Heard:
    """What the clients measured, in seconds."""

    clicks: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    """By how much later than asked for the clients went on: they need a processor too."""

    async def watch_the_clock(self) -> None:
        """Note how late one is woken."""
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(NAP)
            self.late.append(time.perf_counter() - begun - NAP)


@dataclass(frozen=True)
class Running:
    """A house that runs: where it serves pages, and all its processes, the database's too."""

    ports: tuple[int, ...]
    pids: tuple[int, ...]


class Line:
    """One connection that is kept open, as a browser keeps it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self,
        method: str,
        path: str,
        form: dict[str, object] | None = None,
        known: str = "",
        shown: str = "",
        news: str = "",
    ) -> tuple[int, str, str]:
        """One request: (status, location, body). `known`, `shown`, `news`: what the page says that it shows, and has heard."""
        body = urlencode(form or {}).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nHX-Request: true\r\n"
        head += f"Sutler-Log: {known}\r\nSutler-Parts: {shown}\r\nSutler-News: {news}\r\n"
        head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
        reader, first = await self.send(head.encode() + body)
        status = int(first.split()[1])
        headers = {}
        while (line := (await reader.readline()).decode().strip()) != "":
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        data = await reader.readexactly(int(headers.get("content-length", 0)))
        return status, headers.get("location", ""), data.decode()

    async def send(self, request: bytes) -> tuple[asyncio.StreamReader, bytes]:
        """Send it, and the first line of the answer; anew where the house has hung up on an idle line."""
        for _ in range(2):
            if self.streams is None:
                self.streams = await asyncio.open_connection("127.0.0.1", self.port)
            reader, writer = self.streams
            try:
                writer.write(request)
                if first := await reader.readline():
                    return reader, first
            except ConnectionError:
                pass
            self.close()
        raise ConnectionError("the house hangs up")

    def close(self) -> None:
        """Hang up."""
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None


class Person:
    """Somebody at a table of their own."""

    def __init__(self, number: int, ports: Sequence[int], asked: argparse.Namespace, heard: Heard) -> None:
        self.luck = random.Random(number)
        self.line, self.asked, self.heard = Line(ports[number % len(ports)]), asked, heard
        self.port = ports[(number + 1) % len(ports)]
        """Where it listens."""
        self.seat, self.page, self.known, self.parts = "", "", "", ""
        self.actions: list[str] = []
        self.newest, self.shown = "", ""
        """What the house said last of the table's version, and the version that is shown."""
        self.news = asyncio.Event()
        self.listener: asyncio.Task[None] | None = None

    async def sit_down(self) -> None:
        """Open a table and listen to it."""
        form = {"game": self.asked.game, "seat_0": "me", "seat_1": self.asked.bot}
        status, self.seat, _ = await self.line.ask("POST", "/tables", form)
        assert status == 303, status
        _, _, page = await self.line.ask("GET", self.seat)
        self.look(page)
        self.listener = asyncio.create_task(self.listen())

    def look(self, page: str) -> None:
        """Read what is offered, and how far the log has come."""
        self.page = page
        told = re.search(r'data-log="([^"]*)"', page)
        self.known = told[1] if told else self.known
        self.parts = PARTS.findall(page)[0]
        if (choices := CHOICES.search(page)) is not None:  # else they are the same as before
            self.actions = [html.unescape(one) for one in ACTION.findall(choices[0])]
        self.shown = VERSION.findall(page)[0]

    async def listen(self) -> None:
        """The table's news, one after the other."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"GET {self.seat}/events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        try:
            while line := await reader.readline():
                if line.startswith(b"data:"):
                    self.newest = line.decode().removeprefix("data:").strip()
                    self.news.set()
        finally:
            writer.close()

    async def play(self, until: float) -> None:
        """Think, click, wait for the answer, until time is up or the game is over."""
        await asyncio.sleep(self.luck.uniform(0, self.asked.think))
        while time.monotonic() < until:
            if not self.actions:
                if not await self.wait_for_turn(until):
                    return
                continue
            await self.click(self.actions)
            await asyncio.sleep(self.luck.uniform(0.5, 1.5) * self.asked.think)

    async def click(self, actions: list[str]) -> None:
        """Take one of the actions; where something ends the turn, often that."""
        ends = [one for one in actions if one.startswith(QUIET)]
        action = self.luck.choice(ends if ends and self.luck.random() < 0.7 else actions)
        decision = DECISION.findall(self.page)[0]
        self.news.clear()
        begun = time.perf_counter()
        status, _, page = await self.line.ask(
            "POST", f"{self.seat}/play", {"action": action, "decision": decision, "eyes": 0}, self.known, self.parts
        )
        self.heard.clicks.append(time.perf_counter() - begun)
        if status != 200:
            self.heard.troubles.append(f"{status} {action}")
        self.look(page)
        if not self.actions:
            begun = time.perf_counter()
            if await self.seen_a_change(decision_of(page)):
                self.heard.answers.append(time.perf_counter() - begun)

    async def seen_a_change(self, decision: int) -> bool:
        """Fetch the picture whenever there is news, until somebody has decided."""
        for _ in range(50):
            try:
                await asyncio.wait_for(self.news.wait(), 60)
            except TimeoutError:
                self.heard.troubles.append("no answer in a minute")
                return False
            await self.catch_up()
            if decision_of(self.page) > decision:
                return True
        return False

    async def wait_for_turn(self, until: float) -> bool:
        """Look on until it is one's own turn again; False when the game is over or time is up."""
        if "data-toggle-reckoning" in self.page:
            return False
        try:
            await asyncio.wait_for(self.news.wait(), max(0.01, until - time.monotonic()))
        except TimeoutError:
            return False
        await self.catch_up()
        return True

    async def catch_up(self) -> None:
        """As the page does: nothing when what came is shown already; else the new picture, and what was done with it."""
        self.news.clear()
        if self.newest != self.shown:
            asked = f"{self.seat}/now?eyes=0&since={decision_of(self.page)}&at_once=true"
            _, _, page = await self.line.ask("GET", asked, known=self.known, shown=self.parts, news=self.newest)
            self.look(page)

    def leave(self) -> None:
        """Hang up."""
        if self.listener is not None:
            self.listener.cancel()
        self.line.close()


def decision_of(page: str) -> int:
    """How many decisions the page says there were."""
    return int(DECISION.findall(page)[0])


def used(pids: Sequence[int]) -> tuple[float, float]:
    """(seconds of processor, megabytes of memory that are each one's own) of processes."""
    seconds = memory = 0.0
    for pid in pids:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            whole, shared = map(int, Path(f"/proc/{pid}/statm").read_text().split()[1:3])
            seconds += (int(fields[11]) + int(fields[12])) / TICKS
            memory += (whole - (shared if len(pids) > 1 else 0)) * PAGE / 1e6
    return seconds, memory


def with_children(pids: Sequence[int]) -> tuple[int, ...]:
    """These processes, and all that they have started."""
    found = list(pids)
    for pid in found:
        with contextlib.suppress(OSError):
            found += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
    return tuple(found)


def steps(ports: Sequence[int]) -> dict[float, float]:
    """How many clicks the house has answered within so many seconds, by its own account."""
    found: dict[float, float] = {}
    for port in ports:
        text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
        for step, number in STEPS.findall(text):
            found[float(step)] = found.get(float(step), 0.0) + float(number)
    return found


def within(before: dict[float, float], after: dict[float, float], share: float) -> str:
    """Within which step so many of the clicks were answered."""
    counts = {step: number - before.get(step, 0.0) for step, number in after.items()}
    most = max(counts.values(), default=0.0)
    first = next((step for step in sorted(counts) if counts[step] >= share * most), float("inf"))
    return f"{1000 * first:.0f} ms"


def told(name: str, times: list[float]) -> str:
    """p50 and p99 in milliseconds."""
    if not times:
        return f"{name}: none"
    ordered = sorted(times)
    last = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    return f"{name} ({len(times)}): p50 {1000 * statistics.median(times):.0f} ms, p99 {1000 * last:.0f} ms"


def wait_until_warm(pids: Sequence[int], most: float = 120.0) -> None:
    """Until the house has loaded the machine code of its games: that is done once, and belongs to no click."""
    begun = time.monotonic()
    calm = 0
    while calm < CALM and time.monotonic() - begun < most:
        before = used(pids)[0]
        time.sleep(1.0)
        calm = calm + 1 if used(pids)[0] - before < 0.1 * len(pids) else 0


async def measure(house: Running, tables: int, asked: argparse.Namespace) -> None:
    """So many tables for so long."""
    heard = Heard()
    people = [Person(i, house.ports, asked, heard) for i in range(tables)]
    for one in people:
        await one.sit_down()
    pids, seen = with_children(house.pids), steps(house.ports)
    cpu, start = used(pids)[0], time.monotonic()
    clock = asyncio.create_task(heard.watch_the_clock())
    await asyncio.gather(*(one.play(start + asked.seconds) for one in people))
    clock.cancel()
    took = time.monotonic() - start
    busy, memory = used(pids)[0] - cpu, used(pids)[1]
    now = steps(house.ports)
    for one in people:
        one.leave()
    print(
        f"{tables} tables, {took:.0f} s: {told('clicks', heard.clicks)} (as the house saw them half within "
        f"{within(seen, now, 0.5)}, 99 of 100 within {within(seen, now, 0.99)}); {told('answers', heard.answers)}; "
        f"{100 * busy / took:.0f} % of a core, {1000 * busy / max(1, len(heard.clicks)):.1f} ms of it a click, "
        f"{memory:.0f} MB; {told('clients late', heard.late)}"
        + (f"; {len(heard.troubles)} troubles, such as {heard.troubles[0]}" if heard.troubles else ""),
        flush=True,
    )


@contextlib.contextmanager
def started(command: Sequence[str], folder: str, says: str) -> Iterator[tuple[int, str]]:
    """A process of the house: (its number, the line in which it says that it stands)."""
    env = os.environ | {"XDG_DATA_HOME": folder, "PYTHONUNBUFFERED": "1"}
    whole = [sys.executable, "-m", "sutler.cli", *command]
    process = subprocess.Popen(whole, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.pid, next(line for line in process.stdout if says in line)
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def on_postgres() -> Iterator[tuple[str, int]]:
    """A PostgreSQL of one's own: (the address of a new database, the server's process)."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.web import postgres

    programs = postgres.binaries()
    if programs is None:
        raise SystemExit("PostgreSQL is not installed: make database")
    server = postgres.Postgres(programs, postgres.CAREFUL)
    try:
        yield server.database(), int((server.folder / "data" / "postmaster.pid").read_text().split()[0])
    finally:
        server.close()


@contextlib.contextmanager
def opened(asked: argparse.Namespace) -> Iterator[Running]:
    """The house, with all its rules loaded."""
    with contextlib.ExitStack() as all_of_it:
        folder = all_of_it.enter_context(tempfile.TemporaryDirectory())
        serve, pids, ports = ["serve", "--port", "0", "--no-limits", "--metrics"], [], []
        if asked.postgres:
            url, server = all_of_it.enter_context(on_postgres())
            pids.append(server)
            serve += ["--database", url, *(["--no-bots"] if asked.workers else [])]
        for _ in range(asked.web if asked.postgres else 1):
            pid, said = all_of_it.enter_context(started(serve, folder, "stands at"))
            pids.append(pid)
            ports.append(int(said.partition("http://127.0.0.1:")[2].partition("/")[0]))
        for _ in range(asked.workers if asked.postgres else 0):
            pids.append(all_of_it.enter_context(started(["worker", url], folder, "Deciding"))[0])
        for port in ports:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/?game={asked.game}").read()
        wait_until_warm(pids)
        yield Running(tuple(ports), tuple(pids))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", default="50,200,500")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--think", type=float, default=8.0, help="seconds between two clicks of a person, on the mean")
    parser.add_argument("--game", default="manor")
    parser.add_argument("--bot", default="easy", choices=("easy", "normal", "hard"))
    parser.add_argument("--postgres", action="store_true", help="several processes on a PostgreSQL of its own")
    parser.add_argument("--web", type=int, default=2, help="with it: processes that serve pages")
    parser.add_argument("--workers", type=int, default=2, help="with it: processes that decide for bots")
    asked = parser.parse_args()
    with opened(asked) as house:
        for tables in map(int, asked.tables.split(",")):
            asyncio.run(measure(house, tables, asked))
    return 0


if __name__ == "__main__":
    sys.exit(main())
