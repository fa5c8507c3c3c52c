"""`sutler puzzle`: play the rest of one turn in the terminal, and compare it with the best line."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError, require_game_name
from sutler.cli.options import command


@command
def puzzle_command(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game.")],
    number: Annotated[int, typer.Argument(metavar="[N]", help="Which puzzle, from 1.")] = 1,
) -> None:
    """Solve a puzzle: find the best way to play the rest of one turn of a game."""
    from sutler.cli.play_commands.game_loop import Left
    from sutler.cli.play_commands.puzzle_loop import Solving
    from sutler.core.play.game import load
    from sutler.core.play.puzzle import build_puzzle_position, read_puzzles

    found = read_puzzles(load(require_game_name(game)).folder)
    if not 1 <= number <= len(found):
        raise CommandError(f"{game} has no puzzle {number}; it has {len(found) or 'none'}")
    chosen = found[number - 1]
    begun = build_puzzle_position(chosen, load(chosen.game, None, chosen.options))
    solving = Solving(make_console(), begun, [chosen.you], {}, None, puzzle=chosen)
    solving.out.print(Text(f"{begun.game.title} {number}/{len(found)}", "bold").append("  ? for help", "not bold dim"))
    try:
        solving.solve()
    except (Left, EOFError, KeyboardInterrupt):
        solving.out.print()
