"""`sutler puzzle`: the rest of one turn at the keyboard, and how it compares with the best line."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from sutler.cli.console import console
from sutler.cli.errors import CommandError, known_game
from sutler.cli.options import command
from sutler.cli.playing.seat_loop import Sitting

if TYPE_CHECKING:
    from sutler.core.puzzle import Puzzle

HELP = """[bold]number[/] or an action's name: do it   [bold]b[/] one step back   [bold]a[/] from the beginning
[bold]t[/] the table again   [bold]r[/] the rule of this question   [bold]w ACTION[/] why not?   [bold]q[/] leave"""


@command
def puzzle(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game.")],
    number: Annotated[int, typer.Argument(metavar="[N]", help="Which puzzle, from 1.")] = 1,
) -> None:
    """Solve a puzzle: one turn in a game that others began, and one line in it that is the best."""
    from sutler.cli.playing.seat_loop import Left
    from sutler.core.game import load
    from sutler.core.puzzle import puzzle_position, puzzles_in

    found = puzzles_in(load(known_game(game)).folder)
    if not 1 <= number <= len(found):
        raise CommandError(f"{game} has no puzzle {number}; it has {len(found) or 'none'}")
    chosen = found[number - 1]
    begun = puzzle_position(chosen, load(chosen.game, None, chosen.options))
    solving = Solving(console(), begun, [chosen.you], {}, None, puzzle=chosen)
    solving.out.print(Text(f"{begun.game.title} {number}/{len(found)}", "bold").append("  ? for help", "not bold dim"))
    try:
        solving.solve()
    except (Left, EOFError, KeyboardInterrupt):
        solving.out.print()


@dataclass
class Solving(Sitting):
    """A puzzle at one keyboard."""

    puzzle: Puzzle = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.before = self.puzzle.you  # nobody else sits here
        self.commands |= {"b": self.back, "u": self.back, "a": self.again}
        for word in ("h", "s", "o"):  # no hints, and nothing is kept
            self.commands.pop(word)

    def solve(self) -> None:
        """Let the turn be played to its end, then tell how it compares; again, if that is wanted."""
        from sutler.core.puzzle import is_finished, is_solved
        from sutler.web.table.puzzles import help_text, task_text

        task = task_text(self.puzzle, self.pos.scores()[self.puzzle.you])
        self.out.print(Text(task, "bold"), Text(help_text(self.puzzle)))
        self.show_table("")
        while not is_finished(self.puzzle, self.pos):
            self.let_person(self.puzzle.you)
        self.show_news(self.puzzle.you)
        self.tell(is_solved(self.puzzle, self.pos))

    def tell(self, solved: bool) -> None:
        """Print whether the puzzle is solved, the line, and what was tried to find it."""
        from sutler.core.language import _
        from sutler.web.table.puzzles import came_to_text, line_in_words, proof_text

        if solved:
            self.out.print(_("Solved."), style="bold green")
        else:
            came_to = came_to_text(self.puzzle, self.pos.scores()[self.puzzle.you])
            self.out.print(Text(_("Not the best."), "bold").append(f" {came_to}", "not bold"))
        self.out.print(Text(_("The best line") + ": ").append(", ".join(line_in_words(self.pos, self.puzzle)), "bold"))
        self.out.print(proof_text(self.puzzle), style="dim")

    def back(self, _: str) -> None:
        """Take the last step back."""
        if self.pos.decisions:
            self._back_to(len(self.pos.decisions) - 1)

    def again(self, _: str) -> None:
        """Begin from the beginning."""
        self._back_to(0)

    def _back_to(self, decisions: int) -> None:
        while len(self.pos.decisions) > decisions:
            self.pos.undo()
        self.shown, self.told = len(self.pos.log(self.puzzle.you)), len(self.pos.decisions)
        self.show_question(self.puzzle.you)

    def help(self, _: str) -> None:
        """Print what can be typed."""
        self.out.print(Text.from_markup(HELP))
