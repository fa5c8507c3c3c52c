"""`sutler games`: list the games, or replay an archive of kept ones; `sutler` alone: the games, and commands to begin with."""

from __future__ import annotations

from typing import Annotated

import typer
from rich import box as boxes
from rich.table import Table
from rich.text import Text

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError, print_errors_as_sentences
from sutler.cli.kept_games import check_archive_replays
from sutler.cli.options import command

WEIGHT_WORDS = ("", "light", "easy", "middling", "heavy", "very heavy")
games_app = typer.Typer(help="List the games, or check games that were kept.")


@games_app.callback(invoke_without_command=True)
@command
def games_command(context: typer.Context) -> None:
    """List the games: players, length, weight, options."""
    if context.invoked_subcommand is not None:
        return
    from sutler.core.files.box import Info, read_options, read_toml, validate_sheet
    from sutler.core.play.registry import find_game_folder
    from sutler.core.play.registry import games as names_of_games

    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    table.add_column("game", style="bold", no_wrap=True)
    table.add_column("what it is", max_width=44)
    table.add_column("players", no_wrap=True)
    table.add_column("minutes", no_wrap=True)
    table.add_column("weight", no_wrap=True)
    table.add_column("options")
    for name in names_of_games():
        sheet = read_toml(find_game_folder(name) / "box.toml")
        info = validate_sheet(Info, sheet.get("game", {}), f"{name}/box.toml [game]")
        low, high = info.seats
        what = Text(info.title, "bold").append(f", {info.designer}\n", "dim").append(info.tagline, "not bold")
        weight = WEIGHT_WORDS[info.weight] if 0 < info.weight < len(WEIGHT_WORDS) else str(info.weight)
        options = ", ".join(read_options(sheet, f"{name}/box.toml"))
        table.add_row(name, what, f"{low}–{high}" if low < high else str(low), info.minutes, weight, options)
    make_console().print(table)
    make_console().print("sutler play GAME · sutler guide GAME · sutler serve", style="dim")


@games_app.command("check")
@command
def games_check_command(
    archive: Annotated[
        str, typer.Argument(metavar="PATH|URL", help="A folder of game files, one file, or a table's database.")
    ],
) -> None:
    """Replay an archive of games, and say which of them today's rules change, at which decision, by which paragraph."""
    out, n_games, breaks = make_console(), 0, 0
    for name, trouble in check_archive_replays(archive):
        n_games += 1
        if trouble:
            breaks += 1
            out.print(f"{name}: {trouble}")
    if not n_games:
        raise CommandError(f"{archive}: there are no games in it")
    out.print(f"{n_games} games, {n_games - breaks} play again to the byte, {breaks} do not.")
    if breaks:
        raise typer.Exit(1)


NEXT_COMMANDS = (
    ("Play", (("sutler serve --open", "the table in the browser"), ("sutler play {game}", "in this terminal"))),
    ("Read", (("sutler games", "the games"), ("sutler guide {game}", "how one is played"))),
    (
        "Design",
        (
            ("sutler simulate {game}", "a thousand games between bots"),
            ("sutler compare {game} --b FILE", "what a change to the box does"),
        ),
    ),
    ("Mend", (("sutler doctor", "what is missing on this machine"), ("sutler --help", "every command"))),
)


def show_welcome() -> None:
    """Print the games, and a few commands for each kind of user."""
    with print_errors_as_sentences():
        from sutler.core.files.box import Info, read_toml, validate_sheet
        from sutler.core.play.registry import find_game_folder, games

        out = make_console()
        names = games()
        out.print(Text("Sutler", "bold").append(": feeding people while a war goes on.", "not bold"))
        out.print()
        table = Table.grid(padding=(0, 2))
        for name in names:
            info = validate_sheet(
                Info, read_toml(find_game_folder(name) / "box.toml").get("game", {}), f"{name}/box.toml [game]"
            )
            table.add_row("", Text(name, "bold"), Text(info.title), Text(info.tagline, "dim"))
        out.print(table)
        out.print()
        ways = Table.grid(padding=(0, 2))
        for title, commands in NEXT_COMMANDS:
            for i, (typed, what) in enumerate(commands):
                said = typed.format(game="manor" if "manor" in names else names[0])
                ways.add_row("", Text("" if i else title, "italic"), Text(said, "bold"), Text(what, "dim"))
        out.print(ways)
