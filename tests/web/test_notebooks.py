"""Notebooks of designs on the Lab's page: read only, side by side; what was asked before rules changed says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.lab.designer import design_notebook
from sutler.lab.designer.design_notebook import ANSWER_FILE, Notebook, hash_question
from sutler.lab.designer.questions import REPORT_FILE, Question
from sutler.web.lab.design_notebooks import Notebooks

PLAY = Question(kind="play", game="manor", games=400, bots="greedy", seats=3)
LONGER = Question(kind="play", game="manor", games=50, bots="random", seats=4)


def written(folder: Path) -> Notebook:
    """A notebook as `sutler design` leaves it: two versions, two questions, one of them asked of one version only."""
    book = Notebook.create(folder, "manor")
    book.add_version("")
    book.add_version('[[card]]\nname = "Wheat"\ngain.crops = 5\n', "dearer")
    book.questions += [PLAY, LONGER]
    book._save()
    for number, version, said in (
        (0, "1", "a mean score of <12>"),
        (0, "dearer", "a mean score of 13"),
        (1, "1", "far fewer turns"),
    ):
        place = book._folder_of(number, version)
        place.mkdir(parents=True)
        key = hash_question(book.apply_version_to_question(book.questions[number], version))
        told = {"key": key, "said": said, "command": "sutler simulate manor"}
        (place / ANSWER_FILE).write_text(json.dumps(told), encoding="utf-8")
        (place / REPORT_FILE).write_text(f"<p>the report of {version}</p>", encoding="utf-8")
    return book


def test_versions_and_answers_stand_side_by_side(app: FastAPI, client: TestClient, tmp_path: Path) -> None:
    """The Lab's page leads to it; each answer to its page, and nowhere else."""
    assert "Notebooks" not in client.get("/lab").text
    written(tmp_path / "wheat")
    app.state.notebooks = Notebooks([tmp_path / "wheat"])
    assert '/lab/notebook/wheat"' in client.get("/lab").text
    page = client.get("/lab/notebook/wheat").text
    first, second = (page.index(one) for one in ("a mean score of &lt;12&gt;", "a mean score of 13"))
    assert page.index("card &#34;Wheat&#34; gain.crops: 4 → 5") < first < second < page.index("far fewer turns")
    assert page.count("Not asked.") == 1
    assert "asked before rules or bots changed" not in page
    assert "the report of dearer" in client.get("/lab/notebook/wheat/dearer/1/report.html").text
    for lost in ("wheat/dearer/2", "wheat/dearer/9", "wheat/dearer/0", "wheat/..%2f..%2fnotebook.json/1", "other/1/1"):
        assert client.get(f"/lab/notebook/{lost}/report.html").status_code == 404, lost
    assert client.get("/lab/notebook/other").status_code == 404


def test_what_no_longer_holds_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other code of bots than was asked; a file that is changed is read again."""
    book = written(tmp_path / "wheat")
    shown = Notebooks([book.folder])
    assert all(cell.holds for _, cells in shown.load_view("wheat").questions for cell in cells)
    monkeypatch.setattr(design_notebook, "hash_bots_code", lambda game: "other bots")
    book.add_version("", "third")
    view = shown.load_view("wheat")
    assert [version for version, _ in view.versions] == ["1", "dearer", "third"]
    assert [[cell.holds for cell in cells if cell.link] for _, cells in view.questions] == [[False, False], [False]]


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    """Before anything is served."""
    with pytest.raises(ValueError, match="is no notebook"):
        Notebooks([tmp_path])
