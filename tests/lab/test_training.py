"""A judge that learns: the same seed gives the same bytes, an interrupted training the same as an uninterrupted one, and it does learn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sutler
from sutler.bots.kit.judge_network import CERTAIN, JUDGE, WARMTH, Weights
from sutler.core.play.game import Game
from sutler.lab.play.simulate import play_games
from sutler.lab.training import league, network_fit
from sutler.lab.training.league import (
    GameBatch,
    Training,
    TrainingSettings,
    blend_with_forecast,
    build_row_record,
    build_training_set,
    compute_passing_share,
    compute_target_shares,
    pack_judge,
    play_duel,
    play_match,
)
from sutler.lab.training.network_fit import (
    TrainingSet,
    compute_gradients,
    compute_score,
    draw_initial_weights,
    fit_network,
)

SHORT = TrainingSettings(seed=3, games=2, asked=0.05, rounds_of_search=2, epochs=2, seats=2, threads=1, gate=2)


@pytest.fixture(scope="module")
def short() -> Game:
    """A war of one year, in plain Python: quicker than compiling the games a judge learns from."""
    game = sutler.load("threeyears", years=1)
    game.definition.home.interpreted = True
    return game


def lesson(n: int = 3000) -> TrainingSet:
    """Questions whose answer is told by the second input; the first one misleads."""
    rng = np.random.default_rng(5)
    inputs = rng.standard_normal((n, 2))
    starts = np.arange(0, n + 1, 3)
    right = np.array([inputs[a : a + 3, 1].argmax() for a in starts[:-1]])
    target = (np.arange(3) == right[:, None]).astype(float).ravel()
    groups = len(starts) - 1
    return TrainingSet(
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
    start = draw_initial_weights(questions, blank(), rng)
    assert compute_score(questions, start, 1.0).agrees < 0.45
    weights, score = fit_network(questions, start, 1.0, 60, rng)
    assert score.agrees > 0.9
    assert score == compute_score(questions.select(np.flatnonzero(questions.held)), weights, 1.0)


def test_slopes_are_those_of_the_loss() -> None:
    """Each weight moved a little, up and down."""
    questions, rng = lesson(300), np.random.default_rng(2)
    weights = {name: rng.standard_normal(one.shape) for name, one in blank().items()} | {"temper": np.log([0.5, 0.8])}
    slope, step = compute_gradients(questions, weights, 2.0), 1e-6
    for name in network_fit.TRAINED_ARRAYS:
        at = (0,) * weights[name].ndim
        losses = []
        for moved in (step, -step):
            tried = weights[name].copy()
            tried[at] += moved
            losses.append(compute_score(questions, {**weights, name: tried}, 2.0).loss)
        decay = network_fit.WEIGHT_DECAY * weights[name][at] if name in ("first", "phase", "second") else 0.0
        # `loss` is the mean of each kind, half the questions; a batch counts all alike
        assert slope[name][at] - decay == pytest.approx((losses[0] - losses[1]) / step / 4, rel=1e-3, abs=1e-7)


def test_rows_become_questions() -> None:
    """A decision's actions by what the search found of them, a position's seats by who won; a question with one answer is none."""
    rows = np.zeros(7, build_row_record(2).dtype).view(np.ndarray)
    rows["seed"], rows["decision"] = 20, [1, 1, 1, 1, 4, 4, 9]
    rows["action"], rows["visits"], rows["prior"] = [5, 6, -1, -1, -1, -1, 3], [3, 1, 0, 0, 0, 0, 8], 0.5
    rows["total"], rows["seat"] = [2.4, 0.4, 1, 0, 0.5, 0.5, 1], [1, 1, 0, 1, 0, 1, 0]
    asked = build_training_set([rows], sutler.load("threeyears"))
    assert asked.starts.tolist() == [0, 2, 4, 6]
    assert asked.target[:2] == pytest.approx(likelier([2.4, 0.4], [3, 1]))
    assert asked.target[0] > 0.5
    # the search thought the seat that decided, the second, to win 0.7: half of that, half of having lost
    assert asked.target[2:] == pytest.approx([0.65, 0.35, 0.5, 0.5])
    assert asked.of_winning.tolist() == [0, 1, 1]
    assert asked.held.all()


def likelier(total: list[float], visits: list[int]) -> list[float]:
    """Two actions that had been thought alike."""
    mean = sum(total) / sum(visits)
    gains = [
        (t + league.PRIOR_ROUNDS * mean) / (n + league.PRIOR_ROUNDS) - mean for t, n in zip(total, visits, strict=True)
    ]
    shares = np.exp(league.ADVANTAGE_LOGITS * np.array(gains))
    return list(shares / shares.sum())


def test_what_the_search_hardly_tried_is_hardly_believed() -> None:
    """The same finding of two tries and of forty."""
    rows = np.zeros(4, build_row_record(2).dtype).view(np.ndarray)
    rows["seed"], rows["decision"], rows["prior"] = 1, [1, 1, 2, 2], 0.5
    rows["visits"] = [2, 2, 40, 40]
    rows["total"] = rows["visits"] * np.array([0.6, 0.5, 0.6, 0.5])
    little, much = compute_target_shares(rows, np.array([0, 2, 4]))[[0, 2]]
    assert 0.5 < little < much < 1


def test_what_was_foreseen_moves_one_seat_and_leaves_the_others_their_shares() -> None:
    """Of three seats; where the one had won alone, the others share evenly."""
    mine = np.array([False, True, False])
    assert blend_with_forecast(np.array([1.0, 0.0, 0.0]), mine, 0.4) == pytest.approx([0.8, 0.2, 0.0])
    assert blend_with_forecast(np.array([0.0, 1.0, 0.0]), mine, 0.4) == pytest.approx([0.15, 0.7, 0.15])


def test_a_round_is_kept_only_if_it_wins(short: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match that is not won leaves the judge as it was; one that is won does not."""
    course = replace(SHORT, gate=100)
    for won, kept in ((0.54, 0), (0.56, 1)):
        monkeypatch.setattr(league, "play_duel", lambda *_, won=won: won)
        made = Training.at(short, course, tmp_path / str(kept))
        made.run_round()
        assert (made.done, made.kept, made.won) == (1, kept, won)
        assert made.judge().made["kept"] == kept
        same = [(made.weights[name] == one).all() for name, one in Weights.untrained(short).arrays.items()]
        assert all(same) == (kept == 0)
        assert Training.at(short, course, tmp_path / str(kept)).kept == kept


def test_where_all_win_together_it_learns_what_to_do_and_is_tried_beside_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six Winters, games cut short: nobody wins rather than another, so that is no question; alike come out alike."""
    monkeypatch.setattr(league, "MOST_DECISIONS", 10)
    game = sutler.load("sixwinters")
    game.definition.home.interpreted = True
    made = Training.at(game, replace(SHORT, asked=0.5, gate=2), tmp_path)
    score = made.run_round()
    rows = np.load(tmp_path / "rows-0.npy")
    assert len(rows) > 2
    assert (rows["action"] >= 0).all()
    assert score.winning == 0
    nothing = pack_judge(game, Weights.untrained(game).arrays)
    assert play_duel(game, nothing, nothing, 2, 2, seed=7, threads=1) == 0.5


def test_of_two_tables_the_one_that_wins_or_scores_more_is_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four deals of Six Winters: more points, as many, fewer but won, fewer."""
    game = sutler.load("sixwinters")

    def played(table: GameBatch, _: np.ndarray) -> None:
        table.results["points"][:, 0] = [5, 4, 4, 4, 3, 9, 2, 3]
        table.results["places"] = np.array([2, 2, 2, 2, 1, 2, 2, 2])[:, None]

    monkeypatch.setattr(GameBatch, "play", played)
    nothing = pack_judge(game, Weights.untrained(game).arrays)
    assert play_duel(game, nothing, nothing, 2, 8, seed=1) == (1 + 0.5 + 1 + 0) / 4


def test_a_test_match_plays_every_deal_twice(short: Game) -> None:
    """So between two alike each wins half of it, to the last game."""
    nothing = pack_judge(short, Weights.untrained(short).arrays)
    assert play_duel(short, nothing, nothing, 2, 2, seed=7, threads=1) == 0.5
    assert compute_passing_share(100) == pytest.approx(0.55)


def test_without_anything_learned_its_games_are_those_of_normal_bots(short: Game) -> None:
    """So what a match of a judge and such a bot says, it says of the greedy bot."""
    nothing = pack_judge(short, Weights.untrained(short).arrays)
    table = GameBatch.of(short, np.zeros((1, 2), np.int64), seed=7, threads=1)
    table.play(np.array([nothing, nothing], JUDGE.dtype))
    results, _ = play_games(short, ["greedy", "greedy"], seed=7)
    assert (table.results["points"] == results["points"]).all()
    assert table.results["decisions"] == results["decisions"]
    assert play_match(short, nothing, nothing, 2, 1, seed=7, threads=1) == (results["places"][0, 0] == 1)


def test_one_seed_one_judge_and_stopping_between_rounds_changes_nothing(short: Game, tmp_path: Path) -> None:
    """Two rounds at a stretch on two threads, and two on one with a pause between them: the same bytes."""
    texts = []
    for name, course in {"one": replace(SHORT, threads=2), "paused": SHORT}.items():
        made = Training.at(short, course, tmp_path / name)
        made.run_round()
        if name == "paused":
            made = Training.at(short, course, tmp_path / name)
            assert made.done == 1
        made.run_round()
        texts.append(made.judge().to_json_text(short))
    assert texts[0] == texts[1]
    assert '"rounds": 2' in texts[0]
    with pytest.raises(ValueError, match=r"another training lies there \(seed differs\); name another folder"):
        Training.at(short, replace(SHORT, seed=4), tmp_path / "one")
