"""`sutler report`: the page of an experiment."""

from __future__ import annotations

from pathlib import Path

from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble, told


def report_in_terminal(file: Path, out: Path | None) -> None:
    """Write the page and say where it is."""
    with told():
        page = file.with_suffix(".html") if out is None else out
        if page.resolve() == file.resolve():
            raise Trouble(f"{file}: the page would be written over it; name another file with --out")
        if not page.resolve().parent.is_dir():
            raise Trouble(f"--out {page}: there is no such folder")
        from sutler.lab.report import report

        page.write_text(report(file), encoding="utf-8")
        console().print(f"The report is in {page}; any browser shows it, without a network.")
