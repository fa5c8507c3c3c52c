"""Every page of commands, from its first block to its last; of docs/tutorial.md also what it promises to leave."""

from __future__ import annotations

import shlex
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import programs
from cli.conftest import ROOT

from .reading import steps, typed, write

pytestmark = pytest.mark.compiled

Run = Callable[..., Result]
DOCS = ROOT / "docs"

ELSEWHERE = {
    "pip": "tests/test_install.py installs the wheel",
    "make": "it is what runs this",
    "ray": "a cluster; tests/interop plays on one",
    "uv": "tests/cli/test_newgame.py runs a new game's tests",
    "python": "tests/interop and tests/cli/test_stubs.py",
    "sutler doctor": "looks at this machine: tests/cli/test_doctor.py",
    "sutler play harvest": "a game that is written on that page: tests/cli/test_newgame.py",
    "sutler simulate manor --games 100000": "on a cluster",
    "sutler simulate manor --bots ./learn/": "plays what was learned: tests/interop",
    "sutler bot new": "tests/cli/test_learn.py",
    "sutler export people.parquet": "a house's tables: tests/lab/test_export.py",
    "sutler playtest": "likewise: tests/web/test_feedback.py",
    "sutler bot check": "every game, between processes: tests/bots",
    "sutler compare bellum --bots": "two hundred games by search: tests/lab",
    "sutler across bellum": "a whole ladder, searches among them: tests/lab",
    "sutler hidden warfarm": "by search: tests/lab",
    "sutler serve tavern.toml": "a house: tests/web/test_card_game_table.py",
    "sutler train": "half an hour: tests/cli/test_train.py",
    "sutler simulate warfarm --bots policy:weights": "plays what was trained: tests/bots/test_policy.py",
    "sutler simulate manor --bots judge": "plays what was trained: tests/bots/test_judge.py",
}
"""How commands begin that are not run here, and where they are."""


def given(home: Path) -> None:
    """What the pages take for granted: a game played before, games kept, a bot of one's own, records to hold side by side."""
    kept = sorted((ROOT / "tests" / "kept").glob("*/manor-*.json"))
    shutil.copy(kept[-1], home / "game.json")
    (home / "our-games").mkdir()
    shutil.copy(kept[-1], home / "our-games")
    (home / "change.toml").write_text("[rules]\nbuy_price = 2\n", encoding="utf-8")
    for path in (*(ROOT / "examples" / "programs").glob("*.*"), *(ROOT / "examples" / "bots").glob("*.py")):
        shutil.copy(path, home)
    (home / "mybot").write_text('#!/bin/sh\nexec python3 "$(dirname "$0")/curious.py"\n', encoding="utf-8")
    (home / "mybot").chmod(0o755)


def records(sutler: Run) -> None:
    """`greedy.parquet`, `search.parquet`, `noisy.parquet`."""
    for name, bot in (("greedy", "greedy"), ("search", "search:rounds=2"), ("noisy", "greedy:noise=0.2")):
        words = ("--bots", bot, "--games", 10, "--set", "offers=0", "--out", f"{name}.parquet")
        assert sutler("simulate", "manor", *words).exit_code == 0


def follow(page: Path, sutler: Run, home: Path) -> dict[str, str]:
    """Do what the page says; what each command said last, by its verb."""
    said: dict[str, str] = {}
    for language, text in steps(page):
        if language == "toml":
            write(text, home)
        elif not any(text.startswith(known) for known in ELSEWHERE) and "=" not in text.split()[0]:
            words = typed(text)[1:] or ["--help"]  # `sutler` by itself says what one can do
            done = sutler(*words, typed="q\n")
            assert done.exit_code == 0, f"{text}\n{done.output}\n{done.exception!r}"
            said[words[0]] = done.output
    return said


PAGES = sorted(path for path in DOCS.glob("*.md") if any(language == "sh" for language, _ in steps(path)))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != "tutorial"], ids=lambda page: page.stem)
def test_the_commands_of_a_page_run(page: Path, sutler: Run, home: Path) -> None:
    """Each of them, in order, in one folder."""
    if page.stem == "bot-protocol" and shutil.which("node") is None:
        pytest.skip("one of the page's bots needs node")
    given(home)
    if "greedy.parquet" in page.read_text(encoding="utf-8"):
        records(sutler)
    follow(page, sutler, home)


def test_what_is_run_elsewhere_stands_on_a_page() -> None:
    """No exception outlives the line it was made for."""
    lines = [text for page in PAGES for language, text in steps(page) if language == "sh"]
    lines += (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert [start for start in ELSEWHERE if not any(line.startswith(start) for line in lines)] == []


FIGURES = tomllib.loads((DOCS / "figures.toml").read_text(encoding="utf-8"))


ANSWERS = {
    "lab": ["manor-seats", "manor-tournament", "warfarm-steel"],
    "lab-compare": ["manor-tournament"],
}
"""The answers of docs/answers that a page's commands print; `tools/prose.py` asks the dear ones by themselves."""


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("page", [name for name in FIGURES if name not in ("tutorial", "once", "plain")])
def test_figures_in_prose_are_their_commands(
    page: str, sutler: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each marked figure lies within its command's interval; answers are printed line by line, in a window as wide as the page's."""
    prose, text, printed = programs.tool("prose"), (DOCS / f"{page}.md").read_text(encoding="utf-8"), {}
    monkeypatch.setenv("COLUMNS", prose.ANSWER_COLUMNS)
    for one in FIGURES[page]:
        prose.write_blocks(DOCS / f"{page}.md", one, home)
        done = sutler(*shlex.split(one["run"])[1:])
        assert done.exit_code == 0, done.output
        printed[one["run"].partition(" --out ")[0]] = done.output
    marked = [one for _, one in prose.marked_figures(text)]
    assert marked
    assert [
        one for one in marked if one.source not in prose.TOLD_WITHOUT_COMMANDS and not (home / one.words[0]).exists()
    ] == []
    assert prose.faults(text, home) == [], f"python tools/prose.py docs/{page}.md writes them anew"
    for name in ANSWERS.get(page, []):
        answer = (DOCS / "answers" / f"{name}.txt").read_text(encoding="utf-8")
        command, lines = prose.split_answer(answer)
        assert lines
        assert prose.list_lines_not_printed(answer, printed[command]) == []
        assert prose.list_lines_not_printed(answer, "") == lines


@pytest.mark.timeout(900)
def test_every_step_of_the_tutorial(sutler: Run, home: Path) -> None:
    """Nothing fails, and what each step promises to leave is there."""
    said = follow(DOCS / "tutorial.md", sutler, home)
    assert "1 difference from" in said["box"]
    assert "Dovecote" in said["impact"]
    for left in ("dovecote.parquet", "dovecote.html", "worth.html", "impact.html"):
        assert (home / left).stat().st_size > 1000, left
    text = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    assert programs.tool("prose").faults(text, home) == [], "python tools/prose.py docs/tutorial.md writes them anew"
    assert "Dovecote" in (home / "dovecote.html").read_text(encoding="utf-8")
