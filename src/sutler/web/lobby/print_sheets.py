"""A game as sheets to print and cut: one self-contained HTML page, with the drawings of the table.

The fronts of pieces are on one page and their backs on the next, mirrored, for paper that is turned over its long edge. A piece
that is larger than a page is printed in parts that lie edge to edge.
"""

from __future__ import annotations

import functools
import math
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sutler.core.files.box import is_named_list
from sutler.core.files.differences import differences
from sutler.core.play.game import Game
from sutler.core.play.pieces import Kind, Piece, Sheets, sheets_of
from sutler.core.play.registry import folder_of
from sutler.lab.inventory import Part, box_contents, changes_from_printed, parts_of
from sutler.lab.report.html_parts import page_css_with_all_fonts
from sutler.web.view import render

if TYPE_CHECKING:
    from collections.abc import Mapping

PAPERS = {"a4": ("A4", 210.0, 297.0), "letter": ("Letter", 215.9, 279.4)}
"""Name to (title, width, height); in millimetres."""
MARGIN_MM = 6.0
"""White border that printers need; the cutting marks are in it."""
CUT_MARK_MM = (0.8, 4.0)
"""The beginning and the end of a cutting mark, measured from the pieces."""
FIRST_PAGES = 2
"""The contents, and how to cut: one leaf, so that fronts and backs begin on a new leaf."""
STYLES = ("sutler.css", "print.css")
TOLERANCE_MM = 0.01


@dataclass(frozen=True)
class Grid:
    """The layout of pieces of one size on a page. `turned`: on their sides; lengths in millimetres."""

    cols: int
    rows: int
    width: float
    height: float
    turned: bool
    left: float
    top: float

    @property
    def n(self) -> int:
        """The number of pieces on a page."""
        return self.cols * self.rows

    def place(self, i: int, mirrored: bool) -> tuple[float, float]:
        """The position of piece `i` on the page, in millimetres from its upper left corner. `mirrored`: for backs."""
        row, col = divmod(i, self.cols)
        col = self.cols - 1 - col if mirrored else col
        return self.left + col * self.width, self.top + row * self.height

    def cuts(self, n: int) -> tuple[list[float], list[float]]:
        """The cuts of a page of `n` pieces: (x of vertical cuts, y of horizontal ones), in millimetres."""
        rows = math.ceil(n / self.cols)
        across = [self.left + k * self.width for k in range(self.cols + 1)]
        return across, [self.top + k * self.height for k in range(rows + 1)]


@dataclass(frozen=True)
class Face:
    """One side of a piece, or of a part of one, on a page."""

    kind: Kind
    piece: Piece
    x: float
    y: float
    turned: bool
    back: bool
    part: tuple[float, float] | None = None
    """The corner (x, y) of this part in a piece that is larger than a page, in millimetres."""


@dataclass(frozen=True)
class Page:
    """One side of a leaf."""

    title: str
    faces: tuple[Face, ...]
    grid: Grid
    across: Sequence[float]
    down: Sequence[float]

    @property
    def marks(self) -> str:
        """The path of the cutting marks in the margins."""
        (left, right), (top, bottom) = ((ends[0], ends[-1]) for ends in (self.across, self.down))
        found = [_mark(x, end, far) for x in self.across for end, far in ((top, -1), (bottom, 1))]
        return " ".join(
            [f"M{x:.2f} {a:.2f}V{b:.2f}" for x, a, b in found]
            + [
                f"M{a:.2f} {y:.2f}H{b:.2f}"
                for y, a, b in (_mark(y, end, far) for y in self.down for end, far in ((left, -1), (right, 1)))
            ]
        )


def _mark(at: float, end: float, far: int) -> tuple[float, float, float]:
    return at, end + far * CUT_MARK_MM[0], end + far * CUT_MARK_MM[1]


def grid_of(size: tuple[float, float], paper: tuple[float, float], turned: bool) -> Grid:
    """The grid of as many pieces of this size as fit on a page, centred. Lengths in millimetres."""
    width, height = reversed(size) if turned else size
    cols = math.floor((paper[0] - 2 * MARGIN_MM + TOLERANCE_MM) / width)
    rows = math.floor((paper[1] - 2 * MARGIN_MM + TOLERANCE_MM) / height)
    left, top = (paper[0] - cols * width) / 2, (paper[1] - rows * height) / 2
    return Grid(cols, rows, width, height, turned, left, top)


def pages_of(kinds: Sequence[Kind], paper: tuple[float, float]) -> Iterator[Page]:
    """The pages of kinds of one size: fronts, each followed by its backs where there are any."""
    grid = max((grid_of(kinds[0].size, paper, turned) for turned in (False, True)), key=lambda one: one.n)
    lying = [(kind, piece) for kind in kinds for piece in kind.pieces for _ in range(piece.count)]
    if grid.n == 0:
        for kind, piece in lying:
            yield from _parts(kind, piece, paper)
        return
    for at in range(0, len(lying), grid.n):
        here = lying[at : at + grid.n]
        title = ", ".join(dict.fromkeys(kind.title for kind, _ in here))
        across, down = grid.cuts(len(here))
        for back in (False, True) if kinds[0].back else (False,):
            faces = tuple(
                Face(kind, piece, *grid.place(i, back), grid.turned, back) for i, (kind, piece) in enumerate(here)
            )
            yield Page(f"{title}{': backs' if back else ''}", faces, grid, across, down)


def _parts(kind: Kind, piece: Piece, paper: tuple[float, float]) -> Iterator[Page]:
    """The pages of a piece larger than a page, in as few equal parts as possible."""
    room = paper[0] - 2 * MARGIN_MM, paper[1] - 2 * MARGIN_MM
    ways = []
    for turned in (False, True):
        width, height = reversed(kind.size) if turned else kind.size
        cols, rows = (math.ceil((side - TOLERANCE_MM) / most) for side, most in zip((width, height), room, strict=True))
        ways.append((cols * rows, turned, cols, rows, width / cols, height / rows))
    n, turned, cols, _, width, height = min(ways)
    left, top = (paper[0] - width) / 2, (paper[1] - height) / 2
    grid = Grid(1, 1, width, height, turned, left, top)
    for i in range(n):
        row, col = divmod(i, cols)
        face = Face(kind, piece, left, top, turned, False, (col * width, row * height))
        title = f"{piece.name}: part {i + 1} of {n}, row {row + 1}, column {col + 1}"
        yield Page(title, (face,), grid, *grid.cuts(1))


def kinds_by_page(kinds: Sequence[Kind]) -> list[list[Kind]]:
    """Kinds grouped by those that share pages, being of one size; two-sided ones first, because their leaves count in pairs."""
    groups: dict[tuple[Any, ...], list[Kind]] = {}
    for kind in sorted(kinds, key=lambda kind: not kind.back):
        groups.setdefault((not kind.back, kind.size), []).append(kind)
    return list(groups.values())


# --- All sheets ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ContentsLine:
    """A line of the contents: a kind of piece, and its pages."""

    kind: Kind
    first: int
    last: int
    parts: int
    """The number of parts a piece is glued together from; 0 where it fits on one page."""


def sheets_page(game: Game, paper: str = "a4") -> str:
    """The sheets of a game as one HTML page. ValueError for an unknown paper."""
    if paper not in PAPERS:
        raise ValueError(f"there is no paper {paper!r}; there are {' and '.join(PAPERS)}")
    called, width, height = PAPERS[paper]
    sheets = sheets_of(game)
    leaves: list[Page] = []
    for kinds in kinds_by_page(sheets.kinds):
        leaves += pages_of(kinds, (width, height))
    lines = list(_contents(leaves))
    draw = _face_drawer(game, sheets)
    return render.render(
        "print.html",
        game=game,
        paper=called,
        width=width,
        height=height,
        style=Markup(_style(game.name)),
        sprite=Markup(_inline_sprite(game.name)),
        symbol=render.symbol_finder(game.name),
        lines=lines,
        doubled=max((line.last for line in lines if line.kind.back), default=FIRST_PAGES),
        last=FIRST_PAGES + len(leaves),
        leaves=leaves,
        draw=draw,
        edits=edits_of(game),
        also=sheets.also,
        changes=changes_from_printed(game),
        notes=_notes(game),
        numbers=[part for part in parts_of(game) if _is_of_the_rules(game, part)],
    )


_printed_boxes: dict[tuple[str, str], bytes] = {}


def cached_sheets(game: str, paper: str) -> str | None:
    """The sheets of a printed game, if they were rendered before; that takes seconds, and anybody may ask for them."""
    found = _printed_boxes.get((game, paper))
    return None if found is None else zlib.decompress(found).decode()


def cache_sheets(game: str, paper: str, page: str) -> None:
    """Cache the sheets of a printed game."""
    _printed_boxes[game, paper] = zlib.compress(page.encode())


def _contents(leaves: Sequence[Page]) -> Iterator[ContentsLine]:
    """The contents: the pages on which each kind lies."""
    found: dict[str, tuple[Kind, list[int], int]] = {}
    for number, leaf in enumerate(leaves, FIRST_PAGES + 1):
        for face in leaf.faces:
            kind, on, parts = found.get(face.kind.title, (face.kind, [], 0))
            found[kind.title] = kind, [*on, number], parts + (face.part is not None)
    for kind, on, parts in found.values():
        yield ContentsLine(kind, min(on), max(on), parts)


def _face_drawer(game: Game, sheets: Sheets) -> Any:
    """`draw(face)`: a face as HTML, rendered once for each design and side."""
    context: dict[str, Any] = {"lit": {}, "reasons": {}, "before": None, "symbol": render.symbol_finder(game.name)}
    context |= {"game": game, "charges": render.charges_on_shields(game.name)}
    if "arms" in sheets.view:
        context["arms"] = sheets.view["arms"]
    template = f"{game.name}/board/print.html" if _has_print_template(game) else "plain_print.html"
    context["board"] = render.board_module(game.name, context)
    macros = render.templates().get_template(template).make_module(context)

    @functools.cache
    def side(key: str, at: int, back: bool) -> Markup:
        kind = next(one for one in sheets.kinds if one.title == key)
        piece = kind.pieces[at]
        macro = getattr(macros, kind.back if back else kind.macro)
        return Markup(macro(sheets.view, piece.name, piece.back if back else piece.front))

    def draw(face: Face) -> Markup:
        at = next(i for i, one in enumerate(face.kind.pieces) if one is face.piece)
        return side(face.kind.title, at, face.back)

    return draw


def _has_print_template(game: Game) -> bool:
    return (game.folder / "board" / "print.html").exists()


@functools.cache
def _style(name: str) -> str:
    """All styles that the sheets need, with their fonts embedded."""
    own = folder_of(name) / "board"
    files = [render.STATIC / one for one in STYLES]
    if (own / "board.html").exists():
        files[1:1] = [own / "board.css"] if (own / "board.css").exists() else []
    else:
        files[1:1] = [render.STATIC / "plain-board.css"]
    files += [own / "print.css"] if (own / "print.css").exists() else []
    return page_css_with_all_fonts() + "\n".join(path.read_text(encoding="utf-8") for path in files)


@functools.cache
def _inline_sprite(name: str) -> str:
    """All drawings of this game as an SVG inside the page."""
    return render.sprite(name).replace("<svg ", '<svg class="sprite" aria-hidden="true" ', 1)


# --- Differences from the printed box ------------------------------------------------------------


def edits_of(game: Game) -> dict[str, list[str]]:
    """{piece ("card:Wheat"): its differences from the printed one}, so that no changed number is missed that its text does not show."""
    printed, now = box_contents(Game(game.definition)), box_contents(game)
    found = {}
    for key, entries in now.items():
        before = printed.get(key)
        if is_named_list(entries) and is_named_list(before):
            old = {one["name"]: one for one in before}
            for one in entries:
                lines = list(differences(old[one["name"]], one)) if one["name"] in old else ["new"]
                if lines:
                    found[f"{key}:{one['name']}"] = lines
    return found


def _is_of_the_rules(game: Game, part: Part) -> bool:
    """Is this an option, or a number that is not on any piece?"""
    return not isinstance(game.data.get(part.name.partition(".")[0]), list)


def _notes(game: Game) -> Mapping[str, list[str]]:
    """{paragraph: the numbers in which this box differs from the guide}."""
    printed = {part.name: part.value for part in parts_of(Game(game.definition))}
    found: dict[str, list[str]] = {}
    for part in parts_of(game):
        if _is_of_the_rules(game, part) and printed.get(part.name) != part.value:
            said = (
                f"{part.label or part.name}: {_value_text(part.value)}, printed {_value_text(printed.get(part.name))}"
            )
            found.setdefault(part.rule.removeprefix("cf. "), []).append(said)
    return found


def _value_text(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
