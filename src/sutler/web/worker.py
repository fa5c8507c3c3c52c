"""A worker process on any machine: it decides for bots and answers lab questions for a server on PostgreSQL, and serves no pages."""

from __future__ import annotations

import signal
import threading

from sutler.web.game_shelf import Shelf
from sutler.web.lab.multiprocess_service import SharedLab
from sutler.web.storage.databases import DatabaseError
from sutler.web.storage.store import Store
from sutler.web.table.registry import House

THREADS = 2


def run_worker(url: str, threads: int = THREADS, lab: bool = True) -> None:
    """Run a worker until SIGTERM or Ctrl-C: it decides for bots and, if `lab`, answers questions to the lab.

    `url`: the address of the database; `threads`: how many threads decide for bots. Raises DatabaseError, with an error message for the
    user, where the database cannot be shared (SQLite).
    """
    store = Store(url)
    if not store.shared:
        store.close()
        raise DatabaseError(
            f"{store.url}: a file is one process's alone, and that decides for its bots itself; "
            "workers are for houses on PostgreSQL"
        )
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    house = House(store, Shelf(), bot_workers=threads, serves_pages=False)
    house.compile_rules_in_background()
    answering = SharedLab(store, n_workers=int(lab))
    print(f"Deciding for the bots of {store.url} (Ctrl-C leaves off; nothing is lost)", flush=True)
    while not stop.wait(1.0):  # Windows hears Ctrl-C only between two waits
        pass
    answering.close()
    house.close()
