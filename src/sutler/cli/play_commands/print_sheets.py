"""`sutler print`: a game as sheets to print and cut, as pictures of its pieces, or as decks for tables on a screen."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError, parse_settings, require_game_name
from sutler.cli.options import Box, GameName, Settings, command
from sutler.cli.output_file import require_writable_out

if TYPE_CHECKING:
    from sutler.core.play.game import Game
    from sutler.core.play.pieces import Sheets
    from sutler.web.paper.layout import Layout
    from sutler.web.paper.own_pictures import OwnPictures

Form = Literal["sheets", "png", "decks", "tts"]


@dataclass(frozen=True)
class PrintLayout:
    """The options for how pieces lie on paper."""

    paper: Annotated[str, typer.Option(help="a4 or letter.")] = "a4"
    bleed: Annotated[float, typer.Option(help="Millimetres that the drawing goes on beyond the cut; 3 is usual.")] = 0.0
    gutter: Annotated[float, typer.Option(help="Millimetres between pieces, at least twice the bleed.")] = 0.0
    overlap: Annotated[float, typer.Option(help="Millimetres by which the parts of a large board overlap.")] = 5.0

    def build_layout(self) -> Layout:
        """The layout for these options; CommandError names an option with a wrong value."""
        from sutler.web.paper.layout import PAPERS, Layout

        if self.paper.casefold() not in PAPERS:
            raise CommandError(f"--paper {self.paper}: there are {' and '.join(PAPERS)}")
        try:
            return Layout(self.paper.casefold(), self.bleed, self.gutter, self.overlap)
        except ValueError as error:
            raise CommandError(f"--{error}") from None


@dataclass(frozen=True)
class PrintChoice:
    """The options for which pieces are printed, and with which pictures."""

    only: Annotated[
        Literal["changed"] | None,
        typer.Option(help="Only the pieces that differ from the printed box, or from --since.", show_default=False),
    ] = None
    since: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The box whose pieces you have already.", show_default=False),
    ] = None
    one_of_each: Annotated[bool, typer.Option("--one-of-each", help="Each design once.")] = False
    pictures: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Your own pictures, called as their cards (wheat.png); the folder pictures beside the box if left out.",
            show_default=False,
        ),
    ] = None

    def select_sheets(self, game: Game) -> tuple[Sheets, str]:
        """(the pieces to print, a sentence that says which were selected, "" for all of them)."""
        from sutler.core.play.game import load
        from sutler.core.play.pieces import build_sheets
        from sutler.web.paper.sheets_page import keep_one_of_each, select_changed_pieces

        if self.since and not self.only:
            raise CommandError("--since FILE goes with --only changed")
        said = []
        sheets = build_sheets(game)
        if self.only:
            before = load(game.name, self.since)
            before.definition.home.interpreted = True
            sheets = select_changed_pieces(game, before)
            than = self.since.name if self.since else "the printed box"
            if not sheets.kinds:
                raise CommandError(f"no piece differs from {than}: nothing to print")
            said.append(f"only what differs from {than}")
        if self.one_of_each:
            sheets = keep_one_of_each(sheets)
            said.append("one of each design")
        return sheets, f"{', '.join(said)}." if said else ""

    def read_own_pictures(self, beside: Path | None, game: Game) -> OwnPictures:
        """The designer's pictures: those of --pictures, or of the folder `pictures` next to the box file `beside`.

        Prints which of them belong to no piece of the game, printed this time or not.
        """
        from sutler.core.play.pieces import build_sheets
        from sutler.web.paper.own_pictures import FOLDER, OwnPictures

        folder = self.pictures
        if folder is None and beside is not None and (beside.parent / FOLDER).is_dir():
            folder = beside.parent / FOLDER
        if folder is not None and not folder.is_dir():
            raise CommandError(f"--pictures {folder}: there is no such folder")
        own = OwnPictures(folder)
        names = {piece.name for kind in build_sheets(game).kinds for piece in kind.pieces} if own.files else ()
        for sentence in own.explain_unused(names):
            make_console().print(sentence, style="yellow", highlight=False)
        return own


@command
def print_command(
    game: GameName,
    layout: PrintLayout,
    choice: PrintChoice,
    box: Box = None,
    set_: Settings = None,
    form: Annotated[
        Form,
        typer.Option(
            "--as",
            help="sheets to cut; png: a picture of each piece; decks: sheets of cards with a list; tts: for Tabletop Simulator.",
        ),
    ] = "sheets",
    dpi: Annotated[int, typer.Option(help="Pixels an inch of pictures.")] = 300,
    url: Annotated[
        str, typer.Option(help="With --as tts: where the pictures will lie on the web.", show_default=False)
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where to: .pdf, .html to print from a browser; a folder for pictures.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Make print-and-play sheets, pictures of pieces or decks for virtual tabletops, from the drawings of the table."""
    name = require_game_name(game)
    on_paper = layout.build_layout()
    from sutler.core.play.game import load

    if form == "sheets":
        out = _choose_out_file(out, name, on_paper.paper)
    loaded = load(name, box, parse_settings(set_ or []))
    loaded.definition.home.interpreted = True  # a page needs no compiled rules
    sheets, said = choice.select_sheets(loaded)
    beside = box or (Path(game) if Path(game).is_file() else None)
    pictures = choice.read_own_pictures(beside, loaded)
    if form == "sheets":
        assert out is not None
        _write_sheets(loaded, on_paper, sheets, pictures, said, out)
    else:
        _write_pictures(loaded, sheets, pictures, on_paper.bleed, form, dpi, url, out or Path(f"{name}-{form}"))


def _choose_out_file(out: Path | None, name: str, paper: str) -> Path:
    """The file to write the sheets to, checked; without --out a PDF if a browser that can make one is installed, else HTML."""
    from sutler.web.paper.browser_pdf import find_browser

    browser = find_browser()
    out = out or Path(f"{name}-{paper}{'.pdf' if browser else '.html'}")
    require_writable_out(out, (".pdf", ".html"))
    if out.suffix == ".pdf" and browser is None:
        raise CommandError(
            f"{out}: a PDF takes Chromium, Chrome or Edge, and none is on the path; name one in SUTLER_BROWSER, or end the "
            "file in .html and print it from any browser"
        )
    return out


def _write_sheets(game: Game, layout: Layout, sheets: Sheets, pictures: OwnPictures, selection: str, out: Path) -> None:
    """Write the sheets as .pdf or .html, and print advice on printing them."""
    from sutler.web.paper.browser_pdf import find_browser, write_pdf
    from sutler.web.paper.layout import PAPERS
    from sutler.web.paper.sheets_page import render_sheets

    page, paper = render_sheets(game, layout, sheets, pictures, selection), PAPERS[layout.paper][0]
    pieces = sum(kind.count for kind in sheets.kinds)
    counted = f"{pieces} {'piece' if pieces == 1 else 'pieces'}{f', {selection}' if selection else ''}"
    if out.suffix == ".pdf":
        browser = find_browser()
        assert browser is not None
        write_pdf(page, out, browser)
        make_console().print(
            f"{game.title}: sheets for {paper} in {out} ({counted.rstrip('.')}). Page 2 says how to print and cut them."
        )
    else:
        from sutler.lab.play.atomic_files import write_atomically

        write_atomically(out, page)
        make_console().print(
            f"{game.title}: sheets for {paper} in {out} ({counted.rstrip('.')}). Open it in a browser and print it: {paper}, 100 %, no "
            "headers and footers, background graphics on. Its second page says how to cut."
        )


def _write_pictures(
    game: Game, sheets: Sheets, pictures: OwnPictures, bleed: float, form: Form, dpi: int, url: str, out: Path
) -> None:
    """Write pictures of pieces, or decks, into a folder."""
    from sutler.web.paper.browser_pdf import find_browser
    from sutler.web.paper.deck_sheets import write_decks
    from sutler.web.paper.piece_images import MAX_DPI, MIN_DPI, PieceImages, write_images
    from sutler.web.paper.tabletop_simulator import write_saved_object

    browser = find_browser()
    if browser is None:
        raise CommandError(
            f"--as {form} takes Chromium, Chrome or Edge, and none is on the path; name one in SUTLER_BROWSER"
        )
    if not MIN_DPI <= dpi <= MAX_DPI:
        raise CommandError(f"--dpi {dpi}: from {MIN_DPI} to {MAX_DPI}")
    if out.exists() and not out.is_dir():
        raise CommandError(f"--out {out} is a file; --as {form} makes a folder")
    images = PieceImages(game, sheets, browser, pictures, bleed)
    if form == "png":
        n = write_images(images, out, dpi)
        make_console().print(f"{game.title}: {n} pictures in {out}, {dpi} pixels an inch.")
        return
    decks = write_decks(images, out, dpi)
    cards = sum(piece.count for sheet in decks for piece in sheet.pieces)
    make_console().print(
        f"{game.title}: {cards} cards in {len(decks)} sheets in {out}; cards.csv says which lies where."
    )
    if form == "tts":
        saved = write_saved_object(out, decks, game.title, url)
        make_console().print(
            f"Put {saved.name} into Tabletop Simulator’s folder Saves/Saved Objects; there it is a saved object."
        )
