"""`sutler questions`: answer the questions that a game's designer declared, from many games between bots."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from sutler.cli.errors import require_game_name
from sutler.cli.options import FirstSeed, GameName, Players, command
from sutler.cli.output_file import require_writable_out
from sutler.cli.progress import Bar
from sutler.cli.study_preparation import prepare_study


@command
def questions_command(
    game: GameName,
    games: Annotated[int, typer.Option(min=2, help="How many games are watched; other tables have a quarter.")] = 1000,
    *,
    players: Players,
    question: Annotated[
        list[int] | None, typer.Option(metavar="K", help="Only this one (again for more); all if left out.")
    ] = None,
    seed: FirstSeed = 1,
    out: Annotated[Path | None, typer.Option(metavar="F.html", help="Keep the page with pictures and tables.")] = None,
) -> None:
    """Answer the questions that the designer of a game asks playtesters, from many games between bots."""
    require_writable_out(out, (".html",))
    from sutler.core.rule import PLAIN_ONLY
    from sutler.lab.designer.declared_questions import check_sheet, load_question_sheet, require_question_numbers
    from sutler.lab.designer.run_questions import answer_questions, render_answers_page
    from sutler.lab.play.atomic_files import write_atomically
    from sutler.lab.play.simulate import seat_bots
    from sutler.lab.stats.estimates import format_count_with_noun

    only = question or []
    sheet = load_question_sheet(require_game_name(game))
    require_question_numbers(require_game_name(game), sheet, only)  # said before anything is compiled
    query = players.build_query(game, games, seed)
    at = len(seat_bots(query.bots, query.version, query.seats))
    check_sheet(query.version, sheet, at, only)
    prepare_study(query)
    n, answers = len(only) or len(sheet.question), []
    with Bar(games) as bar:
        lines = bar.out
        told_when = f"{format_count_with_noun(n, 'question')}, each answered as soon as its games are played."
        once = "" if PLAIN_ONLY else " First run: about a minute of compiling."
        lines.print(f"{told_when}{once}\n", style="dim")
        try:
            for one in answer_questions(query, _build_progress_callback(bar), only):
                answers.append(one)
                lines.print(f"{sheet.get_question_number(one.question)}. {one.question.title}", style="bold")
                lines.print(f"   {one.question.says}", style="dim")
                lines.print("\n".join(f"   {line}" for line in one.said.split("\n")))
                lines.print(f"   [{one.verdict}] {one.played}.\n", style="dim")
                if out is not None:
                    write_atomically(out, render_answers_page(query.name, answers, games, at, seed))
        except KeyboardInterrupt:
            kept = f"; they are in {out}" if out is not None and answers else ""
            lines.print(f"Interrupted: {len(answers)} of {format_count_with_noun(n, 'question')} answered{kept}.")
            raise typer.Exit(130) from None
    if out is not None:
        lines.print(f"{format_count_with_noun(len(answers), 'answer')} with pictures in {out}", style="dim")


def _build_progress_callback(bar: Bar) -> Callable[[str, int, int], None]:
    """A progress callback (what, games done, games in all) that shows on the bar what the games are for, and counts each run from 0."""
    lot = ("", 0)

    def show_progress(what: str, done: int, total: int) -> None:
        nonlocal lot
        if what != lot[0] or done < lot[1]:
            bar.restart_count(what)
        lot = what, done
        bar.update_count(done, total)

    return show_progress
