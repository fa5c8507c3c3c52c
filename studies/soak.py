"""Soak test: does a server's memory stay constant over a day's worth of moves, played without pauses in one process?

    python studies/soak.py [--moves 200000] [--tables 40] [--game manor] [--set offers=0 victory=5] [--pictures 10] [--rooms 60]

Many tables are played at once, three people at each, with random moves; a table that ends is replaced by a new one. Each move takes the
way of a click (checked, stored in a database on the disk, sent to subscribers); after every so many moves the picture is rendered for
whoever moved and for a spectator, without the parts that their pages show already. Medieval Manor is played without offers and to 5
victories, since random moves take thousands of decisions to end it as printed. The server keeps few tables open, so that leaks of finished
tables show. Prints ten times: moves, games ended, what is held on purpose (rooms with their decisions; cached drawings), memory in MB, and
processor time for each move since the last line. With few tables and rooms (`--tables 2 --rooms 2`) games end soon, and what still grows is
neither a game nor the start.
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
from sutler.web.view.page_parts import EMPTY_PAGE, PageState
from sutler.web.view.viewer import Viewer

SEATS = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="me", name="Perrin"), SeatPlan(kind="me", name="Osric"))
PAGE_BYTES = 4096
REPORTS = 10
LOG, PARTS = re.compile(r'data-log="([^"]*)"'), re.compile(r'data-parts="([^"]*)"')


def megabytes() -> float:
    """The resident memory of this process, in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES / 1e6


class Table:
    """A table, and what the pages of its seats and of a spectator show already."""

    def __init__(self, house: House, options: argparse.Namespace, rng: random.Random) -> None:
        seed, settings = rng.randrange(2**31), game_options(options)
        self.room = house.open_table(Created(game=options.game, seed=seed, seats=SEATS, options=settings))
        self.shown: dict[tuple[int, ...], PageState] = {}

    def render(self, seat: int) -> None:
        """Render the picture for a seat and for a spectator."""
        for seats in ((seat,), ()):
            base = f"/seat/{self.room.make_seat_token(seat)}" if seats else f"/watch/{self.room.id}"
            picture = Viewer(self.room, seats, base).render_changed_parts(shown=self.shown.get(seats, EMPTY_PAGE))
            log, parts = LOG.search(picture), PARTS.search(picture)
            assert log is not None
            assert parts is not None
            self.shown[seats] = PageState(log[1], parts[1])


def held_text(house: House) -> str:
    """A line on what the server keeps in memory on purpose: open games with their decisions, and cached drawings."""
    decisions = sum(room.decision for room in house.list_loaded_rooms())
    drawings = [markup for drawn in fast_jinja.list_all_caches() for markup in drawn.values()]
    return f"{len(house.list_loaded_rooms())} rooms of {decisions} decisions, drawings of {sum(map(len, drawings)) / 1e6:.1f} MB"


def game_options(options: argparse.Namespace) -> dict[str, int]:
    """The options of the game, by name."""
    told = options.set if options.set is not None else ["offers=0", "victory=5"] if options.game == "manor" else []
    return {name: int(value) for name, _, value in (one.partition("=") for one in told)}


def move(room: Room, rng: random.Random) -> int:
    """Play one random move; returns the seat that moved."""
    seat = room.pos.seat
    assert seat is not None
    moves.play_action(room, (seat,), room.decision, rng.choice(room.pos.actions()).name)
    return seat


def main() -> int:
    """Play, and print the memory ten times."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--moves", type=int, default=200_000)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--game", default="manor")
    parser.add_argument("--set", nargs="*", metavar="OPTION=VALUE", help="options of the game")
    parser.add_argument("--rooms", type=int, default=60, help="tables kept open; a server keeps 600")
    parser.add_argument("--pictures", type=int, default=10, help="moves between two pictures")
    options = parser.parse_args()
    rng = random.Random(1)
    sutler.web.table.registry.ROOMS_KEPT_OPEN = options.rooms
    with tempfile.TemporaryDirectory() as folder:
        house: House = create_app(f"sqlite:///{folder}/tables.sqlite", bot_pause=0.0, warm=False).state.house
        tables = [Table(house, options, rng) for _ in range(options.tables)]
        ended, begun, held, every = 0, time.process_time(), [], max(1, options.moves // REPORTS)
        for number in range(1, options.moves + 1):
            place = rng.randrange(options.tables)
            seat = move(tables[place].room, rng)
            if number % options.pictures == 0:
                tables[place].render(seat)
            if tables[place].room.pos.over:
                tables[place], ended = Table(house, options, rng), ended + 1
            if number % every == 0:
                took = 1000 * (time.process_time() - begun) / every
                gc.collect()
                held.append(megabytes())
                begun = time.process_time()
                told = f"{number} moves, {ended} games ended, {held_text(house)}"
                print(f"{told}, {held[-1]:.0f} MB, {took:.2f} ms a move", flush=True)
        house.close()
    print(f"from a fifth of the way to the end: {held[-1] - held[max(0, len(held) // 5 - 1)]:+.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
