"""The picture at the end of a game: how the scores came about. Drawn as SVG, coloured by the page's stylesheet."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import floor

from markupsafe import escape

from sutler.core.language import _, many

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 440, 230, 32, 92, 12, 26
DASHES = ("", "7 3", "2 3", "10 3 2 3", "4 4", "1 4")
"""Each seat's line is drawn in its own way, so that it holds without colour."""


def score_chart(
    scores: Sequence[tuple[int, Sequence[float]]],
    names: Sequence[str],
    arms: Sequence[int],
    charges: Sequence[str],
    turning: Sequence[int] = (),
    told: str = "",
    most: float = 1.0,
) -> str:
    """One line per seat over the decisions of the game, in the colour of its arms (1 to 6) and with what stands on them.

    Where somebody else has come to lead alone (`turning`), the line that leads has a ring. The axis goes up to `most` at least.
    """
    last = max(scores[-1][0], 1)
    high = max(most, *(value for _, row in scores for value in row))
    low = min(0.0, *(value for _, row in scores for value in row))
    step = _step(high - low)
    low = step * floor(low / step)
    taken = escape(many("{n} decision", "{n} decisions", last))

    def x(decision: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * decision / last

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low)

    told = _told(told or _("Scores at the end"), scores, names)
    parts = [f'<svg class="lines-chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{told}">']
    value = low
    while value <= high + 1e-9:
        parts.append(f'<path class="grid" d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 6}" y="{y(value) + 4:.1f}">{value:g}</text>')
        value += step
    ends = _spread([y(row) for row in scores[-1][1]])
    for seat, name in enumerate(names):
        points = " ".join(f"{x(d):.1f},{y(row[seat]):.1f}" for d, row in scores)
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
            spot = f'cx="{x(decision):.1f}" cy="{y(row[best]):.1f}"'
            parts.append(f'<circle class="turn s{arms[best]}" {spot} r="5"/>')
    parts.append(f'<text class="tick middle" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}">{taken}</text></svg>')
    return "".join(parts)


def _step(span: float) -> float:
    """A round distance between lines: about five of them."""
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        if span / step <= 6:
            return float(step)
    return span / 5


def _spread(tops: list[float], apart: float = 19) -> list[float]:
    """Heights pushed apart so that no two labels cover each other."""
    order = sorted(range(len(tops)), key=lambda i: tops[i])
    out = list(tops)
    for before, after in itertools.pairwise(order):
        out[after] = max(out[after], out[before] + apart)
    lowest = HEIGHT - BOTTOM + 6.0
    for i in reversed(order):
        out[i] = min(out[i], lowest)
        lowest = out[i] - apart
    return out


def _told(what: str, scores: Sequence[tuple[int, Sequence[float]]], names: Sequence[str]) -> str:
    return str(escape(f"{what}: " + ", ".join(f"{n} {v:g}" for n, v in zip(names, scores[-1][1], strict=True))))
