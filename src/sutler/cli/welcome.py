"""The output of `sutler` without a command: the games, and commands to begin with."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from sutler.cli.console import make_console
from sutler.cli.errors import print_errors_as_sentences

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
            for i, (command, what) in enumerate(commands):
                said = command.format(game="manor" if "manor" in names else names[0])
                ways.add_row("", Text("" if i else title, "italic"), Text(said, "bold"), Text(what, "dim"))
        out.print(ways)
