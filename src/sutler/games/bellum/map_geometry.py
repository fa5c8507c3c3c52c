"""The map of Bellum as a drawing: the places of hexes, rivers and coast, which do not depend on the state of a game."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import floor, sin
from typing import Any

from sutler.games.bellum.packing import hex_centre, hex_corners, neighbour_codes

HEX_WIDTH = 34.0  # from the centre of a hex to a corner
HALF_HEIGHT = 29.445


@cache
def build_map_geometry(codes: tuple[str, ...], sea: frozenset[str], rivers: tuple[str, ...]) -> dict[str, Any]:
    """The places of hexes, rivers and the coast in units of the drawing; `rivers`: each as "name:side side …"."""
    spots = {code: _to_drawing_units(hex_centre(code)) for code in codes}
    left = min(x for x, _ in spots.values()) - HEX_WIDTH
    top = min(y for _, y in spots.values()) - HALF_HEIGHT
    width = max(x for x, _ in spots.values()) + HEX_WIDTH - left
    height = max(y for _, y in spots.values()) + HALF_HEIGHT - top
    return {
        "left": left,
        "top": top,
        "width": round(width, 1),
        "height": round(height, 1),
        "spots": {code: (round(x - left, 1), round(y - top, 1)) for code, (x, y) in spots.items()},
        "rivers": [_with_hex_above_name(_parse_river(text, left, top), spots, left, top) for text in rivers],
        "shores": _coast_paths(frozenset(codes), sea, left, top),
    }


def _coast_paths(codes: frozenset[str], sea: frozenset[str], left: float, top: float) -> tuple[str, str]:
    """The outline of all land as a closed path, and the sides where it meets the sea as ragged lines."""
    after: dict[tuple[int, int], tuple[tuple[int, int], bool]] = {}
    for code in sorted(codes - sea):
        x, y = hex_centre(code)
        ring = [(x - 1, y - 1), (x + 1, y - 1), (x + 2, y), (x + 1, y + 1), (x - 1, y + 1), (x - 2, y)]
        for k, other in enumerate(neighbour_codes(code)):  # side k, from the north on, begins at ring[k]
            if other not in codes or other in sea:
                after[ring[k]] = (ring[(k + 1) % 6], other in sea)
    land, coast = [], []
    while after:
        here = next(iter(after))
        points = []
        while here in after:
            there, is_coast = after.pop(here)
            side = _jagged_side(here, there) if is_coast else [_to_drawing_units(here)]
            points += side
            if is_coast:
                coast.append("M" + _format_svg_points([*side, _to_drawing_units(there)], left, top))
            here = there
        land.append("M" + _format_svg_points(points, left, top) + "Z")
    return "".join(land), "".join(coast)


def _format_svg_points(points: list[tuple[float, float]], left: float, top: float) -> str:
    """Points as the middle part of an SVG path; `left`, `top`: the corner of the drawing, which is subtracted."""
    return "L".join(f"{x - left:.1f} {y - top:.1f}" for x, y in points)


def _jagged_side(start: tuple[int, int], end: tuple[int, int], n_pieces: int = 6) -> list[tuple[float, float]]:
    """Points of a jagged line along a hex side, to draw a coast; equal for equal ends. `n_pieces`: the number of pieces of the line."""
    (ax, ay), (bx, by) = _to_drawing_units(start), _to_drawing_units(end)
    points = [(ax, ay)]
    for i in range(1, n_pieces):
        bay = sin(ax * 12.9898 + ay * 78.233 + i * 37.719) * 43758.5453
        away = ((bay - floor(bay)) - 0.5) * 7
        t = i / n_pieces
        points.append((ax + (bx - ax) * t - (by - ay) / 34 * away, ay + (by - ay) * t + (bx - ax) / 34 * away))
    return points


def _to_drawing_units(point: tuple[int, int]) -> tuple[float, float]:
    """A point of the hex grid in units of the drawing."""
    return point[0] * HEX_WIDTH / 2, point[1] * HALF_HEIGHT


def _parse_river(text: str, left: float, top: float) -> dict[str, Any]:
    """A river as a chain of corners; its name is drawn beside one of its level sides."""
    name, _, sides = text.partition(":")
    ends = [hex_corners(side[:4]) & hex_corners(side[5:]) for side in sides.split()]
    chain: list[tuple[int, int]] = []
    for k, pair in enumerate(ends):
        after = ends[k + 1] if k + 1 < len(ends) else set()
        if not chain:
            chain = sorted(pair, key=lambda corner: corner in after)
        else:
            chain += [corner for corner in pair if corner != chain[-1]]
    points = [(round(x - left, 1), round(y - top, 1)) for x, y in map(_to_drawing_units, chain)]
    level = [(a, b) for a, b in pairwise(points) if abs(a[1] - b[1]) < 1]
    middle = level[len(level) // 2] if level else (points[0], points[-1])
    label = (round((middle[0][0] + middle[1][0]) / 2, 1), round((middle[0][1] + middle[1][1]) / 2, 1))
    return {"name": name, "points": points, "label": label}


def _with_hex_above_name(
    river: dict[str, Any], spots: dict[str, tuple[float, float]], left: float, top: float
) -> dict[str, Any]:
    """A copy of the river with one more field: the code of the hex above the river's name, "" for none.

    That hex's own name is moved aside in `spots`.
    """
    x, y = river["label"][0] + left, river["label"][1] + top - HALF_HEIGHT
    found = (code for code, spot in spots.items() if abs(spot[0] - x) < 1 and abs(spot[1] - y) < 1)
    return {**river, "above": next(found, "")}
