"""Pieces as picture files: a page for each face, printed by a browser and rendered by PDFium, so that they look as on paper."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sutler.core.optional_imports import import_optional
from sutler.core.play.game import Game
from sutler.core.play.pieces import Kind, Piece, Sheets
from sutler.web.paper.browser_pdf import write_pdf
from sutler.web.paper.own_pictures import OwnPictures, to_file_name
from sutler.web.paper.piece_faces import Faces, load_piece_styles, load_sprite
from sutler.web.view import jinja_templates

if TYPE_CHECKING:
    from PIL.Image import Image

MM_PER_INCH, POINTS_PER_INCH = 25.4, 72
SPARE_MM = 1.0
MIN_DPI, MAX_DPI = 50, 1200
EXTRA = "print"


@dataclass(frozen=True)
class Side:
    """One side of a design, with the name of its picture file, such as "card/wheat.png"."""

    kind: Kind
    piece: Piece
    back: bool
    file: str


def list_sides(sheets: Sheets) -> list[Side]:
    """All fronts, and each different back once."""
    found, taken = list[Side](), Counter[str]()

    def make_file_name(kind: Kind, name: str) -> str:
        """A file name for a side of this piece that no other side has."""
        file = f"{to_file_name(kind.key)}/{to_file_name(name) or 'piece'}"
        taken[file] += 1
        return f"{file}{f'-{taken[file]}' if taken[file] > 1 else ''}.png"

    for kind in sheets.kinds:
        found += [Side(kind, piece, False, make_file_name(kind, piece.name)) for piece in kind.pieces]
        if kind.back:
            backs = {repr(piece.back): piece for piece in kind.pieces}
            found += [
                Side(kind, piece, True, make_file_name(kind, "back" if len(backs) == 1 else f"back {i}"))
                for i, piece in enumerate(backs.values(), 1)
            ]
    return found


def to_pixels(mm: float, dpi: float) -> int:
    """The number of pixels of a length in millimetres; at least 1."""
    return max(1, round(mm / MM_PER_INCH * dpi))


class PieceImages:
    """Draws the sides of a game's pieces as pictures. Raises Missing (`core.optional_imports`) where a library is missing."""

    def __init__(
        self, game: Game, sheets: Sheets, browser: str, pictures: OwnPictures | None = None, bleed: float = 0.0
    ) -> None:
        """`browser`: the program that prints pages; `bleed`: millimetres of drawing beyond the cut, on each side."""
        self._pdfium: Any = import_optional("pypdfium2", EXTRA)
        import_optional("PIL.Image", EXTRA)
        self.game, self.sheets, self.browser, self.bleed = game, sheets, browser, bleed
        self.faces = Faces(game, sheets, pictures)
        self.sides = list_sides(sheets)

    def render_page(self) -> str:
        """The HTML with a page for each side, all a little larger than the largest side, which lies in the upper left corner."""
        width, height = (max(side.kind.size[at] for side in self.sides) + 2 * (self.bleed + SPARE_MM) for at in (0, 1))
        return jinja_templates.render(
            "pieces.html",
            game=self.game,
            width=width,
            height=height,
            bleed=self.bleed,
            style=load_piece_styles(self.game.name),
            sprite=load_sprite(self.game.name),
            sides=self.sides,
            draw=self.faces.draw_side,
        )

    def draw_sides(self, dpi: float) -> Iterator[tuple[Side, Image]]:
        """Yield each side with its picture. `dpi`: pixels per inch."""
        with tempfile.TemporaryDirectory(prefix="sutler-pieces-") as folder:
            pdf = Path(folder) / "pieces.pdf"
            write_pdf(self.render_page(), pdf, self.browser)
            document = self._pdfium.PdfDocument(pdf)
            try:
                if len(document) != len(self.sides):
                    raise ValueError(f"{len(document)} pages were printed for {len(self.sides)} sides of pieces")
                for page, side in zip(document, self.sides, strict=True):
                    yield side, self._capture_side(page, side, dpi)
            finally:
                document.close()

    def _capture_side(self, page: Any, side: Side, dpi: float) -> Image:
        """The part of a page that shows the side. A little more is rendered than is kept, so that no pixel at the edge is missing."""
        width, height = (length + 2 * self.bleed for length in side.kind.size)
        right, below = (
            max(0.0, whole - (length + SPARE_MM) / MM_PER_INCH * POINTS_PER_INCH)
            for whole, length in zip(page.get_size(), (width, height), strict=True)
        )
        drawn: Image = page.render(scale=dpi / POINTS_PER_INCH, crop=(0, below, right, 0)).to_pil()
        return drawn.crop((0, 0, to_pixels(width, dpi), to_pixels(height, dpi)))


def write_images(images: PieceImages, folder: Path, dpi: float) -> int:
    """Write each side of each design as a PNG into a folder for its kind of piece; return their number. `dpi`: pixels per inch."""
    n = 0
    for side, image in images.draw_sides(dpi):
        path = folder / side.file
        path.parent.mkdir(parents=True, exist_ok=True)
        image.save(path, dpi=(dpi, dpi), optimize=True)
        n += 1
    return n
