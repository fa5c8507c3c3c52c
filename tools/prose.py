"""Write the figures in prose from the commands they come from, or check that each lies within its command's interval.

    python tools/prose.py docs/tutorial.md              run the page's commands, write every marked figure anew
    python tools/prose.py docs/tutorial.md --check      run them, and say which figures lie outside their intervals; exit 1 where one does
    python tools/prose.py docs/tutorial.md --in FOLDER  with the files that the commands have left there
    python tools/prose.py docs/strategy/manor.md        a page whose figures are those of docs/bots.md, with no command of its own
    python tools/prose.py docs/learn.md --check         figures that are kept or were measured once: compared with where they stand
    python tools/prose.py docs/answers/warfarm-steel.txt   run the command in its first line, and say which of its lines are not printed

A figure in a page stands between marks that no reader sees, with where it comes from and how it is written:

    <!-- uses dovecote.parquet Dovecote .2f -->0.03<!-- . -->

The sources: `uses FILE THING` (how often a game), `offered FILE ACTION offered` (on how
many occasions it could be done; taken: was done), `owners FILE THING`
(how much oftener those won who had it), `games FILE.parquet FIGURE` (a headline figure), `wins
FILE.parquet BOT` (how often it won), `decided FILE.parquet 50` (the share decided when
so much of the game was over), `leads FILE.parquet 2 7` (the share with so many changes of the lead), `sweep FILE.csv FIGURE VALUE`, `across
FILE.csv FIGURE BOT`, `hidden FILE.csv MEASURE`, `compare FILE.json FIGURE PART` (a part is effect, low, high, a, b, plain_a or plain_b),
`impact FILE.csv THING FIELD` (of a card: draws, lead_other, lead_other_half, naive …; of a choice: games, done, lead, lead_half …),
`found GAME.md FINDING CLAIM BOT`, what `verify_findings.py` wrote into docs/findings, `row TABLE "ONE, AMONG"`, the share won in a row
of docs/bots.md, told by its first cells, `curve FILE.csv COLUMN KEY=VALUE`, what a program of examples/learn left in docs/curves,
`once NAME FIELD`, what was measured on one day and is dear to repeat (docs/figures.toml, `once`), and three that are counted:
`longest GAME` (decisions of its longest random game), `numbers GAME SEATS all` (or compact: the numbers of an observation),
`questions GAME` (the questions that it declares).
`low` or `high` after any of them but compare and impact is an end of its interval. Last comes the format, as in
Python; `pp` times a hundred, `+` with its sign.

A number of such a page that no mark holds is a fault, unless it is one of the plain numbers that docs/figures.toml lists for the page
(settings, rules, names), a heading's, a date's or a paragraph's.

The commands of a page are listed in docs/figures.toml. They are those of the page, except that they keep a table where the page keeps
something to read.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

ROOT = Path(__file__).resolve().parent.parent
SHEET = ROOT / "docs" / "figures.toml"
FINDINGS = ROOT / "docs" / "findings"
CURVES = ROOT / "docs" / "curves"
BLOCK = re.compile(r"```toml\n(# (?P<name>[\w.]+)\n.*?)```", re.DOTALL)
Value = tuple[float, float, float]
"""(a figure, the lower end of its interval, the upper end)."""


@dataclass(frozen=True)
class Marked:
    """A marked figure in a page: the kind of source, the words after it, its format, and the text that stands in the page."""

    source: str
    words: tuple[str, ...]
    form: str
    text: str

    @property
    def scale(self) -> float:
        """100 where the figure is printed in percentage points (format `pp`), else 1."""
        return 100.0 if self.form.endswith("pp") else 1.0

    def written(self, value: float) -> str:
        """A value as text in the figure's format."""
        sign, places = "+" if self.form.startswith("+") else "", self.form.lstrip("+.")[0]
        return f"{self.scale * value:{sign},.{places}f}".replace("-", "−")

    @property
    def told(self) -> float:
        """The value that stands in the page; NaN where the text is no number."""
        try:
            return float(self.text.replace("−", "-").replace(",", "")) / self.scale
        except ValueError:
            return math.nan

    @property
    def rounding(self) -> float:
        """The largest error by rounding: half a unit of the last digit that is printed."""
        return 0.5 * 10.0 ** -int(self.form.lstrip("+.")[0]) / self.scale


def marked_figures(text: str) -> Iterator[tuple[re.Match[str], Marked]]:
    """Yield (match, figure) for every marked figure of a page."""
    for found in MARK.finditer(text):
        yield found, Marked(found["source"], tuple(shlex.split(found["words"])), found["form"], found["text"])


def value_of(one: Marked, folder: Path) -> Value:
    """The figure and its interval, read from the file that its command left in a folder. KeyError where the file has no such figure."""
    file, *words = one.words
    found: Value = READERS[one.source](folder / file, *words)
    return found


def _usage_row(file: Path, thing: str) -> tuple[dict[str, Any], int]:
    """(the row about a thing in the report's table of used things, number of games). KeyError if no table has the thing."""
    from sutler.lab.play.experiment_file import read
    from sutler.lab.report import usage_tables

    sample = read(file)
    for kind in usage_tables.list_kinds(sample):
        found = usage_tables.build_impact_table(sample, kind, usage_tables.find_main_rule(sample, kind)).filter(
            pl.col("name") == thing
        )
        if len(found):
            return found.row(0, named=True), sample.games
    raise KeyError(thing)


def _uses(file: Path, thing: str) -> Value:
    """How often a thing was used in a game, on average."""
    row, games = _usage_row(file, thing)
    times = float(row["times"])
    half = 1.96 * math.sqrt(max(1.0, times)) / games
    return times / games, times / games - half, times / games + half


def _owners(file: Path, thing: str, end: str = "") -> Value:
    """How much more often seats won that had a thing."""
    row, _ = _usage_row(file, thing)
    return _end_or_value((row["gap"], row["low"], row["high"]), end)


def _sweep(file: Path, figure: str, value: str, end: str = "") -> Value:
    """A figure at one value of a sweep's parameter."""
    table = pl.read_csv(file, schema_overrides={"value": pl.String})
    rows = table.filter(pl.col("figure") == figure, pl.col("value") == value)
    return _end_or_value(_only(rows, "mean", "low", "high"), end)


def _compare(file: Path, figure: str, part: str) -> Value:
    """A part of a figure in the answer of `sutler compare`."""
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
    """A field of a card, or of a choice, in the table of `sutler impact`."""
    table = pl.read_csv(file)
    row = table.filter(pl.col("card" if "card" in table.columns else "choice") == card)
    if field in ("draws", "games"):
        n = float(row[field][0])
        return n, n - 3 * math.sqrt(n), n + 3 * math.sqrt(n)
    if field.endswith(
        "_half"
    ):  # the width of an interval has none of its own: another that is half as wide again is another figure
        return float(row[field][0]), float(row[field][0]) / 1.5, float(row[field][0]) * 1.5
    (mean,), (half,) = row[field], row[f"{field}_half"]
    return mean, mean - half, mean + half


def _end_or_value(found: Value, end: str) -> Value:
    """The figure itself for "", or for `end` "low" or "high" that end of its interval, with an interval of the same width."""
    _, low, high = found
    if not end:
        return found
    told, half = {"low": low, "high": high}[end], (high - low) / 2
    return told, told - half, told + half


def _games(file: Path, figure: str, end: str = "") -> Value:
    """A headline figure of an experiment."""
    from sutler import load
    from sutler.lab.play.experiment_file import read
    from sutler.lab.play.headline_figures import compute_game_figures, compute_joint_intervals

    sample = read(file)
    found = compute_joint_intervals(compute_game_figures(load(sample.about["game"]).definition, sample.table))
    return _end_or_value({one.name: value for one, value in found.items()}[figure], end)


def _wins(file: Path, bot: str, end: str = "") -> Value:
    """The share of games won by a bot of this name, shared first places counted in parts, with Wilson's interval."""
    from sutler.lab.play.headline_figures import compute_table_figures

    values = next(
        values for one, values in compute_table_figures(pl.read_parquet(file)).items() if one.name == f"bot_{bot}"
    )
    return _share_with_interval(float(values.sum()), len(values), end)


def _share_with_interval(yes: float, games: int, end: str) -> Value:
    """The share of games with a yes, with Wilson's interval."""
    from sutler.lab.stats.estimates import compute_wilson_interval

    return _end_or_value((yes / games, *compute_wilson_interval(yes, games)), end)


def _decided(file: Path, at: str, end: str = "") -> Value:
    """The share of games decided when `at` percent of them were played."""
    from sutler.lab.play.experiment_file import read
    from sutler.lab.report.result_tables import build_decided_by_table

    sample = read(file)
    (share,) = build_decided_by_table(sample).filter(pl.col("at") == int(at))["share"]
    return _share_with_interval(share * sample.games, sample.games, end)


def _leads(file: Path, fewest: str, most: str, end: str = "") -> Value:
    """The share of games with `fewest` to `most` changes of the lead."""
    changes = pl.read_parquet(file)["lead_changes"]
    return _share_with_interval(float(changes.is_between(int(fewest), int(most)).sum()), len(changes), end)


def _offered(file: Path, action: str, part: str) -> Value:
    """The number of times that an action was offered or taken (`part`), plus and minus three times its square root."""
    from sutler.lab.play.experiment_file import read

    rows = read(file).choices.filter(pl.col("action") == action)
    n = float(rows[part].sum())
    half = 3 * max(1.0, math.sqrt(n))
    return n, n - half, n + half


def _across(file: Path, figure: str, bot: str, end: str = "") -> Value:
    """A figure between one kind of bot, from the table of `sutler across`."""
    rows = pl.read_csv(file).filter(pl.col("figure") == figure, pl.col("bot") == bot)
    return _end_or_value(_only(rows, "mean", "low", "high"), end)


def _hidden(file: Path, measure: str, end: str = "") -> Value:
    """A measure from the table of `sutler hidden`."""
    return _end_or_value(_only(pl.read_csv(file).filter(pl.col("measure") == measure), "value", "low", "high"), end)


def _found(file: Path, finding: str, claim: str, bot: str, end: str = "") -> Value:
    """A figure in a page of findings, which `studies/verify_findings.py` wrote; its interval is empty, since it must be equal."""
    page = (FINDINGS / file.name).read_text(encoding="utf-8")
    block = page.partition(f"<!-- found {finding} -->")[2].partition(f"<!-- end of {finding} -->")[0]
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in block.splitlines() if line[:1] == "|"]
    cell = next(row for row in rows if row[0] == bot)[rows[0].index(claim)]
    value, low, high = (float(one.replace("−", "-")) for one in re.findall(r"[+−-]?[\d.]+", cell)[:3])
    told = {"": value, "low": low, "high": high}[end] / (100 if "%" in cell or "points" in cell else 1)
    return told, told, told


def _row(file: Path, names: str, end: str = "") -> Value:
    """The share won, of a hundred, in a row of docs/bots.md (`studies/bot_figures.py`); `names`: its first cells. The interval is empty."""
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    block = page.partition(f"<!-- figures {file.name} -->")[2].partition(f"<!-- end of {file.name} -->")[0]
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in block.splitlines() if line[:1] == "|"]
    at = next(i for i, head in enumerate(rows[0]) if head.startswith("won"))
    wanted = names.split(", ")
    row = next((row for row in rows if row[: len(wanted)] == wanted), None)
    if row is None:
        raise KeyError(names)
    low, high = row[at + 1].split("–")
    told = float({"": row[at], "low": low, "high": high}[end])
    return told, told, told


def _curve(file: Path, column: str, where: str) -> Value:
    """A column of the row of a table in docs/curves in which `where` ("rounds=2") holds. The interval is empty."""
    key, _, wanted = where.partition("=")
    rows = pl.read_csv(CURVES / file.name).filter(pl.col(key).cast(pl.String) == wanted)
    return _only(rows, column, column, column)


def _once(file: Path, field: str) -> Value:
    """A figure that was measured once, from docs/figures.toml. The interval is empty."""
    told = float(tomllib.loads(SHEET.read_text(encoding="utf-8"))["once"][file.name]["figures"][field])
    return told, told, told


def _longest(file: Path) -> Value:
    """The decisions of the longest random game that was met when a game's `learners.toml` was measured. The interval is empty."""
    from sutler.core.files.toml import read_toml_file
    from sutler.core.play.registry import find_game_folder

    told = float(read_toml_file(find_game_folder(file.name) / "learners.toml")["play"]["longest"])
    return told, told, told


def _numbers(file: Path, seats: str, which: str) -> Value:
    """The numbers of an observation at a table of so many seats: "all", or "compact". The interval is empty."""
    from sutler.core.play.game import load
    from sutler.interop.session import Session

    told = float(Session(load(file.name), int(seats), compact=which == "compact").encoding.n)
    return told, told, told


def _questions(file: Path) -> Value:
    """The number of questions that a game declares. The interval is empty."""
    from sutler.core.play.registry import find_game_folder

    told = float(len(tomllib.loads((find_game_folder(file.name) / "questions.toml").read_text("utf-8"))["question"]))
    return told, told, told


TOLD_WITHOUT_COMMANDS = ("found", "row", "curve", "once", "longest", "numbers", "questions")
"""Sources for which no command leaves a file: tables of other pages, kept curves, measurements of one day, and what is counted."""
READERS: dict[str, Any] = {
    "uses": _uses,
    "offered": _offered,
    "owners": _owners,
    "games": _games,
    "wins": _wins,
    "decided": _decided,
    "leads": _leads,
    "sweep": _sweep,
    "across": _across,
    "hidden": _hidden,
    "compare": _compare,
    "impact": _impact,
    "found": _found,
    "row": _row,
    "curve": _curve,
    "once": _once,
    "longest": _longest,
    "numbers": _numbers,
    "questions": _questions,
}
MARK = re.compile(
    rf"<!-- (?P<source>{'|'.join(READERS)}) (?P<words>[^>]*?) (?P<form>\+?\.\d(?:f|pp)) -->(?P<text>[^<]*)<!-- \. -->"
)


def _only(rows: pl.DataFrame, *columns: str) -> Value:
    """The values in these columns of the only row; KeyError if there is not exactly one."""
    if len(rows) != 1:
        raise KeyError(f"{len(rows)} rows")
    return tuple(float(rows[name][0]) for name in columns)  # type: ignore[return-value]


def refreshed(text: str, folder: Path) -> str:
    """The page with every marked figure replaced by the value in its command's file in `folder`."""
    for found, one in reversed(list(marked_figures(text))):
        new = one.written(value_of(one, folder)[0])
        text = text[: found.start("text")] + new + text[found.end("text") :]
    return text


def faults(text: str, folder: Path) -> list[str]:
    """Sentences on the marked figures that lie outside their command's interval; figures whose file is missing are skipped."""
    found = []
    for _, one in marked_figures(text):
        if one.source not in TOLD_WITHOUT_COMMANDS and not (folder / one.words[0]).exists():
            continue
        value, low, high = value_of(one, folder)
        if not low - one.rounding <= one.told <= high + one.rounding:
            ends = f"{one.written(low)} to {one.written(high)}"
            found.append(
                f"{one.source} {' '.join(one.words)}: the page says {one.text}, the command {one.written(value)} ({ends})"
            )
    return found


NUMBER = re.compile(r"(?<![\w.])[+−-]?\d[\d,.]*")
NO_PROSE = re.compile(
    r"```.*?```|<!-- (?:figures|found) ([\w-]+) -->.*?<!-- end of \1 -->"
    r"|<!-- (?:first commands|learner speed|file: [^>]*|[\w ]+: [^>]*) -->.*?<!-- end -->|`[^`]*`|\]\([^)]*\)",
    re.DOTALL,
)
"""What tools write and check (code, whole blocks), and what no reader takes for a figure (code in a line, addresses of links)."""
PLAIN = re.compile(
    r"^#+ \d+\. |\(\d+ minutes\)$|\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r"\s+20\d\d\b|\(\d+\.\d+\)|\b95 %",
    re.MULTILINE,
)
"""Numbers that are plain on every page: of headings, dates, paragraphs, and of intervals at 95 %."""


def list_unmarked_numbers(text: str, plain: Iterable[str]) -> list[str]:
    """The numbers of a page that stand outside marks and are no plain ones, each with the words around it.

    plain: phrases of the page whose numbers are settings, rules or names. Line breaks and spaces are alike.
    """
    bare = NO_PROSE.sub(" ", MARK.sub(" ", text))
    bare = " ".join(PLAIN.sub(" ", bare).split())
    for phrase in sorted(plain, key=len, reverse=True):
        bare = bare.replace(phrase, " ")
    return [bare[max(0, one.start() - 40) : one.end() + 40] for one in NUMBER.finditer(bare)]


def write_blocks(page: Path, command: dict[str, Any], folder: Path) -> None:
    """Write into `folder` the TOML blocks of a page that a command needs (its entry's `blocks`, by number)."""
    blocks = [(one["name"], one[1]) for one in BLOCK.finditer(page.read_text(encoding="utf-8"))]
    for k in command.get("blocks", []):
        (folder / blocks[k][0]).write_text(blocks[k][1], encoding="utf-8")


def run_commands(page: Path, folder: Path) -> None:
    """Run a page's commands, as docs/figures.toml lists them, in a folder with the files that the page shows."""
    for command in tomllib.loads(SHEET.read_text(encoding="utf-8")).get(page.stem, []):
        write_blocks(page, command, folder)
        print(f"$ {command['run']}", file=sys.stderr, flush=True)
        subprocess.run(shlex.split(command["run"]), cwd=folder, check=True, stdout=subprocess.DEVNULL)


ANSWER_COLUMNS = "100"
"""The width of the window in which the answers of docs/answers were printed."""


def split_answer(text: str) -> tuple[str, list[str]]:
    """(the command, the lines that it prints) of an answer in docs/answers: a first line "$ COMMAND", then what stands in the page."""
    first, *lines = text.splitlines()
    return first.removeprefix("$ "), [line.strip() for line in lines if line.strip()]


def list_lines_not_printed(text: str, printed: str) -> list[str]:
    """The lines of an answer in docs/answers that the output of its command (`printed`) does not have, or has in another order."""
    there = iter([line.strip() for line in printed.splitlines()])
    return [line for line in split_answer(text)[1] if line not in there]


def check_answer(text: str) -> list[str]:
    """Run the command of an answer in docs/answers, and return its lines that the command does not print."""
    command, _ = split_answer(text)
    wide = os.environ | {"COLUMNS": ANSWER_COLUMNS}
    done = subprocess.run(
        shlex.split(command), check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8", env=wide
    )
    return list_lines_not_printed(text, done.stdout)


def main() -> None:
    """Run the commands of a page, then write its figures or check them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--in", dest="folder", type=Path, help="a folder with the commands' files")
    options = parser.parse_args()
    text = options.page.read_text(encoding="utf-8")
    if options.page.suffix == ".txt":
        if missing := check_answer(text):
            raise SystemExit("\n".join([f"{options.page}: the command does not print", *missing]))
        return
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
