"""Start the table: one process, one port, a browser if wanted."""

from __future__ import annotations

import os
import threading
import webbrowser
from pathlib import Path

import uvicorn

from sutler.web.app import create_app


def default_database() -> str:
    """Where games are kept unless told otherwise: a file in the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folder = Path(base) / "sutler"
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'tables.sqlite'}"


def serve(
    host: str = "127.0.0.1", port: int = 8000, database_url: str | None = None, open_browser: bool = False
) -> None:
    """Serve until interrupted."""
    app = create_app(database_url or default_database())
    config = uvicorn.Config(app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    if open_browser:
        where = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else host}:{port}/"
        threading.Thread(target=_open_when_ready, args=(server, where), daemon=True).start()
    server.run()


def _open_when_ready(server: uvicorn.Server, where: str) -> None:
    ready = threading.Event()
    while not server.started and not server.should_exit:
        ready.wait(0.05)
    if server.started:
        webbrowser.open(where)
