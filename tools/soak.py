"""A day of a house in one process, without its pauses: does memory stay where it is?

    python tools/soak.py [--moves 200000] [--tables 40] [--game manor] [--pictures 10]

So many tables are played at once, three people at each; where a game ends, another table is opened in its place. Each
move goes the way a click goes (asked, kept in a database on the disk, told to whoever listens); every so-manieth time
the picture is drawn for whoever moved, and a watcher's with it. Told, ten times: moves, games ended, rooms in memory,
megabytes, and the processor's time for a move. The clock that is shortened is the people's: nobody thinks.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import tempfile
import time
from pathlib import Path

from sutler.web import moves
from sutler.web.app import create_app
from sutler.web.house import House
from sutler.web.parts import Shown
from sutler.web.protocol import Created, SeatPlan
from sutler.web.rooms import Room
from sutler.web.viewers import Viewer

SEATS = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="me", name="Perrin"), SeatPlan(kind="me", name="Osric"))
PAGE = 4096
PARTS = 10


def megabytes() -> float:
    """What this process holds in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 1e6


def opened(house: House, game: str, luck: random.Random) -> Room:
    """A new table."""
    return house.open(Created(game=game, seed=luck.randrange(2**31), seats=SEATS))


def move(room: Room, luck: random.Random) -> int:
    """One move by whoever is to decide; the seat."""
    seat = room.pos.seat
    assert seat is not None
    moves.act(room, (seat,), room.decision, luck.choice(room.pos.actions()).name)
    return seat


def look(room: Room, seat: int) -> None:
    """The picture for a seat, and for somebody who looks on and has seen an older one."""
    Viewer(room, (seat,), f"/seat/{room.token(seat)}").parts(seat)
    Viewer(room, (), f"/watch/{room.id}").parts(shown=Shown(parts="top:AAAAAAAA"))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--moves", type=int, default=200_000)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--game", default="manor")
    parser.add_argument("--pictures", type=int, default=10, help="a picture every so many moves")
    asked = parser.parse_args()
    luck = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        house: House = create_app(f"sqlite:///{folder}/tables.sqlite", bot_pause=0.0, warm=False).state.house
        rooms = [opened(house, asked.game, luck) for _ in range(asked.tables)]
        ended, begun, held = 0, time.process_time(), []
        for number in range(1, asked.moves + 1):
            place = luck.randrange(asked.tables)
            seat = move(rooms[place], luck)
            if number % asked.pictures == 0:
                look(rooms[place], seat)
            if rooms[place].pos.over:
                rooms[place], ended = opened(house, asked.game, luck), ended + 1
            if number % max(1, asked.moves // PARTS) == 0:
                gc.collect()
                held.append(megabytes())
                took = 1000 * (time.process_time() - begun) / number
                told = f"{number} moves, {ended} games ended, {len(house.rooms())} rooms"
                print(f"{told}, {held[-1]:.0f} MB, {took:.2f} ms a move", flush=True)
        house.close()
    print(f"from a fifth of the way to the end: {held[-1] - held[max(0, len(held) // 5 - 1)]:+.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
