"""Start the table: one process, one port, a browser if wanted."""

from __future__ import annotations

import contextlib
import gc
import os
import socket
import threading
import webbrowser
from collections.abc import Sequence

import uvicorn

from sutler.web.app import create_app
from sutler.web.http.slow_clients import Patient
from sutler.web.paths import data_folder, default_database
from sutler.web.rate_limits import Limits
from sutler.web.storage.sqlite_lock import alone

CONNECTIONS = 4000
"""At the same time; beyond that the house says that it is full."""
COLLECTED_AFTER = (10_000, 20, 100)
"""After so many new things the young are looked through, after so many times that the middling, after so many of those all."""
EVERYWHERE = ("0.0.0.0", "::", "")


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    database_url: str | None = None,
    open_browser: bool = False,
    lab: bool = True,
    limits: bool = True,
    hosts: Sequence[str] = (),
    metrics: bool = False,
    bots: bool = True,
) -> None:
    """Serve until interrupted, and say where once it stands. OSError, in words, when the port cannot be had; port 0 takes a free one.

    `database_url`: where games are kept, by default the user's data folder; `lab`: is there one; `limits`: may one client
    ask for only so much; `hosts`: the names the house answers to, all if none is given; `metrics`: are figures told to
    programs on the same machine? `bots`: does this process decide for bots, where workers could (on PostgreSQL)?
    """
    database_url = database_url or default_database()
    with listening(host, port) as door, alone(database_url):
        where = f"http://{'127.0.0.1' if host in EVERYWHERE else host}:{door.getsockname()[1]}/"
        app = create_app(
            database_url,
            lab_folder=data_folder() / "lab",
            lab=lab,
            limits=Limits() if limits else None,
            hosts=hosts,
            metrics=metrics,
            bots=bots,
        )
        config = uvicorn.Config(
            app, log_level="warning", timeout_graceful_shutdown=2, limit_concurrency=CONNECTIONS, http=Patient
        )
        server = Announced(config)
        server.where, server.open_browser = where, open_browser
        collect_seldom()
        with contextlib.suppress(KeyboardInterrupt):  # the usual way to close the table
            server.run(sockets=[door])


def collect_seldom() -> None:
    """Look for dead circles among young things as ever, among all that lives seldom: with hundreds of tables that holds up everybody.

    What is there at the start stays for good and is not looked at again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)


def listening(host: str, port: int) -> socket.socket:
    """A socket at this address; OSError, in words, when it cannot be had."""
    try:
        door = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
        # asyncio does so only for sockets it made itself; else every short answer waits 40 ms for an acknowledgement
        door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return door
    except OSError as error:
        told = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(f"port {port} at {host} cannot be had ({told}); choose another with --port") from error


class Announced(uvicorn.Server):
    """A server that says where it stands as soon as somebody may come in."""

    where = ""
    open_browser = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, say so, and open the browser if it is wanted."""
        await super().startup(sockets)
        if self.started:
            print(f"The table stands at {self.where} (Ctrl-C closes it; nothing is lost)", flush=True)
            if self.open_browser:
                threading.Thread(target=webbrowser.open, args=(self.where,), daemon=True).start()
