"""A policy that learns from searches (studies/imitate_search.py): what is wanted of it, and that it comes to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import programs
import sutler
from sutler.bots.kit.policy_network import PolicyWeights
from sutler.bots.search import SearchBot
from sutler.core.play.game import Game
from sutler.lab.training.policy_fit import Adam, compute_hidden_layer, compute_log_probabilities

imitate_search = programs.study("imitate_search")


@pytest.fixture(scope="module")
def short() -> Game:
    """A war of one year, in plain Python."""
    pytest.importorskip("scipy")  # an extra (train)
    game = sutler.load("threeyears", years=1)
    game.definition.home.interpreted = True
    return game


def fake_labels(game: Game, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Labels of the decisions of two games; a search that says of each action: the higher its number, the better."""

    def explain(_: SearchBot, view: Any) -> list[tuple[Any, float, int]]:
        return [(action, rank / len(view.legal), 50) for rank, action in enumerate(view.actions())]

    monkeypatch.setattr(SearchBot, "explain", explain)
    blank = imitate_search.pack_policy_row(
        imitate_search.Policy(nodes=4), PolicyWeights.untrained(game, 2, np.random.default_rng(0)), game
    )
    found = []
    for seed in (3, 4):
        for view in imitate_search.iter_moments(game, 2, seed, 1):
            one = imitate_search.label(view, blank, SearchBot(2), seed)
            found += [one] if one is not None else []
    return imitate_search.Labels.join(found)


def test_a_policy_comes_to_do_what_the_search_found(
    short: Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What is wanted of each decision is a distribution that favours what paid more; a fit comes nearer to it; labels come back."""
    labels = fake_labels(short, monkeypatch)
    labels.save(tmp_path / "labels.npz")
    again = imitate_search.Labels.load(tmp_path / "labels.npz")
    assert all((getattr(again, name) == getattr(labels, name)).all() for name in vars(labels))
    asked = imitate_search.build_decisions(short, labels, 5.0)
    weights = PolicyWeights.untrained(short, 2, np.random.default_rng(1), 60.0)
    logs = compute_log_probabilities(asked, compute_hidden_layer(asked.inputs, weights.arrays), weights.arrays)
    wanted = imitate_search.compute_targets(labels, asked, logs, 0.1)
    assert np.bincount(asked.option_row, wanted) == pytest.approx(1)
    first = asked.option_row == 0
    more = np.log(wanted[first]) - logs[first]
    assert (np.diff(more[np.argsort(labels.payoff[first])]) >= -1e-6).all()
    made = imitate_search.Imitation(short, labels, asked, wanted, weights)
    every = np.arange(len(labels.rows))
    before, memory = made.judge(every), Adam(weights.arrays)
    for _ in range(30):
        made.fit_epoch(every, memory, 0.01, 0.0, np.random.default_rng(2))
    after = made.judge(every)
    assert after[0] < before[0]
    assert after[1] > before[1]
    assert after[2] > before[2]


def test_one_game_in_three_leaves_the_path(short: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game of a seed that three divides is another one than greedy bots play; that of another seed is theirs."""

    def seen(seed: int) -> list[list[int]]:
        return [view.legal for view in imitate_search.iter_moments(short, 2, seed, 1)]

    strayed, straight = seen(3), seen(4)
    monkeypatch.setattr(imitate_search, "STRAYS", 1_000_003)
    assert seen(3) != strayed
    assert seen(4) == straight
