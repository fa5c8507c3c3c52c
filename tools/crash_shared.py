"""The same as crash.py for a house of several processes on PostgreSQL: two that take people's moves, two that decide for bots.

    python tools/crash_shared.py postgresql://… [--kills 200] [--tables 4] [--game manor] [--seed 1]

All four share the tables. Each that takes moves plays at all of them at once and writes down each move as soon as it is
acknowledged. One of the four is killed (SIGKILL) at a random moment, often while it writes or thinks, and another takes its place. In the
end the database is read: every move that was acknowledged must be there, that very one, once and in order; every table
must open again and lead where it stood. The database should be a fresh one.
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

from sutler.web.errors import Trouble
from sutler.web.events import Acted, Created, SeatPlan
from sutler.web.shelf import Shelf
from sutler.web.storage.store import Store
from sutler.web.table import moves
from sutler.web.table.registry import House

SEATS = (
    SeatPlan(kind="me", name="Agnes"),
    SeatPlan(kind="bot", name="Osric", level="easy"),
    SeatPlan(kind="me", name="Perrin"),
)
WEBS, WORKERS = 2, 2
LOOKS = 0.004
"""Seconds until somebody whose turn it is not looks again."""


@dataclass
class Child:
    """A process of the house; `takes` people's moves, or decides for bots."""

    pid: int
    takes: bool


def opened(url: str, game: str, tables: int, luck: random.Random) -> list[str]:
    """New tables."""
    house = House(Store(url), Shelf(), bot_pause=0.0, thinkers=0)
    seeds = [luck.randrange(2**31) for _ in range(tables)]
    names = [house.open(Created(game=game, seed=seed, seats=SEATS)).id for seed in seeds]
    house.close()
    return names


def take_moves(url: str, tables: list[str], seed: int, told: int) -> None:
    """In a process of its own: people's moves at all tables, until killed."""
    house = House(Store(url), Shelf(), bot_pause=0.0, thinkers=0)
    luck = random.Random(seed)
    players = [
        threading.Thread(target=play, args=(house, table, random.Random(luck.random()), told)) for table in tables
    ]
    for one in players:
        one.start()
    for one in players:
        one.join()


def play(house: House, table: str, luck: random.Random, told: int) -> None:
    """One table. Another process plays at it too: whoever was quicker is acknowledged, the other is told so."""
    room = house.room(table)
    while not room.pos.over:
        room.catch_up()
        with room.lock:
            seat, decision = room.pos.seat, room.decision
            actions = [] if seat is None or SEATS[seat].kind == "bot" else room.pos.actions()
        if not actions:
            time.sleep(LOOKS)
            continue
        action = luck.choice(actions).name
        with contextlib.suppress(Trouble):
            moves.act(room, (0, 2), decision, action)
            os.write(told, f"{table}\t{decision}\t{action}\n".encode())


def think(url: str) -> None:
    """In a process of its own: decide for bots, until killed."""
    House(Store(url), Shelf(), bot_pause=0.0, thinkers=1)
    threading.Event().wait()


def started(url: str, tables: list[str], takes: bool, seed: int, folder: Path) -> Child:
    """A process of the house. What is acknowledged stands in a file of its own, whatever becomes of the process."""
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            told = os.open(folder / f"{os.getpid()}-{seed}", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            take_moves(url, tables, seed, told) if takes else think(url)
            threading.Event().wait()  # all games are over
        os._exit(1)
    return Child(pid, takes)


def kill(child: Child) -> None:
    """Without a word. A process that had ended by itself is a fault of ours."""
    os.kill(child.pid, signal.SIGKILL)
    _, status = os.waitpid(child.pid, 0)
    if os.WIFEXITED(status):
        raise SystemExit("a process of the house gave up by itself")


def faults(url: str, tables: list[str], acknowledged: list[tuple[str, int, str]]) -> tuple[int, list[str]]:
    """How many moves are kept; and those acknowledged that are not kept as they were, or not once and in order."""
    store, out, moves = Store(url), list[str](), 0
    kept = {table: [one.event for one in store.events(table) if isinstance(one.event, Acted)] for table in tables}
    store.close()
    for table, events in kept.items():
        moves += len(events)
        if [one.decision for one in events] != list(range(len(events))):
            out.append(f"{table}: decisions are kept as {[one.decision for one in events]}")
    for table, decision, action in acknowledged:
        if decision >= len(kept[table]) or kept[table][decision].action != action:
            out.append(f"{table}: decision {decision}, {action!r}, was acknowledged and is not kept so")
    house = House(Store(url), Shelf(), bot_pause=0.0, thinkers=0)
    out += [f"{table}: {house.room(table).broken}" for table in tables if house.room(table).broken is not None]
    house.close()
    return moves, out


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("database")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--tables", type=int, default=4, help="so many are played at once")
    parser.add_argument("--game", default="manor")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between two kills, on average")
    asked = parser.parse_args()
    luck, url = random.Random(asked.seed), asked.database
    Shelf().game(asked.game)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tables = opened(url, asked.game, asked.tables, luck)
        jobs = [True] * WEBS + [False] * WORKERS
        children = [started(url, tables, takes, luck.randrange(2**31), folder) for takes in jobs]
        dead = {True: 0, False: 0}
        for number in range(asked.kills):
            time.sleep(luck.uniform(0.0, 2 * asked.pause))
            place = luck.randrange(len(children))
            kill(children[place])
            dead[children[place].takes] += 1
            children[place] = started(url, tables, children[place].takes, luck.randrange(2**31), folder)
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
