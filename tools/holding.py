"""What is found in a game, held between kinds of bots: docs/findings/GAME.toml says what is claimed, docs/findings/GAME.md tells it.

    python tools/holding.py docs/findings/manor.toml --records /tmp/manor      # all of it: games, figures, verdicts, pictures
    python tools/holding.py docs/findings/manor.toml --records /tmp/manor --only seats,length

Plays into the folder of records what does not lie there yet (as `sutler simulate --out`; stopped, it goes on from there), reads every claim
from them, gives it the lab's verdict (`lab.studies.verdicts`), and writes figures and picture under each finding's name into the page,
between `<!-- found NAME -->` and `<!-- end of NAME -->`; the headline figures under "Between other bots".

A claim is one of

- `figure`: a headline figure of the lab, or a sum, `power_Sweden + power_Austria`; `column`: a column of the record, as `lead_changes`;
- `decided`: the share of games decided when this part of their decisions was taken;
- `event`: how often it comes in a game; with `thing`, how often it names that, `than` how much oftener than another; with
  `games = true`, the share of games with any;
- `owners`: an event and a thing, `placed Watermill`: the share of their games that the seats win of which it is told;
- `ahead` at `at` %: how much more of it the later winner has then than the mean of the others;
- `known`: value, low and high for each bot in turn, from another command, with its verdict.

`with` turns options or numbers of the box: the claim is then what that changes, the same seeds with and without; with `level = true` what
it is then. A sheet's own `with` is meant everywhere. `against` names the other table of a difference where that is not the printed one:
`{ seats = 1 }`. `seats` is another number of seats, `bots` who sits there (`"monk,BOT,BOT"`), `of` how many games of each kind. `even` is
what says nothing. The first claim is drawn, others where `drawn = true`. All intervals of one finding hold together. A finding's
`between` names the kinds of bots it was asked of, if not all.
"""

from __future__ import annotations

import argparse
import tomllib
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from findings import finished, ladder, put

from sutler.bots import bot_from, bots_from
from sutler.core.game import Game, load
from sutler.lab.play.experiment import Plan, run
from sutler.lab.play.figures import Figure, figures_of_games
from sutler.lab.play.sample import Sample, read
from sutler.lab.report.drawings import Bar, bars
from sutler.lab.studies.robustness import Robustness, even_shares, rung_of_table
from sutler.lab.studies.verdicts import Claim, Estimate, Evidence, JudgedClaim, Level, Proportion, Shift, judge_claims


@dataclass(frozen=True)
class Kind:
    """A kind of bots: what the page calls it, the bot, how many games of the printed game, and of any other table."""

    name: str
    bot: str
    games: int
    beside: int


@dataclass(frozen=True)
class Records:
    """A folder of games of one game between kinds of bots."""

    sheet: dict[str, Any]
    folder: Path

    @cached_property
    def kinds(self) -> list[Kind]:
        """The kinds of bots; the others are held against the first."""
        return [Kind(**one) for one in self.sheet["bot"]]

    def asked_of(self, finding: dict[str, Any]) -> list[Kind]:
        """The kinds of bots of which a finding is asked: all, unless it names them."""
        return [kind for kind in self.kinds if kind.name in finding.get("between", [kind.name])]

    @cached_property
    def game(self) -> Game:
        """Whose games they are."""
        return load(self.sheet["game"])

    def table(self, kind: Kind, said: dict[str, Any]) -> Sample:
        """The games at a table: as printed, or as a claim says; played if they are not there."""
        sits, usual = said.get("bots", "BOT").replace("BOT", kind.bot), self.sheet.get("with", {})
        turned = usual | said.get("with", {})
        seats = said.get("seats", self.sheet["seats"])
        other = turned != usual or "bots" in said or seats != self.sheet["seats"]
        words = [kind.name, *(f"{key}={value}" for key, value in turned.items() if usual.get(key) != value)]
        words += [said["bots"]] if "bots" in said else []
        words += [str(seats)] if seats != self.sheet["seats"] else []
        path = self.folder / ("-".join([self.sheet["game"], *words]).replace(" ", "_").replace(",", "+") + ".parquet")
        games = said["of"][self.kinds.index(kind)] if "of" in said else kind.beside if other else kind.games
        if not path.exists() or kept(path).games < games:
            print(f"plays {path.name}: {games:,} games of {sits} at {seats} seats", flush=True)
            plan = Plan(
                load(self.sheet["game"], None, turned), bots_from(sits), games, self.sheet.get("seed", 1), seats
            )
            run(plan, path, circles=False)
            kept.cache_clear()
        there = kept(path)
        return there if there.games == games else replace(there, table=there.table.head(games))


@cache
def kept(path: Path) -> Sample:
    """A record, read once."""
    return read(path)


# --- claims ---


def seen(records: Records, kind: Kind, said: dict[str, Any]) -> Evidence:
    """What one kind's games show of a claim."""
    there = level(records, records.table(kind, said), said)
    if not is_turned(said):
        return there
    plain = {key: value for key, value in said.items() if key not in ("with", "against")} | said.get("against", {})
    before = level(records, records.table(kind, plain), plain)
    if not (isinstance(there, Level) and isinstance(before, Level)):
        raise SystemExit(f"{said['label']}: what a change does is told of a number a game")
    n = min(len(there.values), len(before.values))
    return Shift(before.values[:n], there.values[:n], there.share)


def level(records: Records, sample: Sample, said: dict[str, Any]) -> Evidence:
    """The numbers of a table's games that a claim speaks of."""
    table = sample.table
    if "figure" in said:
        found = {one.name: (one, values) for one, values in figures_of_games(records.game.definition, table).items()}
        figures = [found[name] for name in said["figure"].split(" + ")]
        return Level(np.sum([values for _, values in figures], axis=0), figures[0][0].share)
    if "column" in said:
        return Level(table[said["column"]].to_numpy().astype(np.float64))
    if "decided" in said:
        return Level((table["decided"] <= said["decided"] * table["decisions"]).to_numpy().astype(np.float64), True)
    if "ahead" in said:
        return Level(winners_have_more(sample, said["ahead"], said["at"]))
    if "owners" in said:
        return owners_win(sample, *said["owners"].split(" ", 1))
    times = how_often(sample, said["event"], said.get("thing", ""))
    if "than" in said:
        times = times - how_often(sample, said["event"], said["than"])
    return Level((times > 0).astype(np.float64), True) if said.get("games") else Level(times)


def how_often(sample: Sample, event: str, thing: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """How often a game an event comes, or names this thing."""
    counted = told(sample, event, thing).group_by("game").agg(pl.col("count").sum())
    times = np.zeros(sample.games)
    times[counted["game"].to_numpy()] = counted["count"].to_numpy()
    return times


def told(sample: Sample, event: str, thing: str) -> pl.DataFrame:
    """The rows of an event, or of one thing that it names."""
    if not thing:
        return sample.events.filter(pl.col("event").cast(pl.String) == event)
    used = sample.uses.filter((pl.col("event").cast(pl.String) == event) & (pl.col("name").cast(pl.String) == thing))
    if thing not in sample.uses["name"].dtype.categories:  # type: ignore[attr-defined]
        raise SystemExit(f"{event} never names {thing!r} in {sample.about['file']}")
    return used


def owners_win(sample: Sample, event: str, thing: str) -> Proportion:
    """Of the seats of which it is told: what they win, of how many, a game."""
    mine = told(sample, event, thing).select("game", pl.col("seat").cast(pl.Int8)).drop_nulls().unique()
    won = mine.join(
        sample.results.with_columns(pl.col("game").cast(mine["game"].dtype)), on=["game", "seat"], how="left"
    )
    by = won.group_by("game").agg(pl.col("won").sum(), pl.len())
    hits, of = np.zeros(sample.games), np.zeros(sample.games)
    hits[by["game"].to_numpy()], of[by["game"].to_numpy()] = by["won"].to_numpy(), by["len"].to_numpy()
    return Proportion(hits, of)


def winners_have_more(sample: Sample, what: str, at: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A game with one winner: how much more of it that seat has at this hundredth of it than the others, on average."""
    then = sample.course.filter(pl.col("at") == at, pl.col("seat").is_not_null()).select("game", "seat", what)
    place = sample.results.select(pl.col("game").cast(then["game"].dtype), "seat", "won")
    both = then.with_columns(pl.col("seat").cast(pl.Int8)).join(place, on=["game", "seat"])
    by = both.group_by("game", maintain_order=True).agg(
        mine=pl.col(what).filter(pl.col("won") == 1.0).mean(), theirs=pl.col(what).filter(pl.col("won") < 1.0).mean()
    )
    gap = by.drop_nulls().select(pl.col("mine").cast(pl.Float64) - pl.col("theirs").cast(pl.Float64)).to_series()
    return gap.to_numpy()


def even_of(records: Records, said: dict[str, Any]) -> float | None:
    """What says nothing."""
    if "even" in said:
        return float(said["even"])
    if is_change(said):
        return 0.0
    seats = said.get("seats", records.sheet["seats"])
    return 1 / seats if "owners" in said or "bots" in said else None


def claim_of(records: Records, kinds: list[Kind], said: dict[str, Any]) -> Claim:
    """One claim of every kind of bots."""
    of = [seen(records, kind, said) for kind in kinds]
    share = isinstance(of[0], Proportion) or bool(getattr(of[0], "share", False))
    even = even_of(records, said)
    return Claim(Figure(said["label"], said["label"], "", share), of, None if even is None else (even,) * len(of))


def lines_of(records: Records, finding: dict[str, Any]) -> list[JudgedClaim]:
    """The claims of a finding with their verdicts, in their order."""
    asked = [said for said in finding["claim"] if "known" not in said]
    judging = iter(judge_claims([claim_of(records, records.asked_of(finding), said) for said in asked])[0])
    return [next(judging) if said in asked else known(said) for said in finding["claim"]]


def known(said: dict[str, Any]) -> JudgedClaim:
    """What another command has found."""
    even = said.get("even")
    values: tuple[Estimate, ...] = tuple((v, low, high) for v, low, high in said["known"])
    figure = Figure(said["label"], said["label"], "", said.get("share", False))
    return JudgedClaim(figure, values, None if even is None else (even,) * len(values), said["verdict"])


# --- the page ---


def is_change(said: dict[str, Any]) -> bool:
    """Is it told as a difference?"""
    return "ahead" in said or "than" in said or is_turned(said)


def is_turned(said: dict[str, Any]) -> bool:
    """Is it a difference between two tables?"""
    return "against" in said or ("with" in said and not said.get("level"))


def cell(value: Estimate, share: bool, sign: bool) -> str:
    """A value with its interval, in few letters."""
    times, places = (100.0, 1) if share else (1.0, 1 if abs(value[0]) >= 10 else 2)
    mean, low, high = (f"{times * one:{'+' if sign else ''},.{places}f}".replace("-", "−") for one in value)
    unit = (" points" if sign else " %") if share else ""
    return f"{mean}{unit} ({low} to {high})" if sign or "−" in low else f"{mean}{unit} ({low}–{high})"


def table_of(records: Records, finding: dict[str, Any], lines: list[JudgedClaim]) -> str:
    """A row a kind of bots, a column a claim: a phone shows it without turning; the verdicts below."""
    rows = [["between", *(line.figure.label for line in lines)], ["---"] * (len(lines) + 1)]
    for k, kind in enumerate(records.asked_of(finding)):
        cells = [
            cell(line.values[k], line.figure.share, is_change(said))
            for said, line in zip(finding["claim"], lines, strict=True)
        ]
        rows.append([kind.name, *cells])
    rows.append(["**verdict**", *(line.verdict for line in lines)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def picture_of(records: Records, finding: dict[str, Any], lines: list[JudgedClaim]) -> str:
    """The claims that are drawn, a bar a kind of bots."""
    drawn = [
        (said, line)
        for said, line in zip(finding["claim"], lines, strict=True)
        if said.get("drawn", finding["claim"].index(said) == 0)
    ]
    even = drawn[0][1].even
    share = drawn[0][1].figure.share
    times = 100.0 if share else 1.0
    found = []
    for said, line in drawn:
        for k, value in enumerate(line.values):
            mean, low, high = (times * one for one in value)
            tone = ("", "more", "less")[line.side(k)]
            shown = cell(value, share, is_change(said)).partition(" (")[0].replace(" points", "")
            name = records.asked_of(finding)[k].name
            found.append(Bar(f"{line.figure.label}, {name}" if len(drawn) > 1 else name, low, mean, high, shown, tone))
    said = drawn[0][0]
    unit = finding.get("unit") or said["label"] + (
        " (points of a hundred)" if share and is_change(said) else ", %" if share else ""
    )
    return finished(bars(found, times * (even or 0.0), unit))


def write(records: Records, page: Path, only: list[str]) -> None:
    """Every finding's block and picture."""
    text = page.read_text(encoding="utf-8")
    for finding in records.sheet["finding"]:
        name = finding["name"]
        if only and name not in only:
            continue
        lines = lines_of(records, finding)
        shown = page.parent / f"{records.sheet['game']}-{name}.svg"
        shown.write_text(picture_of(records, finding, lines), encoding="utf-8")
        made = f"![{finding['alt']}]({shown.name})\n\n{table_of(records, finding, lines)}"
        print(f"{name}: {'; '.join(f'{line.figure.label}: {line.verdict}' for line in lines)}", flush=True)
        text = between(text, f"<!-- found {name} -->", f"<!-- end of {name} -->", made)
    if not only:
        text = put(ladder(across(records).table()), text)
    page.write_text(text, encoding="utf-8")


def between(text: str, start: str, end: str, made: str) -> str:
    """The text with this between two marks."""
    before, found, after = text.partition(start)
    _, closed, rest = after.partition(end)
    if not found or not closed:
        raise SystemExit(f"the page has no {start} … {end}")
    return f"{before}{start}\n\n{made}\n\n{end}{rest}"


def across(records: Records) -> Robustness:
    """Every headline figure of the printed game, between all kinds of bots."""
    samples = [records.table(kind, {}) for kind in records.kinds]
    game = records.game.definition
    rungs = [rung_of_table(game, one.table, kind.name) for one, kind in zip(samples, records.kinds, strict=True)]
    return Robustness(tuple(rungs), even_shares(samples[0].table), {})


def main() -> None:
    """Play, read, hold, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sheet", type=Path, help="docs/findings/GAME.toml; the page lies beside it")
    parser.add_argument("--records", type=Path, required=True, help="a folder for the games")
    parser.add_argument("--only", default="", help="these findings, separated by commas")
    asked = parser.parse_args()
    records = Records(tomllib.loads(asked.sheet.read_text(encoding="utf-8")), asked.records)
    for kind in records.kinds:
        bot_from(kind.bot)
    asked.records.mkdir(parents=True, exist_ok=True)
    write(records, asked.sheet.with_suffix(".md"), [name for name in asked.only.split(",") if name])


if __name__ == "__main__":
    main()
