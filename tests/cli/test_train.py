"""`sutler train`: a judge is made, written and gone on with; what cannot be is said."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from sutler.bots.kit.judge_network import Weights
from sutler.bots.kit.policy_network import PolicyWeights
from sutler.cli.developer_commands.train import (
    JudgeFiles,
    TrainingOptions,
    open_policy_training,
    open_training,
    parse_seats,
)
from sutler.cli.errors import CommandError
from sutler.core.play.game import load
from sutler.lab.training.policy_training import PolicySettings

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


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    """Train in plain Python, so that nothing is compiled, in a folder of its own."""
    env = os.environ | {"SUTLER_PLAIN": "1", "COLUMNS": "140"}
    command = [sys.executable, "-W", "error", "-m", "sutler.cli", "train", "threeyears", *SHORT]

    def trained(*more: str) -> str:
        done = subprocess.run(
            [*command, *more], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=600, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return trained


def test_a_judge_is_made_and_told_of(run: Callable[..., str], tmp_path: Path) -> None:
    """Asked again it has nothing left to do but to be tried."""
    first = " ".join(run().split())
    assert "round 1: does as the search in" in first
    assert ("against the one kept last: kept" in first) != ("No round was kept: it judges as it began." in first)
    kept = (tmp_path / "threeyears-judge.json").read_text(encoding="utf-8")
    assert Weights.read(tmp_path / "threeyears-judge.json", load("threeyears", years=1)).made["rounds"] == 1
    told = run("--test", "1")
    assert "round 2" not in told
    assert "one judge among greedy bots:" in told
    assert "one greedy bot among judges:" in told
    assert (tmp_path / "threeyears-judge.json").read_text(encoding="utf-8") == kept


def test_for_a_box_of_ones_own_it_begins_from_the_judge_of_the_printed_one(
    run: Callable[..., str], tmp_path: Path
) -> None:
    """Its files have a name of their own; what it began from is what lay there, to the number."""
    printed, edit = load("threeyears", years=1), tmp_path / "edit.toml"
    weights = Weights.untrained(printed)
    weights.arrays["factor"] += 0.25
    (tmp_path / "threeyears-judge.json").write_text(weights.to_json_text(printed), encoding="utf-8")
    edit.write_text("[rules]\nhand_limit = 6\n", encoding="utf-8")
    assert "It begins from threeyears-judge.json" in run("--box", "edit.toml")
    game = load("threeyears", edit, years=1)
    assert game.box_hash != printed.box_hash
    made = Weights.read(tmp_path / "threeyears-edit-judge.json", game)
    assert made.made["rounds"] == 1
    with np.load(tmp_path / "threeyears-edit-training" / "weights-0.npz") as begun:
        assert (begun["factor"] == 1.25).all()
    with pytest.raises(ValueError, match="learned with another box"):
        Weights.read(tmp_path / "threeyears-edit-judge.json", printed)


def test_what_cannot_be_is_said(sutler: Callable[..., Result], home: Path) -> None:
    """A file of another kind, another training in the folder."""
    assert "nowhere.json" in sutler("train", "manor", "--from", "nowhere.json").output
    assert "end it in .json" in sutler("train", "manor", "--out", "judge.toml").output
    (home / "manor-training").mkdir()
    (home / "manor-training" / "about.json").write_text("{}")
    done = sutler("train", "manor")
    assert done.exit_code == 2
    assert "another training lies there" in done.output


def test_a_policy_is_made_gone_on_with_and_tried(run: Callable[..., str], tmp_path: Path) -> None:
    """Asked again it has nothing left to do but to be tried; for a box of one's own it begins from the printed box's policy."""
    pytest.importorskip("scipy")  # an extra (train)
    first = " ".join(run("--policy").split())
    assert "round 1: wins " in first
    assert (
        "Kept in threeyears-policy.npz: sutler simulate threeyears --bots policy:weights=threeyears-policy.npz" in first
    )
    printed = load("threeyears", years=1)
    assert PolicyWeights.read(tmp_path / "threeyears-policy.npz", printed).seats == (2,)
    told = run("--policy", "--test", "2")
    assert "round 2" not in told
    assert "one policy among greedy bots:" in told
    edit = tmp_path / "edit.toml"
    edit.write_text("[rules]\nhand_limit = 6\n", encoding="utf-8")
    assert "It begins from threeyears-policy.npz" in run("--policy", "--box", "edit.toml")
    assert (tmp_path / "threeyears-edit-policy.npz").exists()


def test_how_a_policy_learns_can_be_told(tmp_path: Path) -> None:
    """The options reach the training, and are part of what it is."""
    pytest.importorskip("scipy")  # an extra (train)
    how = TrainingOptions(policy=True, sure=200, pace=0.001, epochs=1, moved=0.02, fading=0.9, lead=3)
    game, files = load("threeyears", years=1), JudgeFiles(keep=tmp_path / "training")
    training = open_policy_training(game, how, files, None)
    about = training.about()
    told = [about[name] for name in ("sure", "fit_pace", "fit_epochs", "fit_most_moved", "fading", "lead")]
    assert told == [200, 0.001, 1, 0.02, 0.9, 3]
    assert (training.weights.arrays["sure"] == 200).all()
    usual = open_policy_training(game, TrainingOptions(), JudgeFiles(keep=tmp_path / "usual"), None)
    assert usual.course == PolicySettings(exam=800)
    assert usual.about()["seats"] == 0
    assert "lead" not in usual.about()  # folders that were begun before this option was there go on


def test_a_policy_learns_at_several_tables(tmp_path: Path) -> None:
    """Numbers of seats with commas between them; a judge learns at one, and nobody where the game has no such table."""
    pytest.importorskip("scipy")  # an extra (train)
    game = load("threeyears", years=1)
    how = TrainingOptions(policy=True, seats="3,2")
    training = open_policy_training(game, how, JudgeFiles(keep=tmp_path / "training"), None)
    assert training.seats == (2, 3)
    assert training.about()["seats"] == [2, 3]
    with pytest.raises(CommandError, match="a judge learns at tables of one number of seats, not of 2,3"):
        open_training(game, TrainingOptions(seats="2,3"), JudgeFiles(keep=tmp_path / "judge"), None)
    with pytest.raises(CommandError, match="has tables of 2 to 5 seats, not of 4,6"):
        parse_seats("4,6", game)
    with pytest.raises(CommandError, match="takes numbers with commas between them, not 'two'"):
        parse_seats("two", game)
    assert parse_seats(None, game) == ()
