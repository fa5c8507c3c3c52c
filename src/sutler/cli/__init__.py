"""The command line: `sutler play manor`. A folder for each group of commands in `sutler --help`, in it a file for each command."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from sutler.cli import build, design, hosting, play
from sutler.core.language import of_system, read_in

app = typer.Typer(
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Five tabletop games about feeding people while a war goes on: play them, playtest them, learn from them.",
)
READ = ("play", "learn", "replay", "guide")
"""Commands by which somebody plays or reads; what others print is read by programs too, and stays in English."""
GROUPS = {"Play": play, "Keep a house": hosting, "Design": design, "Build": build}
for heading, part in GROUPS.items():
    for one in (*part.commands.registered_commands, *part.commands.registered_groups):
        one.rich_help_panel = heading
    app.add_typer(part.commands)


def _version(wanted: bool) -> None:
    if wanted:
        from sutler import __version__

        typer.echo(f"sutler {__version__}")
        raise typer.Exit


@app.callback()
def _all(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version.")
    ] = False,
    spoken: Annotated[
        str | None,
        typer.Option(
            "--language", metavar="LANGUAGE", help="In which language games speak: en, de; else what LANG says."
        ),
    ] = None,
) -> None:
    if context.invoked_subcommand in READ:
        read_in(spoken or of_system(os.environ.get("LC_ALL") or os.environ.get("LANG") or ""))
    if context.invoked_subcommand is None:
        from sutler.cli.welcome import show_welcome

        show_welcome()


def main() -> None:
    """The console script."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # `sutler games | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
