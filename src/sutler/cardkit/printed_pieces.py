"""A card game on paper: its cards with what they say, tokens, tracks that all share, markers of the seats (`core.play.pieces`)."""

from __future__ import annotations

from typing import Any

from sutler.cardkit.card_parts import CardGame, Token
from sutler.cardkit.rule_source import field_of
from sutler.cardkit.sheet_of_cards import game_in
from sutler.core.play.game import Game
from sutler.core.play.pieces import CARD, Kind, Piece, Sheets

CHIP = (18.0, 18.0)
TRACK = (190.0, 34.0)
TOKENS = ((1, 24), (5, 12))
"""Value and count of each kind of token: how many there are in the game has no end in its file, so the numbers printed are ours."""
MARKERS = 4
"""Markers of each seat, to show whose something is."""
NOTE = "The game’s file sets no number: print more if you need."


def sheets(game: Game) -> Sheets:
    """All pieces to print; each token of its own is left out that nothing in the game has more of than none."""
    cards = game_in(game.folder)
    drawn = {card["name"]: card for card in game.new(game.best_seats, seed=0).view(None)["cards"].values()}
    kinds = [_cards(game, cards, drawn, name) for name in cards.kinds]
    own = [token for token in cards.tokens.values() if not (token.shared and token.limit)]
    tracks = [token for token in cards.tokens.values() if token.shared and token.limit]
    if tracks:
        kinds.append(Kind("track", "Tracks", "track", TRACK, tuple(_track(game, token) for token in tracks)))
    if own:
        tokens = tuple(
            Piece(f"{n} {said(token.name)}", count, {"name": said(token.name), "icon": token.icon, "n": n})
            for token in own
            for n, count in TOKENS
        )
        kinds.append(Kind("token", "Tokens", "token", CHIP, tokens, note=NOTE))
    seats = tuple(Piece(f"seat {seat + 1}", MARKERS, seat) for seat in range(game.max_seats))
    kinds.append(Kind("marker", "Markers of the seats", "marker", CHIP, seats))
    return Sheets({}, tuple(kind for kind in kinds if kind.pieces))


def said(name: str) -> str:
    """A name of the file as people read it."""
    return name.replace("_", " ")


def _cards(game: Game, cards: CardGame, drawn: dict[str, Any], name: str) -> Kind:
    """The cards of a kind, as the table shows them."""
    back = {"kind": said(name), "icon": cards.kinds[name].icon}
    pieces = tuple(
        Piece(one.name, getattr(one, "copies", 1), drawn[one.name], back)
        for one in getattr(game.sheet, name)
        if one.name in drawn
    )
    return Kind(name, f"{said(name).capitalize()} cards", "card", CARD, pieces, back="card_back")


def _track(game: Game, token: Token) -> Piece:
    """A track from nothing to its limit, with the space marked on which it begins."""
    most, start = (int(getattr(part, field_of(token.name))) for part in (game.box.limits, game.box.starts))
    return Piece(said(token.name), 1, {"icon": token.icon, "most": most, "start": start})
