"""Where an answer of the lab is kept: the file is looked at before the first game, and written after the last."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble


class Written(Protocol):
    """An answer whose figures or games can be written as a table."""

    def write(self, path: Path) -> None:
        """As .parquet or .csv."""


def check_out(out: Path | None, games: str = "") -> None:
    """Trouble when a file cannot be written there. `games`: what the tables hold, where that is not the figures."""
    if out is not None and out.suffix not in (".parquet", ".csv", ".html"):
        raise Trouble(f"--out {out}: end it in .html (to read), .parquet or .csv{games}")
    if out is not None and not out.resolve().parent.is_dir():
        raise Trouble(f"--out {out}: there is no such folder")


def keep(found: Written, out: Path | None, page: Callable[[], str]) -> None:
    """Write the answer: .html the page, else the table."""
    if out is None:
        return
    if out.suffix == ".html":
        out.write_text(page(), encoding="utf-8")
    else:
        found.write(out)
    console().print(f"Kept in {out}", style="dim")
