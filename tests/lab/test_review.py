"""A finished game looked back on: what is told cost chances indeed, and nothing is told where nothing was lost."""

from __future__ import annotations

import numpy as np
import pytest

import sutler
from sutler.bots import bot
from sutler.core.play.position import Position
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.play.rollouts import RolloutTable
from sutler.lab.studies import costly_decisions
from sutler.lab.studies.costly_decisions import MIN_CHANCE_LOST, CostlyDecision, find_costly_decisions

pytestmark = [pytest.mark.compiled, pytest.mark.skipif(PLAIN_ONLY, reason="thousands of games want compiled rules")]
SEEDS = {"manor": 5, "warfarm": 5}
"""Games in which something was lost."""
FRESH_PAIRS = 300
"""Pairs of games by which what was told is looked at again."""


def played(game: str, careless: str, seed: int) -> Position:
    """A whole game of normal bots, one of them of another kind."""
    pos = sutler.load(game).new(seats=2 if game == "sixwinters" else 3, seed=seed)
    players = [bot(careless), *[bot("normal")] * 3]
    while not pos.over:
        assert pos.seat is not None
        pos.play(players[pos.seat].choose(pos.for_seat(pos.seat, seed)))
    return pos


@pytest.mark.parametrize("game", ["manor", "warfarm"])
def test_what_is_told_was_lost_indeed(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each decision told of is played on again, with other draws and many more: it lost there too, about as much as was told."""
    pos = played(game, "easy", seed=SEEDS[game])
    found = find_costly_decisions(pos, {0})
    assert found, "an easy bot loses something by some decision of this game"
    assert [one.decision for one in found] == sorted(one.decision for one in found)
    monkeypatch.setattr(costly_decisions, "PAIRS", FRESH_PAIRS)  # other seeds as well
    table = RolloutTable(pos.game, [costly_decisions.PLAYER], pos.n_seats)
    for one in found:
        assert one.seat == 0
        assert one.lost > one.half
        assert one.lost >= MIN_CHANCE_LOST
        assert pos.decisions[one.decision].action == int(one.taken) != int(one.instead)
        fresh = costly_decisions._estimate_cost_by_rollouts(
            table, pos, one.decision, one.instead, FRESH_PAIRS, new_redeals=False
        )
        assert fresh.lost > 0
        assert abs(fresh.lost - one.lost) <= np.hypot(1.5 * one.half, 1.5 * fresh.half)


def test_the_same_choice_loses_nothing() -> None:
    """Played on both ways with the action that was taken: every pair is even, so nothing is lost and nothing would be told."""
    pos = played("warfarm", "normal", seed=2)
    table = RolloutTable(pos.game, [costly_decisions.PLAYER], pos.n_seats)
    decision = next(n for n, one in enumerate(pos.decisions) if one.n_legal > 1)
    taken = pos.game.action_names[pos.decisions[decision].action]
    same = costly_decisions._estimate_cost_by_rollouts(table, pos, decision, taken, 20, new_redeals=True)
    assert (same.lost, same.half) == (0.0, 0.0)


def test_of_many_blunders_three_are_told_and_of_none_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most three, the worst, in the order of the game; what luck alone made look bad is not told when it is looked at again."""
    pos = played("warfarm", "normal", seed=2)
    name = pos.game.action_names[0]
    worth = {5: (0.3, 0.3), 9: (0.5, 0.4), 12: (0.2, 0.02), 20: (0.4, 0.3), 30: (0.1, 0.1)}
    monkeypatch.setattr(
        costly_decisions, "_find_doubtful_decisions", lambda pos, seats: [(decision, name) for decision in worth]
    )

    def planted(
        table: RolloutTable, pos: Position, decision: int, instead: object, pairs: int, new_redeals: bool
    ) -> CostlyDecision:
        return CostlyDecision(decision, 0, name, name, 0.0, worth[decision][new_redeals], 0.05, pairs)

    monkeypatch.setattr(costly_decisions, "_estimate_cost_by_rollouts", planted)
    assert [one.decision for one in find_costly_decisions(pos, {0})] == [5, 9, 20]
    worth = {5: (0.3, 0.04), 9: (0.5, 0.0), 12: (-0.2, 0.9)}
    assert find_costly_decisions(pos, {0}) == []
