"""Pictures and tables for docs/findings: values with their intervals, from a table that a command of the lab has left (`--out F.csv`).

    sutler across manor --games 1000 --out manor.csv
    python tools/findings.py manor.csv docs/findings/manor-seats.svg --only figure=seat_1,seat_2 --names label,bot --even 0.25

    python tools/findings.py manor.csv docs/findings/manor.md          the table of a ladder, under "Between other bots"

Reads what `across`, `sensitivity`, `impact`, `hidden` and `sweep` write: the value stands in `mean`, `effect` or `value`, its ends in
`low` and `high`, or half of its interval in `half`. The picture goes by the reader's own light or dark, and needs nothing else.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import polars as pl

from sutler.lab.report.drawings import WIDTH, Bar, bars

EDGE = 12
LADDER = "## Between other bots"
SHARES = ("won by", "ending:", "first place", "not finished", "over ")  # labels of figures that are parts of all games

STYLE = """
svg { font: 500 14px "Alegreya Sans", "Gill Sans", Candara, Calibri, sans-serif;
  background: light-dark(#fbf6e9, #1b1611); color-scheme: light dark; }
text { fill: light-dark(#221911, #f1e6d0); } .tick { fill: light-dark(#5c4a3a, #c9b99c); text-anchor: middle; font-size: 12px; }
.name { paint-order: stroke; stroke: light-dark(#fbf6e9, #1b1611); stroke-width: 5px; }
.grid { stroke: light-dark(#d9cbb0, #3a2f24); } .axis { stroke: light-dark(#221911, #f1e6d0); stroke-width: 1.5; }
.bar { stroke: light-dark(#5c4a3a, #c9b99c); stroke-width: 4; stroke-linecap: round; } circle { fill: light-dark(#5c4a3a, #c9b99c); }
.more .bar { stroke: light-dark(#3f6214, #a9cf7f); } .more circle { fill: light-dark(#3f6214, #a9cf7f); }
.less .bar { stroke: light-dark(#8a2219, #f29a84); } .less circle { fill: light-dark(#8a2219, #f29a84); }
"""


def rows_of(table: pl.DataFrame, only: list[str], names: list[str], around: float, scale: float) -> list[Bar]:
    """The rows asked for, in the order in which they are asked for, as bars."""
    found = []
    for one in picked(table, only).iter_rows(named=True):
        value = scale * float(next(one[name] for name in ("mean", "effect", "value") if name in one))
        half = scale * float(one["half"]) if "half" in one else 0.0
        low, high = (value - half, value + half) if half else (scale * one["low"], scale * one["high"])
        tone = "more" if low > scale * around else "less" if high < scale * around else ""
        told = f"{value:.1f}".replace("-", "−")
        found.append(Bar(", ".join(str(one[name]) for name in names), low, value, high, told, tone))
    return found


def picked(table: pl.DataFrame, only: list[str]) -> pl.DataFrame:
    """Rows whose columns hold one of the values asked for: `figure=seat_1,seat_2`."""
    for one in only:
        column, _, values = one.partition("=")
        wanted = values.split(",")
        order = {value: k for k, value in enumerate(wanted)}
        table = table.with_columns(pl.col(column).cast(pl.String)).filter(pl.col(column).is_in(wanted))
        table = table.sort(pl.col(column).replace_strict(order, default=0, return_dtype=pl.Int64), maintain_order=True)
    if table.is_empty():
        raise SystemExit(f"nothing there with {' and '.join(only)}")
    return table


def drawn(table: pl.DataFrame, asked: Any) -> str:
    """The whole picture."""
    found = rows_of(table, asked.only, asked.names.split(","), asked.even, asked.times)
    return finished(bars(found, asked.times * asked.even, asked.unit))


def finished(picture: str) -> str:
    """A picture of the lab as a file that stands by itself, with an edge and colours for light and dark."""
    head, _, rest = picture.partition(">")
    height = int(head.partition('viewBox="0 0 ')[2].split()[1].rstrip('"'))
    head = head.replace(f"0 0 {WIDTH} {height}", f"{-EDGE} {-EDGE} {WIDTH + 2 * EDGE} {height + 2 * EDGE}")
    size = f'width="{WIDTH + 2 * EDGE}" height="{height + 2 * EDGE}"'  # else a page draws it as wide as it is itself
    return f'{head} xmlns="http://www.w3.org/2000/svg" {size}><style>{STYLE}</style>{rest}\n'


def ladder(table: pl.DataFrame) -> str:
    """What `across` has found: a row a figure, a column a bot with its games, and the verdict."""
    bots = table.unique("bot", maintain_order=True)
    head = [f"{one['bot']}, {one['games']:,} games" for one in bots.iter_rows(named=True)]
    lines = [["figure", *head, "verdict"], ["---"] * (len(head) + 2)]
    for (label,), rows in table.group_by("label", maintain_order=True):
        told = [told_of(str(label), *row) for row in rows.select("mean", "low", "high").iter_rows()]
        lines.append([str(label), *told, str(rows["verdict"][0])])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def told_of(label: str, mean: float, low: float, high: float) -> str:
    """A value with its interval."""
    if label.startswith(SHARES):
        return f"{mean:.1%} ({low:.1%}–{high:.1%})".replace("%", " %").replace(" %–", "–")
    return f"{mean:.1f} ({low:.1f}–{high:.1f})"


def put(table: str, page: str) -> str:
    """The page with this table in the place of the one under its heading."""
    before, heading, after = page.partition(LADDER)
    if not heading:
        raise SystemExit(f"the page has no {LADDER!r}")
    section, below, rest = after.partition("\n## ")
    lines = section.strip("\n").split("\n")
    first = next((k for k, line in enumerate(lines) if line.startswith("|")), len(lines))
    last = next((k for k in range(first, len(lines)) if not lines[k].startswith("|")), len(lines))
    kept = ["\n".join(lines[:first]).strip("\n"), table, "\n".join(lines[last:]).strip("\n")]
    return before + heading + "\n\n" + "\n\n".join(filter(None, kept)) + "\n" + below + rest


def main() -> None:
    """Read, draw, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "table", type=Path, nargs="+", help="a .csv or .parquet that the lab has left; several in a row"
    )
    parser.add_argument("to", type=Path, help="the .svg, or the page of findings (.md)")
    parser.add_argument("--only", action="append", default=[], help="COLUMN=VALUE,VALUE: these rows, in this order")
    parser.add_argument("--names", default="label,bot", help="the columns that name a row")
    parser.add_argument(
        "--even", type=float, default=0.0, help="what says nothing: a line there, green above, red below"
    )
    parser.add_argument("--times", type=float, default=100.0, help="100 for shares, 1 for what has a unit of its own")
    parser.add_argument("--unit", default="% of games")
    asked = parser.parse_args()
    tables = [pl.read_csv(one) if one.suffix == ".csv" else pl.read_parquet(one) for one in asked.table]
    table = pl.concat(tables)
    if asked.to.suffix == ".md":
        asked.to.write_text(put(ladder(table), asked.to.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        asked.to.write_text(drawn(table, asked), encoding="utf-8")


if __name__ == "__main__":
    main()
