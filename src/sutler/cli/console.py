"""The console that commands print on, and the paragraph of a guide as several commands print it."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.text import Text


def console() -> Console:
    """A console for standard output as it is now, which tests replace."""
    return Console(highlight=False)


def paragraph_text(number: str, chapter: str, text: str, kind: str) -> RenderableType:
    """A paragraph of a guide, with its number and chapter above it."""
    from rich.markdown import Markdown

    mark = {"ruling": "  our ruling", "reconstruction": "  reconstructed"}.get(kind, "")
    return Group(Text(f"{number}  {chapter}{mark}", "bold"), Markdown(text))
