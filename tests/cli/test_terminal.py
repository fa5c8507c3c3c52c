"""What a terminal may do to a command: odd words typed, another encoding, a window that is closed, a reader who has seen enough."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from sutler.bots import bot
from sutler.core.play import position
from sutler.core.play.game import load

Run = Callable[..., Result]
COMMAND = [sys.executable, "-c", "from sutler.cli import main; main()"]
PLAIN = {"SUTLER_PLAIN": "1", "TERM": "dumb"}


def test_words_that_are_typed_are_never_markup(sutler: Run) -> None:
    """`[/b]` was a fault of ours, and the game was left without a word how to go on."""
    typed = ["r [/b]", "w [/red]", "[bold]", "²", "r ²", "w card:[/]", "s \0", "o [/b]", "\x1b[A", "r (", "9" * 5000]
    done = sutler("play", "manor", "--seed", 3, "--bots", "random", typed="\n".join([*typed, "done", "q"]) + "\n")
    assert done.exit_code == 0, done.output[-2000:]
    assert "'[/b]'" in done.output
    assert "The game is kept" in done.output


def test_names_are_shown_as_they_are(sutler: Run) -> None:
    done = sutler("play", "manor", "--seats", 2, "--bots", "none", "--names", "[bold]Agnes[/],[/b]", typed="q\n")
    assert done.exit_code == 0, done.output[-2000:]
    assert "[bold]Agnes[/]" in done.output


@pytest.mark.parametrize("encoding", ["ascii", "cp437", "latin-1", "cp1252"])
def test_a_screen_without_our_letters_gets_others(home: Path, encoding: str) -> None:
    """`doctor` died of its own ✓ before it could say what to do about it."""
    env = os.environ | PLAIN | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    told = subprocess.run([*COMMAND, "doctor", "--port", "1"], env=env, capture_output=True, timeout=120, check=False)
    assert b"Python" in told.stdout
    assert told.returncode in (0, 1), told.stderr
    typed = b"done\nr feeding\nq\n" + b"\xff\xfe\n"
    played = subprocess.run(
        [*COMMAND, "play", "manor", "--seed", "3", "--bots", "random"],
        env=env, input=typed, capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    assert b"The game is kept" in played.stdout


@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM"])
def test_a_game_is_kept_when_its_terminal_goes(home: Path, name: str) -> None:
    """Whoever closes the window goes on with `sutler play FILE`, as after Ctrl-C."""
    env = os.environ | PLAIN | {"XDG_DATA_HOME": str(home / "data")}
    command = [*COMMAND, "play", "manor", "--seed", "3", "--bots", "random", "--seats", "2"]
    child = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        child.stdin.write(b"done\n")
        child.stdin.flush()
        asked = b""
        end = time.monotonic() + 60
        while asked.count(b"\n> ") + asked.startswith(b"> ") < 2:
            assert time.monotonic() < end, asked
            asked += os.read(child.stdout.fileno(), 65536)
        child.send_signal(getattr(signal, name))
        child.communicate(timeout=60)
        assert child.returncode == 0
    finally:
        child.kill()
        child.wait()
    kept = list((home / "data" / "sutler").glob("manor-*.json"))
    assert len(kept) == 1


def test_a_reader_who_has_seen_enough_is_no_error(home: Path) -> None:
    """`sutler guide manor | head -1` ended with 1, and scripts with `pipefail` stopped."""
    with subprocess.Popen(
        [*COMMAND, "guide", "manor"], env=os.environ | PLAIN, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        os.read(child.stdout.fileno(), 10)
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(60) == 0


def test_watching_bots_makes_each_line_of_the_log_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole log was made again after each decision: at 2,000 of them a move took 60 times as long as at 250."""
    from rich.console import Console

    from sutler.cli.play_commands.game_loop import Sitting

    made, line = [], position._build_log_line
    monkeypatch.setattr(position, "_build_log_line", lambda *one: made.append(one) or line(*one))  # type: ignore[func-returns-value]
    pos: Any = load("manor", victory=5).new(seats=2, seed=3)
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        Sitting(Console(file=nowhere), pos, [], {0: bot("random"), 1: bot("random")}, None).play()
    assert len(pos.log()) > 100
    made_while_watching = len(made) - len(pos.log())
    assert made_while_watching <= len(pos.log()) + 5
