"""`sutler export`: write every decision of games as rows of a Parquet or Arrow file, for learning programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError, parse_settings, require_game_name
from sutler.cli.options import PlayersAndBox, Seed, command
from sutler.cli.progress import Bar

if TYPE_CHECKING:
    from sutler.lab.play.export import Played


@dataclass(frozen=True)
class Written:
    """The options for how observations are written."""

    encoding: Annotated[str, typer.Option(help="Observations as they are (raw), scaled or onehot.")] = "raw"
    compact: Annotated[bool, typer.Option(help="Of bots' games: leave out the seats that nobody sits in.")] = False


@command
def export_command(
    to: Annotated[Path, typer.Argument(metavar="FILE", help="Where the decisions go: FILE.parquet, or FILE.arrow.")],
    players: PlayersAndBox,
    written: Written,
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAMES", help="Game files, folders of them, or a house's database; none: bots play now."
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="What bots play, or what is taken from a house.", show_default=False),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    seed: Seed = None,
) -> None:
    """Write every decision of games into one file: what the seat knew, what was legal, what it did, how the game ended."""
    from sutler.lab.play.decision_files import SUFFIXES

    if to.suffix not in SUFFIXES or not to.resolve().parent.is_dir():
        raise CommandError(f"{to}: name a file that ends in {' or '.join(SUFFIXES)}, in a folder there is")
    files = sources or []
    houses = [one for one in files if _is_server_database(one)]
    if houses and (len(houses) < len(files) or not game):
        raise CommandError("from a house's tables: name its database alone, and with --game which game")
    if bool(files) == bool(game) and not houses:
        raise CommandError("name game files, or with --game what bots shall play: one of the two")
    from sutler.bots import parse_bots
    from sutler.core.learners.encoding import KINDS
    from sutler.core.play.game import load
    from sutler.lab.play.export import export as write
    from sutler.lab.play.export import export_bots, iter_games_from_files

    if written.encoding not in KINDS:
        raise CommandError(f"--encoding {written.encoding}: it is one of {', '.join(KINDS)}")
    kind = next(one for one in KINDS if one == written.encoding)
    if game and not houses:
        loaded = load(require_game_name(game), players.box, parse_settings(players.set_ or []))
        coded: Any = {"encoding": kind, "compact": written.compact, "seats": players.seats, "seed": seed or 1}
        with Bar(games, "games") as bar:
            said = export_bots(
                loaded, parse_bots(players.bots), games, to, progress=lambda n: bar.update_count(n, games), **coded
            )
        make_console().print(f"{to}: {said[1]:,} decisions of {said[0]:,} games")
        return
    found: Iterable[Played]
    if houses and game:
        found = given = _read_house_games(houses, require_game_name(game))
        most = len(given)
    else:
        paths = list(_find_game_files(files))
        most, found = len(paths), iter_games_from_files(paths)
    with Bar(most, "games") as bar:
        n_games, n_rows = write(found, to, lambda done: bar.update_count(done, most), kind)
    make_console().print(f"{to}: {n_rows:,} decisions of {n_games:,} games")


def _read_house_games(databases: list[str], name: str) -> Sequence[Played]:
    """The finished games of `name` in these servers' databases that count in the lab. CommandError where there is none."""
    from sutler.cli.kept_games import read_counted_games

    given = [one for database in databases for one in read_counted_games(database, name)]
    if not given:
        raise CommandError(f"no game of {name} that is over was opened to be counted in the lab")
    return given


def _is_server_database(source: str) -> bool:
    """Is this source a server's database, by its file's ending or as a URL?"""
    return "://" in source or Path(source).suffix in (".sqlite", ".db")


def _find_game_files(sources: list[str]) -> Iterator[Path]:
    """Yield the game files that these paths name, those in folders included; CommandError for a path that does not exist."""
    for one in map(Path, sources):
        if one.is_dir():
            yield from sorted(one.rglob("*.json"))
        elif one.is_file():
            yield one
        else:
            raise CommandError(f"{one}: there is no such file or folder")
