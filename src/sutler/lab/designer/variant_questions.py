"""Answers to questions that need further games: with other numbers of seats, other values of a setting, or things removed.

Each group of bots plays these games, and each claim is compared between the groups.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from sutler.core.play.game import Game
from sutler.core.play.registry import load_definition
from sutler.lab.designer.claims_across_bots import HeldClaims, join_with_verdicts, judge_claims_across_bots
from sutler.lab.designer.declared_questions import Answer, Question, QuestionContext
from sutler.lab.designer.headline_questions import (
    format_value_cell,
    label_figure,
    list_table_headers,
    render_beyond_bounds_note,
)
from sutler.lab.play.bot_groups import Group, format_bot_names
from sutler.lab.play.headline_figures import Figure, Numbers
from sutler.lab.report.study_charts import Bar, Curve, render_curves, render_interval_bars
from sutler.lab.report.study_pages import render_chart_with_caption, render_table
from sutler.lab.stats.estimates import format_count_with_noun
from sutler.lab.stats.three_valued_verdict import find_side_of_point
from sutler.lab.studies.claim_verdicts import Estimate, Evidence, JudgedClaim, Level, Shift

WON = Figure("won", "won", "Share of games.", share=True)
POINTS = Figure("score", "points", "Of one seat.")


@dataclass(frozen=True)
class _VersionGames:
    """The results of games of one version at one number of seats.

    For each game 1 or 0 for won, and the points of seat 0; and the mean number of each event per game.
    """

    won: Numbers
    points: Numbers
    events: dict[str, float]

    def to_evidence(self, version_name: str) -> dict[Figure, Evidence]:
        """The evidence of these games, by figure: the share of games won, and the mean points.

        `version_name`: the version's name in reports.
        """
        return {
            label_figure(version_name, WON): Level(self.won, share=True),
            label_figure(version_name, POINTS): Level(self.points),
        }


def _play_group_games(
    group: Group, game: Game, context: QuestionContext, seats: int, question: Question
) -> _VersionGames:
    """The results of one group's games of a version with `seats` seats; as many games as the question asks for are played."""
    table, told = group.play_and_count_events(game, seats, context.count_games_for_further_questions(question.share))
    ending = game.definition.events.endings[0]
    won = table["ending"].str.split(" + ").list.contains(ending).to_numpy().astype(np.float64)
    per = dict(told.group_by("event").agg(pl.col("count").sum()).iter_rows())
    events = {words: per.get(event, 0) / len(table) for event, words in question.events.items()}
    return _VersionGames(won, table["score_0"].to_numpy().astype(np.float64), events)


def _describe_games(context: QuestionContext, held: HeldClaims, suffix: str) -> str:
    """The number of games played for an answer and their bots, in words. `suffix`: words after the number of games."""
    game = context.sheet.game
    return (
        f"{format_count_with_noun(held.games[0], game)} {suffix}, between "
        f"{format_bot_names(context.query.bots)}{held.describe_other_bots(game)}"
    )


def _render_claims_table(
    held: HeldClaims, events: Mapping[str, Mapping[str, float]], first: str, game: str, signed: bool = False
) -> str:
    """A table of every claim, with each group's value and the verdict, and a table of events per game in the first group, as HTML.

    `first`: the head of the first column; `game`: the word for one game; `signed`: values are differences.
    """
    words = list(next(iter(events.values()), {}))
    rows = [
        (
            line.figure.label,
            *([line.verdict] if held.is_held else []),
            *(format_value_cell(line.figure, one, signed) for one in line.values),
        )
        for line in held.lines
    ]
    counted = [(at, *(f"{told[one]:.1f}" for one in words)) for at, told in events.items()]
    return render_table(list_table_headers([first], held, game), rows) + (
        render_table((f"a {game}", *words), counted) if words else ""
    )


def answer_seats(question: Question, context: QuestionContext) -> Answer:
    """The answer to a question about how often games are won, and with how many points, for each number of players."""
    names = {n: format_count_with_noun(n, "player") for n in question.seats}
    found: list[dict[Figure, Evidence]] = [{} for _ in context.groups]
    events: dict[str, dict[str, float]] = {}
    for n, at in names.items():
        for k, group in enumerate(context.groups):
            games = _play_group_games(group, context.watched.game, context, n, question)
            found[k] |= games.to_evidence(at)
            events.setdefault(at, games.events)
    held = judge_claims_across_bots(
        context,
        found,
        [one.count_games_to_play(context.count_games_for_further_questions(question.share)) for one in context.groups],
    )
    seen = {line.figure: line.values[0] for line in held.lines}
    won = ", ".join(f"{at} {format_value_cell(WON, seen[label_figure(at, WON)])}" for at in names.values())
    points = {n: seen[label_figure(at, POINTS)] for n, at in names.items()}
    best = max(points, key=lambda n: points[n][0])
    drawn = [Bar(names[n], low, value, high, f"{value:.1f}") for n, (value, low, high) in points.items()]
    told = ", ".join(f"{names[n]} {format_value_cell(POINTS, value)}" for n, value in points.items())
    shown = render_chart_with_caption(
        render_interval_bars(drawn, points[best][0], "points"),
        f"Mean points, with their intervals; the line is {names[best]}.",
    )
    body = (
        shown,
        _render_claims_table(held, events, "table and figure", context.sheet.game),
        *render_beyond_bounds_note(held),
    )
    said = f"Won: {won}. Points: {told}. {_describe_largest({names[n]: value for n, value in points.items()})}"
    return Answer(question, said, body, held.verdict, _describe_games(context, held, "at each table"))


def _subtract_jointly(one: Estimate, other: Estimate) -> Estimate:
    """The difference `other` - `one`, with an interval that holds whenever those of both hold."""
    return other[0] - one[0], other[1] - one[2], other[2] - one[1]


def _describe_largest(points: Mapping[str, Estimate]) -> str:
    """A sentence that names the number of players (table) with surely more points than every other, or says that there is none."""
    best = max(points, key=lambda at: points[at][0])
    gaps = [_subtract_jointly(value, points[best]) for at, value in points.items() if at != best]
    if gaps and all(find_side_of_point(low, high) > 0 for _, low, high in gaps):
        return f"Surely most: {best}."
    return "No table surely has more points than every other."


def _describe_table_gaps(setting: str, tables: tuple[str, str], gaps: Mapping[str, Estimate]) -> str:
    """A sentence about the values of a setting at which points surely differ between the first and the last number of players.

    `tables`: the names of the first and of the last table; `gaps`: the points of the last less those of the first, by value.
    """
    apart = {value: gap for value, gap in gaps.items() if find_side_of_point(*gap[1:])}
    if not apart:
        low, high = min(one[1] for one in gaps.values()), max(one[2] for one in gaps.values())
        ends = f"each difference somewhere in {POINTS.format_interval(low, high, signed=True)}"
        return f"At no value of {setting} are the points of {tables[0]} and of {tables[1]} told apart ({ends})."
    told = "; ".join(f"{format_value_cell(POINTS, gap, signed=True)} at {value}" for value, gap in apart.items())
    rest = [value for value in gaps if value not in apart]
    said = f"Points of {tables[1]} less those of {tables[0]}, by {setting}: surely {told}."
    return f"{said} Not told apart at {', '.join(rest)}." if rest else said


def _describe_effects_on_points(held: HeldClaims, base: str) -> str:
    """A sentence about the values of a setting, and numbers of players, for which points surely differ from those at the value `base`."""
    told = []
    for line in held.lines:
        table, _, value = line.figure.label.removesuffix(f": {POINTS.label}").rpartition(", ")
        told.append(("{} " + f"at {value} with {table}", line))
    return (
        _describe_points_beyond_chance(f"Points against {base}", told, held)
        or f"No other value is seen to move points against {base} ({_format_widest_range(held.lines)})."
    )


def _describe_points_beyond_chance(start: str, claims: Sequence[tuple[str, JudgedClaim]], held: HeldClaims) -> str:
    """A sentence that begins with `start` and lists the claims about points that are beyond chance; "" if there are none.

    `claims`: (a text with {} where the points go, the claim) of each.
    """
    clear = [
        (
            text.replace("{}", format_value_cell(POINTS, line.values[0], signed=True)),
            line.verdict if held.is_held else "",
        )
        for text, line in claims
        if line.find_side_of_even(0)
    ]
    return f"{start}, where beyond chance: {join_with_verdicts(clear)}." if clear else ""


def _format_widest_range(claims: Sequence[JudgedClaim]) -> str:
    """The range that covers all these effects on points, as text."""
    low, high = min(line.values[0][1] for line in claims), max(line.values[0][2] for line in claims)
    return f"{'each ' if len(claims) > 1 else ''}somewhere in {POINTS.format_interval(low, high, signed=True)}"


def answer_sweep(question: Question, context: QuestionContext) -> Answer:
    """The answer to a question about how the values of a setting change the points, for several numbers of players.

    The claims compared between groups of bots are the differences in points from the first value.
    """
    names = {n: format_count_with_noun(n, "player") for n in question.seats}
    versions = {str(value): context.load_variant({question.setting: int(value)}) for value in question.values}
    values, context = list(versions), context.keep_bots_able_to_play(list(versions.values()))
    found: list[dict[Figure, Evidence]] = [{} for _ in context.groups]
    alone: dict[Figure, Evidence] = {}
    events: dict[str, dict[str, float]] = {}
    for n, at in names.items():
        for k, group in enumerate(context.groups):
            first: _VersionGames | None = None
            for value in values:
                games = _play_group_games(group, versions[value], context, n, question)
                where = f"{at}, {value}"
                if first is None:
                    first = games
                else:
                    found[k][label_figure(where, POINTS)] = Shift(first.points, games.points)
                if not k:
                    alone |= games.to_evidence(where)
                    events[where] = games.events
    nothing = [dict.fromkeys((one.name for one in seen), 0.0) for seen in found]
    held = judge_claims_across_bots(
        context,
        found,
        [one.count_games_to_play(context.count_games_for_further_questions(question.share)) for one in context.groups],
        nothing,
        first_group_only=alone,
    )
    seen = {line.figure: line.values[0] for line in held.alone}
    lines = [
        Curve(
            at,
            *(list(part) for part in zip(*(seen[label_figure(f"{at}, {v}", POINTS)] for v in values), strict=True)),
        )
        for at in names.values()
    ]
    first_table, *_, last_table = names.values()
    gaps = {
        v: _subtract_jointly(*(seen[label_figure(f"{at}, {v}", POINTS)] for at in (first_table, last_table)))
        for v in values
    }
    said = " ".join(
        (
            _describe_effects_on_points(held, f"{question.setting} = {values[0]}"),
            _describe_table_gaps(question.setting, (first_table, last_table), gaps),
        )
    )
    drawn = render_curves(values, lines, question.setting, lambda v: f"{v:.0f}")
    told = [(line.figure.label, format_value_cell(line.figure, line.values[0])) for line in held.alone]
    body = (
        render_chart_with_caption(drawn, "Mean points, with their intervals."),
        _render_claims_table(held, events, f"against {values[0]}", context.sheet.game, signed=True),
        render_table(("table, value", held.bots[0]), told),
        *render_beyond_bounds_note(held),
    )
    return Answer(question, said, body, held.verdict, _describe_games(context, held, "of each version"))


def iter_removing_edits(question: Question, printed: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (name, edit) for each edit of the box that removes one of the question's things. `printed`: the printed box.

    The edit is the question's own with the name filled in, or it empties fields (`emptied`) of the named entry. Where the question names a
    `piece`, a list in the entry, the fields of each of its members are emptied in turn.
    """
    emptied = [question.emptied] if isinstance(question.emptied, str) else question.emptied
    for name in question.names:
        if question.edit:
            yield name, tomllib.loads(question.edit.format(name=name))
            continue
        entry = next(one for one in printed[question.entries] if one["name"] == name)
        if not question.piece:
            yield name, {question.entries: [{"name": name} | build_emptying_edit(entry, emptied)]}
            continue
        listed = entry[question.piece]
        for k in range(len(listed)):
            left = [one | build_emptying_edit(one, emptied) if i == k else one for i, one in enumerate(listed)]
            yield f"{name} {k + 1}", {question.entries: [{"name": name, question.piece: left}]}


def build_emptying_edit(entry: Mapping[str, Any], emptied: Sequence[str]) -> dict[str, Any]:
    """The part of an edit that empties the fields named in `emptied`: a list becomes empty, any other value is deleted (None)."""
    return {key: [] if isinstance(entry[key], list) else None for key in emptied if key in entry}


def _build_gap_bar(line: JudgedClaim) -> Bar:
    """The bar of a claim about points gained."""
    gap, low, high = line.values[0]
    tone = ("", "more", "less")[line.find_side_of_even(0)]
    return Bar(line.figure.label, low, gap, high, f"{gap:+.1f}".replace("-", "−"), tone)


def _describe_what_is_brought(claims: Sequence[JudgedClaim], held: HeldClaims) -> str:
    """A sentence about the things that significantly add or cost points; if none does, about the largest effect still possible."""
    told = [(line.figure.label + " {}", line) for line in claims]
    return (
        _describe_points_beyond_chance("Points brought", told, held)
        or f"None of it is seen to bring points, or to cost some ({_format_widest_range(claims)})."
    )


def answer_without(question: Question, context: QuestionContext) -> Answer:
    """The answer to a question about what each of several things adds to the points.

    Games are played from equal seeds with and without each thing.
    """
    taken = {
        name: context.load_variant({}, edit)
        for name, edit in iter_removing_edits(question, load_definition(context.query.name).printed)
    }
    context = context.keep_bots_able_to_play(list(taken.values()))
    found: list[dict[Figure, Evidence]] = []
    won: dict[Figure, Evidence] = {}
    for k, group in enumerate(context.groups):
        base = _play_group_games(group, context.watched.game, context, context.query.n_seats, question)
        brought: dict[Figure, Evidence] = {}
        for name, game in taken.items():
            games = _play_group_games(group, game, context, context.query.n_seats, question)
            brought[Figure(name, name, "Points.")] = Shift(games.points, base.points)
            won |= {label_figure(f"without {name}", WON): Level(games.won, share=True)} if not k else {}
        found.append(brought)
    nothing = [dict.fromkeys((one.name for one in seen), 0.0) for seen in found]
    held = judge_claims_across_bots(
        context,
        found,
        [one.count_games_to_play(context.count_games_for_further_questions(question.share)) for one in context.groups],
        nothing,
        first_group_only=won,
    )
    order = sorted(held.lines, key=lambda line: -line.values[0][0])
    drawn = [_build_gap_bar(line) for line in order]
    said = _describe_what_is_brought(order, held)
    shown = render_chart_with_caption(
        render_interval_bars(drawn, 0.0, "points"),
        f"Points a {context.sheet.game} with it less those without, {held.games[0]} pairs of the same seed.",
    )
    rest = render_table(
        ("", "won"), [(line.figure.label, format_value_cell(line.figure, line.values[0])) for line in held.alone]
    )
    body = (
        shown,
        _render_claims_table(replace(held, lines=order), {}, "what it brought", context.sheet.game, signed=True),
        rest,
        *render_beyond_bounds_note(held),
    )
    on = _describe_games(
        context, held, f"at {format_count_with_noun(context.query.n_seats, 'seat')} with and without each"
    )
    return Answer(question, said, body, held.verdict, on)
