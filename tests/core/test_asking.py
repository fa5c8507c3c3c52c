"""Stopping and going on: sutler.core.tables."""

from __future__ import annotations

from types import SimpleNamespace

from sutler.core.tables import Phase, PhaseTable, ask, go_on


def test_going_on_leaves_no_decision_open() -> None:
    """Wherever a game's table has the row, `go_on` lands on it, and on no decision."""
    numbers = PhaseTable(work=Phase("2.1"), moving=Phase("1.6"), trade=Phase("3.1")).numbers
    state = SimpleNamespace(phase=numbers.trade, to_act=0)
    ask.plain(state, numbers.work, 2)
    assert (state.phase, state.to_act) == (numbers.work, 2)
    go_on.plain(state)
    assert (state.phase, state.to_act) == (numbers.moving, 2)
