"""`sutler questions`: what a game's designer asks, answered from many games, in the terminal and as a page."""

from __future__ import annotations

from collections.abc import Callable

import typer

from sutler.terminal.asked import Asked
from sutler.terminal.errors import told
from sutler.terminal.keeping import check_out
from sutler.terminal.progress import Bar


def questions_in_terminal(asked: Asked, only: list[int]) -> None:
    """Play, answer, and keep the page."""
    with told():
        check_out(asked.out, (".html",))
        name = asked.name
        from sutler.bots import bots_from
        from sutler.core.rule import PLAIN_ONLY
        from sutler.lab.designer.declared import check_sheet, require_question_numbers, sheet_of
        from sutler.lab.designer.run import answer_questions, answers_page
        from sutler.lab.play.files import write_atomically
        from sutler.lab.play.simulate import seat_bots
        from sutler.lab.stats.measures import count_of

        sheet = sheet_of(name)
        require_question_numbers(name, sheet, only)  # said before anything is compiled
        players = bots_from(asked.bots)
        at = len(seat_bots(players, asked.load(), asked.seats))
        check_sheet(asked.load(), sheet, at, only)
        asked.warm()
        n, answers = len(only) or len(sheet.question), []
        with Bar(asked.games) as bar:
            out = bar.out
            told_when = f"{count_of(n, 'question')}, each answered as soon as its games are played."
            once = "" if PLAIN_ONLY else " What watches games is compiled the first time, for a minute or more."
            out.print(f"{told_when}{once}\n", style="dim")
            try:
                for one in answer_questions(
                    name, players, asked.games, at, asked.seed, asked.chosen or None, _told_by(bar), only
                ):
                    answers.append(one)
                    out.print(f"{sheet.number(one.question)}. {one.question.title}", style="bold")
                    out.print(f"   {one.said}", markup=False)
                    out.print(f"   [{one.verdict}] {one.played}.\n", style="dim", markup=False)
                    if asked.out is not None:
                        write_atomically(asked.out, answers_page(name, answers, asked.games, at, asked.seed))
            except KeyboardInterrupt:
                kept = f"; they are in {asked.out}" if asked.out is not None and answers else ""
                out.print(f"Interrupted: {len(answers)} of {count_of(n, 'question')} answered{kept}.")
                raise typer.Exit(130) from None
        if asked.out is not None:
            out.print(f"{count_of(len(answers), 'answer')} with pictures in {asked.out}", style="dim")


def _told_by(bar: Bar) -> Callable[[str, int, int], None]:
    """What `ask` tells of the games it plays, as a line that says what they are for; every table is counted by itself."""
    lot = ("", 0)

    def tell(what: str, done: int, most: int) -> None:
        nonlocal lot
        if what != lot[0] or done < lot[1]:
            bar.anew(what)
        lot = what, done
        bar.to(done, most)

    return tell
