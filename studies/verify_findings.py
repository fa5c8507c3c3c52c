"""Repeat the findings of a game: play, test each claim between several kinds of bots, and write figures and pictures into the page.

    python studies/verify_findings.py docs/findings/manor.toml --records /tmp/manor      # all findings
    python studies/verify_findings.py docs/findings/manor.toml --records /tmp/manor --only seats,length
    python studies/verify_findings.py docs/findings/manor.toml --judge        # verdicts anew, of the values and intervals in the page

`docs/findings/GAME.toml` lists the bots and the claims; the results go into `docs/findings/GAME.md`, between `<!-- found NAME -->` and
`<!-- end of NAME -->`, and into one picture for each finding. The headline figures go below "Between other bots". Games that are missing
in the folder of records are played first, in the format of `sutler simulate --out`; an interrupted run continues there. Verdicts are those
of `lab.studies.claim_verdicts`; all 95 % intervals of one finding hold simultaneously.

A claim has a `label` and one of

- `figure`: a headline figure of the lab or a sum of them, `power_Sweden + power_Austria`; `column`: a column of the record, `lead_changes`;
- `decided`: the share of games that were decided after this part (0 to 1) of their decisions;
- `event`: how often the event occurs in a game; with `thing`, how often it names that thing; with `than`, how much oftener than another
  thing; with `games = true`, the share of games in which it occurs;
- `owners`: an event and a thing, `placed Watermill`: the share of wins of the seats for which the event occurred;
- `ahead`, with `at` in percent of the game: how much more of this quantity the later winner has then than the mean of the other seats;
- `known`: [value, low, high] for each bot, found by another command.

and may have

- `with`: options or numbers of the box. The claim is then the difference that they make on the same seeds; with `level = true`, the value
  under them. `with` at the top of the file applies to every claim;
- `against`: the other side of a difference where it is not the printed game, `{ seats = 1 }`;
- `seats`; `bots`, the players at the table (`"monk,BOT,BOT"`); `of`, the number of games for each kind of bot;
- `even`: the value that means "no effect"; `drawn = true`: drawn in the picture too (the first claim always is).

A finding has `name`, `alt` (the picture's description), `claim`, optionally `unit` and `between` (names of the bots asked, else all).
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import bot_from, parse_bots
from sutler.core.play.game import Game, load
from sutler.lab.play.experiment import Plan, run
from sutler.lab.play.experiment_file import Sample, read
from sutler.lab.play.headline_figures import Figure, compute_game_figures
from sutler.lab.report.study_charts import WIDTH, Bar, render_interval_bars
from sutler.lab.studies.claim_verdicts import (
    HOLDS_VERDICT,
    TOO_FEW_VERDICT,
    Claim,
    Estimate,
    Evidence,
    JudgedClaim,
    Level,
    Proportion,
    Shift,
    judge_claims,
    judge_estimates,
)
from sutler.lab.studies.robustness import Robustness, build_rung, compute_even_shares

MARGIN_PX = 12
LADDER_HEADING = "## Between other bots"
SHARE_LABELS = ("won by", "ending:", "first place", "not finished", "over ")
"""Beginnings of the labels of headline figures that are shares of all games."""

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

Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class BotKind:
    """A kind of bot: its name on the page, its specification, its games of the printed game (`games`) and of variants (`beside`)."""

    name: str
    bot: str
    games: int
    beside: int


@dataclass(frozen=True)
class Records:
    """A folder with recorded games of one game between several kinds of bots. `sheet`: the parsed TOML file."""

    sheet: dict[str, Any]
    folder: Path

    @cached_property
    def kinds(self) -> list[BotKind]:
        """All kinds of bots; the first one is the reference."""
        return [BotKind(**one) for one in self.sheet["bot"]]

    def kinds_for(self, finding: dict[str, Any]) -> list[BotKind]:
        """The kinds of bots between which a finding is tested."""
        return [kind for kind in self.kinds if kind.name in finding.get("between", [kind.name])]

    @cached_property
    def game(self) -> Game:
        """The game, as printed."""
        return load(self.sheet["game"])

    def sample(self, kind: BotKind, claim: dict[str, Any]) -> Sample:
        """Recorded games of one kind of bot under the options, seats and players of a claim; played first if they are missing."""
        players, defaults = claim.get("bots", "BOT").replace("BOT", kind.bot), self.sheet.get("with", {})
        settings = defaults | claim.get("with", {})
        seats = claim.get("seats", self.sheet["seats"])
        is_variant = settings != defaults or "bots" in claim or seats != self.sheet["seats"]
        words = [kind.name, *(f"{key}={value}" for key, value in settings.items() if defaults.get(key) != value)]
        words += [claim["bots"]] if "bots" in claim else []
        words += [str(seats)] if seats != self.sheet["seats"] else []
        path = self.folder / ("-".join([self.sheet["game"], *words]).replace(" ", "_").replace(",", "+") + ".parquet")
        games = claim["of"][self.kinds.index(kind)] if "of" in claim else kind.beside if is_variant else kind.games
        if not path.exists() or read_once(path).games < games:
            print(f"plays {path.name}: {games:,} games of {players} at {seats} seats", flush=True)
            rules = load(self.sheet["game"], None, settings)
            run(Plan(rules, parse_bots(players), games, self.sheet.get("seed", 1), seats), path, search_cycles=False)
            read_once.cache_clear()
        recorded = read_once(path)
        return recorded if recorded.games == games else replace(recorded, table=recorded.table.head(games))


@cache
def read_once(path: Path) -> Sample:
    """A record, cached after the first read."""
    return read(path)


# --- Claims -------------------------------------------------------------------


def observation(records: Records, kind: BotKind, claim: dict[str, Any]) -> Evidence:
    """A claim's value in each game of one kind of bot, or its difference between two versions on the same seeds."""
    after = level(records, records.sample(kind, claim), claim)
    if not is_paired(claim):
        return after
    plain = {key: value for key, value in claim.items() if key not in ("with", "against")} | claim.get("against", {})
    before = level(records, records.sample(kind, plain), plain)
    if not (isinstance(after, Level) and isinstance(before, Level)):
        raise SystemExit(f"{claim['label']}: the effect of a change needs one number for each game")
    n = min(len(after.values), len(before.values))
    return Shift(before.values[:n], after.values[:n], after.share)


def level(records: Records, sample: Sample, claim: dict[str, Any]) -> Evidence:
    """The claim's number for each game of a sample."""
    table = sample.table
    if "figure" in claim:
        found = {
            one.name: (one, values) for one, values in compute_game_figures(records.game.definition, table).items()
        }
        figures = [found[name] for name in claim["figure"].split(" + ")]
        return Level(np.sum([values for _, values in figures], axis=0), figures[0][0].share)
    if "column" in claim:
        return Level(table[claim["column"]].to_numpy().astype(np.float64))
    if "decided" in claim:
        return Level((table["decided"] <= claim["decided"] * table["decisions"]).to_numpy().astype(np.float64), True)
    if "ahead" in claim:
        return Level(winner_margins(sample, claim["ahead"], claim["at"]))
    if "owners" in claim:
        return owner_wins(sample, *claim["owners"].split(" ", 1))
    counts = event_counts(sample, claim["event"], claim.get("thing", ""))
    if "than" in claim:
        counts = counts - event_counts(sample, claim["event"], claim["than"])
    return Level((counts > 0).astype(np.float64), True) if claim.get("games") else Level(counts)


def event_counts(sample: Sample, event: str, thing: str) -> Floats:
    """How often an event occurs, or names this thing, in each game: shape (games,)."""
    counted = event_rows(sample, event, thing).group_by("game").agg(pl.col("count").sum())
    counts = np.zeros(sample.games)
    counts[counted["game"].to_numpy()] = counted["count"].to_numpy()
    return counts


def event_rows(sample: Sample, event: str, thing: str) -> pl.DataFrame:
    """The rows of an event, or those in which it names this thing. SystemExit if it never names it in any game."""
    if not thing:
        return sample.events.filter(pl.col("event").cast(pl.String) == event)
    used = sample.uses.filter((pl.col("event").cast(pl.String) == event) & (pl.col("name").cast(pl.String) == thing))
    if thing not in sample.uses["name"].dtype.categories:  # type: ignore[attr-defined]
        raise SystemExit(f"{event} never names {thing!r} in {sample.about['file']}")
    return used


def owner_wins(sample: Sample, event: str, thing: str) -> Proportion:
    """For each game: the wins of the seats for which the event named this thing, and the number of these seats."""
    owners = event_rows(sample, event, thing).select("game", pl.col("seat").cast(pl.Int8)).drop_nulls().unique()
    results = sample.results.with_columns(pl.col("game").cast(owners["game"].dtype))
    by_game = owners.join(results, on=["game", "seat"], how="left").group_by("game").agg(pl.col("won").sum(), pl.len())
    wins, seats, games = np.zeros(sample.games), np.zeros(sample.games), by_game["game"].to_numpy()
    wins[games], seats[games] = by_game["won"].to_numpy(), by_game["len"].to_numpy()
    return Proportion(wins, seats)


def winner_margins(sample: Sample, quantity: str, at: int) -> Floats:
    """For each game with one winner: the winner's quantity after `at` percent of the game, minus the mean of the other seats."""
    then = sample.course.filter(pl.col("at") == at, pl.col("seat").is_not_null()).select("game", "seat", quantity)
    result = sample.results.select(pl.col("game").cast(then["game"].dtype), "seat", "won")
    both = then.with_columns(pl.col("seat").cast(pl.Int8)).join(result, on=["game", "seat"])
    by_game = both.group_by("game", maintain_order=True).agg(
        winner=pl.col(quantity).filter(pl.col("won") == 1.0).mean(),
        others=pl.col(quantity).filter(pl.col("won") < 1.0).mean(),
    )
    margin = pl.col("winner").cast(pl.Float64) - pl.col("others").cast(pl.Float64)
    return by_game.drop_nulls().select(margin).to_series().to_numpy()


def null_value(records: Records, claim: dict[str, Any]) -> float | None:
    """The value that means "no effect": given by the claim, 0 for a difference, an even share for wins; else None."""
    if "even" in claim:
        return float(claim["even"])
    if is_difference(claim):
        return 0.0
    seats = claim.get("seats", records.sheet["seats"])
    return 1 / seats if "owners" in claim or "bots" in claim else None


def claim_between(records: Records, kinds: list[BotKind], claim: dict[str, Any]) -> Claim:
    """A claim with its values in the games of each kind of bot, ready to be judged."""
    seen = [observation(records, kind, claim) for kind in kinds]
    share = isinstance(seen[0], Proportion) or bool(getattr(seen[0], "share", False))
    even = null_value(records, claim)
    return Claim(Figure(claim["label"], claim["label"], "", share), seen, None if even is None else (even,) * len(seen))


def judged_claims(records: Records, finding: dict[str, Any]) -> list[JudgedClaim]:
    """All claims of a finding, in order, with values, intervals and verdicts."""
    tested = [claim for claim in finding["claim"] if "known" not in claim]
    kinds = records.kinds_for(finding)
    judging = iter(judge_claims([claim_between(records, kinds, claim) for claim in tested])[0])
    return [next(judging) if claim in tested else known_claim(claim) for claim in finding["claim"]]


def known_claim(claim: dict[str, Any]) -> JudgedClaim:
    """A claim whose values were found by another command and are written in the sheet."""
    even = claim.get("even")
    values: tuple[Estimate, ...] = tuple((value, low, high) for value, low, high in claim["known"])
    figure = Figure(claim["label"], claim["label"], "", claim.get("share", False))
    return judge_estimates(figure, values, None if even is None else (even,) * len(values))


def is_difference(claim: dict[str, Any]) -> bool:
    """Is the claim's value a difference, so that it is printed with a sign?"""
    return "ahead" in claim or "than" in claim or is_paired(claim)


def is_paired(claim: dict[str, Any]) -> bool:
    """Does the claim compare two tables on the same seeds?"""
    return "against" in claim or ("with" in claim and not claim.get("level"))


# --- Tables and pictures ------------------------------------------------------


def interval_text(value: Estimate, share: bool, signed: bool) -> str:
    """A value with its interval, "12.0 % (10.1–14.2)"; differences with a sign, "+1.20 (+0.90 to +1.50)"."""
    times, places = (100.0, 1) if share else (1.0, 1 if abs(value[0]) >= 10 else 2)
    mean, low, high = (f"{times * one:{'+' if signed else ''},.{places}f}".replace("-", "−") for one in value)
    unit = (" points" if signed else " %") if share else ""
    return f"{mean}{unit} ({low} to {high})" if signed or "−" in low else f"{mean}{unit} ({low}–{high})"


def finding_table(records: Records, finding: dict[str, Any], lines: list[JudgedClaim]) -> str:
    """A Markdown table with a row for each kind of bot, a column for each claim (narrow enough for a telephone), and the verdicts."""
    rows = [["between", *(line.figure.label for line in lines)], ["---"] * (len(lines) + 1)]
    for k, kind in enumerate(records.kinds_for(finding)):
        cells = [
            interval_text(line.values[k], line.figure.share, is_difference(claim))
            for claim, line in zip(finding["claim"], lines, strict=True)
        ]
        rows.append([kind.name, *cells])
    rows.append(["**verdict**", *(line.verdict for line in lines)])
    return markdown_rows(rows)


def markdown_rows(rows: Sequence[Sequence[str]]) -> str:
    """Lines of a Markdown table."""
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def finding_picture(records: Records, finding: dict[str, Any], lines: list[JudgedClaim]) -> str:
    """An SVG file with a bar for each kind of bot and each drawn claim."""
    drawn = [
        (claim, line)
        for claim, line in zip(finding["claim"], lines, strict=True)
        if claim.get("drawn", finding["claim"].index(claim) == 0)
    ]
    first, even = drawn[0][0], drawn[0][1].even
    share = drawn[0][1].figure.share
    times = 100.0 if share else 1.0
    found = []
    for claim, line in drawn:
        for k, value in enumerate(line.values):
            mean, low, high = (times * one for one in value)
            tone = ("", "more", "less")[line.find_side_of_even(k)]
            text = interval_text(value, share, is_difference(claim)).partition(" (")[0].replace(" points", "")
            name = records.kinds_for(finding)[k].name
            found.append(Bar(f"{line.figure.label}, {name}" if len(drawn) > 1 else name, low, mean, high, text, tone))
    scale = (" (points of a hundred)" if is_difference(first) else ", %") if share else ""
    return standalone(render_interval_bars(found, times * (even or 0.0), finding.get("unit") or first["label"] + scale))


def standalone(picture: str) -> str:
    """A drawing of the lab as an SVG file of its own: with a margin, a fixed size, and colours for light and dark pages."""
    head, _, rest = picture.partition(">")
    height = int(head.partition('viewBox="0 0 ')[2].split()[1].rstrip('"'))
    width, tall = WIDTH + 2 * MARGIN_PX, height + 2 * MARGIN_PX
    head = head.replace(f"0 0 {WIDTH} {height}", f"{-MARGIN_PX} {-MARGIN_PX} {width} {tall}")
    size = f'width="{width}" height="{tall}"'  # without it a page scales the picture to its own width
    return f'{head} xmlns="http://www.w3.org/2000/svg" {size}><style>{STYLE}</style>{rest}\n'


def ladder_table(table: pl.DataFrame) -> str:
    """The result of `sutler across` as a Markdown table: a row for each figure, a column for each bot, and the verdict."""
    bots = table.unique("bot", maintain_order=True)
    head = [f"{one['bot']}, {one['games']:,} games" for one in bots.iter_rows(named=True)]
    rows = [["figure", *head, "verdict"], ["---"] * (len(head) + 2)]
    for (label,), of_figure in table.group_by("label", maintain_order=True):
        cells = [headline_text(str(label), *row) for row in of_figure.select("mean", "low", "high").iter_rows()]
        rows.append([str(label), *cells, str(of_figure["verdict"][0])])
    return markdown_rows(rows)


def headline_text(label: str, mean: float, low: float, high: float) -> str:
    """A headline figure with its interval; shares in percent."""
    if label.startswith(SHARE_LABELS):
        return f"{mean:.1%} ({low:.1%}–{high:.1%})".replace("%", " %").replace(" %–", "–")
    return f"{mean:.1f} ({low:.1f}–{high:.1f})"


# --- The page -----------------------------------------------------------------


def update_page(records: Records, page: Path, only: list[str]) -> None:
    """Write the block and the picture of every finding, or of those named; the table of headline figures if none is named."""
    text = page.read_text(encoding="utf-8")
    for finding in records.sheet["finding"]:
        name = finding["name"]
        if only and name not in only:
            continue
        lines = judged_claims(records, finding)
        picture = page.parent / f"{records.sheet['game']}-{name}.svg"
        picture.write_text(finding_picture(records, finding, lines), encoding="utf-8")
        block = f"![{finding['alt']}]({picture.name})\n\n{finding_table(records, finding, lines)}"
        print(f"{name}: {'; '.join(f'{line.figure.label}: {line.verdict}' for line in lines)}", flush=True)
        text = replaced_between(text, f"<!-- found {name} -->", f"<!-- end of {name} -->", block)
    if not only:
        text = replaced_ladder(text, ladder_table(across(records).table()))
    page.write_text(text, encoding="utf-8")


def replaced_between(text: str, start: str, end: str, block: str) -> str:
    """The text with this block between two markers. SystemExit if a marker is missing."""
    before, found, after = text.partition(start)
    _, closed, rest = after.partition(end)
    if not found or not closed:
        raise SystemExit(f"the page has no {start} … {end}")
    return f"{before}{start}\n\n{block}\n\n{end}{rest}"


def replaced_ladder(page: str, table: str) -> str:
    """The page with this table instead of the first one below LADDER_HEADING. SystemExit if the heading is missing."""
    before, heading, after = page.partition(LADDER_HEADING)
    if not heading:
        raise SystemExit(f"the page has no {LADDER_HEADING!r}")
    section, below, rest = after.partition("\n## ")
    lines = section.strip("\n").split("\n")
    first = next((k for k, line in enumerate(lines) if line.startswith("|")), len(lines))
    last = next((k for k in range(first, len(lines)) if not lines[k].startswith("|")), len(lines))
    parts = ["\n".join(lines[:first]).strip("\n"), table, "\n".join(lines[last:]).strip("\n")]
    return before + heading + "\n\n" + "\n\n".join(filter(None, parts)) + "\n" + below + rest


# --- Verdicts of what stands in a page -----------------------------------------

NUMBER = re.compile(r"[+−-]?\d[\d,]*(?:\.\d+)?")


def printed_value(cell: str) -> Estimate:
    """A value and its interval, as a table of a page has them: shares as parts of one."""
    value, low, high = (
        float(one.replace("−", "-").replace(",", "")) for one in NUMBER.findall(cell.replace("–", " "))[:3]
    )
    scale = 0.01 if "%" in cell or "points" in cell else 1.0
    return value * scale, low * scale, high * scale


def judged_anew(table: str, evens: Sequence[float | None]) -> str:
    """A table of a finding (a column a claim, a row a kind of bots) with the verdicts that its printed values have."""
    lines = table.split("\n")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    at = next(k for k, row in enumerate(rows) if row[0] == "**verdict**")
    said = []
    for column, even in enumerate(evens, 1):
        cells, before = [row[column] for row in rows[2:at]], rows[at][column]
        anew = _verdict_of_cells(rows[0][column], cells, [even] * len(cells))
        is_effect_on_mean = even == 0.0 and "%" not in cells[0] and "points" not in cells[0]
        keep = is_effect_on_mean and anew == TOO_FEW_VERDICT and before == HOLDS_VERDICT
        said.append(
            before if keep else anew
        )  # that nothing moves by a tenth of the mean, which the table does not print
    lines[at] = "| " + " | ".join(["**verdict**", *said]) + " |"
    return "\n".join(lines)


def ladder_judged_anew(page: str, seats: int) -> str:
    """The page with the verdicts that the printed values of its table of headline figures have."""
    before, heading, after = page.partition(LADDER_HEADING)
    lines = after.split("\n")
    rows = {
        k: [cell.strip() for cell in line.strip("|").split("|")]
        for k, line in enumerate(lines)
        if line.startswith("| ")
    }
    nobody = next((row[1:-1] for row in rows.values() if row[0] == "won by nobody"), [])
    for k, row in rows.items():
        if row[0] in ("figure", "---") or len(row) < 4:
            continue
        evens: list[float | None] = [None] * (len(row) - 2)
        if row[0].startswith("won by ") and nobody and row[0] != "won by nobody":
            evens = [(1.0 - printed_value(cell)[0]) / seats for cell in nobody]
        lines[k] = "| " + " | ".join([*row[:-1], _verdict_of_cells(row[0], row[1:-1], evens)]) + " |"
    return before + heading + "\n".join(lines)


def _verdict_of_cells(label: str, cells: Sequence[str], evens: Sequence[float | None]) -> str:
    """The verdict on a claim from the cells of its column, as printed; `evens`: the value of no effect for each, or None."""
    figure = Figure(label, label, "", share="%" in cells[0] or "points" in cells[0])
    known = [one for one in evens if one is not None]
    line = judge_estimates(
        figure, [printed_value(cell) for cell in cells], tuple(known) if len(known) == len(cells) else None
    )
    return line.verdict


def judge_page(records: Records, page: Path) -> None:
    """Write the verdicts of a page anew, from the values and intervals that it prints.

    Means are judged as printed, capped, and the effect of a change by a tenth of itself: a verdict may say less than one from the games,
    not more.
    """
    text = page.read_text(encoding="utf-8")
    for finding in records.sheet["finding"]:
        start, end = f"<!-- found {finding['name']} -->", f"<!-- end of {finding['name']} -->"
        block = text.partition(start)[2].partition(end)[0].strip("\n")
        head, _, table = block.partition("\n\n")
        evens = [null_value(records, claim) for claim in finding["claim"]]
        anew = judged_anew(table, evens)
        print(f"{finding['name']}: {anew.splitlines()[-1]}")
        text = replaced_between(text, start, end, f"{head}\n\n{anew}")
    if LADDER_HEADING in text:
        text = ladder_judged_anew(text, records.sheet["seats"])
    page.write_text(text, encoding="utf-8")


def across(records: Records) -> Robustness:
    """Every headline figure of the printed game, between all kinds of bots."""
    samples = [records.sample(kind, {}) for kind in records.kinds]
    game = records.game.definition
    rungs = [build_rung(game, one.table, kind.name) for one, kind in zip(samples, records.kinds, strict=True)]
    return Robustness(tuple(rungs), compute_even_shares(samples[0].table), {})


def main() -> None:
    """Play what is missing, test the claims, update the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sheet", type=Path, help="docs/findings/GAME.toml; the page is the .md beside it")
    parser.add_argument("--records", type=Path, help="a folder for the recorded games")
    parser.add_argument("--judge", action="store_true", help="only judge anew what the page prints; nothing is played")
    parser.add_argument("--only", default="", help="names of findings, separated by commas")
    options = parser.parse_args()
    if options.records is None and not options.judge:
        parser.error("--records FOLDER, or --judge")
    records = Records(tomllib.loads(options.sheet.read_text(encoding="utf-8")), options.records or Path())
    if options.judge:
        judge_page(records, options.sheet.with_suffix(".md"))
        return
    for kind in records.kinds:
        bot_from(kind.bot)
    options.records.mkdir(parents=True, exist_ok=True)
    update_page(records, options.sheet.with_suffix(".md"), [name for name in options.only.split(",") if name])


if __name__ == "__main__":
    main()
