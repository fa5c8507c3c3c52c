"""The files for hosts say what the command line understands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

from sutler.cli import app

FOLDER = Path(__file__).parents[1] / "deploy"
ORDER = re.compile(r"sutler (serve|worker|warm|backup)\b((?:[^\n`;]|\n {6,})*)")


@pytest.mark.parametrize("name", ["compose.yaml", "Dockerfile", "sutler.service", "sutler-worker@.service"])
def test_every_order_in_the_files_is_understood(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    text = re.sub(r'", "', " ", re.sub(r"^\s*#.*$", "", text, flags=re.M))
    orders = ORDER.findall(text)
    assert orders, "nothing is started"
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    for command, rest in orders:
        known = {option for one in commands[command].params for option in (*one.opts, *one.secondary_opts)}
        assert set(re.findall(r"--[a-z-]+", rest)) <= known, (command, rest)


def test_no_password_stands_in_them() -> None:
    for path in FOLDER.iterdir():
        assert not re.search(r"postgresql://[^@\s]*:[^@\s]*@", path.read_text(encoding="utf-8")), path.name
    assert (FOLDER / "env.example").read_text(encoding="utf-8").endswith("PGPASSWORD=\n")
