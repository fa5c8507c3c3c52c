"""Pages as PDF, printed by an installed browser in headless mode."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from sutler.lab.play.atomic_files import atomic_file

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)
"""Names of browsers to look for on the path; the environment variable SUTLER_BROWSER names another."""
MAC_BROWSERS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
PDF_TIMEOUT_SECONDS = 300
"""Seconds after which a browser that has made no PDF is stopped."""


class NoPdf(ValueError):
    """An error: a browser has not made a PDF. The message names the browser and quotes its last output."""


def find_browser() -> str | None:
    """A browser that can print without a window: $SUTLER_BROWSER, or one of the usual ones; None where there is none."""
    named = os.environ.get("SUTLER_BROWSER")
    if named is not None:
        return shutil.which(named)
    return next(filter(None, [*map(shutil.which, BROWSERS), *map(shutil.which, MAC_BROWSERS)]), None)


def write_pdf(page: str, out: Path, browser: str) -> None:
    """Print a page (HTML) to the file `out`, completely or not at all.

    Raises NoPdf, with the last line that the browser printed, where the browser makes no PDF.
    """
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
        ):  # the browser's sandbox does not work for root, and the page is our own
            command.append("--no-sandbox")
        command += [f"--print-to-pdf={made}", source.as_uri()]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PDF_TIMEOUT_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoPdf(f"{browser} made no PDF ({error}); end the file in .html and print it yourself") from None
        if not made.exists():
            said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise NoPdf(f"{browser} made no PDF ({said}); end the file in .html and print it yourself")
        shutil.copyfile(made, aside)
