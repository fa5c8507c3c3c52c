"""The file of the option --out: checked before the first game is played, written after the last."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError

KIND_OF_FILE = {".html": "to read", ".json": "the figures", ".parquet": "as a table"}


class Tabular(Protocol):
    """An answer of the lab that can be written as a table of figures or games."""

    def write(self, path: Path) -> None:
        """Write the table as .parquet or .csv, by the ending of `path`."""


def require_writable_out(out: Path | None, endings: tuple[str, ...] = (".html", ".parquet", ".csv")) -> None:
    """Check that `out` ends in one of `endings` and can be written, without leaving a file; CommandError says why not."""
    if out is None:
        return
    if out.is_dir():
        raise CommandError(f"--out {out} is a folder: name a file in it, such as {out / f'answer{endings[0]}'}")
    if out.suffix not in endings:
        meant = [f"{kind}{f' ({KIND_OF_FILE[kind]})' if kind in KIND_OF_FILE else ''}" for kind in endings]
        raise CommandError(f"--out {out}: end it in {', '.join(meant[:-1])}{' or ' if meant[1:] else ''}{meant[-1]}")
    if not out.resolve().parent.is_dir():
        raise CommandError(f"--out {out}: there is no such folder; make it first, or name another")
    from sutler.lab.play.atomic_files import require_writable

    try:
        require_writable(out)
    except OSError as error:
        raise CommandError(
            f"--out {out}: nothing can be written there ({error.strerror or error}); name another place"
        ) from None


def write_answer(answer: Tabular, out: Path | None, render_page: Callable[[], str]) -> None:
    """Write an answer to the file `out`, completely or not at all; nothing if `out` is None.

    For .html it is the page that `render_page` returns, else the answer's table.
    """
    if out is None:
        return
    from sutler.lab.play.atomic_files import atomic_file, write_atomically

    if out.suffix == ".html":
        write_atomically(out, render_page())
    else:
        with atomic_file(out) as aside:
            answer.write(aside)
    make_console().print(f"Kept in {out}", style="dim")
