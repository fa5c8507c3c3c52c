"""Running `sutler` as a user would, inside this process or as one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from sutler.core.play.registry import games, load_definition

ROOT = Path(__file__).parents[2]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in, and another one for the user's data."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "140")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def sutler(home: Path) -> Callable[..., Result]:
    """`sutler("play", "manor", typed="1\\nq\\n")`, inside this process; a game that one command begins as plain Python does not stay so."""
    from sutler.cli import app

    before = {load_definition(name).home: load_definition(name).home.interpreted for name in games()}

    def run(*arguments: object, typed: str = "") -> Result:
        try:
            return CliRunner().invoke(app, [str(one) for one in arguments], input=typed)
        finally:
            for one, interpreted in before.items():
                one.interpreted = interpreted

    return run


def python(code: str, cache: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own, with the example game on the shelf; warnings are errors."""
    env = os.environ | {"SUTLER_GAMES": str(ROOT / "examples"), "SUTLER_PLAIN": ""} | more
    if cache is not None:
        env["SUTLER_CACHE"] = str(cache)
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=env, capture_output=True, text=True, timeout=1800, check=False
    )
