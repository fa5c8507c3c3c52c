"""`sutler learn`: a game's lessons in the terminal, from the files that the browser's table reads too."""

from __future__ import annotations

from typing import Annotated

import typer

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError, require_game_name
from sutler.cli.options import command


@command
def learn_command(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game.")],
    lesson: Annotated[str, typer.Argument(metavar="[LESSON]", help="Which lesson: first, or second.")] = "first",
) -> None:
    """Learn a game by playing it: a lesson of five minutes, one sentence at a time."""
    from sutler.bots import bot
    from sutler.cli.play_commands.game_loop import Left
    from sutler.cli.play_commands.lesson_loop import Learning
    from sutler.core.play.game import load
    from sutler.core.text.lesson import build_opening_position, read_lessons

    found = read_lessons(load(require_game_name(game)).folder)
    if lesson not in found:
        raise CommandError(f"{game} has no lesson {lesson!r}; it has {', '.join(found) or 'none'}")
    chosen = found[lesson]
    begun = build_opening_position(chosen, load(chosen.game, None, chosen.options), bots=bot)
    learning = Learning(make_console(), begun, chosen)
    try:
        learning.run_lesson()
    except (Left, EOFError, KeyboardInterrupt):
        learning.out.print("\nA lesson begins anew: nothing of it is kept.", style="dim")
