"""`sutler box`: show the contents of a game's box, check an edit of it, compare two boxes, convert to and from CSV."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box as boxes
from rich.table import Table
from rich.text import Text

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError, require_game_name
from sutler.cli.options import Box, GameName, command

if TYPE_CHECKING:
    from sutler.lab.box_numbers import Part

box_app = typer.Typer(no_args_is_help=True, help="Look at what is in a game's box.")


@box_app.command("check")
@command
def box_check_command(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A TOML file laid over the printed box, or a card game's.")
    ],
    game: Annotated[str | None, typer.Option(help="Whose box; found out if left out.", show_default=False)] = None,
) -> None:
    """Check a box edit and list its differences from the printed box; or check a card game's file, and try it out."""
    from sutler.core.files.box import BoxError, list_box_differences, read_toml
    from sutler.core.play.game import Game
    from sutler.core.play.registry import games, load_definition

    if file.is_file() and "[[kind]]" in file.read_text(encoding="utf-8", errors="replace"):
        check_card_game(file)
        return
    edit = read_toml(file)  # what is no TOML at all is said once, not for every game
    faults: dict[str, str] = {}
    fitting = []
    for name in [require_game_name(game)] if game else games():
        try:
            fitting.append(Game(load_definition(name), file))
        except BoxError as error:
            faults[name] = str(error)
    if not fitting:
        if game:
            raise CommandError(next(iter(faults.values())))
        printed_games = [Game(load_definition(name)) for name in faults]
        nearest = max(printed_games, key=lambda one: _count_shared_keys(edit, one.sheet.model_dump()))
        raise CommandError(f"{file} fits no game. The nearest is {nearest.title}:\n{faults[nearest.name]}")
    printed = {one.name: Game(one.definition).sheet.model_dump() for one in fitting}
    changes = {one.name: list(list_box_differences(printed[one.name], one.sheet.model_dump())) for one in fitting}
    if len(fitting) > 1:
        raise CommandError(f"{file} fits {' and '.join(changes)}; say which with --game")
    (name, lines), out = next(iter(changes.items())), make_console()
    differing = f"{len(lines)} {'difference' if len(lines) == 1 else 'differences'}"
    out.print(f"{file}: a good box for {fitting[0].title}, {differing} from the printed one")
    for line in lines:
        out.print(f"  {line}")
    out.print(f"sutler play {name} --box {file}", style="dim")


def check_card_game(file: Path) -> None:
    """Check a card game's file, and print its content and what can never happen in it."""
    from sutler.cardkit.box_model import read_game_in_folder
    from sutler.cardkit.trial_games import install_and_try_card_game
    from sutler.core.play.registry import find_game_folder
    from sutler.lab.stats.estimates import format_count_with_noun

    name, notes = install_and_try_card_game(file)
    game, out = read_game_in_folder(find_game_folder(name)), make_console()
    counted = f"{format_count_with_noun(len(game.cards), 'different card')} ({game.n_cards} in all), "
    counted += f"{format_count_with_noun(len(game.deeds), 'action')}, {format_count_with_noun(len(game.ends), 'end')}"
    out.print(f"{file}: {game.title} can be played: {counted}")
    for note in notes:
        out.print(f"  but {note}", highlight=False)
    out.print(f"sutler play {file}", style="dim")


@box_app.command("show")
@command
def box_show_command(
    game: GameName,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]", help="Only what is called so, or has this paragraph.")
    ] = None,
    box: Box = None,
) -> None:
    """List every number, card and option that can be changed: its present value, its bounds, its paragraph."""
    from sutler.core.play.game import load
    from sutler.lab.box_numbers import find_similar_names, list_parts

    loaded = load(require_game_name(game), box)
    found, wanted = list_parts(loaded), " ".join(words or [])
    shown = [one for one in found if one.matches(wanted)]
    if not shown:
        meant = find_similar_names(found, wanted)
        raise CommandError(
            f"nothing in the box of {loaded.name} is called {wanted!r}; it has {len(found)} numbers and options."
            + (f" Did you mean {' or '.join(meant)}?" if meant else "")
        )
    make_console().print(f"{loaded.title}: {len(shown)} of {len(found)} numbers and options", style="bold")
    make_console().print(_build_parts_table(shown))
    make_console().print(
        "Paragraph: the rule that uses the number (read it: sutler guide GAME 5.4); cf. = nearest rule.\n"
        f"Turn one with --set NAME=VALUE, or in a file: sutler play {loaded.name} --box FILE",
        style="dim",
    )


@box_app.command("diff")
@command
def box_diff_command(
    a: Annotated[
        str,
        typer.Argument(metavar="A", help="base or a game for the printed box, a TOML file laid over it, or KEY=VALUE."),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The same.")],
    game: Annotated[str | None, typer.Option(help="Whose box; found out if left out.", show_default=False)] = None,
) -> None:
    """List the differences of two boxes, each with its paragraph."""
    from sutler.cli.design_commands.compare import load_version_of_side
    from sutler.core.files.box import list_box_differences
    from sutler.core.play.game import Game
    from sutler.core.play.registry import games
    from sutler.lab.box_numbers import collect_box_contents, format_value, list_parts
    from sutler.lab.play.query import Query

    if named := next((edit for edit in (a, b) if edit in games()), ""):
        game = game or named
        a, b = ("base" if edit == game else edit for edit in (a, b))
    name = require_game_name(game) if game else _find_game_of_edits([a, b])
    one, other = (load_version_of_side(Query(name), [edit], "A" if edit is a else "B") for edit in (a, b))
    rules = {part.name: part for part in list_parts(Game(other.definition))}
    lines = []
    for key, value in other.chosen.items():
        if one.chosen[key] != value:
            part = rules[key]
            lines.append(f"{part.label} ({part.rule}): {format_value(one.chosen[key])} → {format_value(value)}")
    lines += [
        line + _format_paragraph_of_difference(rules, line)
        for line in list_box_differences(collect_box_contents(one), collect_box_contents(other))
    ]
    out = make_console()
    out.print(
        f"{other.title}: {b} has {len(lines) or 'no'} {'difference' if len(lines) == 1 else 'differences'} from {a}"
    )
    for line in lines:
        out.print(f"  {line}", highlight=False)


@box_app.command("csv")
@command
def box_csv_command(
    game: GameName,
    table: Annotated[
        list[str] | None,
        typer.Option(metavar="LIST", help="Only this list of the box, such as card.", show_default=False),
    ] = None,
    box: Box = None,
    read: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Read such a table, and print the edit that it makes.", show_default=False),
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="With --read: names that the box does not have are new cards.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it there, not to the screen.", show_default=False)
    ] = None,
) -> None:
    """Print the cards of a box as a table for a spreadsheet; with --read, turn such a table into a box edit."""
    from sutler.core.files.card_table import CardTable, edit_to_toml, to_csv
    from sutler.core.play.game import load

    name = require_game_name(game)
    if read is None:
        text = to_csv(load(name, box).data, table or None)
    elif box is not None or table:
        raise CommandError("--read compares with the printed box: leave out --box and --table")
    else:
        try:
            found = CardTable(read.read_bytes().decode("utf-8-sig"), str(read), new)
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{read}: cannot be read as text in UTF-8 ({error})") from None
        edit = found.build_edit(load(name))
        text = edit_to_toml(edit) if edit else f"# {read} is as the printed box\n"
        load(name, edit)
    if out is None:
        print(text, end="")
    else:
        from sutler.lab.play.atomic_files import write_atomically

        write_atomically(out, text)
        make_console().print(f"Written to {out}", style="dim")


def _build_parts_table(parts: list[Part]) -> Table:
    """A table with a row for each part (a number or an option) of a box.

    Descriptions stand below names, so that it fits in 80 columns.
    """
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    table.add_column("name", overflow="fold")
    table.add_column("now", justify="right", no_wrap=True)
    table.add_column("bounds", justify="right", min_width=8, max_width=13)
    table.add_column("paragraph", justify="right", no_wrap=True)
    for one in parts:
        name = Text.assemble(one.name, (f"\n  {one.label}" if one.label else "", "dim"))
        table.add_row(name, one.value_text, one.bounds, one.rule)
    return table


def _format_paragraph_of_difference(parts_by_name: dict[str, Part], difference: str) -> str:
    """The guide's paragraph, in brackets, on the part of the box that a line of differences names; "" if it has none."""
    told_of = difference.split(":")[0].replace('"', "").replace(" ", ".")
    part = next((part for name, part in parts_by_name.items() if name.replace(" ", ".") == told_of), None)
    return f" ({part.rule})" if part is not None and part.rule else ""


def _find_game_of_edits(edits: list[str]) -> str:
    """The name of the only game whose box accepts these edits, found by trying all; CommandError if none or several do."""
    from sutler.core.files.box import BoxError, read_toml
    from sutler.core.play.game import load
    from sutler.core.play.registry import games

    fitting, files = [], [Path(edit) for edit in edits if edit != "base" and "=" not in edit]
    for file in files:
        read_toml(file)  # one that is not there, or no TOML, is said once and not for every game
    for name in games():
        try:
            for file in files:
                load(name, file)
        except BoxError:
            continue
        fitting.append(name)
    if len(fitting) != 1 or not files:
        raise CommandError(
            f"whose box? Say so with --game; {' and '.join(edits)} fit {', '.join(fitting) or 'no game'}"
        )
    return fitting[0]


def _count_shared_keys(edit: Any, printed_box: Any) -> float:
    """The number of keys and named entries that an edit and a printed box have in common, to tell for which game an edit is.

    One that is nearly there, as a misspelt one is, counts half.
    """
    from difflib import get_close_matches

    from sutler.core.files.box import is_named_list

    if isinstance(edit, Mapping) and isinstance(printed_box, Mapping):
        return sum(
            1 + _count_shared_keys(value, printed_box[key])
            if key in printed_box
            else len(get_close_matches(key, printed_box, n=1)) / 2
            for key, value in edit.items()
        )
    if is_named_list(edit) and is_named_list(printed_box):
        names = [str(one["name"]) for one in printed_box]
        return sum(
            1 if entry["name"] in names else len(get_close_matches(str(entry["name"]), names, n=1)) / 2
            for entry in edit
        )
    return 0
