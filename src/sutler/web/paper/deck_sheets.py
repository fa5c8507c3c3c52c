"""Decks as tables on a screen take them: the cards of a deck side by side in one picture, its back in another, and a list.

`cards.csv` says what lies where; Tabletop Simulator gets a saved object besides (`tabletop_simulator`).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sutler.core.extras import wanted
from sutler.core.play.pieces import Kind, Piece
from sutler.web.paper.own_pictures import plain_name
from sutler.web.paper.piece_images import EXTRA, MM_PER_INCH, PieceImages, Side

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_COLUMNS, MAX_ROWS = 10, 7
MAX_CARDS = MAX_COLUMNS * MAX_ROWS - 1
"""Tabletop Simulator keeps the last place of a full sheet for what others see of a hidden card."""
MAX_SHEET_PIXELS = 4096
"""The longest side of a sheet's picture: what every graphics card takes."""
COLUMNS = ("deck", "card", "count", "picture", "columns", "rows", "column", "row", "back")


@dataclass(frozen=True)
class Sheet:
    """Cards of one size with one back, in one picture."""

    name: str
    kind: Kind
    pieces: tuple[Piece, ...]
    front: str
    """The files of the two pictures."""
    back: str

    @property
    def columns(self) -> int:
        """The number of cards side by side; at least two, as Tabletop Simulator wants it."""
        return max(2, math.ceil(math.sqrt(len(self.pieces))), math.ceil(len(self.pieces) / MAX_ROWS))

    @property
    def rows(self) -> int:
        """The number of rows."""
        return max(2, math.ceil(len(self.pieces) / self.columns))


def deck_sheets(kinds: Sequence[Kind]) -> Iterator[Sheet]:
    """The sheets of all two-sided kinds: one for each back, more where there are many cards."""
    for kind in kinds:
        if not kind.back:
            continue
        decks: dict[str, list[Piece]] = {}
        for piece in kind.pieces:
            decks.setdefault(repr(piece.back), []).append(piece)
        for deck, pieces in enumerate(decks.values(), 1):
            for part, at in enumerate(range(0, len(pieces), MAX_CARDS), 1):
                name = kind.title + (f" {deck}" if len(decks) > 1 else "")
                file = plain_name(kind.key) + (f"-{deck}" if len(decks) > 1 else "")
                front = f"{file}{f'-part-{part}' if len(pieces) > MAX_CARDS else ''}.png"
                yield Sheet(name, kind, tuple(pieces[at : at + MAX_CARDS]), front, f"{file}-back.png")


def write_decks(images: PieceImages, folder: Path, dpi: float) -> list[Sheet]:
    """Write all decks of a game into a folder: pictures, and `cards.csv`; returns their sheets."""
    sheets = list(deck_sheets(images.sheets.kinds))
    if not sheets:
        raise ValueError("there are no cards with backs, so there is no deck; --as png makes a picture of each piece")
    dpi = min([dpi, *(_most_dpi(sheet, images.bleed) for sheet in sheets)])
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {_key(side): image for side, image in images.drawn(dpi)}
    for sheet in sheets:
        _sheet_image(sheet, drawn).save(folder / sheet.front, optimize=True)
        drawn[sheet.kind.title, repr(sheet.pieces[0].back), True].save(folder / sheet.back, optimize=True)
    with (folder / "cards.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for sheet in sheets:
            for at, piece in enumerate(sheet.pieces):
                row, column = divmod(at, sheet.columns)
                place = (sheet.columns, sheet.rows, column + 1, row + 1)
                table.writerow((sheet.name, piece.name, piece.count, sheet.front, *place, sheet.back))
    return sheets


def _key(side: Side) -> tuple[str, str, bool]:
    return side.kind.title, repr(side.piece.back) if side.back else side.piece.name, side.back


def _most_dpi(sheet: Sheet, bleed: float) -> float:
    """The most pixels an inch at which the sheet's picture is not too large."""
    width, height = (length + 2 * bleed for length in sheet.kind.size)
    return (MAX_SHEET_PIXELS - MAX_COLUMNS) / max(sheet.columns * width, sheet.rows * height) * MM_PER_INCH


def _sheet_image(sheet: Sheet, drawn: Mapping[tuple[str, str, bool], Image]) -> Image:
    """The cards of a sheet side by side."""
    pil = wanted("PIL.Image", EXTRA)
    cards = [drawn[sheet.kind.title, piece.name, False] for piece in sheet.pieces]
    width, height = cards[0].size
    whole: Image = pil.new("RGB", (sheet.columns * width, sheet.rows * height), "white")
    for at, card in enumerate(cards):
        row, column = divmod(at, sheet.columns)
        whole.paste(card, (column * width, row * height))
    return whole
