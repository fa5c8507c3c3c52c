"""Selections of pieces to print: one of each design, or only those that differ from an older box."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sutler.core.play.game import Game
from sutler.core.play.pieces import Kind, Piece, Sheets, build_sheets
from sutler.web.paper.piece_faces import Faces


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
