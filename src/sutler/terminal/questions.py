"""`sutler questions`: what a game's designer asks, answered from many games, in the terminal and as a page."""

from __future__ import annotations

from sutler.terminal.asked import Asked
from sutler.terminal.draw import console
from sutler.terminal.errors import told
from sutler.terminal.keeping import check_out
from sutler.terminal.progress import Bar


def questions_in_terminal(asked: Asked, only: list[int]) -> None:
    """Play, answer, and keep the page."""
    with told():
        check_out(asked.out, (".html",))
        name = asked.name
        from sutler.bots import bots_from
        from sutler.core.game import load
        from sutler.lab.asked import sheet_of
        from sutler.lab.designer import ask, keep, page_of
        from sutler.lab.simulate import seating

        sheet = sheet_of(name)
        players = bots_from(asked.bots)
        asked.warm()
        at = len(seating(players, load(name), asked.seats))
        with Bar(asked.games, "games") as bar:
            answers = ask(
                name,
                players,
                asked.games,
                at,
                asked.seed,
                asked.chosen or None,
                lambda what, done, most: bar.to(done, most) if what == "games" else None,
                only,
            )
        for one in answers:
            k = sheet.question.index(one.question) + 1
            console().print(f"{k}. {one.question.title}", style="bold")
            console().print(f"   {one.said}\n")
        if asked.out is not None:
            keep(asked.out, page_of(name, answers, asked.games, at, asked.seed))
            console().print(f"{len(answers)} answers with pictures in {asked.out}", style="dim")
