"""Kept games, in files or in a server's database: replayed under today's rules, or read for the lab."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sutler.cli.errors import CommandError

if TYPE_CHECKING:
    from sutler.core.play.position import Position
    from sutler.web.storage.store import StoredEvent
    from sutler.web.table.room import Room


def check_archive_replays(archive: str) -> Iterator[tuple[str, str]]:
    """Yield (name, fault) for each game in an archive: a folder of game files, one file, or a server's database (file or URL).

    The fault is "" where the game replays exactly.
    """
    path = Path(archive)
    if path.is_dir():
        yield from ((str(one.relative_to(path)), _find_replay_fault(one)) for one in sorted(path.rglob("*.json")))
    elif path.suffix == ".json":
        yield path.name, _find_replay_fault(path)
    elif path.is_file():
        yield from _check_database_replays(f"sqlite:///{path}")
    elif ":" in archive:
        yield from _check_database_replays(archive)
    else:
        raise CommandError(f"{archive}: there is no such file or folder")


def _find_replay_fault(path: Path) -> str:
    """The reason why a game file does not replay exactly, in words; "" if it does."""
    from sutler.cli.play_commands.replay import prefer_plain_rules
    from sutler.core.files.gamefile import GameFileError, parse_game_file
    from sutler.core.files.replay import replay_to_break

    prefer_plain_rules(path)
    try:
        _, broken = replay_to_break(parse_game_file(path.read_text(encoding="utf-8"), "it"), "it")
    except (GameFileError, OSError, UnicodeDecodeError) as error:
        return f"cannot be opened: {str(error).removeprefix('it: ')}"
    return "" if broken is None else str(broken)


def read_counted_games(archive: str, game: str) -> Iterator[tuple[str, Position, list[str]]]:
    """Yield the finished games of the game `game` in a server's database whose players agreed that the lab may count them.

    Each is (table's name, position at the end, who sat in each seat: "person" or a bot's level).
    """
    for room, _ in read_counted_rooms(archive, game):
        yield room.id, room.pos, [one.level if one.kind == "bot" else "person" for one in room.created.seats]


def read_counted_rooms(archive: str, game: str) -> Iterator[tuple[Room, list[StoredEvent]]]:
    """Yield (room, all its stored events) for each game that `read_counted_games` yields."""
    from sutler.web.events import Created
    from sutler.web.game_shelf import Shelf
    from sutler.web.storage.store import Store
    from sutler.web.table.registry import House
    from sutler.web.table.room import Room

    house = House(Store(f"sqlite:///{archive}" if Path(archive).is_file() else archive), Shelf())
    try:
        for table in house.store.list_tables():
            kept = house.store.load_events(table)
            created = kept[0].event
            if isinstance(created, Created) and created.game == game and created.counts and not created.lesson:
                room = Room.load_from_events(house.services, table, kept)
                if room.pos.over and room.broken is None:
                    yield room, kept
    finally:
        house.close()


def _check_database_replays(url: str) -> Iterator[tuple[str, str]]:
    """Yield (table's name, fault) for each game in a server's database; the fault is "" where it replays exactly."""
    from sutler.web.errors import RequestError as Refusal
    from sutler.web.game_shelf import Shelf
    from sutler.web.storage.store import Store
    from sutler.web.table.registry import House
    from sutler.web.table.room import Room

    house = House(Store(url), Shelf())
    try:
        for table in house.store.list_tables():
            try:
                room = Room.load_from_events(house.services, table, house.store.load_events(table))
            except (Refusal, ValueError) as error:
                yield table, f"cannot be opened: {error}"
            else:
                yield f"{table} ({room.created.game})", "" if room.broken is None else str(room.broken)
    finally:
        house.close()
