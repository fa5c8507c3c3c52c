"""A judge that learns: the same seed gives the same bytes, an interrupted training the same as an uninterrupted one, and it does learn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sutler
from sutler.bots.kit.judges import CERTAIN, JUDGE, WARMTH, Weights
from sutler.core.game import Game
from sutler.lab import fitting
from sutler.lab.fitting import Lesson, begun, fit, scored, slopes
from sutler.lab.simulate import played
from sutler.lab.training import Course, Table, Training, lesson_of, match, row, row_record

SHORT = Course(seed=3, games=2, asked=0.05, rounds_of_search=2, epochs=2, seats=2, threads=1)


@pytest.fixture(scope="module")
def short() -> Game:
    """A war of one year, in plain Python: quicker than compiling the games a judge learns from."""
    game = sutler.load("threeyears", years=1)
    game.definition.home.interpreted = True
    return game


def lesson(n: int = 3000) -> Lesson:
    """Questions whose answer is told by the second input; the first one misleads."""
    rng = np.random.default_rng(5)
    inputs = rng.standard_normal((n, 2))
    starts = np.arange(0, n + 1, 3)
    right = np.array([inputs[a : a + 3, 1].argmax() for a in starts[:-1]])
    target = (np.arange(3) == right[:, None]).astype(float).ravel()
    groups = len(starts) - 1
    return Lesson(
        inputs, np.zeros(n, int), np.zeros(n), target, starts, np.arange(groups) % 2, np.arange(groups) % 10 == 0
    )


def blank() -> dict[str, np.ndarray]:
    """One part, the first input; two inputs in all."""
    sizes = {"middle": 2, "per": 2, "first": (2, 16), "phase": (1, 16), "bias": 16, "second": 16}
    zeros = {name: np.zeros(size) for name, size in sizes.items()}
    return {"factor": np.ones(1), "temper": np.log([WARMTH, CERTAIN])} | zeros


def test_a_network_learns_what_the_judgement_overlooked() -> None:
    """By the first input alone a third is right; after a few epochs nearly all."""
    questions, rng = lesson(), np.random.default_rng(1)
    start = begun(questions, blank(), rng)
    assert scored(questions, start, 1.0).agrees < 0.45
    weights, score = fit(questions, start, 1.0, 60, rng)
    assert score.agrees > 0.9
    assert score == scored(questions.part(np.flatnonzero(questions.held)), weights, 1.0)


def test_slopes_are_those_of_the_loss() -> None:
    """Each weight moved a little, up and down."""
    questions, rng = lesson(300), np.random.default_rng(2)
    weights = {name: rng.standard_normal(one.shape) for name, one in blank().items()} | {"temper": np.log([0.5, 0.8])}
    slope, step = slopes(questions, weights, 2.0), 1e-6
    for name in fitting.LEARNED:
        at = (0,) * weights[name].ndim
        losses = []
        for moved in (step, -step):
            tried = weights[name].copy()
            tried[at] += moved
            losses.append(scored(questions, {**weights, name: tried}, 2.0).loss)
        decay = fitting.DECAY * weights[name][at] if name in ("first", "phase", "second") else 0.0
        # `loss` is the mean of each kind, half the questions; a batch counts all alike
        assert slope[name][at] - decay == pytest.approx((losses[0] - losses[1]) / step / 4, rel=1e-3, abs=1e-7)


def test_rows_become_questions() -> None:
    """A decision's actions by how often they were tried, a position's seats by who won; a question with one answer is none."""
    rows = np.zeros(7, row_record(2).dtype).view(np.ndarray)
    rows["seed"], rows["decision"] = 20, [1, 1, 1, 1, 4, 4, 9]
    rows["action"], rows["visits"] = [5, 6, -1, -1, -1, -1, 3], [3, 1, 0, 0, 0, 0, 8]
    rows["total"] = [0.5, 0.1, 1, 0, 0.5, 0.5, 1]
    asked = lesson_of([rows], sutler.load("threeyears"))
    assert asked.starts.tolist() == [0, 2, 4, 6]
    assert asked.target.tolist() == [0.75, 0.25, 1, 0, 0.5, 0.5]
    assert asked.of_winning.tolist() == [0, 1, 1]
    assert asked.held.all()


def test_without_anything_learned_its_games_are_those_of_normal_bots(short: Game) -> None:
    """So what a match of a judge and such a bot says, it says of the greedy bot."""
    nothing = row(short, Weights.blank(short).arrays)
    table = Table.of(short, np.zeros((1, 2), np.int64), seed=7, threads=1)
    table.play(np.array([nothing, nothing], JUDGE.dtype))
    results, _ = played(short, ["greedy", "greedy"], seed=7)
    assert (table.results["points"] == results["points"]).all()
    assert table.results["decisions"] == results["decisions"]
    assert match(short, nothing, nothing, 2, 1, seed=7, threads=1) == (results["places"][0, 0] == 1)


def test_one_seed_one_judge_and_stopping_between_rounds_changes_nothing(short: Game, tmp_path: Path) -> None:
    """Two rounds at a stretch on two threads, and two on one with a pause between them: the same bytes."""
    texts = []
    for name, course in {"one": replace(SHORT, threads=2), "paused": SHORT}.items():
        training = Training.at(short, course, tmp_path / name)
        training.go()
        if name == "paused":
            training = Training.at(short, course, tmp_path / name)
            assert training.done == 1
        training.go()
        texts.append(training.judge().text(short))
    assert texts[0] == texts[1]
    assert '"rounds": 2' in texts[0]
    with pytest.raises(ValueError, match=r"another training lies there \(seed differs\); name another folder"):
        Training.at(short, replace(SHORT, seed=4), tmp_path / "one")
