"""`sutler box show` and `sutler box diff`: what there is to turn, and in what two boxes differ."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich import box as boxes
from rich.table import Table
from rich.text import Text

from sutler.core.differences import differences
from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble, known_game, told

if TYPE_CHECKING:
    from sutler.lab.inventory import Part


def show_box(game: str, words: str, file: Path | None) -> None:
    """Every option and number, or those whose names hold some words."""
    with told():
        from sutler.core.game import load
        from sutler.lab.inventory import near_names, parts_of

        loaded = load(known_game(game), file)
        found = parts_of(loaded)
        shown = [one for one in found if one.fits(words)]
        if not shown:
            meant = near_names(found, words)
            raise Trouble(
                f"nothing in the box of {loaded.name} is called {words!r}; it has {len(found)} numbers and options."
                + (f" Did you mean {' or '.join(meant)}?" if meant else "")
            )
        console().print(f"{loaded.title}: {len(shown)} of {len(found)} numbers and options", style="bold")
        console().print(_listed(shown))
        console().print(
            "Paragraph: of the rule that reads it (sutler guide GAME 5.4); cf.: the one that speaks most of it.\n"
            f"Turn one with --set NAME=VALUE, or in a file: sutler play {loaded.name} --box FILE",
            style="dim",
        )


def _listed(parts: list[Part]) -> Table:
    """A row each; what an option is for stands under its name, so that 80 columns will do."""
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    table.add_column("name", overflow="fold")
    table.add_column("now", justify="right", no_wrap=True)
    table.add_column("bounds", justify="right", min_width=8, max_width=13)
    table.add_column("paragraph", justify="right", no_wrap=True)
    for one in parts:
        name = Text.assemble(one.name, (f"\n  {one.label}" if one.label else "", "dim"))
        table.add_row(name, one.now, one.bounds, one.rule)
    return table


def diff_boxes(a: str, b: str, game: str | None) -> None:
    """What the second box has otherwise than the first, in words: `base`, files, or KEY=VALUE; a game's name is its printed box."""
    with told():
        from sutler.core.game import Game
        from sutler.core.registry import games
        from sutler.lab.inventory import box_contents, parts_of, value_in_words
        from sutler.terminal.compare import side

        if named := next((edit for edit in (a, b) if edit in games()), ""):
            game = game or named
            a, b = ("base" if edit == game else edit for edit in (a, b))
        name = known_game(game) if game else _whose([a, b])
        one, other = (side(name, [edit], [], "A" if edit is a else "B") for edit in (a, b))
        rules = {part.name: part for part in parts_of(Game(other.definition))}
        lines = []
        for key, value in other.chosen.items():
            if one.chosen[key] != value:
                part = rules[key]
                lines.append(f"{part.label} ({part.rule}): {value_in_words(one.chosen[key])} → {value_in_words(value)}")
        lines += [line + _paragraph(rules, line) for line in differences(box_contents(one), box_contents(other))]
        out = console()
        out.print(
            f"{other.title}: {b} has {len(lines) or 'no'} {'difference' if len(lines) == 1 else 'differences'} from {a}"
        )
        for line in lines:
            out.print(f"  {line}", highlight=False)


def _paragraph(rules: dict[str, Part], line: str) -> str:
    """The paragraph of what a line tells of, if it has one."""
    told_of = line.split(":")[0].replace('"', "").replace(" ", ".")
    part = next((part for name, part in rules.items() if name.replace(" ", ".") == told_of), None)
    return f" ({part.rule})" if part is not None and part.rule else ""


def _whose(edits: list[str]) -> str:
    """Whose box the files are, found out by trying; Trouble where that is not one game's."""
    from sutler.core.box import BoxError, read_toml
    from sutler.core.game import load
    from sutler.core.registry import games

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
        raise Trouble(f"whose box? Say so with --game; {' and '.join(edits)} fit {', '.join(fitting) or 'no game'}")
    return fitting[0]
