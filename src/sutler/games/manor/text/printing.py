"""Medieval Manor on paper: cards, lands, tokens and a mat for each seat, as pieces to print (`core.play.pieces`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.play.pieces import CARD, Kind, Piece, Sheets
from sutler.games.manor.box import HARDSHIP, KIND_NAMES, STAGE_NAMES, TYPE_NAMES
from sutler.games.manor.card_texts import printed_cards, tokens_by_name

if TYPE_CHECKING:
    from sutler.core.play.game import Game

LAND_SIZE = (95.0, 92.0)
"""Width and height of a land in millimetres. A card covers the right part of a land and leaves the land's name to be read."""
MAT_SIZE = (190.0, 92.0)
CHIP_SIZE = (16.0, 16.0)
CHIPS = {
    "peasants": ((1, 36),),
    "crops": ((1, 36), (5, 18)),
    "animals": ((1, 36), (5, 18)),
    "gold": ((1, 36), (5, 12)),
    "resources": ((1, 36), (5, 12)),
    "victory": ((1, 42), (5, 12)),
}
"""The chips to print for each token, as (value, count). There are always enough tokens (1.2): the counts are this project's choice."""
SHIELDS_PER_SEAT = 8
HERALDIC_COLOURS = ("Azure", "Gules", "Or", "Sable", "Vert", "Purpure")


def sheets(game: Game) -> Sheets:
    """All pieces to print. Hardships have their own card back where they are a deck of their own (9.3)."""
    box, names = game.box, game.names
    apart = bool(box.options.hardship_deck)
    cards = tuple(
        Piece(name, entry.count, one, "hardships" if apart and one["type"] == TYPE_NAMES[HARDSHIP] else "deck")
        for entry, (name, one) in zip(game.sheet.card, printed_cards(box, names).items(), strict=True)
    )
    lands = tuple(Piece(name, 1, _land_piece(box, land, name), game.title) for land, name in enumerate(names["land"]))
    tokens = tuple(
        Piece(good if n == 1 else f"{n} {good}", count, {"good": good, "n": n})
        for good, kinds in CHIPS.items()
        for n, count in kinds
    )
    phases = [name.capitalize() for name in STAGE_NAMES]
    seats = range(game.max_seats)
    mats = tuple(
        Piece(HERALDIC_COLOURS[seat], 1, {"seat": seat, "target": int(box.options.victory), "phases": phases})
        for seat in seats
    )
    kinds = [
        Kind("card", "Cards", "card", CARD, cards, back="card_back"),
        Kind("mat", "Mats", "mat", MAT_SIZE, mats, note="One for each seat."),
        Kind(
            "token", "Tokens", "token", CHIP_SIZE, tokens, note="There are always enough (1.2): print more if you need."
        ),
        Kind(
            "owner",
            "Shields",
            "owner",
            CHIP_SIZE,
            tuple(Piece(HERALDIC_COLOURS[seat], SHIELDS_PER_SEAT, seat) for seat in seats),
            note=SHIELDS_NOTE,
        ),
        Kind("lord", "Lord of the Manor", "lord", CHIP_SIZE, (Piece("Lord of the Manor"),)),
    ]
    if not box.options.no_map:
        kinds.insert(1, Kind("land", "Lands", "land", LAND_SIZE, lands, back="land_back", note=MAP_NOTE))
    dice = ("two dice of six sides, for hardships (9.3)",) if apart else ()
    return Sheets({}, tuple(kinds), dice)


SHIELDS_NOTE = "On a card that lies on a land, to show whose it is."
MAP_NOTE = "Rows of four make the map (2.1); a card lies on the dashed place."


def _land_piece(box: Any, land: int, name: str) -> dict[str, Any]:
    bonus = {good: n for good, n in tokens_by_name(box.land[land].bonus).items() if n}
    return {"land": name, "kind": KIND_NAMES[box.land[land].kind], "bonus": bonus}
