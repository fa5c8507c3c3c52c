"""A game as sheets to print and cut: which pieces, and one self-contained HTML page with the drawings of the online table."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sutler.core.files.box import is_named_list, list_box_differences
from sutler.core.play.game import Game
from sutler.core.play.pieces import Kind, Piece, Sheets, build_sheets
from sutler.lab.box_numbers import Part, collect_box_contents, format_value, list_changes_from_printed, list_parts
from sutler.web.paper.layout import PAPERS, Face, Layout, Page, group_kinds_by_size, lay_out_pages
from sutler.web.paper.own_pictures import OwnPictures
from sutler.web.paper.piece_faces import Faces, load_piece_styles, load_sprite
from sutler.web.view import jinja_templates

if TYPE_CHECKING:
    from collections.abc import Mapping

FIRST_PAGES = 2
"""The number of pages before the pieces (contents, and how to cut): an even number, so that fronts begin on a new sheet of paper."""


@dataclass(frozen=True)
class ContentsLine:
    """A line of the contents: a kind of piece, and its first and last page."""

    kind: Kind
    first: int
    last: int
    parts: int
    """The number of parts from which each piece is glued together; 0 where it fits on one page."""


def render_sheets(
    game: Game,
    layout: Layout | None = None,
    sheets: Sheets | None = None,
    pictures: OwnPictures | None = None,
    selection: str = "",
) -> str:
    """The sheets of a game as one HTML page.

    Args:
        game: Its box and options determine the pieces.
        layout: The paper, bleed, gutter and overlap.
        sheets: The pieces; all of the box if None.
        pictures: The designer's own.
        selection: A sentence that says which pieces are left out; "" where none are.
    """
    layout, sheets = layout or Layout(), sheets or build_sheets(game)
    leaves: list[Page] = []
    for kinds in group_kinds_by_size(sheets.kinds):
        leaves += lay_out_pages(kinds, layout)
    lines = list(_list_contents(leaves))
    faces = Faces(game, sheets, pictures)

    def draw(face: Face) -> Any:
        """One side of a piece as HTML, for the template."""
        return faces.draw_side(face.kind, face.piece, face.back)

    return jinja_templates.render(
        "print.html",
        game=game,
        layout=layout,
        paper=PAPERS[layout.paper][0],
        width=layout.size[0],
        height=layout.size[1],
        style=load_piece_styles(game.name),
        sprite=load_sprite(game.name),
        symbol=jinja_templates.make_symbol_finder(game.name),
        lines=lines,
        doubled=max((line.last for line in lines if line.kind.back), default=FIRST_PAGES),
        last=FIRST_PAGES + len(leaves),
        leaves=leaves,
        draw=draw,
        selection=selection,
        edits=describe_edits(game),
        also=sheets.also,
        changes=list_changes_from_printed(game),
        notes=_list_changed_rules(game),
        numbers=[part for part in list_parts(game) if _is_not_on_a_piece(game, part)],
    )


_printed_boxes: dict[tuple[str, str], bytes] = {}


def get_cached_sheets(game: str, paper: str) -> str | None:
    """The cached sheets of a printed game, since rendering takes seconds and anybody may ask; None where they were not rendered yet."""
    found = _printed_boxes.get((game, paper))
    return None if found is None else zlib.decompress(found).decode()


def store_cached_sheets(game: str, paper: str, page: str) -> None:
    """Cache the sheets of a printed game for this paper."""
    _printed_boxes[game, paper] = zlib.compress(page.encode())


def _list_contents(leaves: Sequence[Page]) -> Iterator[ContentsLine]:
    """Yield the lines of the contents: each kind of piece with the pages on which it lies."""
    found: dict[str, tuple[Kind, list[int], int]] = {}
    for number, leaf in enumerate(leaves, FIRST_PAGES + 1):
        for face in leaf.faces:
            kind, on, parts = found.get(face.kind.title, (face.kind, [], 0))
            found[kind.title] = kind, [*on, number], parts + (face.part is not None)
    for kind, on, parts in found.values():
        yield ContentsLine(kind, min(on), max(on), parts)


# --- Differences from the printed box ------------------------------------------------------------


def describe_edits(game: Game) -> dict[str, list[str]]:
    """{piece ("card:Wheat"): its differences from the printed one}, including numbers that the piece's text does not show."""
    printed, now = collect_box_contents(Game(game.definition)), collect_box_contents(game)
    found = {}
    for key, entries in now.items():
        before = printed.get(key)
        if is_named_list(entries) and is_named_list(before):
            old = {one["name"]: one for one in before}
            for one in entries:
                lines = list(list_box_differences(old[one["name"]], one)) if one["name"] in old else ["new"]
                if lines:
                    found[f"{key}:{one['name']}"] = lines
    return found


def _is_not_on_a_piece(game: Game, part: Part) -> bool:
    """Is this an option, or a number that is printed on no piece?"""
    return not isinstance(game.data.get(part.name.partition(".")[0]), list)


def _list_changed_rules(game: Game) -> Mapping[str, list[str]]:
    """{paragraph: sentences about the numbers in which this box differs from the printed rules}."""
    printed = {part.name: part.value for part in list_parts(Game(game.definition))}
    found: dict[str, list[str]] = {}
    for part in list_parts(game):
        if _is_not_on_a_piece(game, part) and printed.get(part.name) != part.value:
            said = (
                f"{part.label or part.name}: {format_value(part.value)}, printed {format_value(printed.get(part.name))}"
            )
            found.setdefault(part.rule.removeprefix("cf. "), []).append(said)
    return found


# --- Which pieces are printed ---


def keep_one_of_each(sheets: Sheets) -> Sheets:
    """The sheets with one piece of each design."""
    return _set_piece_counts(sheets, lambda kind, piece: min(piece.count, 1))


def select_changed_pieces(game: Game, before: Game) -> Sheets:
    """The pieces that somebody must print who has already printed an older box (`before`).

    Of a design that is new or looks different, as many as the new box has; of an unchanged design, as many as were added.
    """
    sheets, older = build_sheets(game), build_sheets(before)
    now, then = Faces(game, sheets), Faces(before, older)
    had = {(kind.key, piece.name): (kind, piece) for kind in older.kinds for piece in kind.pieces}

    def count_needed(kind: Kind, piece: Piece) -> int:
        """The number of pieces of this design that an owner of the older box must print."""
        found = had.get((kind.key, piece.name))
        if found is None:
            return piece.count
        alike = kind.size == found[0].size and bool(kind.back) == bool(found[0].back)
        alike = alike and now.draw_side(kind, piece) == then.draw_side(*found)
        alike = alike and (not kind.back or now.draw_side(kind, piece, True) == then.draw_side(*found, True))
        return max(0, piece.count - found[1].count) if alike else piece.count

    return _set_piece_counts(sheets, count_needed)


def _set_piece_counts(sheets: Sheets, count: Callable[[Kind, Piece], int]) -> Sheets:
    """The sheets with new numbers of pieces, which `count` gives for each design; designs and kinds left without pieces are dropped."""
    kinds = []
    for kind in sheets.kinds:
        counted = [replace(piece, count=count(kind, piece)) for piece in kind.pieces]
        if pieces := tuple(piece for piece in counted if piece.count > 0):
            kinds.append(replace(kind, pieces=pieces))
    return replace(sheets, kinds=tuple(kinds))
