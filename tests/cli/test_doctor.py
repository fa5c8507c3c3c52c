"""`sutler` alone and `sutler doctor`: what one can do, and what is missing here."""

from __future__ import annotations

import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import sutler as library
from sutler.core.rule import PLAIN_ONLY

Run = Callable[..., Result]


def test_alone_it_says_what_one_can_do(sutler: Run) -> None:
    """Every game by name, and commands that exist."""
    said = sutler()
    assert said.exit_code == 0
    assert all(name in said.output for name in library.games())
    commands = [line.split("sutler ", 1)[1].split()[0] for line in said.output.splitlines() if "  sutler " in line]
    assert len(commands) >= 8
    for command in commands:
        if not command.startswith("-"):
            assert sutler(command, "--help").exit_code == 0, command


def test_a_sound_machine(sutler: Run, home: Path) -> None:
    """Nothing broken, exit code 0, each thing told with what mends it."""
    said = sutler("doctor", "--port", str(_free_port()))
    assert said.exit_code == 0, said.output
    assert "All that is needed is here" in said.output
    for what in ("Python", "Processors", "Compiled rules", "Kept games", "Port", "Browser", "Extra ray"):
        assert what in said.output


def test_a_damaged_database_is_broken(sutler: Run, home: Path) -> None:
    """Said with what to do, and exit code 1."""
    folder = home / "data" / "sutler"
    folder.mkdir(parents=True)
    (folder / "tables.sqlite").write_bytes(b"SQLite format 3\0" + b"rubbish" * 500)
    said = sutler("doctor", "--port", str(_free_port()))
    assert said.exit_code == 1
    assert "✗ Kept games" in said.output
    assert "backup" in said.output


def test_a_sound_database_is_left_as_it_is(sutler: Run, home: Path) -> None:
    """It is read, not written."""
    folder = home / "data" / "sutler"
    folder.mkdir(parents=True)
    with sqlite3.connect(folder / "tables.sqlite") as made:
        made.execute("create table events (n integer)")
    made.close()
    before = (folder / "tables.sqlite").read_bytes()
    assert "✓ Kept games" in sutler("doctor", "--port", str(_free_port())).output
    assert (folder / "tables.sqlite").read_bytes() == before


def test_a_taken_port_is_told(sutler: Run) -> None:
    """It may be one's own table: no fault, but said."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = sutler("doctor", "--port", str(port))
    assert f"· Port  {port}" in said.output
    assert said.exit_code == 0


@pytest.mark.skipif(PLAIN_ONLY, reason="nothing is compiled")
def test_a_cache_one_may_not_write_to(sutler: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file lies where the folder should be."""
    (home / "cache").write_text("")
    monkeypatch.setenv("SUTLER_CACHE", str(home / "cache"))
    said = sutler("doctor", "--port", str(_free_port()))
    assert "✗ Compiled rules" in said.output
    assert "SUTLER_CACHE" in said.output
    assert said.exit_code == 1


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])
