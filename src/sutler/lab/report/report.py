"""A report: one HTML file on the results of an experiment, first in a few sentences, then in chapters that unfold.

It contains its fonts, colours and charts, so it can be mailed, printed and kept. Its first printed page has the sentences; a chapter is
printed if it is open.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import polars as pl

from sutler.core.play.registry import definition
from sutler.lab.play.experiment_file import Sample, Unreadable, read
from sutler.lab.play.figures import GENERAL_FIGURES, Figure, limits_in_words, role_kinds
from sutler.lab.play.provenance import bot_in_words
from sutler.lab.report import chapters, named_things, result_tables, usage_tables
from sutler.lab.report.html_parts import format_interval, report_css, tables_script
from sutler.lab.report.report_charts import number, percent
from sutler.lab.stats.estimates import count_of, games_won_together, wilson
from sutler.lab.stats.verdict import side_of
from sutler.lab.studies.robustness import Robustness, Rung, even_shares, rung_of_table

CHAPTERS = (
    ("seats", "Who wins", chapters.who_wins),
    ("points", "Points", chapters.points),
    ("length", "Length", chapters.length),
    ("lead", "The lead", chapters.lead),
    ("endings", "How games end", chapters.endings),
    ("belongings", "What seats own", chapters.belongings),
    ("things", "Cards and other things", named_things.things),
    ("choices", "Choices", named_things.choices),
    ("odd", "What repeats itself, what nobody does", named_things.oddities),
    ("rules", "Rules that were used", chapters.rules),
    ("about", "Where these figures come from", chapters.about),
)
NEVER_TAKEN_DIVISOR = 4  # never-taken actions are reported for kinds in which at most one in so many is never taken
SEEN_ONLY_VERDICT = "seen between these bots"  # for observations that are no figures, beside the verdicts on figures
LONG_GAME_FACTOR = 5  # a game longer than so many times the median is reported
DECIDED_FIGURE = Figure(
    "decided", "when it is decided", "Part of all decisions taken when the winner was ahead for good."
)
NOBODY = next(one for one in GENERAL_FIGURES if one.name == "nobody")
OPEN_CHAPTERS = ("seats",)  # chapters that are unfolded at first, and so printed


Claim = tuple[str, str, tuple[str, ...]]
"""(title, body, prefixes of the names of the figures it rests on); the prefixes are empty for an observation that is no figure."""


def report(path: Path, others: Sequence[Path] = ()) -> str:
    """The report of an experiment's file as HTML.

    `others`: files of games between other bots, with which each claim is compared. Unreadable where a file is no experiment, or another
    game's.
    """
    sample = read(path)
    across = robustness_of(sample, [read(one) for one in others]) if others else None
    shown = [(key, title, inside) for key, title, chapter in CHAPTERS if (inside := chapter(sample))]
    body = "".join(_chapter_html(*one) for one in shown)
    title = f"{sample.about['title']}: {count_of(sample.games, 'game')}"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{report_css()}</style></head><body><header><h1>{escape(title)}</h1><p>{subtitle(sample)}</p></header>"
        f"<main>{warnings_box(sample)}{summary(sample, across)}{body}</main>"
        f"{tables_script()}</body></html>\n"
    )


def _chapter_html(key: str, title: str, inside: str) -> str:
    """A chapter as HTML that can be folded under its title. `key`: its id."""
    state = " open" if key in OPEN_CHAPTERS else ""
    return (
        f"<details{state}><summary><h2>{escape(title)}</h2></summary>"
        f'<section id="{key}" aria-label="{escape(title)}">{inside}</section></details>'
    )


def subtitle(sample: Sample) -> str:
    """A sentence on the bots and the settings of the experiment, as HTML."""
    told = sample.about
    names = [bot_in_words(one) for one in told["bots"]]
    who = f"{sample.seats} bots: {names[0]}" if len(set(names)) == 1 else f"the bots {', '.join(names)}"
    chosen = ", ".join(f"{key}={value}" for key, value in {**told["options"], **told["settings"]}.items())
    edited = " The box was edited." if told["edit"] else ""
    how = f", with {chosen}" if chosen else ", as printed" if not edited else ""
    return escape(f"Played by {who}{how}; from seed {told['seed']} on.{edited}")


def warnings_box(sample: Sample) -> str:
    """The box of warnings about the experiment, as HTML; "" where there are none."""
    found = result_tables.warnings(sample)
    rows = "".join(f"<li>{escape(one)}</li>" for one in found)
    return (
        f'<aside class="warn" aria-label="Keep in mind"><h2>Keep in mind</h2><ul>{rows}</ul></aside>' if found else ""
    )


def robustness_of(sample: Sample, others: Sequence[Sample]) -> Robustness:
    """A comparison of an experiment with those between other bots. Unreadable where game, box, options or seats differ."""
    for one in others:
        for key in ("game", "box", "options", "seats"):
            if one.about[key] != sample.about[key]:
                raise Unreadable(
                    f"{one.about['file']}: {key} is {one.about[key]}, in {sample.about['file']} {sample.about[key]}; "
                    "only the bots may differ"
                )
    rungs = [_rung(one) for one in (sample, *others)]
    return Robustness(tuple(rungs), even_shares(sample.table), sample.about)


def _rung(sample: Sample) -> Rung:
    """The headline figures of an experiment, with the share of its decisions after which each game was decided."""
    found = rung_of_table(definition(str(sample.about["game"])), sample.table, sample.who)
    return replace(found, figures={**found.figures, DECIDED_FIGURE: _decided_after(sample).to_numpy()})


def _decided_after(sample: Sample) -> pl.Series:
    """The share of its decisions (0 to 1) after which each game was decided."""
    return sample.table.select(at=pl.col("decided") / pl.max_horizontal("decisions", pl.lit(1)))["at"]


def summary(sample: Sample, across: Robustness | None = None) -> str:
    """The main results in a few sentences, as an HTML list, each with its bots and with the verdict of other bots, if compared."""
    claims = [*_wins_in_short(sample), *_ends_in_short(sample), *_course_in_short(sample), *_length_in_short(sample)]
    claims += [(*one, ()) for one in [*odd_in_short(sample), *_rules_in_short(sample)]]
    rows = "".join(
        f'<li><b>{escape(head)}</b> {escape(rest)} <span class="by">{escape(sample.who)}'
        f"{escape(_verdict_suffix(across, names))}</span></li>"
        for head, rest, names in claims
    )
    return f'<ul class="short" aria-label="In short">{rows}</ul>{_other_bots_paragraph(sample, across)}'


def _verdict_suffix(across: Robustness | None, names: tuple[str, ...]) -> str:
    """The verdict on a claim as words, where other bots were compared; "" otherwise.

    `names`: the prefixes of the figures that the claim rests on; without any it is an observation, which has no verdict.
    """
    if across is None:
        return ""
    return f"; {across.verdict_on(names)}" if names else f"; {SEEN_ONLY_VERDICT}"


def _other_bots_paragraph(sample: Sample, across: Robustness | None) -> str:
    """A paragraph on the other bots that were compared; where there were none, the commands that compare some."""
    if across is None:
        file = sample.about["file"]
        return (
            f"<p>Each of these claims speaks of games {escape(sample.who)} only. Whether it holds between others, ask: "
            f"<code>{escape(other_bots(sample))}</code>; or play the same with other <code>--bots</code> into another file, and "
            f"<code>{escape(shlex.join(['sutler', 'report', file, '--across']))} OTHER.parquet</code> gives each claim its verdict.</p>"
        )
    others = "; ".join(f"{one.games:,} games {one.bot}" for one in across.rungs[1:])
    return f"<p>Held against {escape(others)}: holds, same side only, depends on the bot, or too few games to say.</p>"


def other_bots(sample: Sample) -> str:
    """The command that plays the experiment's game between the bots of its ladder."""
    told = sample.about
    chosen = {**told["options"], **told["settings"]}
    words = ["sutler", "across", told["game"], "--seats", str(sample.seats), "--games", str(sample.games)]
    for key, value in chosen.items():
        words += ["--set", f"{key}={value}"]
    return shlex.join([*words, "--seed", str(told["seed"]), *(["--box", "EDIT.toml"] if told["edit"] else [])])


def _wins_in_short(sample: Sample) -> list[Claim]:
    """The claims about wins: which roles and seats win more or less often than even, and how often nobody wins."""
    if sample.cooperative:
        k, n = games_won_together(sample.table)
        low, high = wilson(k, n)
        won = f"{percent(k / n)} of the games ({format_interval({'low': low, 'high': high})})."
        won = " ".join([won, *limits_in_words({NOBODY: [1 - k / n]}, together=True)])
        return [("How often it is won.", won, ("nobody",))]
    found: list[Claim] = []
    lost = result_tables.share_won_by_nobody(sample)
    if lost == 1.0:
        (limit,) = limits_in_words({NOBODY: [lost]})
        return [("Nobody wins.", f"In none of these games was a seat first. {limit}", ("nobody",))]
    for kind in role_kinds(sample.table):
        rows = [{"who": row[kind], **row} for row in result_tables.wins_by_role(sample, kind).to_dicts()]
        found.append((*_favoured(rows, kind, usage_tables.plural(kind), lost), (f"{kind}_",)))
    if sample.seats > 1:
        rows = [{"who": row["seat"], **row} for row in result_tables.wins_by_seat(sample).to_dicts()]
        found.append((*_favoured(rows, "seat", "seats", lost), ("seat_",)))
    if lost:
        found.append(("Nobody wins", f"{percent(lost)} of the games.", ("nobody",)))
    return found


def _favoured(rows: list[dict[str, Any]], one: str, many: str, lost: float) -> tuple[str, str]:
    """The (title, body) of a claim: which of these rows win more or less often than their even share.

    `one`, `many`: the word for a row in singular and plural; `lost`: the share of games that nobody wins.
    """
    off = [row for row in rows if side_of(row["low"], row["high"], row["even"])]
    even = f"an even share is {percent(rows[0]['even'])}" + (", since nobody wins the rest" if lost else "")
    if not off:
        low, high = min(row["share"] for row in rows), max(row["share"] for row in rows)
        return f"No {one} is seen to be favoured.", f"Each won {percent(low)} to {percent(high)}; {even}."
    said = ", ".join(f"{row['who']} won {percent(row['share'])} ({format_interval(row)})" for row in off)
    return f"The {many} are not even.", f"{said}; {even}."


def _ends_in_short(sample: Sample) -> list[Claim]:
    """The claim about endings: how often each way to end came; empty where there is only one way."""
    rows = result_tables.ways_of_ending(sample).to_dicts()
    if sample.cooperative or len(rows) < 2:
        return []
    called = [_quoted(usage_tables.words_of(sample, row["way"])) for row in rows]
    told = [
        f"{name} {percent(row['share'])} ({format_interval(row)})"
        for name, row in zip(called, rows, strict=True)
        if row["games"]
    ]
    if never := [name for name, row in zip(called, rows, strict=True) if not row["games"]]:
        told.append(f"never {', '.join(never)} (0 to {percent(rows[-1]['high'])} each)")
    return [("How games end.", f"{', '.join(told)}.", ("ends_",))]


def _quoted(words: str) -> str:
    """The words in quotation marks, with a capital."""
    return f"“{words[:1].upper()}{words[1:]}”"


def _course_in_short(sample: Sample) -> list[Claim]:
    """The claims about the course of games: when they are decided, and by how many points they are won."""
    if sample.cooperative or sample.seats < 2:
        return []
    half = _decided_after(sample)
    early = float((half <= 0.5).sum()) / sample.games
    late = percent(1 - round(float(half.quantile(0.5) or 0), 2))
    found: list[Claim] = [("When it is decided.", f"Half of all games are decided only in their last {late}; {percent(early)} "
              "are decided in their first half.", (DECIDED_FIGURE.name,))]  # fmt: skip
    if sample.has_points:
        margin = number(float(result_tables.margins(sample).quantile(0.5) or 0))
        found.append(
            ("How close it is.", f"In half of the games the first is no more than {margin} points ahead.", ("margin",))
        )
    return found


def _length_in_short(sample: Sample) -> list[Claim]:
    """The claim about the length of games."""
    said = [_usual_length(row) for row in result_tables.game_lengths(sample).to_dicts()]
    said = [f"{said[0][:1].upper()}{said[0][1:]}", *said[1:]]
    return [("How long it takes.", f"{'; '.join(said)}.", ("turns", "decisions"))]


def _usual_length(row: dict[str, Any]) -> str:
    """The usual length of games as words; `row`: a row of the table of lengths."""
    first, last = number(row["25 %"]), number(row["75 %"])
    if number(row["5 %"]) == number(row["95 %"]):
        return f"nearly every game takes {first} {row['counted in']}"
    return (
        f"half of the games take {first} to {last} {row['counted in']}"
        if first != last
        else f"most games take {first} {row['counted in']}"
    )


def odd_in_short(sample: Sample) -> list[tuple[str, str]]:
    """The claims about oddities: the longest repetition, a game far longer than others, and actions that are never taken."""
    found = []
    if cycles := result_tables.cycles(sample):
        one = max(cycles, key=lambda cycle: (cycle["pays"], cycle["repeats"] * len(cycle["actions"])))
        pays = " and brings something each time" if one["pays"] else ""
        rule = one["actions"][0][2]
        found.append(("Something repeats itself.", f"“{named_things.round_of(one, 2)}” ({rule}) comes {one['repeats']:,} times in a row"
                      f"{pays}: {named_things.replay_of(sample, one['seed'], one['at'])}."))  # fmt: skip
    if (stray := result_tables.longest_games(sample, 1).to_dicts()[0])["times"] > LONG_GAME_FACTOR:
        found.append(("Games that do not end.", f"The longest took {stray['times']:.0f} times as many decisions as half of all: "
                      f"{named_things.replay_of(sample, stray['seed'], 0)}."))  # fmt: skip
    never = result_tables.never_taken(sample)
    of_block = sample.choices.group_by("block").agg(n=pl.col("action").n_unique())
    few = (
        never.group_by("block")
        .agg(never=pl.len())
        .join(of_block, on="block")
        .filter(pl.col("never") * NEVER_TAKEN_DIVISOR <= pl.col("n"))
    )
    never = never.filter(pl.col("block").is_in(few["block"].to_list()))  # most places of a map are never a destination
    if len(never):
        some = ", ".join(never["action"].head(4))
        found.append(
            ("What nobody does.", f"Offered often, taken never: {some}{' and others' if len(never) > 4 else ''}.")
        )
    return found


def _rules_in_short(sample: Sample) -> list[tuple[str, str]]:
    """The claim about the paragraphs of the rules: which of them were never used."""
    found = result_tables.coverage(sample)
    never = found.filter(pl.col("state") == "never")
    shown = len(found.filter(pl.col("state") != "silent"))
    if never.is_empty():
        return [("The rules.", f"Each of the {shown} rules we can watch was used.")]
    names = ", ".join(f"{row['number']} {row['title']}" for row in never.head(6).to_dicts())
    more = " and others" if len(never) > 6 else ""
    return [
        (
            "The rules.",
            f"{len(never)} of the {shown} rules we can watch {'was' if len(never) == 1 else 'were'} never used: {names}{more}.",
        )
    ]
