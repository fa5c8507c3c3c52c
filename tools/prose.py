"""Write the figures in prose from the commands they come from, or check that each lies within its command's interval.

    python tools/prose.py docs/tutorial.md              run the page's commands, write every marked figure anew
    python tools/prose.py docs/tutorial.md --check      run them, and say which figures lie outside their intervals; exit 1 where one does
    python tools/prose.py docs/tutorial.md --in FOLDER  with the files that the commands have left there

A figure in a page stands between marks that no reader sees, with where it comes from and how it is written:

    <!-- uses dovecote.parquet Dovecote .2f -->0.03<!-- . -->

The sources: `uses FILE THING` (how often a game), `sweep FILE.csv FIGURE VALUE`, `compare FILE.json FIGURE PART` (a part is effect,
low, high, a, b, plain_a or plain_b), `impact FILE.csv CARD FIELD` (draws, lead_other, lead_other_half, naive …). Last comes the format,
as in Python; `pp` times a hundred, `+` with its sign.

The commands of a page are listed in docs/figures.toml. They are those of the page, except that they keep a table where the page keeps
something to read.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

ROOT = Path(__file__).resolve().parent.parent
SHEET = ROOT / "docs" / "figures.toml"
MARK = re.compile(
    r"<!-- (?P<source>uses|sweep|compare|impact) (?P<words>[^>]*?) (?P<form>\+?\.\d(?:f|pp)) -->(?P<text>[^<]*)<!-- \. -->"
)
BLOCK = re.compile(r"```toml\n(# (?P<name>[\w.]+)\n.*?)```", re.DOTALL)
Value = tuple[float, float, float]
"""A figure, and the ends of its interval."""


@dataclass(frozen=True)
class Marked:
    """A figure in a page: where it comes from, its format, and its text."""

    source: str
    words: tuple[str, ...]
    form: str
    text: str

    @property
    def scale(self) -> float:
        """A hundred where the figure is in points of a hundred."""
        return 100.0 if self.form.endswith("pp") else 1.0

    def written(self, value: float) -> str:
        """A value as the page has it."""
        sign, places = "+" if self.form.startswith("+") else "", self.form.lstrip("+.")[0]
        return f"{self.scale * value:{sign},.{places}f}".replace("-", "−")

    @property
    def told(self) -> float:
        """The number that stands in the page; not a number where none does."""
        try:
            return float(self.text.replace("−", "-").replace(",", "")) / self.scale
        except ValueError:
            return math.nan

    @property
    def rounding(self) -> float:
        """Half of the last digit that is written."""
        return 0.5 * 10.0 ** -int(self.form.lstrip("+.")[0]) / self.scale


def marked_figures(text: str) -> Iterator[tuple[re.Match[str], Marked]]:
    """Every marked figure of a page, with its place."""
    for found in MARK.finditer(text):
        yield found, Marked(found["source"], tuple(shlex.split(found["words"])), found["form"], found["text"])


def value_of(one: Marked, folder: Path) -> Value:
    """The figure and its interval, read from the file that its command left in a folder. KeyError where the file has no such figure."""
    file, *words = one.words
    found: Value = READERS[one.source](folder / file, *words)
    return found


def _uses(file: Path, thing: str) -> Value:
    from sutler.lab.play.experiment_file import read
    from sutler.lab.report import usage_tables

    sample = read(file)
    for kind in usage_tables.kinds(sample):
        found = usage_tables.impact(sample, kind, usage_tables.main_rule(sample, kind)).filter(pl.col("name") == thing)
        if len(found):
            times = float(found["times"][0])
            half = 1.96 * math.sqrt(max(1.0, times)) / sample.games
            return times / sample.games, times / sample.games - half, times / sample.games + half
    raise KeyError(thing)


def _sweep(file: Path, figure: str, value: str) -> Value:
    table = pl.read_csv(file, schema_overrides={"value": pl.String})
    return _only(table.filter(pl.col("figure") == figure, pl.col("value") == value), "mean", "low", "high")


def _compare(file: Path, figure: str, part: str) -> Value:
    told = json.loads(file.read_text(encoding="utf-8"))["effects"]
    row = next((row for row in told if row["figure"] == figure), None)
    if row is None:
        raise KeyError(figure)
    half = (row["high"] - row["low"]) / 2
    if part in ("plain_a", "plain_b"):
        mean = row["tail"]["means"][part == "plain_b"]
        return mean, mean - half, mean + half
    if part == "effect":
        return row["effect"], row["low"], row["high"]
    return row[part], row[part] - half, row[part] + half


def _impact(file: Path, card: str, field: str) -> Value:
    row = pl.read_csv(file).filter(pl.col("card") == card)
    if field == "draws":
        n = float(row[field][0])
        return n, n - 3 * math.sqrt(n), n + 3 * math.sqrt(n)
    if field.endswith(
        "_half"
    ):  # the width of an interval has none of its own: another that is half as wide again is another figure
        return float(row[field][0]), float(row[field][0]) / 1.5, float(row[field][0]) * 1.5
    (mean,), (half,) = row[field], row[f"{field}_half"]
    return mean, mean - half, mean + half


READERS: dict[str, Any] = {"uses": _uses, "sweep": _sweep, "compare": _compare, "impact": _impact}


def _only(rows: pl.DataFrame, *columns: str) -> Value:
    if len(rows) != 1:
        raise KeyError(f"{len(rows)} rows")
    return tuple(float(rows[name][0]) for name in columns)  # type: ignore[return-value]


def refreshed(text: str, folder: Path) -> str:
    """The page with every marked figure as its command gives it."""
    for found, one in reversed(list(marked_figures(text))):
        new = one.written(value_of(one, folder)[0])
        text = text[: found.start("text")] + new + text[found.end("text") :]
    return text


def faults(text: str, folder: Path) -> list[str]:
    """The marked figures that lie outside their command's interval, in words; files that are not there are passed over."""
    found = []
    for _, one in marked_figures(text):
        if not (folder / one.words[0]).exists():
            continue
        value, low, high = value_of(one, folder)
        if not low - one.rounding <= one.told <= high + one.rounding:
            ends = f"{one.written(low)} to {one.written(high)}"
            found.append(
                f"{one.source} {' '.join(one.words)}: the page says {one.text}, the command {one.written(value)} ({ends})"
            )
    return found


def run_commands(page: Path, folder: Path) -> None:
    """Run the page's commands of docs/figures.toml in a folder, with the files that the page shows."""
    blocks = [(one["name"], one[1]) for one in BLOCK.finditer(page.read_text(encoding="utf-8"))]
    for command in tomllib.loads(SHEET.read_text(encoding="utf-8"))[page.stem]:
        for k in command.get("blocks", []):
            (folder / blocks[k][0]).write_text(blocks[k][1], encoding="utf-8")
        print(f"$ {command['run']}", file=sys.stderr, flush=True)
        subprocess.run(shlex.split(command["run"]), cwd=folder, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Run the commands, then write or check the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--in", dest="folder", type=Path, help="a folder with the commands' files")
    options = parser.parse_args()
    text = options.page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as made:
        folder = options.folder or Path(made)
        if options.folder is None:
            run_commands(options.page, folder)
        if not options.check:
            options.page.write_text(refreshed(text, folder), encoding="utf-8")
        elif found := faults(text, folder):
            raise SystemExit("\n".join(found))


if __name__ == "__main__":
    main()
