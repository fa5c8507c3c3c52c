"""`sutler serve`: the web server at which games are played in the browser."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from sutler.cardkit.saved_file_watch import SavedFiles
from sutler.cli.errors import register_card_game_file
from sutler.cli.options import LogOptions, command


@dataclass(frozen=True)
class SiteOptions:
    """The options for a server's names and address behind a proxy, its metrics, and the notebooks it shows."""

    trusted_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name the house answers to (again for more); all if none."),
    ] = None
    metrics: Annotated[
        bool, typer.Option("--metrics", help="Tell programs on this machine figures for Prometheus, at /metrics.")
    ] = False
    root_path: Annotated[
        str,
        typer.Option(
            metavar="PATH", help="The path below which the house stands behind a proxy: /games; else the root."
        ),
    ] = ""
    notebook: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER", help="A notebook of `sutler design` that the lab shows.", show_default=False),
    ] = None


@dataclass(frozen=True)
class Address:
    """The options for the address at which the server listens."""

    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 lets others in.")] = "127.0.0.1"
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8000


@command
def serve_command(
    cards: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...", help="Files of card games that are to lie on the table too.", show_default=False
        ),
    ] = None,
    *,
    address: Address,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Where games are kept: sqlite:///file or postgresql://…")
    ] = None,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = False,
    lab: Annotated[bool, typer.Option("--lab/--no-lab", help="Whether visitors may ask the lab questions.")] = True,
    limits: Annotated[
        bool, typer.Option("--limits/--no-limits", help="Whether one client may ask for only so much in a time.")
    ] = True,
    decide: Annotated[
        bool,
        typer.Option(
            "--bots/--no-bots",
            help="On PostgreSQL: whether this process decides for bots, or only `sutler worker` does.",
        ),
    ] = True,
    site: SiteOptions,
    logs: LogOptions,
) -> None:
    """Start the web server and open it in the browser. A card game's file is read again whenever it is saved."""
    for file in cards or []:
        register_card_game_file(file)
    saved = SavedFiles(cards or [])
    typer.echo("Setting the table: its address comes in a few seconds.")  # said before what takes them is read
    from sutler.web.serve import Site
    from sutler.web.serve import serve as serve_table

    logs.configure_logging()
    where = Site(site.trusted_host or (), site.root_path, site.notebook or (), saved.ready.is_set)
    port = serve_table(address.host, address.port, database, open_, lab, limits, where, site.metrics, decide)
    if saved.ready.is_set():
        restart_process(port)


def restart_process(port: int) -> None:
    """Replace this process by a new one with the same command, at this port, so that changed files are read."""
    again = [sys.executable, "-m", "sutler.cli", *sys.argv[1:], "--port", str(port), "--no-open"]
    os.execv(sys.executable, again)
