"""`sutler report`: make an HTML page of the games that `sutler simulate --out` wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError
from sutler.cli.options import command
from sutler.cli.output_file import require_writable_out


@command
def report_command(
    file: Annotated[Path, typer.Argument(metavar="F.parquet", help="What `sutler simulate --out` wrote.")],
    out: Annotated[
        Path | None, typer.Option(metavar="F.html", help="Where to; beside the file if left out.", show_default=False)
    ] = None,
    across_: Annotated[
        list[Path] | None,
        typer.Option(
            "--across", metavar="F.parquet", help="The same between other bots (again for more): does it hold?"
        ),
    ] = None,
) -> None:
    """Make a page from recorded games: who wins, how long they take, when they are decided, cards, rules; it needs no network."""
    page = file.with_suffix(".html") if out is None else out
    if page.resolve() == file.resolve():
        raise CommandError(f"{file}: the page would be written over it; name another file with --out")
    require_writable_out(page, (page.suffix,))
    from sutler.lab.play.atomic_files import write_atomically
    from sutler.lab.report.report import render_report as page_of

    write_atomically(page, page_of(file, across_ or []))
    make_console().print(f"The report is in {page}; any browser shows it, without a network.")
