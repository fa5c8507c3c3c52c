"""Which pieces are printed, and pieces as pictures: as on the page, to the pixel's size; decks that say where each card lies."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sutler.cardkit.installed_card_games import card_game
from sutler.core.optional_imports import Missing
from sutler.core.play.game import Game, load
from sutler.core.play.pieces import Sheets, build_sheets
from sutler.web.paper.browser_pdf import find_browser, write_pdf
from sutler.web.paper.deck_sheets import MAX_CARDS, MAX_SHEET_PIXELS, build_deck_sheets, write_decks
from sutler.web.paper.layout import Layout
from sutler.web.paper.own_pictures import OwnPictures
from sutler.web.paper.piece_images import PieceImages, to_pixels, write_images
from sutler.web.paper.sheets_page import keep_one_of_each, render_sheets, select_changed_pieces
from sutler.web.paper.tabletop_simulator import write_saved_object

ROOT = Path(__file__).parents[2]
BROWSER = find_browser()
needs_browser = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here")


@pytest.fixture
def stalls(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The smaller example of a card game: twenty cards."""
    monkeypatch.setenv("SUTLER_GAMES", "")
    game = card_game(ROOT / "examples" / "cards" / "stalls.toml")
    monkeypatch.setattr(game.definition.home, "interpreted", True)
    return game


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A page of paper needs no compiled rules."""
    for name in ("manor", "threeyears", "warfarm"):
        monkeypatch.setattr(load(name).definition.home, "interpreted", True)
    return


def counted(sheets: Sheets) -> dict[str, int]:
    """How often each piece is printed."""
    return {f"{kind.key}:{piece.name}": piece.count for kind in sheets.kinds for piece in kind.pieces}


def test_only_what_looks_different_is_printed() -> None:
    """A card with another number, as often as it is there; one there are more of, as many more; whatever else an option moves."""
    edit = {"card": [{"name": "Wheat", "gain": {"crops": 9}}, {"name": "Barley", "count": 0}]}
    assert counted(select_changed_pieces(load("manor", edit), load("manor"))) == {"card:Wheat": 1}
    assert counted(select_changed_pieces(load("manor"), load("manor", edit))) == {"card:Wheat": 1, "card:Barley": 1}
    farmers = next(one.copies for one in load("warfarm").sheet.card if one.name == "Farmer")
    more = load("warfarm", {"card": [{"name": "Farmer", "copies": farmers + 2}]})
    assert counted(select_changed_pieces(more, load("warfarm"))) == {"card:Farmer": 2}
    assert counted(select_changed_pieces(load("manor"), load("manor"))) == {}
    mats = counted(select_changed_pieces(load("manor", None, {"victory": 20}), load("manor")))
    assert set(mats) == {f"mat:{name}" for name in ("Azure", "Gules", "Or", "Sable", "Vert", "Purpure")}
    newer = {"card": [*edit["card"], {"name": "Rye", "gain": {"crops": 7}}]}
    assert counted(select_changed_pieces(load("manor", newer), load("manor", edit))) == {"card:Rye": 1}


def test_a_back_that_looks_different_is_printed_too() -> None:
    """With a deck of their own, hardships have a back of their own."""
    apart = counted(select_changed_pieces(load("manor", None, {"hardship_deck": True}), load("manor")))
    hardships = {f"card:{one.name}" for one in load("manor").sheet.card if one.type == "hardship"}
    assert set(apart) == hardships


def test_one_of_each_design() -> None:
    """However often the box has it; none of what it has none of."""
    sheets = keep_one_of_each(build_sheets(load("manor", {"card": [{"name": "Barley", "count": 0}]})))
    assert set(counted(sheets).values()) == {1}
    assert "card:Barley" not in counted(sheets)


def test_own_pictures_take_the_place_of_drawings(tmp_path: Path, stalls: Game) -> None:
    """Called as their cards, however they are written; a picture that is called after no card is told, with what was meant."""
    for name in ("linen.svg", "HONEY.PNG", "Velwet.png", "notes.txt"):
        (tmp_path / name).write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    own = OwnPictures(tmp_path)
    page = render_sheets(stalls, None, None, own)
    drawn = {
        name: page.partition(f'data-piece="ware:{name}"')[2].partition("data-piece")[0]
        for name in ("Linen", "Honey", "Salt")
    }
    assert 'class="own-picture cut" src="data:image/svg+xml;base64,' in drawn["Linen"]
    assert 'src="data:image/png;base64,' in drawn["Honey"]
    assert '<svg class="cut"' in drawn["Salt"]
    assert "own-picture cut" not in drawn["Salt"]
    names = {piece.name for kind in build_sheets(stalls).kinds for piece in kind.pieces}
    assert own.explain_unused(names) == [
        f"{tmp_path / 'Velwet.png'}: no piece is called 'Velwet'; did you mean velvet.png?"
    ]


@needs_browser
@pytest.mark.browser
def test_a_picture_looks_as_on_the_page(tmp_path: Path) -> None:
    """A card of Three Years of War cut out of its printed sheet, and as a picture: equal but for the grain of a pixel."""
    pdfium, chops, stats = (pytest.importorskip(name) for name in ("pypdfium2", "PIL.ImageChops", "PIL.ImageStat"))
    assert BROWSER is not None
    game, dpi = load("threeyears"), 254  # ten pixels a millimetre: no cut is half a pixel off
    sheets = build_sheets(game)
    few = Sheets(sheets.view, tuple(kind for kind in sheets.kinds if kind.key in ("claim", "battle", "tracks")))
    write_pdf(render_sheets(game, Layout(), few), tmp_path / "sheets.pdf", BROWSER)
    images = {
        (side.kind.key, side.piece.name, side.back): image
        for side, image in PieceImages(game, few, BROWSER).draw_sides(dpi)
    }
    assert len(images) == sum(len(kind.pieces) for kind in few.kinds) + 4 + 1
    document = pdfium.PdfDocument(tmp_path / "sheets.pdf")
    page = document[2].render(scale=dpi / 72).to_pil()
    document.close()
    for at, piece in enumerate(few.kinds[0].pieces[:9]):
        image = images["claim", piece.name, False]
        assert image.size == (to_pixels(63, dpi), to_pixels(88, dpi))
        left, top = (210 - 189) / 2 + at % 3 * 63, (297 - 264) / 2 + at // 3 * 88
        box = (to_pixels(left, dpi), to_pixels(top, dpi))
        cut = page.crop((*box, box[0] + image.width, box[1] + image.height))
        other = images["claim", few.kinds[0].pieces[at + 1].name, False]
        seen, drawn, another = (one.convert("L").reduce(6) for one in (cut, image, other))
        apart, others = (stats.Stat(chops.difference(seen, one)).mean[0] for one in (drawn, another))
        assert apart < 5 < others / 3, (piece.name, apart, others)
        assert (
            image.crop((0, image.height - 1, image.width, image.height)).convert("L").getextrema()[0] > 100
        )  # no dark edge
    assert images["battle", few.kinds[1].pieces[0].name, False].size == (to_pixels(88, dpi), to_pixels(63, dpi))
    assert images["tracks", "Tracks", False].size == (to_pixels(190, dpi), to_pixels(160, dpi))


@needs_browser
@pytest.mark.browser
def test_decks_and_what_lies_where(tmp_path: Path, stalls: Game) -> None:
    """Pictures for each piece with bleed; sheets of cards, a list, and Tabletop Simulator's saved object that agree."""
    pytest.importorskip("pypdfium2")
    assert BROWSER is not None
    sheets = build_sheets(stalls)
    n = write_images(PieceImages(stalls, sheets, BROWSER, bleed=3), tmp_path / "png", 100)
    made = {str(path.relative_to(tmp_path / "png")) for path in (tmp_path / "png").rglob("*.png")}
    assert n == len(made) == 16 + 4 + 2 + 2 + 4
    assert {"ware/linen.png", "ware/back.png", "customer/back.png", "token/5-coins.png", "marker/seat-1.png"} <= made
    assert size(tmp_path / "png" / "ware" / "linen.png") == (to_pixels(69, 100), to_pixels(94, 100))

    decks = write_decks(PieceImages(stalls, sheets, BROWSER), tmp_path / "decks", 600)
    rows = list(csv.DictReader((tmp_path / "decks" / "cards.csv").read_text(encoding="utf-8").splitlines()))
    assert Counter(row["deck"] for row in rows) == {"Ware cards": 16, "Customer cards": 4}
    for row in rows:
        width, height = size(tmp_path / "decks" / row["picture"])
        columns, lines = int(row["columns"]), int(row["rows"])
        assert max(width, height) <= MAX_SHEET_PIXELS
        assert width % columns == height % lines == 0
        assert 1 <= int(row["column"]) <= columns
        assert 1 <= int(row["row"]) <= lines
        assert size(tmp_path / "decks" / row["back"]) == (width // columns, height // lines)
    saved = json.loads(write_saved_object(tmp_path / "decks", decks, "Stalls").read_text(encoding="utf-8"))
    check_saved_object(saved, tmp_path / "decks", {row["card"]: row for row in rows})


def size(path: Path) -> tuple[int, int]:
    """Width and height of a picture in pixels."""
    with pytest.importorskip("PIL.Image").open(path) as image:
        return image.width, image.height


def check_saved_object(saved: dict[str, Any], folder: Path, rows: dict[str, dict[str, str]]) -> None:
    """Each card's number leads to the place in the picture that the list says, and each picture is there."""
    found = Counter[str]()
    for deck in saved["ObjectStates"]:
        assert deck["Name"] == "DeckCustom"
        assert [card["CardID"] for card in deck["ContainedObjects"]] == deck["DeckIDs"]
        for card in deck["ContainedObjects"]:
            number, place = divmod(card["CardID"], 100)
            picture, row = deck["CustomDeck"][str(number)], rows[card["Nickname"]]
            assert picture["FaceURL"] == (folder / row["picture"]).resolve().as_uri()
            assert picture["BackURL"] == (folder / row["back"]).resolve().as_uri()
            at = divmod(place, picture["NumWidth"])
            assert (at[0] + 1, at[1] + 1) == (int(row["row"]), int(row["column"]))
            assert (picture["NumWidth"], picture["NumHeight"]) == (int(row["columns"]), int(row["rows"]))
            found[card["Nickname"]] += 1
    assert found == {name: int(row["count"]) for name, row in rows.items()}


def test_no_sheet_is_larger_than_tables_take() -> None:
    """Of all five games: at most ten by seven, the last place of a full one free, each card in one sheet, one back to each."""
    for game in ("bellum", "manor", "sixwinters", "threeyears", "warfarm"):
        kinds = [kind for kind in build_sheets(load(game)).kinds if kind.back]
        sheets = list(build_deck_sheets(kinds))
        assert sum(len(sheet.pieces) for sheet in sheets) == sum(len(kind.pieces) for kind in kinds)
        for sheet in sheets:
            assert 2 <= sheet.n_columns <= 10
            assert 2 <= sheet.n_rows <= 7
            assert len(sheet.pieces) <= min(MAX_CARDS, sheet.n_columns * sheet.n_rows)
            assert len({repr(piece.back) for piece in sheet.pieces}) == 1
        assert len({sheet.front for sheet in sheets}) == len(sheets)


def test_without_the_libraries_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch, stalls: Game) -> None:
    """By the name of the extra."""
    monkeypatch.setitem(__import__("sys").modules, "pypdfium2", None)
    with pytest.raises(Missing, match=re.escape('pip install "sutler[print]"')):
        PieceImages(stalls, build_sheets(stalls), "chromium")
