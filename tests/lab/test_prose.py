"""Figures in prose stand between marks: a tool writes them from their commands, and one that lies outside its interval is a fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import programs
from sutler.core.play.game import load
from sutler.lab.play.experiment import Plan, run

ROOT = Path(__file__).parents[2]
PAGE = (
    "One point makes it <!-- sweep worth.csv score 1 .1f -->11.0<!-- . --> "
    "instead of <!-- sweep worth.csv score 0 .1f -->12.5<!-- . -->,"
    " and turns <!-- compare c.json turns effect +.2f -->+0.15<!-- . -->; it wins "
    "<!-- impact i.csv Dovecote naive +.1pp -->−4.0<!-- . --> more."
)


@pytest.fixture
def prose() -> Any:
    """The tool."""
    return programs.tool("prose")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What three commands have left."""
    rows = [("0", "score", 12.52, 12.2, 12.8), ("1", "score", 12.86, 12.5, 13.2), ("1", "turns", 10.0, 9.0, 11.0)]
    pl.DataFrame(rows, schema=["value", "figure", "mean", "low", "high"], orient="row").write_csv(
        tmp_path / "worth.csv"
    )
    effect = {"figure": "turns", "effect": 0.151, "low": 0.02, "high": 0.29, "a": 12.0, "b": 12.15}
    (tmp_path / "c.json").write_text(json.dumps({"effects": [effect]}), encoding="utf-8")
    pl.DataFrame({"card": ["Dovecote"], "naive": [0.0421], "naive_half": [0.03]}).write_csv(tmp_path / "i.csv")
    return tmp_path


def listed(prose: Any) -> dict[str, Any]:
    """docs/figures.toml."""
    sheet: dict[str, Any] = prose.tomllib.loads(prose.SHEET.read_text(encoding="utf-8"))
    return sheet


def test_every_figure_is_written_from_its_command(prose: Any, folder: Path) -> None:
    """In its own format, the words around it untouched, however often."""
    text = prose.refreshed(PAGE, folder)
    assert [one.text for _, one in prose.marked_figures(text)] == ["12.9", "12.5", "+0.15", "+4.2"]
    assert text.startswith("One point makes it <!-- sweep")
    assert prose.refreshed(text, folder) == text
    assert prose.faults(text, folder) == []


def test_a_figure_outside_its_interval_is_a_fault(prose: Any, folder: Path) -> None:
    """Two of the four are told by hand, and wrong; what its command has not left is passed over."""
    first, second = prose.faults(PAGE, folder)
    assert first == "sweep worth.csv score 1: the page says 11.0, the command 12.9 (12.5 to 13.2)"
    assert "the page says −4.0, the command +4.2 (+1.2 to +7.2)" in second
    (folder / "worth.csv").unlink()
    assert len(prose.faults(PAGE, folder)) == 1
    assert len(prose.faults(PAGE.replace("+0.15", "some"), folder)) == 2, "no number at all"


def test_how_often_a_thing_is_used(prose: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read from the record of an experiment."""
    monkeypatch.setenv("SUTLER_GAMES", str(ROOT / "examples"))
    market = load("market", None, {"rounds": 5})
    market.definition.home.interpreted = True
    run(Plan(market, ["greedy"] * 2, games=8), tmp_path / "m.parquet")
    thing = str(market.names["ware"][0])
    ((_, one),) = prose.marked_figures(f"<!-- uses m.parquet '{thing}' .2f -->0.00<!-- . -->")
    value, low, high = prose.value_of(one, tmp_path)
    assert low < value < high
    with pytest.raises(KeyError):
        prose.value_of(prose.Marked("uses", ("m.parquet", "Dovecote"), ".2f", ""), tmp_path)


def test_the_marked_figures_of_the_pages_come_from_commands_that_are_listed(prose: Any) -> None:
    """Each file that a mark names is left by a command of docs/figures.toml, or is a page of findings."""
    sheet = listed(prose)
    for page in (ROOT / "docs").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        marked = [one for _, one in prose.marked_figures(text)]
        left = " ".join(command["run"] for command in sheet.get(page.stem, []))
        assert all(f"\n<!-- {source} " not in text.replace("\n<!-- found NAME", "") for source in prose.READERS), (
            "a line that begins with a mark is a block of HTML, and the paragraph is torn"
        )
        there = [path.name for path in prose.FINDINGS.glob("*.md")]
        assert [
            one.words
            for one in marked
            if one.words[0] not in (there if one.source == "found" else left)
            and one.source not in set(prose.TOLD_WITHOUT_COMMANDS) - {"found"}
        ] == []
        assert text.count("<!-- . -->") == len(marked), page.name
    assert len(list(prose.marked_figures((ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")))) > 10
    assert len(list(prose.marked_figures((ROOT / "docs" / "lab.md").read_text(encoding="utf-8")))) > 60


@pytest.mark.parametrize(
    "page", [*sorted((ROOT / "docs").glob("strategy/*.md")), ROOT / "docs" / "train.md"], ids=lambda page: page.stem
)
def test_how_often_bots_win_is_told_as_the_page_of_bots_has_it(prose: Any, page: Path) -> None:
    """Hints for players and the page on training copy no figure by hand that stands in a table of docs/bots.md."""
    text = page.read_text(encoding="utf-8")
    assert any(one.source == "row" for _, one in prose.marked_figures(text))
    assert prose.faults(text, ROOT / "nowhere") == [], (
        f"python tools/prose.py {page.relative_to(ROOT)} writes them anew"
    )
    assert text.count("<!-- . -->") == len(list(prose.marked_figures(text)))
    other = text.replace(" .1f -->", " .1f -->9")
    assert len(prose.faults(other, ROOT / "nowhere")) == text.count(" .1f -->")


def test_a_finding_is_told_as_its_page_has_it(prose: Any) -> None:
    """To the digit: neither near it, nor of another bot."""
    text = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")
    assert prose.faults(text, ROOT / "nowhere") == []
    ((_, one),) = prose.marked_figures('<!-- found warfarm.md arms "by arms" greedy .1pp -->50.0<!-- . -->')
    value, low, high = prose.value_of(one, ROOT)
    assert low == value == high > 0.8
    assert (
        "the page says 50.0"
        in prose.faults("<!-- found warfarm.md arms 'by arms' greedy .1pp -->50.0<!-- . -->", ROOT)[0]
    )


def test_no_number_stands_outside_marks(prose: Any) -> None:
    """Of the pages that tell designers and learners what was seen: each is marked, or listed as plain; and no listed phrase is idle."""
    plain = listed(prose)["plain"]
    assert set(plain) == {"tutorial", "lab", "lab-compare", "impact", "learn"}
    for page, phrases in plain.items():
        text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
        assert prose.list_unmarked_numbers(text, phrases) == [], f"mark it, or list it as plain: docs/{page}.md"
        idle = [one for one in phrases if len(prose.list_unmarked_numbers(text, set(phrases) - {one})) == 0]
        assert idle == [], f"docs/figures.toml, plain: docs/{page}.md does not need them"


def test_a_number_by_hand_is_found(prose: Any) -> None:
    """In a sentence, a table and a list; not in code, a mark, a heading, a date, a paragraph, or a block that a tool writes."""
    text = (
        "## 2. Play (3 minutes)\n\nOn 28 November\n2026 (8.2) at 95 %: <!-- once a b .1f -->4.5<!-- . --> and `x 7`.\n\n"
        "```sh\nsutler 9\n```\n<!-- learner speed -->\n| 12 |\n<!-- end -->\n"
        "<!-- figures small -->\n31\n<!-- end of small -->\n[x](y9.md)\n"
    )
    assert prose.list_unmarked_numbers(text, []) == []
    by_hand = "It wins\n4.5 of 1,000 games.\n| −18.8 |\n"
    assert len(prose.list_unmarked_numbers(text + by_hand, [])) == 3
    assert len(prose.list_unmarked_numbers(text + by_hand, ["of 1,000 games"])) == 2


def test_what_was_measured_once_is_told_with_its_day(prose: Any) -> None:
    """A page that tells it says the day; each row of the list is told, has a command, and its commit is named."""
    once = listed(prose)["once"]
    told = set()
    for page in (ROOT / "docs").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        for _, one in prose.marked_figures(text):
            if one.source == "once":
                told.add((one.words[0], one.words[1]))
                assert once[one.words[0]]["day"] in " ".join(text.split()), f"{page.name}: {one.words}"
    assert told == {(name, field) for name, row in once.items() for field in row["figures"]}
    assert all(row["run"] and len(row["commit"]) == 8 for row in once.values())


def test_kept_and_counted_figures_are_told_as_they_stand(prose: Any) -> None:
    """To the digit, on every page; one that is changed by hand is a fault."""
    for page in ("learn", "lab"):
        text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
        assert prose.faults(text, ROOT / "nowhere") == [], f"python tools/prose.py docs/{page}.md writes them anew"
    for words, told in {
        "curve learn-cfr.csv exploitability rounds=4": "0.270",
        "once cfr seconds": "102.000",
        "longest bellum": "311.000",
        "numbers manor 2 compact": "1579.000",
        "questions manor": "12.000",
    }.items():
        (fault,) = prose.faults(f"<!-- {words} .3f -->{told}<!-- . -->", ROOT / "nowhere")
        assert fault.startswith(f"{words}: the page says {told}, the command ")
    with pytest.raises(KeyError):
        prose.faults("<!-- curve learn-cfr.csv first rounds=3 .3f -->1.0<!-- . -->", ROOT / "nowhere")
