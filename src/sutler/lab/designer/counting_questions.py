"""Answers to questions about how often an event happens: by the things it names, by part of the game, and by its cause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from sutler.core.play.registry import load_definition
from sutler.lab.designer.claims_across_bots import HeldClaims, describe_logged_games, judge_logged_games
from sutler.lab.designer.declared_questions import Answer, Question, QuestionContext
from sutler.lab.designer.headline_questions import format_value_cell, list_table_headers, render_beyond_bounds_note
from sutler.lab.play.event_logs import LoggedGames
from sutler.lab.play.headline_figures import Figure, Numbers
from sutler.lab.report.study_charts import Bar, render_interval_bars
from sutler.lab.report.study_pages import render_chart_with_caption, render_note, render_table
from sutler.lab.stats.estimates import format_count_with_noun
from sutler.lab.studies.claim_verdicts import SHARE_NEAR, Estimate, Evidence, JudgedClaim, Level, Proportion

MAX_BARS = 16
"""The most bars of a chart; the table has all rows."""
MAX_PARTS = 8
"""With more parts of the game than this, counts are not split by part."""
MAX_THINGS_HELD = 4
"""The number of the commonest things that are compared with other bots, one by one."""
MAX_RARE_NAMES = 12
"""The most names given of the rarest things."""
TOTAL = Figure("count", "in all", "")


def find_thing_names(context: QuestionContext, kind: str, numbers: Sequence[Any]) -> list[str]:
    """The names of the things with these numbers; a number without a name as text. `kind`: the kind of thing."""
    listed = context.watched.game.names.get(kind)
    return [str(listed[n]) if listed is not None and 0 <= n < len(listed) else str(n) for n in numbers]


def count_events_by_game(events: pl.DataFrame, games: int) -> Numbers:
    """The number of these events in each of `games` games, shape (games,)."""
    return np.bincount(events["game"].to_numpy(), minlength=games).astype(np.float64)


def answer_count(question: Question, context: QuestionContext) -> Answer:
    """The answer to a question about how often an event happens: by thing, by part of the game, and by the cause before it."""
    watched, one_game = context.watched, context.sheet.game
    columns = [watched.find_column(question.event, part) for part in question.key_parts]
    found, games = watched.select_kinds(question.event), watched.games
    things = found.group_by(columns or pl.lit(0).alias("all")).len().sort("len", descending=True)
    rows_of = list(things.iter_rows(named=True))[: question.most] if columns else []
    labels = [_format_row_label(question, context, row, columns) for row in rows_of]
    shown = {label: {name: row[name] for name in columns} for label, row in zip(labels, rows_of, strict=True)}
    caused = _compute_shares_by_cause(question, watched)
    held = _judge_count_across_bots(question, context, shown, caused)
    on = describe_logged_games(context) + held.describe_other_bots(one_game)
    if not len(found):
        most = f"so in {100 * held.lines[0].values[0][2]:.1f} % of them at most"
        said = f"Never, in {format_count_with_noun(games, one_game)}, {most}.{_describe_totals_of_others(held)}"
        return Answer(question, said, (), held.verdict, on)
    without = games - found["game"].n_unique()
    rest = f"; none at all in {without:,} of {games:,}." if without else ", at least one in each."
    said = f"{_format_mean(held.lines[0].values[0], f'a {one_game} ')}{rest}"
    body = (
        _render_counts_by_thing(question, context, held, shown)
        if columns
        else _render_totals_by_part(question, context, held)
    )
    body += [*_render_rare_thing_notes(question, context, things), *_render_table_between_bots(held, one_game)]
    if caused:
        lines = sorted((line for line in held.alone if line.figure in caused), key=lambda line: -line.values[0][0])
        cells = [
            (
                line.figure.label,
                f"{caused[line.figure].hits.sum():,.0f}",
                format_value_cell(line.figure, line.values[0]),
            )
            for line in lines
        ]
        body.append(render_table(("cause", "times", "share"), cells))
        said += f" Last before it, most often: {lines[0].figure.label}, {format_value_cell(lines[0].figure, lines[0].values[0])}."
    if not question.piece and len(labels) > 1:
        commonest = [(line.figure.label, f"{line.values[0][0]:.2f}") for line in _list_thing_claims(held, caused)[:3]]
        said += f" Most: {', '.join(f'{name} ({mean})' for name, mean in commonest if mean != '0.00')}."
    elif not question.piece and columns and len(things) == 1:
        said += f" All of them: {labels[0]}."
    return Answer(question, said + _describe_totals_of_others(held), tuple(body), held.verdict, on)


def _render_counts_by_thing(
    question: Question, context: QuestionContext, held: HeldClaims, columns_by_label: Mapping[str, Mapping[str, int]]
) -> list[str]:
    """A chart of the things named most often, and a table of all of them by part of the game, as HTML.

    `columns_by_label`: by label, the columns and values by which the thing's events are found.
    """
    watched, one_game = context.watched, context.sheet.game
    found, games = watched.select_kinds(question.event), watched.games
    parts = _list_game_parts(found)
    rows, drawn = [], []
    for line in (line for line in [*held.lines, *held.alone] if line.figure.label in columns_by_label):
        label, (value, low, high) = line.figure.label, line.values[0]
        drawn.append(Bar(label, max(0.0, low), value, high, f"{value:.2f}"))
        by_part = _format_means_by_part(_filter_events(found, columns_by_label[label]), parts, games)
        rows.append((label, *by_part, f"{value:.2f}", *_find_piece_text(question, context, label)))
    every = f"{held.lines[0].values[0][0]:.2f}"
    rows.append(("all", *_format_means_by_part(found, parts, games), every, *([""] if question.piece else [])))
    most = " The commonest; the table has more." if len(drawn) > MAX_BARS else ""
    top = (question.key_parts[0], *(f"{context.sheet.part} {part}" for part in parts), "all")
    return [
        render_chart_with_caption(
            render_interval_bars(drawn[:MAX_BARS], 0.0, f"a {one_game}"),
            f"A {one_game}'s mean, with its interval.{most}",
        ),
        render_table((*top, "what it does") if question.piece else top, rows, all_words=bool(question.piece)),
    ]


def _render_totals_by_part(question: Question, context: QuestionContext, held: HeldClaims) -> list[str]:
    """A chart of the total with each bot, and a table of the total by part of the game, as HTML; for events that name no thing."""
    watched, one_game = context.watched, context.sheet.game
    found = watched.select_kinds(question.event)
    values = zip(held.bots, held.lines[0].values, strict=True)
    drawn = [Bar(bot, max(0.0, low), value, high, f"{value:.2f}") for bot, (value, low, high) in values]
    caption = f"A {one_game}'s mean between each of these bots, with its interval."
    body = [render_chart_with_caption(render_interval_bars(drawn, 0.0, f"a {one_game}"), caption)]
    if parts := _list_game_parts(found):
        row = (question.event.replace("_", " "), *_format_means_by_part(found, parts, watched.games))
        body.append(render_table(("", *(f"{context.sheet.part} {part}" for part in parts)), [row]))
    return body


def _list_game_parts(events: pl.DataFrame) -> list[int]:
    """The parts of the game in which these events happened; empty if they are one part only, or more than MAX_PARTS."""
    parts = sorted(set(events["part"]))
    return parts if 1 < len(parts) <= MAX_PARTS else []


def _format_mean(value: Estimate, unit: str = "") -> str:
    """A mean per game with its interval and unit, as text."""
    middle, low, high = value
    return f"{middle:.2f} {unit}({max(0.0, low):.2f} to {high:.2f})"


def _judge_count_across_bots(
    question: Question,
    context: QuestionContext,
    things: Mapping[str, Mapping[str, int]],
    caused: Mapping[Figure, Proportion],
) -> HeldClaims:
    """The verdicts on a count: on its total per game, and on the things named most often, compared between bots.

    `things`: by name, the columns and values by which a thing's events are found. `caused`: shares by cause, which are judged without
    other bots.
    """
    named: dict[Figure, Mapping[str, int]] = {Figure(name, name, ""): row for name, row in things.items()}
    first = {TOTAL: {}, **dict(list(named.items())[:MAX_THINGS_HELD])}

    def read(watched: LoggedGames, wanted: Mapping[Figure, Mapping[str, int]] = first) -> dict[Figure, Evidence]:
        told = watched.select_kinds(question.event)
        return {
            figure: Level(count_events_by_game(_filter_events(told, row), watched.games))
            for figure, row in wanted.items()
        }

    alone = {**read(context.watched, dict(list(named.items())[MAX_THINGS_HELD:])), **caused}
    return judge_logged_games(context, read, least=SHARE_NEAR, alone=alone)


def _filter_events(events: pl.DataFrame, wanted: Mapping[str, int]) -> pl.DataFrame:
    """The rows of `events` that have the values of `wanted`, a value by column."""
    return events.filter(pl.all_horizontal(pl.lit(True), *(pl.col(name) == value for name, value in wanted.items())))


def _list_thing_claims(held: HeldClaims, caused: Mapping[Figure, Proportion]) -> list[JudgedClaim]:
    """The claims about things, the commonest first."""
    return [*held.lines[1:], *(line for line in held.alone if line.figure not in caused)]


def _describe_totals_of_others(held: HeldClaims) -> str:
    """A sentence with the total per game that each other bot has; "" where there is none."""
    others = zip(held.bots[1:], held.lines[0].values[1:], strict=True)
    told = "; ".join(f"{bot} {value[0]:.2f}" for bot, value in others)
    return f" Between others: {told}." if told else ""


def _format_means_by_part(events: pl.DataFrame, parts: Sequence[int], games: int) -> list[str]:
    """The mean number of these events per game in each part of the game, as text."""
    return [f"{len(events.filter(pl.col('part') == part)) / games:.2f}" for part in parts]


def _render_table_between_bots(held: HeldClaims, game: str) -> list[str]:
    """A table of the total and the things named most often, with each bot's value and the verdict; notes where only one bot was asked."""
    if not held.is_held:
        return render_beyond_bounds_note(held)
    rows = [(line.figure.label, line.verdict, *(_format_mean(one) for one in line.values)) for line in held.lines]
    return [render_table(list_table_headers([f"a {game}"], held, game), rows), *render_beyond_bounds_note(held)]


def _format_row_label(question: Question, context: QuestionContext, row: dict[str, Any], columns: list[str]) -> str:
    """The label of a table's row: the names of the things in these columns, or the name of the event."""
    if not columns:
        return question.event.replace("_", " ")
    kinds = dict(context.watched.game.definition.events.events[question.event].parts)
    told = [
        find_thing_names(context, kinds[part], [row[name]])[0]
        for part, name in zip(question.key_parts, columns, strict=True)
    ]
    alike = len({kinds[part] for part in question.key_parts}) < len(columns)
    return (" – " if alike else " ").join(told)


def _find_piece_text(question: Question, context: QuestionContext, label: str) -> list[str]:
    """The printed text of one piece of an entry, found by a label such as "Thea 7"; empty if the question names no `piece`."""
    if not question.piece:
        return []
    name, number = label.rsplit(" ", 1)
    entry = next(one for one in load_definition(context.query.name).printed[question.entries] if one["name"] == name)
    return [entry[question.piece][int(number) - 1]["text"]]


def _render_rare_thing_notes(question: Question, context: QuestionContext, things: pl.DataFrame) -> list[str]:
    """Notes as HTML: the things named least often with their means, and those never named; empty unless the event names one thing."""
    if len(question.key_parts) != 1:
        return []
    part = question.key_parts[0]
    kind = dict(context.watched.game.definition.events.events[question.event].parts)[part]
    games, seen = context.watched.games, {int(row[0]): int(row[1]) for row in things.iter_rows()}
    told = []
    if last := list(seen)[question.most :][-MAX_RARE_NAMES:]:
        named = zip(find_thing_names(context, kind, last), last, strict=True)
        told.append(
            render_note("Least often: " + ", ".join(f"{name} ({seen[n] / games:.2f})" for name, n in named) + ".")
        )
    if never := [str(name) for n, name in enumerate(context.watched.game.names[kind]) if n not in seen]:
        told.append(render_note(f"Never, in {games:,} games: {', '.join(never)}."))
    return told


def add_causes(logged: LoggedGames, event: str, causes: Sequence[str]) -> pl.DataFrame:
    """A copy of these events with the columns `cause` and `since`.

    `cause` is the kind of the last event among `causes` before each event, `since` that event's index.
    """
    kinds = logged.events.filter(pl.col("kind").is_in([event, *causes])).sort("game", "i")
    is_cause = pl.col("kind").is_in(list(causes))
    return kinds.with_columns(
        cause=pl.when(is_cause).then(pl.col("kind")).forward_fill().over("game"),
        since=pl.when(is_cause).then(pl.col("i")).forward_fill().over("game"),
    ).filter(pl.col("kind") == event)


def _compute_shares_by_cause(question: Question, logged: LoggedGames) -> dict[Figure, Proportion]:
    """For each cause, in words, the share of the events that came last after it."""
    if not question.causes or not len(logged.select_kinds(question.event)):
        return {}
    found = add_causes(logged, question.event, list(question.causes))
    word = pl.col("cause").cast(pl.String).replace_strict(question.causes, default="something else")
    found = found.with_columns(word=word.fill_null("something else"))
    every = count_events_by_game(found, logged.games)
    return {
        Figure(f"by {one}", one, "", share=True): Proportion(
            count_events_by_game(found.filter(pl.col("word") == one), logged.games), every
        )
        for one in dict.fromkeys(found["word"])
    }
