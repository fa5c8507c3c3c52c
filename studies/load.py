"""Load test: how long people wait at a server full of tables, each with a person and a bot, over the loopback interface.

    python studies/load.py [--tables 50,200,500] [--seconds 30] [--think 8] [--game manor] [--bot easy]
    python studies/load.py --postgres --web 2 --workers 2

Starts a server on free ports with its own database and waits until it has loaded its rules: one process on SQLite, or with `--postgres`
several that serve pages and several that decide for bots, on a PostgreSQL server of its own (`make database` installs it); a client then
sends clicks to one process and listens to another. Each client listens to its table as a browser does, thinks for a while, takes one of the
actions offered, and fetches the new picture when the table reports a change. Prints the latency of clicks as clients and as the server
(`/metrics`, in steps) measured it, the time until a bot's answer was visible, the server's processor time and memory, and how late the
clients themselves woke up, since they share the cores. Run `sutler warm` before; else compiling counts among the clicks.

The clients are our own and not Locust: measured on two cores with 500 users, Locust 2.47 (FastHttpUser) takes 0.67 ms of processor time for
a request where this client takes 0.26, on the cores that the server needs, and it has no streams of events.
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
TURN_ENDING = ("done", "pass", "keep", "decline", "end", "cancel", "skip")
"""Beginnings of the names of actions that often end a turn."""
PAGE_BYTES = 4096
IDLE_SECONDS = 3
"""A server that is idle for this long without requests has loaded its rules."""
IDLE_SHARE = 0.1
"""A process that uses less than this share of a core is idle."""
WARM_TIMEOUT_S = 120.0
ANSWER_TIMEOUT_S = 60.0
SLEEP_SECONDS = 0.01
"""The length of the sleeps in which the clients measure how late they wake up."""
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
BUCKETS = re.compile(r'^sutler_request_seconds_bucket\{le="([^"]+)",route="[^"]*/play"\} (\S+)$', re.MULTILINE)


@dataclass
class Measurements:
    """What the clients measured, in seconds. lateness: how much longer than requested they slept."""

    clicks: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    lateness: list[float] = field(default_factory=list)

    async def measure_lateness(self) -> None:
        """Sleep again and again and note the lateness, until cancelled."""
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(SLEEP_SECONDS)
            self.lateness.append(time.perf_counter() - begun - SLEEP_SECONDS)


@dataclass(frozen=True)
class Server:
    """A running server: the ports where it serves pages, and its processes, the database's included."""

    ports: tuple[int, ...]
    pids: tuple[int, ...]


class Connection:
    """An HTTP connection that is kept open between requests, as browsers do."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(
        self,
        method: str,
        path: str,
        form: dict[str, object] | None = None,
        known: str = "",
        shown: str = "",
        news: str = "",
    ) -> tuple[int, str, str]:
        """Send a request; returns (status, location, body).

        known, shown, news: what the page shows of the log, its parts, and the newest version it was told of.
        """
        body = urlencode(form or {}).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nHX-Request: true\r\n"
        head += f"Sutler-Log: {known}\r\nSutler-Parts: {shown}\r\nSutler-News: {news}\r\n"
        head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
        reader, first = await self._send(head.encode() + body)
        status = int(first.split()[1])
        headers = {}
        while (line := (await reader.readline()).decode().strip()) != "":
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        data = await reader.readexactly(int(headers.get("content-length", 0)))
        return status, headers.get("location", ""), data.decode()

    async def _send(self, request: bytes) -> tuple[asyncio.StreamReader, bytes]:
        """Send a request and read the first line of the answer; once more if the server had closed an idle connection."""
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
        raise ConnectionError("the server closes the connection")

    def close(self) -> None:
        """Close the connection."""
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None


class Client:
    """A simulated person at a table of their own."""

    def __init__(self, number: int, ports: Sequence[int], options: argparse.Namespace, measured: Measurements) -> None:
        self.rng = random.Random(number)
        self.connection, self.options, self.measured = Connection(ports[number % len(ports)]), options, measured
        self.events_port = ports[(number + 1) % len(ports)]
        self.seat, self.page, self.known, self.parts = "", "", "", ""
        self.actions: list[str] = []
        self.newest, self.shown = "", ""
        """The table's version as the server reported it last, and the version that is shown."""
        self.news = asyncio.Event()
        self.listener: asyncio.Task[None] | None = None

    async def sit_down(self) -> None:
        """Open a table and listen to it."""
        form = {"game": self.options.game, "seat_0": "me", "seat_1": self.options.bot}
        status, self.seat, _ = await self.connection.request("POST", "/tables", form)
        assert status == 303, status
        _, _, page = await self.connection.request("GET", self.seat)
        self.read(page)
        self.listener = asyncio.create_task(self.listen())

    def read(self, page: str) -> None:
        """Take from a page the actions offered, its version, and what it shows."""
        self.page = page
        log = re.search(r'data-log="([^"]*)"', page)
        self.known = log[1] if log else self.known
        self.parts = PARTS.findall(page)[0]
        if (choices := CHOICES.search(page)) is not None:  # else they are unchanged
            self.actions = [html.unescape(one) for one in ACTION.findall(choices[0])]
        self.shown = VERSION.findall(page)[0]

    async def listen(self) -> None:
        """Read the table's stream of events, until cancelled."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.events_port)
        writer.write(f"GET /events?at={self.seat} HTTP/1.1\r\nHost: 127.0.0.1:{self.events_port}\r\n\r\n".encode())
        try:
            while line := await reader.readline():
                if line.startswith(b"data:"):
                    self.newest = line.decode().split()[-1]  # data: ADDRESS VERSION
                    self.news.set()
        finally:
            writer.close()

    async def play(self, until: float) -> None:
        """Think, click and wait for the answer, until the time (of time.monotonic) or the game is over."""
        await asyncio.sleep(self.rng.uniform(0, self.options.think))
        while time.monotonic() < until:
            if not self.actions:
                if not await self.wait_for_event(until):
                    return
                continue
            await self.click(self.actions)
            await asyncio.sleep(self.rng.uniform(0.5, 1.5) * self.options.think)

    async def click(self, actions: list[str]) -> None:
        """Take a random action; one that ends the turn in most cases if there is one."""
        ends = [one for one in actions if one.startswith(TURN_ENDING)]
        action = self.rng.choice(ends if ends and self.rng.random() < 0.7 else actions)
        decision = DECISION.findall(self.page)[0]
        self.news.clear()
        begun = time.perf_counter()
        status, _, page = await self.connection.request(
            "POST", f"{self.seat}/play", {"action": action, "decision": decision, "eyes": 0}, self.known, self.parts
        )
        self.measured.clicks.append(time.perf_counter() - begun)
        if status != 200:
            self.measured.errors.append(f"{status} {action}")
        self.read(page)
        if not self.actions:
            begun = time.perf_counter()
            if await self.saw_decision_after(decision_of(page)):
                self.measured.answers.append(time.perf_counter() - begun)

    async def saw_decision_after(self, decision: int) -> bool:
        """Fetch the picture at each event, until there is a later decision than this one. False if none comes."""
        for _ in range(50):
            try:
                await asyncio.wait_for(self.news.wait(), ANSWER_TIMEOUT_S)
            except TimeoutError:
                self.measured.errors.append("no answer in time")
                return False
            await self.catch_up()
            if decision_of(self.page) > decision:
                return True
        return False

    async def wait_for_event(self, until: float) -> bool:
        """Wait for the next event and catch up. False if the game or the time is over."""
        if "data-toggle-reckoning" in self.page:
            return False
        try:
            await asyncio.wait_for(self.news.wait(), max(0.01, until - time.monotonic()))
        except TimeoutError:
            return False
        await self.catch_up()
        return True

    async def catch_up(self) -> None:
        """Fetch the new picture, unless the newest version is shown already."""
        self.news.clear()
        if self.newest != self.shown:
            path = f"{self.seat}/now?eyes=0&since={decision_of(self.page)}&at_once=true"
            _, _, page = await self.connection.request(
                "GET", path, known=self.known, shown=self.parts, news=self.newest
            )
            self.read(page)

    def leave(self) -> None:
        """Close both connections."""
        if self.listener is not None:
            self.listener.cancel()
        self.connection.close()


def decision_of(page: str) -> int:
    """The number of decisions so far, as the page says."""
    return int(DECISION.findall(page)[0])


def resources_used(pids: Sequence[int]) -> tuple[float, float]:
    """The processes' (processor seconds, memory in MB); of several processes without the memory that they share."""
    seconds = memory = 0.0
    for pid in pids:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            whole, shared = map(int, Path(f"/proc/{pid}/statm").read_text().split()[1:3])
            seconds += (int(fields[11]) + int(fields[12])) / CLOCK_TICKS
            memory += (whole - (shared if len(pids) > 1 else 0)) * PAGE_BYTES / 1e6
    return seconds, memory


def seconds_waiting_for_a_core(pids: Sequence[int]) -> float:
    """How long threads of the processes that could have run waited for a core, in seconds, as the kernel counts it."""
    waited = 0
    for pid in pids:
        for told in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError):
                waited += int(told.read_text().split()[1])
    return waited / 1e9


def with_descendants(pids: Sequence[int]) -> tuple[int, ...]:
    """These processes and all their descendants."""
    found = list(pids)
    for pid in found:
        with contextlib.suppress(OSError):
            found += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
    return tuple(found)


def latency_histogram(ports: Sequence[int]) -> dict[float, float]:
    """The server's own histogram: the number of clicks answered within so many seconds, by the bucket's upper end."""
    found: dict[float, float] = {}
    for port in ports:
        text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
        for step, number in BUCKETS.findall(text):
            found[float(step)] = found.get(float(step), 0.0) + float(number)
    return found


def quantile_text(before: dict[float, float], after: dict[float, float], share: float) -> str:
    """The upper end of the bucket that holds this quantile of the clicks between two histograms, in ms."""
    counts = {end: number - before.get(end, 0.0) for end, number in after.items()}
    total = max(counts.values(), default=0.0)
    found = next((end for end in sorted(counts) if counts[end] >= share * total), float("inf"))
    return f"{1000 * found:.0f} ms"


def latency_text(name: str, times: list[float]) -> str:
    """Number, median and 99th percentile of times in seconds, printed in milliseconds."""
    if not times:
        return f"{name}: none"
    ordered = sorted(times)
    last = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    return f"{name} ({len(times)}): p50 {1000 * statistics.median(times):.0f} ms, p99 {1000 * last:.0f} ms"


def wait_until_warm(pids: Sequence[int]) -> None:
    """Wait until the server has loaded the compiled rules (it uses almost no processor time), WARM_TIMEOUT_S at most."""
    end = time.monotonic() + WARM_TIMEOUT_S
    idle = 0
    while idle < IDLE_SECONDS and time.monotonic() < end:
        before = resources_used(pids)[0]
        time.sleep(1.0)
        idle = idle + 1 if resources_used(pids)[0] - before < IDLE_SHARE * len(pids) else 0


async def measure(server: Server, tables: int, options: argparse.Namespace) -> None:
    """Play at so many tables at once and print the figures."""
    measured = Measurements()
    clients = [Client(i, server.ports, options, measured) for i in range(tables)]
    for one in clients:
        await one.sit_down()
    pids, before = with_descendants(server.pids), latency_histogram(server.ports)
    cpu, waited, start = resources_used(pids)[0], seconds_waiting_for_a_core(pids), time.monotonic()
    lateness = asyncio.create_task(measured.measure_lateness())
    await asyncio.gather(*(one.play(start + options.seconds) for one in clients))
    lateness.cancel()
    took = time.monotonic() - start
    busy, memory = resources_used(pids)[0] - cpu, resources_used(pids)[1]
    waited = seconds_waiting_for_a_core(pids) - waited
    after = latency_histogram(server.ports)
    for one in clients:
        one.leave()
    print(
        f"{tables} tables, {took:.0f} s: {latency_text('clicks', measured.clicks)} (as the server saw them half within "
        f"{quantile_text(before, after, 0.5)}, 99 of 100 within {quantile_text(before, after, 0.99)}); "
        f"{latency_text('answers', measured.answers)}; "
        f"{100 * busy / took:.0f} % of a core, {1000 * busy / max(1, len(measured.clicks)):.1f} ms of it a click, "
        f"{1000 * waited / max(1, len(measured.clicks)):.1f} ms a click waiting for a core, "
        f"{memory:.0f} MB; {latency_text('clients late', measured.lateness)}"
        + (f"; {len(measured.errors)} errors, such as {measured.errors[0]}" if measured.errors else ""),
        flush=True,
    )


@contextlib.contextmanager
def started(command: Sequence[str], folder: str, says: str) -> Iterator[tuple[int, str]]:
    """Run a command of sutler; yields its process id and the first line it prints that contains `says`."""
    env = os.environ | {"XDG_DATA_HOME": folder, "PYTHONUNBUFFERED": "1"}
    arguments = [sys.executable, "-m", "sutler.cli", *command]
    process = subprocess.Popen(arguments, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.pid, next(line for line in process.stdout if says in line)
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def on_postgres() -> Iterator[tuple[str, int]]:
    """Run a PostgreSQL server; yields the URL of a new database and the server's process id."""
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
def running_server(options: argparse.Namespace) -> Iterator[Server]:
    """Run the server as the options say, with all its rules loaded."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        serve, pids, ports = ["serve", "--port", "0", "--no-limits", "--metrics"], [], []
        if options.postgres:
            url, database = stack.enter_context(on_postgres())
            pids.append(database)
            serve += ["--database", url, *(["--no-bots"] if options.workers else [])]
        for _ in range(options.web if options.postgres else 1):
            pid, said = stack.enter_context(started(serve, folder, "stands at"))
            pids.append(pid)
            ports.append(int(said.partition("http://127.0.0.1:")[2].partition("/")[0]))
        for _ in range(options.workers if options.postgres else 0):
            pids.append(stack.enter_context(started(["worker", url], folder, "Deciding"))[0])
        for port in ports:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/?game={options.game}").read()
        wait_until_warm(pids)
        yield Server(tuple(ports), tuple(pids))


def main() -> int:
    """Run the test with each number of tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", default="50,200,500")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--think", type=float, default=8.0, help="mean seconds between two clicks of a person")
    parser.add_argument("--game", default="manor")
    parser.add_argument("--bot", default="easy", choices=("easy", "normal", "hard"))
    parser.add_argument("--postgres", action="store_true", help="several processes on a PostgreSQL server")
    parser.add_argument("--web", type=int, default=2, help="with --postgres: processes that serve pages")
    parser.add_argument("--workers", type=int, default=2, help="with --postgres: processes that decide for bots")
    options = parser.parse_args()
    with running_server(options) as server:
        for tables in map(int, options.tables.split(",")):
            asyncio.run(measure(server, tables, options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
