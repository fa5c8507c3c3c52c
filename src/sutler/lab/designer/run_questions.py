"""Answering all questions that a game declares: games are played and logged once, and each question is answered by its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from html import escape

from sutler.bots import bots_of
from sutler.core.play.game import load
from sutler.lab.designer.claims_across_bots import games_in_words, ladder_groups
from sutler.lab.designer.declared_questions import (
    Answer,
    QuestionContext,
    check_sheet,
    probes_of,
    require_question_numbers,
    sheet_of,
)
from sutler.lab.designer.question_kinds import ANSWERS
from sutler.lab.play.event_stream import LogSettings, play_and_log
from sutler.lab.play.provenance import provenance
from sutler.lab.play.query import Query
from sutler.lab.play.simulate import seat_bots
from sutler.lab.report.study_pages import heading, lead, note, page
from sutler.lab.stats.estimates import count_of

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
    game, name, bots, seed = query.version, query.version.name, bots_of(query.bots), query.seed
    games = query.games_or(GAMES)
    sheet = sheet_of(name)
    require_question_numbers(name, sheet, only)
    at = len(seat_bots(bots, game, query.seats))
    check_sheet(game, sheet, at, only)
    fields = [one.field for one in sheet.question if one.field]
    wanted = LogSettings(sheet.opens, fields, probes_of(name, sheet))
    watched = play_and_log(game, bots, at, games, seed, wanted, partial(progress, "watched"))
    others = ladder_groups(sheet, watched, bots, games, seed, lambda what: partial(progress, what))
    for k, question in enumerate(sheet.question, 1):
        if not only or k in only:
            tell = partial(progress, f"question {k} of {len(sheet.question)}")
            context = QuestionContext(query, sheet, watched, tell, others)
            found = ANSWERS[question.kind](question, context)
            yield found if found.played else replace(found, played=games_in_words(context))


def answers_page(name: str, answers: Sequence[Answer], watched_games: int, seats: int, seed: int) -> str:
    """The HTML page with all answers to the declared questions of the game `name`.

    `watched_games`, `seats`, `seed`: of the games that were logged.
    """
    game, sheet = load(name), sheet_of(name)
    on = f"{count_of(watched_games, sheet.game)} at {count_of(seats, 'seat')}, from seed {seed}."
    told = f"{on} Intervals are 95 %, those of one question together."
    body = [lead(told), note(sheet.intro)]
    numbered = [(sheet.number(one.question), one) for one in answers]
    listed = "".join(
        f'<li value="{k}"><a href="#q{k}">{escape(one.question.title)}</a> <span class="quiet">{escape(one.verdict)}</span></li>'
        for k, one in numbered
    )
    body.append(f"<ol>{listed}</ol>")
    for k, one in numbered:
        body += [
            f'<section id="q{k}">',
            heading(f"{k}. {one.question.title}"),
            note(one.question.says),
            lead(one.said),
        ]
        body += [verdict_line(one), *one.body, "</section>"]
    return page(f"{game.title}: what its designer asks", body, provenance(game))


def verdict_line(one: Answer) -> str:
    """A line of HTML under an answer: its verdict, and the games that it rests on."""
    verdict = f"{one.verdict[:1].upper()}{one.verdict[1:]}."
    return f'<p><b>{escape(verdict)}</b> <span class="quiet">{escape(one.played)}.</span></p>'
