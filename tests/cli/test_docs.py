"""The pages: their code runs, their commands exist, their links lead somewhere, what is generated is fresh."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer

from cli.conftest import ROOT

PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")])
GENERATED = re.compile(r"<!-- file: .*?<!-- end -->", re.DOTALL)
ids = [path.name for path in PAGES]


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a page in one language, but for files shown whole."""
    text = GENERATED.sub("", page.read_text(encoding="utf-8"))
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.mark.compiled
@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_python_runs(page: Path, tmp_path: Path) -> None:
    """A page's Python, top to bottom, in a process of its own, with warnings as errors."""
    code = "\n".join(blocks(page, "python"))
    if not code:
        pytest.skip("no Python on this page")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_data_can_be_read(page: Path) -> None:
    """What is shown as TOML or JSON is."""
    for text in blocks(page, "toml"):
        tomllib.loads(text)
    for text in blocks(page, "json"):
        json.loads(text)


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_commands_exist(page: Path) -> None:
    """Every `sutler …` line is understood, every `make …` names a verb."""
    from sutler.cli import app

    group = typer.main.get_command(app)
    verbs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for line in "\n".join(blocks(page, "sh")).splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["make"]:
            assert words[1] in verbs, line
        if words[:1] != ["sutler"] or words == ["sutler"]:  # by itself it says what one can do
            continue
        command, rest = group, words[1:]
        while hasattr(command, "resolve_command"):
            context = typer.Context(command)
            name, command, rest = command.resolve_command(context, rest)
            assert command is not None, line
        command.make_context(str(name), rest)  # leaves with a usage error when an option is wrong


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_links_lead_somewhere(page: Path) -> None:
    """Links to files of ours."""
    text = GENERATED.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_verbs_in_sentences_exist(page: Path) -> None:
    """`make lint` in a sentence is a verb of the Makefile, `sutler bench` a command."""
    text = page.read_text(encoding="utf-8")
    verbs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for verb in re.findall(r"`make ([a-z-]+)", text):
        assert verb in verbs
    from sutler.cli import app

    commands = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
    for name in re.findall(r"`sutler ([a-z][a-z-]*)", text):
        assert name in commands


def test_generated_pages_are_fresh() -> None:
    """`make docs` has nothing to say."""
    done = subprocess.run(
        [sys.executable, "tools/docs.py", "--check"], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("game", "shelf", "tests"),
    [("market", "examples", "tests/games/market"), ("oware", "examples/oware/sutler_oware", "examples/oware/tests")],
)
def test_the_example_games_keep_the_contract(game: str, shelf: str, tests: str) -> None:
    """Market, which docs/write-a-game.md shows, and a game of one's own pass the suite that every game passes."""
    env = os.environ | {"SUTLER_GAMES": str(ROOT / shelf), "SUTLER_PLAIN": "1"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "src/sutler/contract",
        "tests/contract",
        tests,
        "-k",
        game,
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
    ]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    assert re.search(r"\d\d passed", done.stdout.replace("\n", " ")) or done.stdout.count(".") > 30


def test_a_new_game_is_playable(tmp_path: Path) -> None:
    """`make new-game` gives a game that plays to its end as it stands, and tests that pass; a bad name is refused."""
    code = f"""
import sys
sys.path.insert(0, {str(ROOT / "tools")!r})
from pathlib import Path
import new_game
games, tests = Path({str(tmp_path / "games")!r}), Path({str(tmp_path / "tests")!r})
assert new_game.main("harvest", games, tests) == 0
assert new_game.main("harvest", games, tests) == 2
assert new_game.main("My Game", games, tests) == 2
import sutler
pos = sutler.load("harvest").new(seats=2, seed=1)
while not pos.over:
    pos.play(pos.legal_ids()[-1])
print(pos.game.title, len(pos.decisions))
"""
    env = os.environ | {
        "SUTLER_GAMES": str(tmp_path / "games"),
        "SUTLER_PLAIN": "1",
        "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}",
    }
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=env, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Harvest 40" in done.stdout
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", "tests/harvest"]
    done = subprocess.run(tests, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-3000:]


def test_a_new_game_is_played_in_the_browser(tmp_path: Path) -> None:
    """The copy has a board: a seat buys by what lies on the stall, sees what it knows of itself, and asks what a thing is."""
    code = f"""
import sys
sys.path.insert(0, {str(ROOT / "tools")!r})
from pathlib import Path
import new_game
games = Path({str(tmp_path / "games")!r})
assert new_game.main("harvest", games, Path({str(tmp_path / "tests")!r})) == 0
import sutler.web.game_shelf, sutler.web.lobby.new_table
sutler.web.lobby.new_table.draw_seed = lambda: 7
sutler.web.game_shelf.GAMES = games
from fastapi.testclient import TestClient
from sutler.web.app import create_app
with TestClient(create_app(bot_pause=0.0, warm=False), follow_redirects=False) as client:
    assert "Harvest" in client.get("/").text
    form = {{"game": "harvest", "seat_0": "me", "name_0": "Agnes", "seat_1": "link"}}
    seat = client.post("/tables", data=form).headers["location"]
    page = client.get(seat).text
    print(page)
    ware = page.partition('data-at="ware:')[2].partition('"')[0]
    print("EXPLAINED", client.get(seat + "/explain", params={{"key": "ware:" + ware}}).text)
    print("STYLE", client.get("/games/harvest/board.css").status_code)
    played = client.post(seat + "/play", data={{"action": "buy " + ware, "decision": "0"}})
    print("PLAYED", played.status_code, played.text.partition('id="seat-1"')[0])
"""
    env = os.environ | {
        "SUTLER_GAMES": str(tmp_path / "games"),
        "SUTLER_PLAIN": "1",
        "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    page, _, rest = done.stdout.partition("EXPLAINED")
    explained, _, rest = rest.partition("STYLE")
    style, _, played = rest.partition("PLAYED")
    assert 'class="stall"' in page
    assert "Customer wants" in page
    assert "board.css" in page
    assert "twice that to the customer" in explained
    assert style.strip() == "200"
    assert played.lstrip().startswith("200")
    assert 'class="wares"' in played.partition('id="seat-0"')[2], "what was bought lies with the seat"


def test_the_notice_names_designers_and_authors() -> None:
    """Whose games these are, and every author of an icon that is in some sprite."""
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    for name in (
        "Warpspawn Games",
        "Jay Little",
        "Nicholas Hjelmberg",
        "Nova Suecia",
        "Phil Lewis",
        "Ziapelta",
        "WARFARM",
    ):
        assert name in notice
    for sprite in (ROOT / "src").rglob("*.svg"):
        credits = re.search(r"Icons made by\n(.*?)-->", sprite.read_text(encoding="utf-8"), re.DOTALL)
        for line in credits[1].splitlines() if credits else []:
            author = line.partition(":")[0].strip()
            if author and ":" in line:
                assert author in notice, f"{author} in {sprite.name}"
    assert "Apache License" in (ROOT / "LICENSE").read_text()
    assert len((ROOT / "LICENSE").read_text()) > 11_000
