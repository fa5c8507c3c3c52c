"""A policy that learns: slopes are those of the loss, the same seed gives the same bytes, and it does learn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sutler
from sutler.bots.kit import get_kit
from sutler.bots.kit.policy_network import PolicyWeights
from sutler.bots.policy import Policy, pack_policy_row
from sutler.core.play.game import Game
from sutler.lab.training import policy_fit, policy_training
from sutler.lab.training.policy_fit import (
    Adam,
    Decisions,
    FitSettings,
    build_sparse_matrix,
    compute_log_probabilities,
    compute_policy_gradients,
    fit_policy_arrays,
)
from sutler.lab.training.policy_training import (
    PolicySettings,
    PolicyTraining,
    build_decisions,
    compute_advantages,
    compute_foreseen_part,
    compute_goal_shares,
    play_policy_games,
)

SHORT = PolicySettings(seed=3, games=2, seats=(2,), watching=1, exam=2, exam_every=1)


@pytest.fixture(autouse=True)
def needs_scipy() -> None:
    """SciPy comes with an extra (train)."""
    pytest.importorskip("scipy")


@pytest.fixture(scope="module")
def short() -> Game:
    """A war of one year, in plain Python: quicker than compiling the games a policy learns from."""
    game = sutler.load("threeyears", years=1)
    game.definition.home.interpreted = True
    return game


def lesson(n: int = 400) -> Decisions:
    """Decisions between two actions: the second is right where the first of three inputs is 1, and there the seat wins."""
    rng = np.random.default_rng(5)
    inputs = (rng.random((n, 3)) < 0.5).astype(np.float32)
    taken, right = rng.integers(0, 2, n), inputs[:, 0].astype(int)
    won = np.stack([right, 1 - right], axis=1).astype(float)
    rows = np.repeat(np.arange(n), 2)
    value = rng.random(2 * n).astype(np.float32)
    gain = np.where(taken == right, 1.0, -1.0)
    return Decisions(
        build_sparse_matrix(inputs, inputs.shape), rng.integers(0, 2, n), 2 * np.arange(n) + taken, np.full(n, np.log(0.5)), gain,
        won, np.full(n, 2), rows, np.tile([0, 1], n), value,
    )  # fmt: skip


def arrays(much: float = 0.5) -> dict[str, np.ndarray]:
    """Small weights drawn at random: three inputs, four units, two phases, two actions, two seats."""
    rng = np.random.default_rng(6)
    sizes = {"first": (3, 4), "bias": 4, "sure": 2, "action": (2, 4), "lean": 2, "win": (2, 4), "seat": 2}
    return {name: much * rng.standard_normal(size) for name, size in sizes.items()} | {"sure": np.array([0.5, 0.7])}


def loss(batch: Decisions, now: dict[str, np.ndarray], how: FitSettings) -> float:
    """The loss that a fit makes smaller, written down as in the paper."""
    hidden = policy_fit.compute_hidden_layer(batch.inputs, now)
    logs = compute_log_probabilities(batch, hidden, now)
    ratio = np.exp(logs[batch.chosen] - batch.likely)
    clipped = np.clip(ratio, 1 - how.clip, 1 + how.clip)
    doing = -np.minimum(ratio * batch.gain, clipped * batch.gain).mean()
    entropy = -np.bincount(batch.option_row, np.exp(logs) * logs).mean()
    chance = policy_fit.predict_win_chances(hidden, now, 2)
    winning = -(batch.won * np.log(chance)).sum(axis=1).mean()
    return float(doing - how.entropy * entropy + how.value * winning)


def test_slopes_are_those_of_the_loss() -> None:
    """Each kind of weight moved a little, up and down."""
    batch, now, how, step = lesson(60), arrays(), FitSettings(entropy=0.1), 1e-5
    slopes, _ = compute_policy_gradients(batch, now, how, fit_policy=True)
    for name, array in now.items():
        at = (0,) * array.ndim
        losses = []
        for moved in (step, -step):
            other = {**now, name: array.copy()}
            other[name][at] += moved
            losses.append(loss(batch, other, how))
        assert slopes[name][at] == pytest.approx((losses[0] - losses[1]) / (2 * step), abs=2e-4), name


def test_it_learns_what_to_do_and_who_wins() -> None:
    """From chance to nearly always; where it only watches, it goes on doing what it did."""
    batch, rng = lesson(), np.random.default_rng(1)

    def does_right(now: dict[str, np.ndarray]) -> float:
        logs = compute_log_probabilities(batch, policy_fit.compute_hidden_layer(batch.inputs, now), now).reshape(-1, 2)
        return float((logs.argmax(axis=1) == batch.inputs[:, [0]].toarray()[:, 0]).mean())

    now, how = arrays(0.1), FitSettings(batch=100, epochs=40, pace=0.02, clip=5.0)
    before = does_right(now)
    told = fit_policy_arrays(batch, now, Adam(now), how, rng, fit_policy=True)
    assert before < 0.7
    assert does_right(now) > 0.95
    assert told.brier < 0.1
    watched = arrays(0.1)
    same = watched["action"].copy()
    fit_policy_arrays(batch, watched, Adam(watched), how, rng, fit_policy=False)
    assert (watched["action"] == same).all()
    assert (
        policy_fit.predict_win_chances(policy_fit.compute_hidden_layer(batch.inputs, watched), watched, 2)[0].max()
        > 0.9
    )


def test_a_fit_ends_where_the_policy_has_changed_enough() -> None:
    """With a limit that one batch exceeds it changes less than without; the limit 0 is none."""
    batch = lesson()

    def moved(most: float) -> float:
        now = arrays(0.1)
        how = FitSettings(batch=100, epochs=10, pace=0.05, clip=5.0, most_moved=most)
        before = compute_log_probabilities(batch, policy_fit.compute_hidden_layer(batch.inputs, now), now)
        fit_policy_arrays(
            replace(batch, likely=before[batch.chosen]), now, Adam(now), how, np.random.default_rng(1), fit_policy=True
        )
        after = compute_log_probabilities(batch, policy_fit.compute_hidden_layer(batch.inputs, now), now)
        return float(np.abs(after - before)[batch.chosen].mean())

    assert 0 < moved(0.01) < moved(0.1) < moved(0)


def test_how_well_who_wins_was_foreseen() -> None:
    """0 for who knows, 1 for who says the mean, more for who is sure of the wrong; 1 where nothing differed."""
    won = np.array([1.0, 0, 0, 0])
    for chance, part in ((won, 0), (np.full(4, 0.25), 1), (np.array([0.0, 1, 0, 0]), 8 / 3)):
        assert compute_foreseen_part(chance, won) == pytest.approx(part)
    assert compute_foreseen_part(np.full(2, 0.3), np.zeros(2)) == 1


def test_a_lead_counts_as_part_of_a_win(short: Game) -> None:
    """Three points make a win e times as likely where `lead` is 3; where it is 0, and where all win together, who won counts."""
    results = np.zeros(1, get_kit(short).result.dtype)
    results["points"][:, :2], results["places"][:, :2] = [[10, 7]], [[1, 2]]
    shares = compute_goal_shares(short, results, 2, lead=3.0)
    assert shares.sum() == pytest.approx(1)
    assert shares[0, 0] / shares[0, 1] == pytest.approx(np.e)
    assert compute_goal_shares(short, results, 2, lead=0.0).tolist() == [[1, 0]]
    results["places"][:, :2] = 1
    assert compute_goal_shares(sutler.load("sixwinters"), results, 2, lead=3.0).tolist() == [[1, 1]]


def test_gains_count_what_came_after() -> None:
    """Two decisions of a seat that won, and one between them of another that lost."""
    rows = np.zeros(3, policy_training.build_policy_row_record().dtype)
    rows["seat"] = [0, 1, 0]
    won = np.array([[1.0, 0.0]])
    assert compute_advantages(rows, np.array([0.5, 0.4, 0.8]), won, 0.5) == pytest.approx([0.3 + 0.5 * 0.2, -0.4, 0.2])


def test_what_is_written_down_is_what_was_decided(short: Game) -> None:
    """The chance of the action taken, by the weights; the place of what is learned from it; bots' decisions are not kept."""
    weights = PolicyWeights.untrained(short, 2, np.random.default_rng(2))
    weights.arrays["win"] += 0.1  # not 0: what is foreseen differs from decision to decision
    weights.arrays["win"][0] += 0.1
    weights.arrays["action"] += np.random.default_rng(3).standard_normal(weights.arrays["action"].shape).astype("f4")
    row = pack_policy_row(Policy(), weights, short)
    one = sutler.bot("greedy", nodes=4)
    played = play_policy_games(short, row, [one], np.array([[0, 1], [0, 0]]), seed=5)
    assert set(zip(played.rows["game"].tolist(), played.rows["seat"].tolist(), strict=True)) == {(0, 0), (1, 0), (1, 1)}
    asked, foreseen = build_decisions(short, played, weights.arrays, 2, 0.9)
    hidden = policy_fit.compute_hidden_layer(asked.inputs, weights.arrays)
    logs = compute_log_probabilities(asked, hidden, weights.arrays)
    assert logs[asked.chosen] == pytest.approx(asked.likely, abs=1e-2)
    assert foreseen.std() > 0
    assert (foreseen == policy_fit.predict_win_chances(hidden, weights.arrays, 2)[:, 0]).all()
    gain = compute_advantages(
        played.rows, foreseen, policy_training.compute_training_win_shares(short, played.results, 2), 0.9
    )
    assert asked.gain == pytest.approx((gain - gain.mean()) / gain.std(), abs=1e-5)
    seats = played.rows["seat"].astype(int)
    assert (
        asked.won[:, 0]
        == policy_training.compute_training_win_shares(short, played.results, 2)[played.rows["game"], seats]
    ).all()
    half = asked.select(np.arange(0, len(asked.phase), 2))
    assert (half.action[half.chosen] == asked.action[asked.chosen[::2]]).all()


def test_tables_of_several_numbers_of_seats_are_learned_from_together(short: Game, tmp_path: Path) -> None:
    """They share the games of a round; who wins is foreseen among those who sit there; an exam counts each table by its seats."""
    training = PolicyTraining.at(short, replace(SHORT, games=3, seats=(2, 3)), tmp_path / "both")
    weights = training.weights
    assert weights.seats == (2, 3)
    row = pack_policy_row(Policy(), weights, short)
    tables = []
    for seats in weights.seats:
        played = play_policy_games(short, row, [], np.zeros((1, seats), int), seed=5)
        tables.append(build_decisions(short, played, weights.arrays, seats, 0.9)[0])
    joined = policy_fit.join_decisions(tables)
    first = len(tables[0].phase)
    assert joined.sitting.tolist() == [2] * first + [3] * len(tables[1].phase)
    assert joined.won.shape[1] == 3
    assert (joined.won[:first, 2] == 0).all()
    assert (joined.action[joined.chosen[first:]] == tables[1].action[tables[1].chosen]).all()
    assert (joined.option_row[len(tables[0].action) :] - first == tables[1].option_row).all()
    hidden = policy_fit.compute_hidden_layer(joined.inputs, weights.arrays)
    chance = policy_fit.predict_win_chances(hidden, weights.arrays, 3, joined.sitting)
    assert (chance[:first, 2] == 0).all()
    assert chance.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert (chance[first:] == policy_fit.predict_win_chances(hidden, weights.arrays, 3)[first:]).all()
    training.run_round()
    assert training.even == pytest.approx(0.4)
    share = training.play_exam()
    assert 0 <= share <= 1
    assert PolicyWeights.read(tmp_path / "both" / "best.npz", short).seats == (2, 3)
    assert PolicyTraining.at(short, replace(SHORT, seats=()), tmp_path / "from", weights).seats == (2, 3)


def test_games_are_split_evenly() -> None:
    """Into parts that differ by one at most, none of them lost."""
    assert policy_training.split_evenly(8, 3) == [3, 3, 2]
    assert policy_training.split_evenly(5, 1) == [5]


def test_an_interrupted_training_comes_to_the_same(short: Game, tmp_path: Path) -> None:
    """To the byte; exams are kept, and so is the policy of the best one; another seed lies in another folder."""
    whole = PolicyTraining.at(short, SHORT, tmp_path / "whole")
    for _ in range(2):
        whole.run_round()
    won = whole.play_exam()
    for _ in range(2):
        PolicyTraining.at(short, SHORT, tmp_path / "parts").run_round()
    parts = PolicyTraining.at(short, SHORT, tmp_path / "parts")
    assert (parts.done, parts.memory.steps, parts.decisions) == (2, whole.memory.steps, whole.decisions)
    assert all((parts.weights.arrays[name] == array).all() for name, array in whole.weights.arrays.items())
    assert PolicyTraining.at(short, SHORT, tmp_path / "whole").exams == [(2, won)]
    best = PolicyWeights.read(tmp_path / "whole" / "best.npz", short)
    assert best.made["trained"] == 2
    with pytest.raises(ValueError, match="seed differs"):
        PolicyTraining.at(short, replace(SHORT, seed=4), tmp_path / "whole")
