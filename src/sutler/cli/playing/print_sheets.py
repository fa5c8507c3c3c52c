"""`sutler print`: a game as sheets to print and cut, from the drawings of its table."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from sutler.cli.console import console
from sutler.cli.errors import CommandError, known_game, settings_from
from sutler.cli.options import Box, GameName, Settings, command
from sutler.cli.output_file import check_out

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)
"""Programs that are looked for on the path; SUTLER_BROWSER names another."""
MAC_BROWSERS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
PDF_TIMEOUT_SECONDS = 300
"""Seconds after which a browser that has made no PDF is given up."""


@command
def print_(
    game: GameName,
    box: Box = None,
    set_: Settings = None,
    paper: Annotated[str, typer.Option(help="a4 or letter.")] = "a4",
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where to: .pdf, or .html to print from a browser.", show_default=False),
    ] = None,
) -> None:
    """Make print-and-play sheets: cards with backs, boards, mats, tokens, rules, from the drawings of the table."""
    name = known_game(game)
    from sutler.core.play.game import load
    from sutler.web.lobby.print_sheets import PAPERS, sheets_page

    if paper.casefold() not in PAPERS:
        raise CommandError(f"--paper {paper}: there are {' and '.join(PAPERS)}")
    paper = paper.casefold()
    browser = found_browser()
    out = out or Path(f"{name}-{paper}{'.pdf' if browser else '.html'}")
    check_out(out, (".pdf", ".html"))
    if out.suffix == ".pdf" and browser is None:
        raise CommandError(
            f"{out}: a PDF takes Chromium, Chrome or Edge, and none is on the path; name one in SUTLER_BROWSER, or end the "
            "file in .html and print it from any browser"
        )
    loaded = load(name, box, settings_from(set_ or []))
    loaded.definition.home.interpreted = True  # a page needs no compiled rules
    page = sheets_page(loaded, paper)
    if out.suffix == ".pdf":
        assert browser is not None
        as_pdf(page, out, browser)
        console().print(
            f"{loaded.title}: sheets for {PAPERS[paper][0]} in {out}. Page 2 says how to print and cut them."
        )
    else:
        from sutler.lab.play.atomic_files import write_atomically

        write_atomically(out, page)
        console().print(
            f"{loaded.title}: sheets for {PAPERS[paper][0]} in {out}. Open it in a browser and print it: {PAPERS[paper][0]}, 100 %, no "
            "headers and footers, background graphics on. Its second page says how to cut."
        )


def found_browser() -> str | None:
    """A browser that prints without a window: $SUTLER_BROWSER, or one of the usual ones; None where there is none."""
    named = os.environ.get("SUTLER_BROWSER")
    if named is not None:
        return shutil.which(named)
    return next(filter(None, [*map(shutil.which, BROWSERS), *map(shutil.which, MAC_BROWSERS)]), None)


def as_pdf(page: str, out: Path, browser: str) -> None:
    """Print a page to a file, whole or not at all. CommandError, with what the browser said, where it makes none."""
    from sutler.lab.play.atomic_files import atomic_file

    with tempfile.TemporaryDirectory(prefix="sutler-print-") as folder, atomic_file(out) as aside:
        source, made = Path(folder) / "sheets.html", Path(folder) / "sheets.pdf"
        source.write_text(page, encoding="utf-8")
        command = [
            browser,
            "--headless",
            "--disable-gpu",
            "--no-pdf-header-footer",
            f"--user-data-dir={folder}/profile",
        ]
        if (
            hasattr(os, "geteuid") and os.geteuid() == 0
        ):  # its sandbox does not work for the superuser; the page is ours
            command.append("--no-sandbox")
        command += [f"--print-to-pdf={made}", source.as_uri()]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PDF_TIMEOUT_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CommandError(
                f"{browser} made no PDF ({error}); end the file in .html and print it yourself"
            ) from None
        if not made.exists():
            said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise CommandError(f"{browser} made no PDF ({said}); end the file in .html and print it yourself")
        shutil.copyfile(made, aside)
