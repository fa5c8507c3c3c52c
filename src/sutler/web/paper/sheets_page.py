"""A game as sheets to print and cut: one self-contained HTML page, with the drawings of the online table."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.core.files.box import is_named_list, list_box_differences
from sutler.core.play.game import Game
from sutler.core.play.pieces import Kind, Sheets, build_sheets
from sutler.lab.box_numbers import Part, collect_box_contents, list_changes_from_printed, list_parts
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
            said = f"{part.label or part.name}: {_format_value(part.value)}, printed {_format_value(printed.get(part.name))}"
            found.setdefault(part.rule.removeprefix("cf. "), []).append(said)
    return found


def _format_value(value: Any) -> str:
    """The value of an option or a number as text."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
