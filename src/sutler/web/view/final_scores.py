"""What stands under a game that is over: who has won, and the columns and rows of its points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.language import _, listed
from sutler.web import wording

if TYPE_CHECKING:
    from sutler.web.table.snapshot import Look


def verdict(look: Look, names: list[str]) -> str:
    """Who has won, in a sentence."""
    first = [names[row["seat"]] for row in look.result if row["place"] == 1]
    if not first:
        return ""
    if len(first) == 1:
        return _("{name} wins.", name=first[0])
    return _("{names} share the victory.", names=listed(first))


def ranked(look: Look, team: bool) -> list[dict[str, Any]]:
    """The columns of the reckoning, best seat first; one for all who play together."""
    rows = sorted(look.result, key=lambda row: (row["place"], row["seat"]))
    return rows[:1] if team else rows


def breakdown(columns: list[dict[str, Any]]) -> list[tuple[Any, str, list[float | None]]]:
    """Rows of the reckoning: what counted, the paragraph, and the points for it in each column."""
    rows: dict[str, tuple[Any, str, list[float | None]]] = {}
    for column, row in enumerate(columns):
        for line in row["lines"]:
            label = wording.plain(line.label)
            entry = rows.setdefault(label, (line.label, line.rule, [None] * len(columns)))
            entry[2][column] = line.points
    return list(rows.values())
