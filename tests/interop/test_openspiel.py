"""OpenSpiel is told what our games are: who wins what, how long they last, what a seat remembers; different states print differently."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import programs
import sutler
from sutler.core.rule import PLAIN_ONLY
from sutler.interop.session import Session

pyspiel = pytest.importorskip("pyspiel")
import sutler.interop.openspiel  # noqa: E402

ROOT = Path(__file__).parents[2]
LEARN = ROOT / "examples" / "learn"


def walked(state: Any, steps: int, seed: int = 1) -> Any:
    """The state so many random decisions on."""
    luck = np.random.default_rng(seed)
    for _ in range(steps):
        if state.is_terminal():
            break
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[int(luck.integers(len(state.chance_outcomes())))][0])
        else:
            state.apply_action(int(luck.choice(state.legal_actions())))
    return state


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="whole games want compiled rules")
@pytest.mark.parametrize("name", sutler.games())
def test_the_utility_declared_is_the_sum_observed(name: str) -> None:
    """Zero-sum, or identical where all play together, at every number of seats; within its bounds and its length."""
    kind = next(one for one in pyspiel.registered_games() if one.short_name == f"sutler_{name}")
    rules, utility = sutler.load(name), pyspiel.GameType.Utility
    together = bool(rules.definition.COOPERATIVE)
    assert kind.utility == (utility.IDENTICAL if together else utility.ZERO_SUM)
    for seats in range(rules.min_seats, rules.max_seats + 1):
        game = pyspiel.load_game(f"sutler_{name}", {"players": seats})
        assert game.get_type().utility == kind.utility
        assert game.utility_sum() == (None if together else 0.0)
        session, luck = Session(rules, seats), np.random.default_rng(seats)
        session.reset(seats)
        while not session.over:
            session.step(int(luck.choice(session.legal())))
        returns = session.returns()
        assert session.decisions < game.max_game_length() < 300_000
        assert game.min_utility() - 1e-12 <= min(returns)
        assert max(returns) <= game.max_utility()
        assert len(set(returns)) == 1 if together else sum(returns) == pytest.approx(0.0, abs=1e-12)


def test_what_was_measured_is_what_is_so() -> None:
    """What is written in `learners.toml` of playing together is what the game says."""
    for name in sutler.games():
        assert sutler.interop.openspiel._read_game_measures(name)["together"] == bool(
            sutler.load(name).definition.COOPERATIVE
        )
        assert sutler.interop.openspiel._read_game_measures(name)["longest"] > 100


def test_openspiels_own_exploitability_takes_it() -> None:
    """It refuses games of which it does not know that one wins what the other loses."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    game = programs.program(LEARN / "cfr.py").small(1)
    gained = exploitability.exploitability(game, policy.UniformRandomPolicy(game))
    assert 0 < gained <= 2


def test_states_that_differ_print_differently() -> None:
    """All states of a small game of two deals; and a state and its redeal."""
    game = programs.program(LEARN / "cfr.py").small(2)
    met: dict[str, str] = {}
    todo = [game.new_initial_state()]
    while todo:
        state = todo.pop()
        assert met.setdefault(str(state), state.history_str()) == state.history_str()
        todo += [state.child(action) for action in state.legal_actions()] if not state.is_terminal() else []
    assert len(met) > 100
    state = walked(pyspiel.load_game("sutler_threeyears").new_initial_state(), 12)
    twin = state.resample_from_infostate(state.current_player(), np.random.default_rng(1).random)
    assert str(twin) != str(state)
    assert str(state.clone()) == str(state)


def test_a_seat_remembers_what_it_did() -> None:
    """Perfect recall: equal information states of a seat have equal own actions behind them, which observations alone have not."""
    game = programs.program(LEARN / "cfr.py").small(2)
    assert game.get_type().provides_information_state_string
    assert not game.get_type().provides_information_state_tensor
    met: dict[tuple[int, str], tuple[Any, ...]] = {}
    seen: dict[tuple[int, str], set[tuple[Any, ...]]] = {}

    def walk(state: Any, done: dict[int, tuple[Any, ...]]) -> None:
        if state.is_terminal():
            return
        if state.is_chance_node():
            for action in state.legal_actions():
                walk(state.child(action), done)
            return
        seat = state.current_player()
        key = (seat, state.information_state_string(seat))
        assert met.setdefault(key, done[seat]) == done[seat]
        seen.setdefault((seat, state.observation_string(seat)), set()).add(done[seat])
        for action in state.legal_actions():
            walk(state.child(action), done | {seat: (*done[seat], action)})

    walk(game.new_initial_state(), {0: (), 1: ()})
    assert any(len(pasts) > 1 for pasts in seen.values())


def test_an_information_state_survives_a_redeal_and_a_copy() -> None:
    """What the seat remembers is the same in another world that it could be in, and after serialising."""
    game = pyspiel.load_game("sutler_threeyears")
    state = walked(game.new_initial_state(), 25)
    seat = state.current_player()
    twin = state.resample_from_infostate(seat, np.random.default_rng(1).random)
    assert twin.information_state_string(seat) == state.information_state_string(seat)
    again = game.deserialize_state(state.serialize())
    assert again.information_state_string(seat) == state.information_state_string(seat)
    assert str(again) == str(state)


def test_registering_imports_no_game() -> None:
    """Rules are imported when a game is loaded, not when OpenSpiel hears of it."""
    code = (
        "import sys, sutler.interop.openspiel as ours, pyspiel\n"
        "loaded = [one for one in sys.modules if one.startswith('sutler.games.')]\n"
        "assert not loaded, loaded\n"
        "assert 'numba' not in sys.modules\n"
        "assert set(ours.NAMES) <= set(pyspiel.registered_names())\n"
        "assert pyspiel.load_game('sutler_bellum').num_players() == 2\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=120)
