"""`sutler games`, `sutler guide` and `sutler box check`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich import box as boxes
from rich.table import Table
from rich.text import Text

from sutler.cli.drawing import console, paragraph_text
from sutler.cli.errors import Trouble, known_game, told
from sutler.core.box import is_named_list
from sutler.core.differences import differences

FOUND = 12
"""So many paragraphs a search shows; the fittest come first."""
WEIGHTS = ("", "light", "easy", "middling", "heavy", "very heavy")


def show_games() -> None:
    """A table of the games."""
    with told():
        from sutler.core.box import Info, options_of, read_toml, validated
        from sutler.core.registry import folder_of, games

        table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
        table.add_column("game", style="bold", no_wrap=True)
        table.add_column("what it is", max_width=44)
        table.add_column("players", no_wrap=True)
        table.add_column("minutes", no_wrap=True)
        table.add_column("weight", no_wrap=True)
        table.add_column("options")
        for name in games():
            sheet = read_toml(folder_of(name) / "box.toml")
            info = validated(Info, sheet.get("game", {}), f"{name}/box.toml [game]")
            low, high = info.seats
            what = Text(info.title, "bold").append(f", {info.designer}\n", "dim").append(info.tagline, "not bold")
            weight = WEIGHTS[info.weight] if 0 < info.weight < len(WEIGHTS) else str(info.weight)
            options = ", ".join(options_of(sheet, f"{name}/box.toml"))
            table.add_row(name, what, f"{low}–{high}" if low < high else str(low), info.minutes, weight, options)
        console().print(table)
        console().print("sutler play GAME · sutler guide GAME · sutler serve", style="dim")


def show_guide(game: str, what: str) -> None:
    """Chapters, a paragraph, a chapter, or a search."""
    with told():
        from sutler.core.guide import Guide
        from sutler.core.registry import folder_of

        name = known_game(game)
        found = Guide.load(folder_of(name) / "guide.md")
        out = console()
        what = what.strip().removeprefix("§")
        if not what:
            out.print(Text(found.title, "bold"))
            for number, title in found.chapters.items():
                out.print(Text(f"{number:>3}  ", "bold").append(title, "not bold"))
                for paragraph in found.chapter(number):
                    out.print(f"       {paragraph.number}  {paragraph.title}", style="dim")
            return
        one = found.find(what)
        listed = [one] if one else found.chapter(what) if what.isdigit() else found.search(what)[:FOUND]
        if not listed:
            raise Trouble(f"the guide of {name} has no paragraph {what!r} and none with these words")
        for paragraph in listed:
            out.print(paragraph_text(paragraph.number, paragraph.chapter, paragraph.text, paragraph.kind))


def check_box(file: Path, game: str | None) -> None:
    """Check a box edit; list the differences."""
    with told():
        from sutler.core.box import BoxError, read_toml
        from sutler.core.game import Game
        from sutler.core.registry import definition, games

        edit = read_toml(file)  # what is no TOML at all is said once, not for every game
        faults: dict[str, str] = {}
        fitting = []
        for name in [known_game(game)] if game else games():
            try:
                fitting.append(Game(definition(name), file))
            except BoxError as error:
                faults[name] = str(error)
        if not fitting:
            nearest = max(faults, key=lambda name: (_shared(edit, definition(name).printed), -len(faults[name])))
            raise Trouble(f"{file} fits no game.\n{faults[nearest]}" if not game else faults[nearest])
        printed = {one.name: Game(one.definition).sheet.model_dump() for one in fitting}
        changes = {one.name: list(differences(printed[one.name], one.sheet.model_dump())) for one in fitting}
        if len(fitting) > 1:
            raise Trouble(f"{file} fits {' and '.join(changes)}; say which with --game")
        (name, lines), out = next(iter(changes.items())), console()
        differing = f"{len(lines)} {'difference' if len(lines) == 1 else 'differences'}"
        out.print(f"{file}: a good box for {fitting[0].title}, {differing} from the printed one")
        for line in lines:
            out.print(f"  {line}")
        out.print(f"sutler play {name} --box {file}", style="dim")


def _shared(edit: Any, printed: Any) -> int:
    """How many of an edit's keys and named entries a printed box has: which game it was meant for."""
    if isinstance(edit, Mapping) and isinstance(printed, Mapping):
        return sum(1 + _shared(value, printed[key]) for key, value in edit.items() if key in printed)
    if is_named_list(edit) and is_named_list(printed):
        return sum(entry["name"] in {one["name"] for one in printed} for entry in edit)
    return 0
