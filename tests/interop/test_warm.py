"""After `sutler warm GAME` nothing that is public compiles; what compiles nevertheless says so."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import sutler
from sutler.core import registry
from sutler.core.machine.events import told_of_compiling
from sutler.core.rule import PLAIN_ONLY
from sutler.core.warm import is_warm, warm_once

pytestmark = [pytest.mark.compiled, pytest.mark.skipif(PLAIN_ONLY, reason="nothing is compiled as plain Python")]
GAME = "threeyears"

EVERY_DOOR = f"""
import sys, tempfile, warnings
from pathlib import Path
import numpy as np
import sutler
from sutler.core.machine.events import told_of_compiling
from sutler.core.warm import is_warm
from sutler.core.registry import definition
assert is_warm(definition("{GAME}"))
compiled = []
with told_of_compiling(lambda what: compiled.append((door, what))):
    door = "vector"
    for how in ({{}}, {{"bots": "random"}}, {{"bots": "greedy", "encoding": "onehot", "compact": True, "copy": False}}):
        games = sutler.vector("{GAME}", num_envs=3, threads=1, **how)
        games.reset(seed=1)
        games.step(games.sample())
        games.decide("greedy")
        games.decide("search:rounds=2")
    door = "gym"
    from sutler.interop.gym import SeatEnv
    env = SeatEnv("{GAME}", "random", render_mode="ansi", illegal="draw")
    env.reset(seed=1)
    env.step(env.action_space.sample())
    env.step(-1)
    env.render()
    door = "pettingzoo"
    from sutler.interop.pettingzoo import env as table_of
    table = table_of("{GAME}", render_mode="ansi")
    table.reset(seed=1)
    table.step(int(table.last()[0]["action_mask"].argmax()))
    table.state(), table.render()
    door = "openspiel"
    import pyspiel, sutler.interop.openspiel
    state = pyspiel.load_game("sutler_{GAME}").new_initial_state()
    for action in (3, 4):
        state.apply_action(action)
    state.apply_action(state.legal_actions()[0])
    state.resample_from_infostate(state.current_player(), np.random.default_rng(1).random)
    state.information_state_string(), str(state), state.returns()
    door = "lab"
    from sutler.lab.play.export import export_bots
    sutler.simulate("{GAME}", ["greedy"], games=2, threads=1)
    with tempfile.TemporaryDirectory() as folder:
        export_bots(sutler.load("{GAME}"), "greedy", 1, Path(folder) / "it.parquet")
    door = "bots"
    pos = sutler.load("{GAME}").new(seed=1)
    for name in ("random", "greedy", "search:rounds=2"):
        sutler.bot_from(name).choose(pos.for_seat(pos.seat))
    door = "assistant"
    from sutler.cli.building.assistant import Assistant
    told = (asked := Assistant()).new_table("{GAME}", bots="random")
    asked.act(told["table_id"], told["choices"][0]["action"])
    asked.hint(told["table_id"])
    asked.why_not(told["table_id"], told["choices"][0]["action"])
assert not compiled, compiled
"""


def test_after_warming_nothing_public_compiles() -> None:
    """Every door that a learner, a designer or an assistant goes through, in a process that has not been there before."""
    warm_once(registry.definition(GAME))
    assert is_warm(registry.definition(GAME))
    done = subprocess.run([sys.executable, "-c", EVERY_DOOR], capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "compiling" not in done.stderr


def test_what_compiles_says_so(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """One line on the standard error, with the command that does it beforehand; none where nothing is compiled."""
    from sutler.core.machine import events
    from sutler.interop import extras

    told: list[Any] = []

    class Listening:
        def __init__(self, begun: Any) -> None:
            told.append(begun)

        def __enter__(self) -> None:
            pass

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(events, "told_of_compiling", Listening)
    game = sutler.load(GAME)
    with extras.said_if_compiling(game):
        assert capsys.readouterr().err == ""
        told[0]("one.rule")
        told[0]("another.rule")
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"`sutler warm {GAME}`" in said
    assert told_of_compiling is not Listening
