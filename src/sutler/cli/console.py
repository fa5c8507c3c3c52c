"""The console that commands print on, and a guide's paragraph formatted for it."""

from __future__ import annotations

import os
import sys

from rich.console import Console, Group, RenderableType
from rich.text import Text


class PlainConsole(Console):
    """A console that prints text literally, without markup, and exits with code 0 when its output pipe is closed."""

    def __init__(self) -> None:
        super().__init__(highlight=False, markup=False)

    def on_broken_pipe(self) -> None:
        """End the program with exit code 0 when the reader of its output stops early, as in `sutler guide manor | head -1`."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0)


def make_console() -> Console:
    """A new console on the present standard output, which tests replace."""
    return PlainConsole()


def can_print(text: str) -> bool:
    """Can the encoding of standard output show every letter of a text?"""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def render_paragraph(number: str, chapter: str, text: str, kind: str) -> RenderableType:
    """A guide's paragraph for the console, below a line with its number and chapter. `kind`: as in `core.text.guide.Paragraph`."""
    from rich.markdown import Markdown

    mark = {"ruling": "  our ruling", "reconstruction": "  reconstructed"}.get(kind, "")
    return Group(Text(f"{number}  {chapter}{mark}", "bold"), Markdown(text))
