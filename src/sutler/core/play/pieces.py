"""The paper pieces of a game: kinds of piece, each with its size, its designs and how many the box has of each.

A game lists them in `text/printing.py`, `sheets(game)`, and draws each kind by a macro of `board/print.html` from the drawings of
its table. A game without them is printed from the lists of its box (`build_sheets_from_box`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sutler.core.play.game import Game

CARD = (63.0, 88.0)
"""Width and height in millimetres of a card of poker size, for which sleeves are sold."""
SMALL_CARD = (44.0, 63.0)
WIDE_CARD = (88.0, 63.0)


@dataclass(frozen=True)
class Piece:
    """One design: its name in the box, how many are printed, and the data that the drawing macro gets for the front and for the back."""

    name: str
    count: int = 1
    front: Any = None
    back: Any = None


@dataclass(frozen=True)
class Kind:
    """Pieces of one size, drawn by one macro; `back` names the macro of their backs, "" for none."""

    key: str
    """The table of the box that lists these pieces ("card"), or a word chosen here for pieces that the box does not list ("token")."""
    title: str
    macro: str
    size: tuple[float, float]
    """Width and height in millimetres; a piece larger than a page is printed in parts."""
    pieces: tuple[Piece, ...]
    back: str = ""
    note: str = ""
    """A note for whoever makes the pieces: why this many, what belongs where."""

    @property
    def count(self) -> int:
        """The number of pieces of all designs together."""
        return sum(piece.count for piece in self.pieces)


@dataclass(frozen=True)
class Sheets:
    """Everything that is printed of a game: its kinds of piece, and the view of a position that the macros of its table draw from."""

    view: Mapping[str, Any]
    kinds: tuple[Kind, ...]
    also: tuple[str, ...] = field(default=())
    """Things needed besides paper: dice, pawns."""


def build_sheets(game: Game) -> Sheets:
    """The paper pieces of a game: by its own `text/printing.py`; without that file, from the lists of its box."""
    own = game.definition.printing
    found: Sheets = own.sheets(game) if own is not None else build_sheets_from_box(game)
    return found


def build_sheets_from_box(game: Game) -> Sheets:
    """The pieces of a game without `text/printing.py`: a card for each named entry of the box's lists, markers for the seats, counters."""
    kinds = []
    for key, entries in game.sheet.model_dump().items():
        if isinstance(entries, list) and entries and all(isinstance(one, Mapping) and "name" in one for one in entries):
            pieces = tuple(Piece(one["name"], int(one.get("count", one.get("copies", 1))), one, key) for one in entries)
            kinds.append(Kind(key, f"{key.capitalize()} cards", "card", CARD, pieces, back="card_back"))
    seats = tuple(Piece(f"seat {seat + 1}", 12, seat) for seat in range(game.max_seats))
    coins = tuple(Piece(f"{n}", count, n) for n, count in ((1, 48), (5, 18), (10, 9)))
    kinds.append(Kind("marker", "Markers of the seats", "marker", (18.0, 18.0), seats))
    kinds.append(Kind("counter", "Counters", "counter", (18.0, 18.0), coins, note="For whatever the game counts."))
    view = game.new(game.best_seats, seed=0).view(None)
    kinds.append(Kind("table", "The table", "table", (190.0, 130.0), (Piece("as a game begins"),)))
    return Sheets(view, tuple(kinds))
