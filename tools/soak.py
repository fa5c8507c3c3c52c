"""A day of a house in one process, without its pauses: does memory stay where it is?

    python tools/soak.py [--moves 200000] [--tables 40] [--game manor] [--set offers=0 victory=5] [--pictures 10] [--rooms 60]

So many tables are played at once, three people at each, at random; where a game ends, another table is opened in its place.
Each move goes the way a click goes (asked, kept in a database on the disk, told to whoever listens); every so-manieth time
the picture is drawn for whoever moved, and a watcher's with it, as their pages ask for it: what they show already is not
sent. Medieval Manor is played without offers and to 5 victories: as printed, random moves take thousands to end it. The house
keeps few tables open, so that one sees whether it lets go of those that are over.
Told, ten times: moves, games ended, what is held for a purpose (rooms with their decisions; drawings), megabytes, and the
processor's time for a move since the last time. The clock that is shortened is the people's: nobody thinks. With few tables and rooms
(`--tables 2 --rooms 2`) games end soon, and what still grows then is neither a game nor the start.
"""

from __future__ import annotations

import argparse
import gc
import random
import re
import sys
import tempfile
import time
from pathlib import Path

import sutler.web.table.registry
from sutler.web.app import create_app
from sutler.web.events import Created, SeatPlan
from sutler.web.table import moves
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.view import fast_jinja
from sutler.web.view.fragments import NOTHING, Shown
from sutler.web.view.viewer import Viewer

SEATS = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="me", name="Perrin"), SeatPlan(kind="me", name="Osric"))
PAGE = 4096
TIMES = 10
LOG, PARTS = re.compile(r'data-log="([^"]*)"'), re.compile(r'data-parts="([^"]*)"')


def megabytes() -> float:
    """What this process holds in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 1e6


class Table:
    """A table, and what the pages of those who sit and look on show of it."""

    def __init__(self, house: House, asked: argparse.Namespace, luck: random.Random) -> None:
        seed, options = luck.randrange(2**31), options_of(asked)
        self.room = house.open(Created(game=asked.game, seed=seed, seats=SEATS, options=options))
        self.shown: dict[tuple[int, ...], Shown] = {}

    def look(self, seat: int) -> None:
        """The picture for a seat, and for somebody who looks on."""
        for seats in ((seat,), ()):
            base = f"/seat/{self.room.token(seat)}" if seats else f"/watch/{self.room.id}"
            picture = Viewer(self.room, seats, base).parts(shown=self.shown.get(seats, NOTHING))
            log, parts = LOG.search(picture), PARTS.search(picture)
            assert log is not None
            assert parts is not None
            self.shown[seats] = Shown(log[1], parts[1])


def held_of(house: House) -> str:
    """What a house may hold: the games that are open, decision by decision, and drawings for all of them."""
    decisions = sum(room.decision for room in house.rooms())
    drawings = [markup for drawn in fast_jinja.kept_drawings() for markup in drawn.values()]
    return f"{len(house.rooms())} rooms of {decisions} decisions, drawings of {sum(map(len, drawings)) / 1e6:.1f} MB"


def options_of(asked: argparse.Namespace) -> dict[str, int]:
    """The options that were asked for."""
    told = asked.set if asked.set is not None else ["offers=0", "victory=5"] if asked.game == "manor" else []
    return {name: int(value) for name, _, value in (one.partition("=") for one in told)}


def move(room: Room, luck: random.Random) -> int:
    """One move by whoever is to decide; the seat."""
    seat = room.pos.seat
    assert seat is not None
    moves.act(room, (seat,), room.decision, luck.choice(room.pos.actions()).name)
    return seat


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--moves", type=int, default=200_000)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--game", default="manor")
    parser.add_argument("--set", nargs="*", metavar="OPTION=VALUE", help="options of the game")
    parser.add_argument("--rooms", type=int, default=60, help="so many tables are kept open; a house keeps 600")
    parser.add_argument("--pictures", type=int, default=10, help="a picture every so many moves")
    asked = parser.parse_args()
    luck = random.Random(1)
    sutler.web.table.registry.ROOMS_KEPT_OPEN = asked.rooms
    with tempfile.TemporaryDirectory() as folder:
        house: House = create_app(f"sqlite:///{folder}/tables.sqlite", bot_pause=0.0, warm=False).state.house
        tables = [Table(house, asked, luck) for _ in range(asked.tables)]
        ended, begun, held, every = 0, time.process_time(), [], max(1, asked.moves // TIMES)
        for number in range(1, asked.moves + 1):
            place = luck.randrange(asked.tables)
            seat = move(tables[place].room, luck)
            if number % asked.pictures == 0:
                tables[place].look(seat)
            if tables[place].room.pos.over:
                tables[place], ended = Table(house, asked, luck), ended + 1
            if number % every == 0:
                took = 1000 * (time.process_time() - begun) / every
                gc.collect()
                held.append(megabytes())
                begun = time.process_time()
                told = f"{number} moves, {ended} games ended, {held_of(house)}"
                print(f"{told}, {held[-1]:.0f} MB, {took:.2f} ms a move", flush=True)
        house.close()
    print(f"from a fifth of the way to the end: {held[-1] - held[max(0, len(held) // 5 - 1)]:+.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
