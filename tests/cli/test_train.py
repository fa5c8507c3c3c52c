"""`sutler train`: a judge is made, written and gone on with; what cannot be is said."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from sutler.bots.kit.judges import Weights
from sutler.core.game import load

SHORT = [
    "--set",
    "years=1",
    "--seats",
    "2",
    "--games",
    "2",
    "--search",
    "2",
    "--asked",
    "0.05",
    "--rounds",
    "1",
    "--gate",
    "2",
]


def test_a_judge_is_made_and_told_of(tmp_path: Path) -> None:
    """In plain Python, so that nothing is compiled; asked again it has nothing left to do but to be tried."""
    env = os.environ | {"SUTLER_PLAIN": "1", "COLUMNS": "140"}
    command = [sys.executable, "-W", "error", "-m", "sutler.cli", "train", "threeyears", *SHORT]

    def run(*more: str) -> str:
        done = subprocess.run(
            [*command, *more], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=600, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    first = run()
    assert "round 1: does as the search in" in first
    assert "against the one kept last: " in first
    kept = (tmp_path / "threeyears-judge.json").read_text(encoding="utf-8")
    assert Weights.read(tmp_path / "threeyears-judge.json", load("threeyears", years=1)).made["rounds"] == 1
    told = run("--test", "1")
    assert "round 2" not in told
    assert "one judge among greedy bots:" in told
    assert "one greedy bot among judges:" in told
    assert (tmp_path / "threeyears-judge.json").read_text(encoding="utf-8") == kept


def test_what_cannot_be_is_said(sutler: Callable[..., Result], home: Path) -> None:
    """A game where all win together, a file of another kind, another training in the folder."""
    assert "has no learned judge: all win together" in sutler("train", "sixwinters").output
    assert "end it in .json" in sutler("train", "manor", "--out", "judge.toml").output
    (home / "manor-training").mkdir()
    (home / "manor-training" / "about.json").write_text("{}")
    done = sutler("train", "manor")
    assert done.exit_code == 2
    assert "another training lies there" in done.output
