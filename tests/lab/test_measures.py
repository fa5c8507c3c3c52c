"""Measures of the lab: what is planted is found, what is not is not, as often as said."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

from sutler.lab.report.usage_tables import _compute_win_gap, fold_numbered_actions
from sutler.lab.stats.estimates import (
    compute_bonferroni_z,
    compute_student_t,
    compute_two_sided_p,
    compute_wilson_interval,
    control_false_discoveries,
    shrink_to_mean,
)


def test_seats_of_an_even_game_are_called_uneven_once_in_twenty() -> None:
    """2,000 even games of 1,000 for four seats: the intervals hold together; each by itself fires two to four times as often."""
    luck = np.random.default_rng(1)
    z, together, alone = compute_bonferroni_z(4), 0, 0
    for _ in range(2000):
        wins = luck.multinomial(1000, [0.25] * 4)
        together += any(
            not low <= 0.25 <= high for low, high in (compute_wilson_interval(int(k), 1000, z) for k in wins)
        )
        alone += any(not low <= 0.25 <= high for low, high in (compute_wilson_interval(int(k), 1000) for k in wins))
    assert together <= 100
    assert alone >= 2 * together


@pytest.mark.parametrize(("n", "printed"), [(6, 2.571), (10, 2.262), (30, 2.045), (1000, 1.962)])
def test_student_is_as_printed(n: int, printed: float) -> None:
    """The 97.5 % points of Student's t, from any table."""
    assert compute_student_t(n) == pytest.approx(printed, rel=0.004)
    assert compute_student_t(1) == float("inf")


def test_discoveries_keep_their_rate() -> None:
    """By hand after Benjamini and Hochberg (1995), table of 15 chances: four stand at 5 %; and planted ones among nothing."""
    listed = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1.0,
    ]
    assert control_false_discoveries(listed) == [True] * 4 + [False] * 11
    assert control_false_discoveries(listed[::-1]) == [False] * 11 + [True] * 4
    assert control_false_discoveries([]) == []
    luck = np.random.default_rng(2)
    shares = []
    for _ in range(400):
        found = control_false_discoveries([*luck.random(80), *(luck.random(20) * 1e-5)])
        shares.append(sum(found[:80]) / max(1, sum(found)))
    assert np.mean(shares) <= 0.05


def test_shrinking_helps_on_the_whole() -> None:
    """Fifty planted effects, unequally known: the shrunk ones lie nearer to the truth, and what is well known hardly moves."""
    luck = np.random.default_rng(3)
    true, errors = luck.normal(0, 0.02, 50), luck.uniform(0.005, 0.08, 50)
    seen = true + luck.normal(0, errors)
    drawn = np.array(shrink_to_mean(list(seen), list(errors)))
    assert ((drawn - true) ** 2).mean() < 0.5 * ((seen - true) ** 2).mean()
    assert shrink_to_mean([0.1, -0.2], [0.1, 0.1]) == [0.1, -0.2]
    assert shrink_to_mean([0.0, 0.0, 1.0], [1e-9] * 3) == pytest.approx([0.0, 0.0, 1.0])


def _planted(luck: Any, games: int, seats: int, share: float, worth: float) -> tuple[pl.DataFrame, Any]:
    """Games in which each seat has a thing with this chance, or, for half of the games, all or none has it together."""
    has = luck.random((games, seats)) < share
    has[::2] = has[::2, :1]
    strength = 1.0 + worth * has
    winner = (strength.cumsum(axis=1) / strength.sum(axis=1, keepdims=True) < luck.random((games, 1))).sum(axis=1)
    won = np.zeros((games, seats))
    won[np.arange(games), winner] = 1.0
    rows = [
        (g, int(has[g].sum()), int(has[g].sum()), float(won[g][has[g]].sum())) for g in range(games) if has[g].any()
    ]
    schema = {"game": pl.Int64, "times": pl.Int64, "seats": pl.Int64, "wins": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row"), np.ones(games)


@pytest.mark.parametrize("share", [0.2, 0.5])
def test_intervals_of_things_count_games(share: float) -> None:
    """Nothing planted: of 600 intervals at most one in twenty leaves out zero, which those that took seats of a game for
    independent did not keep; something planted is found."""
    luck = np.random.default_rng(4)
    missed = 0
    for _ in range(600):
        found = _compute_win_gap(*_planted(luck, 300, 3, share, 0.0), 3)
        missed += not found["low"] <= 0 <= found["high"]
    assert compute_wilson_interval(missed, 600)[0] <= 0.05
    told = _compute_win_gap(*_planted(luck, 3000, 3, share, 0.5), 3)
    assert told["low"] > 0


def test_what_nobody_or_everybody_had_says_nothing() -> None:
    """There is nothing to compare with."""
    assert "gap" not in _compute_win_gap(None, np.ones(5), 3)
    every = pl.DataFrame({"game": [0, 1], "times": [3, 3], "seats": [3, 3], "wins": [1.0, 1.0]})
    assert "gap" not in _compute_win_gap(every, np.ones(2), 3)


@pytest.mark.parametrize("n", [2, 3, 5, 40, 1000])
@pytest.mark.parametrize("z", [0.5, 1.96, 3.2, 5.0])
def test_a_p_value_is_the_inverse_of_the_quantile(n: int, z: float) -> None:
    """By Student: as far out as a normal number of so many standard errors is."""
    assert compute_two_sided_p(n, compute_student_t(n, z)) == pytest.approx(math.erfc(z / math.sqrt(2)), rel=1e-3)


def test_two_dozen_like_tokens_are_one_row() -> None:
    """`look at Despair 1` to `24` filled the table above what matters; what has no number, or few of its kind, stays."""
    rows = [("look", f"look at Despair {k}", 10, 1, 0.1, 0.5, 0.2) for k in range(1, 25)]
    rows += [("draft", "draft Mutiny", 40, 1, 0.025, 0.3, 0.08)]
    rows += [("put", f"put {k}", 9, 1, 0.1, 0.6, 0.3) for k in (1, 2)]
    names = ["block", "action", "offered", "taken", "share", "usual", "ratio"]
    found = fold_numbered_actions(pl.DataFrame(rows, schema=names, orient="row"))
    assert found["action"].to_list() == ["draft Mutiny", "look at Despair 1 … 24", "put 1", "put 2"]
    assert found.row(1)[1:5] == (240, 24, 0.1, 0.5)
