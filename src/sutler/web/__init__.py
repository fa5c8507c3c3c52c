"""The table in the browser. `serve` starts it; everything heavy is loaded when it is needed."""

from __future__ import annotations

from collections.abc import Sequence


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    database_url: str | None = None,
    open_browser: bool = False,
    lab: bool = True,
    limits: bool = True,
    hosts: Sequence[str] = (),
    metrics: bool = False,
) -> None:
    """Serve the table until interrupted.

    `database_url`: where games are kept, by default the user's data folder; `lab`: is there one; `limits`: may one client
    ask for only so much; `hosts`: the names the house answers to, all if none is given; `metrics`: are
    figures told to programs on the same machine?
    """
    from sutler.web.serve import serve as run

    run(host, port, database_url, open_browser, lab, limits, hosts, metrics)


__all__ = ["serve"]
