"""The public face of each game: what scripts, bots and files outside this repository name. It stands in `golden/public-face.toml`.

Of each game: the keys of its view, its actions with their named parts, its kinds of events with theirs, and the fields of its scenarios.
Keys of the view are written as paths: `seats[].hand[].name`; a `{card}` stands for any name of that list of the box.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import sutler
from sutler.contract.helpers import walk
from sutler.core.files.scenario import FIELDS_NOT_FROM_FILES, Scenario, read_game_scenarios
from sutler.core.play.game import Game
from sutler.core.play.position import Position
from sutler.core.record import Record

FILE = Path(__file__).parents[1] / "golden" / "public-face.toml"
DECISIONS = 120
EACH = 12
"""Decisions between one position of a seeded game that is looked at and the next."""
SEEDS = (1, 2)
ADVICE = (
    "this is a change of the public face: scripts, bots or files of others may name what is gone or renamed. If it is meant, "
    "regenerate with `python tools/golden.py` (make golden), and add a line to CHANGELOG.md that says what to write instead"
)
HEAD = """# What others name: keys of views, actions, kinds of events, fields of scenarios. Printed by `make golden`.
# A change here is a change of the public face and wants a line in CHANGELOG.md.
"""


def written() -> str:
    """The whole file, as it is today."""
    return HEAD + "".join(_section(name) for name in sutler.games())


def kept() -> dict[str, dict[str, list[str]]]:
    """What stands in the file: by game and by part of its face, the names."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def face(name: str) -> dict[str, list[str]]:
    """The face of one game as it is today."""
    game = sutler.load(name)
    table = game.definition
    return {
        "view": sorted({path for pos in positions(game) for view in views(pos) for path in paths(view, game)}),
        "actions": [_named(block, row.kinds) for block, row in table.actions.blocks.items()],
        "events": [_named(kind, (name for name, _ in row.parts)) for kind, row in table.events.events.items()],
        "scenario": [*(one for one in Scenario.model_fields if one != "state"), *_fields(table.state, "state.")],
    }


def difference(name: str, known: Mapping[str, list[str]]) -> str:
    """What differs from the face that is kept, and what to do about it; "" where nothing does."""
    lines = []
    for part, now in face(name).items():
        before = known.get(part, [])
        lines += [f"{name}: {part}: {one!r} is gone" for one in before if one not in now]
        lines += [f"{name}: {part}: {one!r} is new" for one in now if one not in before]
    return "\n".join([*lines, ADVICE]) if lines else ""


# --- What is looked at ---


def positions(game: Game) -> Iterator[Position]:
    """Positions of a few seeded games, at the fewest and the most seats, to their ends where these are near; and its scenarios."""
    for seats in sorted({game.min_seats, game.max_seats}):
        for seed in SEEDS:
            for number, pos in enumerate(walk(game.new(seats, seed), seed, DECISIONS)):
                if number % EACH == 0:
                    yield pos
    for path in sorted((game.folder / "scenarios").glob("*.toml")):
        if not read_game_scenarios(game.folder)[path.stem].until:  # a course that leads there would take long
            yield game.new(position=path)


def views(pos: Position) -> Iterator[dict[str, Any]]:
    """What each seat sees, and a watcher."""
    yield from (pos.view(seat) for seat in (*range(pos.n_seats), None))


def paths(value: Any, game: Game, at: str = "") -> Iterator[str]:
    """The path of every key."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            path = f"{at}.{_key(str(key), game)}".removeprefix(".")
            yield path
            yield from paths(inner, game, path)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from paths(inner, game, f"{at}[]")


def _key(key: str, game: Game) -> str:
    """The key; where it is no identifier but a name of the box, the kind of that name."""
    if key.isidentifier() and key.islower():
        return key
    kinds = [kind for kind, listed in game.names.items() if key in listed]
    return f"{{{kinds[0]}}}" if kinds else "{n}" if key.isdecimal() else "{}"


def _fields(record: Record, at: str) -> Iterator[str]:
    for one in record.fields:
        if one.name not in FIELDS_NOT_FROM_FILES:
            path = f"{at}{one.name}{'[]' * len(one.shape)}"
            yield path
            if isinstance(one.type, Record):
                yield from _fields(one.type, f"{path}.")


def _named(name: str, parts: Any) -> str:
    return f"{name} {' '.join(parts)}".strip()


def _section(name: str) -> str:
    lines = [f"\n[{name}]\n"]
    for part, found in face(name).items():
        lines += [f"{part} = [\n", *(f'    "{one}",\n' for one in found), "]\n"]
    return "".join(lines)
