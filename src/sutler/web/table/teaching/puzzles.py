"""Puzzles at a table: the solver plays the rest of one turn, and the result is compared with the best line of play.

A puzzle's table is stored like a lesson's (`Created.lesson` is "puzzle-3"); the other seats do not move. `core.play.puzzle` describes
the content of a puzzle, and when it is solved.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sutler.core.play.puzzle import Puzzle, is_finished, is_solved, read_puzzles
from sutler.core.text.language import _, many
from sutler.web.errors import Lost, Refused, Stale
from sutler.web.events import Undone
from sutler.web.sentence_html import format_number, to_plain_text

if TYPE_CHECKING:
    from sutler.core.play.position import Position
    from sutler.web.game_shelf import Shelf
    from sutler.web.table.room import Room

PREFIX = "puzzle-"


@functools.cache
def load_puzzles(folder: Path) -> list[Puzzle]:
    """The puzzles of the game in this folder, in order, read once."""
    return read_puzzles(folder)


def find_puzzle(shelf: Shelf, game: str, number: int) -> Puzzle:
    """A game's puzzle by its number, from 1. Raises Lost when there is none."""
    listed = load_puzzles(shelf.find_game_folder(game)) if game in shelf.list_installed_games() else []
    if not 1 <= number <= len(listed):
        raise Lost("There is no such puzzle.")
    return listed[number - 1]


def is_puzzle(lesson: str) -> bool:
    """Does this name of a lesson (`Created.lesson`) stand for a puzzle?"""
    return lesson.startswith(PREFIX)


def parse_puzzle_number(lesson: str) -> int:
    """The number of a puzzle, from 1, from its name as a lesson ("puzzle-3")."""
    return int(lesson.removeprefix(PREFIX))


def find_puzzle_of_table(room: Room) -> Puzzle | None:
    """The puzzle at this table; None at tables without one."""
    made = room.created
    return (
        find_puzzle(room.services.shelf, made.game, parse_puzzle_number(made.lesson))
        if is_puzzle(made.lesson)
        else None
    )


def is_turn_over(room: Room) -> bool:
    """Has the solver finished the turn that the puzzle is about?"""
    puzzle = find_puzzle_of_table(room)
    return puzzle is not None and is_finished(puzzle, room.pos)


# --- The solver's clicks -------------------------------------------------------------------------------


def play_puzzle_action(room: Room, seats: tuple[int, ...], decision: int, action: str, times: int = 1) -> None:
    """Play any legal action of the solver's turn; raises Refused once the turn is over. The caller holds the lock.

    `seats`: those of the person who clicks; `decision`: the number of decisions that their page has seen; raises Stale where it is old.
    `times`: how many times in a row, if the turn lasts so long.
    """
    puzzle = find_puzzle_of_table(room)
    assert puzzle is not None
    if decision != room.decision:
        raise Stale("The puzzle has moved on. Here it is as it stands.")
    if is_finished(puzzle, room.pos) or puzzle.you not in seats:
        raise Refused("The puzzle ends here. Try again, or take the next one.")
    if refusal := room.pos.why_not(action):
        raise Refused(refusal.text, refusal.rule)
    for _again in range(times):
        if not is_finished(puzzle, room.pos):
            room.play_action(puzzle.you, action)


def press_button(room: Room, seats: tuple[int, ...], button: str, decision: int) -> None:
    """Carry out a button of the puzzle's panel: "back" (one decision), "again" (from the beginning), or "show" (play the best line).

    The line can be shown only once the turn is over. `decision`: the number of decisions that the page has seen; raises Stale where it is
    old.
    """
    with room.lock:
        room.require_sound()
        puzzle = find_puzzle_of_table(room)
        if puzzle is None or puzzle.you not in seats:
            raise Refused("There is no puzzle here for you to solve.")
        if decision != room.decision:
            raise Stale("The puzzle has moved on. Here it is as it stands.")
        if button == "back" and decision:
            room.commit_events(Undone(seat=puzzle.you, to=decision - 1))
        elif button == "again" and decision:
            room.commit_events(Undone(seat=puzzle.you, to=0))
        elif button == "show" and is_finished(puzzle, room.pos):
            room.commit_events(Undone(seat=puzzle.you, to=0))
            for action in puzzle.line:
                room.play_action(puzzle.you, action)
        else:
            raise Refused("Try it first: the line is shown afterwards.")


# --- The panel on the page -----------------------------------------------------------------------------


def build_puzzle_panel(room: Room, answer: str = "") -> dict[str, Any] | None:
    """The template context of the puzzle's panel on the page; None at tables without a puzzle. `answer`: why a click was refused."""
    puzzle = find_puzzle_of_table(room)
    if puzzle is None:
        return None
    number, finished = parse_puzzle_number(room.created.lesson), is_finished(puzzle, room.pos)
    solved = is_solved(puzzle, room.pos)
    line = describe_best_line(room.pos, puzzle) if finished else []
    return {
        "puzzle": True,
        "head": _("Puzzle {n}", n=number),
        "number": number,
        "of": len(load_puzzles(room.services.shelf.find_game_folder(room.created.game))),
        "game": room.created.game,
        "task": describe_task(puzzle, before=room.pos.at(0).scores()[puzzle.you]),
        "help": describe_terms(puzzle),
        "finished": finished,
        "solved": solved,
        "came_to": describe_result(puzzle, room.pos.scores()[puzzle.you]) if finished and not solved else "",
        "line": line,
        "proof": describe_proof(puzzle) if finished else "",
        "first": room.decision == 0,
        "answer": answer,
    }


def describe_task(puzzle: Puzzle, before: float | None = None) -> str:
    """The task in one sentence. `before`: the solver's points at the beginning, None to leave them out."""
    if puzzle.goal == "win":
        return _("Win the game this turn.")
    if puzzle.goal == "choice":
        return _("Find the best choice.")
    if before is None:
        return _("Make the most points this turn.")
    return _("Make the most points this turn. You have {n}.", n=format_number(before))


def describe_terms(puzzle: Puzzle) -> str:
    """The terms of a puzzle in a sentence or two: which decisions are the solver's, and what counts."""
    if puzzle.proof.by_points:
        return _("One decision is yours. After one choice you all end with clearly more points than after any other.")
    if puzzle.goal == "choice":
        return _("One decision is yours. One choice wins clearly more often than all the others.")
    return _(
        "The rest of this turn is yours, step by step; what comes after does not count. The best line needs no luck."
    )


def describe_result(puzzle: Puzzle, points: float) -> str:
    """The solver's result compared with the best one, without giving the solution away. `points`: the solver's at the end."""
    if puzzle.goal == "win":
        return _("The game can be won this turn.")
    if puzzle.goal == "choice":
        return _("Something else is better.")
    return _("You came to {n}; {most} can be reached.", n=format_number(points), most=format_number(puzzle.proof.best))


def describe_proof(puzzle: Puzzle) -> str:
    """The evidence that the puzzle's solution is the best, in figures."""
    proof = puzzle.proof
    if proof.by_points:
        return _(
            "Normal bots played on {n} times from each of the two best choices: "
            "{best} points on average after this one, {second} after the next best.",
            n=proof.games,
            best=format_number(proof.best),
            second=format_number(proof.second),
        )
    if puzzle.goal == "choice":
        return _(
            "Normal bots played on {n} times from each of the two best choices: "
            "{best} wins in 100 after this one, {second} after the next best.",
            n=proof.games,
            best=round(100 * proof.best),
            second=round(100 * proof.second),
        )
    tried = many(
        "The one position this turn can come to was tried.",
        "All {n} positions this turn can come to were tried.",
        proof.positions,
    )
    if puzzle.goal == "win":
        ways = many(
            "It can end in {most} ways; one wins.",
            "It can end in {most} ways; {n} win.",
            proof.winning,
            most=proof.ends,
        )
        return f"{tried} {ways}"
    return tried + " " + _("The next best end of the turn comes to {n}.", n=format_number(proof.second))


def describe_best_line(pos: Position, puzzle: Puzzle) -> list[str]:
    """The steps of the best line, as the buttons name them. `pos`: any position of the puzzle's game."""
    pos, told = pos.at(0), []
    for action in puzzle.line:
        told.append(to_plain_text(pos.choice(pos.action(action).id).label))
        pos.play(action)
    return told
