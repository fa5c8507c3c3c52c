"""`sutler print`: a PDF of the paper's size, or a page to print; what stands in docs/print.md is run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cli.conftest import ROOT
from sutler.web.paper.browser_pdf import find_browser

Run = Callable[..., Result]
POINTS = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}


@pytest.fixture
def market(monkeypatch: pytest.MonkeyPatch) -> None:
    """The example game is on the shelf: few sheets."""
    monkeypatch.setenv("SUTLER_GAMES", str(ROOT / "examples"))


@pytest.mark.skipif(find_browser() is None, reason="there is no Chromium here")
@pytest.mark.parametrize("paper", POINTS)
def test_a_pdf_has_the_papers_size(market: None, sutler: Run, home: Path, paper: str) -> None:
    """Every page of it, to a point."""
    done = sutler("print", "market", "--paper", paper)
    assert done.exit_code == 0, done.output
    data = (home / f"market-{paper}.pdf").read_bytes()
    sizes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    assert len(sizes) >= 6
    for size in sizes:
        assert [float(side) for side in size] == pytest.approx(POINTS[paper], abs=1)
    assert list(home.glob("*.new*")) == []


def test_without_a_browser_it_is_a_page(market: None, sutler: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one is told how to print it; a PDF that is asked for is refused in words."""
    monkeypatch.setenv("SUTLER_BROWSER", "no-such-browser")
    done = sutler("print", "market")
    assert done.exit_code == 0
    assert "Open it in a browser and print it" in done.output
    assert "@page { size: 210.0mm 297.0mm; margin: 0; }" in (home / "market-a4.html").read_text(encoding="utf-8")
    done = sutler("print", "market", "--out", "m.pdf")
    assert done.exit_code == 2
    assert "SUTLER_BROWSER" in done.output
    assert not (home / "m.pdf").exists()


def test_a_browser_that_makes_nothing_is_told(
    market: None, sutler: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No half file is left."""
    monkeypatch.setenv("SUTLER_BROWSER", "true")
    done = sutler("print", "market", "--out", "m.pdf")
    assert done.exit_code == 2
    assert "made no PDF" in done.output
    assert list(home.glob("m*")) == []


def test_what_is_wrong_is_told(sutler: Run, home: Path) -> None:
    """Paper, ending, box."""
    assert "a4 and letter" in sutler("print", "manor", "--paper", "a3").output
    assert "end it in .pdf or .html" in sutler("print", "manor", "--out", "m.png").output
    (home / "bad.toml").write_text("[rules]\nno_such = 1\n")
    done = sutler("print", "manor", "--box", "bad.toml", "--out", "m.html")
    assert done.exit_code == 2
    assert "no_such" in done.output


@pytest.mark.compiled
@pytest.mark.timeout(900)  # a game is compiled, then played, simulated and compared
def test_one_file_is_checked_played_simulated_compared_and_printed(sutler: Run, home: Path) -> None:
    """The commands of docs/print.md with the file of docs/print.md, one after the other."""
    page = (ROOT / "docs" / "print.md").read_text(encoding="utf-8").partition("## One file")[2]
    (edit,), (commands, *_) = (re.findall(rf"```{kind}\n(.*?)```", page, re.DOTALL) for kind in ("toml", "sh"))
    (home / "dearer.toml").write_text(edit, encoding="utf-8")
    for line in commands.splitlines():
        done = sutler(*shlex.split(line)[1:])
        assert done.exit_code == 0, f"{line}\n{done.output}"
    printed = (home / "dearer.html").read_text(encoding="utf-8")
    assert "gain.crops: 4 → 5" in printed
    assert "upgrade_cost: 4, printed 3" in printed


def test_only_what_is_changed_since_another_box(sutler: Run, home: Path) -> None:
    """Told on the first page; where nothing differs, nothing is printed, and one is told."""
    for name, crops in (("a", 5), ("b", 6)):
        (home / f"{name}.toml").write_text(f'[[card]]\nname = "Wheat"\ngain.crops = {crops}\n', encoding="utf-8")
    for given, than in (((), "the printed box"), (("--since", "a.toml"), "a.toml")):
        done = sutler("print", "manor", "--box", "b.toml", "--only", "changed", *given, "--out", "b.html")
        assert done.exit_code == 0, done.output
        page = (home / "b.html").read_text(encoding="utf-8")
        assert re.findall(r'data-piece="([^"]*)"', page) == ["card:Wheat"]
        assert f"only what differs from {than}" in page
    same = sutler("print", "manor", "--box", "b.toml", "--only", "changed", "--since", "b.toml", "--out", "c.html")
    assert same.exit_code == 2
    assert "no piece differs from b.toml" in same.output
    assert not (home / "c.html").exists()


def test_pictures_beside_the_box_are_taken(sutler: Run, home: Path) -> None:
    """The folder `pictures` beside it, without being asked; a misspelt one is told."""
    (home / "a.toml").write_text('[[card]]\nname = "Wheat"\ngain.crops = 5\n', encoding="utf-8")
    (home / "pictures").mkdir()
    for name in ("wheat", "barely"):
        (home / "pictures" / f"{name}.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    done = sutler("print", "manor", "--box", "a.toml", "--one-of-each", "--bleed", "3", "--out", "a.html")
    assert done.exit_code == 0, done.output
    assert "did you mean barley.svg?" in done.output
    page = (home / "a.html").read_text(encoding="utf-8")
    assert page.count('class="own-picture') == 2  # the card, and its bleed
    assert "between two pieces lie 6 mm that fall away" in page
    done = sutler("print", "manor", "--box", "a.toml", "--only", "changed", "--out", "a.html")
    assert "did you mean barley.svg?" in done.output, "Barley is not printed, and is a card all the same"
    assert "wheat.svg" not in done.output
    assert "Parts of a board" not in (home / "a.html").read_text(encoding="utf-8"), "one card is no board"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--bleed", "9"), "--bleed 9: from 0 to 6 millimetres"),
        (("--as", "png", "--dpi", "9"), "--dpi 9: from 50 to 1200"),
        (("--pictures", "nowhere"), "nowhere: there is no such folder"),
        (("--since", "x.toml"), "--since FILE goes with --only changed"),
    ],
)
def test_what_cannot_be_printed_so_is_told(
    market: None, sutler: Run, home: Path, given: tuple[str, ...], said: str
) -> None:
    """Before anything is drawn."""
    done = sutler("print", "market", *given)
    assert done.exit_code == 2
    assert said in done.output
    assert list(home.glob("market*")) == []


def test_cards_go_to_a_spreadsheet_and_back(sutler: Run, home: Path) -> None:
    """From the command to a file, changed, and back as a box that plays."""
    (home / "cards.csv").write_text(sutler("box", "csv", "manor", "--table", "card").output, encoding="utf-8")
    text = (home / "cards.csv").read_text(encoding="utf-8")
    assert sutler("box", "csv", "manor", "--read", "cards.csv").output == "# cards.csv is as the printed box\n"
    line = next(line for line in text.splitlines() if line.startswith("card,Wheat,"))
    (home / "cards.csv").write_text(text.replace(line, line.replace(",4,", ",9,")), encoding="utf-8")
    done = sutler("box", "csv", "manor", "--read", "cards.csv", "--out", "edit.toml")
    assert done.exit_code == 0, done.output
    assert 'card "Wheat" gain.crops: 4 → 9' in sutler("box", "check", "edit.toml", "--game", "manor").output
    (home / "cards.csv").write_text(text.replace("card,Wheat,", "card,Whaet,"), encoding="utf-8")
    done = sutler("box", "csv", "manor", "--read", "cards.csv")
    assert done.exit_code == 2
    assert "row 31, column name: card has no 'Whaet'; did you mean 'Wheat'?" in done.output
