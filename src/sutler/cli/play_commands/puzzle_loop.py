"""The loop of a puzzle in the terminal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.text import Text

from sutler.cli.play_commands.game_loop import Sitting
from sutler.core.text.language import _

if TYPE_CHECKING:
    from sutler.core.play.puzzle import Puzzle


def _help_text() -> str:
    """The commands that can be typed, in Rich's markup."""
    return _("""[bold]number[/] or an action's name: do it   [bold]b[/] one step back   [bold]a[/] from the beginning
[bold]t[/] the table again   [bold]r[/] the rule of this question   [bold]w ACTION[/] why not?   [bold]q[/] leave""")


@dataclass
class Solving(Sitting):
    """A puzzle in the terminal: the solver's turn is played, then compared with the best line."""

    puzzle: Puzzle = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.before = self.puzzle.you  # nobody else sits here
        self.commands |= {"b": self.undo_step, "u": self.undo_step, "a": self.restart}
        for word in ("h", "s", "o"):  # no hints, and nothing is kept
            self.commands.pop(word)

    def solve(self) -> None:
        """Print the task, let the person play the turn to its end, and print how it compares with the best line."""
        from sutler.core.play.puzzle import is_finished, is_solved
        from sutler.web.table.teaching.puzzles import describe_task, describe_terms

        task = describe_task(self.puzzle, self.pos.scores()[self.puzzle.you])
        self.out.print(Text(task, "bold"), Text(describe_terms(self.puzzle)))
        self.show_table("")
        while not is_finished(self.puzzle, self.pos):
            self.play_person_turn(self.puzzle.you)
        self.show_news(self.puzzle.you)
        self.show_result(is_solved(self.puzzle, self.pos))

    def show_result(self, solved: bool) -> None:
        """Print whether the puzzle is solved, the best line, and how many lines were tried to prove it."""
        from sutler.web.table.teaching.puzzles import describe_best_line, describe_proof, describe_result

        if solved:
            self.out.print(_("Solved."), style="bold green")
        else:
            came_to = describe_result(self.puzzle, self.pos.scores()[self.puzzle.you])
            self.out.print(Text(_("Not the best."), "bold").append(f" {came_to}", "not bold"))
        self.out.print(
            Text(_("The best line") + ": ").append(", ".join(describe_best_line(self.pos, self.puzzle)), "bold")
        )
        self.out.print(describe_proof(self.puzzle), style="dim")

    def undo_step(self, rest: str) -> None:
        """Take the last step back."""
        if self.pos.decisions:
            self._undo_to(len(self.pos.decisions) - 1)

    def restart(self, rest: str) -> None:
        """Take all steps back."""
        self._undo_to(0)

    def _undo_to(self, decisions: int) -> None:
        """Undo until this many decisions are left, and print the question again."""
        while len(self.pos.decisions) > decisions:
            self.pos.undo()
        self.shown, self.told = len(self.pos.log(self.puzzle.you)), len(self.pos.decisions)
        self.show_question(self.puzzle.you)

    def show_help(self, rest: str) -> None:
        """Print what can be typed."""
        self.out.print(Text.from_markup(_help_text()))
