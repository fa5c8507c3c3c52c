"""`sutler new-game`: copy the smallest complete game, Market, under a new name into a project of its own."""

from __future__ import annotations

import keyword
import re
import shutil
from pathlib import Path
from typing import Annotated

import typer

import sutler
from sutler.cli.console import make_console
from sutler.cli.errors import CommandError
from sutler.cli.options import command

INSTALLED = Path(sutler.__file__).parent / "smallest"
FIRST_CARD_GAME = Path(sutler.__file__).parent / "cardkit" / "first_game.toml"
CHECKOUT = Path(sutler.__file__).parents[2]
PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "sutler-{name}"
version = "0.1.0"
description = "{title} for Sutler."
requires-python = ">=3.11"
dependencies = ["sutler"]

[project.optional-dependencies]
test = ["sutler[contract]"]

# A shelf: a package whose folders are games. Sutler looks there; nothing else has to be told.
[project.entry-points."sutler.games"]
{name} = "sutler_{name}"

[tool.hatch.build.targets.wheel]
packages = ["sutler_{name}"]
"""
README = """\
# {title}

A game for Sutler. The game is `sutler_{name}/{name}`; what each of its files is for stands in Sutler's docs/write-a-game.md.

```sh
pip install -e ".[test]"                      # from now on Sutler finds it
sutler play {name}                            # in the terminal; `sutler serve` for the browser
pytest tests                                  # a test of each paragraph
pytest --pyargs sutler.contract -k {name}     # what every game is held to
```

Not installed, it is found where SUTLER_GAMES says: `SUTLER_GAMES=sutler_{name} sutler play {name}` in this folder, and
the same before `pytest`.

Change one thing after the other, in `sutler_{name}/{name}`, and play after each: what a ware costs in `box.toml`; a
paragraph of `guide.md` with its rule in `rules.py` and its test in `tests/`; an action, its row in `box.py` first; what
the state holds (`STATE` in `rules.py`); what one sees (`view.py`, `labels.py`, `board/`); and what bots think it is worth
(`evaluate` in `rules.py`).
"""


@command
def new_game_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A word of small letters and digits, such as harvest.")],
    into: Annotated[
        Path, typer.Option("--into", metavar="FOLDER", help="Where the project's folder is made.")
    ] = Path(),
    cards: Annotated[
        bool, typer.Option("--cards", help="A card game in one file, without programming; it plays at once.")
    ] = False,
) -> None:
    """Begin a game of your own: a small complete one to change, with its tests, in a project that Sutler finds once installed."""
    if not is_valid_game_name(name):
        raise CommandError(f"{name!r} will not do: a word of small letters and digits, such as harvest")
    if name in sutler.games():
        raise CommandError(f"there is a game called {name!r} already; choose another name")
    if cards:
        _write_card_game_file(name, into / f"{name}.toml")
        return
    project = into / name
    if project.exists():
        raise CommandError(f"{project} is there already; choose another name, or another folder with --into")
    game, tests = find_market_folders()
    shelf = project / f"sutler_{name}"
    shelf.mkdir(parents=True)
    title = name.capitalize()
    (shelf / "__init__.py").write_text(f'"""A shelf with one game on it: {title}."""\n', encoding="utf-8")
    (project / "pyproject.toml").write_text(PROJECT.format(name=name, title=title), encoding="utf-8")
    (project / "README.md").write_text(README.format(name=name, title=title), encoding="utf-8")
    copy_game_folder(game, shelf / name, name)
    copy_game_folder(tests, project / "tests", name, f"SUTLER_GAMES=sutler_{name} pytest tests")
    out = make_console()
    out.print(f"{project}: a copy of Market under your name, and a project round it. Play it as it stands:")
    out.print(f"  SUTLER_GAMES={shelf} sutler play {name}")
    out.print(
        f"or install it (pip install -e {project}); then `sutler play {name}`. What to change first stands in its README."
    )


def _write_card_game_file(name: str, file: Path) -> None:
    """Write the file of a complete small card game with comments on each part, and print how to play it."""
    if file.exists():
        raise CommandError(f"{file} is there already; choose another name, or another folder with --into")
    text = FIRST_CARD_GAME.read_text(encoding="utf-8")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text.replace("TITLE", name.capitalize()).replace("FILE", str(file)), encoding="utf-8")
    out = make_console()
    out.print(f"{file}: a card game with remarks, yours to change. It plays as it stands:", soft_wrap=True)
    out.print(f"  sutler play {file}      in this window", soft_wrap=True)
    out.print(f"  sutler serve {file}     in the browser", soft_wrap=True)


def find_market_folders() -> tuple[Path, Path]:
    """(folder of the game Market, folder of its tests), in the installed package or in the project's tree."""
    if INSTALLED.is_dir():
        return INSTALLED / "market", INSTALLED / "tests"
    return CHECKOUT / "examples" / "market", CHECKOUT / "tests" / "games" / "market"


def is_valid_game_name(name: str) -> bool:
    """Is this a word of small letters and digits that begins with a letter and is not a Python keyword?"""
    return bool(re.fullmatch(r"[a-z][a-z0-9]*", name)) and not keyword.iskeyword(name)


def copy_game_folder(source: Path, target: Path, name: str, test_command: str = "pytest tests/games/market") -> None:
    """Copy a folder of the game Market or its tests, with the game's name replaced by `name` in all files.

    `test_command`: the command that runs the tests, written in place of Market's.
    """
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    for path in sorted(target.rglob("*")):
        if path.is_file():
            text = path.read_text(encoding="utf-8").replace("sutler.games.market", f"sutler.games.{name}")
            text = text.replace("SUTLER_GAMES=examples pytest tests/games/market", test_command)
            text = text.replace("SUTLER_GAMES=examples", "SUTLER_GAMES, or installed")
            text = text.replace("Market", name.capitalize()).replace('"market"', f'"{name}"')
            path.write_text(text.replace("tests/games/market", f"tests/games/{name}"), encoding="utf-8")
            if path.name == "test_market.py":
                path.rename(path.with_name(f"test_{name}.py"))
