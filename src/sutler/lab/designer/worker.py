"""A process that answers one question: `python -m sutler.lab.designer.worker FOLDER`, with a folder as in `questions`.

It writes its progress and the answer so far to standard output, one JSON object a line. If it is ended early and started again, an
experiment (kind `play`) continues where it stopped.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from sutler.bots import bots_from
from sutler.core.machine.warm import Step, warm_once
from sutler.core.play.registry import definition
from sutler.lab.designer.questions import (
    EDIT_FILE,
    GAMES_FILE,
    QUESTION_FILE,
    REPORT_FILE,
    Question,
    check_question,
    edited_game,
    printed_game,
    query_of,
)
from sutler.lab.play.atomic_files import write_atomically
from sutler.lab.play.query import Query
from sutler.lab.studies import goal
from sutler.lab.studies.sweep import parse_range
from sutler.lab.studies.tournament import ladder_entrants, parse_rounds

Tell = Callable[[int, int, str], None]
"""A callback with the games done, the most games there may be, and the answer so far."""

VARIATIONS_PER_PAGE = 10
"""After so many versions the page of a sensitivity study is written again."""


def answer(question: Question, folder: Path, tell: Tell = lambda done, most, said: None) -> None:
    """Play until the question is answered, and write the report into `folder`. `tell` is called as games are done."""
    check_question(question)
    (folder / EDIT_FILE).write_text(question.edit, encoding="utf-8")
    answers = {"play": _play, "change": _change, "range": _range, "worth": _worth, "choice": _choice, "ladder": _ladder}
    answers |= {"matters": _matters, "goal": _goal, "hidden": _hidden}
    answers[question.kind](question, folder, tell)


def _play(question: Question, folder: Path, tell: Tell) -> None:
    """Answer how the game plays: an experiment and its report."""
    from sutler.lab.play.experiment import Plan, run
    from sutler.lab.report.report import report

    plan = Plan(
        edited_game(question), bots_from(question.bots, files=False), question.games, question.seed, question.seats
    )
    run(plan, folder / GAMES_FILE, progress=lambda done, most: tell(done, most, ""))
    write_atomically(folder / REPORT_FILE, report(folder / GAMES_FILE))


def _change(question: Question, folder: Path, tell: Tell) -> None:
    """Answer what the change does: a comparison of the printed game with the edited one."""
    from sutler.lab.report.study_pages import comparison_page
    from sutler.lab.studies.compare import Certainty, running_answers

    query = query_of(question, printed_game(question))
    other = replace(
        query,
        game=edited_game(question),
        bots=bots_from(question.bots_b, files=False) if question.bots_b.strip() else query.bots,
        seats=query.seats if question.seats_b is None else question.seats_b,
    )
    for found in running_answers(query, other, certainty=Certainty(give_up=question.give_up)):
        tell(found.games, question.games, found.answer())
        write_atomically(folder / REPORT_FILE, comparison_page(found))


def _range(question: Question, folder: Path, tell: Tell) -> None:
    """Answer what the values of a parameter do: a sweep."""
    from sutler.lab.report.study_pages import sweep_page
    from sutler.lab.studies.sweep import running_answers

    key, values = parse_range(question.over)
    said = ""

    def told(done: int, most: int) -> None:
        tell(done, most, said)

    for found in running_answers(query_of(question, edited_game(question), told), key, values):
        said = f"{len(found.points)} of {len(values)} values are played"
        write_atomically(folder / REPORT_FILE, sweep_page(found))


def _worth(question: Question, folder: Path, tell: Tell) -> None:
    """Answer what cards are worth, by replacing each in games."""
    from sutler.lab.report.study_pages import impact_page
    from sutler.lab.studies.impact import impact

    query = query_of(question, edited_game(question), lambda done, most: tell(done, most, ""))
    found = impact(query, question.cards_named)
    if not found.cards:
        raise ValueError(f"nobody drew any of these in {question.games} games")
    write_atomically(folder / REPORT_FILE, impact_page(found))


def _choice(question: Question, folder: Path, tell: Tell) -> None:
    """Answer what decisions are worth, by taking and not taking each in games."""
    from sutler.lab.report.decision_pages import answer as said_of
    from sutler.lab.report.decision_pages import choices_page
    from sutler.lab.studies.decision_value import decision_values

    query = query_of(question, edited_game(question), lambda done, most: tell(done, most, ""))
    found = decision_values(query, question.decisions, turned=question.from_then_on)
    if not found.choices:
        raise ValueError(f"nobody had this to decide in {question.games} games")
    tell(question.games, question.games, said_of(found))
    write_atomically(folder / REPORT_FILE, choices_page(found))


def _ladder(question: Question, folder: Path, tell: Tell) -> None:
    """Answer whether longer search wins: a ladder of searching bots."""
    from sutler.lab.report.study_pages import tournament_page
    from sutler.lab.studies.tournament import ladder_answer, ladder_seatings, running_answers

    said = ""

    def told(done: int, most: int) -> None:
        tell(done, most, said)

    entrants = ladder_entrants(parse_rounds(question.rounds))
    query = Query(edited_game(question), entrants, question.seats, question.games, question.seed, progress=told)
    for found in running_answers(query, ladder_seatings):
        said = ladder_answer(found) if found.mixed() else ""
        write_atomically(folder / REPORT_FILE, tournament_page(found, ladder=True))


def _matters(question: Question, folder: Path, tell: Tell) -> None:
    """Answer which numbers of the box matter: a sensitivity study."""
    from sutler.lab.report.design_pages import sensitivity_page
    from sutler.lab.studies.sensitivity import running_answers

    far, said = (0, 0), ""

    def told(done: int, most: int) -> None:
        nonlocal far
        far = done, most
        tell(done, most, said)

    for found in running_answers(query_of(question, printed_game(question), told), question.numbers_varied):
        said = found.answer(next(one for one in found.figures if one.name == "decisions"))
        if len(found.variations) % VARIATIONS_PER_PAGE == 0 or far[0] == far[1]:
            write_atomically(folder / REPORT_FILE, sensitivity_page(found))
    tell(*far, said)


def _goal(question: Question, folder: Path, tell: Tell) -> None:
    """Answer which change of a number reaches a goal."""
    from sutler.lab.report.design_pages import goal_page

    far = (0, 0)

    def told(done: int, most: int) -> None:
        nonlocal far
        far = done, most
        tell(done, most, "")

    query = query_of(question, printed_game(question), told)
    for found in goal.search_goal(query, question.want, question.numbers_varied, question.most):
        tell(*far, found.answer())
        write_atomically(folder / REPORT_FILE, goal_page(found))


def _hidden(question: Question, folder: Path, tell: Tell) -> None:
    """Answer what hidden information decides."""
    from sutler.lab.report.design_pages import hidden_page
    from sutler.lab.studies.hidden_information import running_answers

    far, said = (0, 0), ""

    def told(done: int, most: int) -> None:
        nonlocal far
        far = done, most
        tell(done, most, said)

    for found in running_answers(query_of(question, edited_game(question), told)):
        said = found.answer()
        tell(*far, said)
        write_atomically(folder / REPORT_FILE, hidden_page(found))


def main(folder: Path) -> int:
    """Answer the question in `folder`, with progress on standard output; returns the exit status, 1 after an error that is reported."""

    def tell(done: int, most: int, said: str) -> None:
        print(json.dumps({"done": done, "most": most, "said": said}), flush=True)

    def warming(step: Step) -> None:
        tell(0, 0, f"Compiling the rules, once: {step.what}")

    try:
        question = Question.model_validate_json((folder / QUESTION_FILE).read_text(encoding="utf-8"))
        check_question(question)
        sys.argv[:] = shlex.split(question.command())  # the command that the report gives to make it again
        warm_once(
            definition(question.game), warming, lambda: tell(0, 0, "Another process compiles the rules"), whole=False
        )
        answer(question, folder, tell)
    except (ValueError, KeyError, OSError) as error:
        print(json.dumps({"trouble": str(error.args[0] if error.args else error)}), flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
