"""Warming up: compiled once, in another process, while rules run as plain Python; and the switch in mid-game."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sutler
from cli.conftest import ROOT, python
from sutler.core.compilation import warm
from sutler.core.play.registry import load_definition
from sutler.core.rule import PLAIN_ONLY

pytestmark = pytest.mark.compiled

PLAY = """
import hashlib, random, sys, threading
import sutler
from sutler.core.play.registry import load_definition
from sutler.core.compilation.warm import ensure_warm_in_background

def digests(switch_at, background):
    luck, told = random.Random(9), []
    pos = sutler.load("market").new(seats=3, seed=11)
    home = load_definition("market").home
    while not pos.over:
        if background is not None and len(pos.decisions) == switch_at:
            assert home.interpreted
            assert background.wait_until_compiled(900)
            assert not home.interpreted, background.games
        pos.play(luck.choice(pos.legal_ids()))
        told.append((pos.digest(), pos.log(0)[-1].rule, repr(pos.view(1)), pos.can_undo()))
    return hashlib.sha256(repr(told).encode()).hexdigest(), len(told)
"""


def two_games(shelf: Path) -> dict[str, str]:
    """The example game under two names; what a process is told to find them."""
    for name in ("market", "fair"):
        shutil.copytree(ROOT / "examples" / "market", shelf / name, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (shelf / "fair").glob("*.py"):
        file.write_text(file.read_text().replace("sutler.games.market", "sutler.games.fair"))
    return {"SUTLER_GAMES": str(shelf)}


def test_the_switch_in_mid_game_changes_no_byte(tmp_path: Path) -> None:
    """Cold cache: plain Python first, compiled from decision 20 on, the same game to the byte as all in plain Python.

    Meanwhile somebody sits down to another game: it is compiled first; the one that is being compiled makes room, and is done afterwards.
    """
    given = two_games(tmp_path / "shelf")
    code = """
import os
os.cpu_count = lambda: 2
from sutler.core.compilation import warm
compiling, ready = threading.Event(), []
begun = warm.compile_in_other_process
def told(name, tell, child, scope):
    def first(step):
        compiling.set()
        tell(step)
    return begun(name, first, child, scope)
warm.compile_in_other_process = told
background = ensure_warm_in_background(["market", "fair"], ready.append)
assert compiling.wait(900)
background.compile_next("fair")
print(*digests(20, background), ready, [one.trouble for one in background.games.values()], load_definition("market").home.is_warm)
"""
    switched = python(PLAY + code, tmp_path / "cache", **given)
    plain = python(PLAY + """print(*digests(0, None), ["fair", "market"], ["", ""], True)""", SUTLER_PLAIN="1")
    assert switched.returncode == plain.returncode == 0, switched.stderr + plain.stderr
    assert switched.stdout == plain.stdout
    assert int(switched.stdout.split()[1]) > 40
    again = python(
        PLAY + """print(*digests(0, None), ["fair", "market"], ["", ""], load_definition("market").home.is_warm)""",
        tmp_path / "cache",
        **given,
    )
    assert again.stdout == plain.stdout  # compiled from the first decision on


def test_what_a_person_sits_down_to_is_compiled_first(tmp_path: Path) -> None:
    """Every game can be sat down to before anything is compiled for the lab; then that is, and what only personas need is left.

    Nothing is looked up in the meantime: where the folders were not to be read for a moment, a thread died after the game was ready.
    """
    code = """
import os
os.cpu_count = lambda: 2
from sutler.core.compilation import warm
asked, begun = [], warm.compile_in_other_process
def told(name, tell, child, scope):
    asked.append(f"{name} {scope.name}")
    return begun(name, tell, child, scope)
warm.compile_in_other_process = told
from sutler.core.play import registry
background = ensure_warm_in_background(["market", "fair"])
find_folders, registry._find_game_folders = registry._find_game_folders, lambda: {}
died = []
threading.excepthook = lambda args: died.append(repr(args.exc_value))
assert background.wait_until_compiled(900)
for thread in background._threads:
    thread.join(900)
assert not died, died
registry._find_game_folders = find_folders
market = load_definition("market")
print(asked, [warm.is_warm(market, scope) for scope in warm.Scope])
asked.clear()
assert ensure_warm_in_background(["market"]).wait_until_compiled(900)
print(asked)
"""
    done = python(PLAY + code, tmp_path / "cache", **two_games(tmp_path / "shelf"))
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first == "['market TABLES', 'fair TABLES', 'market LAB', 'fair LAB'] [True, True, False]"
    assert second == "[]"


def test_what_the_second_process_has_compiled_is_not_compiled_again(tmp_path: Path) -> None:
    """It compiles the large rules by the types with which the engine and the bots call them; without it all is compiled as well."""
    given, ahead = two_games(tmp_path / "shelf"), "from sutler.core.compilation.warm import compile_rules_ahead\n"
    asked = """
from sutler.core.compilation import warm
from sutler.core.compilation.compiler import notify_of_compiling
from sutler.core.play.registry import load_definition
warm.sys.executable = "/bin/false"  # there is no second process
begun = []
with notify_of_compiling(begun.append):
    warm.compile_game(load_definition("market"), scope=warm.Scope.TABLES)
names = sorted(name.rpartition(".")[2] for name in begun if "_contract" in name or "evaluate" in name)
print(names, load_definition("market").home.is_warm)
"""
    alone = python(asked, tmp_path / "alone", **given)
    assert alone.returncode == 0, alone.stderr
    python(ahead + "import sutler\ncompile_rules_ahead(sutler.load('market'))", tmp_path / "cache", **given)
    after = python(asked, tmp_path / "cache", **given)
    assert {"legal", "why_not", "observe", "evaluate"} <= set(eval(alone.stdout.rpartition(" ")[0]))
    # each is called from Python too: that small caller is compiled still
    assert [eval(after.stdout.rpartition(" ")[0]).count(name) for name in ("legal", "why_not", "observe")] == [0, 1, 1]
    assert alone.stdout.split()[-1] == after.stdout.split()[-1] == "True"


def test_a_small_machine_compiles_in_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no processor or no memory for a second process none is begun, nor where nothing is missing."""
    monkeypatch.setattr(warm.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(warm.subprocess, "Popen", lambda *args, **more: pytest.fail("it was begun"))
    definition = load_definition("manor")
    for needed, free in ((True, 900e6), (False, 8e9)):
        monkeypatch.setattr(warm, "_find_free_memory", lambda free=free: free)
        with warm._second_process(definition, needed) as second:
            second.compile_levels()
            second.wait_until_ended()
    monkeypatch.setattr(warm.os, "cpu_count", lambda: 1)
    with warm._second_process(definition, True) as second:
        assert second.child is None


def test_the_second_process_ends_with_the_first(tmp_path: Path) -> None:
    """It goes on to the bots when it is told to, ends when it has them, and at once when whoever told it is gone."""
    env = os.environ | {"SUTLER_CACHE": str(tmp_path / "cache"), "SUTLER_PLAIN": ""}
    command = [sys.executable, "-m", "sutler.core.compilation.warm", "--second", "market"]
    env |= two_games(tmp_path / "shelf")
    gone = subprocess.Popen(command, env=env, stdin=subprocess.PIPE)
    assert gone.stdin is not None
    gone.stdin.close()
    assert gone.wait(300) == 0
    told = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, text=True)
    assert told.stdin is not None
    told.stdin.write("\n")
    told.stdin.flush()
    assert told.wait(900) == 0
    told.stdin.close()


def test_however_many_compile_each_rule_is_compiled_once(tmp_path: Path) -> None:
    """Three processes at once: two are after the same game, one of them beside another one, which needs core's functions for other records.

    Whoever comes second waits, finds everything done, and compiles nothing; neither game loses what it put into the cache: a new process
    finds every function there, whatever a table asks for.
    """
    given, cache = two_games(tmp_path / "shelf"), tmp_path / "cache"
    env = os.environ | given | {"SUTLER_CACHE": str(cache), "SUTLER_PLAIN": ""}

    def begun(*arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen([sys.executable, *arguments], env=env, stdout=subprocess.PIPE, text=True)

    first = begun("-u", "-c", "from sutler.cli import app; app(['warm', 'market', 'fair'])")
    assert "2 games" in next(iter(first.stdout or ())), "both are begun"
    others = [begun("-m", "sutler.core.compilation.warm", "--lines", "market") for _ in range(2)]
    told = [child.communicate(timeout=1800)[0] for child in (first, *others)]
    assert [child.returncode for child in (first, *others)] == [0, 0, 0], told
    assert min(text.count("games.market.rules.") for text in told[1:]) == 0
    code = """
from sutler.core.play.registry import load_definition
from sutler.core.compilation.compiler import notify_of_compiling
from sutler.core.compilation.warm import compile_game
begun = []
with notify_of_compiling(begun.append):
    compile_game(load_definition("market"))
    compile_game(load_definition("fair"))
print("BEGUN", begun)
"""
    assert "BEGUN []" in python(code, cache, **given).stdout


def test_the_end_of_a_trial_game_is_looked_at_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """What only the end of a long game shows is compiled with the rest; to load what is there already a game need not be played so far."""
    looks: list[tuple[int, bool]] = []
    monkeypatch.setattr(warm, "_show_everything", lambda pos, luck: looks.append((len(pos.decisions), pos.over)))
    game = sutler.load("threeyears")
    warm._play_random_game(game, 5, 3, last=2000)
    *first, end = looks
    assert first == [(0, False), (1, False), (2, False)]
    assert end[1]
    looks.clear()
    warm._play_random_game(game, 5, 3)
    assert looks == [*first, (3, False)]


def test_the_fingerprint_is_the_same_in_every_process() -> None:
    """Otherwise each process would compile anew."""
    code = 'from sutler.core.play.registry import load_definition; print(load_definition("market").home.fingerprint)'
    prints = {python(code, PYTHONHASHSEED=str(seed)).stdout for seed in (0, 1, 2)}
    assert len(prints) == 1
    assert len(prints.pop().strip()) == 16


def test_a_crash_of_the_warmer_leaves_the_game_playable(tmp_path: Path) -> None:
    """No machine code can be kept: a message, and the rules run as plain Python."""
    (tmp_path / "file").write_text("in the way")
    code = (
        PLAY
        + """
trouble = []
background = ensure_warm_in_background(["market"], on_trouble=lambda *told: trouble.append(told))
assert background.wait_until_compiled(900)
assert load_definition("market").home.interpreted
print(*digests(-1, None), trouble)
"""
    )
    done = python(code, tmp_path / "file")
    assert done.returncode == 0, done.stderr
    assert "could not be compiled" in done.stdout
    assert "run as plain Python" in done.stdout


def test_an_edited_rule_asks_for_other_machine_code(tmp_path: Path) -> None:
    """The fingerprint covers what the rules mean, and neither comments nor the box; see tests/core/test_fingerprint.py."""
    shelf = tmp_path / "shelf"
    shutil.copytree(ROOT / "examples" / "market", shelf / "market", ignore=shutil.ignore_patterns("__pycache__"))
    code = 'from sutler.core.play.registry import load_definition; print(load_definition("market").home.fingerprint)'

    def fingerprint() -> str:
        return python(code, SUTLER_GAMES=str(shelf)).stdout

    first = fingerprint()
    box = shelf / "market" / "box.toml"
    box.write_text(box.read_text().replace("wage = 2", "wage = 3"))
    rules = shelf / "market" / "rules.py"
    rules.write_text("# a comment\n" + rules.read_text())
    assert fingerprint() == first
    rules.write_text(rules.read_text().replace("state.round_no = 1", "state.round_no = 2"))
    assert fingerprint() != first


def test_the_fingerprint_covers_all_of_core_that_rules_call() -> None:
    """What is compiled in core imports nothing else of Sutler: the rest may change without compiling anew."""
    import ast

    from sutler.core.rule import COMPILED_IN_CORE, CORE

    for name in COMPILED_IN_CORE:
        tree = ast.parse((CORE / f"{name}.py").read_text())
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
        ours = {module for module in imported if module.startswith("sutler")}
        assert ours <= {f"sutler.core.{one.replace('/', '.')}" for one in COMPILED_IN_CORE}, name
    others = [path for path in CORE.glob("*.py") if path.stem not in COMPILED_IN_CORE]
    assert others
    assert not [path.name for path in others if "\n@rule" in path.read_text()]


def test_the_longest_game_is_compiled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begun last, it would keep one core busy for minutes and the others idle. What was made before for bots makes no game longer."""
    from sutler.cli.developer_commands.warm import _compile_games_in_parallel

    begun: list[str] = []
    monkeypatch.setattr(warm, "compile_in_other_process", lambda name, tell: begun.append(name) or "")
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    home = load_definition("manor").home
    monkeypatch.setattr(home, "rules", home.rules * 9)
    _compile_games_in_parallel(["manor", "sixwinters", "bellum"])
    assert begun[0] == "sixwinters"
    assert sorted(begun) == ["bellum", "manor", "sixwinters"]


@pytest.mark.skipif(PLAIN_ONLY, reason="nothing is compiled as plain Python")
def test_warming_asks_for_all_that_is_public(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that a table could be opened with at once is compiled on, if the lab or a learner would still have to wait."""
    from typer.testing import CliRunner

    from sutler.cli import app
    from sutler.cli.developer_commands import warm as command

    asked: list[tuple[str, bool]] = []
    monkeypatch.setattr(warm, "is_warm", lambda found: found.name != "manor")
    monkeypatch.setattr(
        command, "compile_with_progress", lambda name, everything: asked.append((name, everything)) or 1.0
    )
    told = CliRunner().invoke(app, ["warm", "manor", "bellum"])
    assert told.exit_code == 0, told.output
    assert asked == [("manor", True)]
    assert "Bellum se ipsum alet was compiled already" in told.output
