"""Draw a curve that ppo.py or cfr.py wrote: python curve.py manor.csv decisions won curve.svg "Decisions, in thousands" --per 1000"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

from sutler.lab.report.report_charts import format_number, format_round_percent, render_line_chart

STYLE = """<style>
text { font: 12px Georgia, "Times New Roman", serif; fill: #3b2f20; } .tick { font-size: 11px; fill: #6b5a42; }
.end { text-anchor: end; } .middle { text-anchor: middle; } .grid { stroke: #e3d9c3; fill: none; } .axis { stroke: #6b5a42; }
.series { fill: none; stroke: #8a2f1f; stroke-width: 2.25; stroke-linejoin: round; }
</style><rect width="100%" height="100%" fill="#fbf7ee"/>"""


def drawn(table: Path, across: str, up: str, below: str, per: float = 1.0, told: str = "") -> str:
    """A picture of two columns of a table, by themselves; KeyError names a column that is not there."""
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    xs, ys = [float(row[across]) / per for row in rows], [float(row[up]) for row in rows]
    top, side = (1.0, format_round_percent) if up == "won" else (None, format_number)
    curve = render_line_chart([(up, ys)], xs, told or f"{up} by {across}", below, side, top, format_number)
    head, _, rest = curve.partition(">")
    return f'{head} xmlns="http://www.w3.org/2000/svg" width="560">{STYLE}{rest}\n'


def main() -> None:
    """Draw it into a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, what in (
        ("table", "a CSV file"),
        ("across", "a column of it"),
        ("up", "another"),
        ("out", "an SVG file"),
    ):
        parser.add_argument(name, help=what, type=Path if name in ("table", "out") else str)
    parser.add_argument("below", help="what stands below")
    parser.add_argument("--per", type=float, default=1.0, help="the unit below (1)")
    given = parser.parse_args()
    given.out.write_text(drawn(given.table, given.across, given.up, given.below, given.per), encoding="utf-8")


if __name__ == "__main__":
    main()
