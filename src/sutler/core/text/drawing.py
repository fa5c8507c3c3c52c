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


def drawing(pos: Position, seat: int | None) -> RenderableType:
    """The table as a seat (None: a watcher) may see it, for Rich to print: drawn by the game itself, or by `plain_table`."""
    view = pos.view(seat)
    own = pos.game.definition.part_module("text", "terminal")
    if own is not None:
        drawn: RenderableType = own.draw(view)
        return drawn
    return plain_table(view)


def plain_table(view: dict[str, Any]) -> RenderableType:
    """The drawing of any game's view: single values in one line, lists of records as tables, other values as short lists."""
    facts = [
        f"{_label(key)} {_value_text(value)}"
        for key, value in view.items()
        if _is_simple(value) and key not in FACTS_SHOWN_ELSEWHERE
    ]
    parts: list[RenderableType] = [Text(" · ".join(facts), "dim")]
    for key, value in view.items():
        if key in ("cards", "phases") or _is_simple(value) or not value:
            continue
        if isinstance(value, list) and all(isinstance(row, dict) for row in value):
            parts.append(_rows(_label(key), value))
        elif isinstance(value, list) and all(isinstance(row, list) for row in value):
            parts.append(_grid(_label(key), value))
        else:
            parts.append(Text(f"{_label(key)}: {_value_text(value)}"))
    return Group(*parts)


def _rows(title: str, rows: Sequence[dict[str, Any]]) -> Table:
    """A table of a list of records, with a column for each key that has a value in some row."""
    table = Table(title=title, box=boxes.SIMPLE, title_justify="left", pad_edge=False)
    columns = [key for key in rows[0] if any(row.get(key) not in (None, [], {}, "") for row in rows)]
    for key in columns:
        table.add_column(_label(key), overflow="fold")
    for row in rows:
        table.add_row(*[_value_text(row.get(key)) for key in columns])
    return table


def _grid(title: str, rows: Sequence[Sequence[Any]]) -> Table:
    """A table of a list of lists, row below row; each cell holds a place's name and what lies there."""
    table = Table(title=title, box=boxes.SIMPLE, title_justify="left", pad_edge=False, show_header=False)
    for row in rows:
        table.add_row(*[_value_text(one) for one in row])
    return table


def _label(key: str) -> str:
    """A key of a view as words."""
    return key.replace("_", " ")


def _is_simple(value: Any) -> bool:
    return value is None or isinstance(value, (str, int, float, bool))


def _value_text(value: Any) -> str:
    """A value of a view as a short text."""
    if value is None or value is False:
        return "–"
    if value is True:
        return "yes"
    if isinstance(value, dict) and "name" in value:
        more = [_value_text(one) for key, one in value.items() if key not in ("name", "at")]
        return f"{value['name']}: {', '.join(more)}" if more else str(value["name"])
    if isinstance(value, dict):
        return ", ".join(
            f"{_label(str(key))} {_value_text(one)}" for key, one in value.items() if one not in (0, None, [], {})
        )
    if isinstance(value, (list, tuple)):
        return ", ".join(_value_text(one) for one in value) or "–"
    return str(value)


def as_text(pos: Position, seat: int | None) -> str:
    """The table as a seat (None: a watcher) may see it, as plain text without colours."""
    out = StringIO()
    Console(file=out, width=TEXT_CHARS, color_system=None, force_terminal=False).print(drawing(pos, seat))
    return out.getvalue()
