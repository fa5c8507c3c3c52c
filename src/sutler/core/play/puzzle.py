"""Puzzles: a position, the seat that solves it, and one best line for the rest of its turn, in a game's folder `puzzles/`.

A puzzle's file holds everything a scenario file may hold, and besides the solver's seat (`you`), `names`, `goal`, `line` and `[proof]`:

you = 1
goal = "points"                             # or "win", or "choice"
line = ["place Wheat", "on Poor Fields"]    # the best line, action by action
[proof]
positions = 412                             # all positions that the rest of the turn can come to …
ends = 57                                   # … how many of them end it, and
best = 14.0                                 # the points after the line, and after the best of all others
second = 12.0
deals = 4

`goal = "win"`: the line wins the game; of all `ends` only `winning` do. `goal = "points"`: it leaves the seat with the most points.
Both are proved by trying every line of the turn (`search_turn`). Lines that depend on hidden cards or dice are tried in `deals` different
deals, and the best outcome counts; the best line itself depends on no luck. `goal = "choice"`: one decision, judged by `games` games
that bots play on from each choice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from sutler.core.chance import REDEAL_STREAM, new_luck, reseed
from sutler.core.events import new_event_buffer
from sutler.core.fast_record_reading import list_set_members
from sutler.core.files.box import BoxError, Entry, read_toml, validate_sheet
from sutler.core.files.scenario import Scenario
from sutler.core.play.game import build_scenario_position
from sutler.core.play.position import Position

if TYPE_CHECKING:
    import datetime

    from sutler.core.play.game import Game

DEALS = 4
"""The number of different deals of hidden cards and dice in which a turn is tried."""
DEAL_SEED = 2_301
SMALLEST_GAIN = 0.001
"""A smaller difference of points counts as none, because points are added up in floating point."""


class Proof(Entry):
    """The figures that say why a puzzle's line is the best.

    For the goals "win" and "points": how many `positions`, `ends` and `deals` were tried, how many ends are `winning`, and the points
    after the line (`best`) and after the best other end (`second`). For "choice": the number of `games` played on from each choice, the
    share of them won (the mean points if `by_points`, in games that all win together) after the line and after the second best choice,
    and `half` the width of the 95 % interval of the difference.
    """

    positions: int = 0
    ends: int = 0
    deals: int = 0
    winning: int = 0
    best: float = 0.0
    second: float = 0.0
    games: int = 0
    by_points: bool = False
    half: float = 0.0


class Puzzle(Scenario):
    """The content of a puzzle's file."""

    you: int = 0
    names: list[str]
    seed: int = 0
    goal: Literal["win", "points", "choice"]
    line: list[str]
    proof: Proof


@dataclass(frozen=True)
class End:
    """The end of a line of a turn: whether it won the game, the seat's points, the ids of the actions. `luck`: did it depend on luck?"""

    won: bool
    points: float
    line: tuple[int, ...]
    luck: bool


@dataclass(frozen=True)
class TurnOutcomes:
    """All outcomes of the rest of a turn: the number of different positions reached, and the end of each line of play."""

    positions: int
    ends: tuple[End, ...]

    def find_best_ends(self) -> tuple[float, list[End]]:
        """(the highest value of any end by `compute_end_value`, all ends that have it)."""
        most = max(compute_end_value(end) for end in self.ends)
        return most, [end for end in self.ends if compute_end_value(end) >= most - SMALLEST_GAIN]

    def find_second_best_value(self) -> float:
        """The value of the second best end: the highest that is below the best; the best itself where all ends are equal."""
        most, _ = self.find_best_ends()
        return max(
            (compute_end_value(end) for end in self.ends if compute_end_value(end) < most - SMALLEST_GAIN), default=most
        )


def compute_end_value(end: End) -> float:
    """The worth of an end: infinite for a win, else the points."""
    return float("inf") if end.won else end.points


# --- Files ---------------------------------------------------------------------------------------------


def read_puzzles(folder: Path) -> list[Puzzle]:
    """The puzzles in a game's folder, in the order of their files' names; BoxError names the file and the field."""
    return [read_puzzle(path) for path in sorted((folder / "puzzles").glob("*.toml"))]


def read_puzzle(path: Path) -> Puzzle:
    """The puzzle in a file; BoxError names the file and the field."""
    puzzle = validate_sheet(Puzzle, read_toml(path), str(path))
    if len(puzzle.names) != puzzle.seats:
        raise BoxError(f"{path}: field names: {len(puzzle.names)} names, {puzzle.seats} seats")
    if not 0 <= puzzle.you < puzzle.seats:
        raise BoxError(f"{path}: field you: there is no seat {puzzle.you}")
    if not puzzle.line:
        raise BoxError(f"{path}: field line: a puzzle has a solution")
    return puzzle


def build_puzzle_position(puzzle: Puzzle, game: Game, source: str = "puzzle") -> Position:
    """The position that a puzzle begins with; BoxError where another seat is to decide."""
    if puzzle.game != game.name:
        raise BoxError(f"{source}: field game: this is a puzzle of {puzzle.game!r}, not of {game.name!r}")
    pos = build_scenario_position(game, puzzle, puzzle.seed, puzzle.names, source)
    if pos.seat != puzzle.you:
        raise BoxError(f"{source}: field you: seat {pos.seat} is to decide")
    return pos


def choose_puzzle_of_day(day: datetime.date, counts: Sequence[int]) -> tuple[int, int]:
    """(index of the game, index of its puzzle) for a day; games and their puzzles take turns. `counts`: how many puzzles each game has."""
    games = [i for i, n in enumerate(counts) if n]
    game = games[day.toordinal() % len(games)]
    return game, day.toordinal() // len(games) % counts[game]


# --- How far a solver is -------------------------------------------------------------------------------


def is_finished(puzzle: Puzzle, pos: Position) -> bool:
    """Has the solver finished: is the turn over, or, for the goal "choice", the one decision taken?"""
    if puzzle.goal == "choice":
        return len(pos.decisions) > 0
    return pos.over or pos.seat != puzzle.you


def is_solved(puzzle: Puzzle, pos: Position) -> bool:
    """Has the solver finished with a result as good as the best line's?"""
    if not is_finished(puzzle, pos):
        return False
    if puzzle.goal == "choice":
        return bool(pos.decisions[0].action == pos.game.action(puzzle.line[0]).id)
    if puzzle.goal == "win":
        return _has_won(pos.places(), puzzle.you, pos.over)
    return _has_won(pos.places(), puzzle.you, pos.over) or pos.scores()[puzzle.you] >= puzzle.proof.best - SMALLEST_GAIN


def _has_won(places: Sequence[float], seat: int, over: bool) -> bool:
    """Is the game over with this seat alone in first place?"""
    return over and places[seat] == 1 and sum(place == 1 for place in places) == 1


# --- The proof -----------------------------------------------------------------------------------------


def find_puzzle_fault(puzzle: Puzzle, pos: Position) -> str:
    """The reason, in words, why the line of a puzzle is not the only best one from its position; "" if it is.

    The line is played, and for the goals "win" and "points" every other line is tried again. The goal "choice" would need bots, which
    this layer does not know; its games are played by `tools/puzzles.py`, and only the kept figures are checked here.
    """
    solved = pos.copy()
    for action in puzzle.line:
        solved.play(action)
    if not is_solved(puzzle, solved):
        return "the line does not solve it"
    told = puzzle.proof
    if puzzle.goal == "choice":
        return "" if told.games and told.best - told.half > told.second else "no difference beyond chance is told"
    turn = search_turn(pos, told.deals)
    assert turn is not None
    value, ends = turn.find_best_ends()
    if any(end.luck for end in ends) or value <= turn.find_second_best_value():
        return "another line comes to as much, or luck has a hand in it"
    found = build_proof(turn, told.deals)
    is_told = (told.positions, told.ends, told.winning) == (found.positions, found.ends, found.winning)
    if not is_told or not np.allclose([told.best, told.second], [found.best, found.second]):
        return f"the file tells {told}, and this was found: {found}"
    return ""


def build_proof(turn: TurnOutcomes, deals: int) -> Proof:
    """The figures to keep in a puzzle's file, from a turn that was tried in `deals` deals."""
    value, ends = turn.find_best_ends()
    wins = value == float("inf")
    winning, second = (len(ends), 0.0) if wins else (0, turn.find_second_best_value())
    positions, points = turn.positions, ends[0].points
    return Proof(positions=positions, ends=len(turn.ends), deals=deals, winning=winning, best=points, second=second)


def search_turn(pos: Position, deals: int = DEALS, max_positions: int | None = None) -> TurnOutcomes | None:
    """Play every line that the seat to act has before another seat decides or the game ends; None beyond `max_positions` positions.

    Each line is played at the same time in `deals` different deals of what the seat cannot know. Where the deals begin to differ for the
    seat, a card or a die has been turned up; from there on each deal is searched by itself.
    """
    assert pos.seat is not None
    return _Search(pos, pos.seat, max_positions).run(_redeal_states(pos, deals))


def _redeal_states(pos: Position, deals: int) -> tuple[Any, ...]:
    """`deals` states that the seat to act cannot tell from the true one, with hidden cards and future dice drawn at random."""
    luck, d, found = new_luck(DEAL_SEED, REDEAL_STREAM), pos.game.definition, []
    for _ in range(deals):
        state = d.state.copy(pos.state)
        d.redeal(pos.game.box, state, int(pos.state.to_act), luck)
        reseed(state, luck)
        found.append(state)
    return tuple(found)


@dataclass(frozen=True)
class _Reached:
    """The result of an action in one deal, as far as a seat sees it; equal for deals that look equal to the seat."""

    over: bool
    seat: int
    legal: tuple[int, ...]
    points: float
    won: bool
    rolled: bool


class _Search:
    """A breadth-first search of a turn: each position is visited once, by its shortest line."""

    def __init__(self, pos: Position, seat: int, most: int | None) -> None:
        self.game, self.seat, self.most = pos.game, seat, most
        self.legal = tuple(pos.legal_ids())
        self.out, self.silent = pos.game.definition.actions.new_ids(), new_event_buffer(on=False)
        self.points, self.places = np.zeros(pos.n_seats), np.zeros(pos.n_seats)
        self.seen: set[bytes] = set()
        self.ends: list[End] = []

    def run(self, deals: tuple[Any, ...]) -> TurnOutcomes | None:
        """Search all lines from the first position, given as its state in each deal; None beyond `most` positions."""
        waiting: deque[tuple[tuple[Any, ...], tuple[int, ...], tuple[int, ...], bool]] = deque(
            [(deals, self.legal, (), False)]
        )
        while waiting:
            states, legal, line, luck = waiting.popleft()
            for action in legal:
                for group, here, lucky in self._iter_outcomes_of_action(states, action, luck):
                    key = b"".join(state.tobytes() for state in group)
                    if key in self.seen:
                        continue
                    self.seen.add(key)
                    if self.most is not None and len(self.seen) > self.most:
                        return None
                    after = (*line, action)
                    if here.over or here.seat != self.seat:
                        self.ends.append(End(here.won, here.points, after, lucky))
                    else:
                        waiting.append((group, here.legal, after, lucky))
        return TurnOutcomes(len(self.seen), tuple(self.ends))

    def _iter_outcomes_of_action(
        self, states: tuple[Any, ...], action: int, luck: bool
    ) -> Iterator[tuple[tuple[Any, ...], _Reached, bool]]:
        """Yield (the states that are searched on together, the result of the action, whether the line has depended on luck).

        One item while the action's result is equal in all deals and draws no random number, else one for each deal.
        """
        after = [self._take_action(state, action) for state in states]
        if all(here == after[0][1] for _, here in after) and not after[0][1].rolled:
            yield tuple(state for state, _ in after), after[0][1], luck
        else:
            for state, here in after:
                yield (state,), here, True

    def _take_action(self, state: Any, action: int) -> tuple[Any, _Reached]:
        """(the state after an action, what the seat then sees of it)."""
        d, box = self.game.definition, self.game.box
        after = d.state.copy(state)
        d.engine.go(box, after, self.silent, self.out, d.asked, action)
        over = bool(d.has_ended(after))
        seat = -1 if over else int(after.to_act)
        legal = tuple(list_set_members(self.out.ids)) if seat == self.seat else ()
        d.score(box, after, self.points)
        d.rank(box, after, self.places)
        won = _has_won(self.places.tolist(), self.seat, over)
        rolled = not np.array_equal(after.rng, state.rng)
        return after, _Reached(over, seat, legal, float(self.points[self.seat]), won, rolled)
