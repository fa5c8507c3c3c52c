"""Print-and-play sheets: every design as often as the box has it, fronts and backs on each other, edits on paper, nothing cut off."""

from __future__ import annotations

import html
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sutler.core.play.game import load
from sutler.core.play.pieces import CARD, Kind, Piece
from sutler.core.play.registry import definition, folder_of
from sutler.web.jobs.guest_process import GuestProcess
from sutler.web.lobby import print_sheets
from sutler.web.lobby.print_sheets import PAPERS, grid_of, pages_of, sheets_page

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
  const cut = [], small = [];
  for (const at of document.querySelectorAll('.lies-at:not(.part)')) {
    const turn = at.firstElementChild, name = at.dataset.piece || `back ${at.dataset.back}`;
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
      if (lost && !parent.closest('.edited')) cut.push(`${name}: ${text.nodeValue.trim()}`);
      let size = parseFloat(getComputedStyle(parent).fontSize);
      if (parent instanceof SVGElement) { const drawn = parent.getScreenCTM(); size *= Math.hypot(drawn.a, drawn.b); }
      else for (let one = parent; one; one = one.parentElement) size *= parseFloat(getComputedStyle(one).zoom) || 1;
      if (size && size < least) small.push(`${name}: ${text.nodeValue.trim()} (${size.toFixed(1)})`);
    }
  }
  return { cut, small, width: document.documentElement.scrollWidth };
}"""


@pytest.fixture(autouse=True)
def plain() -> Iterator[None]:
    """A page of paper needs no compiled rules."""
    homes = {name: definition(name).home for name in GAMES}
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
    return tomllib.loads((folder_of(game) / "box.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", GAMES)
def test_every_design_is_there_as_often_as_the_box_has_it(game: str) -> None:
    """Counted from the file, entry by entry; and the list of contents says as many."""
    page = sheets_page(load(game))
    found = pieces(page)
    for table, often in HOW_OFTEN[game].items():
        wanted = {f"{table}:{one['name']}": one.get(often, 1) for one in box_of(game)[table]}
        assert {key: found[key] for key in found if key.startswith(f"{table}:")} == wanted, table
    rows = re.findall(r'<th scope="row">[^<]*</th><td class="n">\d+</td><td class="n">(\d+)</td>', page)
    assert sum(map(int, rows)) == found.total()


def test_tokens_and_tiles_are_there_as_often_as_the_box_has_them() -> None:
    """What a box counts without naming it."""
    years, winters, map_ = (pieces(sheets_page(load(game))) for game in ("threeyears", "sixwinters", "bellum"))
    box = box_of("threeyears")
    assert {one["value"]: years[f"despair:Despair {one['value']}"] for one in box["despair"]} == {
        one["value"]: one["count"] for one in box["despair"]
    }
    assert (years["token:Hope"], years["token:Scout"]) == (box["supply"]["hope"], box["supply"]["scout"])
    assert [map_[f"tile:{size}"] for size in ("minor", "medium", "major")] == box_of("bellum")["rules"]["city_tiles"]
    assert sum(map_[f"leader:{one['name']}"] for power in box_of("bellum")["power"] for one in power["leaders"]) == 8
    page = sheets_page(load("sixwinters"))
    events = Counter(html.unescape(one) for one in re.findall(r'data-event="([^"]*)"', page))
    assert events == Counter(one["name"] for one in box_of("sixwinters")["event"])
    assert sum(n for key, n in winters.items() if key.startswith("region:")) == 3
    assert "72 dice" in page


@pytest.mark.parametrize("paper", PAPERS)
def test_backs_lie_behind_their_fronts(paper: str) -> None:
    """Turned over the long edge, left and right change places: front and back of a piece together span the page."""
    size = PAPERS[paper][1:]
    kind = Kind("card", "Cards", "card", CARD, tuple(Piece(str(i), 1, i, i) for i in range(8)), back="back")
    front, back = pages_of([kind], size)
    for one, other in zip(front.faces, back.faces, strict=True):
        assert one.piece is other.piece
        assert one.x + other.x + front.grid.width == pytest.approx(size[0])
        assert one.y == other.y
        assert min(one.x, one.y) >= 6 - 1e-6
        assert one.x + front.grid.width <= size[0] - 6 + 1e-6


def test_what_is_larger_than_a_page_is_printed_in_parts() -> None:
    """Edge to edge, all of one size, none lost."""
    kind = Kind("map", "The map", "map", (300.0, 270.0), (Piece("The map"),))
    parts = list(pages_of([kind], (210.0, 297.0)))
    assert [page.faces[0].part for page in parts] == [(0, 0), (150, 0)]
    assert grid_of((300.0, 270.0), (210.0, 297.0), False).n == 0


@pytest.mark.parametrize("game", GAMES)
def test_leaves_count_in_pairs(game: str) -> None:
    """Fronts stand on odd pages and their backs on the next, so that both sides can be printed in one go."""
    leaves = re.findall(r'data-page="([^"]*)"', sheets_page(load(game)))
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
    page, printed = sheets_page(load("manor", edit, {"victory": 20})), sheets_page(load("manor"))
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
    page = sheets_page(load(game, edit))
    assert shows in page.partition(f'data-piece="{piece}"')[2].partition("data-piece")[0]


@pytest.mark.parametrize("game", GAMES)
def test_a_page_holds_all_it_needs(game: str) -> None:
    """No file beside it, no network: letters and drawings are inside, and every drawing it asks for is there."""
    page = sheets_page(load(game))
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
    page = sheets_page(market)
    assert {key for key in pieces(page) if key.startswith("ware:")} == {f"ware:{one.name}" for one in market.sheet.ware}
    assert "<dt>cost</dt>" in page
    assert 'data-piece="table:as a game begins"' in page


def test_unknown_paper_is_refused() -> None:
    """By name."""
    with pytest.raises(ValueError, match="a4 and letter"):
        sheets_page(load("manor"), "a3")


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

    monkeypatch.setattr(print_sheets, "_printed_boxes", {})
    monkeypatch.setattr(GuestProcess, "run", run)
    for paper in ("a4", "letter", "a4", "letter"):
        assert client.get("/print/manor", params={"paper": paper}).text == f"sheets on {paper}"
    assert drawn == [("manor", "a4"), ("manor", "letter")]


@pytest.mark.browser
@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_is_cut_off_or_too_small(paper: str, tmp_path: Path, chromium: Any) -> None:
    """Measured in the browser as it prints: every word within its piece, none under six points, no page wider than its paper."""
    width = round(PAPERS[paper][1] / 25.4 * 96)
    for game in GAMES:
        (tmp_path / "sheets.html").write_text(sheets_page(load(game), paper), encoding="utf-8")
        page = chromium.new_page(viewport={"width": width, "height": 1100})
        page.emulate_media(media="print")
        page.goto((tmp_path / "sheets.html").as_uri())
        page.evaluate("document.fonts.ready")
        found = page.evaluate(MEASURE, LEAST * PER_POINT - 0.1)
        assert found["cut"] == [], game
        assert found["small"] == [], game
        assert found["width"] <= width, game
        page.close()
