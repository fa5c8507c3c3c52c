"""Start the web server: one process, one port, and a browser if wanted."""

from __future__ import annotations

import contextlib
import gc
import os
import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from sutler.web.app import create_app
from sutler.web.http.slow_clients import TimedHttpProtocol, UnlimitedHttpProtocol
from sutler.web.lab.design_notebooks import Notebooks
from sutler.web.rate_limits import Limits
from sutler.web.root_path import mount_below, parse_root_path
from sutler.web.storage.databases import get_data_folder, get_default_database_url, hold_sqlite_file_lock

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

MAX_CONNECTIONS = 4000
"""The most connections open at the same time; the server answers others with an error that says it is full."""
GC_THRESHOLDS = (10_000, 20, 100)
"""The arguments of `gc.set_threshold`: how many allocations start a collection of the youngest generation, how many of those one of the
next."""
MAX_FILES = 16_384
"""The most files open at the same time: connections, the database's files, static files that are being read."""


@dataclass(frozen=True)
class Site:
    """The address of a server: the names it answers to (all if none is given), and the path below which it stands there, such as /games."""

    hosts: Sequence[str] = ()
    root_path: str = ""
    notebooks: Sequence[Path] = ()
    """Folders of game designs that the lab shows (`sutler design`)."""
    stop: Callable[[], bool] = lambda: False
    """Called ten times a second; True where the server is to stop."""


ONE_SITE = Site()
LOOPBACK_ADDRESSES = ("127.0.0.1", "::1", "localhost")
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
"""Names of a server that listens on its own machine only. Requests under any other name that leads to this machine are refused."""
ALL_ADDRESSES = ("0.0.0.0", "::", "")


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    database_url: str | None = None,
    open_browser: bool = False,
    lab: bool = True,
    limits: bool = True,
    site: Site = ONE_SITE,
    metrics: bool = False,
    bots: bool = True,
) -> int:
    """Serve until interrupted; return the port. The address is printed once the server listens.

    `port`: 0 picks a free one; `database_url`: where games are kept, by default in the user's data folder; `lab`: is there a lab?
    `limits`: is each client limited? `site`: its names, by default (on a loopback address) those of this machine; `metrics`: are figures
    served to programs on this machine? `bots`: does this process decide for bots, where workers could (on PostgreSQL)? Raises OSError,
    with an error message for the user, where the port is taken.
    """
    root, hosts = parse_root_path(site.root_path), site.hosts
    database_url = database_url or get_default_database_url()
    with open_listening_socket(host, port) as listener, hold_sqlite_file_lock(database_url):
        taken = int(listener.getsockname()[1])
        address = f"http://{'127.0.0.1' if host in ALL_ADDRESSES else host}:{taken}{root}/"
        app = create_app(
            database_url,
            lab=lab and get_data_folder() / "lab",
            limits=Limits() if limits else None,
            hosts=hosts,
            answers_to=() if hosts or host not in LOOPBACK_ADDRESSES else LOOPBACK_NAMES,
            metrics=metrics,
            bots=bots,
        )
        app.state.notebooks = Notebooks(site.notebooks)
        mount_below(app, root)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,  # it would write addresses, which are secret links; `log_lines` writes patterns
            timeout_graceful_shutdown=2,
            limit_concurrency=MAX_CONNECTIONS,
            http=TimedHttpProtocol if limits else UnlimitedHttpProtocol,
        )
        server = Announced(config)
        server.address, server.open_browser, server.stop = address, open_browser, site.stop
        tune_garbage_collection()
        raise_file_limit()
        with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is the usual way to stop the server
            server.run(sockets=[listener])
    return taken


def tune_garbage_collection() -> None:
    """Make Python collect long-lived objects rarely: with hundreds of open tables a full collection stops all threads for a while.

    Objects that exist when this is called are never collected.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def raise_file_limit(files: int = MAX_FILES) -> None:
    """Let this process have up to `files` files and connections open, or as many as the system allows; systemd's default is 1,024."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = files if hard == resource.RLIM_INFINITY else min(files, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def open_listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens at this address. Raises OSError, with an error message for the user, where the port cannot be had."""
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
        # asyncio sets this only on sockets it made itself; without it every short answer waits 40 ms for an acknowledgement
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        told = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(f"port {port} at {host} cannot be had ({told}); choose another with --port") from error


class Announced(uvicorn.Server):
    """A Uvicorn server that prints its address as soon as it answers."""

    address = ""
    open_browser = False
    stop: Callable[[], bool]

    async def on_tick(self, counter: int) -> bool:
        """Should the server stop now? Uvicorn asks this ten times a second."""
        return await super().on_tick(counter) or self.stop()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, print the address, and open the browser if wanted."""
        await super().startup(sockets)
        if self.started:
            print(f"The table stands at {self.address} (Ctrl-C closes it; nothing is lost)", flush=True)
            if self.open_browser:
                threading.Thread(target=webbrowser.open, args=(self.address,), daemon=True).start()
