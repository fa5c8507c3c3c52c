"""What hard bots do with the machine's cores: python tools/cores.py [GAME] [--tables 3] [--decisions 4]

So many tables ask a hard bot at once, each for one decision after another, as a house does. By the clock and by seconds of a processor it
says how busy the cores were; how many threads wanted a core (they ran or waited for one, by the kernel's books) holds on a busy machine
too. Rounds by table say whether they share fairly.
"""

from __future__ import annotations

import argparse
import threading
import time
from pathlib import Path

import sutler
from sutler.bots import bot
from sutler.core.position import Position
from sutler.lab.bench.speed import _positions

BOOKS = Path("/proc/self/task")
LOOK = 0.01  # seconds between two looks at the books: a thread's are gone with it
CHOICES = 6  # a decision with fewer is soon settled


def books() -> dict[str, int]:
    """Nanoseconds that each thread of this process has run, or waited for a core."""
    found = {}
    for one in BOOKS.iterdir():
        try:
            ran, waited, _ = (one / "schedstat").read_text().split()
        except OSError:  # it has ended meanwhile
            continue
        found[one.name] = int(ran) + int(waited)
    return found


class Clerk:
    """Keeps the books of threads while they last, in a thread of its own, which is not counted."""

    def __init__(self) -> None:
        self.before = self.seen = books()
        self.done = threading.Event()
        self.me = threading.Thread(target=self._watch)
        self.me.start()

    def _watch(self) -> None:
        while not self.done.wait(LOOK):
            self.seen = self.seen | books()

    def seconds(self) -> float:
        """What all the others wanted, until now."""
        self.done.set()
        self.me.join()
        mine = str(self.me.native_id)
        return sum(n - self.before.get(name, 0) for name, n in self.seen.items() if name != mine) / 1e9


def rounds_of(positions: list[Position], first: int, decisions: int, into: list[int]) -> None:
    """One table: the hard bot's rounds for each of some decisions."""
    hard = bot("hard")
    for k in range(decisions):
        pos = positions[(first + k) % len(positions)]
        assert pos.seat is not None
        rows = hard.explain(pos.for_seat(pos.seat, seed=k))  # type: ignore[attr-defined]
        into.append(sum(tried for _, _, tried in rows))


def main() -> None:
    """One table, then more."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="?", default="threeyears")
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--decisions", type=int, default=4)
    given = parser.parse_args()
    game = sutler.load(given.game)
    seats = max(game.min_seats, min(3, game.max_seats))
    positions = [pos for pos in _positions(game, seats) if len(pos.legal_ids()) > CHOICES]
    rounds_of(positions, 0, 1, [])  # loaded before it is timed
    for n in range(1, given.tables + 1):
        rounds: list[list[int]] = [[] for _ in range(n)]
        tables = [
            threading.Thread(target=rounds_of, args=(positions, 3 * k, given.decisions, rounds[k])) for k in range(n)
        ]
        clerk, start, spent = Clerk(), time.perf_counter(), time.process_time()
        for one in tables:
            one.start()
        for one in tables:
            one.join()
        took, spent, wanted = time.perf_counter() - start, time.process_time() - spent, clerk.seconds()
        print(
            f"{n} tables, {took:.1f} s: {spent / took:.2f} cores busy, {wanted / took:.2f} wanted; "
            f"rounds by table {', '.join(f'{sum(one):,}' for one in rounds)}"
        )


if __name__ == "__main__":
    main()
