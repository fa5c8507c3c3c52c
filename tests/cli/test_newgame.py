"""A game of one's own, outside the project: begun by a command, found as installed packages are, on the table without a picture."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

ROOT = Path(__file__).parents[2]
OWARE = ROOT / "examples" / "oware"


def python(code: str, **env: str) -> str:
    """What a fresh interpreter prints."""
    more = {"SUTLER_PLAIN": "1", "PYTHONPATH": str(ROOT / "src"), **env}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | more,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_project_is_begun(sutler: Callable[..., Result], tmp_path: Path) -> None:
    """`sutler new-game` makes a project whose game is played and whose tests pass as they stand."""
    told = sutler("new-game", "harvest", "--into", tmp_path).output
    shelf = tmp_path / "harvest" / "sutler_harvest"
    assert "SUTLER_GAMES=" in told
    assert "sutler_harvest" in (tmp_path / "harvest" / "pyproject.toml").read_text()
    written = [path.read_text() for path in (tmp_path / "harvest").rglob("*") if path.is_file()]
    assert not [one for one in written if "SUTLER_GAMES=examples" in one], (
        "where Market lies is not where this game lies"
    )
    assert "Change one thing" in (tmp_path / "harvest" / "README.md").read_text()
    tests = ["tests", "--pyargs", "sutler.contract", "-k", "harvest and (paragraph or nonsense or market or coins)"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests],
        cwd=tmp_path / "harvest",
        env=os.environ | {"SUTLER_GAMES": str(shelf), "SUTLER_PLAIN": "1", "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert done.stdout.count(".") > 3


@pytest.mark.parametrize(
    ("name", "why"), [("My Game", "will not do"), ("class", "will not do"), ("manor", "there is a game called")]
)
def test_a_bad_name_is_refused(sutler: Callable[..., Result], tmp_path: Path, name: str, why: str) -> None:
    """In words, and nothing is made."""
    done = sutler("new-game", name, "--into", tmp_path)
    assert done.exit_code == 2
    assert why in done.output
    assert not list(tmp_path.iterdir())


def test_what_is_there_is_left_alone(sutler: Callable[..., Result], tmp_path: Path) -> None:
    """A folder of that name is not written into."""
    (tmp_path / "harvest").mkdir()
    done = sutler("new-game", "harvest", "--into", tmp_path)
    assert done.exit_code == 2
    assert "is there already" in done.output


def test_an_installed_package_brings_its_game(tmp_path: Path) -> None:
    """An entry point of the group `sutler.games` names a package; the folders in it are games."""
    declared = tmp_path / "sutler_oware-1.0.0.dist-info"
    declared.mkdir()
    (declared / "METADATA").write_text("Metadata-Version: 2.1\nName: sutler-oware\nVersion: 1.0.0\n")
    (declared / "entry_points.txt").write_text("[sutler.games]\noware = sutler_oware\n")
    places = os.pathsep.join([str(ROOT / "src"), str(OWARE), str(tmp_path)])
    code = "import sutler; print(sutler.games(), sutler.load('oware').new(seats=2, seed=1).prompt().rule)"
    told = python(code, PYTHONPATH=places)
    assert "'oware'" in told
    assert told.endswith("2.1\n")
    assert "oware" not in python("import sutler; print(sutler.games())")


PLAYED = """
from fastapi.testclient import TestClient
from sutler.web.app import create_app
with TestClient(create_app(bot_pause=0.0, warm=False), follow_redirects=False) as client:
    assert "Oware" in client.get("/").text
    form = {"game": "oware", "seat_0": "me", "name_0": "Agnes", "seat_1": "link"}
    seat = client.post("/tables", data=form).headers["location"]
    print("PAGE", client.get(seat).text)
    print("WHY", client.get(seat + "/why", params={"at": "house:North 2"}).text)
    played = client.post(seat + "/play", data={"action": "sow South 3", "decision": "0"})
    print("PLAYED", played.status_code, played.text)
    print("LEARN", client.get("/learn/oware").status_code)
"""


def test_a_game_without_a_picture_is_on_the_table(tmp_path: Path) -> None:
    """The plain board: two rows of houses that say how many seeds they hold, are lit, can be clicked, and say why not."""
    told = python(PLAYED, SUTLER_GAMES=str(OWARE / "sutler_oware"), XDG_DATA_HOME=str(tmp_path))
    page, rest = told.partition("WHY")[::2]
    why, played = rest.partition("PLAYED")[::2]
    assert page.count('class="pieces even"') == 2
    assert len(re.findall(r'<li class="legal"><button[^>]*data-at="house:South', page)) == 6
    assert len(re.findall(r'<li class=""><button[^>]*data-at="house:North', page)) == 6
    assert "/static/plain-board.css" in page
    assert "the other side" in why
    assert played.startswith(" 200")
    assert "<b>South 3</b> <span><i>0</i> seeds</span>" in played
    assert "LEARN 200" in played


def test_a_bot_that_learns_is_begun(sutler: Callable[..., Result], tmp_path: Path) -> None:
    """`sutler bot new` copies the programs and the bot, and nothing that a training left; a folder that is there is kept as it is."""
    told = sutler("bot", "new", tmp_path / "learn").output
    assert f"SUTLER_BOTS={tmp_path}/learn/bots sutler serve" in told
    assert 'pip install "sutler[train]"' in told
    made = {str(path.relative_to(tmp_path / "learn")) for path in (tmp_path / "learn").rglob("*") if path.is_file()}
    programs = {"ppo.py", "cfr.py", "curve.py", "with_pufferlib.py", "with_rllib.py"}
    assert made == programs | {"four-lands.toml", "bots/learned.py", "bots/levels.toml"}
    again = sutler("bot", "new", tmp_path / "learn")
    assert again.exit_code == 2
    assert "is there already" in again.output


def test_a_card_game_is_begun_in_one_file(sutler: Callable[..., Result], home: Path) -> None:
    """`sutler new-game harvest --cards` writes a file that is played, checked, read, simulated and compared as it stands."""
    told = sutler("new-game", "harvest", "--cards").output
    assert "sutler play harvest.toml" in told
    assert "is there already" in sutler("new-game", "harvest", "--cards").output
    checked = " ".join(sutler("box", "check", "harvest.toml").output.split())
    assert "Harvest can be played: 12 different cards (18 in all), 2 actions, 1 end sutler play" in checked
    assert "Buy a card" in sutler("guide", "harvest.toml").output
    assert "workshop.Baker.cost" in sutler("box", "show", "harvest.toml", "Baker").output
    done = sutler("play", "harvest.toml", "--seats", 2, "--bots", "random", "--me", "none", "--seed", 3)
    assert "The end" in done.output, done.output
    env = {"SUTLER_PLAIN": "1", "SUTLER_GAMES": "", "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "140"}
    for words in (
        ["simulate", "harvest.toml", "--games", "4", "--seats", "2", "--bots", "random"],
        ["compare", "harvest.toml", "--games", "200", "--seats", "2", "--bots", "random", "--b", "starts.coins=6"],
    ):
        run = subprocess.run(
            [sys.executable, "-m", "sutler.cli", *words],
            cwd=home,
            env=os.environ | env,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        assert "harvest" in run.stdout.lower() or "usual score" in run.stdout, run.stdout


def test_a_fault_in_a_card_game_is_said_at_any_command(sutler: Callable[..., Result], home: Path) -> None:
    """With file and line, before anything is played; a box edit is told where it belongs."""
    sutler("new-game", "harvest", "--cards")
    file = home / "harvest.toml"
    file.write_text(file.read_text().replace('op = "gain"', 'op = "gian"', 1))
    for command in ("play", "guide", "simulate", "serve"):
        done = sutler(command, "harvest.toml")
        assert done.exit_code == 2
        assert "harvest.toml, line 36" in done.output, done.output
        assert "did you mean 'gain'?" in done.output
    edit = home / "cheaper.toml"
    edit.write_text('[[card]]\nname = "Wheat"\n')
    done = sutler("play", "cheaper.toml")
    assert done.exit_code == 2
    assert "--box cheaper.toml" in done.output
