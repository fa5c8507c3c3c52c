"""Pictures for the lab's pages, as SVG: effects with their intervals, and curves with a band around them.

They are WIDTH units wide and shown at about that many pixels, on a phone and on a desk, so that their letters can be
read on both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from sutler.lab.report.report_charts import DASHES, linear, spread_labels, ticks

WIDTH = 440


@dataclass(frozen=True)
class Bar:
    """A value and its interval, on a line with a name; `tone` colours it: more, less, or neutral."""

    label: str
    low: float
    value: float
    high: float
    told: str
    tone: str = ""


@dataclass(frozen=True)
class Curve:
    """Values and intervals over the positions that all curves of a picture share."""

    label: str
    values: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


def bars(rows: Sequence[Bar], around: float, unit: str, percent: bool = False) -> str:
    """A chart of rows with a name, and under it a dot with its interval as a bar; a rule at `around`.

    `percent`: values are shares.

    An infinite interval, such as one game's, runs from edge to edge.
    """
    left, right, line = 12, 96, 38
    ends = [around, *(end for one in rows for end in (one.low, one.value, one.high) if math.isfinite(end))]
    low, high = min(ends), max(ends)
    pad = max(high - low, 1e-9) * 0.05
    low, high = low - (pad if low < around else 0), high + pad
    bottom = line * len(rows) + 10

    x = linear(low, high, left, WIDTH - right)
    parts = [f'<svg viewBox="0 0 {WIDTH} {bottom + 38}" role="img" aria-label="{escape(unit)}">']
    for tick in ticks(low, high):
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


def curves(
    at: Sequence[str], lines: Sequence[Curve], unit: str, say: Callable[[float], str], even: float | None = None
) -> str:
    """A chart of curves over the values of a parameter, evenly spaced, each in a band; `even` draws a rule of comparison."""
    left, right, top, bottom, height = 48, 118, 12, 42, 280
    seen = [v for one in lines for part in (one.low, one.high) for v in part] + ([] if even is None else [even])
    low, high = min(seen), max(seen)
    pad = max(high - low, 1e-3 * max(abs(high), 1e-6)) * 0.06
    low, high = low - pad, high + pad

    def x(i: float) -> float:
        return left + (WIDTH - left - right) * (i / (len(at) - 1) if len(at) > 1 else 0.5)

    y = linear(low, high, height - bottom, top)
    parts = [f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(unit)}">']
    for tick in ticks(low, high, 5):
        parts.append(f'<path class="grid" d="M{left} {y(tick):.1f}H{WIDTH - right}"/>')
        parts.append(f'<text class="tick end" x="{left - 8}" y="{y(tick) + 4:.1f}">{escape(say(tick))}</text>')
    if even is not None:
        parts.append(f'<path class="even" d="M{left} {y(even):.1f}H{WIDTH - right}"/>')
    step = -(-len(at) * max(len(one) for one in at) * 8 // (WIDTH - left - right))  # every step-th value gets a label
    for i, value in list(enumerate(at))[:: max(1, step)]:
        parts.append(f'<text class="tick" x="{x(i):.1f}" y="{height - bottom + 18}">{escape(value)}</text>')
    ends = spread_labels([y(one.values[-1]) for one in lines], 16)
    for k, one in enumerate(lines):
        band = [f"{x(i):.1f},{y(v):.1f}" for i, v in enumerate(one.high)]
        band += [f"{x(i):.1f},{y(one.low[i]):.1f}" for i in reversed(range(len(at)))]
        points = " ".join(f"{x(i):.1f},{y(v):.1f}" for i, v in enumerate(one.values))
        dash = f' stroke-dasharray="{DASHES[k % 6]}"' if DASHES[k % 6] else ""
        parts.append(f'<g class="c{k % 6 + 1}"><polygon points="{" ".join(band)}"/><polyline points="{points}"{dash}/>')
        parts += [f'<circle cx="{x(i):.1f}" cy="{y(v):.1f}" r="3.5"/>' for i, v in enumerate(one.values)]
        parts.append(
            f'<text class="told" x="{WIDTH - right + 12}" y="{ends[k] + 5:.1f}">{escape(one.label)}</text></g>'
        )
    middle = (left + WIDTH - right) / 2
    parts.append(f'<text class="tick" x="{middle:.1f}" y="{height - 6}">{escape(unit)}</text></svg>')
    return "".join(parts)


def spark(values: Sequence[float]) -> str:
    """Values as a row of small bars that stand on zero, for a terminal: what differs little looks alike."""
    low, high = min(0.0, *values), max(0.0, *values)
    steps = "▁▂▃▄▅▆▇█"
    return "".join(steps[round(7 * (v - low) / (high - low))] if high > low else steps[0] for v in values)
