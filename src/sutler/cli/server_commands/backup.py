"""`sutler backup`, `sutler restore`, `sutler copy-database`: copies of a server's database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sutler.cli.options import command


@command
def backup_command(
    to: Annotated[
        Path, typer.Argument(metavar="FILE", help="Where the copy goes; nothing is overwritten. With --keep: a folder.")
    ],
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Whose copy; the usual place if left out.")
    ] = None,
    keep: Annotated[
        int | None,
        typer.Option(min=1, help="Keep so many of the newest copies in a folder, and delete older ones."),
    ] = None,
    daily: Annotated[int, typer.Option(min=0, help="Keep the newest copy of each of so many days, too.")] = 0,
    weekly: Annotated[int, typer.Option(min=0, help="Keep the newest copy of each of so many weeks, too.")] = 0,
    monthly: Annotated[int, typer.Option(min=0, help="Keep the newest copy of each of so many months, too.")] = 0,
) -> None:
    """Copy all games, seats and links, even while the server runs. The copy is checked."""
    from sutler.web.storage.backup import Rotation, backup_and_rotate
    from sutler.web.storage.backup import back_up_database as copy
    from sutler.web.storage.databases import get_default_database_url

    url = database or get_default_database_url()
    if keep is None and not (daily or weekly or monthly):
        typer.echo(f"{to}: a sound copy, {copy(url, to):,} events")
        return
    file, events, gone = backup_and_rotate(url, to, Rotation(keep or 1, daily, weekly, monthly))
    typer.echo(f"{file}: a sound copy, {events:,} events; {len(gone)} older ones deleted")


@command
def restore_command(
    copy: Annotated[Path, typer.Argument(metavar="FILE", help="A copy that `sutler backup` made.")],
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Where it goes; the usual place if left out.")
    ] = None,
) -> None:
    """Replace a server's data by a copy, with the server stopped. The replaced data are kept beside it."""
    from sutler.web.storage.backup import restore_database as bring_back
    from sutler.web.storage.databases import get_default_database_url

    typer.echo(f"{copy}: {bring_back(database or get_default_database_url(), copy):,} events are back")


@command
def copy_database_command(
    source: Annotated[
        str, typer.Argument(metavar="FROM", help="The house's database: sqlite:///file or postgresql://…")
    ],
    target: Annotated[str, typer.Argument(metavar="TO", help="An empty database of either kind.")],
) -> None:
    """Copy a stopped server's data to another database: from a file to PostgreSQL, or back. Rows and digests are compared."""
    from sutler.web.storage.copy_database import copy_database as copy

    for one in copy(source, target):
        typer.echo(f"{one.name:<10} {one.rows:>9,} rows  {one.digest[:16]}")
    typer.echo("Every table is there, with the same rows. The database it came from still has them too.")
