"""Decks as pictures for virtual tabletops: the cards of a deck side by side in one picture, its back in another, and a list.

`cards.csv` lists the place of each card; for Tabletop Simulator a saved object is written besides (`tabletop_simulator`).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sutler.core.optional_imports import import_optional
from sutler.core.play.pieces import Kind, Piece
from sutler.web.paper.own_pictures import to_file_name
from sutler.web.paper.piece_images import EXTRA, MM_PER_INCH, PieceImages, Side

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_COLUMNS, MAX_ROWS = 10, 7
MAX_CARDS = MAX_COLUMNS * MAX_ROWS - 1
"""Cards on a full sheet: Tabletop Simulator uses its last place for the face that hides a card from others."""
MAX_SHEET_PIXELS = 4096
"""The longest side of a sheet's picture in pixels, which every graphics card supports."""
COLUMNS = ("deck", "card", "count", "picture", "columns", "rows", "column", "row", "back")


@dataclass(frozen=True)
class Sheet:
    """Cards of one size with one back, in one picture."""

    name: str
    kind: Kind
    pieces: tuple[Piece, ...]
    front: str
    """The names of the two picture files."""
    back: str

    @property
    def n_columns(self) -> int:
        """The number of cards side by side; at least two, which Tabletop Simulator requires."""
        return max(2, math.ceil(math.sqrt(len(self.pieces))), math.ceil(len(self.pieces) / MAX_ROWS))

    @property
    def n_rows(self) -> int:
        """The number of rows of cards; at least two."""
        return max(2, math.ceil(len(self.pieces) / self.n_columns))


def build_deck_sheets(kinds: Sequence[Kind]) -> Iterator[Sheet]:
    """Yield the sheets of all two-sided kinds of pieces: one for each back, more where there are many cards."""
    for kind in kinds:
        if not kind.back:
            continue
        decks: dict[str, list[Piece]] = {}
        for piece in kind.pieces:
            decks.setdefault(repr(piece.back), []).append(piece)
        for deck, pieces in enumerate(decks.values(), 1):
            for part, at in enumerate(range(0, len(pieces), MAX_CARDS), 1):
                name = kind.title + (f" {deck}" if len(decks) > 1 else "")
                file = to_file_name(kind.key) + (f"-{deck}" if len(decks) > 1 else "")
                front = f"{file}{f'-part-{part}' if len(pieces) > MAX_CARDS else ''}.png"
                yield Sheet(name, kind, tuple(pieces[at : at + MAX_CARDS]), front, f"{file}-back.png")


def write_decks(images: PieceImages, folder: Path, dpi: float) -> list[Sheet]:
    """Write all decks of a game into a folder, as pictures and `cards.csv`; return their sheets. `dpi`: pixels per inch, at most.

    Raises ValueError where no piece has a back.
    """
    sheets = list(build_deck_sheets(images.sheets.kinds))
    if not sheets:
        raise ValueError("there are no cards with backs, so there is no deck; --as png makes a picture of each piece")
    dpi = min([dpi, *(_compute_max_dpi(sheet, images.bleed) for sheet in sheets)])
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {_side_cache_key(side): image for side, image in images.draw_sides(dpi)}
    for sheet in sheets:
        _draw_sheet(sheet, drawn).save(folder / sheet.front, optimize=True)
        drawn[sheet.kind.title, repr(sheet.pieces[0].back), True].save(folder / sheet.back, optimize=True)
    with (folder / "cards.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for sheet in sheets:
            for at, piece in enumerate(sheet.pieces):
                row, column = divmod(at, sheet.n_columns)
                place = (sheet.n_columns, sheet.n_rows, column + 1, row + 1)
                table.writerow((sheet.name, piece.name, piece.count, sheet.front, *place, sheet.back))
    return sheets


def _side_cache_key(side: Side) -> tuple[str, str, bool]:
    """The key under which the picture of a side is cached; equal for pieces with the same back."""
    return side.kind.title, repr(side.piece.back) if side.back else side.piece.name, side.back


def _compute_max_dpi(sheet: Sheet, bleed: float) -> float:
    """The most pixels per inch at which the sheet's picture is within MAX_SHEET_PIXELS. `bleed`: millimetres."""
    width, height = (length + 2 * bleed for length in sheet.kind.size)
    return (MAX_SHEET_PIXELS - MAX_COLUMNS) / max(sheet.n_columns * width, sheet.n_rows * height) * MM_PER_INCH


def _draw_sheet(sheet: Sheet, side_images: Mapping[tuple[str, str, bool], Image]) -> Image:
    """The picture of a sheet: its cards side by side. `side_images`: the picture of each side."""
    pil = import_optional("PIL.Image", EXTRA)
    cards = [side_images[sheet.kind.title, piece.name, False] for piece in sheet.pieces]
    width, height = cards[0].size
    whole: Image = pil.new("RGB", (sheet.n_columns * width, sheet.n_rows * height), "white")
    for at, card in enumerate(cards):
        row, column = divmod(at, sheet.n_columns)
        whole.paste(card, (column * width, row * height))
    return whole
