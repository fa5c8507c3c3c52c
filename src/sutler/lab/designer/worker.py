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

from sutler.bots import parse_bots
from sutler.core.compilation.warm import Scope, Step, compile_game_unless_warm
from sutler.core.play.registry import load_definition
from sutler.lab.designer.questions import (
    EDIT_FILE,
    GAMES_FILE,
    QUESTION_FILE,
    REPORT_FILE,
    Question,
    build_edited_game,
    build_printed_game,
    build_query,
    require_askable_question,
)
from sutler.lab.play.atomic_files import write_atomically
from sutler.lab.play.query import Query
from sutler.lab.studies import goal
from sutler.lab.studies.sweep import parse_range
from sutler.lab.studies.tournament import list_ladder_entrants, parse_rounds

Tell = Callable[[int, int, str], None]
"""A callback with the games done, the most games there may be, and the answer so far."""

VARIATIONS_PER_PAGE = 10
"""After so many versions the page of a sensitivity study is written again."""


def answer_into_folder(question: Question, folder: Path, report_progress: Tell = lambda done, most, said: None) -> None:
    """Play until the question is answered, and write the report into `folder`. `report_progress` is called as games are done."""
    require_askable_question(question)
    (folder / EDIT_FILE).write_text(question.edit, encoding="utf-8")
    answers = {
        "play": _answer_play,
        "change": _answer_change,
        "range": _answer_range,
        "worth": _answer_card_worth,
        "choice": _answer_decision_worth,
        "ladder": _answer_ladder,
    }
    answers |= {"matters": _answer_sensitivity, "goal": _answer_goal, "hidden": _answer_hidden_information}
    answers[question.kind](question, folder, report_progress)


def _answer_play(question: Question, folder: Path, tell: Tell) -> None:
    """Write the answer to "how does the game play?": an experiment and its report."""
    from sutler.lab.play.experiment import Plan, run
    from sutler.lab.report.report import render_report

    plan = Plan(
        build_edited_game(question),
        parse_bots(question.bots, files=False),
        question.games,
        question.seed,
        question.seats,
    )
    run(plan, folder / GAMES_FILE, progress=lambda done, most: tell(done, most, ""))
    write_atomically(folder / REPORT_FILE, render_report(folder / GAMES_FILE))


def _answer_change(question: Question, folder: Path, tell: Tell) -> None:
    """Write the answer to "what does the change do?": a comparison of the printed game with the edited one."""
    from sutler.lab.report.study_pages import render_comparison_page
    from sutler.lab.studies.compare import Certainty, iter_comparisons

    query = build_query(question, build_printed_game(question))
    other = replace(
        query,
        game=build_edited_game(question),
        bots=parse_bots(question.bots_b, files=False) if question.bots_b.strip() else query.bots,
        seats=query.seats if question.seats_b is None else question.seats_b,
    )
    for found in iter_comparisons(query, other, certainty=Certainty(give_up=question.give_up)):
        tell(found.games, question.games, found.answer())
        write_atomically(folder / REPORT_FILE, render_comparison_page(found))


def _answer_range(question: Question, folder: Path, tell: Tell) -> None:
    """Write the answer to "what do the values of a parameter do?": a sweep."""
    from sutler.lab.report.study_pages import render_sweep_page
    from sutler.lab.studies.sweep import iter_sweep

    key, values = parse_range(question.over)
    said = ""

    def report_games_done(done: int, most: int) -> None:
        tell(done, most, said)

    for found in iter_sweep(build_query(question, build_edited_game(question), report_games_done), key, values):
        said = f"{len(found.points)} of {len(values)} values are played"
        write_atomically(folder / REPORT_FILE, render_sweep_page(found))


def _answer_card_worth(question: Question, folder: Path, tell: Tell) -> None:
    """Write the answer to "what are cards worth?": each card is replaced in games."""
    from sutler.lab.report.study_pages import render_impact_page
    from sutler.lab.studies.card_value import estimate_card_impact

    query = build_query(question, build_edited_game(question), lambda done, most: tell(done, most, ""))
    found = estimate_card_impact(query, question.cards_named)
    if not found.cards:
        raise ValueError(f"nobody drew any of these in {question.games} games")
    write_atomically(folder / REPORT_FILE, render_impact_page(found))


def _answer_decision_worth(question: Question, folder: Path, tell: Tell) -> None:
    """Write the answer to "what are decisions worth?": games are played on with and without each decision."""
    from sutler.lab.report.decision_pages import describe_answer as said_of
    from sutler.lab.report.decision_pages import render_choices_page
    from sutler.lab.studies.decision_value import estimate_decision_values

    query = build_query(question, build_edited_game(question), lambda done, most: tell(done, most, ""))
    found = estimate_decision_values(query, question.decisions, changed_settings=question.parse_later_settings)
    if not found.choices:
        raise ValueError(f"nobody had this to decide in {question.games} games")
    tell(question.games, question.games, said_of(found))
    write_atomically(folder / REPORT_FILE, render_choices_page(found))


def _answer_ladder(question: Question, folder: Path, tell: Tell) -> None:
    """Write the answer to "does longer search win?": a ladder of searching bots."""
    from sutler.lab.report.study_pages import render_tournament_page
    from sutler.lab.studies.tournament import describe_ladder, iter_tournament, list_ladder_seatings

    said = ""

    def report_games_done(done: int, most: int) -> None:
        tell(done, most, said)

    entrants = list_ladder_entrants(parse_rounds(question.rounds))
    query = Query(
        build_edited_game(question), entrants, question.seats, question.games, question.seed, progress=report_games_done
    )
    for found in iter_tournament(query, list_ladder_seatings):
        said = describe_ladder(found) if found.list_tables_with_two_bots() else ""
        write_atomically(folder / REPORT_FILE, render_tournament_page(found, ladder=True))


def _answer_sensitivity(question: Question, folder: Path, tell: Tell) -> None:
    """Write the answer to "which numbers of the box matter?": a sensitivity study."""
    from sutler.lab.report.design_pages import render_sensitivity_page
    from sutler.lab.studies.sensitivity import iter_sensitivity

    far, said = (0, 0), ""

    def report_games_done(done: int, most: int) -> None:
        nonlocal far
        far = done, most
        tell(done, most, said)

    for found in iter_sensitivity(
        build_query(question, build_printed_game(question), report_games_done), question.numbers_varied
    ):
        said = found.answer(next(one for one in found.figures if one.name == "decisions"))
        if len(found.variations) % VARIATIONS_PER_PAGE == 0 or far[0] == far[1]:
            write_atomically(folder / REPORT_FILE, render_sensitivity_page(found))
    tell(*far, said)


def _answer_goal(question: Question, folder: Path, tell: Tell) -> None:
    """Write the answer to "which change of a number reaches a goal?": a search for the goal."""
    from sutler.lab.report.design_pages import render_goal_page

    far = (0, 0)

    def report_games_done(done: int, most: int) -> None:
        nonlocal far
        far = done, most
        tell(done, most, "")

    query = build_query(question, build_printed_game(question), report_games_done)
    for found in goal.search_goal(query, question.want, question.numbers_varied, question.most):
        tell(*far, found.answer())
        write_atomically(folder / REPORT_FILE, render_goal_page(found))


def _answer_hidden_information(question: Question, folder: Path, tell: Tell) -> None:
    """Write the answer to "what does hidden information decide?": a study of hidden information."""
    from sutler.lab.report.design_pages import render_hidden_information_page
    from sutler.lab.studies.hidden_information import iter_hidden_information

    far, said = (0, 0), ""

    def report_games_done(done: int, most: int) -> None:
        nonlocal far
        far = done, most
        tell(done, most, said)

    for found in iter_hidden_information(build_query(question, build_edited_game(question), report_games_done)):
        said = found.answer()
        tell(*far, said)
        write_atomically(folder / REPORT_FILE, render_hidden_information_page(found))


def main(folder: Path) -> int:
    """Answer the question in `folder`, with progress on standard output; returns the exit status, 1 after an error that is reported."""

    def tell(done: int, most: int, said: str) -> None:
        print(json.dumps({"done": done, "most": most, "said": said}), flush=True)

    def warming(step: Step) -> None:
        tell(0, 0, f"Compiling the rules, once: {step.what}")

    try:
        question = Question.model_validate_json((folder / QUESTION_FILE).read_text(encoding="utf-8"))
        require_askable_question(question)
        sys.argv[:] = shlex.split(question.build_command_line())  # the command that the report gives to make it again
        compile_game_unless_warm(
            load_definition(question.game),
            warming,
            lambda: tell(0, 0, "Another process compiles the rules"),
            Scope.LAB,
        )
        answer_into_folder(question, folder, tell)
    except (ValueError, KeyError, OSError) as error:
        print(json.dumps({"trouble": str(error.args[0] if error.args else error)}), flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
