"""Bellum on paper: the map, leaders, tokens and tiles, tracks and years (`core.play.pieces`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.play.pieces import Kind, Piece, Sheets
from sutler.games.bellum.box import SIZE_NAMES, SYMBOLS

if TYPE_CHECKING:
    from sutler.core.play.game import Game

SCALE = 0.3625
"""Millimetres for each unit of the drawing, so that a hex is 21 mm wide."""
EDGE = 16
"""The margins of the drawing on both sides together, in its units."""
CHIP = (14.0, 14.0)
TILE = (18.0, 18.0)
TOKENS = 32
"""How many tokens are printed for each power; the rules have no limit (2.2)."""
SIEGES, RESISTANCES, WASTE = 6, 4, 24
"""How many siege tiles of each symbol, resistance tiles of each number, and tiles for pillaged areas are printed."""
MARKERS = 6
"""The number of commitment markers of each power: 1 to 6, which add up to 21, the most that can be committed (8.1)."""


def sheets(game: Game) -> Sheets:
    """All pieces to print; the map is that of a game with the best number of seats."""
    view = game.new(game.best_seats, seed=0).view(None)
    size = (round((view["map"]["width"] + EDGE) * SCALE, 1), round((view["map"]["height"] + EDGE) * SCALE, 1))
    powers = {name: view["tinctures"][name] for name in view["powers"]}
    commits = tuple(
        Piece(f"{power} {n}", 1, {"tint": tint, "n": n}, power)
        for power, tint in powers.items()
        for n in range(1, MARKERS + 1)
    )
    resistances = sorted({one.resistance for one in game.sheet.round})
    kinds = (
        Kind("leader", "Leaders", "leader", (22.0, 25.0), _leader_pieces(view), back="leader_back"),
        Kind("tile", "City tiles", "tile", TILE, _tile_pieces(game), back="tile", note=SHRINKS),
        Kind(
            "commitment",
            "Commitments",
            "commit",
            CHIP,
            commits,
            back="power_back",
            note="Chosen in secret, shown together (8.1).",
        ),
        Kind("map", "The map", "map", size, (Piece("The map"),)),
        Kind("years", "The years", "years", (95.0, 262.0), (Piece("The years"),)),
        Kind("tracks", "Tracks", "tracks", (190.0, 58.0), _track_pieces(game, view)),
        Kind(
            "token",
            "Influence tokens",
            "token",
            (12.5, 14.0),
            tuple(Piece(name, TOKENS, tint) for name, tint in powers.items()),
            note="Upright or tilted; no upper limit (2.2): print more if you need.",
        ),
        Kind(
            "pointer",
            "Markers of the tracks",
            "pointer",
            CHIP,
            tuple(
                Piece(f"{name}, {track}", 1, {"power": name, "tint": tint, "track": track})
                for name, tint in powers.items()
                for track in ("supply", "strength")
            ),
        ),
        Kind("siege", "Siege tiles", "siege", CHIP, tuple(Piece(one, SIEGES, one) for one in SYMBOLS)),
        Kind(
            "resistance", "Resistance tiles", "number", CHIP, tuple(Piece(str(n), RESISTANCES, n) for n in resistances)
        ),
        Kind("waste", "Areas laid waste", "waste", CHIP, (Piece("laid waste", WASTE),)),
        Kind("year", "The year", "year", CHIP, (Piece("the year"),)),
    )
    return Sheets(view, kinds)


SHRINKS = "Turned over when a city shrinks (9.4); a spare one when it shrinks again."


def _leader_pieces(view: Any) -> tuple[Piece, ...]:
    """The leaders as pieces."""
    found = []
    for i, one in enumerate(view["leaders"]):
        told = {
            "power": one["power"],
            "tint": view["tinctures"][one["power"]],
            "full": one["full"],
            "cypher": one["cypher"],
        }
        found.append(Piece(one["name"], 1, told | {"figure": i % 2}, told))
    return tuple(found)


def _tile_pieces(game: Game) -> tuple[Piece, ...]:
    """The city tiles of each size, each with the next smaller size on its back, and spare ones of the smallest size."""
    rules = game.sheet.rules

    def face(size: int) -> dict[str, Any]:
        supply, defence = rules.city_supply[size], rules.city_defence[size]
        return {"size": SIZE_NAMES[size], "number": size, "supply": supply, "defence": defence}

    tiles = [Piece(SIZE_NAMES[size], rules.city_tiles[size - 1], face(size), face(size - 1)) for size in (1, 2, 3)]
    spare = rules.city_tiles[1] + rules.city_tiles[2]
    return (*tiles, Piece(f"{SIZE_NAMES[1]}, spare", spare, face(1), face(0)))


def _track_pieces(game: Game, view: Any) -> tuple[Piece, ...]:
    """The supply and strength tracks of each power."""
    rules = game.sheet.rules
    found = []
    for name, one in view["powers"].items():
        leaders = [leader["full"] for leader in view["leaders"] if leader["power"] == name]
        told = {"tint": view["tinctures"][name], "leaders": leaders, "hq": one["hq"]}
        found.append(Piece(name, 1, told | {"supply": rules.start_supply, "strength": rules.start_strength}))
    return tuple(found)
