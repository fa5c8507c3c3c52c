"""`sutler backup` and `sutler restore`: a copy of a house's games, and back again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sutler.cli.options import command


@command
def backup(
    to: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes; nothing is overwritten.")],
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Whose copy; the usual place if left out.")
    ] = None,
) -> None:
    """Copy all games, seats and links, while the table may be open. The copy is checked."""
    from sutler.web.paths import default_database
    from sutler.web.storage.backup import backup as copy

    typer.echo(f"{to}: a sound copy, {copy(database or default_database(), to):,} events")


@command
def restore(
    copy: Annotated[Path, typer.Argument(metavar="FILE", help="A copy that `sutler backup` made.")],
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Where it goes; the usual place if left out.")
    ] = None,
) -> None:
    """Put a copy in the place of the games, with the table closed. What stood there is kept beside it."""
    from sutler.web.paths import default_database
    from sutler.web.storage.backup import restore as bring_back

    typer.echo(f"{copy}: {bring_back(database or default_database(), copy):,} events are back")
