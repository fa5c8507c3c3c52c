"""Answering all questions that a game declares: games are played and logged once, and each question is answered by its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from html import escape

from sutler.bots import to_bots
from sutler.core.play.game import load
from sutler.lab.designer.claims_across_bots import build_ladder_groups, describe_logged_games
from sutler.lab.designer.declared_questions import (
    Answer,
    QuestionContext,
    check_sheet,
    load_probes,
    load_question_sheet,
    require_question_numbers,
)
from sutler.lab.designer.question_kinds import ANSWERS
from sutler.lab.play.event_logs import LogSettings, play_and_log
from sutler.lab.play.provenance import collect_provenance
from sutler.lab.play.query import Query
from sutler.lab.play.simulate import seat_bots
from sutler.lab.report.study_pages import join_units, render_heading, render_lead, render_note, render_page
from sutler.lab.stats.estimates import capitalize_first, format_count_with_noun

GAMES = 1000  # the number that is played and logged where the query names none


def answer_questions(
    query: Query,
    progress: Callable[[str, int, int], None] = lambda what, done, most: None,
    only: Sequence[int] = (),
) -> Iterator[Answer]:
    """Play and log the query's games, and yield the answer to each question that the game declares.

    `only`: the numbers (from 1) of the questions to answer, all if empty; `progress(what, done, most)` is called as games are done.
    ValueError where there is no question of a number.
    """
    game, name, bots, seed = query.version, query.version.name, to_bots(query.bots), query.seed
    games = query.get_games_or(GAMES)
    sheet = load_question_sheet(name)
    require_question_numbers(name, sheet, only)
    at = len(seat_bots(bots, game, query.seats))
    check_sheet(game, sheet, at, only)
    fields = [one.field for one in sheet.question if one.field]
    wanted = LogSettings(sheet.opens, fields, load_probes(name, sheet))
    watched = play_and_log(game, bots, at, games, seed, wanted, partial(progress, "watched"))
    others = build_ladder_groups(sheet, watched, bots, games, seed, lambda what: partial(progress, what))
    for k, question in enumerate(sheet.question, 1):
        if not only or k in only:
            tell = partial(progress, f"question {k} of {len(sheet.question)}")
            context = QuestionContext(query, sheet, watched, tell, others)
            found = ANSWERS[question.kind](question, context)
            yield found if found.played else replace(found, played=describe_logged_games(context))


def render_answers_page(name: str, answers: Sequence[Answer], logged_games: int, seats: int, seed: int) -> str:
    """The HTML page with all answers to the declared questions of the game `name`.

    `logged_games`, `seats`, `seed`: of the games that were logged.
    """
    game, sheet = load(name), load_question_sheet(name)
    on = f"{format_count_with_noun(logged_games, sheet.game)} at {format_count_with_noun(seats, 'seat')}, from seed {seed}."
    told = f"{on} Intervals are 95 %, those of one question together."
    body = [render_lead(told), render_note(sheet.intro)]
    numbered = [(sheet.get_question_number(one.question), one) for one in answers]
    listed = "".join(
        f'<li value="{k}"><a href="#q{k}">{escape(one.question.title)}</a> <span class="quiet">{escape(one.short_verdict)}</span></li>'
        for k, one in numbered
    )
    body.append(f"<ol>{listed}</ol>")
    body.append(
        render_note("Beside each question: how many differences are beyond chance, or whether other bots see the same.")
    )
    for k, one in numbered:
        body += [
            f'<section id="q{k}">',
            render_heading(f"{k}. {one.question.title}"),
            render_note(one.question.says),
            *render_sentences(one.said),
        ]
        body += [render_verdict_line(one), *one.body, "</section>"]
    return render_page(f"{game.title}: what its designer asks", body, collect_provenance(game))


def render_verdict_line(answer: Answer) -> str:
    """The line under an answer as HTML: the verdict, and the games from which it was reached."""
    short, rest = answer.short_verdict, answer.verdict
    if rest.startswith(short):
        rest = rest.removeprefix(short).lstrip(",.:; ")
    short, rest = (f"{capitalize_first(one)}. " if one else "" for one in (short, rest))
    return f'<p><b>{escape(short.strip())}</b> <span class="quiet">{escape(f"{rest}{answer.played}.")}</span></p>'


def render_sentences(said: str) -> list[str]:
    """The sentences of an answer as HTML: in large letters where they are one line, as a list where they are several."""
    lines = said.split("\n")
    if len(lines) == 1:
        return [render_lead(said)]
    return [f'<ul class="said">{"".join(f"<li>{escape(join_units(line))}</li>" for line in lines)}</ul>']
