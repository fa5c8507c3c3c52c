"""The layout of pieces on sheets: how many of a size fit on a page and where, with cutting marks, bleed and gutters.

The fronts of pieces are on one page and their backs on the next, mirrored, for paper that is turned over its long edge. A piece
that is larger than a page is printed in parts that overlap.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sutler.core.play.pieces import Kind, Piece

PAPERS = {"a4": ("A4", 210.0, 297.0), "letter": ("Letter", 215.9, 279.4)}
"""Sizes of paper: name to (title, width, height), in millimetres."""
MARGIN_MM = 6.0
"""The white border in millimetres that printers need; the cutting marks are in it."""
CUT_MARK_MM = (0.8, 4.0)
"""The distances of a cutting mark's two ends from the pieces, in millimetres."""
OVERLAP_MM = 5.0
MAX_BLEED_MM, MAX_GUTTER_MM, MAX_OVERLAP_MM = 6.0, 20.0, 30.0
TOLERANCE_MM = 0.01


@dataclass(frozen=True)
class Layout:
    """The paper, and how pieces lie on it; lengths in millimetres. Raises ValueError for values that are not possible."""

    paper: str = "a4"
    bleed: float = 0.0
    """How far a piece's drawing extends beyond its cut, so that an inexact cut shows no white."""
    gutter: float = 0.0
    """The space between two pieces; with bleed, at least twice the bleed."""
    overlap: float = OVERLAP_MM
    """How much of one part of a large piece is printed again on the part beside it."""

    def __post_init__(self) -> None:
        if self.paper not in PAPERS:
            raise ValueError(f"there is no paper {self.paper!r}; there are {' and '.join(PAPERS)}")
        for name, most in (("bleed", MAX_BLEED_MM), ("gutter", MAX_GUTTER_MM), ("overlap", MAX_OVERLAP_MM)):
            if not 0 <= getattr(self, name) <= most:
                raise ValueError(f"{name} {getattr(self, name):g}: from 0 to {most:g} millimetres")

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the paper in millimetres."""
        return PAPERS[self.paper][1:]

    @property
    def space(self) -> float:
        """The distance between the cuts of two neighbouring pieces in millimetres."""
        return max(self.gutter, 2 * self.bleed)

    @property
    def margin(self) -> float:
        """The least distance of a cut from the edge of the paper in millimetres."""
        return MARGIN_MM + self.bleed


@dataclass(frozen=True)
class Grid:
    """The positions of pieces of one size on a page, in millimetres. `turned`: do the pieces lie sideways?"""

    cols: int
    rows: int
    width: float
    height: float
    turned: bool
    left: float
    top: float
    space: float = 0.0

    @property
    def n(self) -> int:
        """The number of pieces on a page."""
        return self.cols * self.rows

    def position_of_piece(self, index: int, mirrored: bool) -> tuple[float, float]:
        """The position of piece `index` on the page, in millimetres from its upper left corner. `mirrored`: is it the page of backs?"""
        row, col = divmod(index, self.cols)
        col = self.cols - 1 - col if mirrored else col
        return self.left + col * (self.width + self.space), self.top + row * (self.height + self.space)

    def compute_cuts(self, piece_count: int, mirrored: bool = False) -> tuple[list[float], list[float]]:
        """The cuts of a page with `piece_count` pieces: (x of vertical cuts, y of horizontal ones), in millimetres.

        `mirrored`: is it a page of backs?
        """
        places = [self.position_of_piece(i, mirrored) for i in range(piece_count)]
        across = {round(edge, 4) for x, _ in places for edge in (x, x + self.width)}
        down = {round(edge, 4) for _, y in places for edge in (y, y + self.height)}
        return sorted(across), sorted(down)


@dataclass(frozen=True)
class Face:
    """One side of a piece, or of a part of one, at a position on a page (millimetres)."""

    kind: Kind
    piece: Piece
    x: float
    y: float
    turned: bool
    back: bool
    part: tuple[float, float] | None = None
    """The upper left corner (x, y) of this part within a piece that is larger than a page, in millimetres; None for a whole piece."""


@dataclass(frozen=True)
class Page:
    """One printed side of a sheet of paper. `across`, `down`: the x and y of cuts in millimetres."""

    title: str
    faces: tuple[Face, ...]
    grid: Grid
    across: Sequence[float]
    down: Sequence[float]
    bleed: float = 0.0
    seams_across: Sequence[float] = ()
    """The x (below: the y) at which the edges of neighbouring parts of a large piece lie on this page, in millimetres."""
    seams_down: Sequence[float] = ()

    @property
    def marks(self) -> str:
        """The cutting marks in the margins, as an SVG path."""
        return self._draw_marks(self.across, self.down)

    @property
    def seams(self) -> str:
        """The marks in the margins that show how far a part overlaps its neighbour, as an SVG path."""
        return self._draw_marks(self.seams_across, self.seams_down)

    def _draw_marks(self, across: Sequence[float], down: Sequence[float]) -> str:
        """An SVG path of cutting marks at these x and y, in the four margins."""
        near, far = (mark + self.bleed for mark in CUT_MARK_MM)
        (left, right), (top, bottom) = ((ends[0], ends[-1]) for ends in (self.across, self.down))
        stood = [
            f"M{x:.2f} {end + d * near:.2f}V{end + d * far:.2f}"
            for x in across
            for end, d in _list_ends_with_outward_directions(top, bottom)
        ]
        lying = [
            f"M{end + d * near:.2f} {y:.2f}H{end + d * far:.2f}"
            for y in down
            for end, d in _list_ends_with_outward_directions(left, right)
        ]
        return " ".join(stood + lying)


def _list_ends_with_outward_directions(low: float, high: float) -> tuple[tuple[float, int], tuple[float, int]]:
    """The two ends of a range, each with the direction (-1 or 1) that leads outwards."""
    return (low, -1), (high, 1)


def fit_grid(size: tuple[float, float], layout: Layout, is_turned: bool) -> Grid:
    """The grid of as many pieces of this size (width, height in millimetres) as fit on a page, centred."""
    width, height = reversed(size) if is_turned else size
    (across, down), space = (side - 2 * layout.margin + TOLERANCE_MM for side in layout.size), layout.space
    cols, rows = math.floor((across + space) / (width + space)), math.floor((down + space) / (height + space))
    left = (layout.size[0] - cols * (width + space) + space) / 2
    top = (layout.size[1] - rows * (height + space) + space) / 2
    return Grid(cols, rows, width, height, is_turned, left, top, space)


def lay_out_pages(kinds: Sequence[Kind], layout: Layout) -> Iterator[Page]:
    """Yield the pages for kinds of pieces of one size: fronts, each followed by the page of backs if they have any."""
    grid = max((fit_grid(kinds[0].size, layout, turned) for turned in (False, True)), key=lambda one: one.n)
    lying = [(kind, piece) for kind in kinds for piece in kind.pieces for _ in range(piece.count)]
    if grid.n == 0:
        for kind, piece in lying:
            yield from _lay_out_parts(kind, piece, layout)
        return
    for at in range(0, len(lying), grid.n):
        here = lying[at : at + grid.n]
        title = ", ".join(dict.fromkeys(kind.title for kind, _ in here))
        for back in (False, True) if kinds[0].back else (False,):
            faces = tuple(
                Face(kind, piece, *grid.position_of_piece(i, back), grid.turned, back)
                for i, (kind, piece) in enumerate(here)
            )
            named = f"{title}{': backs' if back else ''}"
            yield Page(named, faces, grid, *grid.compute_cuts(len(here), back), layout.bleed)


def _lay_out_parts(kind: Kind, piece: Piece, layout: Layout) -> Iterator[Page]:
    """Yield the pages of a piece larger than a page, in as few equal parts as possible, which overlap by `layout.overlap`."""
    room = [side - 2 * MARGIN_MM for side in layout.size]
    ways = []
    for turned in (False, True):
        sides = tuple(reversed(kind.size)) if turned else kind.size
        across, down = (
            _divide_into_equal_parts(side, most, layout.overlap) for side, most in zip(sides, room, strict=True)
        )
        ways.append((across[0] * down[0], turned, across, down))
    n, turned, (cols, width), (rows, height) = min(ways)
    left, top = (layout.size[0] - width) / 2, (layout.size[1] - height) / 2
    grid = Grid(1, 1, width, height, turned, left, top)
    for i in range(n):
        row, col = divmod(i, cols)
        face = Face(
            kind, piece, left, top, turned, False, (col * (width - layout.overlap), row * (height - layout.overlap))
        )
        title = f"{piece.name}: part {i + 1} of {n}, row {row + 1}, column {col + 1}"
        seams = (
            _compute_seams(left, width, col, cols, layout.overlap),
            _compute_seams(top, height, row, rows, layout.overlap),
        )
        yield Page(title, (face,), grid, *grid.compute_cuts(1), 0.0, *seams)


def _divide_into_equal_parts(side: float, max_length: float, overlap: float) -> tuple[int, float]:
    """(number, length) of the equal parts into which a side is divided; lengths in millimetres. `max_length`: of a part."""
    n = 1 if side <= max_length + TOLERANCE_MM else math.ceil((side - overlap - TOLERANCE_MM) / (max_length - overlap))
    return n, (side + (n - 1) * overlap) / n


def _compute_seams(start: float, length: float, index: int, part_count: int, overlap: float) -> list[float]:
    """The positions, on part `index` of `part_count`, of the edges of the parts before and after it, in millimetres."""
    if not overlap:
        return []
    return [start + overlap] * (index > 0) + [start + length - overlap] * (index < part_count - 1)


def group_kinds_by_size(kinds: Sequence[Kind]) -> list[list[Kind]]:
    """The kinds of pieces in groups of one size that share pages; two-sided ones first, because their pages come in pairs."""
    groups: dict[tuple[Any, ...], list[Kind]] = {}
    for kind in sorted(kinds, key=lambda kind: not kind.back):
        groups.setdefault((not kind.back, kind.size), []).append(kind)
    return list(groups.values())
