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

from sutler.core.play.registry import load_definition
from sutler.lab.play.experiment_file import Sample, Unreadable, read
from sutler.lab.play.headline_figures import GENERAL_FIGURES, Figure, describe_constant_shares, list_role_kinds
from sutler.lab.play.provenance import describe_bot
from sutler.lab.report import chapters, named_things, result_tables, usage_tables
from sutler.lab.report.html_parts import format_interval, keep_options_whole, load_report_css, load_tables_script
from sutler.lab.report.report_charts import format_number, format_percent
from sutler.lab.stats.estimates import compute_wilson_interval, count_games_won_together, format_count_with_noun
from sutler.lab.stats.three_valued_verdict import find_side_of_point
from sutler.lab.studies.robustness import Robustness, Rung, build_rung, compute_even_shares

CHAPTERS = (
    ("seats", "Who wins", chapters.render_wins_chapter),
    ("points", "Points", chapters.render_points_chapter),
    ("length", "Length", chapters.render_length_chapter),
    ("lead", "The lead", chapters.render_lead_chapter),
    ("endings", "How games end", chapters.render_endings_chapter),
    ("belongings", "What seats own", chapters.render_belongings_chapter),
    ("things", "Cards and other things", named_things.render_things_chapter),
    ("choices", "Choices", named_things.render_choices_chapter),
    ("odd", "What repeats itself, what nobody does", named_things.render_oddities_chapter),
    ("rules", "Rules that were used", chapters.render_rules_chapter),
    ("about", "Where these figures come from", chapters.render_about_chapter),
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


def render_report(path: Path, others: Sequence[Path] = ()) -> str:
    """The report of an experiment's file as HTML.

    `others`: files of games between other bots, with which each claim is compared. Unreadable where a file is no experiment, or another
    game's.
    """
    sample = read(path)
    across = build_robustness(sample, [read(one) for one in others]) if others else None
    shown = [(key, title, inside) for key, title, chapter in CHAPTERS if (inside := chapter(sample))]
    body = "".join(_render_foldable_chapter(*one) for one in shown)
    title = f"{sample.about['title']}: {format_count_with_noun(sample.games, 'game')}"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{load_report_css()}</style></head><body><header><h1>{escape(title)}</h1><p>{render_subtitle(sample)}</p></header>"
        f"<main>{render_warnings(sample)}{render_summary(sample, across)}{body}</main>"
        f"{load_tables_script()}</body></html>\n"
    )


def _render_foldable_chapter(key: str, title: str, body: str) -> str:
    """A chapter as HTML that can be folded under its title. `key`: its id."""
    state = " open" if key in OPEN_CHAPTERS else ""
    return (
        f"<details{state}><summary><h2>{escape(title)}</h2></summary>"
        f'<section id="{key}" aria-label="{escape(title)}">{body}</section></details>'
    )


def render_subtitle(sample: Sample) -> str:
    """A sentence on the bots and the settings of the experiment, as HTML."""
    told = sample.about
    names = [describe_bot(one) for one in told["bots"]]
    who = f"{sample.seats} bots: {names[0]}" if len(set(names)) == 1 else f"the bots {', '.join(names)}"
    chosen = ", ".join(f"{key}={value}" for key, value in {**told["options"], **told["settings"]}.items())
    edited = " The box was edited." if told["edit"] else ""
    how = f", with {chosen}" if chosen else ", as printed" if not edited else ""
    return escape(f"Played by {who}{how}; from seed {told['seed']} on.{edited}")


def render_warnings(sample: Sample) -> str:
    """The box of warnings about the experiment, as HTML; "" where there are none."""
    found = result_tables.list_warnings(sample)
    rows = "".join(f"<li>{escape(one)}</li>" for one in found)
    return (
        f'<aside class="warn" aria-label="Keep in mind"><h2>Keep in mind</h2><ul>{rows}</ul></aside>' if found else ""
    )


def build_robustness(sample: Sample, others: Sequence[Sample]) -> Robustness:
    """A comparison of an experiment with those between other bots. Unreadable where game, box, options or seats differ."""
    for one in others:
        for key in ("game", "box", "options", "seats"):
            if one.about[key] != sample.about[key]:
                raise Unreadable(
                    f"{one.about['file']}: {key} is {one.about[key]}, in {sample.about['file']} {sample.about[key]}; "
                    "only the bots may differ"
                )
    rungs = [_build_rung(one) for one in (sample, *others)]
    return Robustness(tuple(rungs), compute_even_shares(sample.table), sample.about)


def _build_rung(sample: Sample) -> Rung:
    """The headline figures of an experiment, with the share of its decisions after which each game was decided, as one rung of a ladder."""
    found = build_rung(load_definition(str(sample.about["game"])), sample.table, sample.who)
    return replace(found, figures={**found.figures, DECIDED_FIGURE: _compute_decided_shares(sample).to_numpy()})


def _compute_decided_shares(sample: Sample) -> pl.Series:
    """The share of its decisions (0 to 1) after which each game was decided."""
    return sample.table.select(at=pl.col("decided") / pl.max_horizontal("decisions", pl.lit(1)))["at"]


def render_summary(sample: Sample, robustness: Robustness | None = None) -> str:
    """The main results in a few sentences, as an HTML list, each with its bots and with the verdict of other bots, if compared."""
    claims = [
        *_build_win_claims(sample),
        *_build_ending_claims(sample),
        *_build_course_claims(sample),
        *_build_length_claims(sample),
    ]
    claims += [(*one, ()) for one in [*build_oddity_claims(sample), *_build_rule_claims(sample)]]
    rows = "".join(
        f'<li><b>{escape(head)}</b> {escape(rest)} <span class="by">{escape(sample.who)}'
        f"{escape(_format_verdict_suffix(robustness, names))}</span></li>"
        for head, rest, names in claims
    )
    return f'<ul class="short" aria-label="In short">{rows}</ul>{_render_other_bots_paragraph(sample, robustness)}'


def _format_verdict_suffix(robustness: Robustness | None, names: tuple[str, ...]) -> str:
    """The verdict on a claim, as words behind the claim; "" if no other bots were compared.

    `names`: the prefixes of the figures that the claim rests on; without any it is an observation, which has no verdict.
    """
    if robustness is None:
        return ""
    return f"; {robustness.judge_claim_about(names)}" if names else f"; {SEEN_ONLY_VERDICT}"


def _render_other_bots_paragraph(sample: Sample, robustness: Robustness | None) -> str:
    """A paragraph about the other bots that were compared; if there are none, the commands that compare some."""
    if robustness is None:
        file = sample.about["file"]
        return keep_options_whole(
            f"<p>Each of these claims speaks of games {escape(sample.who)} only. Whether it holds between others, ask: "
            f"<code>{escape(build_other_bots_command(sample))}</code>; or play the same with other <code>--bots</code> "
            f"into another file, and "
            f"<code>{escape(shlex.join(['sutler', 'report', file, '--across']))} OTHER.parquet</code> gives each claim its verdict.</p>"
        )
    others = "; ".join(f"{one.games:,} games {one.bot}" for one in robustness.rungs[1:])
    return f"<p>Held against {escape(others)}: holds, same side only, depends on the bot, or too few games to say.</p>"


def build_other_bots_command(sample: Sample) -> str:
    """The command line that plays the experiment's game between the bots of its ladder."""
    told = sample.about
    chosen = {**told["options"], **told["settings"]}
    words = ["sutler", "across", told["game"], "--seats", str(sample.seats), "--games", str(sample.games)]
    for key, value in chosen.items():
        words += ["--set", f"{key}={value}"]
    return shlex.join([*words, "--seed", str(told["seed"]), *(["--box", "EDIT.toml"] if told["edit"] else [])])


def _build_win_claims(sample: Sample) -> list[Claim]:
    """The claims about wins: which roles and seats win more or less often than even, and how often nobody wins."""
    if sample.cooperative:
        k, n = count_games_won_together(sample.table)
        low, high = compute_wilson_interval(k, n)
        won = f"{format_percent(k / n)} of the games ({format_interval({'low': low, 'high': high})})."
        won = " ".join([won, *describe_constant_shares({NOBODY: [1 - k / n]}, cooperative=True)])
        return [("How often it is won.", won, ("nobody",))]
    found: list[Claim] = []
    lost = result_tables.compute_share_won_by_nobody(sample)
    if lost == 1.0:
        (limit,) = describe_constant_shares({NOBODY: [lost]})
        return [("Nobody wins.", f"In none of these games was a seat first. {limit}", ("nobody",))]
    for kind in list_role_kinds(sample.table):
        rows = [{"who": row[kind], **row} for row in result_tables.build_wins_by_role_table(sample, kind).to_dicts()]
        found.append((*_describe_favoured(rows, kind, usage_tables.format_plural(kind), lost), (f"{kind}_",)))
    if sample.seats > 1:
        rows = [{"who": row["seat"], **row} for row in result_tables.build_wins_by_seat_table(sample).to_dicts()]
        found.append((*_describe_favoured(rows, "seat", "seats", lost), ("seat_",)))
    if lost:
        found.append(("Nobody wins", f"{format_percent(lost)} of the games.", ("nobody",)))
    return found


def _describe_favoured(rows: list[dict[str, Any]], singular: str, plural_word: str, lost: float) -> tuple[str, str]:
    """The (title, body) of a claim that says which of these rows win more or less often than their even share.

    `singular`, `plural_word`: the word for a row in singular and plural; `lost`: the share of games that nobody wins.
    """
    off = [row for row in rows if find_side_of_point(row["low"], row["high"], row["even"])]
    even = f"an even share is {format_percent(rows[0]['even'])}" + (", since nobody wins the rest" if lost else "")
    if not off:
        low, high = min(row["share"] for row in rows), max(row["share"] for row in rows)
        return (
            f"No {singular} is seen to be favoured.",
            f"Each won {format_percent(low)} to {format_percent(high)}; {even}.",
        )
    said = ", ".join(f"{row['who']} won {format_percent(row['share'])} ({format_interval(row)})" for row in off)
    return f"The {plural_word} are not even.", f"{said}; {even}."


def _build_ending_claims(sample: Sample) -> list[Claim]:
    """The claim about endings: how often each way to end occurred; empty if there is only one way."""
    rows = result_tables.build_ways_of_ending_table(sample).to_dicts()
    if sample.cooperative or len(rows) < 2:
        return []
    called = [_quote_capitalised(usage_tables.find_event_words(sample, row["way"])) for row in rows]
    told = [
        f"{name} {format_percent(row['share'])} ({format_interval(row)})"
        for name, row in zip(called, rows, strict=True)
        if row["games"]
    ]
    if never := [name for name, row in zip(called, rows, strict=True) if not row["games"]]:
        told.append(f"never {', '.join(never)} (0 to {format_percent(rows[-1]['high'])} each)")
    return [("How games end.", f"{', '.join(told)}.", ("ends_",))]


def _quote_capitalised(words: str) -> str:
    """The words in quotation marks, with a capital letter."""
    return f"“{words[:1].upper()}{words[1:]}”"


def _build_course_claims(sample: Sample) -> list[Claim]:
    """The claims about the course of games: when they were decided, and by how many points they were won."""
    if sample.cooperative or sample.seats < 2:
        return []
    half = _compute_decided_shares(sample)
    early = float((half <= 0.5).sum()) / sample.games
    late = format_percent(1 - round(float(half.quantile(0.5) or 0), 2))
    found: list[Claim] = [("When it is decided.", f"Half of all games are decided only in their last {late}; {format_percent(early)} "
              "are decided in their first half.", (DECIDED_FIGURE.name,))]  # fmt: skip
    if sample.has_points:
        margin = format_number(float(result_tables.compute_margins(sample).quantile(0.5) or 0))
        found.append(
            ("How close it is.", f"In half of the games the first is no more than {margin} points ahead.", ("margin",))
        )
    return found


def _build_length_claims(sample: Sample) -> list[Claim]:
    """The claim about the length of games."""
    said = [_describe_usual_length(row) for row in result_tables.build_game_lengths_table(sample).to_dicts()]
    said = [f"{said[0][:1].upper()}{said[0][1:]}", *said[1:]]
    return [("How long it takes.", f"{'; '.join(said)}.", ("turns", "decisions"))]


def _describe_usual_length(row: dict[str, Any]) -> str:
    """The usual length of games as words; `row`: a row of the table of lengths."""
    first, last = format_number(row["25 %"]), format_number(row["75 %"])
    if format_number(row["5 %"]) == format_number(row["95 %"]):
        return f"nearly every game takes {first} {row['counted in']}"
    return (
        f"half of the games take {first} to {last} {row['counted in']}"
        if first != last
        else f"most games take {first} {row['counted in']}"
    )


def build_oddity_claims(sample: Sample) -> list[tuple[str, str]]:
    """The claims about oddities: the longest repetition, a game much longer than others, and actions never taken."""
    found = []
    if cycles := result_tables.list_cycles(sample):
        one = max(cycles, key=lambda cycle: (cycle["pays"], cycle["repeats"] * len(cycle["actions"])))
        pays = " and brings something each time" if one["pays"] else ""
        rule = one["actions"][0][2]
        found.append(("Something repeats itself.",
                      f"“{named_things.describe_cycle_round(one, 2)}” ({rule}) comes {one['repeats']:,} times in a row"
                      f"{pays}: {named_things.build_replay_command(sample, one['seed'], one['at'])}."))  # fmt: skip
    if (stray := result_tables.find_longest_games(sample, 1).to_dicts()[0])["times"] > LONG_GAME_FACTOR:
        found.append(("Games that do not end.", f"The longest took {stray['times']:.0f} times as many decisions as half of all: "
                      f"{named_things.build_replay_command(sample, stray['seed'], 0)}."))  # fmt: skip
    never = result_tables.find_actions_never_taken(sample)
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


def _build_rule_claims(sample: Sample) -> list[tuple[str, str]]:
    """The claim about the paragraphs of the rules: which of them were never used."""
    found = result_tables.build_rule_coverage(sample)
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
