"""Kill the server at random moments and check that no acknowledged move is lost or stored twice.

    python studies/crash_recovery.py [--kills 1000] [--tables 3] [--game manor] [--seed 1]

A forked process opens tables from the database, plays moves at all of them at once, and reports each one as soon as it is acknowledged. It
is killed (SIGKILL) at a random moment, often while it writes. Then every reported move must be in the database, once and in order, and the
next process must be able to open the tables and play on. (A killed process shows what a crash of the program does. That a move is on the
disk before it is acknowledged, so that the machine may fail too, is SQLite's full synchronous mode, see tests/web/test_backup.py.)
"""

import argparse
import contextlib
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from sutler.web.events import Acted, Created, SeatPlan, Undone
from sutler.web.game_shelf import Shelf
from sutler.web.storage.store import Store
from sutler.web.table import moves
from sutler.web.table.registry import House
from sutler.web.table.room import Room

SEATS = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="me", name="Perrin"))


def play(url: str, tables: Sequence[str], game: str, rng: random.Random, report: int) -> None:
    """In the forked process: play at several tables at once, a thread for each, until killed. `report`: the pipe for reported moves."""
    house = House(Store(url), Shelf())
    rooms = [house.get_room(table) if table else opened(house, game, rng) for table in tables]
    players = [
        threading.Thread(target=play_one, args=(house, place, room, game, random.Random(rng.random()), report))
        for place, room in enumerate(rooms)
    ]
    for one in players:
        one.start()
    for one in players:
        one.join()


def opened(house: House, game: str, rng: random.Random) -> Room:
    """Open a new table."""
    return house.open_table(Created(game=game, seed=rng.randrange(2**31), seats=SEATS))


def play_one(house: House, place: int, room: Room, game: str, rng: random.Random, report: int) -> None:
    """Play random moves at one table after another without end, and write each acknowledged move to the pipe `report`.

    `place`: the index of the table among those played at once.
    """
    while True:
        if room.pos.over:
            room = opened(house, game, rng)
        os.write(report, f"{place} {room.id} {room.decision}\n".encode())
        seat, action = room.pos.seat, rng.choice(room.pos.actions()).name
        assert seat is not None
        moves.play_action(room, (seat,), room.decision, action)
        os.write(report, f"{place} {room.id} {room.decision}\n".encode())


def killed(url: str, tables: Sequence[str], game: str, seed: int, after: float) -> list[tuple[int, str, int]]:
    """Let a process play for `after` seconds and kill it; its reports: (place, table, number of acknowledged decisions)."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with contextlib.suppress(BaseException):
            play(url, tables, game, random.Random(seed), writing)
        os._exit(1)
    os.close(writing)
    with open(reading, "rb") as reports:
        first = reports.readline()
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
        rest = reports.read()
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        raise SystemExit(f"the server ended by itself at the tables {tables}")
    lines = (first + rest).decode().splitlines()
    return [(int(place), name, int(n)) for place, name, n in (line.split() for line in lines)]


def faults(store: Store, acknowledged: dict[str, int]) -> list[str]:
    """Faults in words: acknowledged moves that are not stored, or not once and in order."""
    out = []
    for table, decisions in acknowledged.items():
        kept: list[int] = []
        for one in store.load_events(table):
            if isinstance(one.event, Acted):
                kept.append(one.event.decision)
            elif isinstance(one.event, Undone):
                del kept[one.event.to :]
        if kept != list(range(len(kept))):
            out.append(f"{table}: decisions are kept as {kept}")
        if len(kept) < decisions:
            out.append(f"{table}: {decisions} decisions were acknowledged, {len(kept)} are kept")
    return out


def main() -> int:
    """Kill, check, print. Returns 1 if there was a fault."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=3, help="tables played at once")
    parser.add_argument("--game", default="manor")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'tables.sqlite'}"
        Store(url).close()
        Shelf().load_game(asked.game)
        acknowledged: dict[str, int] = {}
        tables, moves, bad = [""] * asked.tables, 0, list[str]()
        for number in range(asked.kills):
            report = killed(url, tables, asked.game, rng.randrange(2**31), rng.uniform(0.0, 0.12))
            moves += max(0, len(report) // 2)
            for place, name, decisions in report:
                tables[place] = name
                acknowledged[name] = max(acknowledged.get(name, 0), decisions)
            store = Store(url)
            bad += faults(store, {name: acknowledged[name] for _, name, _ in report})
            store.close()
            if (number + 1) % 100 == 0 or number + 1 == asked.kills:
                print(f"{number + 1} kills, {moves} moves acknowledged, {len(bad)} faults", flush=True)
    for one in bad[:20]:
        print(one)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
