"""A cache of what pages derive from a room's past: views, log lines, fragments."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

if TYPE_CHECKING:
    from sutler.core.text.sentences import LogLine

View = dict[str, Any]
Chart = list[tuple[int, list[float]]]
"""Points of a chart: (decisions made, a number for each seat)."""


@dataclass
class RenderCache:
    """Values derived from a room's past; thrown away when that changes."""

    chart: Chart | None = None
    chances: Chart | None = None
    logs: dict[tuple[int | None, str], list[LogLine]] = field(default_factory=dict)
    """Log lines, by (seat or None, language)."""
    told: dict[tuple[int | None, str], int] = field(default_factory=dict)
    """The number of decisions that each of these logs covers."""
    lines: dict[LogLine, LogLine] = field(default_factory=dict)
    """Lines of several logs, each kept once."""
    views: dict[tuple[int | None, int, str], View] = field(default_factory=dict)
    """Recent views, by (seat or None, decisions made, language), the latest last."""
    parts: dict[tuple[str, str, str], tuple[tuple[Any, ...], Markup]] = field(default_factory=dict)
    """Parts of pages, by the address of who looks, language and name: what each was drawn from, and the drawing."""
    undo: tuple[int, bool] = (-1, False)
    """(decisions made, may the last be taken back by who made it)."""
    hides: dict[int, tuple[int, bool]] = field(default_factory=dict)
    """{seat: (decisions made, does it know anything that others do not)}."""
    epoch: int = 0
    """How often lines of the log that pages already have were taken back or changed."""

    def forget(self) -> None:
        """Drop everything: the room's past has changed."""
        self.chart = self.chances = None
        self.logs, self.told, self.lines, self.views, self.undo, self.hides = {}, {}, {}, {}, (-1, False), {}
        self.parts = {}
        self.epoch += 1
