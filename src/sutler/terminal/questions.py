"""`sutler questions`: what a game's designer asks, answered from many games, in the terminal and as a page."""

from __future__ import annotations

from pathlib import Path

from sutler.terminal.draw import console
from sutler.terminal.errors import known_game, settings_from, told
from sutler.terminal.keeping import check_out
from sutler.terminal.progress import Bar
from sutler.terminal.warm import show_warming


def questions_in_terminal(
    game: str,
    games: int,
    bots: str,
    seats: int | None,
    settings: list[str],
    seed: int,
    out: Path | None,
    only: list[int],
) -> None:
    """Play, answer, and keep the page."""
    with told():
        check_out(out, (".html",))
        name = known_game(game)
        from sutler.bots import bots_from
        from sutler.core.game import load
        from sutler.lab.asked import sheet_of
        from sutler.lab.designer import ask, keep, page_of
        from sutler.lab.simulate import seating

        sheet = sheet_of(name)
        players = bots_from(bots)
        show_warming(name)
        at = len(seating(players, load(name), seats))
        with Bar(games, "games") as bar:
            answers = ask(
                name,
                players,
                games,
                at,
                seed,
                settings_from(settings) or None,
                lambda what, done, most: bar.to(done, most) if what == "games" else None,
                only,
            )
        for one in answers:
            k = sheet.question.index(one.question) + 1
            console().print(f"{k}. {one.question.title}", style="bold")
            console().print(f"   {one.said}\n")
        if out is not None:
            keep(out, page_of(name, answers, games, at, seed))
            console().print(f"{len(answers)} answers with pictures in {out}", style="dim")
