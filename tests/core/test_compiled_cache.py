"""The cache of compiled rules: what is in it is used, whatever is damaged is made again, and nothing in it is trusted unseen."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import ROOT, python
from sutler.core import rule
from sutler.core.rule import _is_owned_by_user_only

pytestmark = pytest.mark.compiled

PLAYED = """
import logging
logging.basicConfig(format="%(message)s")
import sutler
from sutler.core.play.registry import load_definition
from sutler.core.compilation.compiler import notify_of_compiling
from sutler.lab.play.simulate import simulate
begun = []
game = sutler.load("market")
print("warm", load_definition("market").home.is_warm)
with notify_of_compiling(begun.append):
    table = simulate(game, BOTS, 20, seed=5, seats=2, threads=1)
print(table.write_csv().encode())
"""
GREEDY, OWN = 'BOTS = ["greedy"]\n', f'BOTS = ["greedy", "{ROOT}/examples/bots/cautious.py"]\n'


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the example game in it, whole."""
    cache = tmp_path_factory.mktemp("compiled")
    done = python("from sutler.core.compilation.warm import main; raise SystemExit(main(['market']))", cache)
    assert done.returncode == 0, done.stderr
    return cache


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def one_bit_turned(file: Path) -> None:
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2] ^= 1
    file.write_bytes(whole)


def of_noise(file: Path) -> None:
    file.write_bytes(os.urandom(file.stat().st_size))


def lost(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        (cut_short, "nbc"),
        (one_bit_turned, "nbc"),
        (lost, "nbc"),
        (emptied, "nbi"),
        (one_bit_turned, "nbi"),
        (of_noise, "nbi"),
    ],
)
def test_a_damaged_file_is_compiled_again(
    compiled: Path, tmp_path: Path, damage: Callable[[Path], None], kind: str
) -> None:
    """The entry that plays games: it alone is made anew, the same games are played, and it is said once."""
    cache = tmp_path / "cache"
    shutil.copytree(compiled, cache)
    (file,) = cache.glob(f"market-*/**/*.play-rule.*{kind}")
    damage(file)
    done = python(GREEDY + PLAYED + 'print("compiled", *begun)', cache)
    assert done.returncode == 0, done.stderr
    was_warm, table, made = done.stdout.splitlines()
    assert table == whole_table(compiled)
    assert made.split()[1] == "games.market.__game_loop.play"
    assert "greedy_choice" not in made
    assert done.stderr.count("is damaged") == (damage is not lost), done.stderr
    assert was_warm == "warm False" or (damage, kind) not in ((cut_short, "nbc"), (lost, "nbc"))


@functools.cache
def whole_table(cache: Path) -> str:
    """What the games come to where nothing is damaged, and nothing is compiled."""
    was_warm, table, made = python(GREEDY + PLAYED + 'print("compiled", *begun)', cache).stdout.splitlines()
    assert (was_warm, made) == ("warm True", "compiled")
    return table


def test_a_new_entry_translates_no_rule_of_its_game(compiled: Path, tmp_path: Path) -> None:
    """A bot of one's own, in a later process: its rule is compiled; the game and the loop that plays it are not."""
    cache = tmp_path / "cache"
    shutil.copytree(compiled, cache)
    code = OWN + PLAYED + 'print("compiled", *begun)'
    *_, table, made = python(code, cache).stdout.splitlines()
    assert table.count("2") > 0
    assert re.search(r"cautious_\w+\.decide", made)
    assert not {
        one for one in made.split() if ".market.rules." in one or ".market._contract." in one or "game_loop" in one
    }
    *_, again, nothing = python(code, cache).stdout.splitlines()
    assert again == table
    assert nothing == "compiled"


def test_an_entry_whose_shared_rule_was_made_anew_is_made_anew(compiled: Path, tmp_path: Path) -> None:
    """It calls the rule by its address: one that another process has made meanwhile has another."""
    cache = tmp_path / "cache"
    shutil.copytree(compiled, cache)
    code = GREEDY + PLAYED + 'print("compiled", *begun)'
    whole = whole_table(compiled)
    for folder in cache.glob("market-*/**/shared"):
        shutil.rmtree(folder)
    python("import sutler; pos = sutler.load('market').new(seats=2, seed=1); pos.play(pos.legal_ids()[0])", cache)
    done = python(code, cache)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1] == whole
    assert "_game_loop.play" in done.stdout


def test_a_folder_that_others_can_write_to_is_not_used(tmp_path: Path) -> None:
    """Machine code is run as it lies there: a folder of the temporary ones must be this user's alone."""
    own = tmp_path / "own"
    own.mkdir(mode=0o700)
    assert _is_owned_by_user_only(own)
    own.chmod(0o777)
    assert not _is_owned_by_user_only(own)
    (tmp_path / "link").symlink_to(tmp_path)
    assert not _is_owned_by_user_only(tmp_path / "link")


@pytest.mark.parametrize("planted", [False, True])
def test_without_a_name_or_a_home_compiled_rules_are_kept_elsewhere(tmp_path: Path, planted: bool) -> None:
    """`docker --user 12345`: no home, no name. A folder that somebody else laid there first is left alone."""
    folder = tmp_path / f"sutler-{os.getuid()}"
    if planted:
        folder.mkdir(mode=0o777)
        folder.chmod(0o777)
    code = f"""
import os, pathlib, getpass
def nobody(*_):
    raise RuntimeError("no home")
pathlib.Path.home, getpass.getuser = nobody, nobody
os.environ.pop("XDG_CACHE_HOME", None), os.environ.pop("SUTLER_CACHE", None)
from sutler.core.rule import find_cache_root
root = find_cache_root()
print(root, oct(root.stat().st_mode & 0o777), str(root) == {str(folder)!r})
"""
    done = python(code, TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[1:] == ["0o700", str(not planted)]


@pytest.mark.parametrize(
    ("changed", "lacking", "told"),
    [
        ({}, "", ""),
        ({"numba": "0.1"}, "", "it is for numba 0.1, and this is"),
        ({"python": "cpython-39"}, "", "it is for python cpython-39, and this is"),
        ({}, "avx2", "this processor lacks avx2"),
        (None, "", None),
    ],
)
def test_machine_code_that_was_brought_is_used_only_where_it_fits(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    changed: dict[str, str] | None,
    lacking: str,
    told: str | None,
) -> None:
    """Elsewhere rules are compiled, and `sutler doctor` says why."""
    monkeypatch.setattr(rule, "BROUGHT", tmp_path)
    can = dict.fromkeys(rule.V3_FEATURES, True) | ({lacking: False} if lacking else {})
    monkeypatch.setattr(rule, "_get_host_processor", lambda: ("here", can))
    if changed is not None:
        (tmp_path / "made.json").write_text(json.dumps(rule.collect_versions() | changed))
    found = rule.explain_unfit_shipped_code()
    assert found == told if not told else found.startswith(told)


AT_ONCE = """
import fcntl, subprocess, sys
import sutler
from sutler.core.compilation.compiler import notify_of_compiling
from sutler.core.compilation.warm import compile_rules_ahead
begun = []
"""
THE_OTHER = """
locked = fcntl.flock
def told(file, how):
    try:
        locked(file, how)
    except BlockingIOError:
        print("waits", flush=True)
        raise
fcntl.flock = told
def begin(what):
    begun.append(what)
    if what.endswith("_contract.legal"):
        print("compiles", flush=True)
with notify_of_compiling(begin):
    compile_rules_ahead(sutler.load("market"))
print("legal" if any(one.endswith("_contract.legal") for one in begun) else "loaded", flush=True)
"""
THE_FIRST = """
others = []
def begin(what):
    if what.endswith("_contract.legal") and not others:
        others.append(subprocess.Popen([sys.executable, "-c", OTHER], stdout=subprocess.PIPE, text=True))
        begun.append(others[0].stdout.readline().strip())
with notify_of_compiling(begin):
    compile_rules_ahead(sutler.load("market"))
print(*begun, others[0].communicate()[0].split()[-1])
"""


def test_a_shared_rule_is_compiled_by_one_process_at_a_time(tmp_path: Path) -> None:
    """Another that needs it meanwhile waits and loads it: made twice, what one of them had compiled would call what the other overwrote."""
    code = AT_ONCE + f"OTHER = {AT_ONCE + THE_OTHER!r}\n" + THE_FIRST
    done = python(code, tmp_path / "cache")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["waits", "loaded"]
