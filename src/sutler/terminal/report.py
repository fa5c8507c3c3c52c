"""`sutler report`: the page of an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble, told
from sutler.terminal.keeping import check_out


def report_in_terminal(file: Path, out: Path | None, others: Sequence[Path] = ()) -> None:
    """Write the page and say where it is."""
    with told():
        page = file.with_suffix(".html") if out is None else out
        if page.resolve() == file.resolve():
            raise Trouble(f"{file}: the page would be written over it; name another file with --out")
        check_out(page, (page.suffix,))
        from sutler.lab.play.files import write_atomically
        from sutler.lab.report.report import report

        write_atomically(page, report(file, others))
        console().print(f"The report is in {page}; any browser shows it, without a network.")
