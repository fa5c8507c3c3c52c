"""`sutler puzzle`: one turn at the keyboard, told solved or not, with the line afterwards."""

from __future__ import annotations

from collections.abc import Callable

from click.testing import Result

from sutler.core.play.puzzle import read_puzzles
from sutler.core.play.registry import find_game_folder

Run = Callable[..., Result]


def test_the_best_line_is_told_solved(sutler: Run) -> None:
    puzzle = read_puzzles(find_game_folder("threeyears"))[0]
    done = sutler("puzzle", "threeyears", "1", typed="\n".join(puzzle.line) + "\n")
    assert done.exit_code == 0, done.output[-2000:]
    assert "Make the most points this turn. You have 33." in done.output
    assert "Solved." in done.output
    assert f"All {puzzle.proof.positions} positions" in " ".join(done.output.split())


def test_a_lesser_line_is_told_and_steps_are_taken_back(sutler: Run) -> None:
    """`b` takes a step back, `a` all of them; what is typed wrongly is answered."""
    done = sutler("puzzle", "threeyears", "1", typed="buy row 1\nb\nbuy row 1\na\ndance\n?\ndone\n")
    assert done.exit_code == 0, done.output[-2000:]
    assert "Not the best. You came to 33; 34 can be reached." in done.output
    assert "The best line: 1 food, 1 renown, Done" in done.output
    assert "from the beginning" in done.output


def test_a_puzzle_that_is_not_there(sutler: Run) -> None:
    done = sutler("puzzle", "threeyears", "99")
    assert done.exit_code != 0
    assert "it has 9" in done.output
