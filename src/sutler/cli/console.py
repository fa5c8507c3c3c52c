"""The console that commands print on, and the paragraph of a guide as several commands print it."""

from __future__ import annotations

import os
import sys

from rich.console import Console, Group, RenderableType
from rich.text import Text


class PlainConsole(Console):
    """A console that prints words as they are: what somebody typed is never markup. Where its reader leaves, it ends with 0."""

    def __init__(self) -> None:
        super().__init__(highlight=False, markup=False)

    def on_broken_pipe(self) -> None:
        """Exit with 0: `sutler guide manor | head -1` has got what it wanted."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0)


def console() -> Console:
    """A console for standard output as it is now, which tests replace."""
    return PlainConsole()


def can_print(text: str) -> bool:
    """Has the encoding of standard output all letters of a text?"""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def paragraph_text(number: str, chapter: str, text: str, kind: str) -> RenderableType:
    """A paragraph of a guide, with its number and chapter above it."""
    from rich.markdown import Markdown

    mark = {"ruling": "  our ruling", "reconstruction": "  reconstructed"}.get(kind, "")
    return Group(Text(f"{number}  {chapter}{mark}", "bold"), Markdown(text))
