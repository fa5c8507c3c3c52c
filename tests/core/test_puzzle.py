"""Puzzles: every one that is shipped is played and proved again, and what is no solution is none."""

from __future__ import annotations

import datetime

import pytest

from sutler.core.files.box import BoxError
from sutler.core.play.game import load
from sutler.core.play.position import Position
from sutler.core.play.puzzle import (
    Proof,
    Puzzle,
    build_puzzle_position,
    choose_puzzle_of_day,
    find_puzzle_fault,
    is_finished,
    is_solved,
    read_puzzle,
    read_puzzles,
    search_turn,
)
from sutler.core.play.registry import find_game_folder, games

SHIPPED = [(game, number) for game in games() for number in range(1, len(read_puzzles(find_game_folder(game))) + 1)]
LEAST = 8


def opened(game: str, number: int) -> tuple[Puzzle, Position]:
    puzzle = read_puzzles(find_game_folder(game))[number - 1]
    return puzzle, build_puzzle_position(puzzle, load(game).with_options(puzzle.options))


@pytest.mark.parametrize("game", games())
def test_every_game_has_enough_puzzles_and_none_twice(game: str) -> None:
    states = [str(one.state) for one in read_puzzles(find_game_folder(game))]
    assert len(states) >= LEAST
    assert len(set(states)) == len(states)


@pytest.mark.parametrize(("game", "number"), SHIPPED)
def test_the_line_solves_it_and_the_proof_is_found_again(game: str, number: int) -> None:
    """The line is legal to its last step and ends the turn; all other lines are tried again and come to what the file tells."""
    puzzle, pos = opened(game, number)
    assert find_puzzle_fault(puzzle, pos) == ""
    for action in puzzle.line:
        assert not is_finished(puzzle, pos), "the line goes on beyond the turn"
        assert pos.n_legal > 1, "where nothing can be chosen there is no step"
        pos.play(action)
    assert is_finished(puzzle, pos)


@pytest.mark.parametrize(("game", "number"), SHIPPED)
def test_a_choice_is_told_with_a_margin(game: str, number: int) -> None:
    """Where not every line can be tried, the figures leave no doubt: ten wins in a hundred, or half a point, beyond the half interval."""
    proof = read_puzzles(find_game_folder(game))[number - 1].proof
    if proof.games:
        assert proof.games >= 240
        assert proof.best - proof.second - proof.half >= (0.5 if proof.by_points else 0.10)


def test_a_line_that_comes_to_less_solves_nothing() -> None:
    puzzle, pos = opened("threeyears", 1)
    turn = search_turn(pos)
    assert turn is not None
    worse = min(turn.ends, key=lambda end: end.points)
    assert worse.points < puzzle.proof.best
    for action in worse.line:
        assert not is_solved(puzzle, pos)
        pos.play(action)
    assert is_finished(puzzle, pos)
    assert not is_solved(puzzle, pos)


def test_a_proof_that_tells_something_else_is_a_fault() -> None:
    """A changed rule or box would show itself so."""
    puzzle, pos = opened("threeyears", 1)
    wrong = puzzle.model_copy(update={"proof": puzzle.proof.model_copy(update={"second": puzzle.proof.second - 1})})
    assert "this was found" in find_puzzle_fault(wrong, pos)
    shorter = puzzle.model_copy(update={"line": [puzzle.line[-1]]})
    assert "does not solve" in find_puzzle_fault(shorter, pos)
    choice = puzzle.model_copy(update={"goal": "choice", "proof": Proof(games=240, best=0.5, second=0.49, half=0.04)})
    assert "beyond chance" in find_puzzle_fault(choice, pos)


def test_what_hangs_on_luck_is_known_as_luck() -> None:
    """Manor's first decision draws cards: no end after it is sure."""
    pos = load("manor").new(seats=2, seed=1)
    turn = search_turn(pos, deals=2, max_positions=400)
    assert turn is None or any(end.luck for end in turn.ends)
    assert search_turn(pos, max_positions=1) is None, "too many positions are no puzzle"


def test_each_day_has_its_puzzle_and_each_puzzle_its_day() -> None:
    """By the date alone; the games take turns, and after some days all of them were there."""
    first, counts = datetime.date(2026, 11, 27), [8, 9, 0, 8]
    days = [choose_puzzle_of_day(first + datetime.timedelta(days), counts) for days in range(3 * 72)]
    assert days[0] == choose_puzzle_of_day(first, counts)
    assert len({game for game, _ in days[:3]}) == 3
    assert set(days) == {(game, puzzle) for game, n in enumerate(counts) for puzzle in range(n)}


def test_a_puzzle_file_that_does_not_fit_is_named(tmp_path: pytest.TempPathFactory) -> None:
    path = tmp_path / "wrong.toml"  # type: ignore[operator]
    path.write_text('game = "manor"\nseats = 2\nnames = ["Agnes"]\ngoal = "win"\nline = ["done"]\n[proof]\n')
    with pytest.raises(BoxError, match="field names: 1 names, 2 seats"):
        read_puzzle(path)
