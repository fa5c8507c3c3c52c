"""A notebook of a design: versions and what changed between them, answers side by side, and nothing asked twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import sutler
from sutler.cli import app
from sutler.lab.designer import design_notebook
from sutler.lab.designer.design_notebook import Notebook, list_answer_rows, render_notebook_page
from sutler.lab.designer.questions import Question

PLAY = Question(kind="play", game="market", games=8, bots="random", seats=2)
RICH = "[rules]\npurse = 7\n"


@pytest.fixture
def book(market: sutler.Game, tmp_path: Path) -> Notebook:
    found = Notebook.create(tmp_path / "book", "market")
    found.add_version("")
    found.add_version(RICH, "rich")
    return found


def test_versions_and_what_changed(book: Notebook) -> None:
    """Each version says in words what it changes, the box or an option; it is tried on the box, and stays as it is."""
    assert book.list_changes("1") == []
    assert book.list_changes("rich") == book.describe_changes("rich") == ["rules.purse: 5 → 7"]
    assert book.describe_changes("1") == ["As printed."]
    book.add_version(RICH, "again")
    assert book.describe_changes("again") == ["As the version before it."]
    shown = CliRunner().invoke(app, ["design", "show", str(book.folder)])
    assert "Nothing was asked yet: sutler design ask" in shown.output
    book.add_version("[options.rounds]\ndefault = 12\n" + RICH, "short")
    assert any("20 → 12" in one for one in book.list_changes("short"))
    assert Notebook(book.folder).versions == ["1", "rich", "again", "short"]
    with pytest.raises(ValueError, match="already"):
        book.add_version("", "rich")
    with pytest.raises(ValueError, match="purse"):
        book.add_version("[rules]\npurse = 'much'\n")
    assert Notebook(book.folder).versions == ["1", "rich", "again", "short"], "what does not fit is not kept"
    with pytest.raises(ValueError, match="did you mean 'rich'"):
        book.find_edit("rihc")


def test_what_was_asked_is_not_asked_again_unless_something_changed(
    book: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second time nothing is played; other bots' code, other rules or another version are."""
    first, played = book.ask_question(PLAY, "rich")
    assert played
    assert first.said.startswith("mean score ")
    assert (first.folder / "report.html").exists()
    with monkeypatch.context() as patched:
        patched.setattr(design_notebook, "answer_into_folder", lambda *_: pytest.fail("played again"))
        again, played = Notebook(book.folder).ask_question(PLAY, "rich")
    assert not played
    assert again == first
    monkeypatch.setattr(design_notebook, "hash_bots_code", lambda game: "other bots")
    kept = book.find_answer(PLAY, "rich")
    assert kept is not None
    assert not kept.holds
    assert "(stale)" in list_answer_rows(book)[0][1][1]
    anew, played = book.ask_question(PLAY, "rich")
    assert played
    assert anew.holds
    assert anew.said == first.said, "from the same seeds"


def test_answers_stand_side_by_side(book: Notebook) -> None:
    """A column a version; what was not asked says so; the page links each answer's own page from where it lies."""
    book.ask_question(PLAY, "1")
    book.ask_question(PLAY, "rich")
    book.ask_question(Question(kind="change", game="market", games=200, bots="random", seats=2), "rich")
    rows = list_answer_rows(book)
    assert [title for title, _ in rows] == [
        "Market: how it plays (random, 2 seats, 8 games)",
        "Market: what the change does (random, 2 seats, 200 games)",
    ]
    assert rows[1][1][0] == "not asked"
    page = render_notebook_page(book, book.folder.parent)
    assert 'href="book/answers/rich/2/report.html"' in page
    assert "rules.purse: 5 → 7" in page
    assert re.search("\\d\u00a0pp", page), "no line of a cell begins with a unit"
    assert not re.search(r"\d pp", page)


def test_on_the_command_line(market: sutler.Game, tmp_path: Path) -> None:
    """Begin, ask, change, ask everything again, show: the walk of a designer; what cannot be is said."""
    edit, folder, run = tmp_path / "rich.toml", str(tmp_path / "book"), CliRunner()
    edit.write_text(RICH, encoding="utf-8")

    def said(*words: str) -> str:
        return " ".join(run.invoke(app, ["design", *words]).output.split())

    assert "is no notebook" in said("show", folder)
    assert "of which game?" in said("new", folder)
    assert "Version 1 is kept" in said("new", folder, "--game", "market")
    assert "nothing was asked yet" in said("ask", folder)
    assert "mean score" in said("ask", folder, "play", "--games", "6", "--bots", "random")
    assert "rules.purse: 5 → 7" in said("new", folder, "--box", str(edit))
    assert "version 2 mean score" in said("ask", folder)
    assert "Asked before; rules, bots and box are the same." in said("ask", folder)
    assert "there is no question 'fun'" in said("ask", folder, "fun")
    assert "Version 2 rules.purse: 5 → 7" in said("show", folder, "--out", str(tmp_path / "show.html"))
    assert (tmp_path / "show.html").exists()
