"""A cache of data that pages derive from a game's past: views, log lines, rendered fragments."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

if TYPE_CHECKING:
    from sutler.core.text.sentences import LogLine

View = dict[str, Any]
Chart = list[tuple[int, list[float]]]
"""Points of a chart: (number of decisions made, a value for each seat)."""


@dataclass
class RenderCache:
    """A cache of data derived from a game's past; everything in it is dropped when the past changes (undo)."""

    chart: Chart | None = None
    chances: Chart | None = None
    logs: dict[tuple[int | None, str], list[LogLine]] = field(default_factory=dict)
    """Log lines, by (seat or None, language)."""
    told: dict[tuple[int | None, str], int] = field(default_factory=dict)
    """The number of decisions that each log covers, by (seat or None, language)."""
    lines: dict[LogLine, LogLine] = field(default_factory=dict)
    """Lines that occur in several logs, so that each is in memory once."""
    views: dict[tuple[int | None, int, str], View] = field(default_factory=dict)
    """Recent views, by (seat or None, number of decisions made, language), the latest last."""
    parts: dict[tuple[str, str, str], tuple[tuple[Any, ...], Markup]] = field(default_factory=dict)
    """Parts of pages, by (address of the viewer, language, name of the part): the variables a part was rendered from, and its HTML."""
    undo: tuple[int, bool] = (-1, False)
    """(number of decisions made, may the last one be undone by the seat that made it?)."""
    hides: dict[int, tuple[int, bool]] = field(default_factory=dict)
    """{seat: (number of decisions made, does the seat know anything that others do not?)}."""
    epoch: int = 0
    """How often lines of the log that pages have shown were removed or changed."""

    def clear(self) -> None:
        """Drop everything, because the game's past has changed."""
        self.chart = self.chances = None
        self.logs, self.told, self.lines, self.views, self.undo, self.hides = {}, {}, {}, {}, (-1, False), {}
        self.parts = {}
        self.epoch += 1
