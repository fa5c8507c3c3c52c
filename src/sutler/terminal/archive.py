"""`sutler games check`: an archive of games, played again by the rules and boxes of today."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble, told

if TYPE_CHECKING:
    from sutler.core.position import Position
    from sutler.web.storage.store import Kept
    from sutler.web.table.room import Room


def check_archive(archive: str) -> None:
    """One line a game that breaks; how many there are; exit code 1 when one does."""
    with told():
        out, games, breaks = console(), 0, 0
        for name, trouble in results(archive):
            games += 1
            if trouble:
                breaks += 1
                out.print(f"{name}: {trouble}", markup=False, highlight=False)
        if not games:
            raise Trouble(f"{archive}: there are no games in it")
        out.print(f"{games} games, {games - breaks} play again to the byte, {breaks} do not.")
        if breaks:
            raise typer.Exit(1)


def results(archive: str) -> Iterator[tuple[str, str]]:
    """(name, what is wrong with it or "") of every game in a folder of game files, a file, or a table's database."""
    path = Path(archive)
    if path.is_dir():
        yield from ((str(one.relative_to(path)), _of_file(one)) for one in sorted(path.rglob("*.json")))
    elif path.suffix == ".json":
        yield path.name, _of_file(path)
    elif path.is_file():
        yield from _of_database(f"sqlite:///{path}")
    elif ":" in archive:
        yield from _of_database(archive)
    else:
        raise Trouble(f"{archive}: there is no such file or folder")


def _of_file(path: Path) -> str:
    from sutler.core.gamefile import GameFileError, parsed
    from sutler.core.replay import as_far_as_it_goes
    from sutler.terminal.replay import prefer_plain

    prefer_plain(path)
    try:
        _, broken = as_far_as_it_goes(parsed(path.read_text(encoding="utf-8"), "it"), "it")
    except (GameFileError, OSError, UnicodeDecodeError) as error:
        return f"cannot be opened: {str(error).removeprefix('it: ')}"
    return "" if broken is None else str(broken)


def counted_games(archive: str, game: str) -> Iterator[tuple[str, Position, list[str]]]:
    """The games of this title at a house's tables that are over and that everybody knew might be counted: what the table is called,
    the position at the end, and who sat where: "person", or which bot."""
    for room, _ in counted_rooms(archive, game):
        yield room.id, room.pos, [one.level if one.kind == "bot" else "person" for one in room.created.seats]


def counted_rooms(archive: str, game: str) -> Iterator[tuple[Room, list[Kept]]]:
    """The tables of these games, each with all that was kept of it."""
    from sutler.web.events import Created
    from sutler.web.shelf import Shelf
    from sutler.web.storage.store import Store
    from sutler.web.table.registry import House
    from sutler.web.table.room import Room

    house = House(Store(f"sqlite:///{archive}" if Path(archive).is_file() else archive), Shelf())
    try:
        for table in house.store.tables():
            kept = house.store.events(table)
            created = kept[0].event
            if isinstance(created, Created) and created.game == game and created.counts and not created.lesson:
                room = Room.from_events(house, table, kept)
                if room.pos.over and room.broken is None:
                    yield room, kept
    finally:
        house.close()


def _of_database(url: str) -> Iterator[tuple[str, str]]:
    from sutler.web.errors import Trouble as Refusal
    from sutler.web.shelf import Shelf
    from sutler.web.storage.store import Store
    from sutler.web.table.registry import House
    from sutler.web.table.room import Room

    house = House(Store(url), Shelf())
    try:
        for table in house.store.tables():
            try:
                room = Room.from_events(house, table, house.store.events(table))
            except (Refusal, ValueError) as error:
                yield table, f"cannot be opened: {error}"
            else:
                yield f"{table} ({room.created.game})", "" if room.broken is None else str(room.broken)
    finally:
        house.close()
