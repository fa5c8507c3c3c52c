"""`sutler worker`: a process that decides for a server's bots and answers its lab's questions, on any machine."""

from __future__ import annotations

from typing import Annotated

import typer

from sutler.cli.options import LogOptions, command


@command
def worker_command(
    database: Annotated[str, typer.Argument(metavar="URL", help="The house's database: postgresql://…")],
    threads: Annotated[int, typer.Option(min=1, max=64, help="How many decide at the same time.")] = 2,
    lab: Annotated[
        bool, typer.Option("--lab/--no-lab", help="Whether the lab's questions are answered too, one at a time.")
    ] = True,
    *,
    logs: LogOptions,
) -> None:
    """Run a worker for a server on PostgreSQL: it decides for bots and answers the lab's questions. Any number may run."""
    from sutler.web.worker import run_worker

    logs.configure_logging()
    run_worker(database, threads, lab)
