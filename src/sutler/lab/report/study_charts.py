"""Charts of the lab's pages as SVG: effects with their intervals, curves with a band around them, and scatters of versions.

Every chart is WIDTH units wide and shown at about that many pixels, so that its letters can be read on a phone and on a desk.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from sutler.lab.report.report_charts import DASHES, build_linear_scale, choose_ticks, spread_labels

WIDTH = 440
OUTER_SPOTS = 12
"""One in so many versions at each end of a scatter may lie beyond its edge and is drawn on it, to spread out the others."""


@dataclass(frozen=True)
class Bar:
    """One row of a chart of interval bars (`render_interval_bars`): a value with its interval, a name, the value as text, its colour."""

    label: str
    low: float
    value: float
    high: float
    told: str
    tone: str = ""


@dataclass(frozen=True)
class Curve:
    """One curve of a chart (`render_curves`): values with their intervals at the positions that all curves share."""

    label: str
    values: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


def render_interval_bars(
    rows: Sequence[Bar], around: float, unit: str, percent: bool = False, ends: tuple[float, float] | None = None
) -> str:
    """A chart with a name in each row, and below it a dot with its interval; a vertical line at the value `around`.

    `unit`: the label of the axis; `percent`: values are shares (0 to 1); `ends`: what the axis shows at least, all intervals if left out;
    an interval beyond is cut at the edge. An infinite interval, such as that of one game, runs from edge
    to edge.
    """
    left, right, line = 12, 96, 38
    every = [end for one in rows for end in (one.low, one.value, one.high) if math.isfinite(end)]
    shown = [around, *(ends or every)]
    low, high = min(shown), max(shown)
    pad = max(high - low, 1e-9) * 0.05
    low, high = low - (pad if low < around else 0), high + pad
    bottom = line * len(rows) + 10

    x = build_linear_scale(low, high, left, WIDTH - right)
    parts = [f'<svg viewBox="0 0 {WIDTH} {bottom + 38}" role="img" aria-label="{escape(unit)}">']
    for tick in choose_ticks(low, high):
        parts.append(f'<path class="grid" d="M{x(tick):.1f} 4V{bottom}"/>')
        told = (f"{100 * tick:g} %" if percent else f"{tick:g}").replace("-", "−")
        parts.append(f'<text class="tick" x="{x(tick):.1f}" y="{bottom + 16}">{told}</text>')
    parts.append(f'<path class="axis" d="M{x(around):.1f} 4V{bottom}"/>')
    for i, one in enumerate(rows):
        y = 4 + line * i + 28
        parts.append(f'<text class="name" x="{left + 6}" y="{y - 11:.1f}">{escape(one.label)}</text>')
        parts.append(
            f'<g class="{one.tone or "plain"}"><path class="bar" d="M{x(max(low, one.low)):.1f} {y}H{x(min(high, one.high)):.1f}"/>'
            f'<circle cx="{x(one.value):.1f}" cy="{y}" r="5"/></g>'
        )
        parts.append(f'<text class="told" x="{WIDTH - right + 8}" y="{y + 5:.1f}">{escape(one.told)}</text>')
    middle = (left + WIDTH - right) / 2
    parts.append(f'<text class="tick" x="{middle:.1f}" y="{bottom + 34}">{escape(unit)}</text></svg>')
    return "".join(parts)


def render_curves(
    at: Sequence[str], lines: Sequence[Curve], unit: str, say: Callable[[float], str], even: float | None = None
) -> str:
    """A chart of curves with bands at the values of a parameter, evenly spaced, and a horizontal line at `even`, if given.

    `at`: the values of the parameter; `unit`: the label of the axis; `say`: formats values.
    """
    left, right, top, bottom, height = 48, 118, 12, 42, 280
    seen = [v for one in lines for part in (one.low, one.high) for v in part] + ([] if even is None else [even])
    low, high = min(seen), max(seen)
    pad = max(high - low, 1e-3 * max(abs(high), 1e-6)) * 0.06
    low, high = low - pad, high + pad

    def scale_x(i: float) -> float:
        return left + (WIDTH - left - right) * (i / (len(at) - 1) if len(at) > 1 else 0.5)

    y = build_linear_scale(low, high, height - bottom, top)
    parts = [f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(unit)}">']
    for tick in choose_ticks(low, high, 5):
        parts.append(f'<path class="grid" d="M{left} {y(tick):.1f}H{WIDTH - right}"/>')
        parts.append(f'<text class="tick end" x="{left - 8}" y="{y(tick) + 4:.1f}">{escape(say(tick))}</text>')
    if even is not None:
        parts.append(f'<path class="even" d="M{left} {y(even):.1f}H{WIDTH - right}"/>')
    step = -(-len(at) * max(len(one) for one in at) * 8 // (WIDTH - left - right))  # every step-th value gets a label
    for i, value in list(enumerate(at))[:: max(1, step)]:
        parts.append(f'<text class="tick" x="{scale_x(i):.1f}" y="{height - bottom + 18}">{escape(value)}</text>')
    ends = spread_labels([y(one.values[-1]) for one in lines], 16)
    for k, one in enumerate(lines):
        band = [f"{scale_x(i):.1f},{y(v):.1f}" for i, v in enumerate(one.high)]
        band += [f"{scale_x(i):.1f},{y(one.low[i]):.1f}" for i in reversed(range(len(at)))]
        points = " ".join(f"{scale_x(i):.1f},{y(v):.1f}" for i, v in enumerate(one.values))
        dash = f' stroke-dasharray="{DASHES[k % 6]}"' if DASHES[k % 6] else ""
        parts.append(f'<g class="c{k % 6 + 1}"><polygon points="{" ".join(band)}"/><polyline points="{points}"{dash}/>')
        parts += [f'<circle cx="{scale_x(i):.1f}" cy="{y(v):.1f}" r="3.5"/>' for i, v in enumerate(one.values)]
        parts.append(
            f'<text class="told" x="{WIDTH - right + 12}" y="{ends[k] + 5:.1f}">{escape(one.label)}</text></g>'
        )
    middle = (left + WIDTH - right) / 2
    parts.append(f'<text class="tick" x="{middle:.1f}" y="{height - 6}">{escape(unit)}</text></svg>')
    return "".join(parts)


@dataclass(frozen=True)
class Spot:
    """A version in a scatter chart: its position, half its interval each way (0: none is drawn), a letter, and its kind (a CSS class)."""

    x: float
    y: float
    wide: float = 0.0
    tall: float = 0.0
    letter: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Axis:
    """One axis of a scatter: its label, the ends of the zone that is wanted, and the function that formats its values."""

    label: str
    low: float
    high: float
    say: Callable[[float], str]


def render_scatter(spots: Sequence[Spot], across: Axis, up: Axis, told: str) -> str:
    """A chart of versions by two figures, with the wanted zone as a rectangle and the printed game where the axes cross.

    `across`, `up`: the two axes; `told`: a description for screen readers.
    """
    left, right, top, bottom, height = 56, 16, 26, 48, 360
    ends = [_find_axis_ends(axis, spots, vertical) for axis, vertical in ((across, False), (up, True))]
    x = build_linear_scale(*ends[0], left, WIDTH - right)
    y = build_linear_scale(*ends[1], height - bottom, top)
    parts = [f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(told)}">']
    for tick in choose_ticks(*ends[0], 5):
        parts.append(f'<path class="grid" d="M{x(tick):.1f} {top}V{height - bottom}"/>')
        parts.append(
            f'<text class="tick" x="{x(tick):.1f}" y="{height - bottom + 18}">{escape(across.say(tick))}</text>'
        )
    for tick in choose_ticks(*ends[1], 5):
        parts.append(f'<path class="grid" d="M{left} {y(tick):.1f}H{WIDTH - right}"/>')
        parts.append(f'<text class="tick end" x="{left - 8}" y="{y(tick) + 4:.1f}">{escape(up.say(tick))}</text>')
    parts.append(f'<path class="axis" d="M{x(0):.1f} {top}V{height - bottom}M{left} {y(0):.1f}H{WIDTH - right}"/>')
    parts.append(
        f'<rect class="zone" x="{x(across.low):.1f}" y="{y(up.high):.1f}" width="{x(across.high) - x(across.low):.1f}" '
        f'height="{y(up.low) - y(up.high):.1f}"/>'
    )
    for one in spots:
        cx, cy = x(min(max(one.x, ends[0][0]), ends[0][1])), y(min(max(one.y, ends[1][0]), ends[1][1]))
        drawn = f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{4.5 if one.letter or one.kind else 3}"/>'
        if one.wide or one.tall:
            across_line = f"M{x(one.x - one.wide):.1f} {cy:.1f}H{x(one.x + one.wide):.1f}"
            lines = f"{across_line}M{cx:.1f} {y(one.y - one.tall):.1f}V{y(one.y + one.tall):.1f}"
            drawn = f'<path class="bar" d="{lines}"/>{drawn}'
        if one.letter:
            drawn += f'<text class="name" x="{cx + 8:.1f}" y="{cy - 8:.1f}">{escape(one.letter)}</text>'
        parts.append(f'<g class="{one.kind or "dot"}">{drawn}</g>')
    parts.append(f'<text class="tick start" x="{left - 44}" y="14">{escape(up.label)}</text>')
    middle = (left + WIDTH - right) / 2
    parts.append(f'<text class="tick" x="{middle:.1f}" y="{height - 8}">{escape(across.label)}</text></svg>')
    return "".join(parts)


def _find_axis_ends(axis: Axis, spots: Sequence[Spot], vertical: bool) -> tuple[float, float]:
    """The ends of a chart's axis, chosen so that the wanted zone and all marked versions lie within.

    Versions beyond the ends are drawn on the edge.
    """
    places = [(one, one.y if vertical else one.x, one.tall if vertical else one.wide) for one in spots]
    shown = [0.0, axis.low, axis.high]
    shown += [end for one, at, half in places if one.kind for end in (at - half, at + half)]
    rest = sorted(at for one, at, _ in places if not one.kind)
    cut = len(rest) // OUTER_SPOTS
    shown += rest[cut : len(rest) - cut]
    first, last = min(shown), max(shown)
    pad = max(last - first, 1e-9) * 0.06
    return first - pad, last + pad


def format_sparkline(values: Sequence[float]) -> str:
    """Values as a row of small block characters that start at zero, for a terminal."""
    low, high = min(0.0, *values), max(0.0, *values)
    steps = "▁▂▃▄▅▆▇█"
    return "".join(steps[round(7 * (v - low) / (high - low))] if high > low else steps[0] for v in values)
