"""A card game on paper: cards with their texts, tokens, shared tracks and markers of the seats, as pieces to print (`core.play.pieces`)."""

from __future__ import annotations

from typing import Any

from sutler.cardkit.box_model import read_game_in_folder
from sutler.cardkit.card_game_parts import CardGame, Token, to_readable_name
from sutler.cardkit.operation_source import to_field_name
from sutler.core.play.game import Game
from sutler.core.play.pieces import CARD, Kind, Piece, Sheets

CHIP_SIZE = (18.0, 18.0)
TRACK_SIZE = (190.0, 34.0)
CHIPS = ((1, 24), (5, 12))
"""The chips to print for each kind of token, as (value, count). The file sets no number of tokens: the counts are this project's choice."""
MARKERS_PER_SEAT = 4
"""The number of markers to print for each seat, to show what belongs to it."""
PRINT_MORE_NOTE = "The game’s file sets no number: print more if you need."


def sheets(game: Game) -> Sheets:
    """All pieces to print; kinds without any piece are left out."""
    cards = read_game_in_folder(game.folder)
    drawn = {card["name"]: card for card in game.new(game.best_seats, seed=0).view(None)["cards"].values()}
    kinds = [_build_card_pieces(game, cards, drawn, name) for name in cards.kinds]
    own = [token for token in cards.tokens.values() if not (token.shared and token.limit)]
    tracks = [token for token in cards.tokens.values() if token.shared and token.limit]
    if tracks:
        kinds.append(
            Kind("track", "Tracks", "track", TRACK_SIZE, tuple(_build_track_piece(game, token) for token in tracks))
        )
    if own:
        tokens = tuple(
            Piece(
                f"{n} {to_readable_name(token.name)}",
                count,
                {"name": to_readable_name(token.name), "icon": token.icon, "n": n},
            )
            for token in own
            for n, count in CHIPS
        )
        kinds.append(Kind("token", "Tokens", "token", CHIP_SIZE, tokens, note=PRINT_MORE_NOTE))
    seats = tuple(Piece(f"seat {seat + 1}", MARKERS_PER_SEAT, seat) for seat in range(game.max_seats))
    kinds.append(Kind("marker", "Markers of the seats", "marker", CHIP_SIZE, seats))
    return Sheets({}, tuple(kind for kind in kinds if kind.pieces))


def _build_card_pieces(game: Game, cards: CardGame, drawn: dict[str, Any], name: str) -> Kind:
    """The cards of the kind `name` as pieces to print; `drawn`: the data that the view has of each card, by name."""
    back = {"kind": to_readable_name(name), "icon": cards.kinds[name].icon}
    pieces = tuple(
        Piece(one.name, getattr(one, "copies", 1), drawn[one.name], back)
        for one in getattr(game.sheet, name)
        if one.name in drawn
    )
    return Kind(name, f"{to_readable_name(name).capitalize()} cards", "card", CARD, pieces, back="card_back")


def _build_track_piece(game: Game, token: Token) -> Piece:
    """A track from 0 to the token's limit, with its starting space marked."""
    most, start = (int(getattr(part, to_field_name(token.name))) for part in (game.box.limits, game.box.starts))
    return Piece(to_readable_name(token.name), 1, {"icon": token.icon, "most": most, "start": start})
