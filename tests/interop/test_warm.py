"""After `sutler warm GAME` nothing that is public compiles; what compiles nevertheless says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sutler
from sutler.core.compilation.compiler import notify_of_compiling
from sutler.core.compilation.warm import announce_if_compiling, compile_game_unless_warm, is_warm
from sutler.core.play import registry
from sutler.core.rule import PLAIN_ONLY

pytestmark = [pytest.mark.compiled, pytest.mark.skipif(PLAIN_ONLY, reason="nothing is compiled as plain Python")]
GAME = "threeyears"
GAMES = (GAME, "manor")  # with personas; with a judge too
EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"

EVERY_DOOR = """
import sys, tempfile
from pathlib import Path
import numpy as np
import sutler
from sutler.core.compilation.compiler import notify_of_compiling
from sutler.core.compilation.warm import is_warm
from sutler.core.play.registry import load_definition
GAME = sys.argv[1]
assert is_warm(load_definition(GAME))
compiled = []
with notify_of_compiling(lambda what: compiled.append((door, what))):
    door = "vector"
    plan = load_definition(GAME).plans[0]
    judges = ["judge"] if GAME == "manor" else []
    wide = {"encoding": "onehot", "compact": True, "copy": False}
    for bots in ("", "random", plan, "hard", "greedy", *judges):
        how = wide if bots == "greedy" else {}
        games = sutler.vector(GAME, num_envs=3, threads=1, bots=bots, **how)
        games.reset(seed=1)
        games.step(games.sample())
        games.decide("greedy")
        games.decide("search:rounds=2")
        for name in (plan, *judges):
            games.decide(name)
    door = "gym"
    from sutler.interop.gym import SeatEnv
    env = SeatEnv(GAME, "random", render_mode="ansi", illegal="draw")
    env.reset(seed=1)
    env.step(env.action_space.sample())
    env.step(-1)
    env.render()
    door = "pettingzoo"
    from sutler.interop.pettingzoo import env as table_of
    table = table_of(GAME, render_mode="ansi")
    table.reset(seed=1)
    table.step(int(table.last()[0]["action_mask"].argmax()))
    table.state(), table.render()
    door = "openspiel"
    import pyspiel, sutler.interop.openspiel
    state = pyspiel.load_game("sutler_" + GAME).new_initial_state()
    for action in (3, 4):  # the seed
        state.apply_action(action)
    state.apply_action(state.legal_actions()[0])
    state.resample_from_infostate(state.current_player(), np.random.default_rng(1).random)
    state.information_state_string(), str(state), state.returns()
    door = "lab"
    from sutler.lab.play.export import export_bots
    from sutler.lab.play.event_logs import play_and_log
    loaded = sutler.load(GAME)
    with tempfile.TemporaryDirectory() as folder:
        for bots in (["greedy"], [plan, "random"], ["search:rounds=2"], ["hard", "normal"], *([one, "random"] for one in judges)):
            door = f"lab {bots}"
            sutler.simulate(loaded, bots, games=2, threads=1, seats=2)
            play_and_log(loaded, bots, games=1, seats=2)
            for kind in ("raw", "scaled"):
                export_bots(loaded, bots, 1, Path(folder) / "it.parquet", seats=2, encoding=kind)
    door = "bots"
    pos = sutler.load(GAME).new(seed=1)
    for name in ("random", "greedy", "search:rounds=2", plan, *judges):
        sutler.bot_from(name).choose(pos.for_seat(pos.seat))
    door = "assistant"
    from sutler.cli.developer_commands.assistant import Assistant
    told = (asked := Assistant()).new_table(GAME, bots="random")
    asked.act(told["table_id"], told["choices"][0]["action"])
    asked.hint(told["table_id"])
    asked.why_not(told["table_id"], told["choices"][0]["action"])
assert not compiled, compiled
"""


@pytest.mark.parametrize("game", GAMES)
def test_after_warming_nothing_public_compiles(game: str) -> None:
    """Every door that a learner, a designer or an assistant goes through, in a process that has not been there before."""
    compile_game_unless_warm(registry.load_definition(game))
    assert is_warm(registry.load_definition(game))
    command = [sys.executable, "-c", EVERY_DOOR, game]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "compiling" not in done.stderr


EVERY_COMMAND = """
import os, sys
import numba.core.caching
from typer.testing import CliRunner
from sutler.cli import app
from sutler.core.compilation.compiler import notify_of_compiling
from sutler.core.compilation.warm import compile_game
from sutler.core.play.registry import load_definition
GAME, OPTION, VALUES = sys.argv[1:4]
compile_game(load_definition(GAME))
fetched, usual = [], numba.core.caching.Cache.load_overload
def load_overload(cache, signature, context):
    fetched.append((command, cache._py_func.__qualname__))
    return usual(cache, signature, context)
numba.core.caching.Cache.load_overload = load_overload
last = VALUES[VALUES.rindex(".") + 1:]
commands = [
    ("simulate {} --games 2 --seats 2 --out it.parquet", ""),
    ("export it.parquet --game {} --games 1 --seats 2", ""),
    ("export it.parquet --game {} --games 1 --seats 2 --encoding onehot --compact", ""),
    ("hidden {} --games 2 --seats 2 --bots greedy", ""),
    ("hidden {} --games 2 --seats 2 --bots search:rounds=2", ""),
    ("skill {} --bots random,greedy,search:rounds=2 --games 2 --searched 2 --seats 2", ""),
    ("impact {} --games 2 --per-game 1 --seats 2", ""),
    (f"sensitivity {{}} --only {OPTION} --games 2 --seats 2", ""),
    (f"sweep {{}} --over {OPTION}={VALUES} --games 2 --seats 2", ""),
    (f"compare {{}} --b {OPTION}={last} --games 200 --seats 2", ""),
    (f"tune {{}} --want decisions=-20% --over {OPTION}={VALUES} --games 2 --versions 2 --most 200 --confirm 1 --seats 2", ""),
    (f"goal {{}} --want decisions=-20% --only {OPTION} --games 2 --most 200 --confirm 1 --seats 2", ""),
    ("tournament {} --bots random,greedy --games 1 --seats 2", ""),
    ("across {} --bots random,greedy --games 2 --seats 2", ""),
    ("questions {} --games 2 --seats 2", ""),
    ("train {} --rounds 1 --games 4 --search 2 --gate 4 --test 4 --seats 2", ""),
    ("bench {} --seconds 0.05", ""),
    ("puzzle {} 1", "q\\n"),
    ("learn {}", "q\\n"),
    ("play {} --seats 2 --bots hard", "1\\n1\\nq\\n"),
]
compiled = []
with notify_of_compiling(lambda what: compiled.append((command, what))):
    for command, typed in commands:
        done = CliRunner().invoke(app, command.format(GAME).split(), input=typed)
        assert done.exit_code == 0, (command, done.output[-500:], done.exception)
assert not compiled, compiled
assert not fetched, fetched
"""


@pytest.mark.parametrize(("game", "option", "values"), [(GAME, "years", "1..2"), ("manor", "victory", "10..11")])
def test_warming_is_all_that_a_command_needs(game: str, option: str, values: str, tmp_path: Path) -> None:
    """In the process that has warmed a game no command compiles anything, nor fetches from the cache what warming had not called."""
    command = [sys.executable, "-c", EVERY_COMMAND, game, option, values]
    where = os.environ | {"XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False, cwd=tmp_path, env=where)
    assert done.returncode == 0, done.stderr[-3000:]


OWN_FILE = f"""
import sys, time
import sutler
from sutler.core.compilation.compiler import notify_of_compiling
from sutler.core.play.registry import load_definition
known = load_definition("{GAME}")
sutler.simulate("{GAME}", ["greedy"], games=1, threads=1)
compiled = []
begun = time.process_time()
with notify_of_compiling(compiled.append):
    sutler.simulate("{GAME}", [sutler.bot_from(sys.argv[1]), "greedy"], games=1, threads=1, seats=2)
rules = [one for one in compiled if one.startswith("games.{GAME}.rules")]
print(len(rules), len(known.home.rules))
"""


def test_a_bot_of_ones_own_compiles_itself_and_not_the_game(tmp_path: Path) -> None:
    """Of the game's own rules next to none are translated again, however many it has; a line names the bot's file."""
    compile_game_unless_warm(registry.load_definition(GAME))
    file = tmp_path / "own_bot.py"
    file.write_text((EXAMPLES / "cautious.py").read_text(encoding="utf-8"), encoding="utf-8")
    command = [sys.executable, "-c", OWN_FILE, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    again, there = map(int, done.stdout.split())
    assert again < there / 10
    assert done.stderr == "sutler: compiling own_bot.py for Three Years of War, once\n"
    again = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert again.stderr == "", "it is kept"


def test_what_compiles_says_so(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """One line on the standard error, with the command that does it beforehand; none where nothing is compiled."""
    from sutler.core.compilation import compiler

    told: list[Any] = []

    class Listening:
        def __init__(self, begun: Any) -> None:
            told.append(begun)

        def __enter__(self) -> None:
            pass

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(compiler, "notify_of_compiling", Listening)
    game = sutler.load(GAME)
    with announce_if_compiling(game):
        assert capsys.readouterr().err == ""
        told[0]("one.rule")
        told[0]("another.rule")
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"`sutler warm {GAME}`" in said
    assert notify_of_compiling is not Listening
