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
Both are proved by trying every line of the turn (`tried`). What hangs on hidden cards or dice is tried in `deals` deals, and counts
with the best of them; the line itself depends on no luck. `goal = "choice"`: one decision, judged by `games` games that bots played on
from each choice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from sutler.core.chance import REDEAL_STREAM, new_luck, reseed
from sutler.core.events import new_buffer
from sutler.core.files.box import BoxError, Entry, read_toml, validated
from sutler.core.files.scenario import Scenario, position_of_scenario
from sutler.core.plain_view import members_of
from sutler.core.play.position import Position

if TYPE_CHECKING:
    import datetime

    from sutler.core.play.game import Game

DEALS = 4
"""Deals of hidden cards and dice in which a turn is tried."""
DEAL_SEED = 2_301
SMALLEST_GAIN = 0.001
"""A smaller difference of points is none: they are added up in floating point."""


class Proof(Entry):
    """The figures that say why a puzzle's line is the best.

    Goals "win" and "points": positions, ends and deals tried; ends that win; points after the line and after the next best end. "choice":
    games played on from each choice; the share won (the mean of the points, if `by_points`: where all win together) after the line,
    after the second best, and half the 95 % interval of the difference.
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
    """The end of a line of a turn: whether it won the game, the seat's points, and the actions. `luck`: did it hang on luck?"""

    won: bool
    points: float
    line: tuple[int, ...]
    luck: bool


@dataclass(frozen=True)
class Tried:
    """All that the rest of a turn can come to: the number of different positions, and its ends."""

    positions: int
    ends: tuple[End, ...]

    def best(self) -> tuple[float, list[End]]:
        """(the value of the best end, all ends that reach it). A win is worth more than any points."""
        most = max(value_of(end) for end in self.ends)
        return most, [end for end in self.ends if value_of(end) >= most - SMALLEST_GAIN]

    def second(self) -> float:
        """The value of the best end that is worth less than the best; the best itself where all are worth it."""
        most, _ = self.best()
        return max((value_of(end) for end in self.ends if value_of(end) < most - SMALLEST_GAIN), default=most)


def value_of(end: End) -> float:
    """The worth of an end: infinite for a win, else the points."""
    return float("inf") if end.won else end.points


# --- Files ---------------------------------------------------------------------------------------------


def puzzles_in(folder: Path) -> list[Puzzle]:
    """The puzzles in a game's folder, in the order of their files' names; BoxError names the file and the field."""
    return [read_puzzle(path) for path in sorted((folder / "puzzles").glob("*.toml"))]


def read_puzzle(path: Path) -> Puzzle:
    """The puzzle in a file; BoxError names the file and the field."""
    puzzle = validated(Puzzle, read_toml(path), str(path))
    if len(puzzle.names) != puzzle.seats:
        raise BoxError(f"{path}: field names: {len(puzzle.names)} names, {puzzle.seats} seats")
    if not 0 <= puzzle.you < puzzle.seats:
        raise BoxError(f"{path}: field you: there is no seat {puzzle.you}")
    if not puzzle.line:
        raise BoxError(f"{path}: field line: a puzzle has a solution")
    return puzzle


def puzzle_position(puzzle: Puzzle, game: Game, source: str = "puzzle") -> Position:
    """The position that a puzzle begins with; BoxError where another seat is to decide."""
    if puzzle.game != game.name:
        raise BoxError(f"{source}: field game: this is a puzzle of {puzzle.game!r}, not of {game.name!r}")
    pos = position_of_scenario(game, puzzle, puzzle.seed, puzzle.names, source)
    if pos.seat != puzzle.you:
        raise BoxError(f"{source}: field you: seat {pos.seat} is to decide")
    return pos


def of_day(day: datetime.date, counts: Sequence[int]) -> tuple[int, int]:
    """(the game, the puzzle) of a day, by number, where the games have `counts` puzzles: games and puzzles take turns."""
    games = [i for i, n in enumerate(counts) if n]
    game = games[day.toordinal() % len(games)]
    return game, day.toordinal() // len(games) % counts[game]


# --- How far a solver is -------------------------------------------------------------------------------


def is_finished(puzzle: Puzzle, pos: Position) -> bool:
    """Is the solver's turn over, or the one decision taken that was asked for?"""
    if puzzle.goal == "choice":
        return len(pos.decisions) > 0
    return pos.over or pos.seat != puzzle.you


def is_solved(puzzle: Puzzle, pos: Position) -> bool:
    """Has the turn come to as much as the best line?"""
    if not is_finished(puzzle, pos):
        return False
    if puzzle.goal == "choice":
        return bool(pos.decisions[0].action == pos.game.action(puzzle.line[0]).id)
    if puzzle.goal == "win":
        return _has_won(pos.places(), puzzle.you, pos.over)
    return _has_won(pos.places(), puzzle.you, pos.over) or pos.scores()[puzzle.you] >= puzzle.proof.best - SMALLEST_GAIN


def _has_won(places: Sequence[float], seat: int, over: bool) -> bool:
    return over and places[seat] == 1 and sum(place == 1 for place in places) == 1


# --- The proof -----------------------------------------------------------------------------------------


def fault_in(puzzle: Puzzle, pos: Position) -> str:
    """The reason why a puzzle does not hold from its position, in words, or "".

    The line is played, and for the goals "win" and "points" every other one is tried again. Playing on from the choices of the third
    goal takes bots, which core does not know: see `tools/puzzles.py`.
    """
    solved = pos.copy()
    for action in puzzle.line:
        solved.play(action)
    if not is_solved(puzzle, solved):
        return "the line does not solve it"
    told = puzzle.proof
    if puzzle.goal == "choice":
        return "" if told.games and told.best - told.half > told.second else "no difference beyond chance is told"
    turn = tried(pos, told.deals)
    assert turn is not None
    value, ends = turn.best()
    if any(end.luck for end in ends) or value <= turn.second():
        return "another line comes to as much, or luck has a hand in it"
    found = proof_of(turn, told.deals)
    is_told = (told.positions, told.ends, told.winning) == (found.positions, found.ends, found.winning)
    if not is_told or not np.allclose([told.best, told.second], [found.best, found.second]):
        return f"the file tells {told}, and this was found: {found}"
    return ""


def proof_of(turn: Tried, deals: int) -> Proof:
    """The figures of a turn that was tried in so many deals."""
    value, ends = turn.best()
    wins = value == float("inf")
    winning, second = (len(ends), 0.0) if wins else (0, turn.second())
    positions, points = turn.positions, ends[0].points
    return Proof(positions=positions, ends=len(turn.ends), deals=deals, winning=winning, best=points, second=second)


def tried(pos: Position, deals: int = DEALS, most: int | None = None) -> Tried | None:
    """Every line that the seat to act can play before another seat decides or the game ends; None beyond `most` positions.

    Lines are played in several deals of what the seat cannot know, side by side. Where they come apart, a card or a die has been
    turned up: from there each deal is tried by itself.
    """
    assert pos.seat is not None
    return _Search(pos, pos.seat, most).run(_deals_of(pos, deals))


def _deals_of(pos: Position, deals: int) -> tuple[Any, ...]:
    """States that the seat to act cannot tell from the true one, with other dice to come."""
    luck, d, found = new_luck(DEAL_SEED, REDEAL_STREAM), pos.game.definition, []
    for _ in range(deals):
        state = d.state.copy(pos.state)
        d.redeal(pos.game.box, state, int(pos.state.to_act), luck)
        reseed(state, luck)
        found.append(state)
    return tuple(found)


@dataclass(frozen=True)
class _Reached:
    """Where an action has led in one deal: a seat sees the same in two deals where these are equal."""

    over: bool
    seat: int
    legal: tuple[int, ...]
    points: float
    won: bool
    rolled: bool


class _Search:
    """A turn being tried: every position once, the shortest line to each first."""

    def __init__(self, pos: Position, seat: int, most: int | None) -> None:
        self.game, self.seat, self.most = pos.game, seat, most
        self.legal = tuple(pos.legal_ids())
        self.out, self.silent = pos.game.definition.actions.new_ids(), new_buffer(on=False)
        self.points, self.places = np.zeros(pos.n_seats), np.zeros(pos.n_seats)
        self.seen: set[bytes] = set()
        self.ends: list[End] = []

    def run(self, deals: tuple[Any, ...]) -> Tried | None:
        """All positions and ends from here on, or None where they are too many."""
        waiting: deque[tuple[tuple[Any, ...], tuple[int, ...], tuple[int, ...], bool]] = deque(
            [(deals, self.legal, (), False)]
        )
        while waiting:
            states, legal, line, luck = waiting.popleft()
            for action in legal:
                for group, here, lucky in self._played(states, action, luck):
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
        return Tried(len(self.seen), tuple(self.ends))

    def _played(
        self, states: tuple[Any, ...], action: int, luck: bool
    ) -> Iterator[tuple[tuple[Any, ...], _Reached, bool]]:
        """(the deals that still go on together, where they are, whether luck has had a hand in it) after an action."""
        after = [self._step(state, action) for state in states]
        if all(here == after[0][1] for _, here in after) and not after[0][1].rolled:
            yield tuple(state for state, _ in after), after[0][1], luck
        else:
            for state, here in after:
                yield (state,), here, True

    def _step(self, state: Any, action: int) -> tuple[Any, _Reached]:
        d, box = self.game.definition, self.game.box
        after = d.state.copy(state)
        d.engine.go(box, after, self.silent, self.out, d.asked, action)
        over = bool(d.ended(after))
        seat = -1 if over else int(after.to_act)
        legal = tuple(members_of(self.out.ids)) if seat == self.seat else ()
        d.score(box, after, self.points)
        d.rank(box, after, self.places)
        won = _has_won(self.places.tolist(), self.seat, over)
        rolled = not np.array_equal(after.rng, state.rng)
        return after, _Reached(over, seat, legal, float(self.points[self.seat]), won, rolled)
