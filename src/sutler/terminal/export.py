"""`sutler export`: games as decisions, in one Parquet file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble, known_game, settings_from, told


def export_games(
    to: Path,
    sources: list[str],
    game: str | None,
    bots: str,
    games: int,
    seats: int | None,
    seed: int,
    settings: list[str],
    box: Path | None,
) -> None:
    """From game files, or from games that bots play now."""
    with told():
        if to.suffix != ".parquet" or not to.resolve().parent.is_dir():
            raise Trouble(f"{to}: name a file that ends in .parquet, in a folder there is")
        houses = [one for one in sources if _is_house(one)]
        if houses and (len(houses) < len(sources) or not game):
            raise Trouble("from a house's tables: name its database alone, and with --game which game")
        if bool(sources) == bool(game) and not houses:
            raise Trouble("name game files, or with --game what bots shall play: one of the two")
        from sutler.bots import bots_from
        from sutler.core.game import load
        from sutler.lab.play.export import Played, export, from_bots, from_files
        from sutler.terminal.progress import Bar

        found: Iterable[Played]
        if houses and game:
            from sutler.terminal.archive import counted_games

            name = known_game(game)
            given = [one for house in houses for one in counted_games(house, name)]
            if not given:
                raise Trouble(f"no game of {name} that is over was opened to be counted in the lab")
            most, found = len(given), given
        elif game:
            loaded = load(known_game(game), box, settings_from(settings))
            most, found = games, from_bots(loaded, bots_from(bots), games, seed, seats)
        else:
            files = list(_files(sources))
            most, found = len(files), from_files(files)
        with Bar(most, "games") as bar:
            n_games, n_rows = export(found, to, lambda done: bar.to(done, most))
        console().print(f"{to}: {n_rows:,} decisions of {n_games:,} games")


def _is_house(source: str) -> bool:
    """Is this a database, by file or by URL?"""
    return "://" in source or Path(source).suffix in (".sqlite", ".db")


def _files(sources: list[str]) -> Iterator[Path]:
    for one in map(Path, sources):
        if one.is_dir():
            yield from sorted(one.rglob("*.json"))
        elif one.is_file():
            yield one
        else:
            raise Trouble(f"{one}: there is no such file or folder")
