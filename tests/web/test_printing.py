"""Print-and-play sheets: every design as often as the box has it, fronts and backs on each other, edits on paper, nothing cut off."""

from __future__ import annotations

import html
import itertools
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sutler.cardkit.box_model import read_game_in_folder
from sutler.cardkit.installed_card_games import card_game
from sutler.core.play.game import Game, load
from sutler.core.play.pieces import CARD, Kind, Piece, build_sheets
from sutler.core.play.registry import find_game_folder, load_definition
from sutler.web.jobs.guest_process import GuestProcess
from sutler.web.paper import sheets_page as made_sheets
from sutler.web.paper.layout import PAPERS, Layout, fit_grid, lay_out_pages
from sutler.web.paper.own_pictures import OwnPictures, to_file_name
from sutler.web.paper.sheets_page import keep_one_of_each, render_sheets

ROOT = Path(__file__).parents[2]

GAMES = ("bellum", "manor", "sixwinters", "threeyears", "warfarm")
HOW_OFTEN = {
    "manor": {"card": "count", "land": ""},
    "threeyears": dict.fromkeys(("claim", "marketplace", "battle", "reaping", "bitter"), "")
    | {"influence": "copies", "writ": "count"},
    "warfarm": {"card": "copies", "deck": ""},
    "sixwinters": dict.fromkeys(
        ("obstacle", "location", "card", "mission", "scheme", "campaign_effect", "reserve_action", "character"), ""
    ),
    "bellum": {},
}
"""The tables of each box whose entries are pieces, and the number that says how often each is there; "": once."""
PER_POINT = 96 / 72
LEAST = 6.0
"""Points: nothing on a piece is smaller."""
MEASURE = """(least) => {
  const cut = [], small = [], onSymbols = [];
  const meets = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5;
  for (const at of document.querySelectorAll('.lies-at:not(.part)')) {
    const turn = at.firstElementChild, name = at.dataset.piece || `back ${at.dataset.back}`;
    const symbols = [...turn.querySelectorAll('.icon, .fig, .cut, .woodcut, .shield, .own-picture:not(.plot)')]
      .filter((one) => !one.parentElement.closest('svg')).map((one) => one.getBoundingClientRect()).filter((box) => box.width > 0);
    const walk = document.createTreeWalker(turn, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const text = walk.currentNode, parent = text.parentElement;
      if (!text.nodeValue.trim() || getComputedStyle(parent).display === 'none' || parent.closest('.sr')) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const outside = (box, by) => [...range.getClientRects()].some((one) => one.width > .5 && (one.left < box.left - by ||
        one.right > box.right + by || one.top < box.top - 2 * by || one.bottom > box.bottom + 2 * by));
      let lost = outside(at.getBoundingClientRect(), .5);
      for (let one = parent; one !== turn && !lost; one = one.parentElement)
        lost = getComputedStyle(one).overflow !== 'visible' && !(one instanceof SVGElement) && outside(one.getBoundingClientRect(), 1.5);
      const high = parseFloat(getComputedStyle(parent).fontSize) * .72;
      const letters = [...range.getClientRects()].map((line) => {
        const leading = Math.max(0, (line.height - high) / 2);
        return { left: line.left, right: line.right, top: line.top + leading, bottom: line.bottom - leading };
      });
      if (!(parent instanceof SVGElement) && !parent.closest('.edited') && letters.some((line) => symbols.some((one) => meets(line, one))))
        onSymbols.push(`${name}: ${text.nodeValue.trim()}`);
      if (lost && !parent.closest('.edited')) cut.push(`${name}: ${text.nodeValue.trim()}`);
      let size = parseFloat(getComputedStyle(parent).fontSize);
      if (parent instanceof SVGElement) { const drawn = parent.getScreenCTM(); size *= Math.hypot(drawn.a, drawn.b); }
      else for (let one = parent; one; one = one.parentElement) size *= parseFloat(getComputedStyle(one).zoom) || 1;
      if (size && size < least) small.push(`${name}: ${text.nodeValue.trim()} (${size.toFixed(1)})`);
    }
  }
  return { cut, small, on_symbols: onSymbols, width: document.documentElement.scrollWidth };
}"""


@pytest.fixture(autouse=True)
def plain() -> Iterator[None]:
    """A page of paper needs no compiled rules."""
    homes = {name: load_definition(name).home for name in GAMES}
    before = {name: home.interpreted for name, home in homes.items()}
    for home in homes.values():
        home.interpreted = True
    yield
    for name, home in homes.items():
        home.interpreted = before[name]


def pieces(page: str) -> Counter[str]:
    """How often each piece lies on the sheets."""
    return Counter(html.unescape(one) for one in re.findall(r'data-piece="([^"]*)"', page))


def box_of(game: str) -> dict[str, Any]:
    return tomllib.loads((find_game_folder(game) / "box.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", GAMES)
def test_every_design_is_there_as_often_as_the_box_has_it(game: str) -> None:
    """Counted from the file, entry by entry; and the list of contents says as many."""
    page = render_sheets(load(game))
    found = pieces(page)
    for table, often in HOW_OFTEN[game].items():
        wanted = {f"{table}:{one['name']}": one.get(often, 1) for one in box_of(game)[table]}
        assert {key: found[key] for key in found if key.startswith(f"{table}:")} == wanted, table
    rows = re.findall(r'<th scope="row">[^<]*</th><td class="n">\d+</td><td class="n">(\d+)</td>', page)
    assert sum(map(int, rows)) == found.total()


def test_tokens_and_tiles_are_there_as_often_as_the_box_has_them() -> None:
    """What a box counts without naming it."""
    pages = [render_sheets(load(game)) for game in ("threeyears", "sixwinters", "bellum")]
    years, winters, map_ = map(pieces, pages)
    assert "Parts of a board overlap by 5 mm" in pages[2]
    box = box_of("threeyears")
    assert {one["value"]: years[f"despair:Despair {one['value']}"] for one in box["despair"]} == {
        one["value"]: one["count"] for one in box["despair"]
    }
    assert (years["token:Hope"], years["token:Scout"]) == (box["supply"]["hope"], box["supply"]["scout"])
    assert [map_[f"tile:{size}"] for size in ("minor", "medium", "major")] == box_of("bellum")["rules"]["city_tiles"]
    assert sum(map_[f"leader:{one['name']}"] for power in box_of("bellum")["power"] for one in power["leaders"]) == 8
    page = render_sheets(load("sixwinters"))
    events = Counter(html.unescape(one) for one in re.findall(r'data-event="([^"]*)"', page))
    assert events == Counter(one["name"] for one in box_of("sixwinters")["event"])
    assert sum(n for key, n in winters.items() if key.startswith("region:")) == 3
    assert "72 dice" in page


@pytest.mark.parametrize("paper", PAPERS)
def test_backs_lie_behind_their_fronts(paper: str) -> None:
    """Turned over the long edge, left and right change places: front and back of a piece together span the page."""
    size, layout = PAPERS[paper][1:], Layout(paper)
    kind = Kind("card", "Cards", "card", CARD, tuple(Piece(str(i), 1, i, i) for i in range(8)), back="back")
    front, back = lay_out_pages([kind], layout)
    for one, other in zip(front.faces, back.faces, strict=True):
        assert one.piece is other.piece
        assert one.x + other.x + front.grid.width == pytest.approx(size[0])
        assert one.y == other.y
        assert min(one.x, one.y) >= 6 - 1e-6
        assert one.x + front.grid.width <= size[0] - 6 + 1e-6


@pytest.mark.parametrize("overlap", [0.0, 5.0, 12.0])
def test_what_is_larger_than_a_page_is_printed_in_parts(overlap: float) -> None:
    """All of one size, none lost, each over the next by as much as asked; short lines show by how much."""
    layout = Layout(overlap=overlap)
    kind = Kind("map", "The map", "map", (300.0, 550.0), (Piece("The map"),))
    parts = list(lay_out_pages([kind], layout))
    room = [side - 12 for side in layout.size]
    for axis in (0, 1):
        lies = sorted({page.faces[0].part[axis] for page in parts if page.faces[0].part})
        length = (parts[0].grid.width, parts[0].grid.height)[axis]
        side = kind.size[1 - axis] if parts[0].grid.turned else kind.size[axis]
        assert length <= room[axis] + 1e-6
        assert lies[0] == 0
        assert lies[-1] + length == pytest.approx(side)
        assert [b - a for a, b in itertools.pairwise(lies)] == pytest.approx([length - overlap] * (len(lies) - 1))
    seams = sorted(len(page.seams_across) + len(page.seams_down) for page in parts)
    assert seams == ([2] * 4 if overlap else [0] * 4)
    assert fit_grid((300.0, 550.0), layout, False).n == 0


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("bleed", "gutter"), [(3.0, 0.0), (0.0, 4.0), (2.0, 10.0)])
def test_bleed_and_gutter_part_the_pieces(paper: str, bleed: float, gutter: float) -> None:
    """No piece's bleed reaches its neighbour's, every cut has its marks, and backs lie behind their fronts as ever."""
    layout = Layout(paper, bleed, gutter)
    kind = Kind("card", "Cards", "card", CARD, tuple(Piece(str(i), 1, i, i) for i in range(30)), back="back")
    for front, back in zip(*[iter(lay_out_pages([kind], layout))] * 2, strict=True):
        xs, ys = sorted({f.x for f in front.faces}), sorted({f.y for f in front.faces})
        for places, length, side in ((xs, front.grid.width, layout.size[0]), (ys, front.grid.height, layout.size[1])):
            assert all(b - a >= length + max(gutter, 2 * bleed) - 1e-6 for a, b in itertools.pairwise(places))
            assert places[0] - bleed >= 6 - 1e-6
            assert places[-1] + length + bleed <= side - 6 + 1e-6
        assert len(front.across) == 2 * len(xs)
        assert len(front.down) == 2 * len(ys)
        for one, other in zip(front.faces, back.faces, strict=True):
            assert one.x + other.x + front.grid.width == pytest.approx(layout.size[0])
    for wrong in ({"bleed": 9.0}, {"gutter": -1.0}, {"overlap": 99.0}):
        with pytest.raises(ValueError, match="millimetres"):
            Layout(paper, **wrong)


@pytest.mark.parametrize("game", GAMES)
def test_leaves_count_in_pairs(game: str) -> None:
    """Fronts stand on odd pages and their backs on the next, so that both sides can be printed in one go."""
    leaves = re.findall(r'data-page="([^"]*)"', render_sheets(load(game)))
    for number, title in enumerate(leaves, 1):
        if title.endswith(": backs"):
            assert number % 2 == 0
            assert leaves[number - 2] + ": backs" == title


def test_an_edit_is_on_paper() -> None:
    """A card's number on the card, with what it was; a rule's beside its paragraph; the first pages say that the box is changed."""
    edit = {
        "card": [{"name": "Wheat", "gain": {"crops": 9}}, {"name": "Barley", "count": 0}],
        "rules": {"upgrade_cost": 4},
    }
    page, printed = render_sheets(load("manor", edit, {"victory": 20})), render_sheets(load("manor"))
    wheat = page.partition('data-piece="card:Wheat"')[2].partition("data-piece")[0]
    assert [pieces(one)["card:Barley"] for one in (printed, page)] == [1, 0]
    assert "Gain 9 crops" in wheat
    assert "<b>9</b>" in wheat
    assert "gain.crops: 4 → 9" in wheat
    assert "Gain 4 crops" in printed.partition('data-piece="card:Wheat"')[2].partition("data-piece")[0]
    assert "In this box:" not in printed
    notes = dict(re.findall(r'data-note="([\d.]+)"><b>In this box:</b> ([^<]*)</p>', page))
    assert notes["9.1"] == "Victory tokens to end the game: 20, printed 15."
    assert "rules.upgrade_cost: 4, printed 3." in notes.values()
    assert "card &#34;Wheat&#34; gain.crops: 4 → 9" in page
    assert load("manor", edit).box_hash in page


@pytest.mark.parametrize(
    ("game", "edit", "piece", "shows"),
    [
        ("warfarm", {"card": [{"name": "Mine", "gain": {"steel": 4}}]}, "card:Mine", "<span>4<svg"),
        ("threeyears", {"despair": [{"value": 4, "count": 7}]}, "despair:Despair 4", "<b>4</b>"),
        ("sixwinters", {"obstacle": [{"name": "Orb of Seeing", "difficulty": 17}]}, "obstacle:Orb of Seeing", ">17<"),
        ("bellum", {"rules": {"start_supply": 8}}, "tracks:Sweden", '<span class="mark">8</span>'),
    ],
)
def test_an_edited_number_shows(game: str, edit: dict[str, Any], piece: str, shows: str) -> None:
    """In each game, drawn by the macro of its table."""
    page = render_sheets(load(game, edit))
    assert shows in page.partition(f'data-piece="{piece}"')[2].partition("data-piece")[0]


@pytest.mark.parametrize("game", GAMES)
def test_a_page_holds_all_it_needs(game: str) -> None:
    """No file beside it, no network: letters and drawings are inside, and every drawing it asks for is there."""
    page = render_sheets(load(game))
    assert not re.findall(r'(?:src|href)="(?!#)', page)
    assert set(re.findall(r"url\((?!#|data:)([^)]*)\)", page)) == set()
    have = set(re.findall(r'\bid="([^"]+)"', page))
    drawn = page.partition('class="on-screen"')[2]
    assert set(re.findall(r'href="#([^"]+)"', drawn)) <= have


def test_a_game_without_drawings_for_paper_is_printed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cards by what the box says of them, markers and counters, its table as it begins."""
    monkeypatch.setenv("SUTLER_GAMES", str(Path(__file__).parents[2] / "examples"))
    market = load("market")
    market.definition.home.interpreted = True
    page = render_sheets(market)
    assert {key for key in pieces(page) if key.startswith("ware:")} == {f"ware:{one.name}" for one in market.sheet.ware}
    assert "<dt>cost</dt>" in page
    assert 'data-piece="table:as a game begins"' in page


def test_unknown_paper_is_refused() -> None:
    """By name."""
    with pytest.raises(ValueError, match="a4 and letter"):
        render_sheets(load("manor"), Layout("a3"))


def test_sheets_are_reached_from_learning_and_from_the_lab(client: TestClient) -> None:
    """The page runs nothing and asks for nothing; a game or a paper that is not there is told."""
    assert "/print/manor?paper=letter" in client.get("/learn/manor").text
    assert "/print/manor" in client.get("/lab", params={"game": "manor"}).text
    answer = client.get("/print/manor", params={"paper": "letter"})
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "215.9mm" in answer.text
    assert pieces(answer.text)["card:Wheat"] == 1
    assert client.get("/print/chess").status_code == 404
    assert client.get("/print/manor?paper=a3").status_code == 404


def test_sheets_are_drawn_once_however_often_anybody_asks(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six Winters takes seconds of a processor: a stranger's ten requests would hold everybody up for a minute."""
    drawn: list[tuple[str, str]] = []

    async def run(self: GuestProcess, client: str, name: str, given: dict[str, str], seconds: int) -> str:
        drawn.append((given["game"], given["paper"]))
        return f"sheets on {given['paper']}"

    monkeypatch.setattr(made_sheets, "_printed_boxes", {})
    monkeypatch.setattr(GuestProcess, "run_job", run)
    for paper in ("a4", "letter", "a4", "letter"):
        assert client.get("/print/manor", params={"paper": paper}).text == f"sheets on {paper}"
    assert drawn == [("manor", "a4"), ("manor", "letter")]


def card_games(monkeypatch: pytest.MonkeyPatch) -> list[Game]:
    """The two examples, and one that uses all there is."""
    monkeypatch.setenv("SUTLER_GAMES", "")
    found = []
    for path in (*sorted((ROOT / "examples" / "cards").glob("*.toml")), ROOT / "tests" / "cardkit" / "everything.toml"):
        found.append(card_game(path))
        monkeypatch.setattr(found[-1].definition.home, "interpreted", True)
    return found


def test_a_card_game_is_printed_as_the_table_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each card as often as its file says, with its own numbers in its words; shared tracks, tokens, and no table."""
    for game in card_games(monkeypatch):
        found, cards = pieces(render_sheets(game)), read_game_in_folder(game.folder)
        assert {f"{one.kind}:{one.name}": one.copies for one in cards.cards}.items() <= found.items()
        assert {key.partition(":")[2] for key in found if key.startswith("track:")} == {
            one.name.replace("_", " ") for one in cards.tokens.values() if one.shared and one.limit
        }
    storm = render_sheets(card_game(ROOT / "examples" / "cards" / "highwater.toml"))
    storm = storm.partition('data-piece="weather:Storm"')[2].partition("data-piece")[0]
    assert "gain 2 water; gain 1 tired" in storm


@pytest.mark.browser
@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_is_cut_off_or_too_small(
    paper: str, tmp_path: Path, chromium: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measured in the browser as it prints: every word within its piece, none under six points, none on a symbol."""
    width = round(PAPERS[paper][1] / 25.4 * 96)
    long = load(
        "warfarm", {"card": [{"name": "Farmer", "text": "Take a Farmer, then another one for each Farmland. " * 2}]}
    )
    for game in [*map(load, GAMES), long, *card_games(monkeypatch)]:
        page = opened(
            chromium, tmp_path, render_sheets(game, Layout(paper), keep_one_of_each(build_sheets(game))), width
        )
        found = page.evaluate(MEASURE, LEAST * PER_POINT - 0.1)
        assert found["cut"] == [], game
        assert found["small"] == [], game
        assert found["on_symbols"] == [], game
        assert found["width"] <= width, game
        page.close()


@pytest.mark.browser
def test_own_pictures_leave_room_for_words(tmp_path: Path, chromium: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture for every card there is, of any shape: as large as the drawing it takes the place of, and no word on it but on grounds."""
    for game in [*map(load, ("manor", "warfarm", "threeyears")), *card_games(monkeypatch)]:
        sheets = keep_one_of_each(build_sheets(game))
        folder = tmp_path / game.name
        folder.mkdir()
        shapes = itertools.cycle(["0 0 900 100", "0 0 100 900", "0 0 1 1"])
        for name in {piece.name for kind in sheets.kinds for piece in kind.pieces if kind.back}:
            drawn = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{next(shapes)}"><rect width="900" height="900"/></svg>'
            (folder / f"{to_file_name(name)}.svg").write_text(drawn, encoding="utf-8")
        page = opened(chromium, tmp_path, render_sheets(game, None, sheets, OwnPictures(folder)), 794)
        assert page.locator(".own-picture, .own-ground").count() > 4
        found = page.evaluate(MEASURE, LEAST * PER_POINT - 0.1)
        assert (found["cut"], found["on_symbols"]) == ([], []), game
        page.close()


def opened(chromium: Any, folder: Path, page: str, width: int) -> Any:
    """A page as the browser prints it."""
    (folder / "sheets.html").write_text(page, encoding="utf-8")
    shown = chromium.new_page(viewport={"width": width, "height": 1100})
    shown.emulate_media(media="print")
    shown.goto((folder / "sheets.html").as_uri())
    shown.evaluate("document.fonts.ready")
    return shown
