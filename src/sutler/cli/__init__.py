"""The command line `sutler`. Each group of commands in `sutler --help` has a folder here, each command a file in it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from sutler.cli.design_commands.across_bots import across_command
from sutler.cli.design_commands.box import box_app
from sutler.cli.design_commands.compare import compare_command
from sutler.cli.design_commands.design import design_app
from sutler.cli.design_commands.export import export_command
from sutler.cli.design_commands.goal import goal_command
from sutler.cli.design_commands.hidden_information import hidden_command
from sutler.cli.design_commands.impact import impact_command
from sutler.cli.design_commands.playtest import playtest_command
from sutler.cli.design_commands.questions import questions_command
from sutler.cli.design_commands.report import report_command
from sutler.cli.design_commands.sensitivity import sensitivity_command
from sutler.cli.design_commands.simulate import simulate_command
from sutler.cli.design_commands.skill import skill_command
from sutler.cli.design_commands.sweep import sweep_command
from sutler.cli.design_commands.tournament import tournament_command
from sutler.cli.design_commands.tune import tune_command
from sutler.cli.developer_commands.bench import bench_command
from sutler.cli.developer_commands.bot import bot_app
from sutler.cli.developer_commands.doctor import doctor_command
from sutler.cli.developer_commands.mcp import mcp_command
from sutler.cli.developer_commands.new_game import new_game_command
from sutler.cli.developer_commands.train import train_command
from sutler.cli.developer_commands.warm import warm_command
from sutler.cli.play_commands.games import games_app
from sutler.cli.play_commands.guide import guide_command
from sutler.cli.play_commands.learn import learn_command
from sutler.cli.play_commands.play import play_command
from sutler.cli.play_commands.print_sheets import print_command
from sutler.cli.play_commands.puzzle import puzzle_command
from sutler.cli.play_commands.replay import replay_command
from sutler.cli.server_commands.admin import admin_app
from sutler.cli.server_commands.backup import backup_command, copy_database_command, restore_command
from sutler.cli.server_commands.serve import serve_command
from sutler.cli.server_commands.worker import worker_command
from sutler.core.text.language import parse_locale, set_language

app = typer.Typer(
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Five tabletop games about feeding people while a war goes on: play them, playtest them, learn from them.",
)
IN_THE_READERS_LANGUAGE = ("play", "learn", "puzzle", "replay", "guide")
"""Commands that print in the reader's language; the output of the others is read by programs too, and is always English."""
COMMANDS: dict[str, tuple[Callable[..., None], ...]] = {
    "Play": (play_command, learn_command, puzzle_command, replay_command, guide_command, print_command),
    "Keep a house": (serve_command, worker_command, backup_command, restore_command, copy_database_command),
    "Design": (
        impact_command,
        simulate_command,
        report_command,
        questions_command,
        compare_command,
        sweep_command,
        across_command,
        hidden_command,
        sensitivity_command,
        goal_command,
        tune_command,
        skill_command,
        tournament_command,
        export_command,
        playtest_command,
    ),
    "Build": (new_game_command, train_command, mcp_command, bench_command, warm_command, doctor_command),
}
"""The functions of the commands by their heading in `sutler --help`, in the order shown there."""
FAMILIES = {
    "games": (games_app, "Play"),
    "admin": (admin_app, "Keep a house"),
    "box": (box_app, "Design"),
    "design": (design_app, "Design"),
    "bot": (bot_app, "Build"),
}
"""{name: (typer application, heading in `sutler --help`)} of the commands that have subcommands."""
for heading, functions in COMMANDS.items():
    for function in functions:
        name = function.__name__.removesuffix("_command").replace("_", "-")
        app.command(name, rich_help_panel=heading)(function)
for name, (family, heading) in FAMILIES.items():
    app.add_typer(family, name=name, rich_help_panel=heading)


def _print_version_and_exit(wanted: bool) -> None:
    """Print the version and exit, if the option --version was given."""
    if wanted:
        from sutler import __version__

        typer.echo(f"sutler {__version__}")
        raise typer.Exit


@app.callback()
def _apply_global_options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version_and_exit, is_eager=True, help="Say which version.")
    ] = False,
    spoken: Annotated[
        str | None,
        typer.Option(
            "--language", metavar="LANGUAGE", help="In which language games speak: en, de; else what LANG says."
        ),
    ] = None,
) -> None:
    if context.invoked_subcommand in IN_THE_READERS_LANGUAGE:
        set_language(spoken or parse_locale(os.environ.get("LC_ALL") or os.environ.get("LANG") or ""))
    if context.invoked_subcommand is None:
        from sutler.cli.play_commands.games import show_welcome

        show_welcome()


def _replace_unprintable_characters() -> None:
    """Make the standard streams replace letters that their encoding lacks, and invalid bytes, by a question mark instead of failing."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def main() -> None:
    """Run the command line; Ctrl-C exits with 130, a closed pipe with 0."""
    _replace_unprintable_characters()
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # `sutler games | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
