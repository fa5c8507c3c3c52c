"""The whole game as a file: written for download, read from an upload and laid out to be replayed."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sutler.web.house import House
from sutler.web.protocol import MAX_FILE, Acted, Created, Ended, Event, SeatPlan, Secret, Trouble
from sutler.web.rooms import Room


class BadFile(Trouble):
    """A file that is no game."""

    status = 422


def written(room: Room) -> bytes:
    """The game file of a room, once nobody plays there any more: the seed and all actions are in it, links are not."""
    if room.running:
        raise Secret("The file of a game holds every card and die of it. It is given out when the game is over.")
    with room.lock, TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        room.pos.save(path)
        return path.read_bytes()


def laid_out(house: House, data: bytes) -> Room:
    """A table on which an uploaded game lies, to be replayed. The rules check every move of it."""
    if len(data) > MAX_FILE:
        raise BadFile("This file is too large to be a game.")
    try:
        raw = json.loads(data)
    except (ValueError, RecursionError):
        raise BadFile("This is not a game file: it cannot be read as JSON.") from None
    if not isinstance(raw, dict):
        raise BadFile("This is not a game file: a game, its seed and its actions are missing.")
    house.shelf.game(str(raw.get("game", "")))  # a game nobody knows is refused here, in words
    pos = _read(data)
    seats = tuple(SeatPlan(kind="file", name=(str(name).strip() or "Seat")[:24]) for name in pos.names)
    chosen = dict(pos.game.changed_options().items())
    created = Created(game=pos.game.name, options=chosen, seed=pos.seed, seats=seats, box_toml="", open_to_watch=True)
    events: list[Event] = [
        Acted(decision=i, seat=one.seat, action=str(pos.game.action_names[one.action].name))
        for i, one in enumerate(pos.decisions)
    ]
    if pos.over:
        events.append(Ended(scores=tuple(float(score) for score in pos.scores())))
    return house.lay_out(created, events)


def _read(data: bytes) -> Any:
    from sutler import read_game_file

    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        path.write_bytes(data)
        try:
            return read_game_file(path)
        except Trouble:
            raise
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, OSError) as error:
            told = str(error).replace(str(path), "the file")
            raise BadFile(f"This game cannot be replayed: {told}") from None
