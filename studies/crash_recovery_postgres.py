"""Kill processes of a server on PostgreSQL at random moments and check that no acknowledged move is lost or stored twice.

    python studies/crash_recovery_postgres.py postgresql://… [--kills 200] [--tables 4] [--game manor] [--seed 1]

Two processes take people's moves and two decide for bots; all four share the tables. Those that take moves play at all tables at once and
write each move to a file as soon as it is acknowledged. One of the four is killed (SIGKILL) at a random moment, often while it writes or
thinks, and another takes its place. In the end every acknowledged move must be in the database, unchanged, once and in order; every
table must open again at the position where it stood. The database should be a new one.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from sutler.web.errors import RequestError
from sutler.web.events import Acted, Created, SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.storage.store import Store
from sutler.web.table import moves
from sutler.web.table.registry import House

SEATS = (
    SeatPlan(kind="me", name="Agnes"),
    SeatPlan(kind="bot", name="Osric", level="easy"),
    SeatPlan(kind="me", name="Perrin"),
)
WEB_PROCESSES, WORKER_PROCESSES = 2, 2
POLL_SECONDS = 0.004
"""The pause after which a player looks again whether it is their turn."""


@dataclass
class Child:
    """A process of the server. takes_moves: does it take people's moves? Otherwise it decides for bots."""

    pid: int
    takes_moves: bool


def opened(url: str, game: str, tables: int, rng: random.Random) -> list[str]:
    """Open new tables; returns their ids."""
    house = House(Store(url), Shelf(), bot_pause=0.0, bot_workers=0)
    seeds = [rng.randrange(2**31) for _ in range(tables)]
    names = [house.open_table(Created(game=game, seed=seed, seats=SEATS)).id for seed in seeds]
    house.close()
    return names


def take_moves(url: str, tables: list[str], seed: int, report_fd: int) -> None:
    """In a forked process: play people's moves at all tables, until killed."""
    house = House(Store(url), Shelf(), bot_pause=0.0, bot_workers=0)
    rng = random.Random(seed)
    players = [
        threading.Thread(target=play, args=(house, table, random.Random(rng.random()), report_fd)) for table in tables
    ]
    for one in players:
        one.start()
    for one in players:
        one.join()


def play(house: House, table: str, rng: random.Random, report_fd: int) -> None:
    """Play at one table. Another process plays there too: the quicker move is acknowledged, the other one is refused."""
    room = house.get_room(table)
    while not room.pos.over:
        room.read_new_events()
        with room.lock:
            seat, decision = room.pos.seat, room.decision
            actions = [] if seat is None or SEATS[seat].kind == "bot" else room.pos.actions()
        if not actions:
            time.sleep(POLL_SECONDS)
            continue
        action = rng.choice(actions).name
        with contextlib.suppress(RequestError):
            moves.play_action(room, (0, 2), decision, action)
            os.write(report_fd, f"{table}\t{decision}\t{action}\n".encode())


def think(url: str) -> None:
    """In a forked process: decide for bots, until killed."""
    House(Store(url), Shelf(), bot_pause=0.0, bot_workers=1)
    threading.Event().wait()


def started(url: str, tables: list[str], takes_moves: bool, seed: int, folder: Path) -> Child:
    """Fork a process of the server; it writes acknowledged moves to a file of its own in the folder."""
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            report_fd = os.open(folder / f"{os.getpid()}-{seed}", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            take_moves(url, tables, seed, report_fd) if takes_moves else think(url)
            threading.Event().wait()  # all games are over
        os._exit(1)
    return Child(pid, takes_moves)


def kill(child: Child) -> None:
    """Kill a process. SystemExit if it had ended by itself."""
    os.kill(child.pid, signal.SIGKILL)
    _, status = os.waitpid(child.pid, 0)
    if os.WIFEXITED(status):
        raise SystemExit("a process of the server ended by itself")


def faults(url: str, tables: list[str], acknowledged: list[tuple[str, int, str]]) -> tuple[int, list[str]]:
    """(number of stored moves, faults in words): acknowledged moves not stored as they were, or not once and in order."""
    store, out, moves = Store(url), list[str](), 0
    kept = {table: [one.event for one in store.load_events(table) if isinstance(one.event, Acted)] for table in tables}
    store.close()
    for table, events in kept.items():
        moves += len(events)
        if [one.decision for one in events] != list(range(len(events))):
            out.append(f"{table}: decisions are kept as {[one.decision for one in events]}")
    for table, decision, action in acknowledged:
        if decision >= len(kept[table]) or kept[table][decision].action != action:
            out.append(f"{table}: decision {decision}, {action!r}, was acknowledged and is not kept so")
    house = House(Store(url), Shelf(), bot_pause=0.0, bot_workers=0)
    out += [f"{table}: {house.get_room(table).broken}" for table in tables if house.get_room(table).broken is not None]
    house.close()
    return moves, out


def main() -> int:
    """Kill, check, print. Returns 1 if there was a fault."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("database")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--tables", type=int, default=4, help="tables played at once")
    parser.add_argument("--game", default="manor")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between two kills, on average")
    asked = parser.parse_args()
    rng, url = random.Random(asked.seed), asked.database
    Shelf().load_game(asked.game)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tables = opened(url, asked.game, asked.tables, rng)
        jobs = [True] * WEB_PROCESSES + [False] * WORKER_PROCESSES
        children = [started(url, tables, takes_moves, rng.randrange(2**31), folder) for takes_moves in jobs]
        dead = {True: 0, False: 0}
        for number in range(asked.kills):
            time.sleep(rng.uniform(0.0, 2 * asked.pause))
            place = rng.randrange(len(children))
            kill(children[place])
            dead[children[place].takes_moves] += 1
            children[place] = started(url, tables, children[place].takes_moves, rng.randrange(2**31), folder)
            if (number + 1) % 25 == 0:
                print(f"{number + 1} kills", flush=True)
        for one in children:
            kill(one)
        lines = [
            line.split("\t") for file in folder.iterdir() for line in file.read_text(encoding="utf-8").splitlines()
        ]
        moves, bad = faults(url, tables, [(table, int(decision), action) for table, decision, action in lines])
    print(
        f"{dead[True]} kills of processes that take moves, {dead[False]} of those that decide: {len(lines)} people's moves "
        f"acknowledged, {moves} kept with the bots', {len(bad)} faults"
    )
    for one_fault in bad[:20]:
        print(one_fault)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
