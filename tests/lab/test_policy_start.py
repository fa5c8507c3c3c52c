"""How an untrained policy plays (studies/policy_start.py): the surer it is of the judgement, the less it strays from it."""

from __future__ import annotations

import pytest

import programs
import sutler

policy_start = programs.study("policy_start")


def test_the_surer_the_less_it_strays() -> None:
    """In plain Python, a war of one year; with only ties to draw from it never strays."""
    pytest.importorskip("scipy")  # an extra (train)
    game = sutler.load("threeyears", years=1)
    game.definition.home.interpreted = True
    loose, only_ties = (
        policy_start.measure_untrained_play(game, sure, 2, 2, seed=5, nodes=4)
        for sure in (0.01, policy_start.ONLY_TIES)
    )
    assert loose.strays > only_ties.strays == 0
    assert loose.entropy > only_ties.entropy >= 0
    assert only_ties.options >= 2
    assert loose.decisions > 0
