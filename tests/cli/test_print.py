"""`sutler print`: a PDF of the paper's size, or a page to print; what stands in docs/print.md is run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cli.conftest import ROOT
from sutler.web.paper.browser_pdf import found_browser

Run = Callable[..., Result]
POINTS = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}


@pytest.fixture
def market(monkeypatch: pytest.MonkeyPatch) -> None:
    """The example game is on the shelf: few sheets."""
    monkeypatch.setenv("SUTLER_GAMES", str(ROOT / "examples"))


@pytest.mark.skipif(found_browser() is None, reason="there is no Chromium here")
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
