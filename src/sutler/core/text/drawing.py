"""The table of any game drawn as text, as one seat may see it; for the terminal, learning programs and AI assistants.

A game may draw its own table: `text/terminal.py` (in a small game `terminal.py`), with `draw(view)` giving anything Rich can print.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from rich import box as boxes
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from sutler.core.play.position import Position


TEXT_CHARS = 100
"""The width in characters of a table as plain text."""
FACTS_SHOWN_ELSEWHERE = ("seat", "to_act", "step")
"""Keys of a view that the question and the seats' table show already."""


def draw_table(pos: Position, seat: int | None) -> RenderableType:
    """The table as a seat (None: a watcher) may see it, for Rich to print: drawn by the game itself, or by `draw_plain_table`."""
    view = pos.view(seat)
    own = pos.game.definition.import_part("text", "terminal")
    if own is not None:
        drawn: RenderableType = own.draw(view)
        return drawn
    return draw_plain_table(view)


def draw_plain_table(view: dict[str, Any]) -> RenderableType:
    """The drawing of any game's view: single values in one line, lists of records as tables, other values as short lists."""
    facts = [
        f"{_format_label(key)} {_format_value(value)}"
        for key, value in view.items()
        if _is_simple(value) and key not in FACTS_SHOWN_ELSEWHERE
    ]
    parts: list[RenderableType] = [Text(" · ".join(facts), "dim")]
    for key, value in view.items():
        if key in ("cards", "phases") or _is_simple(value) or not value:
            continue
        if isinstance(value, list) and all(isinstance(row, dict) for row in value):
            parts.append(_build_rows_table(_format_label(key), value))
        elif isinstance(value, list) and all(isinstance(row, list) for row in value):
            parts.append(_build_grid_table(_format_label(key), value))
        else:
            parts.append(Text(f"{_format_label(key)}: {_format_value(value)}"))
    return Group(*parts)


def _build_rows_table(title: str, rows: Sequence[dict[str, Any]]) -> Table:
    """A table of a list of records, with a column for each key that has a value in some row."""
    table = Table(title=title, box=boxes.SIMPLE, title_justify="left", pad_edge=False)
    columns = [key for key in rows[0] if any(row.get(key) not in (None, [], {}, "") for row in rows)]
    for key in columns:
        table.add_column(_format_label(key), overflow="fold")
    for row in rows:
        table.add_row(*[_format_value(row.get(key)) for key in columns])
    return table


def _build_grid_table(title: str, rows: Sequence[Sequence[Any]]) -> Table:
    """A table of a list of lists, row below row; each cell holds a place's name and what lies there."""
    table = Table(title=title, box=boxes.SIMPLE, title_justify="left", pad_edge=False, show_header=False)
    for row in rows:
        table.add_row(*[_format_value(one) for one in row])
    return table


def _format_label(key: str) -> str:
    """The key of a value in a view, as words."""
    return key.replace("_", " ")


def _is_simple(value: Any) -> bool:
    """Is this value of a view a single value, neither a list nor a table?"""
    return value is None or isinstance(value, (str, int, float, bool))


def _format_value(value: Any) -> str:
    """A value of a view as a short text."""
    if value is None or value is False:
        return "–"
    if value is True:
        return "yes"
    if isinstance(value, dict) and "name" in value:
        more = [_format_value(one) for key, one in value.items() if key not in ("name", "at")]
        return f"{value['name']}: {', '.join(more)}" if more else str(value["name"])
    if isinstance(value, dict):
        return ", ".join(
            f"{_format_label(str(key))} {_format_value(one)}"
            for key, one in value.items()
            if one not in (0, None, [], {})
        )
    if isinstance(value, (list, tuple)):
        return ", ".join(_format_value(one) for one in value) or "–"
    return str(value)


def draw_table_as_text(pos: Position, seat: int | None) -> str:
    """The table as a seat (None: a watcher) may see it, as plain text without colours."""
    out = StringIO()
    Console(file=out, width=TEXT_CHARS, color_system=None, force_terminal=False).print(draw_table(pos, seat))
    return out.getvalue()


SEAT_MARKS = ("●", "▲", "■", "◆", "★", "✚")
SEAT_STYLES = ("bold cyan", "bold yellow", "bold magenta", "bold green", "bold red", "bold blue")


def seat_style(seat: int) -> str:
    """The colour of a seat, as a style for the library Rich."""
    return SEAT_STYLES[seat % len(SEAT_STYLES)]


def seat_text(seat: int, name: str) -> Text:
    """A seat's mark and name."""
    return Text(f"{SEAT_MARKS[seat % len(SEAT_MARKS)]} {name}", seat_style(seat))


def seat_text_from_view(view: dict[str, Any], seat: int) -> Text:
    """A seat\'s mark and name, taken from the view of the table."""
    return seat_text(seat, view["seats"][seat]["name"])
