"""Starting the table."""

from __future__ import annotations

import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sutler.cli import app
from sutler.web.serve import open_listening_socket, serve
from sutler.web.worker import run_worker


def test_a_port_that_is_taken_is_told_in_words(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="choose another with --port"):
        serve(port=taken.getsockname()[1], database_url=f"sqlite:///{tmp_path / 'tables.sqlite'}")


def test_it_is_said_at_once_that_the_table_is_being_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the server is made of takes seconds to read; nobody is left without a word meanwhile."""
    monkeypatch.setitem(sys.modules, "sutler.web.serve", None)
    assert CliRunner().invoke(app, ["serve"]).output.startswith("Setting the table: its address comes")


def test_no_answer_waits_for_an_acknowledgement() -> None:
    """An answer in two pieces over a line that is kept open took 40 ms longer than it need."""
    with open_listening_socket("127.0.0.1", 0) as door, socket.create_connection(door.getsockname()):
        line, _ = door.accept()
        with line:
            assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_the_table_opens_on_a_free_port_and_closes_when_asked(tmp_path: Path) -> None:
    program = (
        f"from sutler.web.serve import serve; serve(port=0, database_url='sqlite:///{tmp_path / 'tables.sqlite'}')"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        where = next(word for word in table.stdout.readline().split() if word.startswith("http"))
        assert "Sutler" in urllib.request.urlopen(where, timeout=60).read().decode()
        with pytest.raises(OSError, match="another process has this house open"):
            serve(port=0, database_url=f"sqlite:///{tmp_path / 'tables.sqlite'}")
        table.send_signal(2)
        assert table.wait(timeout=60) == 0


def test_a_file_needs_no_workers(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="workers are for houses on PostgreSQL"):
        run_worker(f"sqlite:///{tmp_path / 'tables.sqlite'}")
