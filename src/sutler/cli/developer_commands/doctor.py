"""`sutler doctor`: check what this machine has and lacks for Sutler, and print how to mend it."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import platform
import shutil
import socket
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from sutler.cli.console import can_print, make_console
from sutler.cli.options import command

GOOD, LACKING, BROKEN = "good", "lacking", "broken"
MARKS = {GOOD: ("✓", "green"), LACKING: ("·", "yellow"), BROKEN: ("✗", "bold red")}
PLAIN_MARKS = {GOOD: "+", LACKING: "-", BROKEN: "!"}
"""Marks for a terminal whose encoding lacks those of MARKS."""
NEWEST_PYTHON_TESTED = (3, 14)
MIN_FREE_BYTES = 300_000_000  # for machine code and games
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "firefox", "safari", "msedge")
EXTRAS = {
    "ray": ("ray", "experiments on more machines"),
    "mcp": ("mcp", "assistants over the Model Context Protocol"),
    "optuna": ("tune", "several numbers tuned to several goals (sutler tune)"),
    "psycopg": ("postgres", "tables kept in PostgreSQL"),
}


@command
def doctor_command(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port the table would listen at.")] = 8000,
) -> None:
    """Check this machine: what is installed, what is missing for play, and how to mend it."""
    out, broken = make_console(), False
    for check in CHECKS:
        for one in check(port):
            mark, style = MARKS[one.state]
            mark = mark if can_print(mark) else PLAIN_MARKS[one.state]
            out.print(Text(mark, style).append(f" {one.what}", "bold not dim").append(f"  {one.said}", "not bold"))
            if one.mend:
                out.print(f"    {one.mend}", style="dim")
            broken |= one.state == BROKEN
    out.print("\nSomething needed is missing." if broken else "\nAll that is needed is here.", style="bold")
    if broken:
        raise typer.Exit(1)


@dataclass(frozen=True)
class Finding:
    """The result of a check: what was checked, its state (GOOD, LACKING or BROKEN), a sentence, and what would mend it."""

    what: str
    state: str
    said: str
    mend: str = ""


def check_python_version(_: int) -> Iterator[Finding]:
    """Check the version of Python."""
    said = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.version_info[:2] > NEWEST_PYTHON_TESTED:
        yield Finding("Python", LACKING, said, "Newer than Sutler has been tried with; 3.11 to 3.14 are known to do.")
    else:
        yield Finding("Python", GOOD, said)


def check_processors(_: int) -> Iterator[Finding]:
    """Check how many processors there are."""
    n = os.cpu_count() or 1
    mend = "A table of bots and the compiler will share it; the first minutes are slow." if n == 1 else ""
    yield Finding("Processors", GOOD if n > 1 else LACKING, str(n), mend)


def check_compiled_rules(_: int) -> Iterator[Finding]:
    """Check the folder of machine code, and which games are compiled."""
    from sutler.core.compilation.warm import Scope, is_warm
    from sutler.core.play.registry import games, load_definition
    from sutler.core.rule import PLAIN_ONLY, explain_unfit_shipped_code, find_cache_root

    root = find_cache_root()
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            pass
        free = shutil.disk_usage(root).free
    except OSError as error:
        yield Finding(
            "Compiled rules", BROKEN, f"{root}: {error.strerror}", "Name a folder you may write to in SUTLER_CACHE."
        )
        return
    if PLAIN_ONLY:
        yield Finding("Compiled rules", LACKING, "turned off by SUTLER_PLAIN", "Unset it; plain Python is slow.")
        return
    if free < MIN_FREE_BYTES:
        yield Finding(
            "Room", LACKING, f"{free // 1_000_000} MB left at {root}", "Make room, or name another SUTLER_CACHE."
        )
    cold = [name for name in games() if not is_warm(load_definition(name), Scope.LAB)]
    said = f"in {root}"
    if fault := explain_unfit_shipped_code():
        said += f"; what this installation brought does not fit ({fault})"
    if cold:
        yield Finding(
            "Compiled rules", LACKING, f"{said}; not yet: {', '.join(cold)}", "sutler warm compiles them now."
        )
    else:
        yield Finding("Compiled rules", GOOD, f"{said}: every game")


def check_database(_: int) -> Iterator[Finding]:
    """Check the database in which the server keeps its games."""
    from sutler.web.storage.databases import get_data_folder

    try:
        path = get_data_folder() / "tables.sqlite"
    except OSError as error:
        yield Finding("Kept games", BROKEN, str(error), "Name a folder you may write to in XDG_DATA_HOME.")
        return
    if not path.exists():
        yield Finding("Kept games", GOOD, f"none yet; they will lie in {path}")
        return
    yield _check_database_file(path)


def _check_database_file(path: Path) -> Finding:
    """Check a database file with SQLite's own check."""
    try:
        with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=2)) as opened:
            verdict = opened.execute("pragma quick_check").fetchone()[0]
    except sqlite3.Error as error:
        verdict = str(error)
    if verdict == "ok":
        return Finding("Kept games", GOOD, f"{path}, {path.stat().st_size // 1000:,} kB")
    mend = "Put a backup in its place, or move it away; a new one is made at the next start."
    return Finding("Kept games", BROKEN, f"{path}: {verdict}", mend)


def check_port(port: int) -> Iterator[Finding]:
    """Check whether the server's port is free."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
        yield Finding("Port", GOOD, f"{port} is free")
    except OSError as error:
        mend = f"Perhaps a table stands there already: open http://127.0.0.1:{port}/. Or choose another: --port 0."
        yield Finding("Port", LACKING, f"{port}: {error.strerror}", mend)


def check_browser(_: int) -> Iterator[Finding]:
    """Look for a browser."""
    import webbrowser

    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        try:
            found = str(getattr(webbrowser.get(), "name", "the system's own"))
        except webbrowser.Error:
            found = None
    if found:
        yield Finding("Browser", GOOD, found)
    else:
        mend = "Open the address that `sutler serve` prints on another device (--host 0.0.0.0), or play with `sutler play`."
        yield Finding("Browser", LACKING, "none found here", mend)


def check_terminal(_: int) -> Iterator[Finding]:
    """Check the terminal's size and encoding."""
    wide, high = shutil.get_terminal_size()
    letters = (sys.stdout.encoding or "").lower().replace("-", "")
    if wide < 80 or high < 24:
        yield Finding("Terminal", LACKING, f"{wide} × {high}", "Tables are drawn for 80 × 24 and more.")
    elif letters != "utf8":
        yield Finding("Terminal", LACKING, f"speaks {sys.stdout.encoding}", "Set PYTHONUTF8=1, or a UTF-8 locale.")
    else:
        yield Finding("Terminal", GOOD, f"{wide} × {high}, UTF-8")


def check_optional_libraries(_: int) -> Iterator[Finding]:
    """Check which optional libraries are installed."""
    for module, (extra, what) in EXTRAS.items():
        if importlib.util.find_spec(module) is None:
            yield Finding(f"Extra {extra}", LACKING, f"not installed: {what}", f'pip install "sutler[{extra}]"')
        else:
            yield Finding(f"Extra {extra}", GOOD, what)


CHECKS: tuple[Callable[[int], Iterator[Finding]], ...] = (
    check_python_version,
    check_processors,
    check_compiled_rules,
    check_database,
    check_port,
    check_browser,
    check_terminal,
    check_optional_libraries,
)
