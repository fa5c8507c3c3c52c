"""The final scores of a game: a sentence about the winner, points in rows and columns, and charts of scores."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import floor
from typing import TYPE_CHECKING, Any

from markupsafe import escape

from sutler.core.text.language import _, join_with_and, many
from sutler.web import sentence_html

if TYPE_CHECKING:
    from sutler.web.table.table_as_seen import Look


def describe_winner(look: Look, names: list[str]) -> str:
    """A sentence that says who has won; "" where nobody has. `names`: by seat."""
    first = [names[row["seat"]] for row in look.result if row["place"] == 1]
    if not first:
        return ""
    if len(first) == 1:
        return _("{name} wins.", name=first[0])
    return _("{names} share the victory.", names=join_with_and(first))


def rank_seats(look: Look, is_team_game: bool) -> list[dict[str, Any]]:
    """The columns of the final scores, best seat first; for a `is_team_game`, one column."""
    rows = sorted(look.result, key=lambda row: (row["place"], row["seat"]))
    return rows[:1] if is_team_game else rows


def build_breakdown(columns: list[dict[str, Any]]) -> list[tuple[Any, str, list[float | None]]]:
    """The rows of the final scores: (label, its paragraph, the points of each column, None where a column has none).

    `columns`: from `rank_seats`.
    """
    rows: dict[str, tuple[Any, str, list[float | None]]] = {}
    for column, row in enumerate(columns):
        for line in row["lines"]:
            label = sentence_html.to_plain_text(line.label)
            entry = rows.setdefault(label, (line.label, line.rule, [None] * len(columns)))
            entry[2][column] = line.points
    return list(rows.values())


# --- The chart of scores ----------------------------------------------------------------------------


WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 440, 230, 32, 92, 12, 26
DASHES = ("", "7 3", "2 3", "10 3 2 3", "4 4", "1 4")
"""The dash pattern of each seat's line, so that lines can be told apart without colour."""


def has_different_values(scores: Sequence[tuple[int, Sequence[float]]]) -> bool:
    """Do the values of a chart differ, so that the chart is worth showing? `scores`: as in `draw_score_chart`."""
    return len({value for _decision, row in scores for value in row}) > 1


def draw_score_chart(
    scores: Sequence[tuple[int, Sequence[float]]],
    names: Sequence[str],
    arms: Sequence[int],
    charges: Sequence[str],
    turning: Sequence[int] = (),
    description: str = "",
    least_axis_end: float = 1.0,
) -> str:
    """A line chart as SVG: a line for each seat over the decisions of the game.

    `scores`: (decision, value of each seat); `arms`: each seat's colour, 1 to 6; `charges`: ids of the drawings on the shields;
    `turning`: decisions at which another seat took the lead, marked by a ring; `description`: the topic, for screen readers;
    `least_axis_end`: a value that the axis reaches at least.
    """
    last = max(scores[-1][0], 1)
    high = max(least_axis_end, *(value for _, row in scores for value in row))
    low = min(0.0, *(value for _, row in scores for value in row))
    step = _choose_grid_step(high - low)
    low = step * floor(low / step)
    taken = escape(many("{n} decision", "{n} decisions", last))

    def to_x(decision: float) -> float:
        """The horizontal position of a decision in pixels."""
        return LEFT + (WIDTH - LEFT - RIGHT) * decision / last

    def to_y(value: float) -> float:
        """The vertical position of a value in pixels."""
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low)

    description = _describe_chart(description or _("Scores at the end"), scores, names)
    parts = [f'<svg class="lines-chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{description}">']
    value = low
    while value <= high + 1e-9:
        parts.append(f'<path class="grid" d="M{LEFT} {to_y(value):.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 6}" y="{to_y(value) + 4:.1f}">{value:g}</text>')
        value += step
    ends = _spread_labels([to_y(row) for row in scores[-1][1]])
    for seat, name in enumerate(names):
        points = " ".join(f"{to_x(d):.1f},{to_y(row[seat]):.1f}" for d, row in scores)
        one = arms[seat] - 1
        dash = f' stroke-dasharray="{DASHES[one]}"' if DASHES[one] else ""
        parts.append(f'<g class="s{one + 1}"><polyline class="series" points="{points}"{dash}/>')
        top = ends[seat]
        parts.append(
            f'<use class="mark" href="#{charges[one % len(charges)]}" x="{WIDTH - RIGHT + 6}" y="{top - 8:.1f}" width="16" height="16"/>'
        )
        parts.append(f'<text class="end" x="{WIDTH - RIGHT + 25}" y="{top + 5:.1f}">{escape(name)}</text></g>')
    for decision, row in scores:
        if decision in turning:
            best = max(range(len(row)), key=lambda seat: row[seat])
            spot = f'cx="{to_x(decision):.1f}" cy="{to_y(row[best]):.1f}"'
            parts.append(f'<circle class="turn s{arms[best]}" {spot} r="5"/>')
    parts.append(f'<text class="tick middle" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}">{taken}</text></svg>')
    return "".join(parts)


def _choose_grid_step(span: float) -> float:
    """A round distance between grid lines that gives at most about six of them. `span`: of the axis."""
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        if span / step <= 6:
            return float(step)
    return span / 5


def _spread_labels(tops: list[float], distance: float = 19) -> list[float]:
    """Vertical positions of labels, moved apart (at least `distance` pixels) so that none overlap."""
    order = sorted(range(len(tops)), key=lambda i: tops[i])
    out = list(tops)
    for before, after in itertools.pairwise(order):
        out[after] = max(out[after], out[before] + distance)
    lowest = HEIGHT - BOTTOM + 6.0
    for i in reversed(order):
        out[i] = min(out[i], lowest)
        lowest = out[i] - distance
    return out


def _describe_chart(topic: str, scores: Sequence[tuple[int, Sequence[float]]], names: Sequence[str]) -> str:
    """The topic and final values in words, for screen readers."""
    return str(escape(f"{topic}: " + ", ".join(f"{n} {v:g}" for n, v in zip(names, scores[-1][1], strict=True))))
