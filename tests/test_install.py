"""What a stranger installs: the wheel holds everything, and plays in an environment of its own, without git or make."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

import sutler
from programs import tool
from sutler.core.rule import PLAIN_ONLY

ROOT = Path(__file__).parents[1]
machine_code = tool("machine_code")
UV = shutil.which("uv") or str(ROOT / ".tools" / "bin" / "uv")
pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(PLAIN_ONLY or not Path(UV).exists(), reason="built once, with uv"),
]


def uv(*arguments: str) -> None:
    """Run uv; where its own certificates do not do, once more with the system's, as `make env` does."""
    for more in ({}, {"UV_NATIVE_TLS": "1"}):
        done = subprocess.run([UV, *arguments], env=os.environ | more, timeout=480, check=False)
        if done.returncode == 0:
            return
    raise AssertionError(f"uv {' '.join(arguments)}: {done.returncode}")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the sdist, as for the registry: what the sdist lacks, the wheel lacks."""
    out = tmp_path_factory.mktemp("dist")
    uv("build", "--quiet", "--out-dir", str(out), str(ROOT))
    (found,) = out.glob("*.whl")
    return found


def test_everything_is_in_the_wheel(wheel: Path) -> None:
    """Every file that git keeps below src/ but caches; boards, fonts, guides and scenarios among them."""
    with zipfile.ZipFile(wheel) as opened:
        packed = {name for name in opened.namelist() if name.startswith("sutler/")}
    listed = subprocess.run(["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    kept = {name.removeprefix("src/") for name in listed.splitlines() if (ROOT / name).exists()}
    assert kept - packed == set()
    for name in sutler.games():
        assert f"sutler/games/{name}/guide.md" in packed
        assert f"sutler/games/{name}/board/board.html" in packed
    assert any(name.endswith(".woff2") for name in packed)
    assert any("/scenarios/" in name for name in packed)


def test_it_plays_where_nothing_else_is(wheel: Path, tmp_path: Path) -> None:
    """In a fresh environment with an empty PATH: the games are listed, and a turn of one is played."""
    uv("venv", "--quiet", "--python", sys.executable, str(tmp_path / "env"))
    bin_ = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    uv("pip", "install", "--quiet", "--python", str(bin_ / "python"), str(wheel))
    bare = {"PATH": str(bin_), "HOME": str(tmp_path), "SUTLER_PLAIN": "1", "PYTHONUTF8": "1"}

    def run(*arguments: str, typed: str = "") -> str:
        done = subprocess.run(
            [str(bin_ / "sutler"), *arguments], env=bare, input=typed, capture_output=True, text=True, cwd=tmp_path,
            timeout=240, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert all(name in run("games") for name in sutler.games())
    assert "5.4" in run("guide", "manor", "5.4")
    assert "All that is needed is here" in run("doctor")
    played = run("play", "manor", "--seed", "1", "--set", "offers=0", typed="1\nq\n")
    assert "Turn 1" in played
    (kept,) = (tmp_path / ".local" / "share" / "sutler").glob("manor-*.json")
    assert "Turn 1" in run("replay", str(kept))


@pytest.mark.timeout(900)
def test_a_wheel_with_machine_code_compiles_nothing(wheel: Path, tmp_path: Path) -> None:
    """The wheel of a release for this Python: games are simulated at once, and `doctor` says where the rules lie."""
    made, seconds = machine_code.with_machine_code(wheel, sys.executable, ["manor"])
    assert seconds > 0
    environment = machine_code.Environment(tmp_path, sys.executable, made)
    code = """
from sutler.core.compilation.compiler import notify_of_compiling
from sutler.lab.play.simulate import simulate
begun = []
with notify_of_compiling(begun.append):
    simulate("manor", games=4)
print(len(begun))
"""
    assert environment.run("python", "-c", code) == "0\n"
    told = environment.run("sutler", "doctor")
    assert "not yet: bellum" in told.replace("\n", " ")
    assert "does not fit" not in told


@pytest.mark.timeout(900)
def test_from_nothing_to_a_learned_bot_at_the_table(wheel: Path, tmp_path: Path) -> None:
    """The five commands of docs/learn.md in a fresh environment, with little to learn: install, begin, learn, judge, serve."""
    uv("venv", "--quiet", "--python", sys.executable, str(tmp_path / "env"))
    bin_ = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    uv("pip", "install", "--quiet", "--python", str(bin_ / "python"), f"{wheel}[train]")
    bare = {"PATH": str(bin_), "HOME": str(tmp_path), "SUTLER_PLAIN": "1", "PYTHONUTF8": "1"}

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [str(bin_ / arguments[0]), *arguments[1:]], env=bare, capture_output=True, text=True, cwd=tmp_path,
            timeout=800, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    short = ["--set", "offers=0", "--set", "victory=5"]
    assert "SUTLER_BOTS=./learn/bots sutler serve" in run("sutler", "bot", "new", "learn")
    assert "of 2 new games won" in run(
        "python", "learn/ppo.py", "manor", *short, "--games=2", "--updates=1", "--exam=2"
    )
    players = ["--bots", "./learn/bots/learned.py,random", "--seats", "2", "--games", "1"]
    assert "learned" in run("sutler", "simulate", "manor", *players, *short)
    assert 'value="learned"' in served(bin_, bare | {"SUTLER_BOTS": "learn/bots"}, tmp_path)


def served(bin_: Path, env: dict[str, str], home: Path) -> str:
    """The page with the form for a new table of Medieval Manor; the server is ended."""
    serve = [str(bin_ / "sutler"), "serve", "--port", "0"]
    with subprocess.Popen(serve, env=env, cwd=home, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = next(found[0] for line in server.stdout if (found := re.search(r"http://[\w.]+:\d+", line)))
            with urllib.request.urlopen(f"{address}/?game=manor", timeout=60) as page:
                return str(page.read().decode())
        finally:
            server.terminate()
