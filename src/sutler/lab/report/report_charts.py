"""Charts of a report as SVG, coloured by the page's style sheet and readable without colour.

Every chart is 360 units wide and is shown at about that many pixels, so that its letters are as large as the page's
on a phone and in print; wide screens show charts side by side instead of enlarging them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH = 360
DASHES = ("", "7 3", "2 3", "10 3 2 3", "4 4", "1 4")
"""The dash patterns of a chart's lines, in order."""

Scale = Callable[[float], float]


@dataclass(frozen=True)
class Bar:
    """One row of an interval chart (`render_interval_chart`): a name, a value, and the value's interval."""

    name: str
    value: float
    low: float
    high: float
    faint: bool = False
    """Is the value uncertain, since it rests on few games? It is drawn as an outline then."""


def build_linear_scale(low: float, high: float, start: float, end: float) -> Scale:
    """A function that maps numbers from `low` to `high` linearly to positions from `start` to `end`."""
    span = (high - low) or 1.0
    return lambda value: start + (end - start) * (value - low) / span


def choose_ticks(low: float, high: float, max_ticks: int = 6) -> list[float]:
    """Round numbers for the ticks of an axis from `low` to `high`, evenly spaced, at most about `max_ticks`."""
    span = (high - low) or 1.0
    power = 10.0 ** math.floor(math.log10(span / max_ticks))
    step = next(power * k for k in (1, 2, 5, 10, 20) if span / (power * k) <= max_ticks)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def format_number(value: float) -> str:
    """A number as text, with three significant digits; from 1,000 on as a whole number."""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def format_percent(value: float) -> str:
    """A share (0 to 1) as a percentage with one decimal."""
    return f"{value * 100:.1f}\N{NO-BREAK SPACE}%"


def format_round_percent(value: float) -> str:
    """A round share (0 to 1) as a percentage for an axis, without unnecessary decimals."""
    return f"{value * 100:.3g}\N{NO-BREAK SPACE}%"


def format_percentage(value: float) -> str:
    """A percentage (0 to 100) as text, such as "25 %"."""
    return format_round_percent(value / 100)


def format_signed_points(value: float) -> str:
    """A difference of shares as text: percentage points with their sign."""
    return "0" if abs(value) < 0.0005 else f"{value * 100:+.1f}".replace("-", "−")


def render_svg(height: float, description: str, *parts: str) -> str:
    """The SVG element of a chart with these parts in it; `description`: its description for screen readers."""
    inside = "".join(parts)
    return f'<svg class="picture" viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(description)}">{inside}</svg>'


def render_svg_text(x: float, y: float, words: str, css_class: str = "") -> str:
    """An SVG text at a place. `css_class`: CSS classes, of which end or middle aligns the text."""
    return f'<text class="{css_class}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'


def render_svg_line(x1: float, y1: float, x2: float, y2: float, css_class: str) -> str:
    """An SVG line between two points, of the CSS class `css_class`."""
    return f'<path class="{css_class}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'


def render_interval_chart(
    rows: Sequence[Bar], told: str, even: float | None, say: Callable[[float], str] = format_percent, left: int = 92
) -> str:
    """A chart with a dot and its interval in each row, and a vertical line at the value `even`, if given.

    `told`: a description for screen readers; `say`: formats values; `left`: the width of the names.
    """
    at = [] if even is None else [even]
    low = min([*at, *(row.low for row in rows if not row.faint)])
    high = max([*at, *(row.high for row in rows if not row.faint)])
    room = max((high - low) * 0.06, 0.005)
    low, high = low - room, high + room
    step, top = 20, 6
    bottom = top + step * len(rows)
    x = build_linear_scale(low, high, left + 6, WIDTH - 50)
    parts = [render_svg_line(x(tick), top, x(tick), bottom, "grid") for tick in choose_ticks(low, high, 5)]
    parts += [render_svg_line(x(one), top - 2, x(one), bottom + 3, "even") for one in at]
    for i, row in enumerate(rows):
        y = top + step * (i + 0.5)
        a, b = max(low, row.low), min(high, row.high)
        kind = "faint" if row.faint else "known"
        parts += [render_svg_text(left, y + 4, row.name, "end"), render_svg_line(x(a), y, x(b), y, f"whisker {kind}")]
        parts.append(f'<circle class="dot {kind}" cx="{x(min(max(row.value, low), high)):.1f}" cy="{y:.1f}" r="4.5"/>')
        parts.append(render_svg_text(WIDTH - 44, y + 4, say(row.value), "value"))
    for tick in choose_ticks(low, high, 4):
        words = format_round_percent(tick) if say is format_percent else say(tick).removesuffix(".0")
        parts.append(render_svg_text(x(tick), bottom + 15, words, "middle tick"))
    return render_svg(bottom + 22, told, *parts)


def render_histogram(
    values: Sequence[tuple[float, float]],
    told: str,
    below: str,
    say: Callable[[float], str] = format_number,
    width: float = 1,
) -> str:
    """A histogram as SVG. `values`: (start, height) of each bar; `width`: of every bar, in the unit of the axis.

    `told`: a description for screen readers; `below`: the label of the axis; `say`: formats heights.
    """
    top, bottom, left = 10, 150, 40
    high = max((value for _, value in values), default=1.0) or 1.0
    first, last = values[0][0], values[-1][0] + width
    x, y = build_linear_scale(first, last, left, WIDTH - 8), build_linear_scale(0, high * 1.04, bottom, top)
    parts = []
    for tick in choose_ticks(0, high, 4):
        parts += [
            render_svg_line(left, y(tick), WIDTH - 8, y(tick), "grid"),
            render_svg_text(left - 5, y(tick) + 4, say(tick), "end tick"),
        ]
    gap = 0.12 * (x(width) - x(0))
    for begin, value in values:
        if value:
            wide, tall = x(begin + width) - x(begin) - gap, bottom - y(value)
            parts.append(
                f'<rect class="bar" x="{x(begin) + gap / 2:.1f}" y="{y(value):.1f}" width="{wide:.1f}" height="{tall:.1f}"/>'
            )
    parts.append(render_svg_line(left, bottom, WIDTH - 8, bottom, "axis"))
    whole = width == 1  # a bar stands for one number, which is written under its middle
    shown = choose_ticks(first, last - width if whole else last, 7)
    parts += [
        render_svg_text(x(tick + 0.5 * whole), bottom + 15, format_number(tick), "middle tick")
        for tick in shown
        if not whole or tick == int(tick)
    ]
    parts.append(render_svg_text((left + WIDTH) / 2, bottom + 32, below, "middle"))
    return render_svg(bottom + 40, told, *parts)


def render_line_chart(
    series: Sequence[tuple[str, Sequence[float]]],
    xs: Sequence[float],
    told: str,
    below: str,
    say: Callable[[float], str] = format_number,
    top_at: float | None = None,
    mark: Callable[[float], str] = format_percentage,
) -> str:
    """A line chart with the name of each series at its end. `xs`: the places of all values.

    `told`: a description for screen readers; `below`: the label of the lower axis; `say` and `mark`: format the values at the side and
    below; `top_at`: the upper end of the scale (None: the largest value).
    """
    top, bottom, left, right = 10, 150, 40, 84 if len(series) > 1 else 14
    every = [value for _, values in series for value in values]
    low, high = min(0.0, *every), max(1e-9, *every) if top_at is None else top_at
    x, y = (
        build_linear_scale(xs[0], xs[-1], left, WIDTH - right),
        build_linear_scale(low, high + 0.04 * (high - low), bottom, top),
    )
    parts = []
    for tick in choose_ticks(low, high, 4):
        parts += [
            render_svg_line(left, y(tick), WIDTH - right, y(tick), "grid"),
            render_svg_text(left - 5, y(tick) + 4, say(tick), "end tick"),
        ]
    ends = spread_labels([y(values[-1]) for _, values in series], lowest=bottom - 4)
    for i, (name, values) in enumerate(series):
        path = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in zip(xs, values, strict=True))
        dash = f' stroke-dasharray="{DASHES[i % 6]}"' if DASHES[i % 6] else ""
        parts.append(f'<polyline class="series s{i % 6 + 1}" points="{path}"{dash}/>')
        if len(series) > 1:
            parts.append(render_svg_text(WIDTH - right + 6, ends[i] + 4, name, f"name s{i % 6 + 1}"))
    parts.append(render_svg_line(left, y(max(low, 0.0)), WIDTH - right, y(max(low, 0.0)), "axis"))
    parts += [
        render_svg_text(x(tick), bottom + 15, mark(tick), "middle tick") for tick in choose_ticks(xs[0], xs[-1], 5)
    ]
    parts.append(render_svg_text((left + WIDTH - right) / 2, bottom + 32, below, "middle"))
    return render_svg(bottom + 40, told, *parts)


def render_bar_chart(rows: Sequence[tuple[str, float]], told: str) -> str:
    """A chart of horizontal bars, (name, share) each, with the name above its bar and the share in percent behind it."""
    high, step = max((value for _, value in rows), default=1.0) or 1.0, 36
    x, parts = build_linear_scale(0, high, 0, WIDTH - 64), list[str]()
    for i, (name, value) in enumerate(rows):
        y = step * i
        parts.append(render_svg_text(0, y + 13, name))
        parts.append(f'<rect class="bar" x="0" y="{y + 18}" width="{max(1.0, x(value)):.1f}" height="12"/>')
        parts.append(render_svg_text(max(1.0, x(value)) + 6, y + 28, format_percent(value), "value"))
    return render_svg(step * len(rows), told, *parts)


def spread_labels(heights: Sequence[float], least: float = 14, lowest: float = math.inf) -> list[float]:
    """The heights of labels, moved apart to distances of at least `least`, and none of them beyond `lowest`."""
    out = list(heights)
    order = sorted(range(len(out)), key=lambda i: out[i])
    for before, after in itertools.pairwise(order):
        out[after] = max(out[after], out[before] + least)
    for i, one in enumerate(reversed(order)):
        out[one] = min(out[one], lowest - i * least)
    return out
