"""The faces of pieces as HTML, drawn with the macros and drawings of the online table, and the styles they need."""

from __future__ import annotations

import functools
from typing import Any

from markupsafe import Markup

from sutler.core.play.game import Game
from sutler.core.play.pieces import Kind, Piece, Sheets
from sutler.core.play.registry import find_game_folder
from sutler.lab.report.html_parts import load_page_css_with_all_fonts
from sutler.web.paper.own_pictures import OwnPictures
from sutler.web.view import jinja_templates

STYLES = ("sutler.css", "print.css")


class Faces:
    """Draws the sides of a game's pieces, each design once."""

    def __init__(self, game: Game, sheets: Sheets, pictures: OwnPictures | None = None) -> None:
        self.game, self.sheets, self.pictures = game, sheets, pictures or OwnPictures()
        context: dict[str, Any] = {
            "lit": {},
            "reasons": {},
            "before": None,
            "symbol": jinja_templates.make_symbol_finder(game.name),
        }
        context |= {"game": game, "charges": jinja_templates.read_shield_charges(game.name)}
        if "arms" in sheets.view:
            context["arms"] = sheets.view["arms"]
        own = (game.folder / "board" / "print.html").exists()
        context["board"] = jinja_templates.load_board_macros(game.name, context)
        template = jinja_templates.get_environment().get_template(
            f"{game.name}/board/print.html" if own else "plain_print.html"
        )
        self._macros = template.make_module(context)
        self._drawn: dict[tuple[str, str, str], Markup] = {}

    def draw_side(self, kind: Kind, piece: Piece, is_back: bool = False) -> Markup:
        """One side of a piece as HTML; each design is drawn once."""
        macro, given = (kind.back, piece.back) if is_back else (kind.macro, piece.front)
        at = macro, piece.name, repr(given)
        if at not in self._drawn:
            html = str(getattr(self._macros, macro)(self.sheets.view, piece.name, given))
            self._drawn[at] = Markup(html if is_back else self.pictures.insert_picture(html, piece.name))
        return self._drawn[at]


@functools.cache
def load_piece_styles(name: str) -> Markup:
    """All styles that a game's pieces need as CSS, with their fonts embedded."""
    own = find_game_folder(name) / "board"
    files = [jinja_templates.STATIC / one for one in STYLES]
    if (own / "board.html").exists():
        files[1:1] = [own / "board.css"] if (own / "board.css").exists() else []
    else:
        files[1:1] = [jinja_templates.STATIC / "plain-board.css"]
    files += [own / "print.css"] if (own / "print.css").exists() else []
    return Markup(load_page_css_with_all_fonts() + "\n".join(path.read_text(encoding="utf-8") for path in files))


@functools.cache
def load_sprite(name: str) -> Markup:
    """All drawings of a game as one SVG element for the page."""
    return Markup(jinja_templates.build_sprite(name).replace("<svg ", '<svg class="sprite" aria-hidden="true" ', 1))
